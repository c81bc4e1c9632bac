//! AVX-512 with VBMI2: 32 lanes of 16 bits, or 16 of 32. Lanes are packed by one instruction.

use std::arch::x86_64::*;

use super::lanes::{Lanes, operators};
use super::levels::{Work, level};

/// 32 masks of 16 columns.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct U16x32(__m512i);

/// 16 masks of 32 columns.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct U32x16(__m512i);

operators!(U16x32: _mm512_and_si512 _mm512_or_si512 _mm512_xor_si512 _mm512_set1_epi8(-1), _mm512_add_epi16 _mm512_sub_epi16);
operators!(U32x16: _mm512_and_si512 _mm512_or_si512 _mm512_xor_si512 _mm512_set1_epi8(-1), _mm512_add_epi32 _mm512_sub_epi32);

// For the blocks of both impls: a value of these types exists only where the CPU has AVX-512, see `Lanes`.
impl Lanes for U16x32 {
    type Word = u16;
    type Mask = __mmask32;
    type Shift = __m128i;
    type Packing = __mmask32;

    const LANES: usize = 32;
    const BITS: u8 = 16;

    #[inline(always)]
    fn word(mask: u32) -> u16 {
        mask as u16
    }

    #[inline(always)]
    unsafe fn splat(mask: u32) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Self(_mm512_set1_epi16(mask as i16)) }
    }

    #[inline(always)]
    unsafe fn numbers() -> Self {
        const NUMBERS: [u16; 32] = [
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
            29, 30, 31,
        ];
        // SAFETY: the caller's promise.
        unsafe { Self::load(NUMBERS.as_ptr()) }
    }

    #[inline(always)]
    unsafe fn load(from: *const u16) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Self(_mm512_loadu_si512(from.cast())) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u16) {
        // SAFETY: the caller's promise.
        unsafe { _mm512_storeu_si512(to.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn distance(rows: u32) -> __m128i {
        // SAFETY: the caller's promise.
        unsafe { _mm_cvtsi32_si128(rows as i32) }
    }

    #[inline(always)]
    fn up(self, by: __m128i) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm512_sll_epi16(self.0, by)) }
    }

    #[inline(always)]
    fn down(self, by: __m128i) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm512_srl_epi16(self.0, by)) }
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm512_min_epu16(self.0, other.0)) }
    }

    #[inline(always)]
    fn equal(self, other: Self) -> __mmask32 {
        // SAFETY: see above.
        unsafe { _mm512_cmpeq_epi16_mask(self.0, other.0) }
    }

    #[inline(always)]
    fn or_else(self, yes: __mmask32, other: Self) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm512_mask_mov_epi16(other.0, yes, self.0)) }
    }

    #[inline(always)]
    fn only(self, yes: __mmask32) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm512_maskz_mov_epi16(yes, self.0)) }
    }

    #[inline(always)]
    fn all_empty(self) -> bool {
        // SAFETY: see above.
        unsafe { _mm512_test_epi32_mask(self.0, self.0) == 0 }
    }

    #[inline(always)]
    fn tally(self, a: __mmask32, b: __mmask32, unless: __mmask32) -> Self {
        // SAFETY: see above.
        unsafe {
            let one = _mm512_set1_epi16(1);
            let sum = _mm512_mask_add_epi16(self.0, a & !unless, self.0, one);
            Self(_mm512_mask_add_epi16(sum, b & !unless, sum, one))
        }
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        // SAFETY: see above.
        unsafe { _mm512_reduce_add_epi32(_mm512_madd_epi16(self.0, _mm512_set1_epi16(1))) as u64 }
    }

    #[inline(always)]
    fn packing(chosen: __mmask32) -> __mmask32 {
        chosen
    }

    #[inline(always)]
    fn packed(packing: __mmask32) -> usize {
        packing.count_ones() as usize
    }

    #[inline(always)]
    unsafe fn pack(self, packing: __mmask32, to: *mut u16) {
        // Through a register: packing straight into memory is microcode on AMD.
        // SAFETY: the caller's promise.
        unsafe { Self(_mm512_maskz_compress_epi16(packing, self.0)).store(to) }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn run<const CLASS: usize, const MODE: u8>(
        work: &mut Work<'_, Self>,
        rows_left: usize,
        states: usize,
    ) -> u64 {
        // SAFETY: the caller's promise.
        unsafe { level::<Self, CLASS, MODE>(work, rows_left, states) }
    }
}

