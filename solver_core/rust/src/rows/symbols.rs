//! Cells written in other ways than digits of ASCII: letters, digits of other scripts, digits with a plus sign.

use super::piece::{CELL_OF, NO_CELL, read_cells};
use crate::grid::{CELLS, Cells};

/// The zeros of all decimal digits of Unicode 15 beyond ASCII (category Nd); the nine after each are its 1 to 9.
const ZEROS: [u32; 65] = [
    0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0de6, 0x0e50,
    0x0ed0, 0x0f20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50,
    0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x10d30, 0x11066, 0x110f0, 0x11136,
    0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0,
    0x16a60, 0x16ac0, 0x16b50, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0,
];

/// Marks of an empty cell beyond ASCII: middle dot, full-width full stop and low line, white square.
const EMPTY_MARKS: [char; 4] = ['\u{b7}', '\u{ff0e}', '\u{ff3f}', '\u{25a1}'];

/// The cell that a character stands for, whatever script its digits are of.
pub(super) fn cell_of(character: char) -> Option<u8> {
    if character.is_ascii() {
        let cell = CELL_OF[character as usize];
        return (cell != NO_CELL).then_some(cell);
    }
    if EMPTY_MARKS.contains(&character) {
        return Some(0);
    }
    let code = u32::from(character);
    let after = ZEROS.partition_point(|&zero| zero <= code);
    let digit = code - ZEROS[after.checked_sub(1)?];
    (digit <= 9).then_some(digit as u8)
}

/// The cells of a piece of 81 of them, in any way of writing; digits and marks of ASCII are the usual case.
pub(super) fn read_any_cells(piece: &[u8]) -> Option<Cells> {
    if let Some(cells) = <&Cells>::try_from(piece).ok().and_then(read_cells) {
        return Some(cells);
    }
    if piece.len() < CELLS {
        return None;
    }
    if piece.is_ascii() { read_letters(piece).or_else(|| read_marked(piece)) } else { read_script(piece) }
}

/// Letters a-i or A-I for 1 to 9, where there is no digit; `+` is a mark of an empty cell there.
fn read_letters(piece: &[u8]) -> Option<Cells> {
    let characters: &Cells = piece.try_into().ok()?;
    let has_letters = characters.iter().any(|byte| matches!(byte, b'a'..=b'i' | b'A'..=b'I'));
    if !has_letters || characters.iter().any(u8::is_ascii_digit) {
        return None;
    }
    let cells = characters.map(|byte| match byte {
        b'a'..=b'i' => byte - b'a' + 1,
        b'A'..=b'I' => byte - b'A' + 1,
        b'+' => 0,
        _ => CELL_OF[usize::from(byte)],
    });
    (!cells.contains(&NO_CELL)).then_some(cells)
}

/// Digits, some of which have a plus sign before them: a cell that was filled in, as `HoDoKu` writes it.
fn read_marked(piece: &[u8]) -> Option<Cells> {
    let mut plain = Vec::with_capacity(CELLS);
    for (at, &byte) in piece.iter().enumerate() {
        match byte {
            b'+' if piece.get(at + 1).is_some_and(|next| matches!(next, b'1'..=b'9')) => {}
            _ => plain.push(byte),
        }
    }
    read_cells(plain.as_slice().try_into().ok()?)
}

/// Digits of any script.
fn read_script(piece: &[u8]) -> Option<Cells> {
    let mut characters = std::str::from_utf8(piece).ok()?.chars();
    let mut cells = [0; CELLS];
    for cell in &mut cells {
        *cell = cell_of(characters.next()?)?;
    }
    characters.next().is_none().then_some(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIGITS: &str = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..";

    fn written(of: impl Fn(char) -> String) -> String {
        DIGITS.chars().map(of).collect()
    }

    #[test]
    fn every_way_to_write_a_cell_says_the_same() {
        let wanted = read_any_cells(DIGITS.as_bytes());
        let script = |zero: u32| {
            move |it: char| {
                it.to_digit(10).map_or("\u{ff0e}".into(), |d| char::from_u32(zero + d).expect("a digit").into())
            }
        };
        let letter = |first: u8, empty: &'static str| {
            move |it: char| it.to_digit(10).map_or(empty.into(), |d| char::from(first + d as u8 - 1).into())
        };
        let plus = |it: char| if it == '6' { "+6".to_owned() } else { it.into() };

        assert!(wanted.is_some());
        for text in [
            written(script(0xff10)),
            written(script(0x0660)),
            written(script(0x1d7ce)),
            written(letter(b'a', "+")),
            written(letter(b'A', "-")),
            written(plus),
        ] {
            assert_eq!(read_any_cells(text.as_bytes()), wanted, "{text}");
        }
    }

    #[test]
    fn what_is_not_81_cells_is_refused() {
        let mixed = DIGITS.replacen("..", "ab", 1);
        let long = DIGITS.replace('6', "++6");

        for text in [&DIGITS[1..], &mixed, &long, &"\u{ff11}".repeat(82), &"\u{ff11}".repeat(80), &"\u{e9}".repeat(81)]
        {
            assert_eq!(read_any_cells(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn the_zeros_stand_in_order_and_far_enough_apart() {
        assert!(ZEROS.windows(2).all(|pair| pair[0] + 9 < pair[1]));
    }
}
