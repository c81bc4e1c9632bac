//! N-Queens: how many solutions a prefix has, and which.
//!
//! A **prefix** is the columns (0-based) of the queens in the first rows. It may be empty (the whole board) or full
//! (one board to be judged). A prefix whose queens attack each other is no error: it has 0 solutions.
//!
//! This file is the face. The rooms behind it:
//!
//! - `board` (a prefix as bit masks, and the judge of solutions), `prefixes` (how the work is split), `list` (solutions
//!   in order), `plain` (the recursion, for the last few rows), `poll` (the stop flag);
//! - the vector kernel: `vector` (its front), `block` (what it starts from), `levels` (the search), `tuning` (how far it
//!   looks), `ending` (its last three rows), `states` (its memory);
//! - `lanes` (what it asks of a vector), and the vectors: `avx512`, `avx2`, and `arrays` for all other CPUs.

mod arrays;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod block;
mod board;
mod ending;
mod lanes;
mod levels;
mod list;
mod plain;
mod poll;
mod prefixes;
mod states;
mod tuning;
mod vector;

use std::fmt;

use crate::dispatch::Isa;
use crate::stop::Stop;
use board::Board;

pub use board::is_solution;
pub use prefixes::{Prefixes, mirror, prefixes};

/// The largest board: one bit of a `u32` for each column.
pub const MAX_N: u8 = 32;

/// The number of solutions for n = 0 to 27, as published: OEIS A000170.
pub const COUNTS: [u64; 28] = [
    1,
    1,
    0,
    0,
    2,
    10,
    4,
    40,
    92,
    352,
    724,
    2_680,
    14_200,
    73_712,
    365_596,
    2_279_184,
    14_772_512,
    95_815_104,
    666_090_624,
    4_968_057_848,
    39_029_188_884,
    314_666_222_712,
    2_691_008_701_644,
    24_233_937_684_440,
    227_514_171_973_736,
    2_207_893_435_808_352,
    22_317_699_616_364_044,
    234_907_967_154_122_528,
];

/// Why a question about queens was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueensError {
    /// The board has no row, or more than [`MAX_N`].
    Size {
        /// The size asked for.
        n: u8,
    },
    /// More queens than rows.
    Length {
        /// The size of the board.
        n: u8,
        /// The number of queens.
        queens: usize,
    },
    /// A queen stands beside the board.
    Column {
        /// The size of the board.
        n: u8,
        /// The row of the queen, from 0.
        row: u8,
        /// Its column.
        column: u8,
    },
}

impl fmt::Display for QueensError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { n } => write!(f, "a board of {n} rows: choose 1 to {MAX_N}"),
            Self::Length { n, queens } => write!(f, "{queens} queens in a prefix for {n} rows"),
            Self::Column { n, row, column } => {
                write!(f, "the queen of row {row} stands in column {column}: choose 0 to {}", n - 1)
            }
        }
    }
}

impl std::error::Error for QueensError {}

/// Counts the solutions that begin with `prefix`; `None` when it was stopped before the end.
///
/// # Errors
///
/// A board or a prefix that cannot be: see [`QueensError`].
pub fn count(isa: Isa, n: u8, prefix: &[u8], stop: &Stop) -> Result<Option<u64>, QueensError> {
    let Some(board) = Board::new(n, prefix)? else { return Ok(Some(0)) };
    if stop.requested() {
        return Ok(None);
    }
    if board.rows_left < vector::ROWS_FROM {
        return Ok(Some(plain::count(&board)));
    }
    vector::count(isa, n, prefix, stop)
}

/// Appends the solutions that begin with `prefix` to `out`, in lexicographic order, `n` bytes each: the columns row by
/// row. Ends after `most` of them. Returns how many there were; `None` when it was stopped before the end, and `out`
/// then holds the first of them, whole ones only.
///
/// # Errors
///
/// A board or a prefix that cannot be: see [`QueensError`].
pub fn list(n: u8, prefix: &[u8], most: u64, stop: &Stop, out: &mut Vec<u8>) -> Result<Option<u64>, QueensError> {
    list_by(Isa::detect(), n, prefix, most, stop, out)
}

/// [`list`] by a given isa; its bytes are the same for all.
///
/// # Errors
///
/// As [`list`].
pub fn list_by(
    isa: Isa,
    n: u8,
    prefix: &[u8],
    most: u64,
    stop: &Stop,
    out: &mut Vec<u8>,
) -> Result<Option<u64>, QueensError> {
    let Some(board) = Board::new(n, prefix)? else { return Ok(Some(0)) };
    Ok(list::list(isa, &board, prefix, most, stop, out))
}
