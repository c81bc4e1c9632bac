//! Words of 256 and 512 lanes for x86-64.
//!
//! Values of these types live only below the wrappers of `lanes/kernels.rs`, which are entered after `dispatch` has
//! found the instructions on this machine. That is what every SAFETY line here rests on.

use std::arch::x86_64::*;
use std::mem::MaybeUninit;

use super::{Mask, NIBBLE_WORDS, Word, swap};
use crate::grid::Cells;

/// One vector instruction, on a machine that has it.
macro_rules! vector {
    ($instruction:expr) => {
        // SAFETY: see the head of this file.
        Self(unsafe { $instruction })
    };
}

/// 256 puzzles, with AVX2.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct W256(__m256i);

// SAFETY: the vector is that many bits, lane by lane.
unsafe impl Word for W256 {
    const LANES: usize = 256;
    // SAFETY: a vector of zero bits is a value.
    const ZERO: Self = Self(unsafe { std::mem::zeroed() });

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        vector!(_mm256_and_si256(self.0, other.0))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        vector!(_mm256_or_si256(self.0, other.0))
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        vector!(_mm256_xor_si256(self.0, other.0))
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        vector!(_mm256_andnot_si256(other.0, self.0))
    }
    #[inline(always)]
    fn not(self) -> Self {
        vector!(_mm256_xor_si256(self.0, _mm256_set1_epi64x(-1)))
    }
    #[inline(always)]
    fn shl<const K: u32>(self) -> Self {
        vector!(_mm256_sll_epi64(self.0, _mm_cvtsi32_si128(K as i32)))
    }
    #[inline(always)]
    fn shr<const K: u32>(self) -> Self {
        vector!(_mm256_srl_epi64(self.0, _mm_cvtsi32_si128(K as i32)))
    }
    #[inline(always)]
    fn rotate(self, by: Self) -> Self {
        vector!({
            let rest = _mm256_sub_epi64(_mm256_set1_epi64x(64), by.0);
            _mm256_or_si256(_mm256_sllv_epi64(self.0, by.0), _mm256_srlv_epi64(self.0, rest))
        })
    }
    #[inline(always)]
    fn order(shift: usize) -> Self {
        let mut order: Mask = [0; 8];
        for (i, part) in order.iter_mut().take(4).enumerate() {
            // Two indices of 32-bit halves in one part.
            let from = ((i + shift) % 4) as u64;
            *part = (2 * from) | ((2 * from + 1) << 32);
        }
        Self::from_mask(&order)
    }
    #[inline(always)]
    fn arrange(self, order: Self) -> Self {
        vector!(_mm256_permutevar8x32_epi32(self.0, order.0))
    }
    #[inline(always)]
    fn from_mask(mask: &Mask) -> Self {
        vector!(_mm256_loadu_si256(mask.as_ptr().cast()))
    }
    #[inline(always)]
    fn to_mask(self) -> Mask {
        let mut mask = [0; 8];
        // SAFETY: see the head of this file; the mask has room for 512 bits.
        unsafe { _mm256_storeu_si256(mask.as_mut_ptr().cast(), self.0) };
        mask
    }
    #[inline(always)]
    fn turn(rows: &mut [Self; 64]) {
        turn_halves(rows);
        swap::<Self, 4>(rows, 0x0F0F_0F0F_0F0F_0F0F);
        swap::<Self, 2>(rows, 0x3333_3333_3333_3333);
        swap::<Self, 1>(rows, 0x5555_5555_5555_5555);
    }
    #[inline(always)]
    fn pack(cells: &Cells) -> Option<([u64; NIBBLE_WORDS], u32)> {
        pack(cells)
    }
    #[inline(always)]
    fn unpack(packed: &[u64; NIBBLE_WORDS], cells: &mut Cells) {
        unpack(packed, cells);
    }
}

/// 512 puzzles, with AVX-512.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct W512(__m512i);

