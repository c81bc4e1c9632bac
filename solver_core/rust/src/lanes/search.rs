//! The search over all lanes of a word: propagate, take out what is finished, branch, fill up, again.
//!
//! ```text
//! until no lane is in use:
//!     retire      lanes with a contradiction or a solution become free
//!     branch      lanes that stand still pick a cell; one child stays, the other goes to a free lane or on a stack
//!     refill      free lanes take a waiting task or the next puzzle
//!     propagate   passes until enough lanes wait
//! ```
//!
//! A puzzle is searched in one of two ways (`pool::Mode`). Spread: its branches go wherever a lane is free. The
//! tree, hence the number of guesses, is that of the depth-first search, but only if all of it is searched. So as
//! soon as a search turns out to stop early (a second solution, too many guesses), or may do so from the start
//! (limit 1), the puzzle is searched depth first in a lane of its own. When only a few lanes are left, `solo` ends
//! their searches.

use super::choose::Scratch;
use super::clock::Clock;
use super::kernels::Kernels;
use super::pass::{PLANES, State};
use super::planes::{self, Buffer, TASK_WORDS};
use super::pool::{Mode, NONE, Pool, Slot};
use super::split::{self, Plan};
use crate::candidates::Candidates;
use crate::grid::{self, Bounds, CELLS, Cells, Outcome, Status};
use crate::solo;
use crate::stop::Stop;
use crate::word::{Mask, NIBBLE_WORDS, Word};

/// Passes go on until this share of the lanes (in 256ths) waits for service...
const ENOUGH_WAIT: u32 = 150;
/// ...or for this many passes.
const PASSES: u32 = 12;
/// Free lanes worth a refill, as a fraction of all lanes.
const REFILL_PART: u32 = 16;
/// Children without a free lane that are worth the stack, as a fraction of all lanes.
const PUSH_PART: u32 = 10;
/// Solutions from which reading them all at once beats reading lane by lane.
const STORE_AT_ONCE: u32 = 6;
/// Solved lanes, as a fraction of all lanes, that are worth taking out while others still need service.
const TAKE_OUT_PART: u32 = 64;
/// Lanes with every cell decided, as a fraction of all lanes, that are worth a look at all units. A smaller number
/// waits for the pass that strikes nothing more: then a contradiction would have shown.
const CHECK_PART: u32 = 32;
/// With fewer lanes in use and nothing to come, `solo` is faster.
const LAST_LANES: u32 = 8;

/// Marks a lane whose puzzle has no slot yet: most puzzles end without a guess and never need one.
const FRESH: u32 = 1 << 31;

/// The work of one call.
pub(super) struct Job<'a> {
    pub cells: &'a [u8],
    pub bounds: &'a Bounds,
    pub stop: &'a Stop,
    pub out: &'a mut [Outcome],
}

/// What a call took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Passes, times the lanes that were in use in each.
    pub passes: u64,
    /// Kernel time (monotonic clock).
    pub kernel_ns: u64,
}

/// Runs `$body` for each lane of a mask, from the lowest up.
macro_rules! for_lanes {
    ($word:ty, $mask:expr, $lane:ident => $body:block) => {
        for part in 0..<$word>::PARTS {
            let mut bits = $mask[part];
            while bits != 0 {
                let $lane = part * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                $body
            }
        }
    };
}

/// Searches all puzzles of a job.
#[inline(always)]
pub(super) fn search<W: Kernels>(job: Job<'_>) -> Report {
    let mut search = Search::<W>::new(job);
    let mut waiting = Waiting::default();
    loop {
        search.clock.charge(count::<W>(&search.live));
        if search.job.stop.requested() {
            search.abandon();
            break;
        }
        search.retire(&waiting);
        search.branch(&waiting.stalled);
        search.refill();
        let live = count::<W>(&search.live);
        if live <= LAST_LANES && !search.more() {
            search.finish_alone();
            break;
        }
        waiting = search.propagate(live);
    }
    search.report()
}

/// The lanes that passes have nothing more to do for.
#[derive(Clone, Copy, Default)]
struct Waiting {
    contradiction: Mask,
    closed: Mask,
    /// The closed lanes in which the last pass struck nothing.
    solved: Mask,
    stalled: Mask,
}

