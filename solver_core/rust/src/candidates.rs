//! The candidates of one puzzle, and all that follows from them without a guess.
//!
//! ```text
//! bands[digit][band], 27 bits: bit row * 9 + column of the band
//!
//!      0  1  2 |  3  4  5 |  6  7  8
//!      9 10 11 | 12 13 14 | 15 16 17      a mini-row is three bits side by side,
//!     18 19 20 | 21 22 23 | 24 25 26      a mini-column three bits 9 apart
//! ```
//!
//! The rules are those of the kernel `lanes` (`lanes/pass.rs`): naked singles, hidden singles, locked candidates.
//! Here they are worked off digit by digit, there all at once; both end in the same state, because each rule only
//! strikes candidates and never strikes fewer when fewer are left.

use crate::grid::{CELLS, Cells};

/// A band of which nothing is known.
pub(crate) const FULL: u32 = (1 << 27) - 1;
/// The first cell of each row of a band: times nine bits, the same columns in all three rows.
const ROWS: u32 = 1 | 1 << 9 | 1 << 18;
/// One row of a band.
const ROW: u32 = 0x1FF;

/// What stands in a puzzle once no rule strikes any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settled {
    /// Some cell or some digit has no place left.
    Contradiction,
    /// Every cell has one candidate: a solution.
    Solved,
    /// Only a guess helps.
    Open,
}

/// The candidates of one puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Candidates {
    pub bands: [[u32; 3]; 9],
    /// Decided cells whose digit has been struck from their peers.
    done: [u32; 3],
    /// Digits that have lost a candidate since the rules last looked at them.
    dirty: u16,
}

impl Candidates {
    /// Everything that the givens (0 to 9) themselves leave open.
    pub fn new(cells: &Cells) -> Self {
        let mut given = [[0; 3]; 10];
        for (cell, &digit) in cells.iter().enumerate() {
            given[usize::from(digit)][cell / 27] |= 1 << (cell % 27);
        }
        let mut bands = [[0; 3]; 9];
        for digit in 0..9 {
            for band in 0..3 {
                bands[digit][band] = given[digit + 1][band] | given[0][band];
            }
        }
        Self::from_bands(bands)
    }

    /// Any candidates, with every rule still to be tried.
    pub fn from_bands(bands: [[u32; 3]; 9]) -> Self {
        Self { bands, done: [0; 3], dirty: 0x1FF }
    }

    /// The digits of a solved puzzle.
    pub fn cells(&self) -> Cells {
        let mut cells = [0; CELLS];
        for (digit, bands) in self.bands.iter().enumerate() {
            for (band, &bits) in bands.iter().enumerate() {
                for cell in places(bits) {
                    cells[band * 27 + cell] = digit as u8 + 1;
                }
            }
        }
        cells
    }

    /// The two children of a guess: the lowest candidate of `cell`, and all the others.
    pub fn split(&self, cell: usize) -> (Self, Self) {
        let (band, bit) = (cell / 27, 1 << (cell % 27));
        let (mut first, mut others) = (*self, *self);
        let mut lowest = true;
        for digit in 0..9 {
            if self.bands[digit][band] & bit != 0 {
                let child = if lowest { &mut others } else { &mut first };
                child.bands[digit][band] ^= bit;
                child.dirty |= 1 << digit;
                lowest = false;
            }
        }
        (first, others)
    }

    /// The cells with one candidate or more, two or more, three or more, four or more.
    pub fn counts(&self) -> [[u32; 3]; 4] {
        let [mut one, mut two, mut three, mut four] = [[0; 3]; 4];
        for bands in &self.bands {
            for band in 0..3 {
                four[band] |= three[band] & bands[band];
                three[band] |= two[band] & bands[band];
                two[band] |= one[band] & bands[band];
                one[band] |= bands[band];
            }
        }
        [one, two, three, four]
    }

    /// Strikes until no rule strikes any more.
    pub fn settle(&mut self) -> Settled {
        loop {
            let [any, several, ..] = self.counts();
            if any[0] & any[1] & any[2] != FULL {
                return Settled::Contradiction;
            }
            self.strike_peers(&any, &several);
            if self.dirty == 0 {
                return if several == [0; 3] { Settled::Solved } else { Settled::Open };
            }
            while self.dirty != 0 {
                let digit = self.dirty.trailing_zeros() as usize;
                self.dirty &= self.dirty - 1;
                let Some(hidden) = self.strike_locked(digit) else {
                    return Settled::Contradiction;
                };
                self.claim(digit, &hidden);
            }
        }
    }

    /// Naked singles: strikes the digit of each newly decided cell from the peers of the cell.
    fn strike_peers(&mut self, any: &[u32; 3], several: &[u32; 3]) {
        let mut fresh = [0; 3];
        for band in 0..3 {
            fresh[band] = any[band] & !several[band] & !self.done[band];
            self.done[band] |= fresh[band];
        }
        if fresh == [0; 3] {
            return;
        }
        for (digit, bands) in self.bands.iter_mut().enumerate() {
            let before = *bands;
            for band in 0..3 {
                for cell in places(before[band] & fresh[band]) {
                    let peers = &PEERS[band * 27 + cell];
                    for (bits, peers) in bands.iter_mut().zip(peers) {
                        *bits &= !peers;
                    }
                }
            }
            self.dirty |= u16::from(*bands != before) << digit;
        }
    }

