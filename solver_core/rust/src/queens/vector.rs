//! The front of the vector kernel: from a prefix to blocks, with the mirror.

use super::block::{Block, border_queens};
use super::board::Board;
use super::lanes::Lanes;
use super::levels::{self, Memory};
use crate::stop::Stop;

/// Counts the solutions that begin with `prefix`, whose queens do not attack each other; `None` when stopped. At least
/// 5 rows are left. The two halves of a board that is its own mirror have the same count, so one is searched.
///
/// # Safety
///
/// The CPU must have the isa of `L`.
pub(super) unsafe fn count<L: Lanes>(n: u8, prefix: &[u8], stop: &Stop) -> Option<u64> {
    let mut memory = Memory::<L>::new(n.into());
    // SAFETY: the caller's promise.
    unsafe { halves(n, prefix, &mut memory, stop) }
}

unsafe fn halves<L: Lanes>(n: u8, prefix: &[u8], memory: &mut Memory<L>, stop: &Stop) -> Option<u64> {
    let board = Board::new(n, prefix).ok().flatten()?;
    if !board.is_its_own_mirror() {
        // SAFETY: the caller's promise.
        return unsafe { blocks(n, prefix, memory, stop) };
    }
    let mut total = 0;
    for column in (0..n.div_ceil(2)).filter(|column| board.open() >> column & 1 == 1) {
        let longer = [prefix, &[column]].concat();
        // SAFETY: the caller's promise.
        total += unsafe {
            if 2 * column + 1 == n { halves(n, &longer, memory, stop)? } else { 2 * blocks(n, &longer, memory, stop)? }
        };
    }
    Some(total)
}

unsafe fn blocks<L: Lanes>(n: u8, prefix: &[u8], memory: &mut Memory<L>, stop: &Stop) -> Option<u64> {
    let mut total = 0;
    for borders in border_queens(n, prefix, L::BITS) {
        // SAFETY: the caller's promise.
        total += unsafe { levels::count(&Block::new(n, prefix, &borders), memory, stop)? };
    }
    Some(total)
}