struct Search<'a, W> {
    job: Job<'a>,
    state: Box<State<W>>,
    buffer: Box<Buffer<W>>,
    scratch: Box<Scratch<W>>,
    pick: Box<[W; CELLS]>,
    /// The slot of each lane in use; for a puzzle that has not branched yet, `FRESH` and its number, no slot.
    slot_of: [u32; 512],
    /// What the clock said when a lane without a slot was filled.
    since: [u64; 512],
    live: Mask,
    /// Those lanes whose puzzle is searched depth first.
    private: Mask,
    /// Free lanes of puzzles that go on from their own stack.
    resume: Mask,
    /// Lanes with decided cells that no pass has looked at yet.
    fresh: W,
    pool: Pool,
    /// Tasks of spread puzzles.
    shared: u32,
    /// Puzzles to be searched again, depth first.
    again: Vec<u32>,
    next: usize,
    services: usize,
    /// Lanes that stood still and were not branched, in the last service.
    left_waiting: u32,
    clock: Clock,
    last_finished: u32,
    passes: u64,
}

/// A boxed array of words, without a copy of it on the stack.
fn words<W: Word, const N: usize>() -> Box<[W; N]> {
    vec![W::ZERO; N].into_boxed_slice().try_into().unwrap_or_else(|_| unreachable!("a slice of N words"))
}

#[inline(always)]
fn count<W: Word>(mask: &Mask) -> u32 {
    let mut count = 0;
    for part in mask.iter().take(W::PARTS) {
        count += part.count_ones();
    }
    count
}

/// Combines masks part by part.
macro_rules! masks {
    ($word:ty, $i:ident => $value:expr) => {{
        let mut mask: Mask = [0; 8];
        for $i in 0..<$word>::PARTS {
            mask[$i] = $value;
        }
        mask
    }};
}

impl<'a, W: Kernels> Search<'a, W> {
    fn new(job: Job<'a>) -> Self {
        Self {
            job,
            state: State::boxed(),
            buffer: words(),
            scratch: Scratch::boxed(),
            pick: words(),
            slot_of: [NONE; 512],
            since: [0; 512],
            live: [0; 8],
            private: [0; 8],
            resume: [0; 8],
            fresh: W::ZERO,
            pool: Pool::default(),
            shared: NONE,
            again: Vec::new(),
            next: 0,
            services: 0,
            left_waiting: 0,
            clock: Clock::start(),
            last_finished: NONE,
            passes: 0,
        }
    }

    fn limit(&self) -> u32 {
        self.job.bounds.limit.max(1)
    }

    /// Whether anything waits for a lane.
    fn more(&self) -> bool {
        self.next < self.job.out.len() || self.shared != NONE || !self.again.is_empty() || self.resume != [0; 8]
    }

    /// Passes until enough lanes wait.
    #[inline(always)]
    fn propagate(&mut self, live: u32) -> Waiting {
        let in_use = W::from_mask(&self.live);
        let left = self.left_waiting.min(live - 1);
        let mut passes = 0;
        loop {
            let verdict = W::pass(&mut self.state);
            passes += 1;
            let contradiction = verdict.contradiction.and(in_use);
            let closed = in_use.without_either(verdict.open, contradiction);
            let moving = verdict.struck.or3(verdict.decided, self.fresh);
            let stalled = in_use.and(verdict.open).without_either(contradiction, moving);
            let solved = closed.without(moving);
            self.fresh = verdict.decided;
            let waiting = contradiction.or3(closed, stalled).to_mask();
            if count::<W>(&waiting).saturating_sub(left) * 256 >= ENOUGH_WAIT * (live - left) || passes == PASSES {
                self.passes += u64::from(passes) * u64::from(live);
                return Waiting {
                    contradiction: contradiction.to_mask(),
                    closed: closed.to_mask(),
                    solved: solved.to_mask(),
                    stalled: stalled.to_mask(),
                };
            }
        }
    }

