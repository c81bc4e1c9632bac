//! Results to rows of text: what each row says; `csv.rs` and `jsonl.rs` say it.

use std::borrow::Cow;
use std::fmt::Write;

use super::excerpt::showable;
use super::layout::Layout;
use super::{csv, jsonl};
use crate::grid::{CELLS, Cells, Outcome, Status, UNREADABLE, clash, is_solution_of};
use crate::wire::{Beside, Entry, Kept, Results, Row, Rows, WireError, has_search, open_puzzles, unpack_into};

/// The names of the statuses, by their numbers on the wire.
pub const STATUS_NAMES: [&str; 8] =
    ["unfinished", "unique", "multiple", "unsolvable", "invalid", "solved", "gave_up", "failed"];

/// The note of a puzzle with the status `failed`.
pub const FAILED_NOTE: &str = "three times alone in its chunk, and each time its worker died";

/// The note of a puzzle whose given solution is none.
pub const DIFFERS_NOTE: &str = "differs from the given solution";

/// A form of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values after RFC 4180; the header is [`Format::header`].
    Csv,
    /// One JSON object a line.
    Jsonl,
    /// The solution alone; an empty line where there is none.
    Lines,
    /// The puzzle alone, `0` for empty; an empty line where there is none.
    Sdm,
    /// The puzzle alone, `.` for empty; an empty line where there is none.
    Puzzles,
}

impl Format {
    /// Room for a usual row beside its source; less would make the output move while it grows.
    const fn usual_row_bytes(self) -> usize {
        match self {
            // 162 cells, and ids, times, a status and commas.
            Format::Csv => 256,
            // The same, and 122 bytes of keys, quotes and nulls.
            Format::Jsonl => 384,
            Format::Lines | Format::Sdm | Format::Puzzles => CELLS + 1,
        }
    }

    /// What stands before the first row.
    pub fn header(self, layout: &Layout) -> String {
        match self {
            Format::Csv => layout.csv_header(),
            _ => String::new(),
        }
    }
}

/// What one row of output says. Where nothing is to be said there is `None`, or an empty text.
#[derive(Clone, Copy)]
pub(super) struct Record<'a> {
    pub(super) id: u64,
    /// Which of the listed solutions this is, from 1.
    pub(super) nth: Option<u64>,
    /// The source, already in the form of the output.
    pub(super) source: &'a [u8],
    pub(super) line: u64,
    pub(super) label: &'a str,
    pub(super) puzzle: Option<&'a [u8; CELLS]>,
    pub(super) status: &'static str,
    pub(super) solutions: u32,
    pub(super) solution: Option<&'a [u8; CELLS]>,
    /// Guesses and time in ns.
    pub(super) effort: Option<(u32, u64)>,
    pub(super) note: &'a str,
    /// The form by which puzzles that are the same are known.
    pub(super) canonical: Option<[u8; CELLS]>,
    /// Id of the first row with this form.
    pub(super) same_as: Option<u64>,
    pub(super) kept: Kept<'a>,
}

/// Which puzzles of a chunk are the same as others; each part is about all its rows, or is empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct Twins<'a> {
    /// The form by which they are known, 81 bytes a row; all [`UNREADABLE`] where there is none.
    pub forms: &'a [u8],
    /// Id of the first row with this form; 0 for that row itself.
    pub same_as: &'a [u64],
    /// Whether the result is that of another row, so that no effort was spent.
    pub copied: &'a [bool],
}

/// The three payloads of a chunk, which are about the same rows.
#[derive(Clone, Copy, Debug)]
pub struct Answered<'a> {
    /// Where each row stood, and what stood beside it.
    pub rows: &'a [u8],
    /// The puzzles.
    pub puzzles: &'a [u8],
    /// What became of them, nothing unfinished. Where all solutions were asked for, each is a line of output.
    pub results: &'a [u8],
}

