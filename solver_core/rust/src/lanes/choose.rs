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
    /// [column * 3 + band][digit]
    columns: [[Flags<W>; 9]; 27],
    /// [stack][digit], of one row.
    row: [[Flags<W>; 9]; 3],
    /// [column * 3 + band]: open cells of the column outside of the band.
    column_open: [[W; 3]; 27],
}

/// Of one digit in one line (row or column), outside of one of its three boxes: do two cells or more hold it, does
/// one with two candidates, does one with three?
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
    let Scratch { pairs, triples, columns, row, column_open } = scratch;
    for cell in 0..CELLS {
        [pairs[cell], triples[cell]] = two_three_of_nine(&each!(9, digit => x[digit * CELLS + cell]));
    }
    let (digits, _) = x.as_chunks::<CELLS>();
    for (digit, planes) in digits.iter().enumerate() {
        for column in 0..9 {
            let flags = flags(planes, pairs, triples, column, 9);
            for band in 0..3 {
                columns[column * 3 + band][digit] = flags[band];
            }
        }
    }
    for column in 0..9 {
        let parts = thirds(&state.decided, column, 9);
        for band in 0..3 {
            column_open[column * 3 + band] = sum_of_two(parts[(band + 1) % 3], parts[(band + 2) % 3]);
        }
    }
    let mut best = [W::ZERO; 6];
    let mut box_open = [[W::ZERO; 4]; 3];
    for row_start in (0..CELLS).step_by(9) {
        if row_start % 27 == 0 {
            box_open = boxes(&state.decided, row_start);
        }
        for (digit, planes) in digits.iter().enumerate() {
            let flags = flags(planes, pairs, triples, row_start, 1);
            for stack in 0..3 {
                row[stack][digit] = flags[stack];
            }
        }
        let parts = thirds(&state.decided, row_start, 1);
        for stack in 0..3 {
            let row_open = sum_of_two(parts[(stack + 1) % 3], parts[(stack + 2) % 3]);
            for cell in row_start + stack * 3..row_start + stack * 3 + 3 {
                let column = cell % 9 * 3 + cell / 27;
                let open = [row_open, column_open[column]];
                let score = score(x, cell, &row[stack], &columns[column], open, box_open[stack]);
                // At least as good as the best so far, which starts at 0.
                let mut good = score[0].or(best[0].not());
                for i in 1..6 {
                    good = score[i].greater(best[i], good);
                }
                let take = pairs[cell].and(good);
                for i in 0..6 {
                    best[i] = take.blend(score[i], best[i]);
                }
                pick[cell] = take;
            }
        }
    }
    // A lane took each cell that was as good as those before it; the last one counts.
    let mut later = who.not();
    let mut found = W::ZERO;
    for cell in (0..CELLS).rev() {
        let take = pick[cell];
        pick[cell] = take.without(later);
        later = later.or(take);
        found = found.or(take);
    }
    let rest = who.without(found);
    if rest.to_mask() != [0; 8] {
        fewest(state, rest, pick);
    }
}

