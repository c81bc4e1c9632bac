//! Every solution, in lexicographic order.

use super::board::Board;
use crate::stop::Stop;

/// Boards with this many rows left look at the stop flag.
const POLL_ABOVE: u8 = 9;

/// Appends the solutions of `board`, which `prefix` led to; see [`super::list`].
pub(super) fn list(board: &Board, prefix: &[u8], most: u64, stop: &Stop, out: &mut Vec<u8>) -> Option<u64> {
    let mut columns = [0; super::MAX_N as usize];
    columns[..prefix.len()].copy_from_slice(prefix);
    let mut lister = Lister { columns, left: most, stop, out };
    lister.below(board)?;
    Some(most - lister.left)
}

struct Lister<'a> {
    columns: [u8; super::MAX_N as usize],
    left: u64,
    stop: &'a Stop,
    out: &'a mut Vec<u8>,
}

impl Lister<'_> {
    fn below(&mut self, board: &Board) -> Option<()> {
        if self.left == 0 {
            return Some(());
        }
        if board.rows_left == 0 {
            self.out.extend_from_slice(&self.columns[..usize::from(board.n)]);
            self.left -= 1;
            return Some(());
        }
        if board.rows_left >= POLL_ABOVE && self.stop.requested() {
            return None;
        }
        let row = usize::from(board.n - board.rows_left);
        let mut open = board.open();
        while open != 0 {
            let queen = open & open.wrapping_neg();
            open ^= queen;
            self.columns[row] = queen.trailing_zeros() as u8;
            self.below(&board.place(queen))?;
        }
        Some(())
    }
}
