//! Lines of text to rows: every line is told apart, and no cut of the text into blocks changes what is read.

use gridmill::grid::{CELLS, UNREADABLE};
use gridmill::rows::{EXCERPT_CHARACTERS, LONG_LINE_BYTES, Parsed, Parser, Place, Tallies};
use gridmill::wire::{Beside, Rows, unpack_puzzles};
use proptest::collection::vec;
use proptest::prelude::*;

const PUZZLE: &str = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..";

/// All that one reading gives, in a form that can be compared.
#[derive(Debug, Default, PartialEq)]
struct Read {
    cells: Vec<u8>,
    rows: Vec<u8>,
    tallies: Tallies,
}

impl Read {
    /// (line, text) of each row: the label of a puzzle, or why there is none.
    fn rows(&self) -> Vec<(u64, String)> {
        let rows = Rows::new(&self.rows).expect("a payload of rows");
        rows.map(|row| {
            let row = row.expect("a row");
            match row.beside {
                Beside::Nothing => (row.line, String::new()),
                Beside::Label(label) => (row.line, String::from_utf8_lossy(label).into_owned()),
                Beside::Unreadable { reason, raw } => (row.line, format!("{reason}: {raw}")),
            }
        })
        .collect()
    }
}

/// Reads a text that comes in blocks of the given sizes (over and over) and rows of at most `max_rows` a call.
fn read_in_blocks(text: &[u8], sizes: &[usize], max_rows: usize) -> Read {
    let mut parser = Parser::new(3, Place::START);
    let mut parsed = Parsed::default();
    let (mut from, mut to) = (0, 0);
    let mut sizes = sizes.iter().cycle();
    while from < text.len() {
        let at_end = to == text.len();
        let consumed = parser.parse(&text[from..to], at_end, max_rows, &mut parsed);
        from += consumed;
        if consumed == 0 {
            assert!(!at_end, "the end of the text was not taken");
            to = (to + sizes.next().expect("an endless cycle")).min(text.len());
        }
    }
    let rows = parsed.rows.finish().expect("a small payload");
    Read { cells: parsed.cells, rows, tallies: parser.tallies() }
}

fn read(text: impl AsRef<[u8]>) -> Read {
    read_in_blocks(text.as_ref(), &[usize::MAX / 2], usize::MAX)
}

fn skip(text: &[u8]) -> Tallies {
    let mut parser = Parser::new(3, Place::START);
    assert_eq!(parser.skip(text, true, usize::MAX), text.len());
    parser.tallies()
}

/// Texts made of what collections are made of, and of junk.
fn texts() -> impl Strategy<Value = Vec<u8>> {
    let fragment = prop_oneof![
        6 => Just(PUZZLE.as_bytes().to_vec()),
        6 => prop::sample::select(&["\n", "\r\n", "\r", "\r\r\n", "\n\n"][..]).prop_map(|end| end.into()),
        3 => prop::sample::select(&["#", ";", ",", ":", " ", "\t", "label", "11", "8960 9", "\u{feff}", "\u{e9}"][..])
            .prop_map(|text| text.into()),
        1 => vec(prop::sample::select(&b"123456789.0*_-xX?~"[..]), 75..90),
        1 => vec(any::<u8>(), 0..9),
    ];
    vec(fragment, 0..30).prop_map(|fragments| fragments.concat())
}

proptest! {
    #[test]
    fn blocks_of_any_size_give_the_same_rows(text in texts(), sizes in vec(1..200usize, 1..6), max_rows in 1..5usize) {
        let whole = read(&text);

        let in_blocks = read_in_blocks(&text, &sizes, max_rows);

        prop_assert_eq!(in_blocks, whole);
    }

    #[test]
    fn every_line_is_counted_once_and_every_row_has_its_cells(text in texts()) {
        let read = read(&text);

        let Tallies { total, blank, comment, structure, puzzle } = read.tallies;
        prop_assert_eq!(total, blank + comment + structure + puzzle);
        prop_assert_eq!(read.cells.len() as u64, puzzle * CELLS as u64);
        prop_assert_eq!(read.rows().len() as u64, puzzle);
        prop_assert!(read.cells.chunks(CELLS).all(|it| it.iter().all(|&c| c <= 9) || it == [UNREADABLE; CELLS]));
    }

    #[test]
    fn going_over_lines_counts_as_reading_them_does(text in texts()) {
        prop_assert_eq!(skip(&text), read(&text).tallies);
    }

    #[test]
    fn another_parser_goes_on_where_one_stopped(text in texts(), rows in 0..5usize) {
        let mut first = Parser::new(3, Place::START);
        let mut parsed = Parsed::default();

        let consumed = first.skip(&text, true, rows);
        Parser::new(3, Place::START).parse(&text[..consumed], true, usize::MAX, &mut parsed);
        let mut second = Parser::new(3, first.place());
        second.parse(&text[consumed..], true, usize::MAX, &mut parsed);

        let whole = read(&text);
        prop_assert_eq!(parsed.cells, whole.cells);
        prop_assert_eq!(parsed.rows.finish(), Ok(whole.rows));
        prop_assert_eq!(first.tallies().total + second.tallies().total, whole.tallies.total);
    }
}

