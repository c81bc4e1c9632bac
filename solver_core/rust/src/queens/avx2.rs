//! AVX2: 16 lanes of 16 bits, or 8 of 32. Lanes are packed by byte shuffles out of a table.

use std::arch::x86_64::*;

use super::lanes::{Lanes, operators};
use super::levels::{Work, level};

/// 16 masks of 16 columns.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct U16x16(__m256i);

/// 8 masks of 32 columns.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct U32x8(__m256i);

operators!(U16x16: _mm256_and_si256 _mm256_or_si256 _mm256_xor_si256 _mm256_set1_epi8(-1), _mm256_add_epi16 _mm256_sub_epi16);
operators!(U32x8: _mm256_and_si256 _mm256_or_si256 _mm256_xor_si256 _mm256_set1_epi8(-1), _mm256_add_epi32 _mm256_sub_epi32);

#[repr(align(64))]
struct Table<T>(T);

/// For 8 lanes of 16 bits: the bytes of the chosen lanes, then zeros (0x80).
static SHUFFLES: Table<[[u8; 16]; 256]> = Table({
    let mut table = [[0x80; 16]; 256];
    let mut chosen = 0;
    while chosen < 256 {
        let (mut lane, mut to) = (0, 0);
        while lane < 8 {
            if chosen >> lane & 1 == 1 {
                table[chosen][to] = 2 * lane as u8;
                table[chosen][to + 1] = 2 * lane as u8 + 1;
                to += 2;
            }
            lane += 1;
        }
        chosen += 1;
    }
    table
});

/// For 8 lanes of 32 bits: the chosen lanes.
static PERMUTATIONS: Table<[[u32; 8]; 256]> = Table({
    let mut table = [[0; 8]; 256];
    let mut chosen = 0;
    while chosen < 256 {
        let (mut lane, mut to) = (0, 0);
        while lane < 8 {
            if chosen >> lane & 1 == 1 {
                table[chosen][to] = lane as u32;
                to += 1;
            }
            lane += 1;
        }
        chosen += 1;
    }
    table
});

/// How to pack each half of 16 lanes, and how many lanes that leaves.
#[derive(Clone, Copy)]
pub(super) struct Halves {
    shuffle: __m256i,
    in_low: usize,
    in_both: usize,
}

// For the blocks of both impls: a value of these types exists only where the CPU has AVX2, see `Lanes`.
impl Lanes for U16x16 {
    type Word = u16;
    type Mask = Self;
    type Shift = __m128i;
    type Packing = Halves;

    const LANES: usize = 16;
    const BITS: u8 = 16;

    #[inline(always)]
    fn word(mask: u32) -> u16 {
        mask as u16
    }

    #[inline(always)]
    unsafe fn splat(mask: u32) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Self(_mm256_set1_epi16(mask as i16)) }
    }

    #[inline(always)]
    unsafe fn numbers() -> Self {
        const NUMBERS: [u16; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
        // SAFETY: the caller's promise.
        unsafe { Self::load(NUMBERS.as_ptr()) }
    }

    #[inline(always)]
    unsafe fn load(from: *const u16) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Self(_mm256_loadu_si256(from.cast())) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u16) {
        // SAFETY: the caller's promise.
        unsafe { _mm256_storeu_si256(to.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn distance(rows: u32) -> __m128i {
        // SAFETY: the caller's promise.
        unsafe { _mm_cvtsi32_si128(rows as i32) }
    }

    #[inline(always)]
    fn up(self, by: __m128i) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm256_sll_epi16(self.0, by)) }
    }

    #[inline(always)]
    fn down(self, by: __m128i) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm256_srl_epi16(self.0, by)) }
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm256_min_epu16(self.0, other.0)) }
    }

    #[inline(always)]
    fn equal(self, other: Self) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm256_cmpeq_epi16(self.0, other.0)) }
    }

    #[inline(always)]
    fn or_else(self, yes: Self, other: Self) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm256_blendv_epi8(other.0, self.0, yes.0)) }
    }

    #[inline(always)]
    fn only(self, yes: Self) -> Self {
        self & yes
    }

    #[inline(always)]
    fn all_empty(self) -> bool {
        // SAFETY: see above.
        unsafe { _mm256_testz_si256(self.0, self.0) == 1 }
    }

    #[inline(always)]
    fn tally(self, a: Self, b: Self, unless: Self) -> Self {
        // A yes is -1.
        self - ((a + b) & !unless)
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        // SAFETY: see above.
        unsafe { U32x8(_mm256_madd_epi16(self.0, _mm256_set1_epi16(1))).sum() }
    }

    #[inline(always)]
    fn packing(chosen: Self) -> Halves {
        // SAFETY: see above; the indices are bytes, and the table has 256 rows.
        unsafe {
            // Two equal bits a lane; every second one is taken.
            let bits = _pext_u32(_mm256_movemask_epi8(chosen.0) as u32, 0x5555_5555);
            let (low, high) = (bits & 0xFF, bits >> 8);
            let row = |half: u32| _mm_load_si128(SHUFFLES.0.as_ptr().add(half as usize & 0xFF).cast());
            Halves {
                shuffle: _mm256_set_m128i(row(high), row(low)),
                in_low: low.count_ones() as usize,
                in_both: bits.count_ones() as usize,
            }
        }
    }

    #[inline(always)]
    fn packed(packing: Halves) -> usize {
        packing.in_both
    }

    #[inline(always)]
    unsafe fn pack(self, packing: Halves, to: *mut u16) {
        // SAFETY: the caller's promise; `in_low` is at most 8.
        unsafe {
            let lanes = _mm256_shuffle_epi8(self.0, packing.shuffle);
            _mm_storeu_si128(to.cast(), _mm256_castsi256_si128(lanes));
            _mm_storeu_si128(to.add(packing.in_low).cast(), _mm256_extracti128_si256::<1>(lanes));
        }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn run<const CLASS: usize, const MODE: u8>(
        work: &mut Work<'_, Self>,
        rows_left: usize,
        states: usize,
    ) -> u64 {
        // SAFETY: the caller's promise.
        unsafe { level::<Self, CLASS, MODE>(work, rows_left, states) }
    }
}

