//! Searches that stop early: how common they are, and which puzzles are searched depth first for it.
//!
//! Whether a puzzle has several solutions shows only when the second one is found. If its branches were spread until
//! then, it has cost two and a half times the passes of the depth-first search that now follows. Depth first from
//! the start, each guess pays for a stack; that costs unique puzzles up to half of their time. But most batches are
//! of one kind: what became of the puzzles before tells which way is cheaper for the next one. The row is the same
//! either way.

use super::kernels::Kernels;
use super::pool::{Mode, NONE};
use super::search::{FRESH, Search, for_lanes, masks};
use crate::grid::Status;
use crate::word::Mask;

/// With this share of early stops (in 2^-16) the waste of spreading, 250 % of a puzzle that stops early, outweighs
/// that of stacks, 50 % of any other.
const COMMON: u32 = (1 << 16) / 6;
/// One puzzle counts 1 / 2^5 in the share; the sooner many early stops are noticed the better.
const WEIGHT: u32 = 5;
/// Guesses after which a puzzle on trial is spread after all. Of 15,000 puzzles with clues taken away at
/// random 99.9 % find two solutions sooner; of the hardest unique ones 6 % end sooner.
const TRIAL: u32 = 36;

/// The share of early stops among the puzzles that needed a guess; late ones count more.
#[derive(Default)]
pub(super) struct EarlyStops {
    share: u32,
}

impl EarlyStops {
    #[inline(always)]
    pub fn note(&mut self, solutions: u32, status: Status) {
        let stopped = solutions > 1 || status == Status::GaveUp;
        self.share = self.share - (self.share >> WEIGHT) + (u32::from(stopped) << (16 - WEIGHT));
    }

    #[inline(always)]
    fn are_common(&self) -> bool {
        self.share >= COMMON
    }
}

impl<W: Kernels> Search<'_, W> {
    /// Puzzles at their first guess are searched depth first, if early stops are common.
    #[inline(always)]
    pub(super) fn put_on_trial(&mut self, stalled: &Mask) {
        if !self.early_stops.are_common() {
            return;
        }
        let spread = masks!(W, i => stalled[i] & !self.private[i]);
        for_lanes!(W, spread, lane => {
            if self.slot_of[lane] & FRESH != 0 {
                self.private[lane / 64] |= 1 << (lane % 64);
                let index = self.slot_of(lane);
                self.pool.slot(index).trial = true;
            }
        });
    }

    /// Ends the trial of the puzzle in a lane if it took too many guesses: from now on its branches spread.
    #[inline(always)]
    pub(super) fn end_trial(&mut self, lane: usize, index: u32) {
        let slot = self.pool.slot(index);
        if !slot.trial || slot.guesses < TRIAL || slot.solutions > 1 {
            return;
        }
        slot.mode = Mode::Spread;
        let mut stack = std::mem::replace(&mut slot.stack, NONE);
        self.private[lane / 64] &= !(1 << (lane % 64));
        while let Some(task) = self.pool.pop(&mut stack) {
            self.pool.slot(index).parts += 1;
            self.pool.push(&mut self.shared, index, task.candidates);
        }
    }
}