/// The score of a cell with two candidates, in six bits.
#[inline(always)]
fn score<W: Word>(
    x: &[W; 9 * CELLS],
    cell: usize,
    row: &[Flags<W>; 9],
    column: &[Flags<W>; 9],
    [row_open, column_open]: [[W; 3]; 2],
    box_open: [W; 4],
) -> [W; 6] {
    // Of two digits, "one of them" and "both" add up to the number of flags.
    let mut many = [W::ZERO; 2];
    let mut pair = [W::ZERO, W::ZERO, W::ZERO.not(), W::ZERO.not()];
    let mut triple = pair;
    for digit in 0..9 {
        let holds = x[digit * CELLS + cell];
        let (row, column) = (&row[digit], &column[digit]);
        many[0] = many[0].or_and(holds, row.many);
        many[1] = many[1].or_and(holds, column.many);
        pair[0] = pair[0].or_and(holds, row.pair);
        pair[1] = pair[1].or_and(holds, column.pair);
        pair[2] = pair[2].and_implies(holds, row.pair);
        pair[3] = pair[3].and_implies(holds, column.pair);
        triple[0] = triple[0].or_and(holds, row.triple);
        triple[1] = triple[1].or_and(holds, column.triple);
        triple[2] = triple[2].and_implies(holds, row.triple);
        triple[3] = triple[3].and_implies(holds, column.triple);
    }
    let (a, a2) = add(many[0], many[1], pair[0]);
    let (b, b2) = add(pair[1], pair[2], pair[3]);
    let (good0, carry) = (a.xor(b), a.and(b));
    let (good1, good2) = add(a2, b2, carry);
    // The triples ride along as carries.
    let (n0, carry) = add(row_open[0], column_open[0], triple[0]);
    let (n1, carry) = add(row_open[1], column_open[1], carry);
    let (n2, n3) = add(row_open[2], column_open[2], carry);
    let (n0, carry) = add(n0, box_open[0], triple[1]);
    let (n1, carry) = add(n1, box_open[1], carry);
    let (n2, carry) = add(n2, box_open[2], carry);
    let (n3, n4) = add(n3, box_open[3], carry);
    let (n0, carry) = add(n0, triple[2], triple[3]);
    let (n1, carry) = (n1.xor(carry), n1.and(carry));
    let (n2, carry) = add(n2, good0, carry);
    let (n3, carry) = add(n3, good1, carry);
    let (n4, n5) = add(n4, good2, carry);
    [n0, n1, n2, n3, n4, n5]
}

/// A full adder: sum and carry.
#[inline(always)]
fn add<W: Word>(a: W, b: W, c: W) -> (W, W) {
    (a.xor3(b, c), a.majority(b, c))
}

/// Open cells in each third of a line (cells `first + place * step`), in two bits.
#[inline(always)]
fn thirds<W: Word>(decided: &[W; CELLS], first: usize, step: usize) -> [[W; 2]; 3] {
    let mut parts = [[W::ZERO; 2]; 3];
    for third in 0..3 {
        let a = first + third * 3 * step;
        let open = each!(3, i => decided[a + i * step].not());
        let (low, high) = add(open[0], open[1], open[2]);
        parts[third] = [low, high];
    }
    parts
}

/// The sum of two numbers of two bits.
#[inline(always)]
fn sum_of_two<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 3] {
    let carry = a[0].and(b[0]);
    let (middle, high) = add(a[1], b[1], carry);
    [a[0].xor(b[0]), middle, high]
}

/// Open cells in each box of the band that starts at a cell, in four bits.
#[inline(always)]
fn boxes<W: Word>(decided: &[W; CELLS], first: usize) -> [[W; 4]; 3] {
    let rows = [thirds(decided, first, 1), thirds(decided, first + 9, 1), thirds(decided, first + 18, 1)];
    let mut boxes = [[W::ZERO; 4]; 3];
    for stack in 0..3 {
        let (low, carry) = add(rows[0][stack][0], rows[1][stack][0], rows[2][stack][0]);
        let (middle, high) = add(rows[0][stack][1], rows[1][stack][1], rows[2][stack][1]);
        let (middle, carry) = (middle.xor(carry), middle.and(carry));
        boxes[stack] = [low, middle, high.xor(carry), high.and(carry)];
    }
    boxes
}

/// The flags of one digit in one line, for each of its boxes: cells `first + place * step`.
#[inline(always)]
fn flags<W: Word>(
    x: &[W; CELLS],
    pairs: &[W; CELLS],
    triples: &[W; CELLS],
    first: usize,
    step: usize,
) -> [Flags<W>; 3] {
    let mut any = [W::ZERO; 3];
    let mut several = [W::ZERO; 3];
    let mut pair = [W::ZERO; 3];
    let mut triple = [W::ZERO; 3];
    for third in 0..3 {
        let a = first + third * 3 * step;
        let (b, c) = (a + step, a + 2 * step);
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
