//! Results with all their solutions: packed, put together from parts, written one a row.

use gridmill::grid::{Bounds, CELLS, Cells, Outcome, Status};
use gridmill::rows::{Answered, Format, Layout, Twins, format_into};
use gridmill::solo;
use gridmill::stop::Stop;
use gridmill::wire::{
    Row, RowsWriter, WireError, merge_results, pack_listed, pack_puzzles, pack_results, unfinished, unpack_lists,
    unpack_results,
};

/// Seventeen solutions.
const SEVERAL: &str = "...9....2.5.1.......7.435..375.2..8.4.1.........578..3.......287...1......9...65.";

fn cells(text: &str) -> Vec<u8> {
    text.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect()
}

fn listed(limit: u32) -> (Vec<u8>, Vec<Outcome>, Vec<Vec<Cells>>) {
    // No digit is left for the last cell of the first row.
    let none = "12345678.........9".to_owned() + &".".repeat(CELLS - 18);
    let cells = [cells(SEVERAL), cells(&none), cells(&".".repeat(CELLS))].concat();
    let (outcomes, lists) = solo::list_batch(&cells, &Bounds { limit, max_guesses: 1_000_000 }, &Stop::new());
    (cells, outcomes, lists)
}

#[test]
fn lists_come_back_as_they_went_and_the_first_solutions_stand_alone() {
    let (_, outcomes, lists) = listed(20);

    let payload = pack_listed(&outcomes, &lists).expect("lists that fit");

    assert_eq!(outcomes.iter().map(|outcome| outcome.solutions).collect::<Vec<_>>(), [17, 0, 20]);
    assert_eq!(unpack_lists(&payload), Ok(lists.clone()));
    assert_eq!(unpack_results(&payload), Ok(outcomes.clone()));
    assert_eq!(lists[0][0], outcomes[0].solution);
    assert!(pack_listed(&outcomes, &lists[..2]).is_err());
    assert_eq!(unpack_lists(&pack_results(&outcomes).expect("results")), Ok(vec![Vec::new(); 3]));
}

#[test]
fn parts_with_lists_are_put_together_whole() {
    let (_, outcomes, lists) = listed(5);
    let whole = pack_listed(&outcomes, &lists).expect("lists");
    let mut begun = outcomes.clone();
    (begun[0], begun[2]) = (Outcome::UNFINISHED, Outcome::UNFINISHED);
    let begun = pack_listed(&begun, &[vec![], vec![], vec![]]).expect("lists");
    let first = pack_listed(&outcomes[..1], &lists[..1]).expect("a list");
    let last = pack_listed(&outcomes[2..], &lists[2..]).expect("a list");

    assert_eq!(unfinished(&begun), Ok(vec![(0, 1), (2, 3)]));
    assert_eq!(merge_results(3, &[(0, &begun), (0, &first), (2, &last)]), Ok(whole));
}

#[test]
fn a_list_that_is_cut_or_of_nothing_is_refused() {
    let (_, outcomes, lists) = listed(3);
    let payload = pack_listed(&outcomes, &lists).expect("lists");

    for length in 0..payload.len() {
        assert!(unpack_lists(&payload[..length]).is_err());
    }
    // An unsolvable puzzle that says that a list follows: status, solutions, guesses and time.
    let mut wrong =
        pack_results(&[Outcome { status: Status::Unsolvable, time_ns: 1, ..Outcome::UNFINISHED }]).expect("one");
    wrong[20] |= 0x80;
    assert_eq!(unpack_results(&wrong), Err(WireError::Checksum));
}

#[test]
fn each_solution_has_a_row() {
    let (cells, outcomes, lists) = listed(3);
    let mut rows = RowsWriter::new();
    (1..=3).for_each(|line| rows.push(&Row { line, ..Row::default() }));
    let rows = rows.finish().expect("rows");
    let names = ["id", "nth", "solutions"].map(str::to_owned);
    let layout = Layout::new(&names, &[]).expect("columns that are there");
    let mut text = Vec::new();

    let (puzzles, results) = (pack_puzzles(&cells).expect("puzzles"), pack_listed(&outcomes, &lists).expect("lists"));
    let chunk = Answered { rows: &rows, puzzles: &puzzles, results: &results };
    format_into(&mut text, Format::Csv, &layout, 7, &["a"], chunk, Twins::default()).expect("rows that fit");

    assert_eq!(String::from_utf8(text).expect("UTF-8"), "7,1,3\n7,2,3\n7,3,3\n8,,0\n9,1,3\n9,2,3\n9,3,3\n");
}
