//! One puzzle at a time: propagate, branch on one cell, depth first.
//!
//! The candidates are bit boards by digit (`candidates.rs`), the guess rule is the one of the kernel `lanes`
//! (`guess.rs`), so both search the same tree and `solo` says what a row must be: the first child is the lowest
//! candidate of the cell, and it is searched to its end before the other.

use std::time::Instant;

use crate::candidates::{Candidates, Settled};
use crate::grid::{self, Bounds, CELLS, Cells, Outcome, Status};
use crate::guess;
use crate::stop::Stop;

/// Nodes between two looks at the stop flag; a node costs about half a microsecond.
const NODES_PER_POLL: u32 = 64;

/// Solves one puzzle; `time_ns` stays 0.
pub fn solve(cells: &Cells, bounds: &Bounds, stop: &Stop) -> Outcome {
    solve_each(cells, bounds, stop, &mut |_| ())
}

/// Solves `cells.len() / 81` puzzles one after the other and measures each by the monotonic clock.
///
/// Once `stop` is set, the puzzle at hand and those after it stay [`Status::Unfinished`].
///
/// # Panics
///
/// If `cells` does not hold 81 bytes for each place in `out`.
pub fn solve_batch(cells: &[u8], bounds: &Bounds, stop: &Stop, out: &mut [Outcome]) {
    assert_eq!(cells.len(), CELLS * out.len(), "81 cells for each puzzle");
    out.fill(Outcome::UNFINISHED);
    let (puzzles, _) = cells.as_chunks::<CELLS>();
    for (puzzle, outcome) in puzzles.iter().zip(out) {
        if stop.requested() {
            return;
        }
        let start = Instant::now();
        *outcome = solve(puzzle, bounds, stop);
        if outcome.status != Status::Unfinished {
            outcome.time_ns = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX).max(1);
        }
    }
}

/// Solves puzzles as [`solve_batch`] does, with all solutions of each up to the limit.
///
/// # Panics
///
/// If `cells` is not a whole number of puzzles.
pub fn list_batch(cells: &[u8], bounds: &Bounds, stop: &Stop) -> (Vec<Outcome>, Vec<Vec<Cells>>) {
    let (puzzles, rest) = cells.as_chunks::<CELLS>();
    assert!(rest.is_empty(), "81 cells for each puzzle");
    let mut outcomes = vec![Outcome::UNFINISHED; puzzles.len()];
    let mut lists = vec![Vec::new(); puzzles.len()];
    for ((puzzle, outcome), list) in puzzles.iter().zip(&mut outcomes).zip(&mut lists) {
        if stop.requested() {
            break;
        }
        let start = Instant::now();
        *outcome = solve_each(puzzle, bounds, stop, &mut |solution| list.push(*solution));
        match outcome.status {
            Status::Unfinished => list.clear(),
            _ => outcome.time_ns = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX).max(1),
        }
    }
    (outcomes, lists)
}

/// Solves one puzzle and shows `found` every solution up to the limit, in depth-first order.
pub fn solve_each(cells: &Cells, bounds: &Bounds, stop: &Stop, found: &mut dyn FnMut(&Cells)) -> Outcome {
    if cells.iter().any(|&digit| digit > 9) || grid::clash(cells).is_some() {
        return Outcome { status: Status::Invalid, ..Outcome::UNFINISHED };
    }
    Search::new(Candidates::new(cells)).run(bounds, stop, found)
}

/// A depth-first search under way.
pub(crate) struct Search {
    /// The subtree to search next.
    pub current: Candidates,
    /// Those after it, the last one first.
    pub later: Vec<Candidates>,
    /// The first solution so far; all 0 if there is none.
    pub first: Cells,
    /// Solutions so far.
    pub solutions: u32,
    /// Guesses so far.
    pub guesses: u32,
}

impl Search {
    pub fn new(root: Candidates) -> Self {
        Self { current: root, later: Vec::new(), first: [0; CELLS], solutions: 0, guesses: 0 }
    }

    /// Searches on until all is searched or a bound is reached.
    pub fn run(mut self, bounds: &Bounds, stop: &Stop, found: &mut dyn FnMut(&Cells)) -> Outcome {
        let mut nodes = 0u32;
        loop {
            match self.current.settle() {
                Settled::Open => {
                    if self.guesses >= bounds.max_guesses {
                        return self.outcome(Status::GaveUp);
                    }
                    self.guesses += 1;
                    let (first, others) = self.current.split(guess::choose(&self.current));
                    self.current = first;
                    self.later.push(others);
                    continue;
                }
                Settled::Solved => {
                    let solution = self.current.cells();
                    if self.solutions == 0 {
                        self.first = solution;
                    }
                    self.solutions += 1;
                    found(&solution);
                }
                Settled::Contradiction => {}
            }
            nodes += 1;
            if nodes.is_multiple_of(NODES_PER_POLL) && stop.requested() {
                return Outcome::UNFINISHED;
            }
            match self.later.pop() {
                Some(next) if self.solutions < bounds.limit => self.current = next,
                _ => return self.outcome(bounds.status_of(self.solutions)),
            }
        }
    }

    fn outcome(&self, status: Status) -> Outcome {
        let Self { first, solutions, guesses, .. } = *self;
        Outcome { solution: first, status, solutions, guesses, time_ns: 0 }
    }
}
