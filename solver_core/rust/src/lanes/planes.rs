//! Between planes (a word for each cell and digit, a bit for each lane) and puzzles (64-bit words of one lane).
//!
//! Both ways go through a buffer of rows of 64: [`turn`] turns 64 planes of 64 lanes each. Afterwards part `p` of
//! row `i` is the 64 bits of lane `64 * p + i`; turning once more leads back.

use super::pass::{PLANES, State, any_several};
use crate::grid::{CELLS, Cells};
use crate::word::{NIBBLE_WORDS, Word, each, parts, parts_mut};

/// 64-bit words that hold all candidates of one puzzle, bit `digit * 81 + cell`.
pub(super) const TASK_WORDS: usize = PLANES.div_ceil(64);

/// Rows from one group of 64 to the next. One more than 64: the words of a lane would all fall into the same set of
/// the first-level cache otherwise.
const GROUP: usize = 65;

/// Room for the planes of all lanes, in whole groups.
pub(super) type Buffer<W> = [W; TASK_WORDS * GROUP];

/// Where a plane lies in the buffer.
#[inline(always)]
pub(super) const fn row(plane: usize) -> usize {
    plane / 64 * GROUP + plane % 64
}

/// Turns the first `groups` groups of 64 words: bit `b` of row `i` against bit `i` of row `b`.
#[inline(always)]
pub(super) fn turn<W: Word>(buffer: &mut Buffer<W>, groups: usize) {
    let (all, _) = buffer.as_chunks_mut::<GROUP>();
    for rows in &mut all[..groups] {
        if let Some(rows) = rows.first_chunk_mut::<64>() {
            W::turn(rows);
        }
    }
}

/// Writes the 64-bit words of one lane into a buffer that is to be turned.
#[inline(always)]
pub(super) fn put<W: Word>(buffer: &mut Buffer<W>, lane: usize, words: &[u64]) {
    let buffer = parts_mut(buffer.as_mut_slice());
    for (group, &word) in words.iter().enumerate() {
        buffer[(group * GROUP + lane % 64) * W::PARTS + lane / 64] = word;
    }
}

/// Reads the 64-bit words of one lane from a buffer that was turned.
#[inline(always)]
pub(super) fn get<W: Word, const N: usize>(buffer: &Buffer<W>, lane: usize) -> [u64; N] {
    let buffer = parts(buffer.as_slice());
    let mut words = [0; N];
    for (group, word) in words.iter_mut().enumerate() {
        *word = buffer[(group * GROUP + lane % 64) * W::PARTS + lane / 64];
    }
    words
}

/// Takes the candidates of the lanes `who` from the buffer's planes.
#[inline(always)]
pub(super) fn load_candidates<W: Word>(state: &mut State<W>, buffer: &Buffer<W>, who: W) {
    for cell in 0..CELLS {
        let mut x = [W::ZERO; 9];
        for digit in 0..9 {
            let plane = digit * CELLS + cell;
            x[digit] = who.blend(buffer[row(plane)], state.candidates[plane]);
            state.candidates[plane] = x[digit];
        }
        let (_, several) = any_several(&x);
        state.decided[cell] = several.not();
    }
}

/// Takes the givens of the lanes `who` from four planes a cell: the nibble of the given, 0 for none.
#[inline(always)]
pub(super) fn load_givens<W: Word>(state: &mut State<W>, buffer: &Buffer<W>, who: W) {
    for cell in 0..CELLS {
        let [ones, twos, fours, eights] = each!(4, bit => buffer[row(cell * 4 + bit)]);
        let low = twos.or(fours);
        let given = low.or3(ones, eights);
        let digits = [
            ones.without_either(low, eights),
            twos.without_either(ones, fours),
            ones.and(twos).without(fours),
            fours.without_either(ones, twos),
            ones.and(fours).without(twos),
            twos.and(fours).without(ones),
            ones.and3(twos, fours),
            eights.without(ones),
            ones.and(eights),
        ];
        for digit in 0..9 {
            let plane = &mut state.candidates[digit * CELLS + cell];
            *plane = who.blend(digits[digit].or(given.not()), *plane);
        }
        state.decided[cell] = who.blend(given, state.decided[cell]);
    }
}

/// Writes the digits of solved lanes as four planes a cell.
#[inline(always)]
pub(super) fn store_digits<W: Word>(state: &State<W>, buffer: &mut Buffer<W>) {
    for cell in 0..CELLS {
        let x = each!(9, digit => state.candidates[digit * CELLS + cell]);
        buffer[row(cell * 4)] = x[0].or3(x[2], x[4]).or3(x[6], x[8]);
        buffer[row(cell * 4 + 1)] = x[1].or3(x[2], x[5]).or(x[6]);
        buffer[row(cell * 4 + 2)] = x[3].or3(x[4], x[5]).or(x[6]);
        buffer[row(cell * 4 + 3)] = x[7].or(x[8]);
    }
    for plane in CELLS * 4..NIBBLE_WORDS * 64 {
        buffer[row(plane)] = W::ZERO;
    }
}

/// The lanes in which every digit stands in every row, column and box.
#[inline(always)]
pub(super) fn complete<W: Word>(state: &State<W>) -> W {
    let mut all = W::ZERO.not();
    let (digits, _) = state.candidates.as_chunks::<CELLS>();
    for x in digits {
        for band in 0..3 {
            let rows = each!(9, i => x[band * 27 + i * 3].or3(x[band * 27 + i * 3 + 1], x[band * 27 + i * 3 + 2]));
            for i in 0..3 {
                all =
                    all.and3(rows[i * 3].or3(rows[i * 3 + 1], rows[i * 3 + 2]), rows[i].or3(rows[i + 3], rows[i + 6]));
            }
        }
        for column in 0..9 {
            let boxes = each!(3, b => x[b * 27 + column].or3(x[b * 27 + column + 9], x[b * 27 + column + 18]));
            all = all.and(boxes[0].or3(boxes[1], boxes[2]));
        }
    }
    all
}

/// All candidates of one lane, read bit by bit; for a few lanes only.
#[inline(always)]
pub(super) fn lane_candidates<W: Word>(state: &State<W>, lane: usize) -> [u64; TASK_WORDS] {
    let planes = parts(state.candidates.as_slice());
    let mut words = [0; TASK_WORDS];
    for plane in 0..PLANES {
        let bit = planes[plane * W::PARTS + lane / 64] >> (lane % 64) & 1;
        words[plane / 64] |= bit << (plane % 64);
    }
    words
}

/// The digits of one solved lane, read bit by bit; for a few lanes only.
#[inline(always)]
pub(super) fn lane_digits<W: Word>(state: &State<W>, lane: usize) -> Cells {
    let planes = parts(state.candidates.as_slice());
    let mut cells = [0; CELLS];
    for digit in 0..9 {
        for (cell, value) in cells.iter_mut().enumerate() {
            let bit = planes[(digit * CELLS + cell) * W::PARTS + lane / 64] >> (lane % 64) & 1;
            *value |= bit as u8 * (digit as u8 + 1);
        }
    }
    cells
}
