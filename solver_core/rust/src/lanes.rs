//! Many puzzles in step: one bit of a vector register is one puzzle.
//!
//! The state of 512 puzzles is 729 registers, one for each digit and cell, and propagation is nothing but and, or,
//! not over them: no shift, no branch, no bit wasted. The algorithm stands once, over any word (`word.rs`): 64
//! puzzles in a `u64`, 256 with AVX2, 512 with AVX-512, 128 with NEON.

// Iterator closures do not take on the instruction set of the function around them; indices do.
#![allow(clippy::needless_range_loop)]

mod branch;
mod choose;
mod clock;
mod early;
mod few;
mod kernels;
mod last;
mod pass;
mod planes;
mod pool;
mod refill;
mod retire;
mod search;
mod split;

use kernels::Kernels;
use search::Job;
pub use search::Report;

use crate::dispatch::Isa;
use crate::grid::{Bounds, CELLS, Outcome};
use crate::stop::Stop;

/// Solves `cells.len() / 81` puzzles side by side.
///
/// Every row is the one that `solo` gives, in any company and on any isa; only `time_ns` differs: the share of the
/// call's kernel time that the lanes of the puzzle took, at least 1. Over a call that is not stopped the shares add
/// up to `kernel_ns` of the report. Once `stop` is set, what is not finished stays
/// [`Status::Unfinished`](crate::grid::Status::Unfinished).
///
/// # Panics
///
/// If `cells` does not hold 81 bytes for each place in `out`, or if this machine lacks `isa`.
pub fn solve_batch(isa: Isa, cells: &[u8], bounds: &Bounds, stop: &Stop, out: &mut [Outcome]) -> Report {
    assert_eq!(cells.len(), CELLS * out.len(), "81 cells for each puzzle");
    assert!(isa.is_available(), "this machine has no {isa}");
    let lanes = |job: Job<'_>| {
        // SAFETY: the isa is available.
        unsafe {
            match isa {
                #[cfg(target_arch = "x86_64")]
                Isa::Avx512 => crate::word::x86::W512::search(job),
                #[cfg(target_arch = "x86_64")]
                Isa::Avx2 => crate::word::x86::W256::search(job),
                #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
                Isa::Neon => crate::word::neon::W128::search(job),
                _ => u64::search(job),
            }
        }
    };
    if out.len() <= few::FEW {
        few::solve(cells, bounds, stop, out, lanes)
    } else {
        lanes(Job { cells, bounds, stop, out })
    }
}