/// Appends the rows of a chunk as text to `out`; `first_id` is the id of the first, `sources` are the sources by their
/// index.
///
/// # Errors
/// A [`WireError`] if a payload is no good, if they are not about the same rows, or if a result is unfinished; `out`
/// then ends anywhere.
pub fn format_into<S: AsRef<[u8]>>(
    out: &mut Vec<u8>,
    kind: Format,
    layout: &Layout,
    first_id: u64,
    sources: &[S],
    chunk: Answered<'_>,
    twins: Twins<'_>,
) -> Result<(), WireError> {
    let (mut rows, puzzles, results) =
        (Rows::new(chunk.rows)?, open_puzzles(chunk.puzzles)?, Results::new(chunk.results)?);
    if rows.left() != results.left() || puzzles.len() != results.left() {
        return Err(WireError::Length("rows, puzzles and results are not about the same lines"));
    }
    let sources: Vec<Vec<u8>> = sources.iter().map(|source| encode_source(kind, source.as_ref())).collect();

    let source_bytes = sources.iter().map(Vec::len).max().unwrap_or(0);
    out.reserve(results.left() * (kind.usual_row_bytes() + source_bytes));
    let forms = twins.forms.as_chunks::<CELLS>().0;
    let mut note = String::new();
    // One place each for what is unpacked, and its characters: grids are large to be handed around.
    let (mut cells, mut answer) = ([0; CELLS], [0; CELLS]);
    let (mut puzzle, mut solution) = ([0; CELLS], [0; CELLS]);
    for ((packed, entry), at) in puzzles.iter().zip(results).zip(0..) {
        let entry = entry?;
        let row = match rows.plain() {
            Some((source, line)) => Row { source, line, ..Row::default() },
            None => rows.next().ok_or(WireError::Truncated)??,
        };
        unpack_into(packed, &mut cells)?;
        check(&row, &cells, entry.status)?;
        let is_readable = cells[0] != UNREADABLE;
        write_text(&cells, if kind == Format::Sdm { b'0' } else { b'.' }, &mut puzzle);
        if matches!(kind, Format::Sdm | Format::Puzzles) {
            push_line(out, is_readable.then_some(&puzzle));
            continue;
        }
        let is_solved = entry.solution_into(&mut answer)?;
        write_text(&answer, b'.', &mut solution);
        if kind == Format::Lines {
            push_solutions(out, &entry, is_solved.then_some(&solution))?;
            continue;
        }
        note.clear();
        write_note(&mut note, &row, &cells, entry.status, entry.guesses);
        let label = label_of(&row);
        let record = Record {
            id: first_id + at as u64,
            nth: None,
            source: sources.get(row.source as usize).ok_or(WireError::Value("a source that is not in the batch"))?,
            line: row.line,
            label: &label,
            puzzle: is_readable.then_some(&puzzle),
            status: STATUS_NAMES[entry.status as usize],
            solutions: entry.solutions,
            solution: is_solved.then_some(&solution),
            // A share of a chunk's time can round to nothing; a time is at least 1.
            effort: (has_search(entry.status) && !twins.copied.get(at).copied().unwrap_or(false))
                .then(|| (entry.guesses, entry.time_ns.max(1))),
            note: &note,
            canonical: forms.get(at).filter(|form| form[0] != UNREADABLE).map(|form| text_of(form, b'.')),
            same_as: twins.same_as.get(at).copied().filter(|&id| id > 0),
            kept: row.kept,
        };
        if !entry.is_listed() {
            write_record(out, kind, layout, &record)?;
            continue;
        }
        for (solution, nth) in entry.list().zip(1..) {
            let solution = text_of(&solution?, b'.');
            let record = Record { nth: Some(nth), solution: Some(&solution), ..record };
            write_record(out, kind, layout, &record)?;
        }
    }
    Ok(())
}

