//! The minlex form: the same for all puzzles that are the same, the least of them, and a way there and back.

use gridmill::canonical::{Way, minlex};
use gridmill::grid::{Bounds, CELLS, Cells, Status, is_solution_of};
use gridmill::solo;
use gridmill::stop::Stop;
use proptest::prelude::*;
use proptest::sample::subsequence;

const FULL: &str = "395261487812547396764983152436158729189672543527394618943725861651839274278416935";
/// Seventeen givens, and thirty.
const SPARSE: &str = "000000010400000000020000000000050407008000300001090000300400200050100000000806000";
const USUAL: &str = "003020600900305001001806400008102900700000008006708200002609500800203009005010300";

fn cells(text: &str) -> Cells {
    let bytes: Vec<u8> = text.bytes().map(|byte| byte - b'0').collect();
    bytes.try_into().expect("81 digits")
}

/// An order of nine lines that moves three bands, and three lines in each.
fn lines() -> impl Strategy<Value = [usize; 9]> {
    let order = || Just([0usize, 1, 2]).prop_shuffle();
    (order(), order(), order(), order()).prop_map(|(bands, a, b, c)| {
        let inner = [a, b, c];
        std::array::from_fn(|place| 3 * bands[place / 3] + inner[place / 3][place % 3])
    })
}

fn digits() -> impl Strategy<Value = Vec<u8>> {
    Just((1..=9).collect::<Vec<u8>>()).prop_shuffle()
}

/// Puzzles of all densities: cells of a full grid, that were themselves moved about below.
fn puzzles() -> impl Strategy<Value = Cells> {
    prop_oneof![
        Just(cells(SPARSE)),
        Just(cells(USUAL)),
        subsequence((0..CELLS).collect::<Vec<_>>(), 0..60).prop_map(|kept| {
            let full = cells(FULL);
            let mut puzzle = [0; CELLS];
            kept.into_iter().for_each(|cell| puzzle[cell] = full[cell]);
            puzzle
        }),
    ]
}

fn moved(puzzle: &Cells, rows: &[usize; 9], columns: &[usize; 9], digits: &[u8], transposed: bool) -> Cells {
    std::array::from_fn(|cell| {
        let (row, column) = (rows[cell / 9], columns[cell % 9]);
        let digit = puzzle[if transposed { column * 9 + row } else { row * 9 + column }];
        if digit == 0 { 0 } else { digits[usize::from(digit) - 1] }
    })
}

proptest! {
    #[test]
    fn the_form_does_not_change_when_the_puzzle_is_moved(
        puzzle in puzzles(), rows in lines(), columns in lines(), digits in digits(), transposed: bool
    ) {
        let other = moved(&puzzle, &rows, &columns, &digits, transposed);

        prop_assert_eq!(minlex(&puzzle).0, minlex(&other).0);
    }

    #[test]
    fn the_way_leads_there_and_back(puzzle in puzzles()) {
        let (form, way) = minlex(&puzzle);

        prop_assert_eq!(way.there(&puzzle), form);
        prop_assert_eq!(way.back(&form), puzzle);
        prop_assert_eq!(Way::from_bytes(&way.to_bytes()), Some(way));
        prop_assert_eq!(minlex(&form).0, form);
    }

    #[test]
    fn no_puzzle_that_is_the_same_comes_before_the_form(
        puzzle in puzzles(), rows in lines(), columns in lines(), digits in digits(), transposed: bool
    ) {
        prop_assert!(minlex(&puzzle).0 <= moved(&puzzle, &rows, &columns, &digits, transposed));
    }

    #[test]
    fn bytes_that_are_no_way_are_refused(bytes: [u8; 29]) {
        prop_assume!(bytes[19] != 0);
        prop_assert_eq!(Way::from_bytes(&bytes), None);
    }
}

/// The least of all 3,359,232 arrangements, each with the best labels, found by going through them.
fn by_trying_all(puzzle: &Cells) -> Cells {
    let mut orders = Vec::new();
    for [a, b, c] in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        orders.push([a, b, c]);
    }
    let mut lines = Vec::new();
    for bands in &orders {
        for first in &orders {
            for second in &orders {
                for third in &orders {
                    let inner = [first, second, third];
                    lines.push(std::array::from_fn::<usize, 9, _>(|at| 3 * bands[at / 3] + inner[at / 3][at % 3]));
                }
            }
        }
    }
    let transposed: Cells = std::array::from_fn(|cell| puzzle[cell % 9 * 9 + cell / 9]);
    let mut best = [9; CELLS];
    for grid in [puzzle, &transposed] {
        for rows in &lines {
            for columns in &lines {
                let (mut labels, mut next) = ([0u8; 10], 0);
                let mut form = [0; CELLS];
                let mut is_less = false;
                for cell in 0..CELLS {
                    let digit = usize::from(grid[rows[cell / 9] * 9 + columns[cell % 9]]);
                    if digit != 0 {
                        if labels[digit] == 0 {
                            next += 1;
                            labels[digit] = next;
                        }
                        form[cell] = labels[digit];
                    }
                    if !is_less && form[cell] > best[cell] {
                        break;
                    }
                    is_less |= form[cell] < best[cell];
                    if cell == CELLS - 1 && is_less {
                        best = form;
                    }
                }
            }
        }
    }
    best
}

#[test]
fn the_form_is_the_least_of_all() {
    for text in [SPARSE, USUAL] {
        assert_eq!(minlex(&cells(text)).0, by_trying_all(&cells(text)), "{text}");
    }
}

#[test]
fn a_full_grid_and_an_empty_one_have_forms() {
    let (form, way) = minlex(&cells(FULL));

    assert_eq!(form[..9], [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(way.there(&cells(FULL)), form);
    assert_eq!(minlex(&[0; CELLS]).0, [0; CELLS]);
}

#[test]
fn a_solution_goes_the_way_of_its_puzzle() {
    for text in [SPARSE, USUAL] {
        let puzzle = cells(text);
        let (form, way) = minlex(&puzzle);
        let bounds = Bounds { limit: 2, max_guesses: 1_000_000 };

        let solved = solo::solve(&puzzle, &bounds, &Stop::new());
        let form_solved = solo::solve(&form, &bounds, &Stop::new());

        assert_eq!((solved.status, form_solved.status), (Status::Unique, Status::Unique));
        assert!(is_solution_of(&way.there(&solved.solution), &form));
        assert_eq!(way.back(&form_solved.solution), solved.solution);
    }
}
