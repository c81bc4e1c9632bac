//! The kernel `lanes` against `solo`, on every isa of this machine: the same rows, in any company.

mod common;

use std::time::{Duration, Instant};

use common::*;
use gridmill::dispatch::Isa;
use gridmill::grid::{CELLS, Cells, Outcome, Status};
use gridmill::lanes;
use gridmill::stop::Stop;

#[test]
fn random_puzzles_of_every_kind_get_the_rows_of_solo() {
    let mut random = Random(0x5EED);
    let puzzles: Vec<Cells> = (0..3000).map(|_| random.any_puzzle()).collect();

    assert_same_rows(&puzzles, &bounds(2, 100_000));
}

#[test]
fn every_limit_gives_the_rows_of_solo() {
    let mut random = Random(0x11717);
    let mut puzzles: Vec<Cells> = (0..600).map(|_| random.any_puzzle()).collect();
    puzzles.extend([many(), [0; CELLS], cells(HARD), cells(EASY_SOLUTION)]);

    for limit in [1, 2, 3, 4, 7, 20, 150] {
        assert_same_rows(&puzzles, &bounds(limit, 3000));
    }
}

#[test]
fn every_maximum_of_guesses_gives_the_rows_of_solo() {
    let mut random = Random(0x6E55);
    let mut puzzles: Vec<Cells> = (0..400).map(|_| random.any_puzzle()).collect();
    puzzles.extend([many(), [0; CELLS], cells(HARD), unsolvable(), clash_in_a_box()]);

    for max_guesses in [0, 1, 2, 3, 5, 9, 17, 40, 100, 1000] {
        for limit in [1, 2, 5] {
            assert_same_rows(&puzzles, &bounds(limit, max_guesses));
        }
    }
}

#[test]
fn hard_puzzles_among_many_that_stop_early_get_the_rows_of_solo() {
    let mut random = Random(0x7214);
    let hard = cells(HARDER);
    let mut hard_ones = vec![hard, cells(SLOW_SECOND)];
    hard_ones.extend((0..CELLS).filter(|&cell| hard[cell] != 0).map(|cell| changed(&hard, cell, 0)));
    hard_ones.extend((0..CELLS).filter(|&cell| hard[cell] == 0).map(|cell| changed(&hard, cell, cell as u8 % 9 + 1)));
    // More of them than any word has lanes: only when many searches have stopped early are others tried depth first.
    let mut puzzles: Vec<Cells> = (0..1200).map(|_| random.thinned(22)).collect();
    for hard in &hard_ones {
        puzzles.push(*hard);
        puzzles.extend((0..12).map(|_| random.thinned(21)));
    }

    let long = by_solo(&hard_ones, &bounds(2, NO_LIMIT));

    // A trial ends after 36 guesses; afterwards some puzzles turn out to have none, one or more solutions.
    for solutions in 0..=2 {
        assert!(long.iter().any(|row| row.solutions == solutions && row.guesses > 40), "{solutions}");
    }
    for limit in [2, 3, 9] {
        assert_same_rows(&puzzles, &bounds(limit, NO_LIMIT));
        assert_same_rows(&puzzles, &bounds(limit, 50));
    }
}

#[test]
fn a_puzzle_gets_its_row_in_every_lane_among_mixed_neighbours() {
    let strange = [[0; CELLS], [15; CELLS], clash_in_a_box(), unsolvable(), many(), cells(EASY_SOLUTION)];
    let usual = [cells(SEVENTEEN), cells(EASY), cells(HARD)];
    let every = |shift: usize| -> Vec<Cells> {
        (0..520).map(|i| if i % 7 == shift { strange[(i / 7) % 6] } else { usual[i % 3] }).collect()
    };

    for shift in 0..7 {
        assert_same_rows(&every(shift), &bounds(2, 10_000));
    }
}

