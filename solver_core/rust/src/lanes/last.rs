//! The end of a call: the last few searches are ended by `solo`, or all are left when a stop is asked for.

use super::kernels::Kernels;
use super::pass::PLANES;
use super::planes::{self, TASK_WORDS};
use super::pool::Mode;
use super::search::{Search, for_lanes};
use crate::candidates::Candidates;
use crate::grid::{Bounds, CELLS, Outcome, Status};
use crate::solo;

impl<W: Kernels> Search<'_, W> {
    /// Ends the searches of the last few lanes one by one.
    pub(super) fn finish_alone(&mut self) {
        let live = self.live;
        for_lanes!(W, live, lane => {
            self.slot_of(lane);
        });
        let slots: Vec<u32> = self.pool.open_slots().collect();
        for index in slots {
            let mut parts = Vec::new();
            let mut stack = self.pool.slot(index).stack;
            while let Some(task) = self.pool.pop(&mut stack) {
                parts.insert(0, candidates(&task.candidates));
            }
            for_lanes!(W, live, lane => {
                if self.slot_of[lane] == index {
                    parts.push(candidates(&planes::lane_candidates(&self.state, lane)));
                    let now = self.clock.sum;
                    let slot = self.pool.slot(index);
                    slot.time = slot.time.wrapping_add(now);
                }
            });
            self.finish_search(index, parts);
        }
    }

    /// Ends the search of one puzzle from its open branches, the next one last.
    pub(super) fn finish_search(&mut self, index: u32, mut parts: Vec<Candidates>) {
        let slot = *self.pool.slot(index);
        let puzzle = slot.puzzle as usize;
        let before = self.clock.now_ns();
        let cells = self.puzzle(puzzle);
        let bounds = self.job.bounds;
        let current = parts.pop().unwrap_or_else(|| Candidates::new(cells));
        let search = solo::Search {
            current,
            later: parts,
            first: self.job.out[puzzle].solution,
            solutions: slot.solutions,
            guesses: slot.guesses,
        };
        let mut outcome = if slot.mode == Mode::Private {
            search.run(bounds, self.job.stop, &mut |_| ())
        } else {
            let bounds = Bounds { limit: 2, ..*bounds };
            search.run(&bounds, self.job.stop, &mut |_| ())
        };
        let complete = outcome.status == Status::GaveUp || outcome.solutions > 1;
        if slot.mode != Mode::Private && complete {
            outcome = solo::solve(cells, bounds, self.job.stop);
        }
        let spent = self.clock.skip(before);
        if outcome.status == Status::Unfinished {
            self.job.out[puzzle] = Outcome::UNFINISHED;
            self.pool.close(index);
            return;
        }
        self.job.out[puzzle].solution = outcome.solution;
        let slot = self.pool.slot(index);
        slot.solutions = outcome.solutions;
        slot.guesses = outcome.guesses;
        slot.time = slot.time.wrapping_add(spent);
        self.close(index, outcome.status);
    }

    /// Leaves all puzzles that are not finished as such.
    pub(super) fn abandon(&mut self) {
        let live = self.live;
        for_lanes!(W, live, lane => {
            self.slot_of(lane);
        });
        for index in self.pool.open_slots() {
            self.job.out[self.pool.slots[index as usize].puzzle as usize] = Outcome::UNFINISHED;
        }
        self.job.out[self.next..].fill(Outcome::UNFINISHED);
    }
}

/// The candidates of a task, for `solo`.
fn candidates(words: &[u64; TASK_WORDS]) -> Candidates {
    let mut bands = [[0; 3]; 9];
    for plane in 0..PLANES {
        let (digit, cell) = (plane / CELLS, plane % CELLS);
        bands[digit][cell / 27] |= ((words[plane / 64] >> (plane % 64) & 1) as u32) << (cell % 27);
    }
    Candidates::from_bands(bands)
}
