//! Lists: complete, valid, distinct, in order, and cut where asked.

mod queens_support;

use std::time::{Duration, Instant};

use gridmill::dispatch::Isa;
use gridmill::queens::{self, COUNTS, is_solution};
use gridmill::stop::Stop;
use queens_support::{listed, plain_count, prefixes};

#[test]
fn every_solution_is_listed_once_in_lexicographic_order() {
    for n in 1..=13 {
        let boards = listed(n, &[]);

        assert!(boards.iter().all(|board| is_solution(n, board)), "n = {n}");
        assert!(boards.is_sorted_by(|a, b| a < b), "n = {n}");
        assert_eq!(boards.len() as u64, COUNTS[usize::from(n)], "n = {n}");
    }
}

#[test]
fn every_isa_lists_the_same_bytes() {
    for (n, prefix, most) in [(8, &[][..], 50), (12, &[], u64::MAX), (14, &[3, 7], u64::MAX), (17, &[0, 4, 7], 1000)] {
        let list = |isa| {
            let mut out = Vec::new();
            let found = queens::list_by(isa, n, prefix, most, &Stop::new(), &mut out);
            (found, out)
        };
        let wanted = list(Isa::Portable);

        for isa in Isa::available() {
            assert_eq!(list(isa), wanted, "{isa}, n = {n}, {prefix:?}");
        }
    }
}

#[test]
fn the_whole_list_of_14_has_the_published_length() {
    let boards = listed(14, &[]);

    assert_eq!(boards.len() as u64, COUNTS[14]);
    assert!(boards.is_sorted_by(|a, b| a < b) && boards.iter().all(|board| is_solution(14, board)));
}

#[test]
fn the_lists_of_the_prefixes_follow_one_another() {
    for (n, depth) in [(8, 1), (8, 5), (9, 9), (10, 3), (12, 2)] {
        let pieces: Vec<Vec<u8>> = prefixes(n, depth).iter().flat_map(|prefix| listed(n, prefix)).collect();

        assert_eq!(pieces, listed(n, &[]), "n = {n}, depth {depth}");
    }
}

#[test]
fn a_list_ends_where_it_was_told_to() {
    let all = listed(10, &[]).concat();

    for most in [0, 1, 2, 7, 100, 723, 724, 725, u64::MAX] {
        let mut out = Vec::new();
        let found = queens::list(10, &[], most, &Stop::new(), &mut out);
        assert_eq!(found, Ok(Some(most.min(724))));
        assert_eq!(out, all[..10 * most.min(724) as usize]);
    }
}

#[test]
fn a_list_is_appended() {
    let mut out = vec![7, 7];

    let found = queens::list(4, &[], u64::MAX, &Stop::new(), &mut out);

    assert_eq!(found, Ok(Some(2)));
    assert_eq!(out, [7, 7, 1, 3, 0, 2, 2, 0, 3, 1]);
}

#[test]
fn the_first_solution_of_large_boards_is_found() {
    for n in [17, 18, 19, 20, 21, 23, 25] {
        let mut out = Vec::new();

        assert_eq!(queens::list(n, &[], 1, &Stop::new(), &mut out), Ok(Some(1)), "n = {n}");

        assert!(is_solution(n, &out), "n = {n}: {out:?}");
    }
}

#[test]
fn deep_prefixes_of_large_boards_list_what_they_count() {
    for n in 17..=32_u8 {
        // Given: knight moves leave few rows to be filled; the first 40 prefixes that go on from there.
        let begun: Vec<u8> = (0..n).step_by(2).take(usize::from(n / 2 - 3)).collect();
        let mut out = Vec::new();

        let found = queens::list(n, &begun, 40, &Stop::after(Duration::from_secs(1)), &mut out).unwrap();

        for board in out.chunks_exact(n.into()) {
            assert!(is_solution(n, board) && board.starts_with(&begun), "n = {n}");
            let prefix = &board[..usize::from(n - 9)];
            assert_eq!(listed(n, prefix).len() as u64, plain_count(n, prefix), "n = {n}, {prefix:?}");
        }
        assert!(found.is_some() || n > 24, "n = {n}");
    }
}

#[test]
fn a_stopped_list_holds_whole_solutions_only() {
    let begin = Instant::now();
    let mut out = Vec::new();

    let found = queens::list(18, &[], u64::MAX, &Stop::after(Duration::from_millis(30)), &mut out);

    assert_eq!(found, Ok(None));
    assert!(begin.elapsed() < Duration::from_millis(250), "{:?}", begin.elapsed());
    assert!(out.len().is_multiple_of(18) && out.chunks_exact(18).all(|board| is_solution(18, board)));
    assert!(!out.is_empty());
}