#[test]
fn batches_of_every_small_size_get_the_rows_of_solo() {
    let mut random = Random(0xBA7C4);
    let puzzles: Vec<Cells> = (0..80).map(|_| random.any_puzzle()).collect();

    for size in 0..=80 {
        assert_same_rows(&puzzles[..size], &bounds(2, 10_000));
    }
}

#[test]
fn batches_around_the_width_of_a_word_get_the_rows_of_solo() {
    let mut random = Random(0x31DE);
    let puzzles: Vec<Cells> = (0..1100).map(|_| random.any_puzzle()).collect();

    for size in [127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025] {
        assert_same_rows(&puzzles[..size], &bounds(2, 10_000));
    }
}

#[test]
fn one_puzzle_with_very_many_solutions_ends_at_its_limit() {
    let mut puzzles = vec![[0; CELLS]; 3];
    puzzles.extend([many(); 6]);

    assert_same_rows(&puzzles, &bounds(20_000, NO_LIMIT));
    assert_same_rows(&puzzles, &bounds(NO_LIMIT, 5_000));
}

#[test]
fn clashing_givens_are_invalid_wherever_they_clash() {
    let mut puzzles = Vec::new();
    for a in 0..CELLS {
        for b in 0..a {
            let mut puzzle = [0; CELLS];
            puzzle[a] = 4;
            puzzle[b] = 4;
            if gridmill::grid::clash(&puzzle).is_some() {
                puzzles.push(puzzle);
            }
        }
    }
    assert_eq!(puzzles.len(), CELLS * 20 / 2);

    for isa in Isa::available() {
        let rows = by_lanes(isa, &puzzles, &bounds(2, NO_LIMIT));
        assert!(rows.iter().all(|row| row.status == Status::Invalid && row.guesses == 0), "{isa}");
    }
}

#[test]
fn a_stop_keeps_what_is_finished_and_comes_within_milliseconds() {
    let mut puzzles = vec![cells(EASY); 600];
    puzzles.extend([[0; CELLS]; 600]);

    for isa in Isa::available() {
        let mut out = vec![Outcome { guesses: 7, ..Outcome::UNFINISHED }; puzzles.len()];
        let start = Instant::now();
        let stop = Stop::after(Duration::from_millis(40));
        lanes::solve_batch(isa, puzzles.as_flattened(), &bounds(NO_LIMIT, NO_LIMIT), &stop, &mut out);

        assert!(start.elapsed() < Duration::from_millis(300), "{isa} took {:?}", start.elapsed());
        assert!(out[..600].iter().all(|row| row.status == Status::Unique), "{isa}");
        assert!(out[600..].iter().all(|row| *row == Outcome::UNFINISHED), "{isa}");
    }
}

#[test]
fn a_stop_set_before_the_start_answers_nothing() {
    let puzzles = [cells(EASY); 100];
    let stop = Stop::new();
    stop.set();

    for isa in Isa::available() {
        let mut out = [Outcome { guesses: 7, ..Outcome::UNFINISHED }; 100];
        lanes::solve_batch(isa, puzzles.as_flattened(), &bounds(2, NO_LIMIT), &stop, &mut out);

        assert_eq!(out, [Outcome::UNFINISHED; 100], "{isa}");
    }
}

#[test]
fn real_sets_get_the_rows_of_solo() {
    let sets = [("norvig_top95", 95), ("magictour_top1465", 1465), ("17clue_49158", 4000), ("easy_kagglelike", 4000)];
    let more = [("random_minimal_100k", 4000), ("invalid_zero_100k", 4000), ("forum_hardest_1905_11plus", 400)];
    for (name, most) in sets.into_iter().chain(more) {
        let Some(puzzles) = real_set(name) else { continue };
        let spread: Vec<Cells> = puzzles.iter().step_by(puzzles.len().div_ceil(most)).copied().collect();

        assert_same_rows(&spread, &bounds(2, NO_LIMIT));
        assert_same_rows(&spread, &bounds(1, NO_LIMIT));
    }
}