#[test]
fn every_single_cut_of_a_mixed_text_gives_the_same_rows() {
    let text = format!("\u{feff}2\r\n# c\r\r\n{PUZZLE}\r{PUZZLE};x\r\r\n\n \t\n{PUZZLE}9\r\nhello\r\r{PUZZLE}");
    let whole = read(&text);

    assert_eq!(whole.rows().iter().map(|(line, _)| *line).collect::<Vec<_>>(), [3, 4, 7, 8, 10]);
    assert_eq!(whole.tallies, Tallies { total: 10, blank: 3, comment: 1, structure: 1, puzzle: 5 });
    for cut in 1..text.len() {
        assert_eq!(read_in_blocks(text.as_bytes(), &[cut, usize::MAX / 2], usize::MAX), whole, "cut at {cut}");
    }
}

#[test]
fn each_line_is_told_apart() {
    let text = [
        "  ",
        "; 007 a comment",
        "1465",
        "11",
        &format!("{PUZZLE} # easy 7"),
        &format!("{PUZZLE}\tA. N. Other\t6.6"),
        &format!("{PUZZLE},rated,7.2"),
        &format!("   {PUZZLE}   "),
        &format!("{PUZZLE}:1:483921657"),
        "# the end",
        &PUZZLE[1..],
        &format!("{PUZZLE}."),
        &PUZZLE.replace("..67", ".q67"),
        "hello world",
    ];

    let read = read(text.join("\n"));

    let rows = [
        (4, "2 cells where 81 are needed: 11".to_owned()),
        (5, "easy 7".to_owned()),
        (6, "A. N. Other\t6.6".to_owned()),
        (7, "rated,7.2".to_owned()),
        (8, String::new()),
        (9, "1:483921657".to_owned()),
        (11, format!("80 cells where 81 are needed: {}", &PUZZLE[1..])),
        (12, format!("82 characters in one piece, 81 are needed: {PUZZLE}.")),
        (13, format!("character 'q' at position 47: {}", PUZZLE.replace("..67", ".q67"))),
        (14, "character 'h' at position 1, 5 characters where 81 are needed: hello world".to_owned()),
    ];
    assert_eq!(read.rows(), rows);
    assert_eq!(read.tallies, Tallies { total: 14, blank: 1, comment: 2, structure: 1, puzzle: 10 });
}

#[test]
fn every_mark_of_an_empty_cell_reads_the_same() {
    let wanted = read(PUZZLE).cells;

    for mark in ".0_*-xX?~".chars() {
        let text = PUZZLE.replace('.', &mark.to_string());
        assert_eq!(read(text).cells, wanted, "{mark}");
    }
    assert_eq!(wanted.iter().filter(|&&cell| cell == 0).count(), PUZZLE.matches('.').count());
    assert_eq!(wanted[80 - 2], 3, "the last given of the puzzle");
}

#[test]
fn a_count_stands_at_the_top_alone() {
    for (top, structure) in
        [("11", 1), ("8960 9", 1), (" 11\t", 1), ("1 2 3", 0), ("12345678901", 0), ("11 puzzles", 0)]
    {
        let read = read(format!("\n# c\n{top}\n{PUZZLE}"));
        assert_eq!((read.tallies.structure, read.tallies.puzzle), (structure, 2 - structure), "{top}");
    }
}

#[test]
fn a_byte_order_mark_is_skipped_at_the_very_start_alone() {
    let read = read(format!("\u{feff}{PUZZLE}\n\u{feff}{PUZZLE}\n"));

    let notes = read.rows();
    assert_eq!(notes[0], (1, String::new()));
    assert!(notes[1].1.starts_with("82 characters in one piece"), "{notes:?}");
}

#[test]
fn a_line_of_junk_stays_one_row_fit_to_be_shown() {
    let junk = [&b"\0\x01\xff\xfe"[..], &[b'z'; 500]].concat();

    let rows = read(&junk).rows();

    assert_eq!(rows.len(), 1);
    let (_, raw) = rows[0].1.split_once(": ").expect("reason and raw text");
    assert_eq!(raw.chars().count(), EXCERPT_CHARACTERS);
    assert!(raw.starts_with("\u{fffd}\u{fffd}\u{fffd}\u{fffd}zz"));
}

#[test]
fn a_line_too_long_to_hold_is_one_row_and_its_neighbours_stand() {
    let long = "x".repeat(3 * LONG_LINE_BYTES);
    let text = format!("{PUZZLE}\n{long}\r\r\n#{long}\r\n{PUZZLE} {long}\n{PUZZLE}\r\n{long}");
    let whole = read(&text);

    let notes = whole.rows();
    assert_eq!(notes.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [1, 2, 4, 5, 6]);
    assert_eq!(notes[1].1, format!("a line of more than {LONG_LINE_BYTES} bytes: {}", "x".repeat(EXCERPT_CHARACTERS)));
    assert_eq!(whole.tallies, Tallies { total: 6, blank: 0, comment: 1, structure: 0, puzzle: 5 });
    assert_eq!(skip(text.as_bytes()), whole.tallies);
    for size in [LONG_LINE_BYTES / 3, LONG_LINE_BYTES + 4, 3 * LONG_LINE_BYTES + 1] {
        assert_eq!(read_in_blocks(text.as_bytes(), &[size], usize::MAX), whole, "blocks of {size}");
    }
}

#[test]
fn a_line_as_long_as_can_be_held_is_read_whole() {
    let label = "l".repeat(LONG_LINE_BYTES - CELLS - 1);

    let read = read(format!("{PUZZLE} {label}\r\n"));

    assert_eq!(read.rows(), [(1, label)]);
}

#[test]
fn cells_go_on_the_wire_as_they_are_read() {
    let read = read(format!("{PUZZLE}\nhello\n{PUZZLE}\n"));

    let payload = gridmill::wire::pack_puzzles(&read.cells).expect("whole puzzles");

    assert_eq!(unpack_puzzles(&payload), Ok(read.cells));
}
