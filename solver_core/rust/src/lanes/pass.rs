//! Propagation: one pass over all digits and cells of all lanes, with nothing but and, or, not.
//!
//! ```text
//! for each digit:
//!     for each box: which mini-rows and mini-columns hold the digit; a decided cell rules out the two others
//!     for each band and stack: keep a mini-row (mini-column) only if it is part of a permutation
//!     strike the cells of the others; which columns hold the digit twice or more
//! for each cell:
//!     a digit that stands once in its column rules out all others here
//!     is the cell decided (at most one candidate left)
//! ```
//!
//! Together these are all naked and hidden singles and all locked candidates. Every rule only strikes candidates
//! and strikes more when fewer are left, so the state in which a pass changes nothing is the same whatever the
//! order of the rules. It is the state on which the search chooses, which is why the guesses of a puzzle depend
//! neither on its company nor on the kernel.

use crate::grid::CELLS;
use crate::word::{Word, each};

/// Bit planes of the candidates: `digit * 81 + cell`.
pub(crate) const PLANES: usize = 9 * CELLS;

/// What is known of the puzzles in all lanes.
pub(crate) struct State<W> {
    /// Plane `digit * 81 + cell`: the cell may take the digit (0 to 8).
    pub candidates: [W; PLANES],
    /// The cell has at most one candidate.
    pub decided: [W; CELLS],
    scratch: Scratch<W>,
}

/// What a pass notes down for itself; it is here because clearing it for each pass would cost 5 % of the pass.
struct Scratch<W> {
    /// [digit][column]: the column holds the digit twice or more.
    twice: [[W; 9]; 9],
    /// [band][row * 3 + stack]: the mini-rows of one digit.
    rows: [[W; 9]; 3],
    /// [stack][column * 3 + band]: the mini-columns of one digit.
    columns: [[W; 9]; 3],
}

impl<W: Word> State<W> {
    /// No candidates in any lane, on the heap (50 kB with 512 lanes).
    pub fn boxed() -> Box<Self> {
        let mut state = Box::<Self>::new_uninit();
        // SAFETY: all fields are arrays of words, of which any bits are a value.
        unsafe {
            state.as_mut_ptr().write_bytes(0, 1);
            state.assume_init()
        }
    }
}

/// What a pass found out.
pub(crate) struct Verdict<W> {
    /// No solution from here.
    pub contradiction: W,
    /// The rule of permutations has struck a mini-row or mini-column of a digit.
    pub struck: W,
    /// Some cell has become decided. What that strikes in its units only the next pass does, unseen by `struck`.
    pub decided: W,
    /// Some cell has two candidates or more.
    pub open: W,
}

/// The two numbers of 0, 1, 2 that are not `i`.
const OTHERS: [[usize; 2]; 3] = [[1, 2], [0, 2], [0, 1]];

/// Strikes what the rules strike, once.
#[inline(always)]
pub(super) fn pass<W: Word>(state: &mut State<W>) -> Verdict<W> {
    let State { candidates, decided, scratch } = state;
    let Scratch { twice, rows, columns } = scratch;
    let mut complete = W::ZERO.not();
    let mut doubled = W::ZERO;
    let mut struck = W::ZERO;
    let mut news = W::ZERO;
    let (digits, _) = candidates.as_chunks_mut::<CELLS>();
    for (planes, twice) in digits.iter_mut().zip(twice.iter_mut()) {
        *twice = digit(planes, decided, rows, columns, &mut complete, &mut struck);
    }
    let mut open = W::ZERO;
    for column in 0..9 {
        let twice = each!(9, digit => twice[digit][column]);
        for row in 0..9 {
            let cell = row * 9 + column;
            let mut x = each!(9, digit => candidates[digit * CELLS + cell]);
            let mut hidden = x[0].without(twice[0]);
            for digit in 1..9 {
                hidden = hidden.or_without(x[digit], twice[digit]);
            }
            for digit in 0..9 {
                x[digit] = x[digit].without_both(hidden, twice[digit]);
                candidates[digit * CELLS + cell] = x[digit];
            }
            let (any, several) = any_several(&x);
            // A cell that is the only place of two digits keeps both: a contradiction.
            complete = complete.and(any);
            doubled = doubled.or_and(hidden, several);
            news = news.or_xor(decided[cell], several.not());
            open = open.or(several);
            decided[cell] = several.not();
        }
    }
    Verdict { contradiction: doubled.or(complete.not()), struck, decided: news, open }
}

