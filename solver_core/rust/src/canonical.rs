//! The minlex form of a puzzle: of all puzzles that are the same up to relabelling, moves of rows, columns, bands and
//! stacks, and transposition, the one whose 81 characters come first, an empty cell before any digit.
//!
//! The form is built row by row, with all ways at once that lead to its first rows (a *state* each). What a row looks
//! like depends on the order of columns only as far as they have digits: columns, and stacks, without a digit so far
//! stay *free* and are put in order by the row in which they first have one. In a row,
//!
//! 1. the free columns of a stack are put in order: empty cells, labelled digits by their labels, digits that have no
//!    label yet;
//! 2. the free stacks are put in order, in the same way;
//! 3. digits without a label get the next ones, from left to right.
//!
//! So the least row is known at once, and there are several ways to it only where digits without a label stand in
//! columns, or in stacks, that may change places. States that do not come to the least row are dropped; states that
//! differ only in the order of rows already written have the same future, and one of them is kept.

use crate::grid::{CELLS, Cells};

/// Bytes of a [`Way`] as bytes.
pub const WAY_BYTES: usize = 29;

/// How a puzzle becomes its minlex form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// Rows become columns first.
    transposed: bool,
    /// The row that comes to each place.
    rows: [u8; 9],
    /// The column that comes to each place.
    columns: [u8; 9],
    /// The label of each digit; of 0 it is 0.
    labels: [u8; 10],
}

/// A label that none has yet stands behind all others.
const NEW: u8 = 15;

const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
/// How many of [`ORDERS`] leave all but the first so many in their places, and which these are: they come last.
const ORDERS_OF: [&[[usize; 3]]; 4] = [&[[0, 1, 2]], &[[0, 1, 2]], &[[0, 1, 2], [1, 0, 2]], &ORDERS];

/// What stands for a place that nothing has come to.
const NONE: u8 = 0xff;

/// One way to the first rows of the form. All but `rows` says what may still follow.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    grid: u8,
    used: u16,
    /// Stacks without a digit so far, as a mask; they stand on the left.
    free_stacks: u8,
    /// The stack at each place, from the right.
    stacks: [u8; 3],
    /// Columns without a digit so far, a mask for each stack; they stand on the left in it.
    free_columns: [u8; 3],
    /// The column at each place of each stack.
    columns: [[u8; 3]; 3],
    labels: [u8; 10],
    next: u8,
}

/// A state with the rows that led to it.
#[derive(Clone, Copy)]
struct Step {
    state: State,
    rows: [u8; 9],
}

/// What a row looks like in one stack.
#[derive(Clone, Copy, Default)]
struct Part {
    /// Labels at the three places, 4 bits each, the first on top.
    key: u16,
    /// The free columns with a digit, in order.
    moved: [u8; 3],
    moved_count: u8,
    /// The last of them whose digits have no label.
    new_count: u8,
}

/// The minlex form of a puzzle, and how it becomes that.
///
/// Cells must be 0 to 9.
pub fn minlex(cells: &Cells) -> (Cells, Way) {
    let mut scratch = Scratch::default();
    scratch.minlex(cells)
}

/// Memory that is used again for one puzzle after another.
#[derive(Default)]
pub struct Scratch {
    steps: Vec<Step>,
    longer: Vec<Step>,
}

impl Scratch {
    /// As [`minlex`].
    pub fn minlex(&mut self, cells: &Cells) -> (Cells, Way) {
        let grids = [*cells, std::array::from_fn(|cell| cells[cell % 9 * 9 + cell / 9])];
        self.steps.clear();
        for grid in 0..2 {
            let state = State {
                grid,
                used: 0,
                free_stacks: 0b111,
                stacks: [NONE; 3],
                free_columns: [0b111; 3],
                columns: [[NONE; 3]; 3],
                labels: [0; 10],
                next: 1,
            };
            self.steps.push(Step { state, rows: [0; 9] });
        }
        let mut form = [0; CELLS];
        for (place, row) in form.as_chunks_mut::<9>().0.iter_mut().enumerate() {
            let best = self.write_row(&grids, place);
            *row = std::array::from_fn(|column| (best >> (4 * (8 - column)) & 15) as u8);
        }
        (form, self.steps[0].way())
    }

    /// Goes on by the least row that can follow; gives its labels, 4 bits each.
    fn write_row(&mut self, grids: &[Cells; 2], place: usize) -> u64 {
        let mut best = u64::MAX;
        self.longer.clear();
        for step in &self.steps {
            for row in step.candidates(place) {
                let digits = &grids[usize::from(step.state.grid)].as_chunks::<9>().0[usize::from(row)];
                let parts = [0, 1, 2].map(|stack| step.state.part(digits, stack));
                let order = step.state.order(&parts);
                let labels = step.state.labels_of(&parts, order);
                if labels > best {
                    continue;
                }
                if labels < best {
                    best = labels;
                    self.longer.clear();
                }
                step.extend(place, row, digits, &parts, order, &mut self.longer);
            }
        }
        if self.longer.len() > 1 {
            self.longer.sort_unstable_by_key(|step| step.state);
            self.longer.dedup_by_key(|step| step.state);
        }
        std::mem::swap(&mut self.steps, &mut self.longer);
        best
    }
}

