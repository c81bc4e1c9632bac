//! A 9x9 grid: its cells, its units, the statuses of a puzzle, and the rules every answer must keep.

use std::fmt;

/// Number of cells of a grid.
pub const CELLS: usize = 81;

/// A grid, row by row: 0 is an empty cell, 1 to 9 a digit. Any other value marks a line that could not be
/// read; a solver answers it with [`Status::Invalid`] at once.
pub type Cells = [u8; CELLS];

/// The value that fills the cells of an unreadable line.
pub const UNREADABLE: u8 = 15;

/// What became of a puzzle. The numbers are those of the wire format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Status {
    /// Not answered: the kernel was stopped before it came to an end with this puzzle.
    #[default]
    Unfinished = 0,
    /// Exactly one solution.
    Unique = 1,
    /// Two solutions or more.
    Multiple = 2,
    /// No solution.
    Unsolvable = 3,
    /// The givens break a rule, or the line was no puzzle.
    Invalid = 4,
    /// A solution was found, and no second one was asked for (limit 1).
    Solved = 5,
    /// The search ended at `max_guesses`.
    GaveUp = 6,
    /// The puzzle ended its worker each time; written by the producer, never by a kernel.
    Failed = 7,
}

impl Status {
    /// Every status, by its number.
    pub const ALL: [Status; 8] = [
        Status::Unfinished,
        Status::Unique,
        Status::Multiple,
        Status::Unsolvable,
        Status::Invalid,
        Status::Solved,
        Status::GaveUp,
        Status::Failed,
    ];

    /// The status with this number.
    pub fn from_number(number: u8) -> Option<Status> {
        Self::ALL.get(usize::from(number)).copied()
    }
}

/// Where a search ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Stop after this many solutions; at least 1.
    pub limit: u32,
    /// Give up when one guess more than this would be needed.
    pub max_guesses: u32,
}

/// The answer to one puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The first solution in depth-first order; all 0 when there is none.
    pub solution: Cells,
    /// What became of the puzzle.
    pub status: Status,
    /// Solutions found: exact below the limit.
    pub solutions: u32,
    /// How often the search had to choose.
    pub guesses: u32,
    /// Kernel time spent on this puzzle (its share of it, where puzzles are solved side by side).
    pub time_ns: u64,
}

impl Outcome {
    /// The answer to a puzzle that no kernel has looked at yet.
    pub const UNFINISHED: Outcome =
        Outcome { solution: [0; CELLS], status: Status::Unfinished, solutions: 0, guesses: 0, time_ns: 0 };
}

impl Bounds {
    /// The status of a search that ran to its end, or to the limit, with this many solutions.
    pub fn status_of(&self, solutions: u32) -> Status {
        match solutions {
            0 => Status::Unsolvable,
            _ if self.limit == 1 => Status::Solved,
            1 => Status::Unique,
            _ => Status::Multiple,
        }
    }
}

/// A row, column or box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Row, from 0.
    Row(u8),
    /// Column, from 0.
    Column(u8),
    /// Box, from 0, numbered left to right and top to bottom.
    Box(u8),
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unit::Row(i) => write!(f, "row {}", i + 1),
            Unit::Column(i) => write!(f, "column {}", i + 1),
            Unit::Box(i) => write!(f, "box {}", i + 1),
        }
    }
}

/// Two givens that break a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The digit, 1 to 9.
    pub digit: u8,
    /// Where it stands twice or more.
    pub unit: Unit,
    /// How often it stands there.
    pub times: u8,
}

impl fmt::Display for Clash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const COUNT: [&str; 10] = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
        write!(f, "{} {}s in {}", COUNT[usize::from(self.times.min(9))], self.digit, self.unit)
    }
}

/// Index of the box of a cell.
pub const fn box_of(cell: usize) -> usize {
    cell / 27 * 3 + cell % 9 / 3
}

/// The cell at `place` (0 to 8) of unit `unit`: 0-8 are the rows, 9-17 the columns, 18-26 the boxes.
pub const fn unit_cell(unit: usize, place: usize) -> usize {
    let i = unit % 9;
    match unit / 9 {
        0 => i * 9 + place,
        1 => place * 9 + i,
        _ => i / 3 * 27 + i % 3 * 3 + place / 3 * 9 + place % 3,
    }
}

/// The first broken rule among the givens: rows first, then columns, then boxes; in a unit the lowest digit.
///
/// Cells must be 0 to 9.
pub fn clash(cells: &Cells) -> Option<Clash> {
    for unit in 0..27 {
        let mut times = [0u8; 10];
        for place in 0..9 {
            times[usize::from(cells[unit_cell(unit, place)])] += 1;
        }
        if let Some(digit) = (1..10).find(|&digit| times[digit] > 1) {
            let i = (unit % 9) as u8;
            let unit = [Unit::Row(i), Unit::Column(i), Unit::Box(i)][unit / 9];
            return Some(Clash { digit: digit as u8, unit, times: times[digit] });
        }
    }
    None
}

/// Whether `solution` is a full valid grid that keeps every given of `cells`.
pub fn is_solution_of(solution: &Cells, cells: &Cells) -> bool {
    let kept = cells.iter().zip(solution).all(|(given, digit)| *given == 0 || given == digit);
    let full = solution.iter().all(|digit| (1..=9).contains(digit));
    kept && full && clash(solution).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_has_nine_cells_and_every_cell_three_units() {
        let mut seen = [0; CELLS];
        for unit in 0..27 {
            for place in 0..9 {
                seen[unit_cell(unit, place)] += 1;
            }
        }

        assert!(seen.iter().all(|&times| times == 3));
        assert!((0..CELLS).all(|cell| (0..9).any(|place| unit_cell(18 + box_of(cell), place) == cell)));
    }

    #[test]
    fn a_clash_names_digit_unit_and_how_often() {
        let mut cells = [0; CELLS];
        cells[10] = 5;
        cells[13] = 5;
        cells[16] = 5;

        assert_eq!(clash(&cells).expect("three 5s").to_string(), "three 5s in row 2");
    }
}