// SAFETY: the vector is that many bits, lane by lane.
unsafe impl Word for W512 {
    const LANES: usize = 512;
    // SAFETY: a vector of zero bits is a value.
    const ZERO: Self = Self(unsafe { std::mem::zeroed() });

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        vector!(_mm512_and_si512(self.0, other.0))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        vector!(_mm512_or_si512(self.0, other.0))
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        vector!(_mm512_xor_si512(self.0, other.0))
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        vector!(_mm512_andnot_si512(other.0, self.0))
    }
    #[inline(always)]
    fn not(self) -> Self {
        vector!(_mm512_xor_si512(self.0, _mm512_set1_epi64(-1)))
    }
    #[inline(always)]
    fn shl<const K: u32>(self) -> Self {
        vector!(_mm512_sll_epi64(self.0, _mm_cvtsi32_si128(K as i32)))
    }
    #[inline(always)]
    fn shr<const K: u32>(self) -> Self {
        vector!(_mm512_srl_epi64(self.0, _mm_cvtsi32_si128(K as i32)))
    }
    #[inline(always)]
    fn rotate(self, by: Self) -> Self {
        vector!(_mm512_rolv_epi64(self.0, by.0))
    }
    #[inline(always)]
    fn order(shift: usize) -> Self {
        let mut order: Mask = [0; 8];
        for (i, part) in order.iter_mut().enumerate() {
            *part = ((i + shift) % 8) as u64;
        }
        Self::from_mask(&order)
    }
    #[inline(always)]
    fn arrange(self, order: Self) -> Self {
        vector!(_mm512_permutexvar_epi64(order.0, self.0))
    }
    #[inline(always)]
    fn from_mask(mask: &Mask) -> Self {
        vector!(_mm512_loadu_si512(mask.as_ptr().cast()))
    }
    #[inline(always)]
    fn to_mask(self) -> Mask {
        let mut mask = [0; 8];
        // SAFETY: see the head of this file; the mask has room for 512 bits.
        unsafe { _mm512_storeu_si512(mask.as_mut_ptr().cast(), self.0) };
        mask
    }
    #[inline(always)]
    fn or3(self, b: Self, c: Self) -> Self {
        vector!(_mm512_ternarylogic_epi64::<0xFE>(self.0, b.0, c.0))
    }
    #[inline(always)]
    fn and3(self, b: Self, c: Self) -> Self {
        vector!(_mm512_ternarylogic_epi64::<0x80>(self.0, b.0, c.0))
    }
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        vector!(_mm512_ternarylogic_epi64::<0x96>(self.0, b.0, c.0))
    }
    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        vector!(_mm512_ternarylogic_epi64::<0xE8>(self.0, b.0, c.0))
    }
    #[inline(always)]
    fn or_and(self, b: Self, c: Self) -> Self {
        vector!(_mm512_ternarylogic_epi64::<0xF8>(self.0, b.0, c.0))
    }
    #[inline(always)]
    fn xor_and(self, b: Self, c: Self) -> Self {
        vector!(_mm512_ternarylogic_epi64::<0x78>(self.0, b.0, c.0))
    }
    #[inline(always)]
    fn or_without(self, b: Self, c: Self) -> Self {
        vector!(_mm512_ternarylogic_epi64::<0xF4>(self.0, b.0, c.0))
    }
    #[inline(always)]
    fn without_both(self, b: Self, c: Self) -> Self {
        vector!(_mm512_ternarylogic_epi64::<0x70>(self.0, b.0, c.0))
    }
    #[inline(always)]
    fn without_either(self, b: Self, c: Self) -> Self {
        vector!(_mm512_ternarylogic_epi64::<0x10>(self.0, b.0, c.0))
    }
    #[inline(always)]
    fn or_xor(self, b: Self, c: Self) -> Self {
        vector!(_mm512_ternarylogic_epi64::<0xF6>(self.0, b.0, c.0))
    }
    #[inline(always)]
    fn and_implies(self, b: Self, c: Self) -> Self {
        vector!(_mm512_ternarylogic_epi64::<0xB0>(self.0, b.0, c.0))
    }
    #[inline(always)]
    fn blend(self, b: Self, c: Self) -> Self {
        vector!(_mm512_ternarylogic_epi64::<0xCA>(self.0, b.0, c.0))
    }
    #[inline(always)]
    fn greater(self, b: Self, c: Self) -> Self {
        vector!(_mm512_ternarylogic_epi64::<0xB2>(self.0, b.0, c.0))
    }
    #[inline(always)]
    fn turn(rows: &mut [Self; 64]) {
        // Eight rows at a time: bring byte k of all eight together, turn the eight by eight bits; then, among the
        // results, bring byte k of all together again.
        let mut turned = [const { MaybeUninit::<Self>::uninit() }; 64];
        for block in 0..8 {
            let mut eight = [Self::ZERO; 8];
            for i in 0..8 {
                // The instruction counts rows from the other end.
                eight[i] = rows[block * 8 + 7 - i];
            }
            turn_bytes(&mut eight);
            for i in 0..8 {
                let bits = eight[i].0;
                let bits = vector!(_mm512_gf2p8affine_epi64_epi8::<0>(_mm512_set1_epi64(ONE_BIT_A_BYTE), bits));
                turned[i * 8 + block].write(bits);
            }
        }
        for block in 0..8 {
            let mut eight = [Self::ZERO; 8];
            for i in 0..8 {
                // SAFETY: all 64 are written above.
                eight[i] = unsafe { turned[block * 8 + i].assume_init() };
            }
            turn_bytes(&mut eight);
            for i in 0..8 {
                rows[block * 8 + i] = eight[i];
            }
        }
    }
    #[inline(always)]
    fn pack(cells: &Cells) -> Option<([u64; NIBBLE_WORDS], u32)> {
        pack(cells)
    }
    #[inline(always)]
    fn unpack(packed: &[u64; NIBBLE_WORDS], cells: &mut Cells) {
        unpack(packed, cells);
    }
}