impl Step {
    /// The rows that may stand at a place: of the band that was begun, or of those that were not.
    fn candidates(&self, place: usize) -> impl Iterator<Item = u8> {
        let used = self.state.used;
        let begun = if place.is_multiple_of(3) { None } else { Some(self.rows[place - 1] / 3) };
        (0..9).filter(move |&row| {
            used >> row & 1 == 0 && begun.map_or(used >> (row / 3 * 3) & 7 == 0, |band| band == row / 3)
        })
    }

    /// Adds every state in which this row follows at its least.
    fn extend(
        &self,
        place: usize,
        row: u8,
        digits: &[u8; 9],
        parts: &[Part; 3],
        order: [u8; 3],
        longer: &mut Vec<Step>,
    ) {
        let free = self.state.free_stacks.count_ones() as usize;
        let keys = order.map(|stack| parts[usize::from(stack)].key);
        let orders_in = |stack: u8| ORDERS_OF[usize::from(parts[usize::from(stack)].new_count)];
        for change in ORDERS_OF[free] {
            // Stacks that look alike may change places, unless they are empty and stay free.
            let alike = (0..free).all(|at| keys[change[at]] == keys[at] && (keys[at] != 0 || change[at] == at));
            if !alike {
                continue;
            }
            let order = change.map(|at| order[at]);
            for first in orders_in(order[0]) {
                for second in orders_in(order[1]) {
                    for third in orders_in(order[2]) {
                        let mut step = *self;
                        step.rows[place] = row;
                        step.state.used |= 1 << row;
                        step.state.take(digits, parts, order, [first, second, third]);
                        longer.push(step);
                    }
                }
            }
        }
    }

    /// How the puzzle becomes the form; what was never put in order keeps its order.
    fn way(&self) -> Way {
        let state = &self.state;
        let free = state.free_stacks.count_ones() as usize;
        let mut columns = [0; 9];
        let mut free_stacks = (0..3u8).filter(|stack| state.free_stacks >> stack & 1 == 1);
        for place in 0..3 {
            let stack = if place < free { free_stacks.next().unwrap_or(0) } else { state.stacks[place] };
            let mask = state.free_columns[usize::from(stack)];
            let mut free_columns = (0..3u8).filter(|column| mask >> column & 1 == 1);
            for at in 0..3 {
                let placed = state.columns[usize::from(stack)][at];
                let column = if placed == NONE { free_columns.next().unwrap_or(0) } else { placed };
                columns[3 * place + at] = 3 * stack + column;
            }
        }
        let mut labels = state.labels;
        let mut next = state.next;
        for label in &mut labels[1..] {
            if *label == 0 {
                *label = next;
                next += 1;
            }
        }
        Way { transposed: state.grid == 1, rows: self.rows, columns, labels }
    }
}

impl State {
    /// What a row looks like in a stack.
    #[inline]
    fn part(&self, digits: &[u8; 9], stack: usize) -> Part {
        let digits = &digits[3 * stack..3 * stack + 3];
        let free = self.free_columns[stack];
        let mut part = Part::default();
        let label_of = |digit: u8| match (digit, self.labels[usize::from(digit)]) {
            (0, _) => 0,
            (_, 0) => NEW,
            (_, label) => label,
        };
        let mut labels = [0; 3];
        for column in 0..3u8 {
            if free >> column & 1 == 0 || digits[usize::from(column)] == 0 {
                continue;
            }
            // Sorted in: there are two before it at most.
            let label = label_of(digits[usize::from(column)]);
            let mut at = usize::from(part.moved_count);
            while at > 0 && labels[at - 1] > label {
                (labels[at], part.moved[at]) = (labels[at - 1], part.moved[at - 1]);
                at -= 1;
            }
            (labels[at], part.moved[at]) = (label, column);
            part.moved_count += 1;
            part.new_count += u8::from(label == NEW);
        }
        for &label in &labels[..usize::from(part.moved_count)] {
            part.key = part.key << 4 | u16::from(label);
        }
        for place in free.count_ones() as usize..3 {
            let column = self.columns[stack][place];
            part.key = part.key << 4 | u16::from(label_of(digits[usize::from(column)]));
        }
        part
    }

