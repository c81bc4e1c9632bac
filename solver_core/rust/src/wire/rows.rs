//! What only the producer needs of each row beside its cells: where it stood, and what stood beside it.
//!
//! | part | holds |
//! |---|---|
//! | varint | index of the source |
//! | varint | line, from 1 |
//! | byte | 0: a puzzle without label; 1: a puzzle with label; 2: an unreadable line; and added to it 4: a given solution, 8: kept fields |
//! | 1: counted bytes | the label as it stood |
//! | 2: counted bytes, twice | the reason, and the raw text; both UTF-8 |
//! | 4: 41 bytes | the given solution, packed as a puzzle is |
//! | 8: counted bytes | the kept fields, each as counted bytes |
//!
//! Counted bytes are their number as a varint, then the bytes.

use super::puzzles::{PACKED_BYTES, pack_cells, unpack_cells};
use super::reader::{Reader, push_counted, push_varint};
use super::{HEADER_BYTES, Magic, WireError, begin, open, seal};
use crate::grid::Cells;

const MAGIC: Magic = *b"GMRW";

/// The shortest row: source, line and kind in a byte each.
const LEAST_BYTES: usize = 3;

const PLAIN: u8 = 0;
const LABELLED: u8 = 1;
const UNREADABLE: u8 = 2;
/// Bits beside the kind.
const WITH_GIVEN: u8 = 4;
const WITH_KEPT: u8 = 8;
const KIND: u8 = 3;

/// One row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Row<'a> {
    /// Index of the source in the batch.
    pub source: u32,
    /// The line it stood on, from 1.
    pub line: u64,
    /// What stood there beside the cells.
    pub beside: Beside<'a>,
    /// The solution that was given with the puzzle; all [`UNREADABLE`](crate::grid::UNREADABLE) where what was given
    /// is no full grid.
    pub given: Option<Cells>,
    /// Fields of the input that are carried through.
    pub kept: Kept<'a>,
}

/// Fields that are carried through, each in whatever encoding it stood there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kept<'a>(&'a [u8]);

impl<'a> Kept<'a> {
    /// The fields that [`keep`] put together.
    pub fn new(kept: &'a [u8]) -> Self {
        Kept(kept)
    }

    /// Each field; after an error there are no more.
    pub fn fields(self) -> impl Iterator<Item = Result<&'a [u8], WireError>> {
        let mut reader = Reader::new(self.0);
        let mut ended = false;
        std::iter::from_fn(move || {
            if ended || reader.end().is_ok() {
                return None;
            }
            let field = reader.counted();
            ended = field.is_err();
            Some(field)
        })
    }
}

/// Puts fields together as [`Kept`] has them.
pub fn keep<'a>(kept: &mut Vec<u8>, fields: impl IntoIterator<Item = &'a [u8]>) {
    kept.clear();
    for field in fields {
        push_counted(kept, field);
    }
}

/// What a row has beside its cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Beside<'a> {
    /// Nothing but a puzzle.
    #[default]
    Nothing,
    /// A puzzle with a label, in whatever encoding it stood there; never empty.
    Label(&'a [u8]),
    /// No puzzle.
    Unreadable {
        /// Why the line could not be read.
        reason: &'a str,
        /// The line itself, cut to a length fit for a note.
        raw: &'a str,
    },
}

/// Writes rows, one after another.
#[derive(Clone, Debug)]
pub struct RowsWriter {
    payload: Vec<u8>,
    count: usize,
}

impl Default for RowsWriter {
    fn default() -> Self {
        RowsWriter { payload: begin(0), count: 0 }
    }
}

impl RowsWriter {
    /// Makes a writer without rows.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of rows so far.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Length of the rows so far, in bytes.
    pub fn body_bytes(&self) -> usize {
        self.payload.len() - HEADER_BYTES
    }

