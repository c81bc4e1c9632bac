//! The packed payloads: what goes in comes out, and nothing hostile gets through.

use gridmill::grid::{CELLS, Cells, Outcome, Status, UNREADABLE};
use gridmill::wire::{
    Beside, HEADER_BYTES, PACKED_BYTES, Row, Rows, RowsWriter, WireError, pack_puzzles, pack_results, slice_puzzles,
    unpack_puzzles, unpack_results,
};
use proptest::collection::vec;
use proptest::prelude::*;

fn a_puzzle() -> impl Strategy<Value = Cells> {
    prop_oneof![9 => prop::array::uniform(0..=9u8), 1 => Just([UNREADABLE; CELLS])]
}

fn puzzles() -> impl Strategy<Value = Vec<u8>> {
    vec(a_puzzle(), 0..20).prop_map(|puzzles| puzzles.concat())
}

fn an_outcome() -> impl Strategy<Value = Outcome> {
    const SEARCHED: [Status; 5] =
        [Status::Unique, Status::Multiple, Status::Unsolvable, Status::Solved, Status::GaveUp];
    const BARE: [Status; 3] = [Status::Unfinished, Status::Invalid, Status::Failed];
    let numbers = (prop_oneof![Just(0u32), any::<u32>()], any::<u32>(), any::<u64>());
    prop_oneof![
        4 => (prop::sample::select(&SEARCHED[..]), prop::array::uniform(1..=9u8), numbers).prop_map(
            |(status, solution, (solutions, guesses, time_ns))| {
                let solution = if solutions > 0 { solution } else { [0; CELLS] };
                Outcome { solution, status, solutions, guesses, time_ns }
            }
        ),
        1 => prop::sample::select(&BARE[..]).prop_map(|status| Outcome { status, ..Outcome::UNFINISHED }),
    ]
}

/// A row that owns what it has.
#[derive(Clone, Debug)]
enum Owned {
    Puzzle(u32, u64, Vec<u8>),
    Unreadable(u32, u64, String, String),
}

impl Owned {
    fn row(&self) -> Row<'_> {
        match self {
            Owned::Puzzle(source, line, label) if label.is_empty() => {
                Row { source: *source, line: *line, beside: Beside::Nothing, ..Row::default() }
            }
            Owned::Puzzle(source, line, label) => {
                Row { source: *source, line: *line, beside: Beside::Label(label), ..Row::default() }
            }
            Owned::Unreadable(source, line, reason, raw) => {
                Row { source: *source, line: *line, beside: Beside::Unreadable { reason, raw }, ..Row::default() }
            }
        }
    }
}

fn a_row() -> impl Strategy<Value = Owned> {
    prop_oneof![
        (any::<u32>(), any::<u64>(), vec(any::<u8>(), 0..8)).prop_map(|(s, l, label)| Owned::Puzzle(s, l, label)),
        (any::<u32>(), any::<u64>(), ".{0,9}", ".{0,9}").prop_map(|(s, l, why, raw)| Owned::Unreadable(s, l, why, raw)),
    ]
}

fn pack_rows(rows: &[Owned]) -> Vec<u8> {
    let mut writer = RowsWriter::new();
    for row in rows {
        writer.push(&row.row());
    }
    writer.finish().expect("a small payload")
}

fn read_rows(payload: &[u8]) -> Result<Vec<Row<'_>>, WireError> {
    Rows::new(payload)?.collect()
}

/// The header again, after the test has changed something: a sender that lies, and whose checksum holds.
fn reseal(payload: &mut [u8]) {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&payload[..16]);
    hasher.update(&payload[HEADER_BYTES..]);
    payload[16..HEADER_BYTES].copy_from_slice(&hasher.finalize().to_le_bytes());
}

fn with_frame(magic: &[u8; 4], count: u32, body: &[u8]) -> Vec<u8> {
    let mut payload = magic.to_vec();
    payload.extend_from_slice(&[1, 0, 0, 0]);
    payload.extend_from_slice(&count.to_le_bytes());
    payload.extend_from_slice(&(body.len() as u32).to_le_bytes());
    payload.extend_from_slice(&[0; 4]);
    payload.extend_from_slice(body);
    reseal(&mut payload);
    payload
}