#[inline]
fn write_record(out: &mut Vec<u8>, kind: Format, layout: &Layout, record: &Record<'_>) -> Result<(), WireError> {
    match (kind, layout.is_usual()) {
        (Format::Csv, true) => csv::write_record(out, record),
        (Format::Csv, false) => layout.write_csv(out, record)?,
        (_, true) => jsonl::write_record(out, record),
        (_, false) => layout.write_jsonl(out, record)?,
    }
    Ok(())
}

/// Writes the 81 characters of a grid, or nothing, on a line of their own.
#[inline]
fn push_line(out: &mut Vec<u8>, grid: Option<&[u8; CELLS]>) {
    out.extend_from_slice(grid.map_or(&[], |text| &text[..]));
    out.push(b'\n');
}

/// Writes the solutions of a puzzle, all or the first, each on a line of its own; an empty line where there is none.
#[inline]
fn push_solutions(out: &mut Vec<u8>, entry: &Entry<'_>, first: Option<&[u8; CELLS]>) -> Result<(), WireError> {
    if !entry.is_listed() {
        push_line(out, first);
        return Ok(());
    }
    for solution in entry.list() {
        push_line(out, Some(&text_of(&solution?, b'.')));
    }
    Ok(())
}

/// Counts the rows with a given solution, and those among them for which it is none.
///
/// # Errors
/// A [`WireError`] if a payload is no good, or if they are not about the same lines.
pub fn count_given(rows: &[u8], puzzles: &[u8]) -> Result<(u64, u64), WireError> {
    let (mut compared, mut differing) = (0, 0);
    let (mut rows, puzzles) = (Rows::new(rows)?, open_puzzles(puzzles)?);
    if rows.left() != puzzles.len() {
        return Err(WireError::Length("rows and puzzles are not about the same lines"));
    }
    let mut cells = [0; CELLS];
    for packed in puzzles {
        if rows.plain().is_some() {
            continue;
        }
        if let Some(given) = rows.next().ok_or(WireError::Truncated)??.given {
            unpack_into(packed, &mut cells)?;
            compared += 1;
            differing += u64::from(differs(&given, &cells));
        }
    }
    Ok((compared, differing))
}

/// The outcomes of rows that were read and not solved: `Invalid`, or `Solved` with the given solution if there is one.
///
/// # Errors
/// A [`WireError`] if `rows` is no good payload, or not about these cells.
pub fn unsolved(rows: &[u8], cells: &[u8]) -> Result<Vec<Outcome>, WireError> {
    let (cells, _) = cells.as_chunks::<CELLS>();
    let rows = Rows::new(rows)?;
    if rows.left() != cells.len() {
        return Err(WireError::Length("rows and cells are not about the same puzzles"));
    }
    rows.zip(cells)
        .map(|(row, cells)| {
            if cells[0] == UNREADABLE || clash(cells).is_some() {
                return Ok(Outcome { status: Status::Invalid, ..Outcome::UNFINISHED });
            }
            let given = row?.given.filter(|given| given[0] != UNREADABLE);
            let solutions = u32::from(given.is_some());
            let solution = given.unwrap_or([0; CELLS]);
            Ok(Outcome { solution, status: Status::Solved, solutions, guesses: 0, time_ns: 0 })
        })
        .collect()
}

/// A row about which there is something to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Its source, by its index in the batch.
    pub source: u32,
    /// Its line, from 1.
    pub line: u64,
    /// What its note says.
    pub note: String,
}

/// The rows of a chunk that are invalid, or whose given solution is none; the figure is how many are invalid.
///
/// # Errors
/// A [`WireError`] if `rows` is no good payload, or not about these cells.
pub fn remarks(rows: &[u8], cells: &[u8]) -> Result<(u64, Vec<Remark>), WireError> {
    let outcomes = unsolved(rows, cells)?;
    let (mut invalid, mut found) = (0, Vec::new());
    let (cells, _) = cells.as_chunks::<CELLS>();
    for ((row, cells), outcome) in Rows::new(rows)?.zip(cells).zip(&outcomes) {
        let row = row?;
        invalid += u64::from(outcome.status == Status::Invalid);
        let mut note = String::new();
        write_note(&mut note, &row, cells, outcome.status, 0);
        if !note.is_empty() {
            found.push(Remark { source: row.source, line: row.line, note });
        }
    }
    Ok((invalid, found))
}

