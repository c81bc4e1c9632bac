//! The vector kernel: the search level by level, many states side by side.
//!
//! ```text
//! level(rows left):
//!     for each vector of states (free, left, right):
//!         choices = open squares of the next row
//!         for each choice:                                           one a lane at a time
//!             child = the state with a queen there
//!             keep the lanes whose child has an open square in each of the next few rows
//!             pack them behind the states of the next level
//!             next level full?  level(rows left - 1), and begin it anew
//!     level(rows left - 1)
//! ```
//!
//! So the memory is one block of states for each level, and the stack is the depth-first search of whole blocks. What
//! departs from this plain scheme, and why:
//!
//! 1. The squares open `j` rows ahead are `free & !(left << j | right >> j)`. The minimum of all rows looked at is 0
//!    where one has none: one comparison for all ([`LOOK_AHEAD`]).
//! 2. Few rows before the end, a state is dead as well when some free column is open in none of the rows left.
//! 3. The last three rows are one formula without a branch: [`super::ending`].
//! 4. **Strike**: a later row with a single open square strikes what that queen will attack from the choices
//!    ([`STRIKE`]); and a column that only the next row can still fill is its only choice ([`FORCED`]). With 6 rows left
//!    and fewer this is done when the state is born, which leaves a quarter of them without a choice: they are not even
//!    stored, and the look-ahead has seen the same rows already ([`CHOOSE_AT_BIRTH`]).
//! 5. **Pending**: after one or two choices a vector, the lanes that have more are packed into a list, which is swept
//!    the same way until it is short. So hardly any lane runs idle while others still choose ([`PASSES`]).
//! 6. Boards of 17 and 18 fit lanes of 16 bits when the queens of the border columns are fixed for a whole block:
//!    [`super::block`]. Their rows are skipped (`SKIPS`), and their diagonals are the same for all states.

use super::block::Block;
use super::board::Board;
use super::ending::{LISTED_ROWS, collect, last_three_rows};
use super::lanes::Lanes;
use super::states::{CAPACITY, CHOICES, Memory, PLACE, State, States, distance};
use super::tuning::{CHOOSE_AT_BIRTH, FORCED, LISTS, LOOK_AHEAD, PASSES, PLAIN, SKIPS, STRIKE, TOP_CLASS};
use crate::stop::Stop;

/// The stop flag is looked at before every block of this many rows left and more: a block of 9 is some 50 us.
const POLL_FROM: usize = 9;

/// All that the levels of one block share.
pub(super) struct Work<'a, L: Lanes> {
    pub block: &'a Block<L>,
    pub levels: *mut States<L>,
    pub pending: *mut States<L>,
    stop: &'a Stop,
    stopped: bool,
    /// The solutions, if they are wanted; see [`collect`].
    pub found: &'a mut Vec<u64>,
}

/// Counts the solutions of a block; `None` when stopped.
///
/// # Safety
///
/// The CPU must have the isa of `L`.
pub(super) unsafe fn count<L: Lanes>(block: &Block<L>, memory: &mut Memory<L>, stop: &Stop) -> Option<u64> {
    // SAFETY: the caller's promise.
    unsafe { search::<L, PLAIN>(block, &[block.first], memory, stop, &mut Vec::new()) }
}

/// Appends the solutions of up to [`CAPACITY`] boards, all with [`LISTED_ROWS`] rows left, to `found`, in any order; see
/// [`collect`]. `None` when stopped.
///
/// # Safety
///
/// The CPU must have the isa of `L`.
pub(super) unsafe fn find<L: Lanes>(
    block: &Block<L>,
    boards: &[Board],
    memory: &mut Memory<L>,
    stop: &Stop,
    found: &mut Vec<u64>,
) -> Option<u64> {
    assert_eq!(block.rows_left, LISTED_ROWS);
    // SAFETY: the caller's promise.
    unsafe { search::<L, LISTS>(block, boards, memory, stop, found) }
}

unsafe fn search<L: Lanes, const MODE: u8>(
    block: &Block<L>,
    boards: &[Board],
    memory: &mut Memory<L>,
    stop: &Stop,
    found: &mut Vec<u64>,
) -> Option<u64> {
    assert!(block.rows_left >= 3 && block.rows_left <= memory.rows_left && boards.len() <= CAPACITY);
    if stop.requested() {
        return None;
    }
    let levels = memory.blocks();
    let pending = levels.wrapping_add(memory.rows_left + 1);
    let mut work = Work { block, levels, pending, stop, stopped: false, found };
    // SAFETY: the blocks are aligned, zeroed or written before, and borrowed by this call alone.
    let [free, left, right, choices, _] = unsafe { &mut (*levels.add(block.rows_left)).0 };
    for (i, board) in boards.iter().enumerate() {
        (free[i], left[i], right[i]) = (L::word(board.free), L::word(board.left), L::word(board.right));
        choices[i] = L::word(board.open());
    }
    // SAFETY: the caller's promise; there is memory for all levels, and the states are in the first.
    let total = unsafe { descend::<L, MODE>(&mut work, block.rows_left, boards.len()) };
    (!work.stopped).then_some(total)
}

