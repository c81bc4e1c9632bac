//! The guess rule of `solo`: which cell to branch on once no rule strikes any more.
//!
//! A look-ahead of one step, made of flags and counts that bit slices can form as well (`lanes/choose.rs` has the same
//! rule). A cell with two candidates is good if either digit, once placed, strikes much in the rest of its row and
//! column, above all from cells with two candidates, which it thereby decides. For each of its digits and directions:
//!
//! ```text
//! many:   two or more cells outside the box hold the digit
//! pair:   a cell with two candidates outside the box holds the digit
//! triple: a cell with three candidates outside the box holds the digit
//! score = 4 * (pairs of both digits, row and column                       0 to 4
//!              + (many of either digit in the row) + (... in the column)) 0 to 2
//!       + triples of both digits, row and column                          0 to 4
//!       + open cells in its row, column and box                           1 to 21
//!       + cells with two candidates in its box                            1 to 9
//! ```
//!
//! The highest score wins, then the first column, then the first row. Where no cell has two candidates: the fewest
//! candidates, then the lowest cell. On the hardest puzzles known this takes 65 guesses; plain weights by open peers
//! take 103.

use std::cmp::Reverse;

use crate::candidates::{Candidates, PEERS, places};
use crate::grid::CELLS;

/// The first box of a band.
const BOX: u32 = 7 | 7 << 9 | 7 << 18;

/// The cell to branch on; `candidates` must be settled and open.
pub(crate) fn choose(candidates: &Candidates) -> usize {
    let [_, two, three, four] = candidates.counts();
    let (mut pairs, mut triples) = ([0; 3], [0; 3]);
    for band in 0..3 {
        pairs[band] = two[band] & !three[band];
        triples[band] = three[band] & !four[band];
    }
    if pairs == [0; 3] {
        return fewest(candidates, &two);
    }
    let mut scores = [Score::default(); CELLS];
    for bands in &candidates.bands {
        let flags = Flags::new(bands, &pairs, &triples);
        for band in 0..3 {
            for place in places(bands[band] & pairs[band]) {
                let cell = band * 27 + place;
                let line = 1 << (cell / 9 * 3 + cell % 9 / 3);
                let column = 1 << (cell % 9 * 3 + band);
                let score = &mut scores[cell];
                score.pairs += u32::from(flags.row_pair & line != 0) + u32::from(flags.column_pair & column != 0);
                score.triples += u32::from(flags.row_triple & line != 0) + u32::from(flags.column_triple & column != 0);
                score.row_many |= flags.row_many & line != 0;
                score.column_many |= flags.column_many & column != 0;
            }
        }
    }
    let mut best = (0, Reverse(0), Reverse(0));
    for (band, &pairs) in pairs.iter().enumerate() {
        for place in places(pairs) {
            let cell = band * 27 + place;
            let score = &scores[cell];
            let good = score.pairs + u32::from(score.row_many) + u32::from(score.column_many);
            let pairs_in_box = (pairs & BOX << (place % 9 / 3 * 3)).count_ones();
            let total = 4 * good + score.triples + open_around(&two, cell) + pairs_in_box;
            best = best.max((total, Reverse(place % 9), Reverse(cell)));
        }
    }
    best.2.0
}

/// Cells of `open` in the row, column and box of a cell, itself included.
fn open_around(open: &[u32; 3], cell: usize) -> u32 {
    PEERS[cell].iter().zip(open).map(|(peers, open)| (peers & open).count_ones()).sum::<u32>() + 1
}

/// The lowest cell among those with the fewest candidates, of the cells in `open`.
fn fewest(candidates: &Candidates, open: &[u32; 3]) -> usize {
    let cells = (0..CELLS).filter(|cell| open[cell / 27] >> (cell % 27) & 1 == 1);
    let count = |cell: &usize| candidates.bands.iter().filter(|bands| bands[cell / 27] >> (cell % 27) & 1 == 1).count();
    cells.min_by_key(count).unwrap_or(0)
}

#[derive(Clone, Copy, Default)]
struct Score {
    pairs: u32,
    triples: u32,
    row_many: bool,
    column_many: bool,
}

/// One digit outside the boxes: bit `line * 3 + i` is line `line` (row or column) without its `i`-th box.
#[derive(Default)]
struct Flags {
    row_many: u32,
    row_pair: u32,
    row_triple: u32,
    column_many: u32,
    column_pair: u32,
    column_triple: u32,
}

impl Flags {
    fn new(bands: &[u32; 3], pairs: &[u32; 3], triples: &[u32; 3]) -> Self {
        let mut flags = Self::default();
        // Mini-columns, nine bits a band.
        let (mut any, mut several, mut pair, mut triple) = ([0; 3], [0; 3], [0; 3], [0; 3]);
        for band in 0..3 {
            let bits = bands[band];
            let (two, three) = (bits & pairs[band], bits & triples[band]);
            for row in 0..3 {
                let nine = |bits: u32| bits >> (9 * row) & 0x1FF;
                let at = band * 9 + row * 3;
                flags.row_many |= outside(nine(bits), 2) << at;
                flags.row_pair |= outside(nine(two), 1) << at;
                flags.row_triple |= outside(nine(three), 1) << at;
            }
            let (a, b, c) = (bits, bits >> 9, bits >> 18);
            any[band] = a | b | c;
            several[band] = a & b | c & (a | b);
            pair[band] = two | two >> 9 | two >> 18;
            triple[band] = three | three >> 9 | three >> 18;
        }
        for band in 0..3 {
            let (a, b) = ((band + 1) % 3, (band + 2) % 3);
            let many = several[a] | several[b] | any[a] & any[b];
            flags.column_many |= spread(many) << band;
            flags.column_pair |= spread(pair[a] | pair[b]) << band;
            flags.column_triple |= spread(triple[a] | triple[b]) << band;
        }
        flags
    }
}

/// For a row of nine cells, box by box: do the two other boxes hold `least` of `bits` or more?
fn outside(bits: u32, least: u32) -> u32 {
    let enough = |stack: u32| u32::from((bits & !(7 << (3 * stack))).count_ones() >= least) << stack;
    enough(0) | enough(1) | enough(2)
}

/// Nine bits, three apart.
fn spread(bits: u32) -> u32 {
    places(bits & 0x1FF).fold(0, |spread, place| spread | 1 << (3 * place))
}
