//! The guess rule for all lanes at once: the same cells that `guess.rs` picks, by flags and adders on bit planes.

use super::pass::{State, any_several};
use crate::grid::CELLS;
use crate::word::{Word, each};

/// What choosing notes down for itself.
pub(super) struct Scratch<W> {
    /// The cell has two candidates.
    pairs: [W; CELLS],
    /// The cell has three candidates.
    triples: [W; CELLS],
    /// What the rows add to the score of their cells.
    rows: [[Part<W>; 9]; 9],
    column: [Part<W>; 9],
    /// [third][digit], of one line.
    flags: [[Flags<W>; 9]; 3],
    /// Open cells of each row outside of each stack.
    row_open: [[[W; 3]; 3]; 9],
}

/// What one line (row or column) adds to the score of a cell, all of it outside of the box.
#[derive(Clone, Copy)]
struct Part<W> {
    /// Pairs of both digits and many of either, 0 to 3.
    good: [W; 2],
    /// Triples of one digit, and of both.
    triples: [W; 2],
}

/// Of one digit in one line, outside of one of its three boxes: do two cells or more hold it, does one with two
/// candidates, does one with three?
#[derive(Clone, Copy)]
struct Flags<W> {
    many: W,
    pair: W,
    triple: W,
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
    let Scratch { pairs, triples, rows, column: part, flags, row_open } = scratch;
    for cell in 0..CELLS {
        [pairs[cell], triples[cell]] = two_three_of_nine(&each!(9, digit => x[digit * CELLS + cell]));
    }
    for row in 0..9 {
        line(x, pairs, triples, row * 9, 1, flags, &mut rows[row]);
        row_open[row] = outside(thirds(&each!(9, i => state.decided[row * 9 + i].not())));
    }
    let box_sums = box_sums(&state.decided, pairs);
    let mut best = [W::ZERO; 6];
    for column in 0..9 {
        line(x, pairs, triples, column, 9, flags, part);
        let column_open = outside(thirds(&each!(9, i => state.decided[column + i * 9].not())));
        for row in 0..9 {
            let open = [row_open[row][column / 3], column_open[row / 3]];
            let score = score(&rows[row][column], &part[row], open, box_sums[row / 3][column / 3]);
            // Better than the best so far, which starts at 0.
            let mut good = score[0].without(best[0]);
            for i in 1..6 {
                good = score[i].greater(best[i], good);
            }
            let take = pairs[row * 9 + column].and(good);
            for i in 0..6 {
                best[i] = take.blend(score[i], best[i]);
            }
            pick[row * 9 + column] = take;
        }
    }
    // A lane took each cell that was better than those before it; the last one counts.
    let mut later = who.not();
    let mut found = W::ZERO;
    for column in (0..9).rev() {
        for row in (0..9).rev() {
            let take = &mut pick[row * 9 + column];
            found = found.or(*take);
            *take = take.without(later);
            later = later.or(found);
        }
    }
    let rest = who.without(found);
    if rest.to_mask() != [0; 8] {
        fewest(state, rest, pick);
    }
}

/// The score of a cell with two candidates, in six bits.
#[inline(always)]
fn score<W: Word>(row: &Part<W>, column: &Part<W>, [row_open, column_open]: [[W; 3]; 2], in_box: [W; 5]) -> [W; 6] {
    let (good0, carry) = (row.good[0].xor(column.good[0]), row.good[0].and(column.good[0]));
    let (good1, good2) = add(row.good[1], column.good[1], carry);
    // The triples ride along as carries.
    let (n0, carry) = add(row_open[0], column_open[0], row.triples[0]);
    let (n1, carry) = add(row_open[1], column_open[1], carry);
    let (n2, n3) = add(row_open[2], column_open[2], carry);
    let (n0, carry) = add(n0, in_box[0], row.triples[1]);
    let (n1, carry) = add(n1, in_box[1], carry);
    let (n2, carry) = add(n2, in_box[2], carry);
    let (n3, carry) = add(n3, in_box[3], carry);
    let (n4, n5) = (in_box[4].xor(carry), in_box[4].and(carry));
    let (n0, carry) = add(n0, column.triples[0], column.triples[1]);
    let (n1, carry) = (n1.xor(carry), n1.and(carry));
    let (n2, carry) = add(n2, good0, carry);
    let (n3, carry) = add(n3, good1, carry);
    let (n4, carry) = add(n4, good2, carry);
    [n0, n1, n2, n3, n4, n5.or(carry)]
}

/// What a line (cells `first + place * step`) adds to the scores of its cells.
#[inline(always)]
fn line<W: Word>(
    x: &[W; 9 * CELLS],
    pairs: &[W; CELLS],
    triples: &[W; CELLS],
    first: usize,
    step: usize,
    all: &mut [[Flags<W>; 9]; 3],
    parts: &mut [Part<W>; 9],
) {
    let pairs = each!(9, i => pairs[first + i * step]);
    let triples = each!(9, i => triples[first + i * step]);
    for digit in 0..9 {
        let y = each!(9, i => x[digit * CELLS + first + i * step]);
        let flags = flags(&y, &pairs, &triples);
        for third in 0..3 {
            all[third][digit] = flags[third];
        }
    }
    for third in 0..3 {
        sum_up(x, first + third * 3 * step, step, &all[third], &mut parts[third * 3..]);
    }
}

