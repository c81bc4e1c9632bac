//! The guess rule for all lanes at once: the same cells that `guess.rs` picks, by flags and adders on bit planes.

use super::pass::{State, any_several};
use crate::grid::CELLS;
use crate::word::{Word, each};

/// What choosing notes down for itself.
pub(super) struct Scratch<W> {
    pairs: [W; CELLS],
    /// [column * 3 + band][digit]
    columns: [[Flags<W>; 9]; 27],
    /// [stack][digit], of one row.
    row: [[Flags<W>; 9]; 3],
}

/// Of one digit in one line (row or column), outside of one of its three boxes: do two cells or more hold it, and
/// does one of them have two candidates?
#[derive(Clone, Copy)]
struct Flags<W> {
    many: W,
    pair: W,
}

impl<W: Word> Scratch<W> {
    pub fn boxed() -> Box<Self> {
        let mut scratch = Box::<Self>::new_uninit();
        // SAFETY: all fields are arrays of words, of which any bits are a value.
        unsafe {
            scratch.as_mut_ptr().write_bytes(0, 1);
            scratch.assume_init()
        }
    }
}

/// Picks the cell to branch on for the lanes `who`, which must be settled and open: `pick[cell]`, one cell a lane.
#[inline(always)]
pub(super) fn choose<W: Word>(state: &State<W>, who: W, scratch: &mut Scratch<W>, pick: &mut [W; CELLS]) {
    let x = &state.candidates;
    let Scratch { pairs, columns, row } = scratch;
    for cell in 0..CELLS {
        pairs[cell] = two_of_nine(&each!(9, digit => x[digit * CELLS + cell]));
    }
    let (digits, _) = x.as_chunks::<CELLS>();
    for (digit, planes) in digits.iter().enumerate() {
        for column in 0..9 {
            let flags = flags(planes, pairs, column, 9);
            for band in 0..3 {
                columns[column * 3 + band][digit] = flags[band];
            }
        }
    }
    let mut best = [W::ZERO; 3];
    let mut found = W::ZERO;
    for cell in 0..CELLS {
        if cell % 9 == 0 {
            for (digit, planes) in digits.iter().enumerate() {
                let flags = flags(planes, pairs, cell, 1);
                for stack in 0..3 {
                    row[stack][digit] = flags[stack];
                }
            }
        }
        let score = score(x, cell, &row[cell % 9 / 3], &columns[cell % 9 * 3 + cell / 27]);
        let mut better = score[0].without(best[0]);
        better = score[1].greater(best[1], better);
        better = score[2].greater(best[2], better);
        let take = pairs[cell].and(better.or(found.not()));
        found = found.or(pairs[cell]);
        for i in 0..3 {
            best[i] = take.blend(score[i], best[i]);
        }
        pick[cell] = take;
    }
    // A lane took each cell that beat those before it; the last one counts.
    let mut later = who.not();
    for cell in (0..CELLS).rev() {
        let take = pick[cell];
        pick[cell] = take.without(later);
        later = later.or(take);
    }
    let rest = who.without(found);
    if rest.to_mask() != [0; 8] {
        fewest(state, rest, pick);
    }
}

/// The score of a cell with two candidates, 0 to 6 in three bits.
#[inline(always)]
fn score<W: Word>(x: &[W; 9 * CELLS], cell: usize, row: &[Flags<W>; 9], column: &[Flags<W>; 9]) -> [W; 3] {
    // Of two digits, "one of them" and "both" add up to the number of flags.
    let mut many = [W::ZERO; 2];
    let mut one = [W::ZERO; 2];
    let mut both = [W::ZERO.not(); 2];
    for digit in 0..9 {
        let holds = x[digit * CELLS + cell];
        many[0] = many[0].or_and(holds, row[digit].many);
        many[1] = many[1].or_and(holds, column[digit].many);
        one[0] = one[0].or_and(holds, row[digit].pair);
        one[1] = one[1].or_and(holds, column[digit].pair);
        both[0] = both[0].and_implies(holds, row[digit].pair);
        both[1] = both[1].and_implies(holds, column[digit].pair);
    }
    let (a, a2) = (many[0].xor3(many[1], one[0]), many[0].majority(many[1], one[0]));
    let (b, b2) = (one[1].xor3(both[0], both[1]), one[1].majority(both[0], both[1]));
    let carry = a.and(b);
    [a.xor(b), a2.xor3(b2, carry), a2.majority(b2, carry)]
}

/// The flags of one digit in one line, for each of its boxes: cells `first + place * step`.
#[inline(always)]
fn flags<W: Word>(x: &[W; CELLS], pairs: &[W; CELLS], first: usize, step: usize) -> [Flags<W>; 3] {
    let mut any = [W::ZERO; 3];
    let mut several = [W::ZERO; 3];
    let mut narrow = [W::ZERO; 3];
    for third in 0..3 {
        let a = first + third * 3 * step;
        let (b, c) = (a + step, a + 2 * step);
        any[third] = x[a].or3(x[b], x[c]);
        several[third] = x[a].majority(x[b], x[c]);
        narrow[third] = x[a].and(pairs[a]).or_and(x[b], pairs[b]).or_and(x[c], pairs[c]);
    }
    let mut flags = [Flags { many: W::ZERO, pair: W::ZERO }; 3];
    for third in 0..3 {
        let (a, b) = ((third + 1) % 3, (third + 2) % 3);
        flags[third].many = several[a].or(several[b]).or_and(any[a], any[b]);
        flags[third].pair = narrow[a].or(narrow[b]);
    }
    flags
}

/// Exactly two of nine.
#[inline(always)]
fn two_of_nine<W: Word>(x: &[W; 9]) -> W {
    let ones = each!(3, i => x[i * 3].xor3(x[i * 3 + 1], x[i * 3 + 2]));
    let twos = each!(3, i => x[i * 3].majority(x[i * 3 + 1], x[i * 3 + 2]));
    let carry = ones[0].majority(ones[1], ones[2]);
    let twos_or_more = twos[0].majority(twos[1], twos[2]);
    let one_two = carry.xor(twos[0].xor3(twos[1], twos[2]));
    one_two.without_either(ones[0].xor3(ones[1], ones[2]), twos_or_more)
}

/// The lowest cell among those with the fewest candidates (of two or more), for lanes without any pair.
#[inline(always)]
fn fewest<W: Word>(state: &State<W>, who: W, pick: &mut [W; CELLS]) {
    let x = &state.candidates;
    let mut undecided = who;
    // few[cell]: at most `count` candidates, among cells that still have a choice.
    for count in 3..=9 {
        for cell in 0..CELLS {
            let candidates = each!(9, digit => x[digit * CELLS + cell]);
            let (_, open) = any_several(&candidates);
            let take = undecided.and3(open, at_most(&candidates, count));
            pick[cell] = pick[cell].or(take);
            undecided = undecided.without(take);
        }
        if undecided.to_mask() == [0; 8] {
            return;
        }
    }
}

/// At most `count` (3 to 9) of nine.
#[inline(always)]
fn at_most<W: Word>(x: &[W; 9], count: usize) -> W {
    // The four bits of the number: ripple the nine flags into a counter.
    let mut number = [W::ZERO; 4];
    for flag in x {
        let mut carry = *flag;
        for bit in &mut number {
            (*bit, carry) = (bit.xor(carry), bit.and(carry));
        }
    }
    let mut more = W::ZERO;
    for (i, bit) in number.iter().enumerate() {
        let limit = if count >> i & 1 == 1 { W::ZERO.not() } else { W::ZERO };
        more = bit.greater(limit, more);
    }
    more.not()
}
