//! How far the vector kernel looks, and when, by the rows left. Found by trial on Zen 5 (both widths) at n = 16; the
//! optimum is flat: a step in any one place costs 0 to 10 %.

/// How a level is compiled: all rows follow one another;
pub(super) const PLAIN: u8 = 0;
/// or rows of border queens lie between them;
pub(super) const SKIPS: u8 = 1;
/// or the solutions are wanted, not only their number (no rows are skipped).
pub(super) const LISTS: u8 = 2;

/// From here on, levels are worked alike, by one compiled function. The tables below are read at the rows left, up to
/// this.
pub(super) const TOP_CLASS: usize = 11;

/// By rows left: how many rows of a new state must each have an open square.
pub(super) const LOOK_AHEAD: [usize; TOP_CLASS + 1] = [0, 0, 0, 3, 4, 4, 4, 3, 2, 2, 1, 1];
/// By rows left: whether a column that only the next row can fill is its only choice.
pub(super) const FORCED: [bool; TOP_CLASS + 1] =
    [false, false, false, false, true, true, false, false, false, false, false, false];
/// By rows left: a single open square of the rows 1 to this (without) strikes choices of row 0.
pub(super) const STRIKE: [usize; TOP_CLASS + 1] = [0, 0, 0, 0, 4, 5, 5, 0, 0, 0, 0, 0];
/// By rows left: choices a vector before what is left of it goes to the pending list; 0: all of them.
pub(super) const PASSES: [usize; TOP_CLASS + 1] = [0, 0, 0, 0, 1, 1, 1, 2, 2, 0, 0, 0];

/// By rows left: whether the choices of a state are found when it is born, and kept beside it. A state without any is
/// then never stored, and the look-ahead has seen its rows already.
pub(super) const CHOOSE_AT_BIRTH: [bool; TOP_CLASS + 1] =
    [false, false, false, false, true, true, true, false, false, false, false, false];

/// Rows that a level looks at, at most.
pub(super) const WINDOW: usize = 5;

/// How many rows the level with `rows_left` rows left looks at, and how many from the next row on its children do.
pub(super) const fn rows_looked_at(rows_left: usize) -> (usize, usize) {
    const fn larger(a: usize, b: usize) -> usize {
        if a > b { a } else { b }
    }
    let class = if rows_left < TOP_CLASS { rows_left } else { TOP_CLASS };
    match class {
        0..=2 => (0, 0),
        3 => (3, 0),
        _ => {
            let child = if class < TOP_CLASS { class - 1 } else { TOP_CLASS };
            let by_choices = if CHOOSE_AT_BIRTH[child] { rows_for_choices(child) } else { 0 };
            // A child is moved on by one row, whatever is looked at.
            (larger(2, rows_for_choices(class)), larger(LOOK_AHEAD[child], by_choices))
        }
    }
}

/// How many rows the choices of a state depend on.
const fn rows_for_choices(class: usize) -> usize {
    if FORCED[class] {
        class
    } else if STRIKE[class] > 0 {
        STRIKE[class]
    } else {
        1
    }
}

const _: () = {
    let mut rows_left = 0;
    while rows_left <= TOP_CLASS {
        let (own, of_children) = rows_looked_at(rows_left);
        assert!(own <= WINDOW && of_children <= WINDOW);
        rows_left += 1;
    }
};