/// Adds up the flags of the digits that the three cells from `first` on hold.
#[inline(always)]
fn sum_up<W: Word>(x: &[W; 9 * CELLS], first: usize, step: usize, flags: &[Flags<W>; 9], parts: &mut [Part<W>]) {
    let mut many = [W::ZERO; 3];
    // One digit or both, and exactly one.
    let mut pair = [[W::ZERO; 2]; 3];
    let mut triple = [[W::ZERO; 2]; 3];
    for digit in 0..9 {
        let flags = &flags[digit];
        for i in 0..3 {
            let holds = x[digit * CELLS + first + i * step];
            many[i] = many[i].or_and(holds, flags.many);
            pair[i] = [pair[i][0].or_and(holds, flags.pair), pair[i][1].xor_and(holds, flags.pair)];
            triple[i] = [triple[i][0].or_and(holds, flags.triple), triple[i][1].xor_and(holds, flags.triple)];
        }
    }
    for i in 0..3 {
        let [one, odd] = pair[i];
        let (low, high) = add(many[i], one, one.without(odd));
        let [one, odd] = triple[i];
        parts[i] = Part { good: [low, high], triples: [one, one.without(odd)] };
    }
}

/// A full adder: sum and carry.
#[inline(always)]
fn add<W: Word>(a: W, b: W, c: W) -> (W, W) {
    (a.xor3(b, c), a.majority(b, c))
}

/// How many of the flags of a line are up in each third, in two bits.
#[inline(always)]
fn thirds<W: Word>(line: &[W; 9]) -> [[W; 2]; 3] {
    let mut parts = [[W::ZERO; 2]; 3];
    for third in 0..3 {
        let (low, high) = add(line[third * 3], line[third * 3 + 1], line[third * 3 + 2]);
        parts[third] = [low, high];
    }
    parts
}

/// For each third the sum of the two others, in three bits.
#[inline(always)]
fn outside<W: Word>(parts: [[W; 2]; 3]) -> [[W; 3]; 3] {
    let mut sums = [[W::ZERO; 3]; 3];
    for third in 0..3 {
        let (a, b) = (parts[(third + 1) % 3], parts[(third + 2) % 3]);
        let (middle, high) = add(a[1], b[1], a[0].and(b[0]));
        sums[third] = [a[0].xor(b[0]), middle, high];
    }
    sums
}

/// In each box the open cells and, once more, those with two candidates, in five bits: [band][stack].
#[inline(always)]
fn box_sums<W: Word>(decided: &[W; CELLS], pairs: &[W; CELLS]) -> [[[W; 5]; 3]; 3] {
    let mut sums = [[[W::ZERO; 5]; 3]; 3];
    for band in 0..3 {
        let (mut open, mut two) = ([[[W::ZERO; 2]; 3]; 3], [[[W::ZERO; 2]; 3]; 3]);
        for row in 0..3 {
            let first = band * 27 + row * 9;
            open[row] = thirds(&each!(9, i => decided[first + i].not()));
            two[row] = thirds(&each!(9, i => pairs[first + i]));
        }
        let (open, two) = (boxes(&open), boxes(&two));
        for stack in 0..3 {
            let mut carry = W::ZERO;
            for i in 0..4 {
                (sums[band][stack][i], carry) = add(open[stack][i], two[stack][i], carry);
            }
            sums[band][stack][4] = carry;
        }
    }
    sums
}

/// Adds up the thirds of three rows in each box, in four bits.
#[inline(always)]
fn boxes<W: Word>(rows: &[[[W; 2]; 3]; 3]) -> [[W; 4]; 3] {
    let mut boxes = [[W::ZERO; 4]; 3];
    for stack in 0..3 {
        let (low, carry) = add(rows[0][stack][0], rows[1][stack][0], rows[2][stack][0]);
        let (middle, high) = add(rows[0][stack][1], rows[1][stack][1], rows[2][stack][1]);
        let (middle, carry) = (middle.xor(carry), middle.and(carry));
        boxes[stack] = [low, middle, high.xor(carry), high.and(carry)];
    }
    boxes
}

/// The flags of one digit in one line, for each of its boxes.
#[inline(always)]
fn flags<W: Word>(x: &[W; 9], pairs: &[W; 9], triples: &[W; 9]) -> [Flags<W>; 3] {
    let mut any = [W::ZERO; 3];
    let mut several = [W::ZERO; 3];
    let mut pair = [W::ZERO; 3];
    let mut triple = [W::ZERO; 3];
    for third in 0..3 {
        let [a, b, c] = [third * 3, third * 3 + 1, third * 3 + 2];
        any[third] = x[a].or3(x[b], x[c]);
        several[third] = x[a].majority(x[b], x[c]);
        pair[third] = x[a].and(pairs[a]).or_and(x[b], pairs[b]).or_and(x[c], pairs[c]);
        triple[third] = x[a].and(triples[a]).or_and(x[b], triples[b]).or_and(x[c], triples[c]);
    }
    let mut flags = [Flags { many: W::ZERO, pair: W::ZERO, triple: W::ZERO }; 3];
    for third in 0..3 {
        let (a, b) = ((third + 1) % 3, (third + 2) % 3);
        flags[third].many = several[a].or(several[b]).or_and(any[a], any[b]);
        flags[third].pair = pair[a].or(pair[b]);
        flags[third].triple = triple[a].or(triple[b]);
    }
    flags
}

/// Exactly two, exactly three of nine.
#[inline(always)]
fn two_three_of_nine<W: Word>(x: &[W; 9]) -> [W; 2] {
    let ones = each!(3, i => x[i * 3].xor3(x[i * 3 + 1], x[i * 3 + 2]));
    let twos = each!(3, i => x[i * 3].majority(x[i * 3 + 1], x[i * 3 + 2]));
    let (odd, carry) = add(ones[0], ones[1], ones[2]);
    let (one_two, more) = add(twos[0], twos[1], twos[2]);
    let two_or_three = carry.xor(one_two).without(more);
    [two_or_three.without(odd), two_or_three.and(odd)]
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
