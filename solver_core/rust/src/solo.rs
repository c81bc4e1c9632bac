//! One puzzle at a time: candidates from three tables of bit masks, fewest candidates first, depth first.
//!
//! The rows, columns and boxes each keep the digits they still lack. A cell may take what all three of its units
//! lack; the search takes the empty cell with the fewest choices, tries them from the lowest digit up, and takes
//! a digit back by the same XOR that placed it.

use std::time::Instant;

use crate::grid::{self, Bounds, CELLS, Cells, Outcome, Status, box_of};
use crate::stop::Stop;

/// Nodes between two looks at the stop flag; a node costs about 50 ns, so that is some 50 microseconds.
const NODES_PER_POLL: u32 = 1024;

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

/// Solves one puzzle and shows `found` every solution up to the limit, in depth-first order.
pub fn solve_each(cells: &Cells, bounds: &Bounds, stop: &Stop, found: &mut dyn FnMut(&Cells)) -> Outcome {
    let invalid = Outcome { status: Status::Invalid, ..Outcome::UNFINISHED };
    if cells.iter().any(|&digit| digit > 9) || grid::clash(cells).is_some() {
        return invalid;
    }
    let mut search = Search::new(cells, bounds, stop, found);
    let end = search.run();
    let Search { first, solutions, guesses, .. } = search;
    let status = match end {
        End::Stopped => return Outcome::UNFINISHED,
        End::GaveUp => Status::GaveUp,
        End::Exhausted | End::Limit => bounds.status_of(solutions),
    };
    Outcome { solution: first, status, solutions, guesses, time_ns: 0 }
}

/// Why a search, or a branch of it, came to its end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Exhausted,
    Limit,
    GaveUp,
    Stopped,
}

struct Search<'a> {
    bounds: &'a Bounds,
    stop: &'a Stop,
    found: &'a mut dyn FnMut(&Cells),
    cells: Cells,
    /// Digits that a unit still lacks, bit `digit - 1`.
    rows: [u16; 9],
    columns: [u16; 9],
    boxes: [u16; 9],
    /// The cells that were empty at the start; the first `placed` of them are filled.
    empty: [u8; CELLS],
    open: usize,
    first: Cells,
    solutions: u32,
    guesses: u32,
    nodes: u32,
}

impl<'a> Search<'a> {
    fn new(cells: &Cells, bounds: &'a Bounds, stop: &'a Stop, found: &'a mut dyn FnMut(&Cells)) -> Self {
        let mut search = Self {
            bounds,
            stop,
            found,
            cells: *cells,
            rows: [0x1FF; 9],
            columns: [0x1FF; 9],
            boxes: [0x1FF; 9],
            empty: [0; CELLS],
            open: 0,
            first: [0; CELLS],
            solutions: 0,
            guesses: 0,
            nodes: 0,
        };
        for (cell, &digit) in cells.iter().enumerate() {
            if digit == 0 {
                search.empty[search.open] = cell as u8;
                search.open += 1;
            } else {
                search.flip(cell, 1 << (digit - 1));
            }
        }
        search
    }

    /// Places a digit, or takes it back.
    fn flip(&mut self, cell: usize, bit: u16) {
        self.rows[cell / 9] ^= bit;
        self.columns[cell % 9] ^= bit;
        self.boxes[box_of(cell)] ^= bit;
    }

    fn candidates(&self, cell: usize) -> u16 {
        self.rows[cell / 9] & self.columns[cell % 9] & self.boxes[box_of(cell)]
    }

    /// The place in `empty` with the fewest candidates, and these; a place with one or none ends the look-out.
    fn narrowest(&self) -> (usize, u16) {
        let mut best = (0, 0, u32::MAX);
        for place in 0..self.open {
            let candidates = self.candidates(usize::from(self.empty[place]));
            let count = candidates.count_ones();
            if count < best.2 {
                best = (place, candidates, count);
                if count <= 1 {
                    break;
                }
            }
        }
        (best.0, best.1)
    }

    fn run(&mut self) -> End {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_POLL) && self.stop.requested() {
            return End::Stopped;
        }
        if self.open == 0 {
            return self.record();
        }
        let (place, mut candidates) = self.narrowest();
        let cell = usize::from(self.empty[place]);
        self.open -= 1;
        self.empty.swap(place, self.open);
        let mut end = End::Exhausted;
        while candidates != 0 && end == End::Exhausted {
            let bit = candidates & candidates.wrapping_neg();
            candidates ^= bit;
            if candidates != 0 {
                if self.guesses == self.bounds.max_guesses {
                    end = End::GaveUp;
                    break;
                }
                self.guesses += 1;
            }
            self.cells[cell] = bit.trailing_zeros() as u8 + 1;
            self.flip(cell, bit);
            end = self.run();
            self.flip(cell, bit);
        }
        self.empty.swap(place, self.open);
        self.open += 1;
        end
    }

    fn record(&mut self) -> End {
        if self.solutions == 0 {
            self.first = self.cells;
        }
        self.solutions += 1;
        (self.found)(&self.cells);
        if self.solutions >= self.bounds.limit { End::Limit } else { End::Exhausted }
    }
}