/// One digit or more, two digits or more, of nine.
#[inline(always)]
pub(super) fn any_several<W: Word>(x: &[W; 9]) -> (W, W) {
    let any = [x[0].or3(x[1], x[2]), x[3].or3(x[4], x[5]), x[6].or3(x[7], x[8])];
    let several = [x[0].majority(x[1], x[2]), x[3].majority(x[4], x[5]), x[6].majority(x[7], x[8])];
    let across = any[0].majority(any[1], any[2]);
    (any[0].or3(any[1], any[2]), several[0].or3(several[1], several[2]).or(across))
}

/// One digit in all boxes, bands and stacks; the columns that still hold it twice or more.
///
/// Worked off band by band and then stack by stack, so that the nine flags at hand stay in registers: the stores
/// are what bounds a pass.
#[inline(always)]
fn digit<W: Word>(
    x: &mut [W; CELLS],
    decided: &[W; CELLS],
    rows: &mut [[W; 9]; 3],
    columns: &mut [[W; 9]; 3],
    complete: &mut W,
    struck: &mut W,
) -> [W; 9] {
    for band in 0..3 {
        let mut flags = [W::ZERO; 9];
        for stack in 0..3 {
            let corner = band * 27 + stack * 3;
            let y = each!(9, i => x[corner + i / 3 * 9 + i % 3]);
            let f = each!(9, i => y[i].and(decided[corner + i / 3 * 9 + i % 3]));
            let fixed_row = each!(3, r => f[r * 3].or3(f[r * 3 + 1], f[r * 3 + 2]));
            let fixed_column = each!(3, c => f[c].or3(f[c + 3], f[c + 6]));
            for i in 0..3 {
                let [a, b] = OTHERS[i];
                let row = y[i * 3].or3(y[i * 3 + 1], y[i * 3 + 2]);
                flags[i * 3 + stack] = row.without_either(fixed_row[a], fixed_row[b]);
                let column = y[i].or3(y[i + 3], y[i + 6]);
                columns[stack][i * 3 + band] = column.without_either(fixed_column[a], fixed_column[b]);
            }
        }
        rows[band] = permutations(&flags, struck);
    }
    let mut twice = [W::ZERO; 9];
    for stack in 0..3 {
        let keep = permutations(&columns[stack], struck);
        let mut any = [W::ZERO; 9];
        let mut several = [W::ZERO; 9];
        for band in 0..3 {
            for c in 0..3 {
                let corner = band * 27 + stack * 3 + c;
                let y = each!(3, r => x[corner + r * 9].and3(rows[band][r * 3 + stack], keep[c * 3 + band]));
                for r in 0..3 {
                    x[corner + r * 9] = y[r];
                }
                any[c * 3 + band] = y[0].or3(y[1], y[2]);
                several[c * 3 + band] = y[0].majority(y[1], y[2]);
            }
        }
        for c in 0..3 {
            let [a, b, d] = [any[c * 3], any[c * 3 + 1], any[c * 3 + 2]];
            *complete = complete.and(a.or3(b, d));
            let inside = several[c * 3].or3(several[c * 3 + 1], several[c * 3 + 2]);
            twice[stack * 3 + c] = inside.or(a.majority(b, d));
        }
    }
    twice
}

/// The flags of a 3x3 matrix that are part of at least one of its six permutations.
#[inline(always)]
fn permutations<W: Word>(m: &[W; 9], struck: &mut W) -> [W; 9] {
    // even[i] runs down from column i, odd[i] up from it; each flag is part of one of either kind.
    let even = each!(3, i => m[i].and3(m[3 + (i + 1) % 3], m[6 + (i + 2) % 3]));
    let odd = each!(3, i => m[i].and3(m[3 + (i + 2) % 3], m[6 + (i + 1) % 3]));
    let kept = each!(9, i => even[(i % 3 + 3 - i / 3) % 3].or(odd[(i % 3 + i / 3) % 3]));
    for i in 0..9 {
        *struck = struck.or_without(m[i], kept[i]);
    }
    kept
}
