//! Results to rows of text, read back by the readers that other people use.

use gridmill::grid::{CELLS, Cells, Outcome, Status, UNREADABLE};
use gridmill::rows::{Answered, Twins, format_into};
use gridmill::rows::{COLUMNS, FAILED_NOTE, Format, Layout, STATUS_NAMES, count_statuses};
use gridmill::wire::{Beside, Row, RowsWriter, WireError, pack_puzzles, pack_results};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;

const EMPTY: Cells = [0; CELLS];
const NO_PUZZLE: Cells = [UNREADABLE; CELLS];
const SOURCES: [&str; 2] = ["a.txt", "b \"2\",\n\u{e9}.zip!c"];

/// A full grid with a 1 at the top left, and its 81 characters.
fn solved() -> (Cells, String) {
    let cells: Cells = std::array::from_fn(|cell| ((cell / 9 * 3 + cell / 27 + cell % 9) % 9 + 1) as u8);
    (cells, cells.iter().map(|cell| cell.to_string()).collect())
}

fn searched(status: Status, solutions: u32, guesses: u32, time_ns: u64) -> Outcome {
    let solution = if solutions > 0 { solved().0 } else { EMPTY };
    Outcome { solution, status, solutions, guesses, time_ns }
}

fn unsearched(status: Status) -> Outcome {
    Outcome { status, ..Outcome::UNFINISHED }
}

fn label(text: &[u8]) -> Beside<'_> {
    if text.is_empty() { Beside::Nothing } else { Beside::Label(text) }
}

/// The rows of a chunk, with the usual columns.
fn format(
    kind: Format,
    first_id: u64,
    sources: &[&str],
    rows: &[u8],
    cells: &[u8],
    outcomes: &[Outcome],
) -> Result<Vec<u8>, WireError> {
    let (puzzles, results) = (pack_puzzles(cells)?, pack_results(outcomes)?);
    let chunk = Answered { rows, puzzles: &puzzles, results: &results };
    let mut out = Vec::new();
    format_into(&mut out, kind, &Layout::default(), first_id, sources, chunk, Twins::default())?;
    Ok(out)
}