/// The three wide steps of `Word::turn` (32, 16 and 8 bits), by blends.
#[inline(always)]
fn turn_halves(rows: &mut [W256; 64]) {
    // SAFETY: see the head of this file.
    unsafe {
        let odd_bytes = _mm256_set1_epi16(0xFF00_u16 as i16);
        for i in 0..32 {
            let (a, b) = (rows[i].0, rows[i + 32].0);
            rows[i].0 = _mm256_blend_epi32::<0xAA>(a, _mm256_slli_epi64::<32>(b));
            rows[i + 32].0 = _mm256_blend_epi32::<0xAA>(_mm256_srli_epi64::<32>(a), b);
        }
        for i in 0..32 {
            let i = i / 16 * 32 + i % 16;
            let (a, b) = (rows[i].0, rows[i + 16].0);
            rows[i].0 = _mm256_blend_epi16::<0xAA>(a, _mm256_slli_epi32::<16>(b));
            rows[i + 16].0 = _mm256_blend_epi16::<0xAA>(_mm256_srli_epi32::<16>(a), b);
        }
        for i in 0..32 {
            let i = i / 8 * 16 + i % 8;
            let (a, b) = (rows[i].0, rows[i + 8].0);
            rows[i].0 = _mm256_blendv_epi8(a, _mm256_slli_epi16::<8>(b), odd_bytes);
            rows[i + 8].0 = _mm256_blendv_epi8(_mm256_srli_epi16::<8>(a), b, odd_bytes);
        }
    }
}

/// `Word::pack` with AVX2.
#[inline(always)]
fn pack(cells: &Cells) -> Option<([u64; NIBBLE_WORDS], u32)> {
    let mut packed = [0; NIBBLE_WORDS];
    // 96 bytes are looked at; the upper half of the third part is no cells and counts as empty.
    let mut givens = u32::from(cells[80] != 0) + 96;
    // SAFETY: see the head of this file; 32 + 32 + 16 of 81 bytes are read, 32 + 8 of 48 are written.
    unsafe {
        let from = cells.as_ptr();
        let first = _mm256_loadu_si256(from.cast());
        let second = _mm256_loadu_si256(from.add(32).cast());
        let third = _mm256_zextsi128_si256(_mm_loadu_si128(from.add(64).cast()));
        let most = _mm256_max_epu8(_mm256_max_epu8(first, second), third);
        let over = _mm256_subs_epu8(most, _mm256_set1_epi8(9));
        if _mm256_testz_si256(over, over) == 0 || cells[80] > 9 {
            return None;
        }
        for cells in [first, second, third] {
            givens -= _mm256_movemask_epi8(_mm256_cmpeq_epi8(cells, _mm256_setzero_si256())).count_ones();
        }
        let pair = _mm256_set1_epi16(0x1001);
        let low = _mm256_packus_epi16(_mm256_maddubs_epi16(first, pair), _mm256_maddubs_epi16(second, pair));
        let third = _mm256_maddubs_epi16(third, pair);
        let to = packed.as_mut_ptr();
        _mm256_storeu_si256(to.cast(), _mm256_permute4x64_epi64::<0b11_01_10_00>(low));
        _mm_storel_epi64(to.add(4).cast(), _mm256_castsi256_si128(_mm256_packus_epi16(third, third)));
    }
    packed[5] = u64::from(cells[80]);
    Some((packed, givens))
}

