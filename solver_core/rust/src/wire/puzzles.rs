//! Puzzles on the way to a worker: 41 bytes each.
//!
//! Two cells a byte, the first in the low half: 0 is an empty cell, 1 to 9 a digit. A line that could not be
//! read travels as 81 times 15, so that it keeps its place. The high half of the last byte is 0.

use super::{Magic, WireError, begin, open, seal};
use crate::grid::{CELLS, Cells, UNREADABLE};

const MAGIC: Magic = *b"GMPZ";

/// Bytes of one packed grid: two cells a byte, the last byte holds one.
pub const PACKED_BYTES: usize = CELLS.div_ceil(2);

/// Packs puzzles, 81 bytes each: 0 to 9; any other value makes a puzzle unreadable as a whole.
///
/// # Errors
/// [`WireError::Length`] if `cells` is not a whole number of puzzles, [`WireError::TooLarge`] above 4 GiB.
pub fn pack_puzzles(cells: &[u8]) -> Result<Vec<u8>, WireError> {
    let (puzzles, rest) = cells.as_chunks::<CELLS>();
    if !rest.is_empty() {
        return Err(WireError::Length("the cells are no multiple of 81"));
    }
    let mut payload = begin(puzzles.len() * PACKED_BYTES);
    for puzzle in puzzles {
        payload.extend_from_slice(&pack_cells(puzzle));
    }
    seal(payload, MAGIC, puzzles.len())
}

/// Unpacks puzzles, 81 bytes each: 0 to 9, or all [`UNREADABLE`].
///
/// # Errors
/// Any [`WireError`] that says how the payload is not one of puzzles.
pub fn unpack_puzzles(payload: &[u8]) -> Result<Vec<u8>, WireError> {
    let packed = open_puzzles(payload)?;
    let mut cells = Vec::with_capacity(packed.len() * CELLS);
    for puzzle in packed {
        cells.extend_from_slice(&unpack_cells(puzzle)?);
    }
    Ok(cells)
}

/// Cuts the puzzles `from` (counted from 0) up to, not including, `to` out of a payload, as a payload of its own.
///
/// # Errors
/// [`WireError::Slice`] if there are not that many; any other [`WireError`] if the payload is damaged.
pub fn slice_puzzles(payload: &[u8], from: usize, to: usize) -> Result<Vec<u8>, WireError> {
    let packed = open_puzzles(payload)?;
    let wanted = packed.get(from..to).ok_or(WireError::Slice { from, to, count: packed.len() })?;
    let mut slice = begin(wanted.len() * PACKED_BYTES);
    slice.extend_from_slice(wanted.as_flattened());
    seal(slice, MAGIC, wanted.len())
}

/// Checks a payload of puzzles; gives each as it is packed.
///
/// # Errors
/// Any [`WireError`] that says how the payload is not one of puzzles.
pub(crate) fn open_puzzles(payload: &[u8]) -> Result<&[[u8; PACKED_BYTES]], WireError> {
    let (count, body) = open(payload, MAGIC)?;
    let (packed, rest) = body.as_chunks::<PACKED_BYTES>();
    if packed.len() < count as usize {
        return Err(WireError::Count(count));
    }
    if packed.len() > count as usize || !rest.is_empty() {
        return Err(WireError::Trailing);
    }
    Ok(packed)
}

/// One grid, packed.
pub(super) fn pack_cells(cells: &Cells) -> [u8; PACKED_BYTES] {
    let mut packed = [0; PACKED_BYTES];
    let (pairs, last) = cells.as_chunks::<2>();
    // Both loops become vector code: one looks at bytes, the other at pairs of them.
    let highest = cells.iter().fold(0, |highest: u8, &cell| highest.max(cell));
    for (byte, pair) in packed.iter_mut().zip(pairs) {
        let pair = u16::from_le_bytes(*pair);
        *byte = (pair | pair >> 4) as u8;
    }
    packed[PACKED_BYTES - 1] = last[0];
    if highest <= 9 {
        return packed;
    }
    packed = [UNREADABLE << 4 | UNREADABLE; PACKED_BYTES];
    packed[PACKED_BYTES - 1] = UNREADABLE;
    packed
}

/// One grid, unpacked: all cells 0 to 9, or all [`UNREADABLE`].
#[inline]
pub(super) fn unpack_cells(packed: &[u8; PACKED_BYTES]) -> Result<Cells, WireError> {
    let mut cells = [0; CELLS];
    unpack_into(packed, &mut cells)?;
    Ok(cells)
}

/// [`unpack_cells`] into a place that is there: a grid inside of a `Result` would be moved about.
#[inline]
pub(crate) fn unpack_into(packed: &[u8; PACKED_BYTES], cells: &mut Cells) -> Result<(), WireError> {
    let (pairs, last) = cells.as_chunks_mut::<2>();
    for (pair, byte) in pairs.iter_mut().zip(packed) {
        *pair = [byte & 15, byte >> 4];
    }
    // The high half of the last byte holds no cell; left in, it makes a value above 9, or not all 15.
    last[0] = packed[PACKED_BYTES - 1];
    // A loop of its own, without a way out before the end: both become vector code.
    let highest = cells.iter().fold(0, |highest: u8, &cell| highest.max(cell));
    if highest <= 9 || *cells == [UNREADABLE; CELLS] {
        Ok(())
    } else {
        Err(WireError::Value("a cell that is no digit"))
    }
}
