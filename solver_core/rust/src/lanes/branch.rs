//! Branching the lanes that stand still, and where the other children go.

use super::kernels::Kernels;
use super::planes;
use super::pool::Mode;
use super::search::{Search, count, for_lanes, masks};
use super::split::{self, Plan};
use crate::grid::Status;
use crate::word::Mask;

/// Children without a free lane that are worth the stack, as a fraction of all lanes.
const PUSH_PART: u32 = 10;

impl<W: Kernels> Search<'_, W> {
    /// Branches the lanes that stand still, as far as there is room for the other child.
    #[inline(always)]
    pub(super) fn branch(&mut self, stalled: &Mask) {
        self.left_waiting = 0;
        let most = self.job.bounds.max_guesses;
        self.put_on_trial(stalled);
        let mut private = masks!(W, i => stalled[i] & self.private[i]);
        for_lanes!(W, private, lane => {
            let index = self.slot_of(lane);
            if self.pool.slot(index).guesses >= most {
                self.end_private(lane, Status::GaveUp);
            } else {
                self.end_trial(lane, index);
            }
        });
        private = masks!(W, i => private[i] & self.private[i]);
        let spread = masks!(W, i => stalled[i] & self.live[i] & !self.private[i]);
        if spread == [0; 8] && private == [0; 8] {
            return;
        }
        let mut rest = spread;
        let mut free = masks!(W, i => !self.live[i] & !self.resume[i]);
        self.services += 1;
        let shift = 1 + self.services % (W::PARTS - 1).max(1);
        let plan = split::plan::<W>(&mut rest, &mut free, shift);
        let left = count::<W>(&rest);
        let moved = count::<W>(&spread) - left;
        let surplus = left.saturating_sub(count::<W>(&free));
        let push = private != [0; 8] || surplus * PUSH_PART >= W::LANES as u32 || moved == 0;
        let who = if push {
            masks!(W, i => spread[i] | private[i])
        } else {
            self.left_waiting = left;
            masks!(W, i => spread[i] & !rest[i])
        };
        W::choose(&self.state, W::from_mask(&who), &mut self.scratch, &mut self.pick);
        W::split(&mut self.state, &self.pick, &plan, push.then_some(&mut *self.buffer));
        self.fresh = self.fresh.or(W::from_mask(&who));
        let mut dropped = self.follow(&plan);
        if push {
            dropped |= self.push(&masks!(W, i => rest[i] | private[i]));
        }
        if dropped {
            self.drop_lanes();
        }
    }

    /// Books the children that `split` moved; whether a puzzle is to be dropped for too many guesses.
    #[inline(always)]
    pub(super) fn follow(&mut self, plan: &Plan) -> bool {
        let now = self.clock.sum;
        let most = self.job.bounds.max_guesses;
        let mut dropped = false;
        for (i, step) in plan.moves.iter().enumerate() {
            for_lanes!(W, step.to, lane => {
                let index = self.slot_of(plan.source::<W>(i, lane));
                self.slot_of[lane] = index;
                let slot = self.pool.slot(index);
                slot.parts += 1;
                slot.time = slot.time.wrapping_sub(now);
                dropped |= slot.branch(most);
            });
            self.live = masks!(W, i => self.live[i] | step.to[i]);
            self.fresh = self.fresh.or(W::from_mask(&step.to));
        }
        dropped
    }

    /// Puts the other children of some lanes, now in the buffer, on their stacks; whether a puzzle is to be dropped
    /// for too many guesses.
    #[inline(always)]
    pub(super) fn push(&mut self, who: &Mask) -> bool {
        W::turn_tasks(&mut self.buffer);
        let most = self.job.bounds.max_guesses;
        let mut dropped = false;
        for_lanes!(W, who, lane => {
            let index = self.slot_of(lane);
            let candidates = planes::get(&self.buffer, lane);
            let slot = self.pool.slot(index);
            dropped |= slot.branch(most);
            if slot.mode == Mode::Private {
                let mut stack = slot.stack;
                self.pool.push(&mut stack, index, candidates);
                self.pool.slot(index).stack = stack;
            } else {
                slot.parts += 1;
                self.pool.push(&mut self.shared, index, candidates);
            }
        });
        dropped
    }
}
