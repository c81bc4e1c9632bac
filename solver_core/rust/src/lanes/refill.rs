//! Filling free lanes: with waiting branches first, then with the next puzzles.

use super::kernels::Kernels;
use super::planes;
use super::pool::{Mode, NONE, Task};
use super::search::{FRESH, Search, count, for_lanes, masks};
use crate::grid::{Outcome, Status};
use crate::word::{Mask, NIBBLE_WORDS};

/// Free lanes worth a refill, as a fraction of all lanes.
const REFILL_PART: u32 = 16;

/// With fewer givens a puzzle has no solution or several (shown by exhaustion in 2012, arXiv:1201.0749), so its search will stop
/// early: it is not spread at all.
const FEWEST_GIVENS: u32 = 17;

impl<W: Kernels> Search<'_, W> {
    /// Fills free lanes with tasks, then with puzzles.
    #[inline(always)]
    pub(super) fn refill(&mut self) {
        let free = masks!(W, i => !self.live[i]);
        // Children that wait for a lane will need some of the free ones.
        let room = count::<W>(&free).saturating_sub(self.left_waiting);
        if !self.more() || (room * REFILL_PART < W::LANES as u32 && self.live != [0; 8]) {
            return;
        }
        if self.shared != NONE || self.resume != [0; 8] {
            self.take_tasks(&free);
        }
        if self.next < self.job.out.len() || !self.again.is_empty() {
            self.take_puzzles();
        }
    }

    #[inline(always)]
    pub(super) fn take_tasks(&mut self, free: &Mask) {
        let mut taken: Mask = [0; 8];
        for_lanes!(W, free, lane => {
            let bit = 1 << (lane % 64);
            let task = if self.resume[lane / 64] & bit != 0 {
                let index = self.slot_of[lane];
                let mut stack = self.pool.slot(index).stack;
                let task = self.pool.pop(&mut stack);
                self.pool.slot(index).stack = stack;
                task
            } else {
                self.shared_task()
            };
            if let Some(task) = task {
                planes::put(&mut self.buffer, lane, &task.candidates);
                self.fill(lane, task.slot);
                taken[lane / 64] |= bit;
            }
        });
        self.resume = [0; 8];
        let taken = W::from_mask(&taken);
        W::load_candidates(&mut self.state, &mut self.buffer, taken);
        self.fresh = self.fresh.or(taken);
    }

    /// The next task of a puzzle that was not dropped.
    #[inline(always)]
    pub(super) fn shared_task(&mut self) -> Option<Task> {
        loop {
            let task = self.pool.pop(&mut self.shared)?;
            if self.pool.slot(task.slot).mode != Mode::Dropped {
                return Some(task);
            }
            self.part_done(task.slot);
        }
    }

    #[inline(always)]
    pub(super) fn take_puzzles(&mut self) {
        let mut free = masks!(W, i => !self.live[i]);
        let mut taken: Mask = [0; 8];
        if !self.again.is_empty() {
            for_lanes!(W, free, lane => {
                let Some(index) = self.again.pop() else { break };
                let slot = self.pool.slot(index);
                (slot.mode, slot.solutions, slot.guesses, slot.trial) = (Mode::Private, 0, 0, false);
                let puzzle = slot.puzzle as usize;
                let (packed, _) = W::pack(self.puzzle(puzzle)).unwrap_or_default();
                planes::put(&mut self.buffer, lane, &packed);
                self.fill(lane, index);
                taken[lane / 64] |= 1 << (lane % 64);
            });
            free = masks!(W, i => free[i] & !taken[i]);
        }
        let least = if self.limit() == 1 { u32::MAX } else { FEWEST_GIVENS };
        let now = self.clock.sum;
        for part in 0..W::PARTS {
            let mut bits = free[part];
            let mut private = 0;
            while bits != 0 {
                let Some((puzzle, packed, givens)) = self.next_puzzle() else { break };
                let lane = part * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                planes::put(&mut self.buffer, lane, &packed);
                self.slot_of[lane] = puzzle | FRESH;
                self.since[lane] = now;
                private |= u64::from(givens < least) << (lane % 64);
            }
            let filled = free[part] & !bits;
            taken[part] |= filled;
            self.live[part] |= filled;
            self.private[part] |= private;
        }
        let taken = W::from_mask(&taken);
        W::load_givens(&mut self.state, &mut self.buffer, taken);
        self.fresh = self.fresh.or(taken);
    }

    /// The next puzzle that can be read, its nibbles, and how many givens it has.
    #[inline(always)]
    pub(super) fn next_puzzle(&mut self) -> Option<(u32, [u64; NIBBLE_WORDS], u32)> {
        while self.next < self.job.out.len() {
            let puzzle = self.next;
            self.next += 1;
            if let Some((packed, givens)) = W::pack(self.puzzle(puzzle)) {
                return Some((puzzle as u32, packed, givens));
            }
            let time_ns = self.clock.pay(0);
            self.job.out[puzzle] = Outcome { status: Status::Invalid, time_ns, ..Outcome::UNFINISHED };
            self.last_finished = puzzle as u32;
        }
        None
    }

    /// A lane starts on a part of a puzzle.
    #[inline(always)]
    pub(super) fn fill(&mut self, lane: usize, slot: u32) {
        self.slot_of[lane] = slot;
        let bit = 1 << (lane % 64);
        self.live[lane / 64] |= bit;
        let now = self.clock.sum;
        let slot = self.pool.slot(slot);
        slot.time = slot.time.wrapping_sub(now);
        if slot.mode == Mode::Private {
            self.private[lane / 64] |= bit;
        }
    }
}