/// Rows on lines 10, 11, ... of source 1, written in a format from id 100 on.
fn written(kind: Format, rows: &[(Beside<'_>, Cells, Outcome)]) -> Result<String, WireError> {
    let mut writer = RowsWriter::new();
    for ((beside, ..), line) in rows.iter().zip(10..) {
        writer.push(&Row { source: 1, line, beside: *beside, ..Row::default() });
    }
    let payload = writer.finish().expect("a small payload");
    let cells: Vec<u8> = rows.iter().flat_map(|row| row.1).collect();
    let outcomes: Vec<Outcome> = rows.iter().map(|row| row.2).collect();
    let text = format(kind, 100, &SOURCES, &payload, &cells, &outcomes)?;
    Ok(String::from_utf8(text).expect("output is UTF-8"))
}

/// The rows of a CSV text by an independent reader, header checked and left out.
fn read_csv(text: &str) -> Vec<Vec<String>> {
    let text = Format::Csv.header(&Layout::default()) + text;
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    assert_eq!(reader.headers().expect("a header"), &COLUMNS[..]);
    reader.records().map(|record| record.expect("a record").iter().map(str::to_owned).collect()).collect()
}

/// The rows of a JSON lines text in the form the CSV rows have; numbers as their digits, null as nothing.
fn read_jsonl(text: &str) -> Vec<Vec<String>> {
    let plain = |value: &Value| match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    text.lines()
        .map(|line| {
            let object: Value = serde_json::from_str(line).expect("a JSON object");
            assert_eq!(object.as_object().expect("an object").len(), COLUMNS.len());
            let places: Vec<_> =
                COLUMNS.iter().map(|key| line.find(&format!("\"{key}\":")).expect("the key")).collect();
            assert!(places.is_sorted(), "keys in the order of the columns");
            COLUMNS.iter().map(|key| plain(&object[key])).collect()
        })
        .collect()
}

fn a_row_of_each_status() -> Vec<(Beside<'static>, Cells, Outcome)> {
    let mut clashing = EMPTY;
    (clashing[0], clashing[8]) = (9, 9);
    let unreadable = Beside::Unreadable { reason: "80 cells where 81 are needed", raw: "\"..\", 3" };
    vec![
        (Beside::Nothing, EMPTY, searched(Status::Unique, 1, 0, 0)),
        (Beside::Label(b"easy, \"7\""), EMPTY, searched(Status::Multiple, 2, 3, 250)),
        (Beside::Label(b"\xff\0\tx"), EMPTY, searched(Status::Unsolvable, 0, 12, 1_000_000_000_000)),
        (Beside::Nothing, clashing, unsearched(Status::Invalid)),
        (unreadable, NO_PUZZLE, unsearched(Status::Invalid)),
        (Beside::Nothing, EMPTY, searched(Status::Solved, 1, 4_294_967_295, 7)),
        (Beside::Nothing, EMPTY, searched(Status::GaveUp, 1, 50, 9)),
        (Beside::Nothing, EMPTY, searched(Status::GaveUp, 0, 50, 9)),
        (Beside::Nothing, EMPTY, unsearched(Status::Failed)),
    ]
}

#[test]
fn each_status_says_what_it_knows_and_nothing_else() {
    let (_, solution) = solved();
    let empty = ".".repeat(CELLS);
    let clashing = format!("9.......9{}", ".".repeat(72));
    let source = SOURCES[1];

    let text = written(Format::Csv, &a_row_of_each_status()).expect("rows that fit");

    let rows = [
        ["100", source, "10", "", &empty, "unique", "1", &solution, "0", "1", ""],
        ["101", source, "11", "easy, \"7\"", &empty, "multiple", "2", &solution, "3", "250", ""],
        ["102", source, "12", "\u{fffd}\u{fffd}\tx", &empty, "unsolvable", "0", "", "12", "1000000000000", ""],
        ["103", source, "13", "", &clashing, "invalid", "0", "", "", "", "two 9s in row 1"],
        ["104", source, "14", "", "", "invalid", "0", "", "", "", "80 cells where 81 are needed: \"..\", 3"],
        ["105", source, "15", "", &empty, "solved", "1", &solution, "4294967295", "7", ""],
        ["106", source, "16", "", &empty, "gave_up", "1", &solution, "50", "9", "gave up after 50 guesses"],
        ["107", source, "17", "", &empty, "gave_up", "0", "", "50", "9", "gave up after 50 guesses"],
        ["108", source, "18", "", &empty, "failed", "0", "", "", "", FAILED_NOTE],
    ];
    assert_eq!(read_csv(&text), rows);
}

#[test]
fn a_plain_row_is_written_without_quotes() {
    let mut writer = RowsWriter::new();
    writer.push(&Row { source: 0, line: 7, beside: Beside::Label(b"x"), ..Row::default() });
    let (cells, solution) = solved();

    let outcome = searched(Status::Unique, 1, 0, 42);
    let text = format(Format::Csv, 1, &SOURCES, &writer.finish().expect("a row"), &cells, &[outcome]);

    let wanted = format!("1,a.txt,7,x,{solution},unique,1,{solution},0,42,\n");
    assert_eq!(text.map(String::from_utf8), Ok(Ok(wanted)));
}

#[test]
fn json_lines_say_the_same_as_csv() {
    let rows = a_row_of_each_status();

    let csv = written(Format::Csv, &rows).expect("rows that fit");
    let jsonl = written(Format::Jsonl, &rows).expect("rows that fit");

    assert_eq!(read_jsonl(&jsonl), read_csv(&csv));
    assert_eq!(jsonl.lines().count(), rows.len());
}

#[test]
fn json_numbers_that_a_double_cannot_hold_are_strings() {
    let edge = 1 << 53;
    let times = [edge, edge + 1, u64::MAX];
    let rows = times.map(|time_ns| (Beside::Nothing, EMPTY, searched(Status::Unsolvable, 0, 0, time_ns)));

    let text = written(Format::Jsonl, &rows).expect("rows that fit");

    for (line, end) in text.lines().zip(["9007199254740992", "\"9007199254740993\"", "\"18446744073709551615\""]) {
        assert!(line.ends_with(&format!(",\"time_ns\":{end},\"note\":null}}")), "{line}");
    }
}

#[test]
fn lines_are_solutions_alone_and_keep_their_places() {
    let (_, solution) = solved();

    let text = written(Format::Lines, &a_row_of_each_status()).expect("rows that fit");

    let s = solution.as_str();
    assert_eq!(text.split('\n').collect::<Vec<_>>(), [s, s, "", "", "", s, s, "", "", ""]);
}

#[test]
fn parts_that_do_not_belong_together_are_refused() {
    let unreadable = Beside::Unreadable { reason: "r", raw: "" };
    let unique = searched(Status::Unique, 1, 0, 1);
    let invalid = unsearched(Status::Invalid);

    for kind in [Format::Csv, Format::Jsonl, Format::Lines] {
        for row in [
            (Beside::Nothing, EMPTY, Outcome::UNFINISHED),
            (Beside::Nothing, NO_PUZZLE, invalid),
            (unreadable, EMPTY, invalid),
            (unreadable, NO_PUZZLE, unique),
        ] {
            assert!(matches!(written(kind, &[row]), Err(WireError::Value(_))), "{row:?}");
        }
        let no_rows = RowsWriter::new().finish().expect("no rows");
        assert!(matches!(format(kind, 1, &SOURCES, &no_rows, &EMPTY, &[unique]), Err(WireError::Length(_))));
        assert!(matches!(format(kind, 1, &SOURCES, &no_rows, &[0], &[]), Err(WireError::Length(_))));
    }
    let mut elsewhere = RowsWriter::new();
    elsewhere.push(&Row { source: 2, line: 1, beside: Beside::Nothing, ..Row::default() });
    let elsewhere = elsewhere.finish().expect("a row");
    assert!(matches!(format(Format::Csv, 1, &SOURCES, &elsewhere, &EMPTY, &[unique]), Err(WireError::Value(_))));
}

#[test]
fn statuses_are_counted_by_number() {
    let outcomes: Vec<Outcome> = a_row_of_each_status().into_iter().map(|row| row.2).collect();

    let counts = count_statuses(&outcomes);

    let named: Vec<_> = STATUS_NAMES.iter().zip(counts).filter(|(_, count)| *count != 1).collect();
    assert_eq!(named, [(&"unfinished", 0), (&"invalid", 2), (&"gave_up", 2)]);
}

#[test]
fn the_header_names_the_columns() {
    assert_eq!(Format::Csv.header(&Layout::default()), COLUMNS.join(",") + "\n");
}

proptest! {
    #[test]
    fn any_label_and_raw_text_come_back_from_csv_and_jsonl(text in ".{0,20}", bytes in vec(any::<u8>(), 0..20)) {
        let unreadable = Beside::Unreadable { reason: "r", raw: &text };
        let rows = [
            (label(text.as_bytes()), EMPTY, searched(Status::Unique, 1, 0, 1)),
            (label(&bytes), EMPTY, searched(Status::Unique, 1, 0, 1)),
            (unreadable, NO_PUZZLE, unsearched(Status::Invalid)),
        ];

        let csv = read_csv(&written(Format::Csv, &rows).expect("rows that fit"));
        let jsonl = read_jsonl(&written(Format::Jsonl, &rows).expect("rows that fit"));

        prop_assert_eq!(&csv, &jsonl);
        let shown: String = text.chars().map(|c| if c.is_control() && c != '\t' { '\u{fffd}' } else { c }).collect();
        prop_assert_eq!(&csv[0][3], &shown);
        prop_assert!(!csv[1][3].chars().any(|c| c.is_control() && c != '\t'));
        prop_assert_eq!(&csv[2][10], &format!("r: {text}"));
    }
}
