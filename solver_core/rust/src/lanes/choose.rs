//! The guess rule for all lanes at once: the same cells that `guess.rs` picks, by flags and adders on bit planes.

use super::pass::{State, any_several};
use crate::grid::CELLS;
use crate::word::{Word, each};

/// Flags of a line (row or column) without one of its three boxes, for all digits: `[digit][line * 3 + box]`.
type Flags<W> = [[W; 27]; 9];

/// Picks the cell to branch on for the lanes `who`, which must be settled and open: `pick[cell]`, one cell a lane.
#[inline(always)]
pub(super) fn choose<W: Word>(state: &State<W>, who: W, pick: &mut [W; CELLS]) {
    let x = &state.candidates;
    let mut pairs = [W::ZERO; CELLS];
    for cell in 0..CELLS {
        pairs[cell] = two_of_nine(&each!(9, digit => x[digit * CELLS + cell]));
    }
    let (mut row_many, mut row_pair) = ([[W::ZERO; 27]; 9], [[W::ZERO; 27]; 9]);
    let (mut column_many, mut column_pair) = ([[W::ZERO; 27]; 9], [[W::ZERO; 27]; 9]);
    let (digits, _) = x.as_chunks::<CELLS>();
    for (digit, planes) in digits.iter().enumerate() {
        flags(planes, &pairs, 9, 1, &mut row_many[digit], &mut row_pair[digit]);
        flags(planes, &pairs, 1, 9, &mut column_many[digit], &mut column_pair[digit]);
    }
    let mut best = [W::ZERO; 3];
    let mut found = W::ZERO;
    for cell in 0..CELLS {
        let (row, column) = (cell / 9 * 3 + cell % 9 / 3, cell % 9 * 3 + cell / 27);
        let score = score(x, cell, [&row_many, &row_pair], row, [&column_many, &column_pair], column);
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
fn score<W: Word>(
    x: &[W; 9 * CELLS],
    cell: usize,
    [row_many, row_pair]: [&Flags<W>; 2],
    row: usize,
    [column_many, column_pair]: [&Flags<W>; 2],
    column: usize,
) -> [W; 3] {
    // Of two digits, "one of them" and "both" add up to the number of flags.
    let mut many = [W::ZERO; 2];
    let mut one = [W::ZERO; 2];
    let mut both = [W::ZERO.not(); 2];
    for digit in 0..9 {
        let holds = x[digit * CELLS + cell];
        many[0] = many[0].or_and(holds, row_many[digit][row]);
        many[1] = many[1].or_and(holds, column_many[digit][column]);
        one[0] = one[0].or_and(holds, row_pair[digit][row]);
        one[1] = one[1].or_and(holds, column_pair[digit][column]);
        both[0] = both[0].and_implies(holds, row_pair[digit][row]);
        both[1] = both[1].and_implies(holds, column_pair[digit][column]);
    }
    let (a, a2) = (many[0].xor3(many[1], one[0]), many[0].majority(many[1], one[0]));
    let (b, b2) = (one[1].xor3(both[0], both[1]), one[1].majority(both[0], both[1]));
    let carry = a.and(b);
    [a.xor(b), a2.xor3(b2, carry), a2.majority(b2, carry)]
}

/// For the nine lines of one digit (cell `line * major + place * minor`): outside of a box, do two cells or more
/// hold the digit, and does one of them have two candidates?
#[inline(always)]
fn flags<W: Word>(
    x: &[W; CELLS],
    pairs: &[W; CELLS],
    major: usize,
    minor: usize,
    many: &mut [W; 27],
    pair: &mut [W; 27],
) {
    for line in 0..9 {
        let mut any = [W::ZERO; 3];
        let mut several = [W::ZERO; 3];
        let mut narrow = [W::ZERO; 3];
        for third in 0..3 {
            let corner = line * major + third * 3 * minor;
            let [a, b, c] = [corner, corner + minor, corner + 2 * minor];
            any[third] = x[a].or3(x[b], x[c]);
            several[third] = x[a].majority(x[b], x[c]);
            narrow[third] = x[a].and(pairs[a]).or_and(x[b], pairs[b]).or_and(x[c], pairs[c]);
        }
        for third in 0..3 {
            let (a, b) = ((third + 1) % 3, (third + 2) % 3);
            many[line * 3 + third] = several[a].or(several[b]).or_and(any[a], any[b]);
            pair[line * 3 + third] = narrow[a].or(narrow[b]);
        }
    }
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
