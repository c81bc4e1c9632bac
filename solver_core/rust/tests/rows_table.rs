//! Records of tables: whatever the cut into blocks, and whatever stands in quotes.

use gridmill::grid::CELLS;
use gridmill::rows::{Columns, LONG_LINE_BYTES, Parsed, Table, Tallies, holds_puzzle};
use gridmill::wire::{Beside, Rows};
use proptest::collection::vec;
use proptest::prelude::*;

const PUZZLE: &str = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..";
const SOLUTION: &str = "483921657967345821251876493548132976729564138136798245372689514814253769695417382";

#[derive(Debug, Default, PartialEq)]
struct Read {
    cells: Vec<u8>,
    rows: Vec<u8>,
    tallies: Tallies,
}

fn columns() -> Columns {
    Columns { puzzle: 1, solution: Some(2), label: None, kept: vec![Some(0), None], title: b"puzzle".to_vec() }
}

fn read_in_blocks(text: &[u8], sizes: &[usize], max_rows: usize) -> Read {
    let mut table = Table::new(0, b',', columns());
    let mut parsed = Parsed::default();
    let (mut from, mut to) = (0, 0);
    let mut sizes = sizes.iter().cycle();
    while from < text.len() {
        let at_end = to == text.len();
        let consumed = table.read(&text[from..to], at_end, max_rows, Some(&mut parsed));
        from += consumed;
        if consumed == 0 {
            assert!(!at_end, "the end of the text was not taken");
            to = (to + sizes.next().expect("an endless cycle")).min(text.len());
        }
    }
    let rows = parsed.rows.finish().expect("a small payload");
    Read { cells: parsed.cells, rows, tallies: table.tallies() }
}

fn texts() -> impl Strategy<Value = Vec<u8>> {
    let fragment = prop_oneof![
        4 => Just(format!("1,{PUZZLE},{SOLUTION}\n").into_bytes()),
        4 => Just(format!("1,\"{PUZZLE}\",x\n").into_bytes()),
        6 => prop::sample::select(&["\n", "\r\n", "\r", "\"", "\"\"", ",", "a", "#", "\"a\nb\"", "id,puzzle\n"][..])
            .prop_map(|text| text.into()),
        1 => vec(any::<u8>(), 0..9),
    ];
    vec(fragment, 0..30).prop_map(|fragments| fragments.concat())
}

proptest! {
    #[test]
    fn blocks_of_any_size_give_the_same_rows(text in texts(), sizes in vec(1..200usize, 1..6), max_rows in 1..5usize) {
        let whole = read_in_blocks(&text, &[usize::MAX / 2], usize::MAX);

        prop_assert_eq!(read_in_blocks(&text, &sizes, max_rows), whole);
    }

    #[test]
    fn every_line_is_counted_once_and_skipping_counts_as_reading_does(text in texts()) {
        let read = read_in_blocks(&text, &[usize::MAX / 2], usize::MAX);

        let mut skipping = Table::new(0, b',', columns());
        prop_assert_eq!(skipping.read(&text, true, usize::MAX, None), text.len());

        let Tallies { total, blank, comment, structure, puzzle } = read.tallies;
        prop_assert_eq!(total, blank + comment + structure + puzzle);
        prop_assert_eq!(read.cells.len() as u64, puzzle * CELLS as u64);
        prop_assert_eq!(skipping.tallies(), read.tallies);
    }
}

#[test]
fn a_record_tells_its_label_its_solution_and_what_is_kept() {
    let read =
        read_in_blocks(format!("id,puzzle,s,l\n\"7\",{PUZZLE},{SOLUTION},\"a \"\"b\"\"\"\n").as_bytes(), &[9], 9);

    let row = Rows::new(&read.rows).expect("rows").next().expect("a row").expect("a good row");
    let kept: Vec<_> = row.kept.fields().collect::<Result<_, _>>().expect("fields");
    assert_eq!(row.beside, Beside::Label(b"7,a \"b\""));
    assert_eq!(row.given.map(|cells| cells.map(|cell| cell + b'0').to_vec()), Some(SOLUTION.into()));
    assert_eq!(kept, [&b"7"[..], b""]);
    assert_eq!(read.tallies.structure, 1);
}

#[test]
fn a_quote_that_is_never_closed_ends_with_its_line() {
    let open = "x".repeat(2 * LONG_LINE_BYTES / 100);
    let text = format!("1,\"{PUZZLE}\n{}", format!("2,{PUZZLE},{open}\n").repeat(60));

    let read = read_in_blocks(text.as_bytes(), &[LONG_LINE_BYTES + 4096], usize::MAX);

    assert_eq!(read.tallies, Tallies { total: 61, blank: 0, comment: 0, structure: 0, puzzle: 61 });
    assert_eq!(read.cells.iter().filter(|&&cell| cell > 9).count(), CELLS);
}

#[test]
fn a_puzzle_is_found_wherever_it_stands_in_a_line() {
    let spaced = PUZZLE.split("").collect::<Vec<_>>().join(" ");
    let thirds = (0..27).map(|at| &PUZZLE[3 * at..3 * at + 3]).collect::<Vec<_>>().join(" ");
    let fields = PUZZLE.split("").filter(|it| !it.is_empty()).collect::<Vec<_>>().join(",").replace('.', "");
    for line in [
        PUZZLE,
        &format!("a1b2 {PUZZLE}  5.6"),
        &format!("7,\"{PUZZLE}\",x"),
        &format!(":0702:9:{}:412::", PUZZLE.replacen('6', "+6", 1)),
        &spaced,
        &thirds,
        &fields,
    ] {
        assert!(holds_puzzle(line.as_bytes()), "{line}");
    }
    for line in ["", "hello", &PUZZLE[1..], &format!("{PUZZLE}{PUZZLE}"), &format!("{spaced} 1"), "8960 9"] {
        assert!(!holds_puzzle(line.as_bytes()), "{line}");
    }
}