/// Whether a given solution is none of the puzzle's.
///
/// A puzzle with several solutions may come with any of them, so it is not compared with the one that was found; where
/// there is one solution this is the same.
fn differs(given: &Cells, cells: &Cells) -> bool {
    !is_solution_of(given, cells)
}

/// Counts results by the numbers of their statuses.
pub fn count_statuses(outcomes: &[Outcome]) -> [u64; STATUS_NAMES.len()] {
    let mut counts = [0; STATUS_NAMES.len()];
    for outcome in outcomes {
        counts[outcome.status as usize] += 1;
    }
    counts
}

/// Checks that a row, its cells and its result can be about the same line.
#[inline]
fn check(row: &Row<'_>, cells: &Cells, status: Status) -> Result<(), WireError> {
    if status == Status::Unfinished {
        return Err(WireError::Value("an unfinished result"));
    }
    match row.beside {
        Beside::Unreadable { .. } if cells != &[UNREADABLE; CELLS] => {
            Err(WireError::Value("an unreadable line with cells"))
        }
        Beside::Unreadable { .. } if has_search(status) => Err(WireError::Value("an answer to an unreadable line")),
        // All cells of a puzzle are digits, or all say that it is none.
        Beside::Nothing | Beside::Label(_) if cells[0] > 9 => {
            Err(WireError::Value("a puzzle with a cell that is no digit"))
        }
        _ => Ok(()),
    }
}

/// The 81 characters of a grid.
fn text_of(cells: &Cells, empty: u8) -> [u8; CELLS] {
    let mut text = [0; CELLS];
    write_text(cells, empty, &mut text);
    text
}

/// Writes the 81 characters of a grid; of one that could not be read, whatever comes.
#[inline]
fn write_text(cells: &Cells, empty: u8, text: &mut [u8; CELLS]) {
    for (character, &cell) in text.iter_mut().zip(cells) {
        *character = if cell == 0 { empty } else { cell + b'0' };
    }
}

fn encode_source(kind: Format, source: &[u8]) -> Vec<u8> {
    let source = String::from_utf8_lossy(source);
    let mut encoded = Vec::with_capacity(source.len() + 2);
    match kind {
        Format::Csv => csv::push_field(&mut encoded, &source),
        Format::Jsonl => jsonl::push_string(&mut encoded, &source),
        _ => {}
    }
    encoded
}

/// The label, fit to be shown.
fn label_of<'a>(row: &Row<'a>) -> Cow<'a, str> {
    let Beside::Label(label) = row.beside else { return Cow::Borrowed("") };
    showable(label)
}

/// Why a row has no answer, if it has none.
#[inline]
fn write_note(note: &mut String, row: &Row<'_>, cells: &Cells, status: Status, guesses: u32) {
    let written = match (status, row.beside) {
        (Status::Invalid, Beside::Unreadable { reason, raw }) => write!(note, "{reason}: {raw}"),
        (Status::Invalid, _) => match clash(cells) {
            Some(clash) => write!(note, "{clash}"),
            None => Ok(()),
        },
        (Status::GaveUp, _) => write!(note, "gave up after {guesses} guesses"),
        (Status::Failed, _) => write!(note, "{FAILED_NOTE}"),
        _ => Ok(()),
    };
    debug_assert!(written.is_ok(), "a String takes everything");
    if row.given.is_some_and(|given| differs(&given, cells)) {
        note.push_str(if note.is_empty() { "" } else { "; " });
        note.push_str(DIFFERS_NOTE);
    }
}
