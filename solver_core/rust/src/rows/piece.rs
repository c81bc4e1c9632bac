//! The characters of a puzzle: which ones are cells, and where the piece of a line that holds them ends.

use crate::grid::{CELLS, Cells};

/// The marks of an empty cell beside `0`. None of them parts a puzzle from its label or begins a comment, so
/// none can be taken for anything else; all have been met in collections.
const EMPTY_MARKS: &[u8] = b"._*-xX?~";

/// What [`CELL_OF`] has for a character that is no cell.
pub(super) const NO_CELL: u8 = 0xff;

/// The cell that a byte stands for.
pub(super) const CELL_OF: [u8; 256] = {
    let mut cell_of = [NO_CELL; 256];
    let mut digit = 0;
    while digit <= 9 {
        cell_of[b'0' as usize + digit] = digit as u8;
        digit += 1;
    }
    let mut mark = 0;
    while mark < EMPTY_MARKS.len() {
        cell_of[EMPTY_MARKS[mark] as usize] = 0;
        mark += 1;
    }
    cell_of
};

/// Whether a byte is blank: no part of a puzzle, and nothing to see.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0b | 0x0c)
}

/// Whether a byte that is not blank parts a puzzle from its label.
pub(super) fn is_separator(byte: u8) -> bool {
    matches!(byte, b',' | b';' | b':' | b'#')
}

/// Takes the blanks from both ends.
pub(super) fn trim(text: &[u8]) -> &[u8] {
    let Some(from) = text.iter().position(|&byte| !is_blank(byte)) else { return &[] };
    let to = text.iter().rposition(|&byte| !is_blank(byte)).map_or(from, |last| last + 1);
    &text[from..to]
}

/// Parts a line at the end of its first piece: at a blank, or at `,` `;` `:` `#`.
pub(super) fn split_piece(line: &[u8]) -> (&[u8], &[u8]) {
    let end = line.iter().position(|&byte| is_blank(byte) || is_separator(byte));
    line.split_at(end.unwrap_or(line.len()))
}

/// The label in what follows a puzzle: without one separator and the blanks around it, otherwise as it stood.
pub(super) fn label_of(rest: &[u8]) -> &[u8] {
    let rest = trim(rest);
    match rest {
        [first, label @ ..] if is_separator(*first) => trim(label),
        _ => rest,
    }
}

/// Reads 81 characters where every empty cell is `.` or `0`, which nearly all collections have.
///
/// Plain arithmetic on whole arrays and one test at the end, so that the compiler makes vector code of it.
#[inline(always)]
pub(super) fn read_usual_cells(characters: &[u8; CELLS]) -> Option<Cells> {
    let mut cells = [0; CELLS];
    let mut highest = 0;
    for (cell, &character) in cells.iter_mut().zip(characters) {
        let digit = character.wrapping_sub(b'0');
        *cell = if character == b'.' { 0 } else { digit };
        highest = highest.max(*cell);
    }
    (highest <= 9).then_some(cells)
}

/// Whether [`read_usual_cells`] can read these.
#[inline(always)]
pub(super) fn are_usual_cells(characters: &[u8; CELLS]) -> bool {
    let is_none = |byte: u8| (byte.wrapping_sub(b'0') > 9) & (byte != b'.');
    !characters.iter().fold(false, |found, &byte| found | is_none(byte))
}

/// Reads 81 characters with any mark for the empty cells.
pub(super) fn read_cells(characters: &[u8; CELLS]) -> Option<Cells> {
    if let Some(cells) = read_usual_cells(characters) {
        return Some(cells);
    }
    let cells = characters.map(|character| CELL_OF[usize::from(character)]);
    (!cells.contains(&NO_CELL)).then_some(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_read_a_character_agree_wherever_both_read_it() {
        for place in [0, 40, 80] {
            for byte in 0..=u8::MAX {
                let mut characters = [b'7'; CELLS];
                characters[place] = byte;

                let usual = read_usual_cells(&characters);

                let wanted = CELL_OF[usize::from(byte)];
                assert_eq!(usual.is_some(), byte.is_ascii_digit() || byte == b'.');
                assert_eq!(are_usual_cells(&characters), usual.is_some());
                assert_eq!(read_cells(&characters).map(|cells| cells[place]), (wanted != NO_CELL).then_some(wanted));
                assert!(usual.is_none_or(|cells| cells[place] == wanted));
            }
        }
    }

    #[test]
    fn no_mark_of_an_empty_cell_parts_or_hides_a_puzzle() {
        for byte in 0..=u8::MAX {
            let is_cell = CELL_OF[usize::from(byte)] != NO_CELL;

            assert!(!(is_cell && (is_blank(byte) || is_separator(byte) || byte == b'\n' || byte == b'\r')));
        }
    }

    #[test]
    fn a_label_loses_one_separator_and_the_blanks_around_it() {
        for (rest, label) in [
            ("", ""),
            (" \t ", ""),
            (" easy 7", "easy 7"),
            (" # easy 7 ", "easy 7"),
            ("\tA. N. Other\t6.6", "A. N. Other\t6.6"),
            (",rated,7.2", "rated,7.2"),
            (";8.4;xyz", "8.4;xyz"),
            (":1:", "1:"),
            (",,x", ",x"),
        ] {
            assert_eq!(label_of(rest.as_bytes()), label.as_bytes(), "{rest:?}");
        }
    }
}
