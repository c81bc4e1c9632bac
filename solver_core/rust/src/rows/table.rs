//! Comma-separated values (or any other separator): one puzzle a record, in the column that the header or the person
//! names.
//!
//! Records are those of RFC 4180, line ends those of `lines.rs`. A quoted field may go over several lines, but only if
//! it is closed as the rule demands, and soon; else the quote is taken for a character like any other, so that a
//! forgotten one does not swallow the records after it.

use std::borrow::Cow;

use super::fault::{long_line_reason, reason};
use super::lines::{LONG_LINE_BYTES, LineEnd, line_end};
use super::parse::{Parsed, Tallies};
use super::piece::{is_blank, trim};
use super::symbols::read_any_cells;
use crate::grid::{Cells, UNREADABLE};
use crate::wire::{Kept, keep};

/// The most lines that a record may go over: a grid drawn with frames in a quoted field, and some more.
const RECORD_LINES: u64 = 32;

/// Where in a record to find what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// The field with the puzzle.
    pub puzzle: usize,
    /// The field with a given solution.
    pub solution: Option<usize>,
    /// The field that is the label; without one the label is all that stands beside puzzle and solution.
    pub label: Option<usize>,
    /// Fields that are carried through; a name that this table does not have is `None`.
    pub kept: Vec<Option<usize>>,
    /// What the header has over the puzzles; empty without a header.
    pub title: Vec<u8>,
}

/// Reads the records of one source.
#[derive(Clone, Debug)]
pub struct Table {
    source: u32,
    separator: u8,
    columns: Columns,
    line: u64,
    tallies: Tallies,
    in_long_line: bool,
    fields: Vec<Field>,
    kept: Vec<u8>,
}

/// A field of a record: where it begins and ends, without its quotes.
#[derive(Clone, Copy, Debug)]
struct Field {
    from: usize,
    to: usize,
    quoted: bool,
}

impl Field {
    fn text<'a>(&self, record: &'a [u8]) -> Cow<'a, [u8]> {
        let text = &record[self.from..self.to];
        if !self.quoted || !text.contains(&b'"') {
            return Cow::Borrowed(text);
        }
        // Inside of quotes a quote stands twice.
        let mut plain = Vec::with_capacity(text.len());
        let mut bytes = text.iter();
        while let Some(&byte) = bytes.next() {
            plain.push(byte);
            if byte == b'"' {
                bytes.next();
            }
        }
        Cow::Owned(plain)
    }
}

/// The first record of a text.
enum Extent {
    /// It has `length` bytes without its line end, goes over `lines` lines, and the next one begins at `next`.
    Whole { length: usize, next: usize, lines: u64, quoted: bool },
    /// The text ends in it.
    Open { length: usize },
}

impl Table {
    /// Makes a reader that begins at the first line of the source with this index in the batch.
    pub fn new(source: u32, separator: u8, columns: Columns) -> Self {
        let (tallies, fields, kept) = (Tallies::default(), Vec::new(), Vec::new());
        Table { source, separator, columns, line: 1, tallies, in_long_line: false, fields, kept }
    }

    /// The lines so far.
    pub fn tallies(&self) -> Tallies {
        self.tallies
    }

    /// The number of the next line, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Reads at most `max_rows` rows, as [`Parser::parse`](super::Parser::parse) does; without `parsed` it passes over
    /// them.
    pub fn read(&mut self, text: &[u8], at_end: bool, max_rows: usize, mut parsed: Option<&mut Parsed>) -> usize {
        let mut at = 0;
        let last_row = self.tallies.puzzle.saturating_add(max_rows as u64);
        while at < text.len() && self.tallies.puzzle < last_row {
            let rest = &text[at..];
            if self.in_long_line {
                let (taken, ended) = match line_end(rest, at_end) {
                    LineEnd::Found { next, .. } => (next, true),
                    LineEnd::Open { length } => (length, false),
                };
                at += taken;
                self.in_long_line = !ended;
                if !ended {
                    break;
                }
                continue;
            }
            match self.extent(rest, at_end) {
                Extent::Whole { length, next, lines, quoted } => {
                    self.take(&rest[..length], lines, quoted, parsed.as_deref_mut());
                    at += next;
                }
                Extent::Open { length } if length > LONG_LINE_BYTES => {
                    self.take(&rest[..length], 1, false, parsed.as_deref_mut());
                    self.in_long_line = true;
                    at += length;
                }
                Extent::Open { .. } => break,
            }
        }
        at
    }

