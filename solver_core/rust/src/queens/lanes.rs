//! What the vector kernel asks of a vector: many masks side by side, one state of the search in each lane.

use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

use super::levels::Work;

/// A vector of masks of [`Lanes::BITS`] bits.
///
/// A value of such a type is only ever made in code that runs on a CPU with the isa it needs: `splat`, `load` and
/// `run` are unsafe for this reason, and all else may trust it.
pub(super) trait Lanes:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
{
    /// One lane.
    type Word: Copy + Default + Into<u32>;
    /// Yes or no for each lane.
    type Mask: Copy + BitAnd<Output = Self::Mask> + BitOr<Output = Self::Mask> + Not<Output = Self::Mask>;
    /// A shift distance.
    type Shift: Copy;
    /// How to move the chosen lanes to the front.
    type Packing: Copy;

    /// Lanes of a vector.
    const LANES: usize;
    /// Bits of a lane.
    const BITS: u8;

    /// A mask as one lane holds it; bits beyond [`Lanes::BITS`] are lost.
    fn word(mask: u32) -> Self::Word;

    /// The same mask in every lane.
    ///
    /// # Safety
    ///
    /// The CPU must have the isa of this type.
    unsafe fn splat(mask: u32) -> Self;

    /// 0, 1, 2 and so on.
    ///
    /// # Safety
    ///
    /// The CPU must have the isa of this type.
    unsafe fn numbers() -> Self;

    /// Reads [`Lanes::LANES`] words.
    ///
    /// # Safety
    ///
    /// The CPU must have the isa of this type, and the words must be readable.
    unsafe fn load(from: *const Self::Word) -> Self;

    /// Writes [`Lanes::LANES`] words.
    ///
    /// # Safety
    ///
    /// The words must be writable.
    unsafe fn store(self, to: *mut Self::Word);

    /// The distance of `rows` rows.
    ///
    /// # Safety
    ///
    /// The CPU must have the isa of this type.
    unsafe fn distance(rows: u32) -> Self::Shift;

    /// Every mask moved towards higher columns.
    fn up(self, by: Self::Shift) -> Self;
    /// Every mask moved towards lower columns.
    fn down(self, by: Self::Shift) -> Self;
    /// The smaller of two masks, as numbers; so it is 0 where one of them is empty.
    fn min(self, other: Self) -> Self;
    /// Where two masks are the same.
    fn equal(self, other: Self) -> Self::Mask;
    /// `self` where the mask says yes, `other` elsewhere.
    fn or_else(self, yes: Self::Mask, other: Self) -> Self;
    /// `self` where the mask says yes, nothing elsewhere.
    fn only(self, yes: Self::Mask) -> Self;
    /// Whether every mask is empty.
    fn all_empty(self) -> bool;
    /// Adds, in each lane, how many of `a` and `b` say yes, or nothing where `unless` does.
    fn tally(self, a: Self::Mask, b: Self::Mask, unless: Self::Mask) -> Self;
    /// The sum of all lanes as numbers, each below 32,768.
    fn sum(self) -> u64;

    /// Prepares to pack the lanes of `chosen`.
    fn packing(chosen: Self::Mask) -> Self::Packing;
    /// How many lanes were chosen.
    fn packed(packing: Self::Packing) -> usize;
    /// Writes the chosen lanes one after the other; the words behind them, up to [`Lanes::LANES`] in all, are spoilt.
    ///
    /// # Safety
    ///
    /// [`Lanes::LANES`] words must be writable.
    unsafe fn pack(self, packing: Self::Packing, to: *mut Self::Word);

    /// [`super::levels::level`], compiled for the isa of this type.
    ///
    /// # Safety
    ///
    /// The CPU must have the isa of this type; and see there.
    unsafe fn run<const CLASS: usize, const MODE: u8>(
        work: &mut Work<'_, Self>,
        rows_left: usize,
        states: usize,
    ) -> u64;
}

/// Gives a vector type its operators, from the intrinsics of its isa.
#[cfg(target_arch = "x86_64")]
macro_rules! operators {
    ($lanes:ident: $and:ident $or:ident $xor:ident $ones:expr, $add:ident $sub:ident) => {
        operators!(@binary $lanes BitAnd bitand $and);
        operators!(@binary $lanes BitOr bitor $or);
        operators!(@binary $lanes BitXor bitxor $xor);
        operators!(@binary $lanes Add add $add);
        operators!(@binary $lanes Sub sub $sub);
        impl std::ops::Not for $lanes {
            type Output = Self;
            #[inline(always)]
            fn not(self) -> Self {
                // SAFETY: the value exists, so the CPU has the isa (see `Lanes`).
                unsafe { Self($xor(self.0, $ones)) }
            }
        }
    };
    (@binary $lanes:ident $trait:ident $method:ident $intrinsic:ident) => {
        impl std::ops::$trait for $lanes {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: the values exist, so the CPU has the isa (see `Lanes`).
                unsafe { Self($intrinsic(self.0, other.0)) }
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(super) use operators;
