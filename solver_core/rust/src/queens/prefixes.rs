//! How the work is split: the prefixes of a given depth, and which of them share a count.

use super::QueensError;
use super::board::{Board, check};

/// All prefixes of `depth` queens that do not attack each other, in lexicographic order. Depth 0 gives the empty one.
///
/// # Errors
///
/// A board that cannot be, or more queens than rows.
pub fn prefixes(n: u8, depth: u8) -> Result<Prefixes, QueensError> {
    check(n, &[])?;
    if depth > n {
        return Err(QueensError::Length { n, queens: usize::from(depth) });
    }
    let board = Board::new(n, &[])?;
    Ok(Prefixes {
        depth: depth.into(),
        columns: Vec::new(),
        boards: board.map(|board| (board, board.open())).into_iter().collect(),
    })
}

/// The other half of the work that need not be done: the prefix seen in a mirror (column c becomes n-1-c). It has as
/// many solutions. Whoever splits a board keeps the prefixes that are not greater than their mirror.
///
/// # Errors
///
/// A board or a prefix that cannot be: see [`QueensError`].
pub fn mirror(n: u8, prefix: &[u8]) -> Result<Vec<u8>, QueensError> {
    check(n, prefix)?;
    Ok(prefix.iter().map(|column| n - 1 - column).collect())
}

/// See [`prefixes`].
#[derive(Clone, Debug)]
pub struct Prefixes {
    depth: usize,
    columns: Vec<u8>,
    /// For each row on the way: the board above it, and the squares not yet tried.
    boards: Vec<(Board, u32)>,
}

impl Iterator for Prefixes {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        loop {
            let row = self.boards.len().checked_sub(1)?;
            self.columns.truncate(row);
            if row == self.depth {
                self.boards.pop();
                return Some(self.columns.clone());
            }
            let (board, untried) = &mut self.boards[row];
            if *untried == 0 {
                self.boards.pop();
                continue;
            }
            let queen = *untried & untried.wrapping_neg();
            *untried ^= queen;
            let board = board.place(queen);
            self.columns.push(queen.trailing_zeros() as u8);
            self.boards.push((board, board.open()));
        }
    }
}