    /// The stacks from left to right, as the row puts them in order.
    #[inline]
    fn order(&self, parts: &[Part; 3]) -> [u8; 3] {
        let mut order = self.stacks;
        let mut count = 0;
        for stack in 0..3u8 {
            if self.free_stacks >> stack & 1 == 0 {
                continue;
            }
            let mut at = count;
            while at > 0 && parts[usize::from(order[at - 1])].key > parts[usize::from(stack)].key {
                order[at] = order[at - 1];
                at -= 1;
            }
            order[at] = stack;
            count += 1;
        }
        order
    }

    /// The labels of the row, 4 bits each, the first on top.
    #[inline]
    fn labels_of(&self, parts: &[Part; 3], order: [u8; 3]) -> u64 {
        let mut next = u64::from(self.next);
        let mut labels = 0;
        for stack in order {
            let key = parts[usize::from(stack)].key;
            for shift in [8, 4, 0] {
                let mut label = u64::from(key >> shift & 15);
                if label == u64::from(NEW) {
                    label = next;
                    next += 1;
                }
                labels = labels << 4 | label;
            }
        }
        labels
    }

    /// Takes a row over, with the stacks in this order, and the digits without a label in these.
    fn take(&mut self, digits: &[u8; 9], parts: &[Part; 3], order: [u8; 3], new_orders: [&[usize; 3]; 3]) {
        for (place, stack) in order.into_iter().enumerate() {
            let stack = usize::from(stack);
            let part = &parts[stack];
            if self.free_stacks >> stack & 1 == 1 {
                if part.key == 0 {
                    continue;
                }
                self.free_stacks &= !(1 << stack);
            }
            self.stacks[place] = stack as u8;
            let moved = usize::from(part.moved_count);
            let labelled = moved - usize::from(part.new_count);
            let from = self.free_columns[stack].count_ones() as usize - moved;
            for at in 0..moved {
                let column = match at.checked_sub(labelled) {
                    Some(new) => part.moved[labelled + new_orders[place][new]],
                    None => part.moved[at],
                };
                self.columns[stack][from + at] = column;
                self.free_columns[stack] &= !(1 << column);
            }
            for at in from..3 {
                let digit = usize::from(digits[3 * stack + usize::from(self.columns[stack][at])]);
                if digit != 0 && self.labels[digit] == 0 {
                    self.labels[digit] = self.next;
                    self.next += 1;
                }
            }
        }
    }
}

impl Way {
    /// Takes a grid the way of its puzzle: its solution becomes one of the form.
    pub fn there(&self, cells: &Cells) -> Cells {
        std::array::from_fn(|cell| self.labels[usize::from(cells[self.from(cell)])])
    }

    /// Takes a grid of the form the way back.
    pub fn back(&self, form: &Cells) -> Cells {
        let mut digits = [0; 10];
        for (digit, &label) in self.labels.iter().enumerate() {
            digits[usize::from(label)] = digit as u8;
        }
        let mut cells = [0; CELLS];
        for (cell, &label) in form.iter().enumerate() {
            cells[self.from(cell)] = digits[usize::from(label)];
        }
        cells
    }

    /// The cell of the puzzle that comes to a cell of the form.
    fn from(&self, cell: usize) -> usize {
        let (row, column) = (usize::from(self.rows[cell / 9]), usize::from(self.columns[cell % 9]));
        if self.transposed { column * 9 + row } else { row * 9 + column }
    }

    /// This as bytes.
    pub fn to_bytes(&self) -> [u8; WAY_BYTES] {
        let mut bytes = [0; WAY_BYTES];
        bytes[0] = u8::from(self.transposed);
        bytes[1..10].copy_from_slice(&self.rows);
        bytes[10..19].copy_from_slice(&self.columns);
        bytes[19..].copy_from_slice(&self.labels);
        bytes
    }

    /// Reads what [`Way::to_bytes`] wrote; None if it is no way.
    pub fn from_bytes(bytes: &[u8; WAY_BYTES]) -> Option<Way> {
        let mut way = Way { transposed: bytes[0] == 1, rows: [0; 9], columns: [0; 9], labels: [0; 10] };
        way.rows.copy_from_slice(&bytes[1..10]);
        way.columns.copy_from_slice(&bytes[10..19]);
        way.labels.copy_from_slice(&bytes[19..]);
        let is_order = |values: &[u8], least: u8| {
            let mut seen = 0u16;
            values.iter().all(|&value| {
                let is_new = (least..least + 9).contains(&value) && seen >> value & 1 == 0;
                seen |= 1u16.checked_shl(value.into()).unwrap_or(0);
                is_new
            })
        };
        let fits = bytes[0] <= 1
            && is_order(&way.rows, 0)
            && is_order(&way.columns, 0)
            && way.labels[0] == 0
            && is_order(&way.labels[1..], 1);
        fits.then_some(way)
    }
}
