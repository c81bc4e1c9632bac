//! A handful of puzzles: a word costs the same however few of its lanes are in use.
//!
//! Each puzzle gets a few guesses of `solo`; most need no more. The hard ones that are left go to the lanes together,
//! where their branches spread. A single puzzle is left to `solo`.

use super::search::{Job, Report};
use crate::grid::{Bounds, CELLS, Outcome, Status};
use crate::solo;
use crate::stop::Stop;

/// Up to this many puzzles, `solo` first. Measured on a Zen 5 with easy puzzles: eight cost the same either way with
/// 512 lanes; with 17 clues sixteen do.
pub(super) const FEW: usize = 12;

/// Guesses of `solo` before a puzzle counts as hard.
const GUESSES: u32 = 8;

/// Solves a few puzzles; `lanes` searches those that are hard.
pub(super) fn solve(
    cells: &[u8],
    bounds: &Bounds,
    stop: &Stop,
    out: &mut [Outcome],
    lanes: impl FnOnce(Job<'_>) -> Report,
) -> Report {
    let (puzzles, _) = cells.as_chunks::<CELLS>();
    if puzzles.len() < 2 {
        solo::solve_batch(cells, bounds, stop, out);
        return Report { passes: 0, kernel_ns: sum_ns(out) };
    }
    let first = Bounds { max_guesses: bounds.max_guesses.min(GUESSES), ..*bounds };
    solo::solve_batch(cells, &first, stop, out);
    let hard = |outcome: &Outcome| outcome.status == Status::GaveUp && first != *bounds;
    let left: Vec<usize> = (0..puzzles.len()).filter(|&i| hard(&out[i])).collect();
    let mut passes = 0;
    if !left.is_empty() {
        let again: Vec<u8> = left.iter().flat_map(|&i| puzzles[i]).collect();
        let mut rows = vec![Outcome::UNFINISHED; left.len()];
        if left.len() == 1 {
            solo::solve_batch(&again, bounds, stop, &mut rows);
        } else {
            passes = lanes(Job { cells: &again, bounds, stop, out: &mut rows }).passes;
        }
        for (i, row) in left.into_iter().zip(rows) {
            let before_ns = out[i].time_ns;
            out[i] = row;
            if row.status != Status::Unfinished {
                out[i].time_ns += before_ns;
            }
        }
    }
    Report { passes, kernel_ns: sum_ns(out) }
}

fn sum_ns(out: &[Outcome]) -> u64 {
    out.iter().map(|outcome| outcome.time_ns).sum()
}