/// Works a level off by the function compiled for it.
///
/// # Safety
///
/// As [`level`].
#[inline(always)]
unsafe fn descend<L: Lanes, const MODE: u8>(work: &mut Work<'_, L>, rows_left: usize, states: usize) -> u64 {
    macro_rules! run {
        ($class:literal) => {
            if MODE == LISTS {
                L::run::<$class, LISTS>(work, rows_left, states)
            } else if L::BITS > 16 || work.block.rows[rows_left].is_plain {
                L::run::<$class, PLAIN>(work, rows_left, states)
            } else {
                L::run::<$class, SKIPS>(work, rows_left, states)
            }
        };
    }
    // SAFETY: the caller's promise.
    unsafe {
        match rows_left {
            3 => run!(3),
            4 => run!(4),
            5 => run!(5),
            6 => run!(6),
            7 => run!(7),
            8 => run!(8),
            9 => run!(9),
            10 => run!(10),
            _ => run!(11),
        }
    }
}

/// Where the children of a level go.
struct Children<L: Lanes> {
    begin: *mut L::Word,
    /// Behind the last child.
    to: *mut L::Word,
    /// Where the next level is to be worked off.
    full: *mut L::Word,
    /// Solutions so far.
    total: u64,
}

impl<L: Lanes> Children<L> {
    /// Works off the next level, if there are states in it.
    ///
    /// # Safety
    ///
    /// As [`level`].
    #[inline(always)]
    unsafe fn descend<const MODE: u8>(&mut self, work: &mut Work<'_, L>, rows_left: usize) {
        // SAFETY: the caller's promise.
        unsafe {
            let states = self.to.offset_from_unsigned(self.begin);
            if states > 0 {
                self.total += descend::<L, MODE>(work, rows_left - 1, states);
                self.to = self.begin;
            }
        }
    }
}

/// Works off the first `states` states of the level with `rows_left` rows left; returns how many solutions they have.
/// `CLASS` is `rows_left`, or [`TOP_CLASS`] if that is less.
///
/// # Safety
///
/// The CPU must have the isa of `L`; the level has `states` states and room for a vector behind them.
#[inline(always)]
pub(super) unsafe fn level<L: Lanes, const CLASS: usize, const MODE: u8>(
    work: &mut Work<'_, L>,
    rows_left: usize,
    states: usize,
) -> u64 {
    let rows_left = if CLASS < TOP_CLASS { CLASS } else { rows_left };
    if rows_left >= POLL_FROM && (work.stopped || work.stop.requested()) {
        work.stopped = true;
        return 0;
    }
    // SAFETY: the caller's promise.
    unsafe {
        let from = work.levels.add(rows_left).cast::<L::Word>();
        let end = from.add(states);
        let none = L::splat(0);
        none.store(end);
        none.store(end.add(CHOICES));
        if CLASS == 3 {
            return if MODE == LISTS {
                collect(work, states)
            } else {
                last_three_rows::<L, MODE>(work.block, from, end)
            };
        }

        let begin = work.levels.add(rows_left - 1).cast::<L::Word>();
        let mut children = Children { begin, full: begin.add(CAPACITY), to: begin, total: 0 };
        let pending = work.pending.add(CLASS - 1).cast::<L::Word>();
        let mut waiting = pending;
        let mut place = if MODE == LISTS { L::numbers() } else { none };
        let mut from = from;
        while from < end {
            let state = State::load(from);
            let mut choices = if CHOOSE_AT_BIRTH[CLASS] {
                L::load(from.add(CHOICES))
            } else {
                choices_of::<L, MODE>(work.block, CLASS, rows_left, state)
            };
            from = from.add(L::LANES);
            if PASSES[CLASS] == 0 {
                while {
                    grow::<L, CLASS, MODE>(work, rows_left, state, place, &mut choices, &mut children);
                    !choices.all_empty()
                } {}
            } else {
                for _ in 0..PASSES[CLASS] {
                    grow::<L, CLASS, MODE>(work, rows_left, state, place, &mut choices, &mut children);
                }
                wait::<L, MODE>(&mut waiting, state, place, choices);
            }
            place = place + L::splat(L::LANES as u32);
        }
        while waiting > pending {
            let end = waiting;
            waiting = pending;
            let to_the_last = end <= pending.add(2 * L::LANES);
            none.store(end.add(CHOICES));
            let mut from = pending;
            while from < end {
                let state = State::load(from);
                let mut choices = L::load(from.add(CHOICES));
                let place = if MODE == LISTS { L::load(from.add(PLACE)) } else { none };
                from = from.add(L::LANES);
                while {
                    grow::<L, CLASS, MODE>(work, rows_left, state, place, &mut choices, &mut children);
                    to_the_last && !choices.all_empty()
                } {}
                if !to_the_last {
                    wait::<L, MODE>(&mut waiting, state, place, choices);
                }
            }
        }
        children.descend::<MODE>(work, rows_left);
        children.total
    }
}

