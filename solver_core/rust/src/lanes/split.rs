//! Branching: the first child of a guess stays in its lane, the other moves to a free lane or into the buffer.
//!
//! Lanes are moved by a rotation of each 64-bit part: three rotations bring nearly all of the children to a free lane,
//! at two instructions a plane and rotation with AVX-512. Two of them stay inside their part, one comes from another
//! part, each time another one; otherwise some parts would run out of free lanes and others of children.

use super::pass::{State, any_several};
use super::planes::{Buffer, row};
use crate::grid::CELLS;
use crate::word::{Mask, Word, each};

/// Rotations in one go.
pub(super) const MOVES: usize = 3;
/// Those of them that stay inside their part.
const NEAR: usize = 2;

/// Where the other children go.
#[derive(Clone, Copy, Default)]
pub(super) struct Plan {
    /// The first `NEAR` take from the same part, the others from the part `shift` further up.
    pub moves: [Move; MOVES],
    pub shift: usize,
}

/// Which lanes take a child from the lane `by[part]` places further down.
#[derive(Clone, Copy, Default)]
pub(super) struct Move {
    by: Mask,
    pub to: Mask,
}

impl Plan {
    /// The lane whose child a move brings to `lane`.
    #[inline(always)]
    pub fn source<W: Word>(&self, index: usize, lane: usize) -> usize {
        let part = lane / 64;
        let bit = (lane + 64 - self.moves[index].by[part] as usize) % 64;
        let from = if index < NEAR { part } else { (part + self.shift) % W::PARTS };
        from * 64 + bit
    }
}

/// Splits the lanes that picked a cell, takes the other child along the plan, and writes the other children of all
/// lanes to `others` if there is one.
#[inline(always)]
pub(super) fn split<W: Word>(state: &mut State<W>, pick: &[W; CELLS], plan: &Plan, others: Option<&mut Buffer<W>>) {
    let used = plan.moves.iter().filter(|step| step.to != [0; 8]).count();
    match (used, others) {
        (0, Some(others)) => split_with::<W, 0, true>(state, pick, plan, others),
        (_, Some(others)) => split_with::<W, MOVES, true>(state, pick, plan, others),
        (0, None) => split_with::<W, 0, false>(state, pick, plan, &mut []),
        (_, None) => split_with::<W, MOVES, false>(state, pick, plan, &mut []),
    }
}

#[inline(always)]
fn split_with<W: Word, const N: usize, const KEEP: bool>(
    state: &mut State<W>,
    pick: &[W; CELLS],
    plan: &Plan,
    others: &mut [W],
) {
    let mut by = [W::ZERO; N];
    let mut to = [W::ZERO; N];
    let mut replaced = W::ZERO;
    for i in 0..N {
        by[i] = W::from_mask(&plan.moves[i].by);
        to[i] = W::from_mask(&plan.moves[i].to);
        replaced = replaced.or(to[i]);
    }
    let order = W::order(plan.shift);
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
            let far = other_decided.arrange(order);
            for i in 0..N {
                let from = if i < NEAR { other_decided } else { far };
                decided = decided.or_and(from.rotate(by[i]), to[i]);
            }
        }
        state.decided[cell] = decided;
        for digit in 0..9 {
            let mut plane = first[digit].without(replaced);
            let far = other[digit].arrange(order);
            for i in 0..N {
                let from = if i < NEAR { other[digit] } else { far };
                plane = plane.or_and(from.rotate(by[i]), to[i]);
            }
            state.candidates[digit * CELLS + cell] = plane;
            if KEEP {
                others[row(digit * CELLS + cell)] = other[digit];
            }
        }
    }
}

/// Rotations tried for the first move of a part; all 64 would bring 5 % more children to a lane.
const TRIED: u32 = 16;

/// Finds a plan that brings children of the lanes `from` to the lanes `free`; takes away from both what it used.
#[inline(always)]
pub(super) fn plan<W: Word>(from: &mut Mask, free: &mut Mask, shift: usize) -> Plan {
    let mut plan = Plan { shift, ..Plan::default() };
    for part in 0..W::PARTS {
        for (i, step) in plan.moves.iter_mut().enumerate() {
            let source_part = if i < NEAR { part } else { (part + shift) % W::PARTS };
            let (source, target) = (from[source_part], free[part]);
            if source == 0 || target == 0 {
                continue;
            }
            let by = rotation(source, target, i == 0);
            let moved = source.rotate_left(by) & target;
            step.by[part] = u64::from(by);
            step.to[part] = moved;
            from[source_part] = source & !moved.rotate_right(by);
            free[part] = target & !moved;
        }
    }
    plan
}

/// A rotation that brings many of the lanes `source` to lanes of `target`, and at least one; both have some.
#[inline(always)]
fn rotation(source: u64, target: u64, crowded: bool) -> u32 {
    let mut best = (0, 0);
    if crowded {
        for by in (0..64).step_by((64 / TRIED) as usize) {
            best = best.max(((source.rotate_left(by) & target).count_ones(), by));
        }
    }
    if best.0 == 0 {
        // Few are left: bring the lowest child to each free lane in turn.
        let mut targets = target;
        while targets != 0 {
            let by = targets.trailing_zeros().wrapping_sub(source.trailing_zeros()) & 63;
            best = best.max(((source.rotate_left(by) & target).count_ones(), by));
            targets &= targets - 1;
        }
    }
    best.1
}
