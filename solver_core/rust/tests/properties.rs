//! Properties of both Sudoku kernels over random grids.

mod common;

use common::*;
use gridmill::dispatch::Isa;
use gridmill::grid::{CELLS, Cells, Status, clash, is_solution_of};
use proptest::prelude::*;

fn puzzles() -> impl Strategy<Value = Vec<Cells>> {
    (any::<u64>(), 1..200usize).prop_map(|(seed, count)| {
        let mut random = Random(seed | 1);
        (0..count).map(|_| random.any_puzzle()).collect()
    })
}

fn bytes() -> impl Strategy<Value = Vec<Cells>> {
    let cell = prop_oneof![12 => Just(0u8), 3 => 1..=9u8, 1 => 0..=255u8];
    prop::collection::vec(prop::collection::vec(cell, CELLS), 1..20)
        .prop_map(|rows| rows.iter().map(|row| std::array::from_fn(|cell| row[cell])).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_company_gives_the_rows_of_solo(puzzles in puzzles(), limit in 1..6u32, max_guesses in 0..2000u32) {
        assert_same_rows(&puzzles, &bounds(limit, max_guesses));
    }

    #[test]
    fn arbitrary_bytes_give_the_rows_of_solo(puzzles in bytes()) {
        assert_same_rows(&puzzles, &bounds(2, 500));
    }

    #[test]
    fn the_order_of_a_batch_does_not_matter(puzzles in puzzles(), seed in any::<u64>()) {
        let mut order: Vec<usize> = (0..puzzles.len()).collect();
        Random(seed | 1).shuffle(&mut order);
        let shuffled: Vec<Cells> = order.iter().map(|&i| puzzles[i]).collect();

        for isa in Isa::available() {
            let rows = by_lanes(isa, &puzzles, &bounds(2, 1000));
            let expected: Vec<_> = order.iter().map(|&i| rows[i]).collect();
            assert_rows(isa, &shuffled, &expected, &by_lanes(isa, &shuffled, &bounds(2, 1000)));
        }
    }

    #[test]
    fn a_row_is_consistent(puzzles in puzzles(), limit in 1..5u32) {
        for (puzzle, row) in puzzles.iter().zip(by_lanes(Isa::detect(), &puzzles, &bounds(limit, 1000))) {
            let valid = puzzle.iter().all(|&digit| digit <= 9) && clash(puzzle).is_none();
            prop_assert_eq!(row.status == Status::Invalid, !valid);
            prop_assert!(row.solutions <= limit && row.guesses <= 1000);
            if row.solutions > 0 {
                prop_assert!(is_solution_of(&row.solution, puzzle));
            } else {
                prop_assert_eq!(row.solution, [0; CELLS]);
            }
        }
    }

    #[test]
    fn a_puzzle_made_from_a_grid_has_that_solution(seed in any::<u64>(), clues in 20..81usize) {
        let puzzle = Random(seed | 1).thinned(clues);
        let grid = Random(seed | 1).full_grid();

        let row = by_solo(&[puzzle], &bounds(2, NO_LIMIT))[0];

        prop_assert!(row.solutions >= 1);
        prop_assert!(row.status == Status::Multiple || row.solution == grid);
    }
}
