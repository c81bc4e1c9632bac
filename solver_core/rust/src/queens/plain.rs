//! The three-mask recursion: one queen a row, one state at a time. For boards with few rows left, where the vector
//! kernel has too little to do.

use super::board::Board;

/// Counts the solutions of `board`.
pub(super) fn count(board: &Board) -> u64 {
    search(board.free, board.left, board.right)
}

fn search(free: u32, left: u32, right: u32) -> u64 {
    if free == 0 {
        return 1;
    }
    let mut total = 0;
    let mut open = free & !(left | right);
    while open != 0 {
        let queen = open & open.wrapping_neg();
        open ^= queen;
        total += search(free ^ queen, (left | queen) << 1, (right | queen) >> 1);
    }
    total
}
