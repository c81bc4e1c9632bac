//! A machine word that holds one bit of many puzzles: 64 in a `u64`, up to 512 in a vector register.
//!
//! The kernel is written once over this trait. Every method must be inlined into a caller that has the vector
//! units switched on (`lanes/kernels.rs`); the methods with three inputs are one instruction with AVX-512.

use crate::grid::Cells;

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
pub(crate) mod neon;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86;

/// `each!(9, i => f(i))`: an array of words. A plain loop, because a closure does not take on the instruction set of
/// the function around it.
macro_rules! each {
    ($count:literal, $i:ident => $word:expr) => {{
        let mut words = [W::ZERO; $count];
        let mut $i = 0;
        while $i < $count {
            words[$i] = $word;
            $i += 1;
        }
        words
    }};
}
pub(crate) use each;

/// 64-bit words that hold a nibble for each cell.
pub(crate) const NIBBLE_WORDS: usize = 6;

/// The lanes of a word as plain integers: lane `64 * i + b` is bit `b` of entry `i`; unused entries are 0.
pub(crate) type Mask = [u64; 8];

/// One bit of `LANES` puzzles.
///
/// # Safety
///
/// A value is `PARTS` times 64 bits in memory, in the order of the lanes, and any bits are a value.
pub(crate) unsafe trait Word: Copy + 'static {
    /// How many puzzles one word holds.
    const LANES: usize;
    /// How many 64-bit parts a word has.
    const PARTS: usize = Self::LANES / 64;
    /// No lane.
    const ZERO: Self;

    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// The lanes of `self` without those of `other`.
    fn without(self, other: Self) -> Self;
    fn not(self) -> Self;

    /// Shifts every 64-bit part to the left.
    fn shl<const K: u32>(self) -> Self;
    /// Shifts every 64-bit part to the right.
    fn shr<const K: u32>(self) -> Self;
    /// Rotates every 64-bit part to the left by the number (0 to 63) in the same part of `by`.
    fn rotate(self, by: Self) -> Self;

    /// The order of parts that `arrange` needs to bring part `(i + shift) % PARTS` to part `i`.
    fn order(shift: usize) -> Self;
    /// Brings the parts into an order.
    fn arrange(self, order: Self) -> Self;

    fn from_mask(mask: &Mask) -> Self;
    fn to_mask(self) -> Mask;

    #[inline(always)]
    fn or3(self, b: Self, c: Self) -> Self {
        self.or(b).or(c)
    }
    #[inline(always)]
    fn and3(self, b: Self, c: Self) -> Self {
        self.and(b).and(c)
    }
    /// Sum bit of a full adder.
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        self.xor(b).xor(c)
    }
    /// Carry of a full adder: two or three of three.
    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        self.and(b).or(c.and(self.or(b)))
    }
    /// `self | (b & c)`
    #[inline(always)]
    fn or_and(self, b: Self, c: Self) -> Self {
        self.or(b.and(c))
    }
    /// `self ^ (b & c)`
    #[inline(always)]
    fn xor_and(self, b: Self, c: Self) -> Self {
        self.xor(b.and(c))
    }
    /// `self | (b & !c)`
    #[inline(always)]
    fn or_without(self, b: Self, c: Self) -> Self {
        self.or(b.without(c))
    }
    /// `self & !(b & c)`
    #[inline(always)]
    fn without_both(self, b: Self, c: Self) -> Self {
        self.without(b.and(c))
    }
    /// `self & !(b | c)`
    #[inline(always)]
    fn without_either(self, b: Self, c: Self) -> Self {
        self.without(b.or(c))
    }
    /// `self | (b ^ c)`
    #[inline(always)]
    fn or_xor(self, b: Self, c: Self) -> Self {
        self.or(b.xor(c))
    }
    /// `self & (!b | c)`
    #[inline(always)]
    fn and_implies(self, b: Self, c: Self) -> Self {
        self.without(b.without(c))
    }
    /// Greater-than, one bit further: `self > b` in this bit, or equal in it and `lower`.
    #[inline(always)]
    fn greater(self, b: Self, lower: Self) -> Self {
        self.without(b).or(lower.without(self.xor(b)))
    }
    /// Turns 64 words of 64 bits a part: bit `b` of row `i` against bit `i` of row `b`.
    #[inline(always)]
    fn turn(rows: &mut [Self; 64]) {
        swap::<Self, 32>(rows, 0x0000_0000_FFFF_FFFF);
        swap::<Self, 16>(rows, 0x0000_FFFF_0000_FFFF);
        swap::<Self, 8>(rows, 0x00FF_00FF_00FF_00FF);
        swap::<Self, 4>(rows, 0x0F0F_0F0F_0F0F_0F0F);
        swap::<Self, 2>(rows, 0x3333_3333_3333_3333);
        swap::<Self, 1>(rows, 0x5555_5555_5555_5555);
    }

    /// Eighty-one digits as eighty-one nibbles, sixteen a word, and how many of them are not 0; none if some cell is
    /// no digit (over 9).
    #[inline(always)]
    fn pack(cells: &Cells) -> Option<([u64; NIBBLE_WORDS], u32)> {
        let (eights, last) = cells.as_chunks::<8>();
        let mut packed = [0; NIBBLE_WORDS];
        let mut over = u64::from(last[0] > 9);
        for (i, eight) in eights.iter().enumerate() {
            let v = u64::from_le_bytes(*eight);
            // Bytes of 10 to 127 reach bit 7 by the addition, larger ones have it.
            over |= (v | ((v & 0x7F7F_7F7F_7F7F_7F7F) + 0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080;
            let v = (v | v >> 4) & 0x00FF_00FF_00FF_00FF;
            let v = (v | v >> 8) & 0x0000_FFFF_0000_FFFF;
            packed[i / 2] |= ((v | v >> 16) & 0xFFFF_FFFF) << (i % 2 * 32);
        }
        packed[NIBBLE_WORDS - 1] = u64::from(last[0]);
        let mut givens = 0;
        for word in packed {
            givens += ((word | word >> 1 | word >> 2 | word >> 3) & 0x1111_1111_1111_1111).count_ones();
        }
        (over == 0).then_some((packed, givens))
    }
    /// The reverse of `pack`.
    #[inline(always)]
    fn unpack(packed: &[u64; NIBBLE_WORDS], cells: &mut Cells) {
        let (eights, last) = cells.as_chunks_mut::<8>();
        for (i, eight) in eights.iter_mut().enumerate() {
            let v = packed[i / 2] >> (i % 2 * 32) & 0xFFFF_FFFF;
            let v = (v | v << 16) & 0x0000_FFFF_0000_FFFF;
            let v = (v | v << 8) & 0x00FF_00FF_00FF_00FF;
            *eight = ((v | v << 4) & 0x0F0F_0F0F_0F0F_0F0F).to_le_bytes();
        }
        last[0] = packed[NIBBLE_WORDS - 1] as u8 & 15;
    }

    /// `yes` in the lanes of `self`, `no` in the others.
    #[inline(always)]
    fn blend(self, yes: Self, no: Self) -> Self {
        no.xor(self.and(yes.xor(no)))
    }
}

/// One step of turning: swaps the upper half of each block of row `i` with the lower half of row `i + K`.
#[inline(always)]
pub(crate) fn swap<W: Word, const K: u32>(rows: &mut [W; 64], lower: u64) {
    let lower = W::from_mask(&[lower; 8]);
    let k = K as usize;
    for i in 0..32 {
        let a = i / k * 2 * k + i % k;
        let t = rows[a].shr::<K>().xor(rows[a + k]).and(lower);
        rows[a + k] = rows[a + k].xor(t);
        rows[a] = rows[a].xor(t.shl::<K>());
    }
}

/// The 64-bit parts of words, one word after the other.
#[inline(always)]
pub(crate) fn parts<W: Word>(words: &[W]) -> &[u64] {
    // SAFETY: a word is `PARTS` times 64 bits, and aligned at least like them.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), words.len() * W::PARTS) }
}

/// The 64-bit parts of words, to be written.
#[inline(always)]
pub(crate) fn parts_mut<W: Word>(words: &mut [W]) -> &mut [u64] {
    // SAFETY: a word is `PARTS` times 64 bits, aligned at least like them, and any bits are a value.
    unsafe { std::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), words.len() * W::PARTS) }
}

// SAFETY: one part of 64 bits.
unsafe impl Word for u64 {
    const LANES: usize = 64;
    const ZERO: Self = 0;

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self | other
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self ^ other
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self & !other
    }
    #[inline(always)]
    fn not(self) -> Self {
        !self
    }
    #[inline(always)]
    fn shl<const K: u32>(self) -> Self {
        self << K
    }
    #[inline(always)]
    fn shr<const K: u32>(self) -> Self {
        self >> K
    }
    #[inline(always)]
    fn rotate(self, by: Self) -> Self {
        self.rotate_left(by as u32)
    }
    #[inline(always)]
    fn order(_shift: usize) -> Self {
        0
    }
    #[inline(always)]
    fn arrange(self, _order: Self) -> Self {
        self
    }
    #[inline(always)]
    fn from_mask(mask: &Mask) -> Self {
        mask[0]
    }
    #[inline(always)]
    fn to_mask(self) -> Mask {
        [self, 0, 0, 0, 0, 0, 0, 0]
    }
}
