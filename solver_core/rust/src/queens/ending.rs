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
use super::levels::Work;
use super::states::{CAPACITY, PLACE, ROOM, State, States, distance};
use super::tuning::{LISTS, SKIPS};

/// The six ways to place the last three queens, as in the picture: which of the columns x, y, z (0, 1, 2) row 0, 1 and
/// 2 get. Neighbours stand for the masks that [`ways`] gives in pairs.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [2, 1, 0], [0, 2, 1], [1, 2, 0], [1, 0, 2], [2, 0, 1]];

/// For each pair of [`ORDERS`]: where all three squares are open in the one way, in the other, and where they are
/// forbidden for both. An empty lane is forbidden: its columns are "1 apart", all being 0.
///
/// # Safety
///
/// The CPU must have the isa of `L`.
#[inline(always)]
unsafe fn ways<L: Lanes, const MODE: u8>(block: &Block<L>, state: State<L>) -> [(L::Mask, L::Mask, L::Mask); 3] {
    // SAFETY: the caller's promise.
    unsafe {
        let none = L::splat(0);
        let free = state.free;
        let x = free & (none - free);
        let y = (free ^ x) & (none - (free ^ x));
        let z = free ^ x ^ y;
        let [row0, row1, row2] =
            [state.open::<MODE>(block, 3, 0), state.open::<MODE>(block, 3, 1), state.open::<MODE>(block, 3, 2)];
        macro_rules! all_open {
            ($a:ident $b:ident $c:ident) => {
                ((row0 & $a) | (row1 & $b) | (row2 & $c)).equal(free)
            };
        }
        let (xyz, zyx) = (all_open!(x y z), all_open!(z y x));
        let (xzy, yzx) = (all_open!(x z y), all_open!(y z x));
        let (yxz, zxy) = (all_open!(y x z), all_open!(z x y));
        let (one, two) = (distance::<L, MODE>(block, 3, 1), distance::<L, MODE>(block, 3, 2));
        if MODE != SKIPS {
            let (xy1, yz1) = (x.up(one).equal(y), y.up(one).equal(z));
            let (xy2, yz2) = (x.up(two).equal(y), y.up(two).equal(z));
            return [(xyz, zyx, xy1 | yz1), (xzy, yzx, yz1 | xy2), (yxz, zxy, xy1 | yz2)];
        }
        // The rows are not one apart: which columns attack each other depends on the pair of rows.
        let last = distance::<L, MODE>(block, 2, 1);
        let attack01 = [x.up(one).equal(y), x.up(one).equal(z), y.up(one).equal(z)];
        let attack12 = [x.up(last).equal(y), x.up(last).equal(z), y.up(last).equal(z)];
        let attack02 = [x.up(two).equal(y), x.up(two).equal(z), y.up(two).equal(z)];
        let [xy, xz, yz] = [0, 1, 2];
        macro_rules! apart {
            ($rows01:ident $rows12:ident $rows02:ident) => {
                !(attack01[$rows01] | attack12[$rows12] | attack02[$rows02])
            };
        }
        let never = !(none.equal(none));
        [
            (xyz & apart!(xy yz xz), zyx & apart!(yz xy xz), never),
            (xzy & apart!(xz yz xy), yzx & apart!(yz xz xy), never),
            (yxz & apart!(xy xz yz), zxy & apart!(xz xy yz), never),
        ]
    }
}

/// How many solutions the states from `from` to `end` have.
///
/// # Safety
///
/// The CPU must have the isa of `L`; `from` points to states as in [`State::load`], and those at `end`, up to a
/// whole vector, have no free columns.
#[inline(always)]
pub(super) unsafe fn last_three_rows<L: Lanes, const MODE: u8>(
    block: &Block<L>,
    mut from: *const L::Word,
    end: *const L::Word,
) -> u64 {
    // SAFETY: the caller's promise.
    unsafe {
        let mut found = L::splat(0);
        while from < end {
            let state = State::load(from);
            from = from.add(L::LANES);
            for (one, other, unless) in ways::<L, MODE>(block, state) {
                found = found.tally(one, other, unless);
            }
        }
        found.sum()
    }
}

