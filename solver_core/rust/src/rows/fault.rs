//! Why a piece of text is no puzzle, in words that help to mend it.

use std::fmt;

use super::lines::LONG_LINE_BYTES;
use super::piece::{CELL_OF, NO_CELL};
use super::symbols::cell_of;
use crate::grid::CELLS;

/// From this many digits on, a piece of nothing but digits is taken for a puzzle that lost its leading zeros, as
/// a number does. A puzzle with one solution has a given in its first two rows (they could change places
/// otherwise), so it loses 17 at most.
const MANGLED_DIGITS: usize = CELLS - 17;

/// What an unreadable piece looks like.
struct Look {
    /// Number of characters.
    count: usize,
    /// The first character that is no cell, and its position from 1.
    stranger: Option<(Character, usize)>,
}

/// A character as a reason names it.
#[derive(Clone, Copy)]
enum Character {
    /// One of Unicode.
    Known(char),
    /// A byte that is not UTF-8.
    Broken(u8),
}

impl fmt::Display for Character {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Character::Known(it) if it.is_control() => write!(f, "character U+{:04X}", u32::from(it)),
            Character::Known(it) => write!(f, "character '{it}'"),
            Character::Broken(byte) => write!(f, "byte 0x{byte:02x}"),
        }
    }
}

/// The reason why the first piece of a line is no puzzle of 81 cells.
pub(super) fn reason(piece: &[u8]) -> String {
    let look = Look::of(piece);
    let count = look.count;
    if let Some(size) = other_size(piece) {
        return size_reason(count, size);
    }
    if is_exponent_form(piece) {
        return "a number in exponent form, as spreadsheets write it".to_owned();
    }
    if count > CELLS {
        return format!("{count} characters in one piece, {CELLS} are needed");
    }
    match look.stranger {
        Some((character, position)) if count == CELLS => format!("{character} at position {position}"),
        Some((character, position)) => {
            let ending = if count == 1 { "" } else { "s" };
            format!("{character} at position {position}, {count} character{ending} where {CELLS} are needed")
        }
        None if count >= MANGLED_DIGITS && piece.iter().all(u8::is_ascii_digit) => {
            format!("{count} digits where {CELLS} are needed; a spreadsheet may have dropped leading zeros")
        }
        None => format!("{count} cell{} where {CELLS} are needed", if count == 1 { "" } else { "s" }),
    }
}

/// The reason for a puzzle of another size.
pub(super) fn size_reason(cells: usize, size: &str) -> String {
    format!("{cells} cells are {size}, {CELLS} are needed")
}

/// Whether a reason is that of a puzzle of another size.
pub(super) fn names_a_size(reason: &str) -> bool {
    reason.contains(" cells are a ")
}

/// The reason for a line that is too long to be held.
pub(super) fn long_line_reason() -> String {
    format!("a line of more than {LONG_LINE_BYTES} bytes")
}

impl Look {
    fn of(piece: &[u8]) -> Look {
        let mut look = Look { count: 0, stranger: None };
        for chunk in piece.utf8_chunks() {
            for it in chunk.valid().chars() {
                look.meet(cell_of(it).is_some(), Character::Known(it));
            }
            if let Some(&byte) = chunk.invalid().first() {
                look.meet(false, Character::Broken(byte));
            }
        }
        look
    }

    fn meet(&mut self, is_cell: bool, character: Character) {
        self.count += 1;
        if !is_cell && self.stranger.is_none() {
            self.stranger = Some((character, self.count));
        }
    }
}

/// The size of a grid that is not 9x9, if the piece has as many cells as one and no others than it may have.
fn other_size(piece: &[u8]) -> Option<&'static str> {
    let has_only_up_to = |digit: u8| piece.iter().all(|&byte| CELL_OF[usize::from(byte)] <= digit);
    let is_larger_grid = || {
        let is_cell = |&byte: &u8| byte.is_ascii_alphanumeric() || CELL_OF[usize::from(byte)] != NO_CELL;
        piece.iter().all(is_cell)
    };
    match piece.len() {
        16 if has_only_up_to(4) => Some("a 4x4 puzzle"),
        36 if has_only_up_to(6) => Some("a 6x6 puzzle"),
        256 if is_larger_grid() => Some("a 16x16 puzzle"),
        625 if is_larger_grid() => Some("a 25x25 puzzle"),
        // Nine candidates for each of 81 cells.
        729 if has_only_up_to(9) => Some("a 9x9 grid of candidates"),
        _ => None,
    }
}

/// The size of a grid with this many cells, if it is one that people write cell by cell.
pub(super) fn other_size_of(cells: usize) -> Option<&'static str> {
    match cells {
        16 => Some("a 4x4 puzzle"),
        36 => Some("a 6x6 puzzle"),
        256 => Some("a 16x16 puzzle"),
        625 => Some("a 25x25 puzzle"),
        _ => None,
    }
}

/// Whether a piece is a number like `3.02E+76`, which is what a spreadsheet makes of 81 digits.
fn is_exponent_form(piece: &[u8]) -> bool {
    let Some(at) = piece.iter().position(|byte| matches!(byte, b'e' | b'E')) else { return false };
    let (mantissa, exponent) = (&piece[..at], &piece[at + 1..]);
    let exponent = exponent.strip_prefix(b"+").unwrap_or(exponent);
    let is_number = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let mut parts = mantissa.splitn(2, |&byte| byte == b'.');
    parts.all(is_number) && is_number(exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_names_what_is_wrong() {
        let with = |character: &str, at: usize| ".".repeat(at) + character + &".".repeat(CELLS - 1 - at);

        for (piece, wanted) in [
            (".".repeat(80), "80 cells where 81 are needed"),
            ("5".to_owned(), "1 cell where 81 are needed"),
            (String::new(), "0 cells where 81 are needed"),
            (with("q", 16), "character 'q' at position 17"),
            (with("\u{e9}", 0), "character '\u{e9}' at position 1"),
            (with("\0", 80), "character U+0000 at position 81"),
            (".".repeat(82), "82 characters in one piece, 81 are needed"),
            ("hello".to_owned(), "character 'h' at position 1, 5 characters where 81 are needed"),
            ("1".repeat(79), "79 digits where 81 are needed; a spreadsheet may have dropped leading zeros"),
            ("3.02E+76".to_owned(), "a number in exponent form, as spreadsheets write it"),
            ("12e9".to_owned(), "a number in exponent form, as spreadsheets write it"),
            ("1..4".repeat(4), "16 cells are a 4x4 puzzle, 81 are needed"),
            ("123456".repeat(6), "36 cells are a 6x6 puzzle, 81 are needed"),
            ("9".repeat(16), "16 cells where 81 are needed"),
            ("F0-A".repeat(64), "256 cells are a 16x16 puzzle, 81 are needed"),
            ("Y".repeat(625), "625 cells are a 25x25 puzzle, 81 are needed"),
            ("9".repeat(729), "729 cells are a 9x9 grid of candidates, 81 are needed"),
        ] {
            assert_eq!(reason(piece.as_bytes()), wanted);
        }
    }

    #[test]
    fn bytes_that_are_not_utf8_count_as_one_character_each() {
        let mut piece = vec![b'.'; CELLS];
        piece[3] = 0xff;

        assert_eq!(reason(&piece), "byte 0xff at position 4");
    }
}
