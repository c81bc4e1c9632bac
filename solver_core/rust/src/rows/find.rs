//! Finds the puzzle in a line: it may stand anywhere among ids, ratings and a given solution, or be parted by blanks.

use std::borrow::Cow;

use super::fault::{other_size_of, reason, size_reason};
use super::piece::{is_blank, is_separator, label_of, trim};
use super::symbols::{cell_of, read_any_cells};
use crate::grid::{CELLS, Cells};

/// Pieces of a line that are looked at: 625 cells of a 25x25 puzzle, and some more.
const PIECES: usize = 700;

/// A piece that is this long was meant to be the puzzle, wherever it stands in the line.
const MEANT_CELLS: usize = 64;

/// What a line holds.
pub(super) struct Found<'a> {
    pub(super) cells: Cells,
    /// What stands beside the puzzle and its given solution.
    pub(super) label: Cow<'a, [u8]>,
    pub(super) given: Option<Cells>,
}

/// Finds the puzzle in a line without blanks at its ends.
///
/// # Errors
/// The reason why there is none.
pub(super) fn find_puzzle(line: &[u8]) -> Result<Found<'_>, String> {
    if let Some(found) = line.strip_prefix(b":").and_then(find_in_library) {
        return Ok(found);
    }
    let pieces = pieces_of(line);
    for (piece, from, to) in &pieces {
        if let Some(cells) = read_any_cells(unquoted(piece)) {
            let (label, given) = beside(&line[..*from], &line[*to..]);
            return Ok(Found { cells, label, given });
        }
    }
    if let Some((cells, to)) = read_parted(&pieces).or_else(|| read_fields(line)) {
        let (label, given) = beside(&[], &line[to..]);
        return Ok(Found { cells, label, given });
    }
    Err(reason_of(line, &pieces))
}

/// Whether a line holds a puzzle.
pub fn holds_puzzle(line: &[u8]) -> bool {
    find_puzzle(trim(line)).is_ok()
}

/// What stands before and after a puzzle: the label, and the solution that was given.
fn beside<'a>(before: &'a [u8], after: &'a [u8]) -> (Cow<'a, [u8]>, Option<Cells>) {
    let before = before.strip_suffix(b"\"").unwrap_or(before);
    let (after, given) = split_given(label_of(after.strip_prefix(b"\"").unwrap_or(after)));
    let is_edge = |byte: u8| is_blank(byte) || is_separator(byte);
    let end = before.iter().rposition(|&byte| !is_edge(byte)).map_or(0, |last| last + 1);
    let before = trim(&before[..end]);
    let label = match (before, &after) {
        (_, after) if after.is_empty() => Cow::Borrowed(before),
        ([], _) => after,
        _ => Cow::Owned([before, b" ", &after].concat()),
    };
    (label, given)
}

/// Takes a full grid out of a label, and one separator with it.
pub(super) fn split_given(label: &[u8]) -> (Cow<'_, [u8]>, Option<Cells>) {
    if label.len() < CELLS {
        return (Cow::Borrowed(label), None);
    }
    for (piece, from, to) in pieces_of(label) {
        let Some(given) = read_any_cells(unquoted(piece)).filter(|cells| !cells.contains(&0)) else { continue };
        let rest = label_of(&label[to..]);
        let head = trim(&label[..from]);
        let head = head.strip_suffix(b"\"").unwrap_or(head);
        let head = match head {
            [before @ .., last] if is_separator(*last) => trim(before),
            _ => head,
        };
        let label = match (head, rest) {
            ([], rest) => Cow::Borrowed(rest),
            (head, []) => Cow::Borrowed(head),
            (head, rest) => Cow::Owned([head, b" ", rest].concat()),
        };
        return (label, Some(given));
    }
    (Cow::Borrowed(label), None)
}