    /// Finds the end of the first record.
    fn extent(&self, text: &[u8], at_end: bool) -> Extent {
        let end = line_end(text, at_end);
        let (length, next) = match end {
            LineEnd::Found { length, next } => (length, next),
            LineEnd::Open { length } => return Extent::Open { length },
        };
        if memchr::memchr(b'"', &text[..length]).is_none() || length > LONG_LINE_BYTES {
            return Extent::Whole { length, next, lines: 1, quoted: false };
        }
        match self.quoted_extent(text, at_end) {
            Some(Extent::Open { .. }) if text.len() > LONG_LINE_BYTES => {}
            Some(extent) => return extent,
            None => {}
        }
        Extent::Whole { length, next, lines: 1, quoted: false }
    }

    /// Finds the end of a record with quotes; None if they are not what RFC 4180 asks for.
    fn quoted_extent(&self, text: &[u8], at_end: bool) -> Option<Extent> {
        let mut at = 0;
        let mut lines = 1;
        loop {
            if text.get(at) == Some(&b'"') {
                let (after, more) = match self.quoted_end(&text[at..], at_end)? {
                    Ok((length, more)) => (at + length, more),
                    Err(()) => return Some(Extent::Open { length: text.len() }),
                };
                at = after;
                lines += more;
                if lines > RECORD_LINES || at > LONG_LINE_BYTES {
                    return None;
                }
            }
            let rest = &text[at..];
            match rest.iter().position(|&byte| byte == self.separator || matches!(byte, b'\n' | b'\r')) {
                Some(length) if rest[length] == self.separator => at += length + 1,
                Some(length) => {
                    return Some(match line_end(&rest[length..], at_end) {
                        LineEnd::Found { next, .. } => {
                            Extent::Whole { length: at + length, next: at + length + next, lines, quoted: true }
                        }
                        LineEnd::Open { .. } => Extent::Open { length: text.len() },
                    });
                }
                None if at_end => {
                    return Some(Extent::Whole { length: text.len(), next: text.len(), lines, quoted: true });
                }
                None => return Some(Extent::Open { length: text.len() }),
            }
        }
    }

    /// Length of the quoted field that the text begins with, and the line ends in it; `Err` if the text ends in it,
    /// None if it is not closed as it should be.
    fn quoted_end(&self, text: &[u8], at_end: bool) -> Option<Result<(usize, u64), ()>> {
        let (mut at, mut lines) = (1, 0);
        loop {
            let Some(byte) = text.get(at) else { return if at_end { None } else { Some(Err(())) } };
            match byte {
                b'"' => match text.get(at + 1) {
                    Some(b'"') => at += 2,
                    Some(&next) if next == self.separator || matches!(next, b'\n' | b'\r') => {
                        return Some(Ok((at + 1, lines)));
                    }
                    Some(_) => return None,
                    None if at_end => return Some(Ok((at + 1, lines))),
                    None => return Some(Err(())),
                },
                b'\n' | b'\r' => {
                    let LineEnd::Found { next, .. } = line_end(&text[at..], at_end) else { return Some(Err(())) };
                    lines += 1;
                    at += next;
                    if lines > RECORD_LINES || at > LONG_LINE_BYTES {
                        return None;
                    }
                }
                _ => at += 1,
            }
        }
    }

    fn take(&mut self, record: &[u8], lines: u64, quoted: bool, parsed: Option<&mut Parsed>) {
        let line = self.line;
        self.line += lines;
        self.tallies.total += lines;
        let is_long = record.len() > LONG_LINE_BYTES;
        let text = trim(&record[..record.len().min(LONG_LINE_BYTES)]);
        match text.first() {
            None if !is_long => {
                self.tallies.blank += lines;
                return;
            }
            Some(b'#') => {
                self.tallies.comment += lines;
                return;
            }
            _ => {}
        }
        if !is_long {
            self.split(record, quoted);
            let puzzle = self.fields.get(self.columns.puzzle).map(|field| field.text(record));
            let title = &self.columns.title;
            if puzzle.as_deref().is_some_and(|puzzle| !title.is_empty() && trim(puzzle) == title.as_slice()) {
                self.tallies.structure += lines;
                return;
            }
        }
        self.tallies.puzzle += 1;
        self.tallies.structure += lines - 1;
        let Some(parsed) = parsed else { return };
        if is_long {
            parsed.unreadable(self.source, line, &long_line_reason(), text, Kept::default());
        } else {
            self.row(record, text, line, parsed);
        }
    }