/// Rows left of the boards whose solutions are collected.
pub(super) const LISTED_ROWS: usize = 9;
/// Bits of a column in what [`collect`] gives.
pub(super) const COLUMN_BITS: u32 = 5;
/// Where the number of the board begins, above the columns.
pub(super) const BOARD_SHIFT: u32 = 48;
const _: () = assert!(LISTED_ROWS as u32 * COLUMN_BITS <= BOARD_SHIFT && CAPACITY <= 1 << (64 - BOARD_SHIFT));

/// A find is the place of a state, and above it which of the [`ORDERS`] of its last rows is a solution.
const ORDER_SHIFT: u32 = 12;
const _: () = assert!(ROOM <= 1 << ORDER_SHIFT && ORDERS.len() << ORDER_SHIFT <= 1 << 16);

/// Appends every solution of the first `states` states to `work.found`: the number of the board it began with, then the
/// columns row by row, the last row lowest. So numbers in order are solutions in order. Returns how many.
///
/// # Safety
///
/// As [`last_three_rows`]; the levels above hold the parents of all states.
#[inline(always)]
pub(super) unsafe fn collect<L: Lanes>(work: &mut Work<'_, L>, states: usize) -> u64 {
    let before = work.found.len();
    // SAFETY: the caller's promise; the last level has no pending states, so its arrays there have room for finds.
    unsafe {
        let from = work.levels.add(3).cast::<L::Word>();
        let begin = work.pending.add(2).cast::<L::Word>();
        let full = begin.add(size_of::<States<L>>() / size_of::<L::Word>() - ORDERS.len() * L::LANES);
        let mut to = begin;
        let mut places = L::numbers();
        let mut at = 0;
        while at < states {
            let state = State::load(from.add(at));
            let mut order = 0;
            for (one, other, unless) in ways::<L, LISTS>(work.block, state) {
                for mask in [one, other] {
                    let packing = L::packing(mask & !unless);
                    (places + L::splat(order << ORDER_SHIFT)).pack(packing, to);
                    to = to.add(L::packed(packing));
                    order += 1;
                }
            }
            places = places + L::splat(L::LANES as u32);
            at += L::LANES;
            if to > full || at >= states {
                let finds = std::slice::from_raw_parts(begin, to.offset_from_unsigned(begin));
                work.found.extend(finds.iter().map(|&find| trace(work.levels, find.into())));
                to = begin;
            }
        }
    }
    (work.found.len() - before) as u64
}

/// The solution of a find: its last three rows, and the way back up to its board.
///
/// # Safety
///
/// The find is one of the last level, and the levels above hold its parents.
#[inline(always)]
unsafe fn trace<L: Lanes>(levels: *const States<L>, find: u32) -> u64 {
    let word = |rows_left: usize, at: usize| {
        // SAFETY: the caller's promise.
        unsafe { *levels.add(rows_left).cast::<L::Word>().add(at) }
    };
    let mut at = find as usize & ((1 << ORDER_SHIFT) - 1);
    let mut free: u32 = word(3, at).into();
    let columns = [free.trailing_zeros(), (free & (free - 1)).trailing_zeros(), 31 - free.leading_zeros()];
    let order = ORDERS[(find >> ORDER_SHIFT) as usize % ORDERS.len()];
    let mut solution = order.iter().fold(0, |solution, &i| solution << COLUMN_BITS | u64::from(columns[i]));
    for rows_left in 4..=LISTED_ROWS {
        at = word(rows_left - 1, at + PLACE).into() as usize;
        let before: u32 = word(rows_left, at).into();
        solution |= u64::from((before ^ free).trailing_zeros()) << (COLUMN_BITS * (rows_left as u32 - 1));
        free = before;
    }
    solution | (at as u64) << BOARD_SHIFT
}
