//! The puzzles in flight, and the subtrees of their searches that wait for a lane.

use super::planes::TASK_WORDS;

/// No task, no slot.
pub(super) const NONE: u32 = u32::MAX;

/// How a puzzle is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Its branches spread over free lanes. The tree is the same as depth first, the order is not; good for a
    /// search that runs to its end.
    Spread,
    /// It has one lane and its own stack: depth first, so that it may stop early.
    Private,
    /// Was spread and turned out to stop early: what is under way is dropped, then it starts again as `Private`.
    Dropped,
}

/// A puzzle in flight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub puzzle: u32,
    pub mode: Mode,
    /// Lanes and waiting tasks of this puzzle.
    pub parts: u32,
    pub solutions: u32,
    pub guesses: u32,
    /// It is searched depth first as long as that takes few guesses.
    pub trial: bool,
    /// The top of the puzzle's own stack, for `Private`.
    pub stack: u32,
    /// The clock at the end of each lane's work less the clock at its start, summed up (modulo 2^64).
    pub time: u64,
}

impl Slot {
    /// Counts a guess of the puzzle; whether it has to be dropped, because it spread and now has more than `most`.
    #[inline(always)]
    pub fn branch(&mut self, most: u32) -> bool {
        self.guesses += 1;
        let dropped = self.guesses > most && self.mode == Mode::Spread;
        if dropped {
            self.mode = Mode::Dropped;
        }
        dropped
    }
}

/// A subtree that waits: its candidates, bit `digit * 81 + cell`.
#[derive(Clone, Copy)]
pub(super) struct Task {
    pub candidates: [u64; TASK_WORDS],
    pub slot: u32,
    next: u32,
}

/// Slots and tasks, each with a list of free places, so that memory follows what is in flight.
#[derive(Default)]
pub(super) struct Pool {
    pub slots: Vec<Slot>,
    free_slots: Vec<u32>,
    tasks: Vec<Task>,
    free_tasks: Vec<u32>,
}

impl Pool {
    /// A slot for a puzzle that has had one lane since the clock said `since`.
    pub fn open(&mut self, puzzle: u32, mode: Mode, since: u64) -> u32 {
        let time = 0u64.wrapping_sub(since);
        let slot = Slot { puzzle, mode, parts: 1, solutions: 0, guesses: 0, trial: false, stack: NONE, time };
        if let Some(free) = self.free_slots.pop() {
            self.slots[free as usize] = slot;
            return free;
        }
        self.slots.push(slot);
        self.slots.len() as u32 - 1
    }

    #[inline(always)]
    pub fn slot(&mut self, slot: u32) -> &mut Slot {
        &mut self.slots[slot as usize]
    }

    /// Frees a slot without parts; its puzzle becomes `NONE`.
    #[inline(always)]
    pub fn close(&mut self, slot: u32) {
        self.slots[slot as usize].puzzle = NONE;
        self.free_slots.push(slot);
    }

    /// The slots in use.
    pub fn open_slots(&self) -> impl Iterator<Item = u32> {
        (0..self.slots.len() as u32).filter(|&slot| self.slots[slot as usize].puzzle != NONE)
    }

    /// Puts a task on the stack whose top is `top`.
    pub fn push(&mut self, top: &mut u32, slot: u32, candidates: [u64; TASK_WORDS]) {
        let task = Task { candidates, slot, next: *top };
        *top = if let Some(free) = self.free_tasks.pop() {
            self.tasks[free as usize] = task;
            free
        } else {
            self.tasks.push(task);
            self.tasks.len() as u32 - 1
        };
    }

    /// Takes a task from the stack whose top is `top`.
    pub fn pop(&mut self, top: &mut u32) -> Option<Task> {
        if *top == NONE {
            return None;
        }
        let task = self.tasks[*top as usize];
        self.free_tasks.push(*top);
        *top = task.next;
        Some(task)
    }
}
