//! What the tests of the Sudoku kernels share: puzzles of every kind, and the comparison with `solo`.
#![allow(dead_code, reason = "each test file uses its part")]

use std::io::Read;
use std::path::PathBuf;

use gridmill::dispatch::Isa;
use gridmill::grid::{Bounds, CELLS, Cells, Outcome};
use gridmill::stop::Stop;
use gridmill::{lanes, solo};

pub const EASY: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
pub const EASY_SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
pub const HARD: &str = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
/// Known as the Golden Nugget; some hundred guesses.
pub const HARDER: &str = ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....";
/// Two solutions and more; some hundred guesses until the second one.
pub const SLOW_SECOND: &str = "2.....3.......1.8.3........7..36......4....9.....2.....8.9......5....2.....7..6..";
pub const SEVENTEEN: &str = ".................1.....2.3......3.2...1.4......5....6..3......4.7..8...962...7...";
pub const NO_LIMIT: u32 = u32::MAX;

pub fn cells(text: &str) -> Cells {
    let mut cells = [0; CELLS];
    for (cell, digit) in cells.iter_mut().zip(text.bytes()) {
        *cell = if digit.is_ascii_digit() { digit - b'0' } else { 0 };
    }
    cells
}

/// A full grid without its first five rows: some hundred solutions.
pub fn many() -> Cells {
    let mut puzzle = cells(EASY_SOLUTION);
    puzzle[..45].fill(0);
    puzzle
}

/// A puzzle with another digit (0: none) in one cell.
pub fn changed(puzzle: &Cells, cell: usize, digit: u8) -> Cells {
    let mut puzzle = *puzzle;
    puzzle[cell] = digit;
    puzzle
}

/// Row 1 lacks only the 9, which column 9 already has.
pub fn unsolvable() -> Cells {
    let mut puzzle = [0; CELLS];
    puzzle[..8].copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8]);
    puzzle[80] = 9;
    puzzle
}

/// Two 5s in one box, in different rows and columns.
pub fn clash_in_a_box() -> Cells {
    let mut puzzle = [0; CELLS];
    puzzle[0] = 5;
    puzzle[10] = 5;
    puzzle
}

/// A small generator of random numbers (xorshift), so that a failing case is the same tomorrow.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 32) as usize * end) >> 32
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }

    /// A full grid: a known one with digits, rows within bands and columns within stacks shuffled.
    pub fn full_grid(&mut self) -> Cells {
        let base = cells(EASY_SOLUTION);
        let mut digits = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        self.shuffle(&mut digits);
        let (rows, columns) = (self.lines(), self.lines());
        let transposed = self.below(2) == 1;
        std::array::from_fn(|cell| {
            let (r, c) = (rows[cell / 9], columns[cell % 9]);
            let from = if transposed { c * 9 + r } else { r * 9 + c };
            digits[usize::from(base[from]) - 1]
        })
    }

    fn lines(&mut self) -> [usize; 9] {
        let mut bands = [0, 1, 2];
        self.shuffle(&mut bands);
        let mut lines = [0; 9];
        for (i, band) in bands.into_iter().enumerate() {
            let mut inner = [0, 1, 2];
            self.shuffle(&mut inner);
            for (k, line) in inner.into_iter().enumerate() {
                lines[i * 3 + k] = band * 3 + line;
            }
        }
        lines
    }

    /// A full grid with all but `clues` cells emptied.
    pub fn thinned(&mut self, clues: usize) -> Cells {
        let mut puzzle = self.full_grid();
        let mut order: Vec<usize> = (0..CELLS).collect();
        self.shuffle(&mut order);
        for &cell in &order[clues.min(CELLS)..] {
            puzzle[cell] = 0;
        }
        puzzle
    }

    /// Any of the kinds of puzzles there are.
    pub fn any_puzzle(&mut self) -> Cells {
        match self.below(12) {
            0 => self.full_grid(),
            1 => {
                let mut puzzle = self.thinned(40);
                puzzle[self.below(CELLS)] = self.below(12) as u8;
                puzzle
            }
            2 => {
                let clues = 17 + self.below(8);
                self.thinned(clues)
            }
            3 => {
                // One clue changed: mostly without a solution, sometimes a clash.
                let mut puzzle = self.thinned(30);
                let cell = (0..CELLS).find(|&cell| puzzle[cell] != 0).expect("30 clues");
                puzzle[cell] = puzzle[cell] % 9 + 1;
                puzzle
            }
            4 => std::array::from_fn(|_| if self.below(9) == 0 { self.below(10) as u8 } else { 0 }),
            _ => {
                let clues = 24 + self.below(16);
                self.thinned(clues)
            }
        }
    }
}

pub fn bounds(limit: u32, max_guesses: u32) -> Bounds {
    Bounds { limit, max_guesses }
}

pub fn by_solo(puzzles: &[Cells], bounds: &Bounds) -> Vec<Outcome> {
    let mut out = vec![Outcome::UNFINISHED; puzzles.len()];
    solo::solve_batch(puzzles.as_flattened(), bounds, &Stop::new(), &mut out);
    out
}

pub fn by_lanes(isa: Isa, puzzles: &[Cells], bounds: &Bounds) -> Vec<Outcome> {
    let mut out = vec![Outcome { time_ns: 7, guesses: 7, ..Outcome::UNFINISHED }; puzzles.len()];
    let report = lanes::solve_batch(isa, puzzles.as_flattened(), bounds, &Stop::new(), &mut out);
    assert_eq!(out.iter().map(|outcome| outcome.time_ns).sum::<u64>(), report.kernel_ns);
    assert!(out.iter().all(|outcome| outcome.time_ns >= 1));
    out
}

/// Panics unless `lanes` gives the rows that `solo` gives, on every isa of this machine.
pub fn assert_same_rows(puzzles: &[Cells], bounds: &Bounds) {
    let expected = by_solo(puzzles, bounds);
    for isa in Isa::available() {
        assert_rows(isa, puzzles, &expected, &by_lanes(isa, puzzles, bounds));
    }
}

pub fn assert_rows(isa: Isa, puzzles: &[Cells], expected: &[Outcome], rows: &[Outcome]) {
    for (i, (expected, row)) in expected.iter().zip(rows).enumerate() {
        let expected = Outcome { time_ns: row.time_ns, ..*expected };
        assert_eq!(*row, expected, "{isa}, puzzle {i}: {:?}", puzzles[i]);
    }
}

/// The puzzles of a set in the test data, or none (and a word why) where the data is missing.
pub fn real_set(name: &str) -> Option<Vec<Cells>> {
    let beside = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared"));
    let folder = std::env::var_os("GRIDMILL_TEST_DATA").map_or_else(beside, PathBuf::from);
    let path = folder.join("data").join(format!("{name}.txt.gz"));
    let Ok(file) = std::fs::File::open(&path) else {
        eprintln!("skipped: no {} (set GRIDMILL_TEST_DATA)", path.display());
        return None;
    };
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("a gzip file of text");
    Some(text.lines().filter(|line| line.len() >= CELLS && !line.starts_with('#')).map(cells).collect())
}
