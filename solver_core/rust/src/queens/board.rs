//! A board with its first rows filled, as the three masks of the classic recursion.

use super::{MAX_N, QueensError};

/// The queens placed so far, seen from the next row: one bit for each column.
///
/// ```text
/// row k      . . Q . .      left:  the diagonals that run to higher columns, moved by one each row
/// row k+1    . l q r .      right: those that run to lower columns (drawn with bit 0 on the right)
/// row k+2    l . q . r
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board {
    /// Size of the board, 1 to 32.
    pub n: u8,
    /// Rows still to be filled.
    pub rows_left: u8,
    /// Columns that no queen stands in.
    pub free: u32,
    /// Squares of the next row attacked along the diagonals towards higher columns.
    pub left: u32,
    /// Squares of the next row attacked along the diagonals towards lower columns.
    pub right: u32,
}

impl Board {
    /// The board after `prefix`; `None` when two of its queens attack each other.
    pub(super) fn new(n: u8, prefix: &[u8]) -> Result<Option<Board>, QueensError> {
        check(n, prefix)?;
        let mut board = Board { n, rows_left: n, free: all_columns(n), left: 0, right: 0 };
        for &column in prefix {
            let queen = 1 << column;
            if board.open() & queen == 0 {
                return Ok(None);
            }
            board = board.place(queen);
        }
        Ok(Some(board))
    }

    /// The squares of the next row that no queen attacks.
    pub(super) fn open(&self) -> u32 {
        self.free & !(self.left | self.right)
    }

    /// The board with a queen on the square `queen` (one bit) of the next row.
    pub(super) fn place(&self, queen: u32) -> Board {
        Board {
            n: self.n,
            rows_left: self.rows_left - 1,
            free: self.free ^ queen,
            left: (self.left | queen) << 1,
            right: (self.right | queen) >> 1,
        }
    }

    /// Whether the board and its mirror image are the same. Two queens cannot both stand in the middle column, so this
    /// is an empty board, or one with its only queen in the middle.
    pub(super) fn is_its_own_mirror(&self) -> bool {
        let queens = all_columns(self.n) ^ self.free;
        queens == 0 || (self.rows_left == self.n - 1 && self.n % 2 == 1 && queens == 1 << (self.n / 2))
    }
}

/// The bits of all columns.
pub(super) fn all_columns(n: u8) -> u32 {
    u32::MAX >> (u32::from(MAX_N) - u32::from(n))
}

/// Refuses a board or prefix that cannot be.
pub(super) fn check(n: u8, prefix: &[u8]) -> Result<(), QueensError> {
    if n == 0 || n > MAX_N {
        return Err(QueensError::Size { n });
    }
    if prefix.len() > usize::from(n) {
        return Err(QueensError::Length { n, queens: prefix.len() });
    }
    match (0..).zip(prefix).find(|&(_, &column)| column >= n) {
        Some((row, &column)) => Err(QueensError::Column { n, row, column }),
        None => Ok(()),
    }
}

/// Whether `columns` is a solution: `n` queens, one a row, none of which attack each other. Compares every pair of
/// queens and shares nothing with the kernels, so that it can judge them.
pub fn is_solution(n: u8, columns: &[u8]) -> bool {
    if n == 0 || n > MAX_N || columns.len() != usize::from(n) || columns.iter().any(|&column| column >= n) {
        return false;
    }
    let attack = |(i, a): (usize, u8), (j, b): (usize, u8)| a == b || usize::from(a.abs_diff(b)) == j - i;
    (0..columns.len()).all(|i| (i + 1..columns.len()).all(|j| !attack((i, columns[i]), (j, columns[j]))))
}
