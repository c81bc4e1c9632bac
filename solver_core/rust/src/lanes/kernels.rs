//! The heavy functions, once for each word: thin wrappers that switch on the instructions of an isa.
//!
//! What is generic stands in `pass.rs`, `choose.rs`, `split.rs`, `planes.rs` and `search.rs`, and is inlined here.

use super::choose::{self, Scratch};
use super::pass::{self, State, Verdict};
use super::planes::{self, Buffer};
use super::search::{self, Job, Report};
use super::split::{self, Plan};
use crate::grid::CELLS;
use crate::word::{NIBBLE_WORDS, Word};

/// The functions of the kernel, compiled for the instructions of one word.
pub(super) trait Kernels: Word {
    fn pass(state: &mut State<Self>) -> Verdict<Self>;
    fn complete(state: &State<Self>) -> Self;
    fn choose(state: &State<Self>, who: Self, scratch: &mut Scratch<Self>, pick: &mut [Self; CELLS]);
    fn split(state: &mut State<Self>, pick: &[Self; CELLS], plan: &Plan, others: Option<&mut Buffer<Self>>);
    fn load_candidates(state: &mut State<Self>, buffer: &mut Buffer<Self>, who: Self);
    fn load_givens(state: &mut State<Self>, buffer: &mut Buffer<Self>, who: Self);
    fn store_digits(state: &State<Self>, buffer: &mut Buffer<Self>);
    fn turn_tasks(buffer: &mut Buffer<Self>);
    /// # Safety
    ///
    /// The machine has the instructions of the word.
    unsafe fn search(job: Job<'_>) -> Report;
}

/// Implements `Kernels` for a word; with target features, if some are given.
macro_rules! kernels {
    ($word:ty $(, $features:literal)?) => {
        const _: () = {
            type W = $word;

            $(#[target_feature(enable = $features)])?
            #[inline(never)]
            fn pass(state: &mut State<W>) -> Verdict<W> {
                pass::pass(state)
            }
            $(#[target_feature(enable = $features)])?
            #[inline(never)]
            fn complete(state: &State<W>) -> W {
                planes::complete(state)
            }
            $(#[target_feature(enable = $features)])?
            #[inline(never)]
            fn choose(state: &State<W>, who: W, scratch: &mut Scratch<W>, pick: &mut [W; CELLS]) {
                choose::choose(state, who, scratch, pick);
            }
            $(#[target_feature(enable = $features)])?
            #[inline(never)]
            fn split(
                state: &mut State<W>,
                pick: &[W; CELLS],
                plan: &Plan,
                others: Option<&mut Buffer<W>>,
            ) {
                split::split(state, pick, plan, others);
            }
            $(#[target_feature(enable = $features)])?
            #[inline(never)]
            fn load_candidates(state: &mut State<W>, buffer: &mut Buffer<W>, who: W) {
                planes::turn(buffer, planes::TASK_WORDS);
                planes::load_candidates(state, buffer, who);
            }
            $(#[target_feature(enable = $features)])?
            #[inline(never)]
            fn load_givens(state: &mut State<W>, buffer: &mut Buffer<W>, who: W) {
                planes::turn(buffer, NIBBLE_WORDS);
                planes::load_givens(state, buffer, who);
            }
            $(#[target_feature(enable = $features)])?
            #[inline(never)]
            fn store_digits(state: &State<W>, buffer: &mut Buffer<W>) {
                planes::store_digits(state, buffer);
                planes::turn(buffer, NIBBLE_WORDS);
            }
            $(#[target_feature(enable = $features)])?
            #[inline(never)]
            fn turn_tasks(buffer: &mut Buffer<W>) {
                planes::turn(buffer, planes::TASK_WORDS);
            }
            $(#[target_feature(enable = $features)])?
            #[inline(never)]
            fn search(job: Job<'_>) -> Report {
                search::search::<W>(job)
            }

            // All blocks below: whoever calls these is below `Kernels::search`, which was entered on a machine that
            // has the features.
            #[allow(unused_unsafe, reason = "the portable word asks for no features")]
            impl Kernels for $word {
                #[inline(always)]
                fn pass(state: &mut State<Self>) -> Verdict<Self> {
                    // SAFETY: see above.
                    unsafe { pass(state) }
                }
                #[inline(always)]
                fn complete(state: &State<Self>) -> Self {
                    // SAFETY: see above.
                    unsafe { complete(state) }
                }
                #[inline(always)]
                fn choose(state: &State<Self>, who: Self, scratch: &mut Scratch<Self>, pick: &mut [Self; CELLS]) {
                    // SAFETY: see above.
                    unsafe { choose(state, who, scratch, pick) }
                }
                #[inline(always)]
                fn split(
                    state: &mut State<Self>,
                    pick: &[Self; CELLS],
                    plan: &Plan,
                    others: Option<&mut Buffer<Self>>,
                ) {
                    // SAFETY: see above.
                    unsafe { split(state, pick, plan, others) }
                }
                #[inline(always)]
                fn load_candidates(state: &mut State<Self>, buffer: &mut Buffer<Self>, who: Self) {
                    // SAFETY: see above.
                    unsafe { load_candidates(state, buffer, who) }
                }
                #[inline(always)]
                fn load_givens(state: &mut State<Self>, buffer: &mut Buffer<Self>, who: Self) {
                    // SAFETY: see above.
                    unsafe { load_givens(state, buffer, who) }
                }
                #[inline(always)]
                fn store_digits(state: &State<Self>, buffer: &mut Buffer<Self>) {
                    // SAFETY: see above.
                    unsafe { store_digits(state, buffer) }
                }
                #[inline(always)]
                fn turn_tasks(buffer: &mut Buffer<Self>) {
                    // SAFETY: see above.
                    unsafe { turn_tasks(buffer) }
                }
                #[inline(always)]
                unsafe fn search(job: Job<'_>) -> Report {
                    // SAFETY: the caller vouches for the features.
                    unsafe { search(job) }
                }
            }
        };
    };
}

kernels!(u64);
#[cfg(target_arch = "x86_64")]
kernels!(crate::word::x86::W256, "avx2,bmi1,bmi2,lzcnt,popcnt");
#[cfg(target_arch = "x86_64")]
kernels!(
    crate::word::x86::W512,
    "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,gfni"
);
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
kernels!(crate::word::neon::W128, "neon");