/// Reads a payload in every way there is; the errors must be one line each.
fn read_as_anything(payload: &[u8]) -> [Option<WireError>; 4] {
    let errors = [
        unpack_puzzles(payload).err(),
        slice_puzzles(payload, 0, 0).err(),
        unpack_results(payload).err(),
        read_rows(payload).err(),
    ];
    for error in errors.iter().flatten() {
        assert!(!error.to_string().contains('\n'));
    }
    errors
}

proptest! {
    #[test]
    fn puzzles_come_back_as_they_went(cells in puzzles()) {
        let payload = pack_puzzles(&cells).expect("whole puzzles");

        prop_assert_eq!(payload.len(), HEADER_BYTES + cells.len() / CELLS * PACKED_BYTES);
        prop_assert_eq!(unpack_puzzles(&payload), Ok(cells));
    }

    #[test]
    fn a_slice_is_the_payload_of_its_puzzles(cells in puzzles(), from in 0..25usize, to in 0..25usize) {
        let payload = pack_puzzles(&cells).expect("whole puzzles");

        let slice = slice_puzzles(&payload, from, to);

        match cells.get(from * CELLS..to * CELLS) {
            Some(wanted) => prop_assert_eq!(slice, pack_puzzles(wanted)),
            None => prop_assert_eq!(slice, Err(WireError::Slice { from, to, count: cells.len() / CELLS })),
        }
    }

    #[test]
    fn results_come_back_as_they_went(outcomes in vec(an_outcome(), 0..20)) {
        let payload = pack_results(&outcomes).expect("a small payload");

        prop_assert_eq!(unpack_results(&payload), Ok(outcomes));
    }

    #[test]
    fn rows_come_back_as_they_went(rows in vec(a_row(), 0..20)) {
        let payload = pack_rows(&rows);

        let read = read_rows(&payload);

        prop_assert_eq!(read, Ok(rows.iter().map(Owned::row).collect()));
    }

    #[test]
    fn a_changed_byte_never_gets_through(
        cells in puzzles(), outcomes in vec(an_outcome(), 0..9), rows in vec(a_row(), 0..9),
        at in any::<prop::sample::Index>(), change in 1..=u8::MAX,
    ) {
        for mut payload in [pack_puzzles(&cells).unwrap(), pack_results(&outcomes).unwrap(), pack_rows(&rows)] {
            let at = at.index(payload.len());
            payload[at] ^= change;

            prop_assert!(read_as_anything(&payload).iter().all(Option::is_some));
        }
    }

    #[test]
    fn a_cut_or_longer_payload_never_gets_through(
        cells in puzzles(), outcomes in vec(an_outcome(), 0..9), rows in vec(a_row(), 0..9),
        at in any::<prop::sample::Index>(), more in vec(any::<u8>(), 1..50),
    ) {
        for payload in [pack_puzzles(&cells).unwrap(), pack_results(&outcomes).unwrap(), pack_rows(&rows)] {
            let cut = &payload[..at.index(payload.len())];
            let longer = [&payload[..], &more].concat();

            prop_assert!(read_as_anything(cut).iter().all(Option::is_some));
            prop_assert!(read_as_anything(&longer).iter().all(Option::is_some));
        }
    }

    #[test]
    fn random_bytes_in_a_good_frame_are_read_or_refused(
        magic in prop::sample::select(&[b"GMPZ", b"GMRS", b"GMRW"][..]),
        count in prop_oneof![0..9u32, any::<u32>()],
        body in vec(prop_oneof![0..9u8, any::<u8>()], 0..300),
    ) {
        let payload = with_frame(magic, count, &body);

        // What is read at all is what that very payload says: packing it gives the same bytes.
        if let Ok(cells) = unpack_puzzles(&payload) {
            prop_assert_eq!(pack_puzzles(&cells), Ok(payload.clone()));
        }
        if let Ok(outcomes) = unpack_results(&payload) {
            prop_assert_eq!(pack_results(&outcomes), Ok(payload.clone()));
        }
        if let Ok(rows) = read_rows(&payload) {
            let mut writer = RowsWriter::new();
            rows.iter().for_each(|row| writer.push(row));
            prop_assert_eq!(writer.finish(), Ok(payload));
        }
    }

    #[test]
    fn random_bytes_are_refused(payload in vec(any::<u8>(), 0..300)) {
        prop_assert!(read_as_anything(&payload).iter().all(Option::is_some));
    }
}

