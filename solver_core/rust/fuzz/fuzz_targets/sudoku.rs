//! Arbitrary bytes as puzzles: every isa must give the rows of `solo`, and every solution must be one.
//!
//! The first three bytes are the limit, the maximum of guesses and the number of copies (so that a word is filled);
//! the others are cells, those over 12 empty.

#![no_main]

use gridmill::dispatch::Isa;
use gridmill::grid::{Bounds, CELLS, Cells, Outcome, is_solution_of};
use gridmill::stop::Stop;
use gridmill::{lanes, solo};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let [limit, max_guesses, copies, rest @ ..] = bytes else { return };
    let bounds = Bounds { limit: u32::from(limit % 8) + 1, max_guesses: u32::from(*max_guesses) };
    let mut puzzles: Vec<Cells> = rest
        .chunks(CELLS)
        .take(40)
        .map(|chunk| {
            let mut cells = [0; CELLS];
            for (cell, &byte) in cells.iter_mut().zip(chunk) {
                *cell = if byte > 12 { 0 } else { byte };
            }
            cells
        })
        .collect();
    puzzles = puzzles.repeat(usize::from(copies % 24) + 1);

    let mut expected = vec![Outcome::UNFINISHED; puzzles.len()];
    solo::solve_batch(puzzles.as_flattened(), &bounds, &Stop::new(), &mut expected);
    for (puzzle, row) in puzzles.iter().zip(&expected) {
        assert!(row.solutions == 0 || is_solution_of(&row.solution, puzzle));
    }
    for isa in Isa::available() {
        let mut rows = vec![Outcome::UNFINISHED; puzzles.len()];
        lanes::solve_batch(isa, puzzles.as_flattened(), &bounds, &Stop::new(), &mut rows);
        for (row, expected) in rows.iter().zip(&expected) {
            assert_eq!(Outcome { time_ns: 0, ..*row }, Outcome { time_ns: 0, ..*expected }, "{isa}");
        }
    }
});