    /// Finds the fields of a record.
    fn split(&mut self, record: &[u8], quoted: bool) {
        self.fields.clear();
        if !quoted {
            let mut from = 0;
            for to in memchr::memchr_iter(self.separator, record).chain([record.len()]) {
                self.fields.push(Field { from, to, quoted: false });
                from = to + 1;
            }
            return;
        }
        let mut at = 0;
        loop {
            let quoted_end = match record.get(at) {
                Some(b'"') => self.quoted_end(&record[at..], true).and_then(Result::ok),
                _ => None,
            };
            let from = quoted_end.map_or(at, |(length, _)| at + length);
            let to = memchr::memchr(self.separator, &record[from..]).map_or(record.len(), |length| from + length);
            self.fields.push(match quoted_end {
                Some((length, _)) => Field { from: at + 1, to: at + length - 1, quoted: true },
                None => Field { from: at, to, quoted: false },
            });
            if to == record.len() {
                return;
            }
            at = to + 1;
        }
    }

    fn row(&mut self, record: &[u8], text: &[u8], line: u64, parsed: &mut Parsed) {
        let field = |place: usize| self.fields.get(place).map_or(Cow::Borrowed(&[][..]), |field| field.text(record));
        let kept: Vec<_> = self.columns.kept.iter().map(|place| place.map_or(Cow::Borrowed(&[][..]), field)).collect();
        if !kept.is_empty() {
            keep(&mut self.kept, kept.iter().map(AsRef::as_ref));
        }
        let kept = Kept::new(&self.kept);
        if self.columns.puzzle >= self.fields.len() {
            let (has, place) = (self.fields.len(), self.columns.puzzle + 1);
            let reason = format!("the puzzle should stand in field {place}, of {has} that there are");
            parsed.unreadable(self.source, line, &reason, text, kept);
            return;
        }
        let given = self.columns.solution.map(field);
        parsed.field(self.source, line, &field(self.columns.puzzle), &self.label(record), given.as_deref(), kept);
    }

    /// The fields beside the puzzle and its solution, as they stood.
    fn label(&self, record: &[u8]) -> Vec<u8> {
        if let Some(place) = self.columns.label {
            return self.fields.get(place).map(|field| field.text(record).into_owned()).unwrap_or_default();
        }
        let mut label = Vec::new();
        let mut is_first = true;
        for (place, field) in self.fields.iter().enumerate() {
            if place == self.columns.puzzle || Some(place) == self.columns.solution {
                continue;
            }
            if !is_first {
                label.push(self.separator);
            }
            is_first = false;
            label.extend_from_slice(&field.text(record));
        }
        if label.iter().all(|&byte| byte == self.separator) { Vec::new() } else { label }
    }
}

impl Parsed {
    /// Appends what a field, or any other value by itself, holds: a puzzle, or an unreadable row.
    ///
    /// `given` is the text of a given solution.
    pub fn field(&mut self, source: u32, line: u64, field: &[u8], label: &[u8], given: Option<&[u8]>, kept: Kept<'_>) {
        match read_field(field) {
            Some(cells) => self.puzzle(source, line, &cells, label, given.and_then(read_given), kept),
            None => self.unreadable(source, line, &reason(unwrapped(field)), field, kept),
        }
    }
}

/// A field without blanks at its ends, and without the `="..."` that keeps a spreadsheet from taking it for a number.
fn unwrapped(field: &[u8]) -> &[u8] {
    let field = trim(field);
    let field = field.strip_prefix(b"=").unwrap_or(field);
    field.strip_prefix(b"\"").and_then(|inner| inner.strip_suffix(b"\"")).unwrap_or(field)
}

/// The cells of a field: 81 in one piece, or parted by blanks and line ends.
fn read_field(field: &[u8]) -> Option<Cells> {
    let field = unwrapped(field);
    read_any_cells(field).or_else(|| {
        let is_gap = |byte: u8| is_blank(byte) || matches!(byte, b'\n' | b'\r' | b'|');
        if !field.iter().any(|&byte| is_gap(byte)) {
            return None;
        }
        let joined: Vec<u8> = field.iter().copied().filter(|&byte| !is_gap(byte)).collect();
        read_any_cells(&joined)
    })
}

/// A given solution; none if there is nothing, and all unreadable if it is no full grid.
fn read_given(field: &[u8]) -> Option<Cells> {
    if trim(field).is_empty() {
        return None;
    }
    Some(read_field(field).filter(|cells| !cells.contains(&0)).unwrap_or([UNREADABLE; 81]))
}