/// The squares of the next row that may hold a queen.
#[inline(always)]
unsafe fn choices_of<L: Lanes, const MODE: u8>(block: &Block<L>, class: usize, rows_left: usize, state: State<L>) -> L {
    // SAFETY: the caller's promise.
    unsafe {
        let none = L::splat(0);
        let mut choices = state.open::<MODE>(block, rows_left, 0);
        if FORCED[class] {
            let mut later = none;
            for ahead in 1..class {
                later = later | state.open::<MODE>(block, rows_left, ahead);
            }
            let forced = choices & !later;
            choices = choices.or_else(forced.equal(none), forced);
        }
        for ahead in 1..STRIKE[class] {
            let open = state.open::<MODE>(block, rows_left, ahead);
            let by = distance::<L, MODE>(block, rows_left, ahead);
            let single = (open & (open - L::splat(1))).equal(none);
            let struck = open | open.up(by) | open.down(by);
            choices = choices & !struck.only(single);
        }
        choices
    }
}

/// Takes one choice of each lane, and keeps the children that pass the look-ahead.
#[inline(always)]
unsafe fn grow<L: Lanes, const CLASS: usize, const MODE: u8>(
    work: &mut Work<'_, L>,
    rows_left: usize,
    state: State<L>,
    place: L,
    choices: &mut L,
    children: &mut Children<L>,
) {
    // SAFETY: the caller's promise; there is room for two vectors behind a full level.
    unsafe {
        let none = L::splat(0);
        let queen = *choices & (none - *choices);
        *choices = *choices ^ queen;

        let block = work.block;
        let by = distance::<L, MODE>(block, rows_left, 1);
        let mut child = State {
            free: state.free ^ queen,
            left: (state.left | queen).up(by),
            right: (state.right | queen).down(by),
        };
        if MODE == SKIPS {
            let row = block.rows.get_unchecked(rows_left - 1);
            child.left = child.left | row.entering_left;
            child.right = child.right | row.entering_right;
        }
        let rows = if CLASS < TOP_CLASS { LOOK_AHEAD[CLASS - 1] } else { LOOK_AHEAD[TOP_CLASS] };
        let mut some = child.open::<MODE>(block, rows_left - 1, 0);
        let mut least = some.min(queen);
        for ahead in 1..rows {
            let open = child.open::<MODE>(block, rows_left - 1, ahead);
            least = least.min(open);
            some = some | open;
        }
        let mut alive = !least.equal(none);
        if rows == rows_left - 1 {
            alive = alive & some.equal(child.free);
        }
        let choices_of_child =
            if CHOOSE_AT_BIRTH[CLASS - 1] { choices_of::<L, MODE>(block, CLASS - 1, CLASS - 1, child) } else { none };
        if CHOOSE_AT_BIRTH[CLASS - 1] {
            alive = alive & !choices_of_child.equal(none);
        }
        let packing = L::packing(alive);
        child.pack::<MODE>(place, packing, children.to);
        if CHOOSE_AT_BIRTH[CLASS - 1] {
            choices_of_child.pack(packing, children.to.add(CHOICES));
        }
        children.to = children.to.add(L::packed(packing));
        if children.to > children.full {
            children.descend::<MODE>(work, rows_left);
        }
    }
}

/// Puts the lanes that have more choices on the pending list, which ends at `waiting`.
#[inline(always)]
unsafe fn wait<L: Lanes, const MODE: u8>(waiting: &mut *mut L::Word, state: State<L>, place: L, choices: L) {
    // SAFETY: the caller's promise; there are no more pending states than states of the level.
    unsafe {
        let packing = L::packing(!choices.equal(L::splat(0)));
        state.pack::<MODE>(place, packing, *waiting);
        choices.pack(packing, waiting.add(CHOICES));
        *waiting = waiting.add(L::packed(packing));
    }
}
