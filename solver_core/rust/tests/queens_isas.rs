//! Every isa counts what the plain recursion counts: all small boards, deep prefixes of large ones, published totals.

mod queens_support;

use std::sync::Once;

use gridmill::dispatch::Isa;
use gridmill::queens::{self, COUNTS, prefixes};
use gridmill::stop::Stop;
use queens_support::{known, plain_count};

/// Runs a test on every isa of this machine; says once which ones it lacks.
fn on_every_isa(test: impl Fn(Isa)) {
    static SAID: Once = Once::new();
    let (here, missing): (Vec<Isa>, Vec<Isa>) = Isa::ALL.into_iter().partition(|isa| isa.is_available());
    SAID.call_once(|| missing.iter().for_each(|isa| eprintln!("skipped: this machine has no {isa}")));
    here.into_iter().for_each(test);
}

fn count(isa: Isa, n: u8, prefix: &[u8]) -> u64 {
    queens::count(isa, n, prefix, &Stop::new()).unwrap().unwrap()
}

/// Every `step`-th prefix of a depth that a walk from the first row meets: `wanted` of them.
fn samples(n: u8, depth: u8, step: usize, wanted: usize) -> Vec<Vec<u8>> {
    prefixes(n, depth).unwrap().step_by(step).take(wanted).collect()
}

/// A prefix of `depth` queens drawn at random from a seed: in each row one of the open columns. `None` in a dead end.
fn drawn(n: u8, depth: u8, seed: u64) -> Option<Vec<u8>> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut columns: Vec<u8> = Vec::new();
    for row in 0..depth {
        let attacks = |column: u8| {
            (0..).zip(&columns).any(|(above, &other): (u8, _)| column == other || column.abs_diff(other) == row - above)
        };
        let open: Vec<u8> = (0..n).filter(|&column| !attacks(column)).collect();
        // xorshift64
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        columns.push(*open.get((state >> 33) as usize % open.len().max(1))?);
    }
    Some(columns)
}

#[test]
fn all_boards_up_to_12_have_the_published_counts() {
    on_every_isa(|isa| {
        for n in 1..=12 {
            assert_eq!(count(isa, n, &[]), COUNTS[usize::from(n)], "{isa}, n = {n}");
        }
    });
}

#[test]
fn every_short_prefix_has_the_count_of_the_plain_recursion() {
    for (n, depth) in [(8, 1), (9, 2), (10, 1), (10, 2), (10, 3), (11, 1), (11, 2), (11, 3), (12, 1), (12, 2), (12, 3)]
    {
        for prefix in prefixes(n, depth).unwrap() {
            let wanted = plain_count(n, &prefix);
            on_every_isa(|isa| assert_eq!(count(isa, n, &prefix), wanted, "{isa}, n = {n}, {prefix:?}"));
        }
    }
}

#[test]
fn boards_of_13_to_16_have_the_published_totals() {
    on_every_isa(|isa| {
        // The plain recursion would take seconds for the larger ones.
        let largest = if matches!(isa, Isa::Avx512 | Isa::Avx2) { 16 } else { 14 };
        for n in 13..=largest {
            assert_eq!(count(isa, n, &[]), COUNTS[usize::from(n)], "{isa}, n = {n}");
        }
    });
}

#[test]
fn a_board_of_17_has_the_published_total() {
    on_every_isa(|isa| {
        if matches!(isa, Isa::Avx512 | Isa::Avx2) {
            assert_eq!(count(isa, 17, &[]), COUNTS[17], "{isa}");
        }
    });
}

#[test]
fn the_first_column_of_18_has_the_published_count() {
    let Some(table) = known("nqueens_first_column_A059963.tsv") else { return };
    let Some(row) = table.iter().find(|row| row[0] == 18) else { panic!("no row of 18") };

    on_every_isa(|isa| {
        if matches!(isa, Isa::Avx512 | Isa::Avx2) {
            assert_eq!(count(isa, 18, &[0]), row[1], "{isa}");
        }
    });
}

#[test]
fn large_boards_behind_drawn_prefixes_have_the_count_of_the_plain_recursion() {
    for n in 13..=32_u8 {
        for rows_left in [3, 6, 9, 10, 11, 12] {
            let drawn = (0..400).filter_map(|seed| drawn(n, n - rows_left, seed + 1000 * u64::from(n)));
            for prefix in drawn.take(if rows_left < 11 { 60 } else { 8 }) {
                let wanted = plain_count(n, &prefix);
                on_every_isa(|isa| assert_eq!(count(isa, n, &prefix), wanted, "{isa}, n = {n}, {prefix:?}"));
            }
        }
    }
}

#[test]
fn border_queens_in_every_row_of_the_prefix_or_below_are_counted() {
    // Given: 17 and 18 columns in lanes of 16 bits; prefixes that hold border queens, and such that do not.
    for (n, depth) in [(17, 6), (17, 7), (18, 7), (18, 8)] {
        for prefix in samples(n, depth, 10_007, 100) {
            let wanted = plain_count(n, &prefix);
            on_every_isa(|isa| assert_eq!(count(isa, n, &prefix), wanted, "{isa}, n = {n}, {prefix:?}"));
        }
    }
}

#[test]
fn the_rows_of_a_large_board_add_up() {
    // Given: 12 rows left on boards beyond the reach of the 16-bit lanes.
    for n in [19, 20, 24] {
        let prefix = (0..200).find_map(|seed| drawn(n, n - 12, seed)).unwrap();

        on_every_isa(|isa| {
            let longer = (0..n).map(|column| [prefix.as_slice(), &[column]].concat());
            let sum: u64 = longer.map(|prefix| count(isa, n, &prefix)).sum();
            assert_eq!(count(isa, n, &prefix), sum, "{isa}, n = {n}");
        });
    }
}