impl Lanes for U32x16 {
    type Word = u32;
    type Mask = __mmask16;
    type Shift = __m128i;
    type Packing = __mmask16;

    const LANES: usize = 16;
    const BITS: u8 = 32;

    #[inline(always)]
    fn word(mask: u32) -> u32 {
        mask
    }

    #[inline(always)]
    unsafe fn splat(mask: u32) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Self(_mm512_set1_epi32(mask as i32)) }
    }

    #[inline(always)]
    unsafe fn numbers() -> Self {
        const NUMBERS: [u32; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
        // SAFETY: the caller's promise.
        unsafe { Self::load(NUMBERS.as_ptr()) }
    }

    #[inline(always)]
    unsafe fn load(from: *const u32) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Self(_mm512_loadu_si512(from.cast())) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u32) {
        // SAFETY: the caller's promise.
        unsafe { _mm512_storeu_si512(to.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn distance(rows: u32) -> __m128i {
        // SAFETY: the caller's promise.
        unsafe { _mm_cvtsi32_si128(rows as i32) }
    }

    #[inline(always)]
    fn up(self, by: __m128i) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm512_sll_epi32(self.0, by)) }
    }

    #[inline(always)]
    fn down(self, by: __m128i) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm512_srl_epi32(self.0, by)) }
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm512_min_epu32(self.0, other.0)) }
    }

    #[inline(always)]
    fn equal(self, other: Self) -> __mmask16 {
        // SAFETY: see above.
        unsafe { _mm512_cmpeq_epi32_mask(self.0, other.0) }
    }

    #[inline(always)]
    fn or_else(self, yes: __mmask16, other: Self) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm512_mask_mov_epi32(other.0, yes, self.0)) }
    }

    #[inline(always)]
    fn only(self, yes: __mmask16) -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm512_maskz_mov_epi32(yes, self.0)) }
    }

    #[inline(always)]
    fn all_empty(self) -> bool {
        // SAFETY: see above.
        unsafe { _mm512_test_epi32_mask(self.0, self.0) == 0 }
    }

    #[inline(always)]
    fn tally(self, a: __mmask16, b: __mmask16, unless: __mmask16) -> Self {
        // SAFETY: see above.
        unsafe {
            let one = _mm512_set1_epi32(1);
            let sum = _mm512_mask_add_epi32(self.0, a & !unless, self.0, one);
            Self(_mm512_mask_add_epi32(sum, b & !unless, sum, one))
        }
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        // SAFETY: see above.
        unsafe { _mm512_reduce_add_epi32(self.0) as u64 }
    }

    #[inline(always)]
    fn packing(chosen: __mmask16) -> __mmask16 {
        chosen
    }

    #[inline(always)]
    fn packed(packing: __mmask16) -> usize {
        packing.count_ones() as usize
    }

    #[inline(always)]
    unsafe fn pack(self, packing: __mmask16, to: *mut u32) {
        // Through a register: packing straight into memory is microcode on AMD.
        // SAFETY: the caller's promise.
        unsafe { Self(_mm512_maskz_compress_epi32(packing, self.0)).store(to) }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn run<const CLASS: usize, const MODE: u8>(
        work: &mut Work<'_, Self>,
        rows_left: usize,
        states: usize,
    ) -> u64 {
        // SAFETY: the caller's promise.
        unsafe { level::<Self, CLASS, MODE>(work, rows_left, states) }
    }
}
