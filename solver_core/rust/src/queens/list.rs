//! Every solution, in lexicographic order.
//!
//! The plain recursion walks the boards in order down to the last [`LISTED_ROWS`] rows. There it gathers many of them, and the
//! vector kernel finds the solutions of all at once, in an order of its own. Each comes with the number of its board,
//! so a counting sort and tiny sorts within a board put them right. Where there are no vectors, or fewer rows left, the
//! recursion goes on to the end.

use super::MAX_N;
use super::board::Board;
use super::ending::{BOARD_SHIFT, COLUMN_BITS, LISTED_ROWS};
use super::poll::Poll;
use super::states::CAPACITY;
use super::vector::{Find, finder};
use crate::dispatch::Isa;
use crate::stop::Stop;

/// Rows that the vector kernel fills.
const ROWS: u8 = LISTED_ROWS as u8;

/// The columns of a solution, with room for all.
type Columns = [u8; MAX_N as usize];

/// Appends the solutions of `board`, which `prefix` led to; see [`super::list`].
pub(super) fn list(isa: Isa, board: &Board, prefix: &[u8], most: u64, stop: &Stop, out: &mut Vec<u8>) -> Option<u64> {
    let mut columns = [0; MAX_N as usize];
    columns[..prefix.len()].copy_from_slice(prefix);
    let batch = (board.rows_left >= ROWS).then(|| Batch::new(finder(isa, board.n, ROWS)));
    let mut lister = Lister { n: board.n.into(), columns, left: most, stop, poll: Poll::new(stop), out, batch };
    lister.below(board)?;
    lister.work_off()?;
    Some(most - lister.left)
}

struct Lister<'a> {
    n: usize,
    columns: Columns,
    /// Solutions still wanted.
    left: u64,
    stop: &'a Stop,
    poll: Poll<'a>,
    out: &'a mut Vec<u8>,
    batch: Option<Batch>,
}

/// Boards with [`LISTED_ROWS`] rows left, in order.
struct Batch {
    finder: Box<dyn Find>,
    boards: Vec<Board>,
    /// The columns above, for each board.
    columns: Vec<Columns>,
    found: Vec<u64>,
    sorted: Vec<u64>,
}

impl Batch {
    fn new(finder: Box<dyn Find>) -> Self {
        Self { finder, boards: Vec::new(), columns: Vec::new(), found: Vec::new(), sorted: Vec::new() }
    }

    /// Sorts what was found by the number of its board; returns where the solutions of each board end.
    fn sort_by_board(&mut self) -> Vec<usize> {
        let board_of = |solution: u64| (solution >> BOARD_SHIFT) as usize;
        let mut ends = vec![0; self.boards.len()];
        for &solution in &self.found {
            ends[board_of(solution)] += 1;
        }
        let mut end = 0;
        for each in &mut ends {
            // For now, where they begin.
            end += std::mem::replace(each, end);
        }
        self.sorted.resize(self.found.len(), 0);
        for &solution in &self.found {
            let next = &mut ends[board_of(solution)];
            self.sorted[*next] = solution;
            *next += 1;
        }
        ends
    }
}

impl Lister<'_> {
    /// Lists, or gathers, what begins with `board`; `None` when stopped.
    fn below(&mut self, board: &Board) -> Option<()> {
        if self.left == 0 {
            return Some(());
        }
        if self.poll.requested() {
            return None;
        }
        if board.rows_left == 0 {
            self.out.extend_from_slice(&self.columns[..self.n]);
            self.left -= 1;
            return Some(());
        }
        if let Some(batch) = &mut self.batch
            && board.rows_left == ROWS
        {
            batch.boards.push(*board);
            batch.columns.push(self.columns);
            return if batch.boards.len() == CAPACITY { self.work_off() } else { Some(()) };
        }
        let row = self.n - usize::from(board.rows_left);
        let mut open = board.open();
        while open != 0 {
            let queen = open & open.wrapping_neg();
            open ^= queen;
            self.columns[row] = queen.trailing_zeros() as u8;
            self.below(&board.place(queen))?;
        }
        Some(())
    }

    /// Lists the solutions of the boards gathered so far; `None` when stopped.
    fn work_off(&mut self) -> Option<()> {
        let Some(batch) = &mut self.batch else { return Some(()) };
        batch.finder.find(&batch.boards, self.stop, &mut batch.found)?;
        let ends = batch.sort_by_board();
        let mut begin = 0;
        // Every solution is written with all the room of `Columns`; the next one overwrites what is too much.
        let room = size_of::<Columns>();
        let mut to = self.out.len();
        self.out.resize(to + batch.found.len() * self.n + room, 0);
        for (columns, end) in batch.columns.iter().zip(ends) {
            let solutions = &mut batch.sorted[begin..end];
            begin = end;
            solutions.sort_unstable();
            let wanted = solutions.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
            for &solution in &solutions[..wanted] {
                let (first, others) = last_columns(solution);
                self.out[to..to + room].copy_from_slice(columns);
                let last = &mut self.out[to..to + self.n][self.n - LISTED_ROWS..];
                last[0] = first;
                last[1..].copy_from_slice(&others);
                to += self.n;
            }
            self.left -= wanted as u64;
        }
        self.out.truncate(to);
        batch.boards.clear();
        batch.columns.clear();
        batch.found.clear();
        Some(())
    }
}

/// The columns of the last rows, out of the lowest bits of a solution.
fn last_columns(solution: u64) -> (u8, [u8; LISTED_ROWS - 1]) {
    // Eight columns of 5 bits each to bytes: halves to 32 bits, quarters to 16, eighths to 8.
    let halves = solution & 0xF_FFFF | (solution & 0xFF_FFF0_0000) << 12;
    let quarters = halves & 0x3FF_0000_03FF | (halves & 0xF_FC00_000F_FC00) << 6;
    let eighths = quarters & 0x1F_001F_001F_001F | (quarters & 0x3E0_03E0_03E0_03E0) << 3;
    ((solution >> (8 * COLUMN_BITS)) as u8 & 0x1F, eighths.to_be_bytes())
}
