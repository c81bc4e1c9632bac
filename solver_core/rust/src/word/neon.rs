//! A word of 128 lanes for Arm, compiled where NEON is part of the target (it is on all 64-bit Arm).

use std::arch::aarch64::*;

use super::{Mask, Word};

/// One vector instruction.
macro_rules! vector {
    ($instruction:expr) => {
        // SAFETY: NEON is part of the target.
        Self(unsafe { $instruction })
    };
}

/// 128 puzzles, with NEON.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct W128(uint64x2_t);

// SAFETY: two parts of 64 bits, lane by lane.
unsafe impl Word for W128 {
    const LANES: usize = 128;
    // SAFETY: a vector of zero bits is a value.
    const ZERO: Self = Self(unsafe { std::mem::zeroed() });

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        vector!(vandq_u64(self.0, other.0))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        vector!(vorrq_u64(self.0, other.0))
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        vector!(veorq_u64(self.0, other.0))
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        vector!(vbicq_u64(self.0, other.0))
    }
    #[inline(always)]
    fn not(self) -> Self {
        vector!(veorq_u64(self.0, vdupq_n_u64(u64::MAX)))
    }
    #[inline(always)]
    fn shl<const K: u32>(self) -> Self {
        vector!(vshlq_u64(self.0, vdupq_n_s64(i64::from(K))))
    }
    #[inline(always)]
    fn shr<const K: u32>(self) -> Self {
        vector!(vshlq_u64(self.0, vdupq_n_s64(-i64::from(K))))
    }
    #[inline(always)]
    fn rotate(self, by: Self) -> Self {
        vector!({
            let by = vreinterpretq_s64_u64(by.0);
            vorrq_u64(vshlq_u64(self.0, by), vshlq_u64(self.0, vsubq_s64(by, vdupq_n_s64(64))))
        })
    }
    #[inline(always)]
    fn order(shift: usize) -> Self {
        Self::from_mask(&[if shift % 2 == 1 { u64::MAX } else { 0 }; 8])
    }
    #[inline(always)]
    fn arrange(self, order: Self) -> Self {
        order.blend(vector!(vextq_u64::<1>(self.0, self.0)), self)
    }
    #[inline(always)]
    fn from_mask(mask: &Mask) -> Self {
        vector!(vld1q_u64(mask.as_ptr()))
    }
    #[inline(always)]
    fn to_mask(self) -> Mask {
        let mut mask = [0; 8];
        // SAFETY: NEON is part of the target; the mask has room for 128 bits.
        unsafe { vst1q_u64(mask.as_mut_ptr(), self.0) };
        mask
    }
    #[inline(always)]
    fn blend(self, yes: Self, no: Self) -> Self {
        vector!(vbslq_u64(self.0, yes.0, no.0))
    }
}
