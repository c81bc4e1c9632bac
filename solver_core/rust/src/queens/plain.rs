//! The three-mask recursion: one queen a row, one state at a time. The yardstick of the vector kernels, and the
//! portable path.

use super::board::Board;
use super::poll::Poll;
use crate::stop::Stop;

/// Boards with more rows left than this look at the stop flag; those below take some ten microseconds together.
const POLL_ABOVE: u8 = 9;

/// Counts the solutions of `board`; `None` when stopped. The two halves of a board that is its own mirror have the
/// same count, so one is searched.
pub(super) fn count(board: &Board, stop: &Stop) -> Option<u64> {
    halves(board, &mut Poll::new(stop))
}

fn halves(board: &Board, poll: &mut Poll<'_>) -> Option<u64> {
    if !board.is_its_own_mirror() || board.rows_left == 0 {
        return below(board, poll);
    }
    let mut total = 0;
    for column in 0..board.n.div_ceil(2) {
        let queen = 1 << column;
        if board.open() & queen != 0 {
            let in_the_middle = 2 * column + 1 == board.n;
            total +=
                if in_the_middle { halves(&board.place(queen), poll)? } else { 2 * below(&board.place(queen), poll)? };
        }
    }
    Some(total)
}

fn below(board: &Board, poll: &mut Poll<'_>) -> Option<u64> {
    if poll.requested() {
        return None;
    }
    if board.rows_left <= POLL_ABOVE {
        return Some(search(board.free, board.left, board.right));
    }
    let mut total = 0;
    let mut open = board.open();
    while open != 0 {
        let queen = open & open.wrapping_neg();
        open ^= queen;
        total += below(&board.place(queen), poll)?;
    }
    Some(total)
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