/// A line of a `HoDoKu` library, `:technique:candidates:givens:...`, without its first colon.
fn find_in_library(line: &[u8]) -> Option<Found<'_>> {
    let mut fields = line.splitn(4, |&byte| byte == b':');
    let (technique, candidates, givens) = (fields.next()?, fields.next()?, fields.next()?);
    let cells = read_any_cells(givens)?;
    let head = &line[..technique.len() + 1 + candidates.len()];
    let label = match fields.next() {
        Some(rest) if !rest.is_empty() => Cow::Owned([head, b":", rest].concat()),
        _ => Cow::Borrowed(head),
    };
    Some(Found { cells, label, given: None })
}

/// The pieces between blanks and separators, each with where it begins and ends.
fn pieces_of(line: &[u8]) -> Vec<(&[u8], usize, usize)> {
    let mut pieces = Vec::new();
    let mut from = 0;
    while from < line.len() && pieces.len() < PIECES {
        let is_edge = |&byte: &u8| is_blank(byte) || is_separator(byte);
        let to = line[from..].iter().position(is_edge).map_or(line.len(), |length| from + length);
        if to > from {
            pieces.push((&line[from..to], from, to));
        }
        from = to + 1;
    }
    pieces
}

fn unquoted(piece: &[u8]) -> &[u8] {
    match piece {
        [b'"', inner @ .., b'"'] | [b'\'', inner @ .., b'\''] => inner,
        _ => piece,
    }
}

/// 81 cells in pieces of one length (1, 3, 9 or 27) at the beginning of a line; with them where they end.
fn read_parted(pieces: &[(&[u8], usize, usize)]) -> Option<(Cells, usize)> {
    let length = pieces.first()?.0.len();
    if !matches!(length, 1 | 3 | 9 | 27) {
        return None;
    }
    let count = CELLS / length;
    let (cells, rest) = pieces.split_at_checked(count)?;
    if cells.iter().any(|(piece, ..)| piece.len() != length) {
        return None;
    }
    // One piece more of this kind, and it is another grid that was cut here.
    if rest.first().is_some_and(|(piece, ..)| piece.len() == length && read_run(piece)) {
        return None;
    }
    let joined: Vec<u8> = cells.iter().flat_map(|(piece, ..)| piece.iter().copied()).collect();
    Some((read_any_cells(&joined)?, cells.last()?.2))
}

fn read_run(piece: &[u8]) -> bool {
    std::str::from_utf8(piece).is_ok_and(|text| text.chars().all(|it| cell_of(it).is_some()))
}

/// 81 fields of one cell or none, parted by commas, semicolons or tabs: a row of a table.
fn read_fields(line: &[u8]) -> Option<(Cells, usize)> {
    let separator = *line.iter().find(|byte| matches!(byte, b',' | b';' | b'\t'))?;
    let mut cells = [0; CELLS];
    let mut fields = line.split(|&byte| byte == separator);
    for cell in &mut cells {
        *cell = match trim(fields.next()?) {
            [] => 0,
            [byte] => cell_of(char::from(*byte))?,
            _ => return None,
        };
    }
    fields.next().is_none().then_some((cells, line.len()))
}

/// Why no puzzle was found: about the piece that was most likely meant to be one.
fn reason_of(line: &[u8], pieces: &[(&[u8], usize, usize)]) -> String {
    let single = pieces.iter().filter(|(piece, ..)| piece.len() <= 2 && read_run(piece)).count();
    if let Some(size) = other_size_of(pieces.len()).filter(|_| single == pieces.len()) {
        return size_reason(pieces.len(), size);
    }
    if pieces.len() >= MEANT_CELLS && single == pieces.len() {
        return format!("{} cells where {CELLS} are needed", pieces.len());
    }
    let first = pieces.first().map_or(line, |(piece, ..)| piece);
    let longest = pieces.iter().map(|(piece, ..)| *piece).max_by_key(|piece| piece.len()).unwrap_or(first);
    reason(unquoted(if longest.len() >= MEANT_CELLS { longest } else { first }))
}
