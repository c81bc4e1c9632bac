//! Where the states of the vector kernel lie, and how a vector of them is read, looked at and packed.

use std::marker::PhantomData;

use super::block::Block;
use super::lanes::Lanes;
use super::tuning::{LISTS, SKIPS, TOP_CLASS};

/// States of a level before it is worked off. A level costs a few hundred cycles to begin and to end, and its last
/// vectors are not full; so larger is better until the hot levels (16 bits: 12 KB each) leave the cache. On Zen 5, 2,048
/// took 8 % less time than 1,024, and 4,096 took another 2 to 4 % less.
pub(super) const CAPACITY: usize = 2048;

/// Room behind the last state: for a vector that is stored whole, and one of empty states. Half as much again, since the
/// arrays should not begin at the same place of a page: a load waits for stores that look alike in their last 12 bits.
/// (64, 80, 112, 128, 160, 192, 256, 288 and 384 took 3 to 8 % longer.)
const PADDING: usize = 96;

/// Words of an array of states.
pub(super) const ROOM: usize = CAPACITY + PADDING;

/// The states of a level, or pending ones: the masks `free`, `left` and `right` of [`super::board::Board`], the choices
/// not yet taken (where they are kept), and where the state comes from (for lists); one array each.
#[repr(C, align(64))]
pub(super) struct States<L: Lanes>(pub [[L::Word; ROOM]; 5]);

/// From a word of `free` to the one of the same state in each of the other arrays.
const LEFT: usize = ROOM;
const RIGHT: usize = 2 * ROOM;
pub(super) const CHOICES: usize = 3 * ROOM;
/// Lists only. On a level: the place of the state's parent, one level up. On the pending list: the state's own place.
pub(super) const PLACE: usize = 4 * ROOM;

/// The memory of a search: zeros that the system gives only where they are touched.
pub(super) struct Memory<L: Lanes> {
    pub rows_left: usize,
    words: Vec<u64>,
    lanes: PhantomData<L>,
}

impl<L: Lanes> Memory<L> {
    /// Enough for `rows_left` rows.
    pub(super) fn new(rows_left: usize) -> Self {
        // One more, so that the first can be aligned.
        let blocks = rows_left + 1 + TOP_CLASS + 1;
        let words = vec![0; blocks * size_of::<States<L>>() / size_of::<u64>()];
        Self { rows_left, words, lanes: PhantomData }
    }

    /// The blocks of states: one for each number of rows left, then [`TOP_CLASS`] of pending ones.
    pub(super) fn blocks(&mut self) -> *mut States<L> {
        let words = self.words.as_mut_ptr();
        words.wrapping_add(words.align_offset(align_of::<States<L>>())).cast()
    }
}

/// A vector of states.
#[derive(Clone, Copy)]
pub(super) struct State<L> {
    pub free: L,
    pub left: L,
    pub right: L,
}

impl<L: Lanes> State<L> {
    /// # Safety
    ///
    /// The CPU must have the isa of `L`, and `from` point into the first array of [`States`], a vector before its end.
    #[inline(always)]
    pub(super) unsafe fn load(from: *const L::Word) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Self { free: L::load(from), left: L::load(from.add(LEFT)), right: L::load(from.add(RIGHT)) } }
    }

    /// Writes the lanes that `packing` chose; their `place` as well if there are lists to be made.
    ///
    /// # Safety
    ///
    /// As [`State::load`].
    #[inline(always)]
    pub(super) unsafe fn pack<const MODE: u8>(self, place: L, packing: L::Packing, to: *mut L::Word) {
        // SAFETY: the caller's promise.
        unsafe {
            self.free.pack(packing, to);
            self.left.pack(packing, to.add(LEFT));
            self.right.pack(packing, to.add(RIGHT));
            if MODE == LISTS {
                place.pack(packing, to.add(PLACE));
            }
        }
    }

    /// The open squares `ahead` rows below the next row, with `rows_left` rows left.
    ///
    /// # Safety
    ///
    /// The CPU must have the isa of `L`.
    #[inline(always)]
    pub(super) unsafe fn open<const MODE: u8>(self, block: &Block<L>, rows_left: usize, ahead: usize) -> L {
        // SAFETY: the caller's promise; `ahead` is below `WINDOW` by the tables.
        unsafe {
            let by = distance::<L, MODE>(block, rows_left, ahead);
            if MODE == SKIPS {
                let borders = *block.rows.get_unchecked(rows_left).borders.get_unchecked(ahead);
                self.free & !(self.left.up(by) | self.right.down(by) | borders)
            } else if ahead == 0 {
                self.free & !(self.left | self.right)
            } else {
                self.free & !(self.left.up(by) | self.right.down(by))
            }
        }
    }
}

/// How many rows of the board lie between the next row and the one `ahead` of it.
///
/// # Safety
///
/// The CPU must have the isa of `L`.
#[inline(always)]
pub(super) unsafe fn distance<L: Lanes, const MODE: u8>(block: &Block<L>, rows_left: usize, ahead: usize) -> L::Shift {
    // SAFETY: the caller's promise; `ahead` is below `WINDOW` by the tables.
    unsafe {
        if MODE == SKIPS {
            *block.rows.get_unchecked(rows_left).distances.get_unchecked(ahead)
        } else {
            L::distance(ahead as u32)
        }
    }
}
