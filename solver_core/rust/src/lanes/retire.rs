//! Taking out of the lanes what is finished: contradictions, solutions, puzzles.

use super::kernels::Kernels;
use super::planes;
use super::pool::{Mode, NONE, Slot};
use super::search::{FRESH, Search, Waiting, count, for_lanes, masks};
use crate::grid::{self, CELLS, Status};
use crate::word::Mask;

/// Solutions from which reading them all at once beats reading lane by lane.
const STORE_AT_ONCE: u32 = 6;
/// Solved lanes, as a fraction of all lanes, that are worth taking out while others still need service.
const TAKE_OUT_PART: u32 = 64;
/// Lanes with every cell decided, as a fraction of all lanes, that are worth a look at all units. A smaller number
/// waits for the pass that strikes nothing more: then a contradiction would have shown.
const CHECK_PART: u32 = 32;

impl<W: Kernels> Search<'_, W> {
    /// Frees the lanes with a contradiction or a solution.
    #[inline(always)]
    pub(super) fn retire(&mut self, waiting: &Waiting) {
        let now = self.clock.sum;
        let mut ended = masks!(W, i => waiting.contradiction[i] & !self.private[i]);
        self.live = masks!(W, i => self.live[i] & !ended[i]);
        for_lanes!(W, ended, lane => {
            let index = self.slot_of[lane];
            if index & FRESH != 0 {
                self.finish(index & !FRESH, 0, 0, now - self.since[lane], Status::Unsolvable);
            } else {
                let slot = self.pool.slot(index);
                slot.time = slot.time.wrapping_add(now);
                self.part_done(index);
            }
        });
        for_lanes!(W, masks!(W, i => waiting.contradiction[i] & self.private[i]), lane => {
            self.free(lane);
        });
        let mut solved = waiting.solved;
        if waiting.closed != solved && count::<W>(&waiting.closed) * CHECK_PART >= W::LANES as u32 {
            let complete = W::complete(&self.state).to_mask();
            solved = masks!(W, i => complete[i] & waiting.closed[i]);
        }
        let others = masks!(W, i => waiting.contradiction[i] | waiting.stalled[i]);
        if count::<W>(&solved) * TAKE_OUT_PART < W::LANES as u32 && others != [0; 8] {
            return;
        }
        let at_once = count::<W>(&solved) >= STORE_AT_ONCE;
        if at_once {
            W::store_digits(&self.state, &mut self.buffer);
        }
        let mut dropped = false;
        let unique = self.job.bounds.status_of(1);
        for_lanes!(W, solved, lane => {
            let index = self.slot_of[lane];
            let fresh = index & FRESH != 0;
            let slot = if fresh { None } else { Some(&self.pool.slots[index as usize]) };
            let puzzle = slot.map_or(index & !FRESH, |slot| slot.puzzle);
            if slot.is_none_or(|slot| slot.solutions == 0) {
                let solution = &mut self.job.out[puzzle as usize].solution;
                if at_once {
                    W::unpack(&planes::get(&self.buffer, lane), solution);
                } else {
                    *solution = planes::lane_digits(&self.state, lane);
                }
            }
            if fresh {
                self.finish(puzzle, 1, 0, now - self.since[lane], unique);
                ended[lane / 64] |= 1 << (lane % 64);
            } else {
                dropped |= self.found(lane);
            }
        });
        self.live = masks!(W, i => self.live[i] & !ended[i]);
        self.private = masks!(W, i => self.private[i] & !ended[i]);
        if dropped {
            self.drop_lanes();
        }
    }

    /// One more solution in a lane; whether the puzzle is to be dropped for it.
    #[inline(always)]
    pub(super) fn found(&mut self, lane: usize) -> bool {
        let limit = self.limit();
        let index = self.slot_of[lane];
        let slot = self.pool.slot(index);
        slot.solutions += 1;
        let dropped = slot.mode == Mode::Spread && slot.solutions > 1;
        if dropped {
            slot.mode = Mode::Dropped;
        }
        if slot.mode == Mode::Private && slot.solutions >= limit {
            self.end_private(lane, self.job.bounds.status_of(limit));
        } else {
            self.free(lane);
        }
        dropped
    }

    /// Frees the lanes of all dropped puzzles.
    pub(super) fn drop_lanes(&mut self) {
        let live = self.live;
        for_lanes!(W, live, lane => {
            let index = self.slot_of[lane];
            if index & FRESH == 0 && self.pool.slot(index).mode == Mode::Dropped {
                self.free(lane);
            }
        });
    }

    /// Frees a lane that has come to the end of its branch.
    #[inline(always)]
    pub(super) fn free(&mut self, lane: usize) {
        let index = self.slot_of(lane);
        let bit = 1 << (lane % 64);
        self.live[lane / 64] &= !bit;
        self.private[lane / 64] &= !bit;
        let now = self.clock.sum;
        let slot = self.pool.slot(index);
        slot.time = slot.time.wrapping_add(now);
        if slot.mode == Mode::Private && slot.stack != NONE {
            self.resume[lane / 64] |= bit;
            return;
        }
        self.part_done(index);
    }

    /// Takes note that a lane or task of a puzzle is done; finishes the puzzle if it was the last.
    #[inline(always)]
    pub(super) fn part_done(&mut self, index: u32) {
        let slot = self.pool.slot(index);
        slot.parts -= 1;
        if slot.parts > 0 {
            return;
        }
        if slot.mode == Mode::Dropped {
            slot.parts = 1;
            self.again.push(index);
        } else {
            let status = self.job.bounds.status_of(slot.solutions);
            self.close(index, status);
        }
    }

    /// Ends the depth-first search of the puzzle in a lane.
    pub(super) fn end_private(&mut self, lane: usize, status: Status) {
        let index = self.slot_of(lane);
        let bit = 1 << (lane % 64);
        self.live[lane / 64] &= !bit;
        self.private[lane / 64] &= !bit;
        let now = self.clock.sum;
        let slot = self.pool.slot(index);
        slot.time = slot.time.wrapping_add(now);
        let mut stack = std::mem::replace(&mut slot.stack, NONE);
        while self.pool.pop(&mut stack).is_some() {}
        self.close(index, status);
    }

    /// Writes the row of a puzzle and closes its slot.
    pub(super) fn close(&mut self, index: u32, status: Status) {
        let Slot { puzzle, solutions, guesses, time, .. } = *self.pool.slot(index);
        self.pool.close(index);
        self.early_stops.note(solutions, status);
        self.finish(puzzle, solutions, guesses, time, status);
    }

    /// Writes the row of a puzzle.
    #[inline(always)]
    pub(super) fn finish(&mut self, puzzle: u32, solutions: u32, guesses: u32, time: u64, mut status: Status) {
        let outcome = &mut self.job.out[puzzle as usize];
        if solutions == 0 {
            outcome.solution = [0; CELLS];
            // Givens that clash contradict each other in the first passes.
            let (cells, _) = self.job.cells.as_chunks::<CELLS>();
            if guesses == 0 && grid::clash(&cells[puzzle as usize]).is_some() {
                status = Status::Invalid;
            }
        }
        outcome.status = status;
        outcome.solutions = solutions;
        outcome.guesses = guesses;
        outcome.time_ns = self.clock.pay(time);
        self.last_finished = puzzle;
    }
}
