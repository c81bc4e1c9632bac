//! The last three rows, in closed form.
//!
//! Three columns x < y < z are free, and three rows are left. Each of the six ways to place the queens is a solution if
//! every queen stands on an open square and neighbouring rows keep their distance:
//!
//! ```text
//! row 0   x z   x y   y z
//! row 1   y y   z z   x x
//! row 2   z x   y x   z y
//! never   xy,yz 1 apart
//!               yz 1 apart, xy 2 apart
//!                     xy 1 apart, yz 2 apart
//! ```
//!
//! (x and z are at least 2 apart, and 2 only if y is between them.) All three squares are open exactly if together
//! they give the free columns back, since each square holds a column of its own.

use super::block::Block;
use super::lanes::Lanes;
use super::levels::{State, distance};

/// How many solutions the states from `from` to `end` have. An empty lane has none: its columns are "1 apart", all being 0.
///
/// # Safety
///
/// The CPU must have the isa of `L`; `from` points to states as in [`State::load`], and those at `end`, up to a
/// whole vector, have no free columns.
#[inline(always)]
pub(super) unsafe fn last_three_rows<L: Lanes, const SKIPS: bool>(
    block: &Block<L>,
    mut from: *const L::Word,
    end: *const L::Word,
) -> u64 {
    // SAFETY: the caller's promise.
    unsafe {
        let none = L::splat(0);
        let (one, two) = (distance::<L, SKIPS>(block, 3, 1), distance::<L, SKIPS>(block, 3, 2));
        // From the second of the three rows to the last.
        let last = distance::<L, SKIPS>(block, 2, 1);
        let mut found = none;
        while from < end {
            let state = State::load(from);
            from = from.add(L::LANES);
            let free = state.free;
            let x = free & (none - free);
            let y = (free ^ x) & (none - (free ^ x));
            let z = free ^ x ^ y;
            let [row0, row1, row2] =
                [state.open::<SKIPS>(block, 3, 0), state.open::<SKIPS>(block, 3, 1), state.open::<SKIPS>(block, 3, 2)];
            macro_rules! all_open {
                ($a:ident $b:ident $c:ident) => {
                    ((row0 & $a) | (row1 & $b) | (row2 & $c)).equal(free)
                };
            }
            let (xyz, zyx) = (all_open!(x y z), all_open!(z y x));
            let (xzy, yzx) = (all_open!(x z y), all_open!(y z x));
            let (yxz, zxy) = (all_open!(y x z), all_open!(z x y));
            if SKIPS {
                // The rows are not one apart: which columns attack each other depends on the pair of rows.
                let attack01 = [x.up(one).equal(y), x.up(one).equal(z), y.up(one).equal(z)];
                let attack12 = [x.up(last).equal(y), x.up(last).equal(z), y.up(last).equal(z)];
                let attack02 = [x.up(two).equal(y), x.up(two).equal(z), y.up(two).equal(z)];
                let [xy, xz, yz] = [0, 1, 2];
                let apart = |rows01: usize, rows12: usize, rows02: usize| {
                    !(attack01[rows01] | attack12[rows12] | attack02[rows02])
                };
                let never = !(none.equal(none));
                found = found.tally(xyz & apart(xy, yz, xz), zyx & apart(yz, xy, xz), never);
                found = found.tally(xzy & apart(xz, yz, xy), yzx & apart(yz, xz, xy), never);
                found = found.tally(yxz & apart(xy, xz, yz), zxy & apart(xz, xy, yz), never);
            } else {
                let (xy1, yz1) = (x.up(one).equal(y), y.up(one).equal(z));
                let (xy2, yz2) = (x.up(two).equal(y), y.up(two).equal(z));
                found = found.tally(xyz, zyx, xy1 | yz1);
                found = found.tally(xzy, yzx, yz1 | xy2);
                found = found.tally(yxz, zxy, xy1 | yz2);
            }
        }
        found.sum()
    }
}