    /// Frees the lanes with a contradiction or a solution.
    #[inline(always)]
    fn retire(&mut self, waiting: &Waiting) {
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

    /// The slot of a lane; from now on it has one.
    #[inline(always)]
    fn slot_of(&mut self, lane: usize) -> u32 {
        let index = self.slot_of[lane];
        if index & FRESH == 0 {
            return index;
        }
        let mode = if self.limit() == 1 { Mode::Private } else { Mode::Spread };
        let index = self.pool.open(index & !FRESH, mode, self.since[lane]);
        self.slot_of[lane] = index;
        index
    }

    /// One more solution in a lane; whether the puzzle is to be dropped for it.
    #[inline(always)]
    fn found(&mut self, lane: usize) -> bool {
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
    fn drop_lanes(&mut self) {
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
    fn free(&mut self, lane: usize) {
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
    fn part_done(&mut self, index: u32) {
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
    fn end_private(&mut self, lane: usize, status: Status) {
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
    fn close(&mut self, index: u32, status: Status) {
        let Slot { puzzle, solutions, guesses, time, .. } = *self.pool.slot(index);
        self.pool.close(index);
        self.finish(puzzle, solutions, guesses, time, status);
    }

    /// Writes the row of a puzzle.
    #[inline(always)]
    fn finish(&mut self, puzzle: u32, solutions: u32, guesses: u32, time: u64, mut status: Status) {
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

    /// Branches the lanes that stand still, as far as there is room for the other child.
    #[inline(always)]
    fn branch(&mut self, stalled: &Mask) {
        self.left_waiting = 0;
        let most = self.job.bounds.max_guesses;
        let mut private = masks!(W, i => stalled[i] & self.private[i]);
        for_lanes!(W, private, lane => {
            let index = self.slot_of(lane);
            if self.pool.slot(index).guesses >= most {
                self.end_private(lane, Status::GaveUp);
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
    fn follow(&mut self, plan: &Plan) -> bool {
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
    fn push(&mut self, who: &Mask) -> bool {
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

    /// Fills free lanes with tasks, then with puzzles.
    #[inline(always)]
    fn refill(&mut self) {
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
    fn take_tasks(&mut self, free: &Mask) {
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
    fn shared_task(&mut self) -> Option<super::pool::Task> {
        loop {
            let task = self.pool.pop(&mut self.shared)?;
            if self.pool.slot(task.slot).mode != Mode::Dropped {
                return Some(task);
            }
            self.part_done(task.slot);
        }
    }

    #[inline(always)]
    fn take_puzzles(&mut self) {
        let mut free = masks!(W, i => !self.live[i]);
        let mut taken: Mask = [0; 8];
        if !self.again.is_empty() {
            for_lanes!(W, free, lane => {
                let Some(index) = self.again.pop() else { break };
                let slot = self.pool.slot(index);
                (slot.mode, slot.solutions, slot.guesses) = (Mode::Private, 0, 0);
                let puzzle = slot.puzzle as usize;
                let packed = W::pack(self.puzzle(puzzle)).unwrap_or_default();
                planes::put(&mut self.buffer, lane, &packed);
                self.fill(lane, index);
                taken[lane / 64] |= 1 << (lane % 64);
            });
            free = masks!(W, i => free[i] & !taken[i]);
        }
        let private = if self.limit() == 1 { !0 } else { 0 };
        let now = self.clock.sum;
        for part in 0..W::PARTS {
            let mut bits = free[part];
            while bits != 0 {
                let Some((puzzle, packed)) = self.next_puzzle() else { break };
                let lane = part * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                planes::put(&mut self.buffer, lane, &packed);
                self.slot_of[lane] = puzzle | FRESH;
                self.since[lane] = now;
            }
            let filled = free[part] & !bits;
            taken[part] |= filled;
            self.live[part] |= filled;
            self.private[part] |= filled & private;
        }
        let taken = W::from_mask(&taken);
        W::load_givens(&mut self.state, &mut self.buffer, taken);
        self.fresh = self.fresh.or(taken);
    }

    #[inline(always)]
    fn puzzle(&self, puzzle: usize) -> &'a Cells {
        let cells: &'a [u8] = self.job.cells;
        &cells.as_chunks::<CELLS>().0[puzzle]
    }

    /// The next puzzle that can be read, and its nibbles.
    #[inline(always)]
    fn next_puzzle(&mut self) -> Option<(u32, [u64; NIBBLE_WORDS])> {
        while self.next < self.job.out.len() {
            let puzzle = self.next;
            self.next += 1;
            if let Some(packed) = W::pack(self.puzzle(puzzle)) {
                return Some((puzzle as u32, packed));
            }
            let time_ns = self.clock.pay(0);
            self.job.out[puzzle] = Outcome { status: Status::Invalid, time_ns, ..Outcome::UNFINISHED };
            self.last_finished = puzzle as u32;
        }
        None
    }

    /// A lane starts on a part of a puzzle.
    #[inline(always)]
    fn fill(&mut self, lane: usize, slot: u32) {
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

    /// Ends the searches of the last few lanes one by one.
    fn finish_alone(&mut self) {
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
    fn finish_search(&mut self, index: u32, mut parts: Vec<Candidates>) {
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
    fn abandon(&mut self) {
        let live = self.live;
        for_lanes!(W, live, lane => {
            self.slot_of(lane);
        });
        for index in self.pool.open_slots() {
            self.job.out[self.pool.slots[index as usize].puzzle as usize] = Outcome::UNFINISHED;
        }
        self.job.out[self.next..].fill(Outcome::UNFINISHED);
    }

    fn report(self) -> Report {
        let kernel_ns = self.clock.now_ns();
        let paid_ns = self.clock.paid_ns;
        if self.last_finished != NONE && kernel_ns > paid_ns {
            self.job.out[self.last_finished as usize].time_ns += kernel_ns - paid_ns;
        }
        Report { passes: self.passes, kernel_ns: kernel_ns.max(paid_ns) }
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
