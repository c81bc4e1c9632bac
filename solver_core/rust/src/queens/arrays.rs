//! No vector units asked for: 8 lanes of 16 bits, or 4 of 32, as plain arrays. The compiler makes of them what the
//! target has (SSE2, NEON, or words).

use super::lanes::Lanes;
use super::levels::{Work, level};

macro_rules! lanes_of {
    ($(#[$doc:meta])* $name:ident: $word:ident x $count:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(super) struct $name([$word; $count]);

        lanes_of!(@binary $name BitAnd bitand |a, b| a & b);
        lanes_of!(@binary $name BitOr bitor |a, b| a | b);
        lanes_of!(@binary $name BitXor bitxor |a, b| a ^ b);
        lanes_of!(@binary $name Add add |a, b| a.wrapping_add(b));
        lanes_of!(@binary $name Sub sub |a, b| a.wrapping_sub(b));

        impl std::ops::Not for $name {
            type Output = Self;
            #[inline(always)]
            fn not(self) -> Self {
                Self(self.0.map(|a| !a))
            }
        }

        // A mask has all bits of a lane set, or none. Every CPU has this isa.
        impl Lanes for $name {
            type Word = $word;
            type Mask = Self;
            type Shift = u32;
            type Packing = [usize; $count + 1];

            const LANES: usize = $count;
            const BITS: u8 = $word::BITS as u8;

            #[inline(always)]
            fn word(mask: u32) -> $word {
                mask as $word
            }

            #[inline(always)]
            unsafe fn splat(mask: u32) -> Self {
                Self([mask as $word; $count])
            }

            #[inline(always)]
            unsafe fn numbers() -> Self {
                Self(std::array::from_fn(|i| i as $word))
            }

            #[inline(always)]
            unsafe fn load(from: *const $word) -> Self {
                // SAFETY: the caller's promise.
                unsafe { Self(from.cast::<[$word; $count]>().read()) }
            }

            #[inline(always)]
            unsafe fn store(self, to: *mut $word) {
                // SAFETY: the caller's promise.
                unsafe { to.cast::<[$word; $count]>().write(self.0) }
            }

            #[inline(always)]
            unsafe fn distance(rows: u32) -> u32 {
                rows
            }

            #[inline(always)]
            fn up(self, by: u32) -> Self {
                Self(self.0.map(|a| a.unbounded_shl(by)))
            }

            #[inline(always)]
            fn down(self, by: u32) -> Self {
                Self(self.0.map(|a| a.unbounded_shr(by)))
            }

            #[inline(always)]
            fn min(self, other: Self) -> Self {
                Self(std::array::from_fn(|i| self.0[i].min(other.0[i])))
            }

            #[inline(always)]
            fn equal(self, other: Self) -> Self {
                Self(std::array::from_fn(|i| if self.0[i] == other.0[i] { $word::MAX } else { 0 }))
            }

            #[inline(always)]
            fn or_else(self, yes: Self, other: Self) -> Self {
                (self & yes) | (other & !yes)
            }

            #[inline(always)]
            fn only(self, yes: Self) -> Self {
                self & yes
            }

            #[inline(always)]
            fn all_empty(self) -> bool {
                self.0.iter().fold(0, |all, a| all | a) == 0
            }

            #[inline(always)]
            fn tally(self, a: Self, b: Self, unless: Self) -> Self {
                // A yes is -1.
                self - ((a + b) & !unless)
            }

            #[inline(always)]
            fn sum(self) -> u64 {
                self.0.iter().map(|&a| u64::from(a)).sum()
            }

            /// Where each lane goes, and how many there are; one that was not chosen is overwritten by the next.
            #[inline(always)]
            fn packing(chosen: Self) -> Self::Packing {
                let mut to = [0; $count + 1];
                for i in 0..$count {
                    to[i + 1] = to[i] + (chosen.0[i] & 1) as usize;
                }
                to
            }

            #[inline(always)]
            fn packed(packing: Self::Packing) -> usize {
                packing[$count]
            }

            #[inline(always)]
            unsafe fn pack(self, packing: Self::Packing, to: *mut $word) {
                for (word, place) in self.0.into_iter().zip(packing) {
                    // SAFETY: the caller's promise; no place is beyond the last lane.
                    unsafe { to.add(place).write(word) };
                }
            }

            unsafe fn run<const CLASS: usize, const MODE: u8>(
                work: &mut Work<'_, Self>,
                rows_left: usize,
                states: usize,
            ) -> u64 {
                // SAFETY: the caller's promise.
                unsafe { level::<Self, CLASS, MODE>(work, rows_left, states) }
            }
        }
    };
    (@binary $name:ident $trait:ident $method:ident |$a:ident, $b:ident| $result:expr) => {
        impl std::ops::$trait for $name {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(std::array::from_fn(|i| {
                    let ($a, $b) = (self.0[i], other.0[i]);
                    $result
                }))
            }
        }
    };
}

lanes_of! {
    /// 8 masks of 16 columns.
    U16x8: u16 x 8
}
lanes_of! {
    /// 4 masks of 32 columns.
    U32x4: u32 x 4
}