#[test]
fn a_huge_count_is_refused_before_memory_is_claimed() {
    for magic in [b"GMPZ", b"GMRS", b"GMRW"] {
        let payload = with_frame(magic, u32::MAX, &[0; 60]);

        let errors = read_as_anything(&payload);

        assert!(errors.contains(&Some(WireError::Count(u32::MAX))), "{errors:?}");
    }
}

#[test]
fn entries_beyond_the_count_are_trailing_bytes() {
    let puzzle = [0; PACKED_BYTES];

    assert_eq!(unpack_puzzles(&with_frame(b"GMPZ", 1, &[puzzle, puzzle].concat())), Err(WireError::Trailing));
    assert_eq!(unpack_results(&with_frame(b"GMRS", 1, &[4, 4])), Err(WireError::Trailing));
    assert_eq!(read_rows(&with_frame(b"GMRW", 1, &[0, 1, 0, 0, 2, 0])), Err(WireError::Trailing));
    assert_eq!(read_rows(&with_frame(b"GMRW", 0, &[0])), Err(WireError::Trailing));
}

#[test]
fn values_out_of_range_are_refused_though_the_checksum_fits() {
    let mut eleven = [0; PACKED_BYTES];
    eleven[7] = 0xb0;
    let mut half_unreadable = [0xff; PACKED_BYTES];
    half_unreadable[3] = 0;
    let mut a_cell_too_many = [0; PACKED_BYTES];
    a_cell_too_many[PACKED_BYTES - 1] = 0x10;
    let unsolved = [&[Status::Unique as u8, 1, 0, 1][..], &[0; PACKED_BYTES]].concat();

    for packed in [eleven, half_unreadable, a_cell_too_many, [0xff; PACKED_BYTES]] {
        let read = unpack_puzzles(&with_frame(b"GMPZ", 1, &packed));
        assert_eq!(read, Err(WireError::Value("a cell that is no digit")));
    }
    assert!(matches!(unpack_results(&with_frame(b"GMRS", 1, &[8])), Err(WireError::Value(_))));
    assert!(matches!(unpack_results(&with_frame(b"GMRS", 1, &unsolved)), Err(WireError::Value(_))));
    assert!(matches!(read_rows(&with_frame(b"GMRW", 1, &[0, 1, 3])), Err(WireError::Value(_))));
    assert!(matches!(read_rows(&with_frame(b"GMRW", 1, &[0, 1, 2, 1, 0xff, 0])), Err(WireError::Value(_))));
}

#[test]
fn another_version_kind_or_flag_is_named() {
    let mut payload = pack_puzzles(&[0; CELLS]).expect("one puzzle");
    payload[4] = 2;
    reseal(&mut payload);
    let mut flagged = pack_puzzles(&[0; CELLS]).expect("one puzzle");
    flagged[7] = 1;
    reseal(&mut flagged);
    let results = pack_results(&[]).expect("no result");

    assert_eq!(unpack_puzzles(&payload).unwrap_err().to_string(), "wire version 2 is not 1");
    assert_eq!(unpack_puzzles(&flagged).unwrap_err().to_string(), "unknown flags 0x0100 in the payload");
    let error = unpack_puzzles(&results).unwrap_err().to_string();
    assert_eq!(error, "the payload begins with \"GMRS\", not \"GMPZ\"");
}

#[test]
fn cells_that_are_no_whole_puzzles_are_refused() {
    assert!(matches!(pack_puzzles(&[0; CELLS + 1]), Err(WireError::Length(_))));
}

#[test]
fn a_cell_that_is_no_digit_makes_its_whole_puzzle_unreadable() {
    let mut cells = [5; 2 * CELLS];
    cells[80] = 77;

    let read = unpack_puzzles(&pack_puzzles(&cells).expect("two puzzles")).expect("a good payload");

    assert_eq!(read, [[UNREADABLE; CELLS], [5; CELLS]].concat());
}
