//! One puzzle a line: text to cells and rows, block by block.
//!
//! A line is trimmed of blanks. Empty, it is blank; with `#` or `;` first, it is a comment; a count alone at the
//! top of a source (`1465`, or count and size, `8960 9`) is structure. Anything else is a row: one of its pieces
//! (between blanks, `,` `;` `:` or `#`) should be 81 cells, and what stands beside it is the label; `find.rs` has the
//! less usual ways.
//!
//! Reading does not depend on how the text is cut into blocks: a line that is not complete stays with the caller,
//! who gives it again with what follows. Blocks of [`LONG_LINE_BYTES`] + 4 bytes always get on.

use super::excerpt::excerpt;
use super::fault::{long_line_reason, names_a_size};
use super::find::{find_puzzle, split_given};
use super::lines::{LONG_LINE_BYTES, LineEnd, line_end};
use super::piece::{are_usual_cells, is_blank, label_of, read_cells, read_usual_cells, split_piece, trim};
use crate::grid::{CELLS, Cells, UNREADABLE};
use crate::wire::{Beside, Kept, Row, RowsWriter};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The longest number that is taken for a count at the top: ten digits, far above any collection, and far below
/// a puzzle that has lost leading zeros.
const COUNT_DIGITS: usize = 10;

/// Lines by what they are; `total` is the sum of the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tallies {
    /// All lines.
    pub total: u64,
    /// Lines with nothing on them.
    pub blank: u64,
    /// Lines that begin with `#` or `;`.
    pub comment: u64,
    /// Counts at the top.
    pub structure: u64,
    /// Rows, readable or not.
    pub puzzle: u64,
}

/// Where a parser stands in its source: all it needs to go on from there, in this process or another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number of the next line, from 1.
    pub line: u64,
    /// At the first byte, where a byte order mark may stand.
    pub at_start: bool,
    /// No row and no count has come yet, so a count may come.
    pub at_top: bool,
    /// In the rest of a line that was too long to be held; `line` is already that of the next.
    pub in_long_line: bool,
}

impl Place {
    /// The beginning of a source.
    pub const START: Place = Place { line: 1, at_start: true, at_top: true, in_long_line: false };
}

/// What was read: the same number of puzzles in both.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// 81 bytes a row.
    pub cells: Vec<u8>,
    /// Where each row stood, and what stood beside it.
    pub rows: RowsWriter,
    /// Rows that are puzzles, those of another size included.
    pub known: u64,
}

impl Parsed {
    /// Appends a puzzle.
    pub fn puzzle(
        &mut self,
        source: u32,
        line: u64,
        cells: &Cells,
        label: &[u8],
        given: Option<Cells>,
        kept: Kept<'_>,
    ) {
        self.known += 1;
        self.cells.extend_from_slice(cells);
        self.rows.push(&Row { source, line, beside: Beside::Label(label), given, kept });
    }

    /// Appends what a line without blanks at its ends holds: a puzzle, or an unreadable row.
    pub fn line(&mut self, source: u32, line: u64, text: &[u8]) {
        let (piece, rest) = split_piece(text);
        if let Some(cells) = <&Cells>::try_from(piece).ok().and_then(read_cells) {
            let (label, given) = split_given(label_of(rest));
            self.puzzle(source, line, &cells, &label, given, Kept::default());
            return;
        }
        match find_puzzle(text) {
            Ok(found) => self.puzzle(source, line, &found.cells, &found.label, found.given, Kept::default()),
            Err(reason) => self.unreadable(source, line, &reason, text, Kept::default()),
        }
    }

    /// Appends a line, or whatever stands for one, that is no puzzle.
    pub fn unreadable(&mut self, source: u32, line: u64, reason: &str, text: &[u8], kept: Kept<'_>) {
        self.known += u64::from(names_a_size(reason));
        let beside = Beside::Unreadable { reason, raw: &excerpt(text) };
        self.cells.extend_from_slice(&[UNREADABLE; CELLS]);
        self.rows.push(&Row { source, line, beside, given: None, kept });
    }
}

/// Reads the lines of one source.
#[derive(Clone, Debug)]
pub struct Parser {
    source: u32,
    place: Place,
    tallies: Tallies,
}

/// What is done with each row.
trait Sink {
    /// Takes the first line of the text if it is nothing but a puzzle; gives its length with its end.
    fn plain(&mut self, text: &[u8], line: u64) -> Option<usize>;
    /// Takes a row, trimmed.
    fn row(&mut self, text: &[u8], line: u64);
    /// Takes the first part of a line that is too long.
    fn long_row(&mut self, text: &[u8], line: u64);
}

impl Parser {
    /// Makes a parser that goes on at `place` of the source with this index in the batch.
    pub fn new(source: u32, place: Place) -> Self {
        Parser { source, place, tallies: Tallies::default() }
    }

    /// Where the next block begins.
    pub fn place(&self) -> Place {
        self.place
    }

    /// The lines so far, since this parser was made.
    pub fn tallies(&self) -> Tallies {
        self.tallies
    }