impl Lanes for U32x8 {
    type Word = u32;
    type Mask = Self;
    type Shift = __m128i;
    type Packing = (__m256i, usize);

    const LANES: usize = 8;
    const BITS: u8 = 32;

    #[inline(always)]
    fn word(mask: u32) -> u32 {
        mask
    }

    #[inline(always)]
    unsafe fn splat(mask: u32) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Self(_mm256_set1_epi32(mask as i32)) }
    }

    #[inline(always)]
    unsafe fn numbers() -> Self {
        const NUMBERS: [u32; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
        // SAFETY: the caller's promise.
        unsafe { Self::load(NUMBERS.as_ptr()) }
    }

    #[inline(always)]
    unsafe fn load(from: *const u32) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Self(_mm256_loadu_si256(from.cast())) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u32) {
        // SAFETY: the caller's promise.
        unsafe { _mm256_storeu_si256(to.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn distance(rows: u32) -> __m128i {
        // SAFETY: the caller's promise.
        unsafe { _mm_cvtsi32_si128(rows as i32) }
    }

    #[inline(always)]
    fn up(self, by: __m128i) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm256_sll_epi32(self.0, by)) }
    }

    #[inline(always)]
    fn down(self, by: __m128i) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm256_srl_epi32(self.0, by)) }
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm256_min_epu32(self.0, other.0)) }
    }

    #[inline(always)]
    fn equal(self, other: Self) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm256_cmpeq_epi32(self.0, other.0)) }
    }

    #[inline(always)]
    fn or_else(self, yes: Self, other: Self) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm256_blendv_epi8(other.0, self.0, yes.0)) }
    }

    #[inline(always)]
    fn only(self, yes: Self) -> Self {
        self & yes
    }

    #[inline(always)]
    fn all_empty(self) -> bool {
        // SAFETY: see above.
        unsafe { _mm256_testz_si256(self.0, self.0) == 1 }
    }

    #[inline(always)]
    fn tally(self, a: Self, b: Self, unless: Self) -> Self {
        // A yes is -1.
        self - ((a + b) & !unless)
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        let mut words = [0_u32; 8];
        // SAFETY: there is room for 8 words; and see above.
        unsafe { self.store(words.as_mut_ptr()) };
        words.into_iter().map(u64::from).sum()
    }

    #[inline(always)]
    fn packing(chosen: Self) -> Self::Packing {
        // SAFETY: see above; the index is a byte, and the table has 256 rows.
        unsafe {
            let bits = _mm256_movemask_ps(_mm256_castsi256_ps(chosen.0)) as usize & 0xFF;
            (_mm256_load_si256(PERMUTATIONS.0.as_ptr().add(bits).cast()), bits.count_ones() as usize)
        }
    }

    #[inline(always)]
    fn packed(packing: Self::Packing) -> usize {
        packing.1
    }

    #[inline(always)]
    unsafe fn pack(self, packing: Self::Packing, to: *mut u32) {
        // SAFETY: the caller's promise.
        unsafe { Self(_mm256_permutevar8x32_epi32(self.0, packing.0)).store(to) }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn run<const CLASS: usize, const MODE: u8>(
        work: &mut Work<'_, Self>,
        rows_left: usize,
        states: usize,
    ) -> u64 {
        // SAFETY: the caller's promise.
        unsafe { level::<Self, CLASS, MODE>(work, rows_left, states) }
    }
}