/// `Word::unpack` with AVX2.
#[inline(always)]
fn unpack(packed: &[u64; NIBBLE_WORDS], cells: &mut Cells) {
    // SAFETY: see the head of this file; 64 + 16 of 81 bytes are written.
    unsafe {
        let nibble = _mm256_set1_epi8(15);
        let to = cells.as_mut_ptr();
        // From registers: a load would have to wait for four stores.
        let v = _mm256_set_epi64x(packed[3] as i64, packed[2] as i64, packed[1] as i64, packed[0] as i64);
        let (even, odd) = (_mm256_and_si256(v, nibble), _mm256_and_si256(_mm256_srli_epi16::<4>(v), nibble));
        let (low, high) = (_mm256_unpacklo_epi8(even, odd), _mm256_unpackhi_epi8(even, odd));
        _mm256_storeu_si256(to.cast(), _mm256_permute2x128_si256::<0x20>(low, high));
        _mm256_storeu_si256(to.add(32).cast(), _mm256_permute2x128_si256::<0x31>(low, high));
        let nibble = _mm256_castsi256_si128(nibble);
        let v = _mm_cvtsi64_si128(packed[4] as i64);
        let (even, odd) = (_mm_and_si128(v, nibble), _mm_and_si128(_mm_srli_epi16::<4>(v), nibble));
        _mm_storeu_si128(to.add(64).cast(), _mm_unpacklo_epi8(even, odd));
    }
    cells[80] = packed[5] as u8 & 15;
}

/// Byte `i` has bit `i`: the matrix that the turning instruction multiplies with.
const ONE_BIT_A_BYTE: i64 = 0x8040_2010_0804_0201_u64 as i64;

/// Where the bytes come from when the byte `k` of eight rows are swapped with the rows: two rows `step` apart, byte
/// `i` of the pair is `i` in the first and `64 + i` in the second.
const fn pairs(step: usize) -> [[u8; 64]; 2] {
    let mut from = [[0; 64]; 2];
    let mut i = 0;
    while i < 64 {
        let second = i & step != 0;
        from[0][i] = if second { 64 + i - step } else { i } as u8;
        from[1][i] = if second { 64 + i } else { i + step } as u8;
        i += 1;
    }
    from
}

static PAIRS: [[[u8; 64]; 2]; 3] = [pairs(4), pairs(2), pairs(1)];

/// In every 64-bit part: byte `k` of row `i` against byte `i` of row `k`.
#[inline(always)]
fn turn_bytes(rows: &mut [W512; 8]) {
    // An iterator would not take on the instruction set of its caller.
    #[allow(clippy::needless_range_loop)]
    for level in 0..3 {
        let step = 4 >> level;
        for i in 0..4 {
            let a = i / step * 2 * step + i % step;
            let (first, second) = (rows[a].0, rows[a + step].0);
            // SAFETY: see the head of this file; the tables have 64 bytes.
            unsafe {
                let lower = _mm512_loadu_si512(PAIRS[level][0].as_ptr().cast());
                let upper = _mm512_loadu_si512(PAIRS[level][1].as_ptr().cast());
                rows[a] = W512(_mm512_permutex2var_epi8(first, lower, second));
                rows[a + step] = W512(_mm512_permutex2var_epi8(first, upper, second));
            }
        }
    }
}
