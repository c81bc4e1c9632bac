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
//! (limit 1), the puzzle is searched depth first in a lane of its own; where that happens often, other puzzles are
//! tried so from the start (`early.rs`). When only a few lanes are left, `solo` ends their searches.

use super::choose::Scratch;
use super::clock::Clock;
use super::early::EarlyStops;
use super::kernels::Kernels;
use super::pass::State;
use super::planes::Buffer;
use super::pool::{Mode, NONE, Pool};
use crate::grid::{Bounds, CELLS, Cells, Outcome};
use crate::stop::Stop;
use crate::word::{Mask, Word};

/// Passes go on until this share of the lanes (in 256ths) waits for service...
const ENOUGH_WAIT: u32 = 175;
/// ...or for this many passes.
const PASSES: u32 = 9;
/// With as few lanes in use, though their puzzles had time to spread, and nothing to come, `solo` is faster.
const LAST_LANES: u32 = 3;

/// Marks a lane whose puzzle has no slot yet: most puzzles end without a guess and never need one.
pub(super) const FRESH: u32 = 1 << 31;

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
pub(super) use for_lanes;

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
        if live == 0 || (live <= LAST_LANES && search.passes > 0 && !search.more()) {
            search.finish_alone();
            break;
        }
        waiting = search.propagate(live);
    }
    search.report()
}

/// The lanes that passes have nothing more to do for.
#[derive(Clone, Copy, Default)]
pub(super) struct Waiting {
    pub contradiction: Mask,
    pub closed: Mask,
    /// The closed lanes in which the last pass struck nothing.
    pub solved: Mask,
    pub stalled: Mask,
}

pub(super) struct Search<'a, W> {
    pub job: Job<'a>,
    pub state: Box<State<W>>,
    pub buffer: Box<Buffer<W>>,
    pub scratch: Box<Scratch<W>>,
    pub pick: Box<[W; CELLS]>,
    /// The slot of each lane in use; for a puzzle that has not branched yet, `FRESH` and its number, no slot.
    pub slot_of: [u32; 512],
    /// What the clock said when a lane without a slot was filled.
    pub since: [u64; 512],
    pub live: Mask,
    /// Those lanes whose puzzle is searched depth first.
    pub private: Mask,
    /// Free lanes of puzzles that go on from their own stack.
    pub resume: Mask,
    /// Lanes with decided cells that no pass has looked at yet.
    pub fresh: W,
    pub pool: Pool,
    /// Tasks of spread puzzles.
    pub shared: u32,
    /// Puzzles to be searched again, depth first.
    pub again: Vec<u32>,
    pub next: usize,
    pub early_stops: EarlyStops,
    pub services: usize,
    /// Lanes that stood still and were not branched, in the last service.
    pub left_waiting: u32,
    pub clock: Clock,
    pub last_finished: u32,
    pub passes: u64,
}

/// A boxed array of words, without a copy of it on the stack.
fn words<W: Word, const N: usize>() -> Box<[W; N]> {
    vec![W::ZERO; N].into_boxed_slice().try_into().unwrap_or_else(|_| unreachable!("a slice of N words"))
}

#[inline(always)]
pub(super) fn count<W: Word>(mask: &Mask) -> u32 {
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
pub(super) use masks;

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
            early_stops: EarlyStops::default(),
            services: 0,
            left_waiting: 0,
            clock: Clock::start(),
            last_finished: NONE,
            passes: 0,
        }
    }

    pub(super) fn limit(&self) -> u32 {
        self.job.bounds.limit.max(1)
    }

    /// Whether anything waits for a lane.
    pub(super) fn more(&self) -> bool {
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

    /// The slot of a lane; from now on it has one.
    #[inline(always)]
    pub(super) fn slot_of(&mut self, lane: usize) -> u32 {
        let index = self.slot_of[lane];
        if index & FRESH == 0 {
            return index;
        }
        let private = self.private[lane / 64] >> (lane % 64) & 1 == 1;
        let mode = if private { Mode::Private } else { Mode::Spread };
        let index = self.pool.open(index & !FRESH, mode, self.since[lane]);
        self.slot_of[lane] = index;
        index
    }

    #[inline(always)]
    pub(super) fn puzzle(&self, puzzle: usize) -> &'a Cells {
        let cells: &'a [u8] = self.job.cells;
        &cells.as_chunks::<CELLS>().0[puzzle]
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
