//! The scalar solver: known answers, every status, every bound, and the stop flag.

use std::time::{Duration, Instant};

use gridmill::grid::{Bounds, CELLS, Cells, Outcome, Status, is_solution_of};
use gridmill::solo;
use gridmill::stop::Stop;

const EASY: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const EASY_SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
const HARD: &str = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
const NO_LIMIT: u32 = u32::MAX;

fn cells(text: &str) -> Cells {
    let mut cells = [0; CELLS];
    for (cell, digit) in cells.iter_mut().zip(text.bytes()) {
        *cell = if digit == b'.' { 0 } else { digit - b'0' };
    }
    cells
}

fn solve(cells: &Cells, limit: u32, max_guesses: u32) -> Outcome {
    solo::solve(cells, &Bounds { limit, max_guesses }, &Stop::new())
}

/// A full grid with the cells of two rows of one band emptied: it has many solutions.
fn many() -> Cells {
    let mut puzzle = cells(EASY_SOLUTION);
    puzzle[..45].fill(0);
    puzzle
}

#[test]
fn a_proper_puzzle_is_unique() {
    let outcome = solve(&cells(EASY), 2, NO_LIMIT);

    assert_eq!(outcome.status, Status::Unique);
    assert_eq!(outcome.solutions, 1);
    assert_eq!(outcome.solution, cells(EASY_SOLUTION));
    assert_eq!(solve(&cells(HARD), 2, NO_LIMIT).status, Status::Unique);
}

#[test]
fn one_solution_is_all_that_limit_one_asks_for() {
    let outcome = solve(&cells(HARD), 1, NO_LIMIT);

    assert_eq!((outcome.status, outcome.solutions), (Status::Solved, 1));
    assert!(is_solution_of(&outcome.solution, &cells(HARD)));
}

#[test]
fn a_full_grid_is_its_own_solution_and_costs_no_guess() {
    let outcome = solve(&cells(EASY_SOLUTION), 2, 0);

    assert_eq!((outcome.status, outcome.guesses), (Status::Unique, 0));
    assert_eq!(outcome.solution, cells(EASY_SOLUTION));
}

#[test]
fn clashes_and_unreadable_cells_are_invalid() {
    let mut clash = cells(EASY);
    clash[1] = 5;
    let mut unreadable = cells(EASY);
    unreadable[80] = 15;
    let mut full_clash = cells(EASY_SOLUTION);
    full_clash[80] = 8;

    for puzzle in [clash, unreadable, full_clash, [15; CELLS]] {
        let outcome = solve(&puzzle, 2, NO_LIMIT);
        assert_eq!((outcome.status, outcome.solutions, outcome.guesses), (Status::Invalid, 0, 0));
        assert_eq!(outcome.solution, [0; CELLS]);
    }
}

#[test]
fn a_puzzle_without_solution_is_unsolvable() {
    // Row 1 lacks only the 9, which column 9 already has.
    let mut puzzle = [0; CELLS];
    puzzle[..8].copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8]);
    puzzle[80] = 9;

    let outcome = solve(&puzzle, 2, NO_LIMIT);

    assert_eq!((outcome.status, outcome.solutions), (Status::Unsolvable, 0));
    assert_eq!(outcome.solution, [0; CELLS]);
}

#[test]
fn the_empty_grid_has_as_many_solutions_as_one_asks_for() {
    for limit in [1, 2, 3, 100, 1000] {
        let mut seen = Vec::new();
        let bounds = Bounds { limit, max_guesses: NO_LIMIT };
        let outcome = solo::solve_each(&[0; CELLS], &bounds, &Stop::new(), &mut |solution| seen.push(*solution));

        assert_eq!(outcome.solutions, limit);
        assert_eq!(outcome.status, if limit == 1 { Status::Solved } else { Status::Multiple });
        assert_eq!(seen[0], outcome.solution);
        assert!(seen.iter().all(|solution| is_solution_of(solution, &[0; CELLS])));
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), limit as usize);
    }
}

#[test]
fn a_lower_limit_sees_a_prefix_of_the_same_solutions() {
    let all = |limit| {
        let mut seen = Vec::new();
        let bounds = Bounds { limit, max_guesses: NO_LIMIT };
        let outcome = solo::solve_each(&many(), &bounds, &Stop::new(), &mut |solution| seen.push(*solution));
        (seen, outcome.guesses)
    };
    let (full, full_guesses) = all(NO_LIMIT);

    let mut last_guesses = 0;
    for limit in 1..=full.len().min(40) {
        let (seen, guesses) = all(limit as u32);
        assert_eq!(seen, full[..limit]);
        assert!(last_guesses <= guesses && guesses <= full_guesses);
        last_guesses = guesses;
    }
}

#[test]
fn max_guesses_gives_up_with_what_was_found_before() {
    let whole = solve(&many(), NO_LIMIT, NO_LIMIT);
    let mut found = 0;

    for max_guesses in 0..whole.guesses.min(300) {
        let outcome = solve(&many(), NO_LIMIT, max_guesses);
        assert_eq!((outcome.status, outcome.guesses), (Status::GaveUp, max_guesses));
        assert!(outcome.solutions >= found);
        assert_eq!(outcome.solution == [0; CELLS], outcome.solutions == 0);
        found = outcome.solutions;
    }
    assert_eq!(solve(&many(), NO_LIMIT, whole.guesses).status, Status::Multiple);
}

#[test]
fn every_puzzle_of_a_batch_has_a_time() {
    let mut batch = Vec::new();
    for puzzle in [cells(EASY), [0; CELLS], [15; CELLS], cells(HARD)] {
        batch.extend_from_slice(&puzzle);
    }
    let mut out = [Outcome::UNFINISHED; 4];

    solo::solve_batch(&batch, &Bounds { limit: 2, max_guesses: NO_LIMIT }, &Stop::new(), &mut out);

    let statuses = out.map(|outcome| outcome.status);
    assert_eq!(statuses, [Status::Unique, Status::Multiple, Status::Invalid, Status::Unique]);
    assert!(out.iter().all(|outcome| outcome.time_ns >= 1));
}

#[test]
fn a_stop_leaves_the_puzzle_at_hand_and_the_rest_unfinished() {
    let mut batch = cells(EASY).to_vec();
    batch.extend_from_slice(&[0; 2 * CELLS]);
    let mut out = [Outcome::UNFINISHED; 3];
    let start = Instant::now();

    let stop = Stop::after(Duration::from_millis(30));
    solo::solve_batch(&batch, &Bounds { limit: NO_LIMIT, max_guesses: NO_LIMIT }, &stop, &mut out);

    assert!(start.elapsed() < Duration::from_millis(500));
    assert_eq!(out[0].status, Status::Unique);
    assert_eq!(out[1..], [Outcome::UNFINISHED; 2]);
}

#[test]
fn a_stop_set_before_the_start_answers_nothing() {
    let stop = Stop::new();
    stop.set();
    let mut out = [Outcome::UNFINISHED; 1];

    solo::solve_batch(&cells(EASY), &Bounds { limit: 2, max_guesses: NO_LIMIT }, &stop, &mut out);

    assert_eq!(out, [Outcome::UNFINISHED]);
}