    /// Reads at most `max_rows` rows from `text`, which goes on where the last call stopped.
    ///
    /// `at_end` says that nothing comes after it. Appends to `parsed`; gives the number of bytes that are done
    /// with. The rest must come again, with more behind it.
    pub fn parse(&mut self, text: &[u8], at_end: bool, max_rows: usize, parsed: &mut Parsed) -> usize {
        self.run(text, at_end, max_rows, &mut Reading { source: self.source, parsed })
    }

    /// Goes over at most `max_rows` rows as [`Parser::parse`] does, without reading them; the tallies grow.
    ///
    /// For cutting a file into ranges of known rows and lines that others then read.
    pub fn skip(&mut self, text: &[u8], at_end: bool, max_rows: usize) -> usize {
        self.run(text, at_end, max_rows, &mut Skipping)
    }

    fn run(&mut self, text: &[u8], at_end: bool, max_rows: usize, sink: &mut impl Sink) -> usize {
        let mut at = 0;
        if self.place.at_start {
            if text.len() < BYTE_ORDER_MARK.len() && !at_end && BYTE_ORDER_MARK.starts_with(text) {
                return 0;
            }
            self.place.at_start = false;
            at = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        }
        let last_row = self.tallies.puzzle.saturating_add(max_rows as u64);
        while at < text.len() && self.tallies.puzzle < last_row {
            let rest = &text[at..];
            if self.place.in_long_line {
                at += self.leave_long_line(rest, at_end);
                if self.place.in_long_line {
                    break;
                }
                continue;
            }
            if let Some(taken) = sink.plain(rest, self.place.line) {
                self.place.line += 1;
                self.place.at_top = false;
                self.tallies.total += 1;
                self.tallies.puzzle += 1;
                at += taken;
                continue;
            }
            match line_end(rest, at_end) {
                LineEnd::Found { length, next } => {
                    self.take_line(&rest[..length], sink);
                    at += next;
                }
                LineEnd::Open { length } if length > LONG_LINE_BYTES => {
                    self.take_line(&rest[..length], sink);
                    self.place.in_long_line = true;
                    at += length;
                }
                LineEnd::Open { .. } => break,
            }
        }
        at
    }

    /// Skips to the end of a long line; gives how many bytes that took.
    fn leave_long_line(&mut self, rest: &[u8], at_end: bool) -> usize {
        match line_end(rest, at_end) {
            LineEnd::Found { next, .. } => {
                self.place.in_long_line = false;
                next
            }
            LineEnd::Open { length } => length,
        }
    }

    fn take_line(&mut self, line: &[u8], sink: &mut impl Sink) {
        // A long line is judged by its first part, however much of it the block happens to hold.
        let is_long = line.len() > LONG_LINE_BYTES;
        let text = trim(&line[..line.len().min(LONG_LINE_BYTES)]);
        self.tallies.total += 1;
        match text.first() {
            None if !is_long => self.tallies.blank += 1,
            Some(b'#' | b';') => self.tallies.comment += 1,
            Some(_) if self.place.at_top && !is_long && is_count(text) => {
                self.tallies.structure += 1;
                self.place.at_top = false;
            }
            _ => {
                self.tallies.puzzle += 1;
                self.place.at_top = false;
                if is_long { sink.long_row(text, self.place.line) } else { sink.row(text, self.place.line) }
            }
        }
        self.place.line += 1;
    }
}

/// Whether a line at the top is a count, or a count and a size.
fn is_count(line: &[u8]) -> bool {
    let mut numbers = line.split(|&byte| is_blank(byte)).filter(|number| !number.is_empty());
    let is_number = |number: &[u8]| number.len() <= COUNT_DIGITS && number.iter().all(u8::is_ascii_digit);
    numbers.by_ref().take(2).all(is_number) && numbers.next().is_none()
}

/// The first 81 bytes and the length of a line that may be nothing but a puzzle.
#[inline]
fn plain_line(text: &[u8]) -> Option<(&[u8; CELLS], usize)> {
    let (characters, rest) = text.split_first_chunk::<CELLS>()?;
    let ending = match rest {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => return None,
    };
    Some((characters, CELLS + ending))
}

/// Reads the rows.
struct Reading<'a> {
    source: u32,
    parsed: &'a mut Parsed,
}

impl Sink for Reading<'_> {
    #[inline]
    fn plain(&mut self, text: &[u8], line: u64) -> Option<usize> {
        let (characters, length) = plain_line(text)?;
        let cells = read_usual_cells(characters)?;
        self.parsed.known += 1;
        self.parsed.cells.extend_from_slice(&cells);
        self.parsed.rows.push(&Row { source: self.source, line, ..Row::default() });
        Some(length)
    }

    fn row(&mut self, text: &[u8], line: u64) {
        self.parsed.line(self.source, line, text);
    }

    fn long_row(&mut self, text: &[u8], line: u64) {
        self.parsed.unreadable(self.source, line, &long_line_reason(), text, Kept::default());
    }
}

/// Goes over the rows without reading them.
struct Skipping;

impl Sink for Skipping {
    #[inline]
    fn plain(&mut self, text: &[u8], _: u64) -> Option<usize> {
        let (characters, length) = plain_line(text)?;
        are_usual_cells(characters).then_some(length)
    }

    fn row(&mut self, _: &[u8], _: u64) {}

    fn long_row(&mut self, _: &[u8], _: u64) {}
}
