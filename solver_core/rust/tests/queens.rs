//! The face of the queens: published counts, prefixes, mirrors, refusals, and the judge.

mod queens_support;

use std::time::{Duration, Instant};

use gridmill::dispatch::Isa;
use gridmill::queens::{self, COUNTS, QueensError, is_solution, mirror};
use gridmill::stop::Stop;
use queens_support::{known, listed, plain_count, prefixes};

fn count(n: u8, prefix: &[u8]) -> u64 {
    queens::count(Isa::detect(), n, prefix, &Stop::new()).unwrap().unwrap()
}

#[test]
fn the_constants_are_the_published_counts() {
    let Some(table) = known("nqueens_counts.tsv") else { return };

    for row in &table {
        assert_eq!(COUNTS[row[0] as usize], row[1], "n = {}", row[0]);
    }
    assert_eq!(table.len(), COUNTS.len());
}

#[test]
fn the_columns_of_the_first_row_have_the_published_counts() {
    let Some(table) = known("nqueens_first_column_A059963.tsv") else { return };

    for row in table.iter().filter(|row| row[0] <= 14) {
        let n = row[0] as u8;
        let counts: Vec<u64> = (0..n).map(|column| count(n, &[column])).collect();
        assert_eq!(counts, row[1..=usize::from(n)], "n = {n}");
        assert_eq!(counts.iter().sum::<u64>(), row[usize::from(n) + 1], "n = {n}");
    }
}

#[test]
fn two_rows_have_the_published_counts_and_prefixes() {
    let Some(table) = known("nqueens_prefix2.tsv") else { return };

    for n in [4, 5, 6, 8, 10] {
        let rows: Vec<_> = table.iter().filter(|row| row[0] == n).collect();
        let wanted: Vec<Vec<u8>> = rows.iter().map(|row| vec![row[1] as u8, row[2] as u8]).collect();
        assert_eq!(prefixes(n as u8, 2), wanted, "n = {n}");
        for (row, prefix) in rows.iter().zip(&wanted) {
            assert_eq!(count(n as u8, prefix), row[3], "n = {n}, {prefix:?}");
        }
    }
}

#[test]
fn prefixes_come_in_order_and_their_counts_add_up() {
    for n in 1..=9 {
        for depth in 0..=n {
            let all = prefixes(n, depth);

            assert!(all.is_sorted() && all.iter().all(|prefix| prefix.len() == usize::from(depth)));
            assert_eq!(all.iter().map(|prefix| count(n, prefix)).sum::<u64>(), COUNTS[usize::from(n)], "{n}, {depth}");
        }
    }
}

#[test]
fn a_mirrored_prefix_has_the_same_count() {
    for prefix in prefixes(11, 3) {
        let mirrored = mirror(11, &prefix).unwrap();

        assert_eq!(count(11, &prefix), count(11, &mirrored), "{prefix:?}");
        assert_eq!(mirror(11, &mirrored).unwrap(), prefix);
    }
}

#[test]
fn an_attacking_prefix_has_no_solution_and_is_no_error() {
    for prefix in [&[3, 3][..], &[3, 4], &[4, 3], &[0, 2, 5, 3]] {
        assert_eq!(plain_count(8, prefix), 0);
        assert_eq!(count(8, prefix), 0);
        assert!(listed(8, prefix).is_empty());
    }
}

#[test]
fn a_full_prefix_is_judged() {
    assert_eq!(count(4, &[1, 3, 0, 2]), 1);
    assert_eq!(listed(4, &[1, 3, 0, 2]), [[1, 3, 0, 2]]);
    assert_eq!(count(4, &[1, 3, 0, 1]), 0);
    assert_eq!(count(1, &[0]), 1);
}

#[test]
fn a_board_or_prefix_that_cannot_be_is_refused_by_name() {
    let refused = |n, prefix: &[u8]| {
        let error = queens::count(Isa::Portable, n, prefix, &Stop::new()).unwrap_err();
        assert_eq!(queens::list(n, prefix, 1, &Stop::new(), &mut Vec::new()), Err(error));
        assert_eq!(mirror(n, prefix), Err(error));
        assert!(!error.to_string().contains('\n'));
        error
    };

    assert_eq!(refused(0, &[]), QueensError::Size { n: 0 });
    assert_eq!(refused(33, &[]), QueensError::Size { n: 33 });
    assert_eq!(refused(255, &[0]), QueensError::Size { n: 255 });
    assert_eq!(refused(4, &[1, 3, 0, 2, 0]), QueensError::Length { n: 4, queens: 5 });
    assert_eq!(refused(4, &[1, 4]), QueensError::Column { n: 4, row: 1, column: 4 });
    assert_eq!(queens::prefixes(0, 0).unwrap_err(), QueensError::Size { n: 0 });
    assert_eq!(queens::prefixes(4, 5).unwrap_err(), QueensError::Length { n: 4, queens: 5 });
}

#[test]
fn the_judge_knows_solutions_from_all_else() {
    let boards = |n: u8| {
        (0..u64::from(n).pow(n.into())).map(move |code| {
            (0..n).map(|i| (code / u64::from(n).pow(i.into()) % u64::from(n)) as u8).collect::<Vec<_>>()
        })
    };

    for n in 1..=6 {
        assert_eq!(boards(n).filter(|board| is_solution(n, board)).count() as u64, COUNTS[usize::from(n)], "n = {n}");
    }
    assert!(!is_solution(0, &[]) && !is_solution(33, &[0; 33]));
    assert!(!is_solution(4, &[1, 3, 0]) && !is_solution(4, &[1, 3, 0, 2, 0]) && !is_solution(4, &[1, 3, 0, 4]));
}

#[test]
fn a_stop_is_obeyed_within_milliseconds() {
    for isa in Isa::available() {
        for n in [16, 18, 19, 32] {
            let begin = Instant::now();

            let answer = queens::count(isa, n, &[], &Stop::after(Duration::from_millis(20)));

            // A count of n = 16 may come to its end in time on a fast machine in the future.
            assert!(answer == Ok(None) || n == 16, "{isa}, n = {n}");
            assert!(begin.elapsed() < Duration::from_millis(120), "{isa}, n = {n}: {:?}", begin.elapsed());
        }
    }
}

#[test]
fn a_stop_that_came_before_means_no_answer() {
    let stop = Stop::new();
    stop.set();

    for isa in Isa::available() {
        assert_eq!(queens::count(isa, 8, &[], &stop), Ok(None));
        assert_eq!(queens::count(isa, 18, &[3], &stop), Ok(None));
    }
    assert_eq!(queens::list(14, &[], u64::MAX, &stop, &mut Vec::new()), Ok(None));
}
