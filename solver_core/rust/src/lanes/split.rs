//! Branching: the first child of a guess stays in its lane, the other moves to a free lane or into the buffer.
//!
//! Within each 64-bit part a lane is moved by a rotation, the same for all of them: up to four rotations bring most
//! of the children to a free lane, at one instruction a plane and rotation with AVX-512.

use super::pass::{State, any_several};
use super::planes::Buffer;
use crate::grid::CELLS;
use crate::word::{Mask, Word, each};

/// Rotations in one go.
pub(super) const MOVES: usize = 4;

/// Which lanes take a child from the lane `by` places further down (in the same 64-bit part).
#[derive(Clone, Copy, Default)]
pub(super) struct Move {
    pub by: u32,
    pub to: Mask,
}

/// Splits the lanes that picked a cell, takes the other child along `moves`, and writes the other children of all
/// lanes to `others` if there is one.
#[inline(always)]
pub(super) fn split<W: Word>(
    state: &mut State<W>,
    pick: &[W; CELLS],
    moves: &[Move; MOVES],
    others: Option<&mut Buffer<W>>,
) {
    let used = moves.iter().take_while(|step| step.to != [0; 8]).count();
    match (used, others) {
        (0, Some(others)) => split_with::<W, 0, true>(state, pick, moves, others),
        (_, Some(others)) => split_with::<W, MOVES, true>(state, pick, moves, others),
        (0..=2, None) => split_with::<W, 2, false>(state, pick, moves, &mut []),
        (_, None) => split_with::<W, MOVES, false>(state, pick, moves, &mut []),
    }
}

#[inline(always)]
fn split_with<W: Word, const N: usize, const KEEP: bool>(
    state: &mut State<W>,
    pick: &[W; CELLS],
    moves: &[Move; MOVES],
    others: &mut [W],
) {
    let mut to = [W::ZERO; N];
    let mut replaced = W::ZERO;
    for i in 0..N {
        to[i] = W::from_mask(&moves[i].to);
        replaced = replaced.or(to[i]);
    }
    for cell in 0..CELLS {
        let here = pick[cell];
        let x = each!(9, digit => state.candidates[digit * CELLS + cell]);
        // The lowest candidate of the cell goes to the first child, the others to the other child.
        let mut first = [W::ZERO; 9];
        let mut other = [W::ZERO; 9];
        let mut lower = W::ZERO;
        for digit in 0..9 {
            first[digit] = x[digit].without_both(here, lower);
            other[digit] = x[digit].and_implies(here, lower);
            lower = lower.or(x[digit]);
        }
        let mut decided = state.decided[cell].or(here);
        if N > 0 {
            let (_, several) = any_several(&other);
            let other_decided = state.decided[cell].or_without(here, several);
            decided = decided.without(replaced);
            for i in 0..N {
                decided = decided.or_and(other_decided.rotate(moves[i].by), to[i]);
            }
        }
        state.decided[cell] = decided;
        for digit in 0..9 {
            let mut plane = first[digit].without(replaced);
            for i in 0..N {
                plane = plane.or_and(other[digit].rotate(moves[i].by), to[i]);
            }
            state.candidates[digit * CELLS + cell] = plane;
            if KEEP {
                others[digit * CELLS + cell] = other[digit];
            }
        }
    }
}

/// Finds the moves that bring children of the lanes `from` to the lanes `free`; takes away from both what it used.
#[inline(always)]
pub(super) fn plan<W: Word>(from: &mut Mask, free: &mut Mask) -> [Move; MOVES] {
    let mut moves = [Move::default(); MOVES];
    for step in &mut moves {
        let mut best = (0, 0);
        for by in 0..64 {
            let mut hits = 0;
            for part in 0..W::PARTS {
                hits += (from[part].rotate_left(by) & free[part]).count_ones();
            }
            if hits > best.0 {
                best = (hits, by);
            }
        }
        if best.0 == 0 {
            break;
        }
        step.by = best.1;
        for part in 0..W::PARTS {
            step.to[part] = from[part].rotate_left(step.by) & free[part];
            from[part] &= !step.to[part].rotate_right(step.by);
            free[part] &= !step.to[part];
        }
    }
    moves
}
