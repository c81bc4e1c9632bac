//! A prefix as blocks of work for the vector kernel.
//!
//! Lanes of 16 bits hold the columns of boards up to 16. For n = 17 the queen of column 0, for n = 18 that of column
//! n-1 too, is placed first, in every row it may stand in: each is a block. What is left are 16 inner columns; the rows
//! of the border queens are skipped, and their diagonals are known beforehand for every row.

use super::board::{Board, all_columns};
use super::lanes::Lanes;
use super::tuning::{WINDOW, rows_looked_at};

/// A queen: its row and column.
type Queen = (u8, u8);

/// One block: a first state, and what holds for all states that follow from it.
pub(super) struct Block<L: Lanes> {
    /// Rows to be filled by the kernel.
    pub rows_left: usize,
    /// The first state, in inner columns.
    pub first: Board,
    /// By rows left: what is known of the next row and those after it.
    pub rows: Vec<Rows<L>>,
}

/// The rows from a given one on, seen from there.
#[derive(Clone, Copy)]
pub(super) struct Rows<L: Lanes> {
    /// Whether no row is skipped, and no border queen's diagonal enters the board, as far as the kernel looks from here.
    pub is_plain: bool,
    /// How far the row `j` ahead is away.
    pub distances: [L::Shift; WINDOW],
    /// The inner squares that border queens attack `j` rows ahead.
    pub borders: [L; WINDOW],
    /// The diagonals of border queens in this row, to be added to `left` and `right` when a state comes here.
    pub entering_left: L,
    pub entering_right: L,
}

/// Every way to place the border queens of a board of `n` behind `prefix`, for lanes of `bits`; one empty way where
/// the lanes hold all columns.
pub(super) fn border_queens(n: u8, prefix: &[u8], bits: u8) -> Vec<Vec<Queen>> {
    let columns: &[u8] = match n.saturating_sub(bits) {
        0 => &[],
        1 => &[0],
        _ => &[0, n - 1],
    };
    let mut ways: Vec<Vec<Queen>> = vec![Vec::new()];
    for &column in columns {
        let placed = queens(prefix).find(|queen| queen.1 == column);
        let rows = placed.map_or(prefix.len() as u8..n, |(row, _)| row..row + 1);
        ways = ways
            .iter()
            .flat_map(|way| rows.clone().map(move |row| (way, (row, column))))
            .filter(|&(way, queen)| {
                !way.iter().any(|&other| attack(queen, other))
                    && !queens(prefix).any(|other| other != queen && attack(queen, other))
            })
            .map(|(way, queen)| [way.as_slice(), &[queen]].concat())
            .collect();
    }
    ways
}

fn queens(prefix: &[u8]) -> impl Iterator<Item = Queen> {
    (0..).zip(prefix.iter().copied())
}

fn attack(a: Queen, b: Queen) -> bool {
    a.0 == b.0 || a.1 == b.1 || a.0.abs_diff(b.0) == a.1.abs_diff(b.1)
}

impl<L: Lanes> Block<L> {
    /// The block behind `prefix` with one of the ways of [`border_queens`].
    ///
    /// # Safety
    ///
    /// The CPU must have the isa of `L`.
    pub(super) unsafe fn new(n: u8, prefix: &[u8], borders: &[Queen]) -> Self {
        let rows: Vec<u8> =
            (prefix.len() as u8..n).filter(|row| !borders.iter().any(|queen| queen.0 == *row)).collect();
        let inner = Inner { first: u8::from(!borders.is_empty()), width: n - borders.len() as u8 };
        let known: Vec<Queen> = queens(prefix).chain(borders.iter().copied()).collect();
        let taken = known.iter().map(|&queen| inner.bit(queen.1.into())).fold(0, |all, bit| all | bit);
        Self {
            rows_left: rows.len(),
            first: Board {
                n: inner.width,
                rows_left: rows.len() as u8,
                free: all_columns(inner.width) & !taken,
                left: inner.rising(&known, rows[0]),
                right: inner.falling(&known, rows[0]),
            },
            // SAFETY: the caller's promise.
            rows: (0..=rows.len()).map(|left| unsafe { Rows::new(inner, borders, &rows, left) }).collect(),
        }
    }
}

impl<L: Lanes> Rows<L> {
    /// # Safety
    ///
    /// The CPU must have the isa of `L`.
    unsafe fn new(inner: Inner, borders: &[Queen], all: &[u8], rows_left: usize) -> Self {
        let rows = &all[all.len() - rows_left..];
        let ahead = |j: usize| rows.get(j).map_or(j as u8, |row| row - rows[0]);
        let attacked =
            |j: usize| rows.get(j).map_or(0, |&row| inner.rising(borders, row) | inner.falling(borders, row));
        let (left, right) = match rows {
            [next, ..] => (inner.rising(borders, *next), inner.falling(borders, *next)),
            [] => (0, 0),
        };
        // SAFETY: the caller's promise.
        unsafe {
            Self {
                is_plain: is_plain(inner, borders, rows),
                distances: std::array::from_fn(|j| L::distance(ahead(j).into())),
                borders: std::array::from_fn(|j| L::splat(attacked(j))),
                entering_left: L::splat(left),
                entering_right: L::splat(right),
            }
        }
    }
}

/// Whether the level of these rows may run without [`Rows`]: its states carry all diagonals of the border queens, and
/// plain shifts by one row a row keep them right in every row that the level and the look-ahead of its children read.
fn is_plain(inner: Inner, borders: &[Queen], rows: &[u8]) -> bool {
    let follows = |rows: &[u8], j: usize| {
        let (left, right) = (inner.rising(borders, rows[0]), inner.falling(borders, rows[0]));
        let (left, right) = (left << j & all_columns(inner.width), right >> j);
        let (left_there, right_there) = (inner.rising(borders, rows[j]), inner.falling(borders, rows[j]));
        usize::from(rows[j] - rows[0]) == j
            && left | right == left_there | right_there
            // A child carries both on.
            && (j != 1 || (left == left_there && right == right_there))
    };
    let (own, of_children) = rows_looked_at(rows.len());
    (0..own).all(|j| follows(rows, j)) && (0..of_children).all(|j| follows(&rows[1..], j))
}

/// The columns that the kernel sees.
#[derive(Clone, Copy)]
struct Inner {
    first: u8,
    width: u8,
}

impl Inner {
    /// The bit of a column; none outside.
    fn bit(self, column: i32) -> u32 {
        let inner = column - i32::from(self.first);
        if (0..self.width.into()).contains(&inner) { 1 << inner } else { 0 }
    }

    /// The squares of `row` on the diagonals that run to higher columns through these queens.
    fn rising(self, queens: &[Queen], row: u8) -> u32 {
        queens.iter().fold(0, |all, q| all | self.bit(i32::from(q.1) + i32::from(row) - i32::from(q.0)))
    }

    /// The squares of `row` on the diagonals that run to lower columns through these queens.
    fn falling(self, queens: &[Queen], row: u8) -> u32 {
        queens.iter().fold(0, |all, q| all | self.bit(i32::from(q.1) - i32::from(row) + i32::from(q.0)))
    }
}