    /// Appends a row. A label that is empty is none.
    #[inline]
    pub fn push(&mut self, row: &Row<'_>) {
        self.count += 1;
        push_varint(&mut self.payload, u64::from(row.source));
        push_varint(&mut self.payload, row.line);
        let more = if row.given.is_some() { WITH_GIVEN } else { 0 } | if row.kept.0.is_empty() { 0 } else { WITH_KEPT };
        match row.beside {
            Beside::Nothing | Beside::Label(&[]) => self.payload.push(PLAIN | more),
            Beside::Label(label) => {
                self.payload.push(LABELLED | more);
                push_counted(&mut self.payload, label);
            }
            Beside::Unreadable { reason, raw } => {
                self.payload.push(UNREADABLE | more);
                push_counted(&mut self.payload, reason.as_bytes());
                push_counted(&mut self.payload, raw.as_bytes());
            }
        }
        if let Some(given) = &row.given {
            self.payload.extend_from_slice(&pack_cells(given));
        }
        if !row.kept.0.is_empty() {
            push_counted(&mut self.payload, row.kept.0);
        }
    }

    /// Closes the payload.
    ///
    /// # Errors
    /// [`WireError::TooLarge`] above 4 GiB.
    pub fn finish(self) -> Result<Vec<u8>, WireError> {
        seal(self.payload, MAGIC, self.count)
    }
}

/// Reads rows, one after another; after an error there are no more.
#[derive(Clone, Debug)]
pub struct Rows<'a> {
    reader: Reader<'a>,
    left: usize,
}

impl<'a> Rows<'a> {
    /// Checks the frame of a payload; its rows are checked as they are read.
    ///
    /// # Errors
    /// Any [`WireError`] that says how the payload is not one of rows.
    pub fn new(payload: &'a [u8]) -> Result<Self, WireError> {
        let (count, body) = open(payload, MAGIC)?;
        if count as usize > body.len() / LEAST_BYTES {
            return Err(WireError::Count(count));
        }
        let rows = Rows { reader: Reader::new(body), left: count as usize };
        if count == 0 {
            rows.reader.end()?;
        }
        Ok(rows)
    }

    /// Number of rows not read yet.
    pub fn left(&self) -> usize {
        self.left
    }

    /// Reads the next row if it is a puzzle with nothing beside it: its source and its line. Otherwise nothing is read.
    #[inline]
    pub fn plain(&mut self) -> Option<(u32, u64)> {
        let mut ahead = self.reader.clone();
        let source = ahead.varint_u32("").ok()?;
        let line = ahead.varint().ok()?;
        let is_plain = ahead.byte() == Ok(PLAIN) && (self.left > 1 || (self.left == 1 && ahead.end().is_ok()));
        if !is_plain {
            return None;
        }
        self.reader = ahead;
        self.left -= 1;
        Some((source, line))
    }

    fn read(&mut self) -> Result<Row<'a>, WireError> {
        let source = self.reader.varint_u32("a source above 32 bits")?;
        let line = self.reader.varint()?;
        let kind = self.reader.byte()?;
        let beside = match kind & KIND {
            PLAIN => Beside::Nothing,
            LABELLED => Beside::Label(not_empty(self.reader.counted()?)?),
            UNREADABLE => Beside::Unreadable { reason: self.text()?, raw: self.text()? },
            _ => return Err(WireError::Value("an unknown kind of row")),
        };
        if kind > (KIND | WITH_GIVEN | WITH_KEPT) {
            return Err(WireError::Value("an unknown kind of row"));
        }
        let given =
            if kind & WITH_GIVEN != 0 { Some(unpack_cells(self.reader.array::<PACKED_BYTES>()?)?) } else { None };
        let kept = if kind & WITH_KEPT != 0 { Kept(not_empty(self.reader.counted()?)?) } else { Kept::default() };
        if self.left == 1 {
            self.reader.end()?;
        }
        Ok(Row { source, line, beside, given, kept })
    }

    fn text(&mut self) -> Result<&'a str, WireError> {
        std::str::from_utf8(self.reader.counted()?).map_err(|_| WireError::Value("a text that is not UTF-8"))
    }
}

fn not_empty(label: &[u8]) -> Result<&[u8], WireError> {
    if label.is_empty() { Err(WireError::Value("an empty text")) } else { Ok(label) }
}

impl<'a> Iterator for Rows<'a> {
    type Item = Result<Row<'a>, WireError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 {
            return None;
        }
        let row = self.read();
        self.left = if row.is_ok() { self.left - 1 } else { 0 };
        Some(row)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.left))
    }
}