    /// Locked candidates of one digit; the cells that are its only place in their column. None if some column
    /// has no place for it.
    fn strike_locked(&mut self, digit: usize) -> Option<[u32; 3]> {
        let bands = &mut self.bands[digit];
        let before = *bands;
        let mut columns = [0; 3];
        for band in 0..3 {
            let bits = bands[band];
            columns[band] = (bits | bits >> 9 | bits >> 18) & ROW;
            let row = |row: u32| usize::from(MINI_ROWS[(bits >> (9 * row) & ROW) as usize]);
            bands[band] &= KEPT_ROWS[row(0) | row(1) << 3 | row(2) << 6];
        }
        for stack in 0..3 {
            let part = |band: usize| (columns[band] >> (3 * stack) & 7) as usize;
            let kept = u32::from(PERMUTATIONS[part(0) | part(1) << 3 | part(2) << 6]);
            for (band, bits) in bands.iter_mut().enumerate() {
                *bits &= !(((!kept >> (3 * band) & 7) << (3 * stack)) * ROWS);
            }
        }
        let (mut once, mut twice) = (0, 0);
        for bits in bands.iter() {
            for row in [bits & ROW, bits >> 9 & ROW, bits >> 18] {
                twice |= once & row;
                once |= row;
            }
        }
        self.dirty |= u16::from(*bands != before) << digit;
        let hidden = (once & !twice) * ROWS;
        (once == ROW).then_some(bands.map(|bits| bits & hidden))
    }

    /// Hidden singles: strikes all other digits from the cells that are the only place of this one.
    fn claim(&mut self, digit: usize, hidden: &[u32; 3]) {
        for (other, bands) in self.bands.iter_mut().enumerate() {
            let struck = (0..3).any(|band| bands[band] & hidden[band] != 0);
            if struck && other != digit {
                for band in 0..3 {
                    bands[band] &= !hidden[band];
                }
                self.dirty |= 1 << other;
            }
        }
    }
}

/// The places of the bits that are set, from the lowest up.
pub(crate) fn places(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = bits.trailing_zeros() as usize;
        let more = bits != 0;
        bits &= bits.wrapping_sub(1);
        more.then_some(place)
    })
}

/// The 20 cells that share a unit with a cell, without the cell.
pub(crate) static PEERS: [[u32; 3]; CELLS] = {
    let mut peers = [[0; 3]; CELLS];
    let mut a = 0;
    while a < CELLS {
        let mut b = 0;
        while b < CELLS {
            let same_box = crate::grid::box_of(a) == crate::grid::box_of(b);
            if a != b && (a / 9 == b / 9 || a % 9 == b % 9 || same_box) {
                peers[a][b / 27] |= 1 << (b % 27);
            }
            b += 1;
        }
        a += 1;
    }
    peers
};

/// Of the nine flags of a 3x3 matrix (bit `row * 3 + column`) those that are part of a permutation.
static PERMUTATIONS: [u16; 512] = {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let mut kept = [0; 512];
    let mut flags = 0;
    while flags < 512 {
        let mut i = 0;
        while i < 6 {
            let permutation = 1 << orders[i][0] | 8 << orders[i][1] | 64 << orders[i][2];
            if flags & permutation == permutation {
                kept[flags] |= permutation as u16;
            }
            i += 1;
        }
        flags += 1;
    }
    kept
};

/// The mini-rows (3 bits) that a row of nine cells touches.
static MINI_ROWS: [u8; 512] = {
    let mut touched = [0; 512];
    let mut row = 0;
    while row < 512 {
        touched[row] = (row & 7 != 0) as u8 | ((row & 56 != 0) as u8) << 1 | ((row & 448 != 0) as u8) << 2;
        row += 1;
    }
    touched
};

/// The cells of a band that stay, by the mini-rows (bit `row * 3 + stack`) it touches.
static KEPT_ROWS: [u32; 512] = {
    let mut kept = [0; 512];
    let mut flags = 0;
    while flags < 512 {
        let mut i = 0;
        while i < 9 {
            if PERMUTATIONS[flags] >> i & 1 == 1 {
                kept[flags] |= 7 << (3 * i);
            }
            i += 1;
        }
        flags += 1;
    }
    kept
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_has_twenty_peers() {
        assert!(PEERS.iter().all(|peers| peers.iter().map(|bits| bits.count_ones()).sum::<u32>() == 20));
    }

    #[test]
    fn only_flags_of_a_permutation_are_kept() {
        assert_eq!(PERMUTATIONS[0o777], 0o777);
        // Two rows that only have the same column left admit no permutation.
        assert_eq!(PERMUTATIONS[0o711], 0);
        // Rows 0 and 1 share columns 0 and 1, so row 2 keeps column 2 alone.
        assert_eq!(PERMUTATIONS[0o733], 0o433);
    }
}
