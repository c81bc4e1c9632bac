//! Results on the way back.
//!
//! Each is a status byte. `unfinished`, `invalid` and `failed` have no more; the others go on with the varints
//! solutions, guesses and time_ns, and, if there are solutions, with the first one in 41 bytes as puzzles have
//! them, every cell 1 to 9. With 128 added to the status all solutions follow, not the first one alone.

use super::puzzles::{pack_cells, unpack_into};
use super::reader::{Reader, push_varint};
use super::{Magic, PACKED_BYTES, WireError, begin, open, seal};
use crate::grid::{CELLS, Cells, Outcome, Status};

const MAGIC: Magic = *b"GMRS";

/// Bytes that a usual result takes: status, solutions and guesses one each, three of time, a solution.
const USUAL_BYTES: usize = 6 + PACKED_BYTES;

/// Added to the status byte where all solutions follow, and not the first one alone.
const LISTED: u8 = 0x80;

/// Packs outcomes. Of those that are unfinished, invalid or failed only the status is kept.
///
/// # Errors
/// [`WireError::TooLarge`] above 4 GiB.
pub fn pack_results(outcomes: &[Outcome]) -> Result<Vec<u8>, WireError> {
    let mut packer = ResultsPacker::new(outcomes.len());
    packer.push(outcomes);
    packer.finish()
}

/// Packs outcomes as they come, so that they need not all be held at once.
#[derive(Debug)]
pub struct ResultsPacker {
    payload: Vec<u8>,
    count: usize,
}

impl ResultsPacker {
    /// A packer with room for about `count` outcomes.
    pub fn new(count: usize) -> Self {
        Self { payload: begin(count * USUAL_BYTES), count: 0 }
    }

    /// Packs outcomes behind those that are packed already.
    pub fn push(&mut self, outcomes: &[Outcome]) {
        for outcome in outcomes {
            push_outcome(&mut self.payload, outcome, 0);
        }
        self.count += outcomes.len();
    }

    /// The payload.
    ///
    /// # Errors
    /// [`WireError::TooLarge`] above 4 GiB.
    pub fn finish(self) -> Result<Vec<u8>, WireError> {
        seal(self.payload, MAGIC, self.count)
    }
}

/// Packs outcomes with all their solutions, as many as each outcome says, the first one among them.
///
/// # Errors
/// [`WireError::Length`] if there are not as many, [`WireError::TooLarge`] above 4 GiB.
pub fn pack_listed(outcomes: &[Outcome], lists: &[Vec<Cells>]) -> Result<Vec<u8>, WireError> {
    let mut payload = begin(outcomes.len() * USUAL_BYTES);
    if outcomes.len() != lists.len() {
        return Err(WireError::Length("another number of lists than of outcomes"));
    }
    for (outcome, list) in outcomes.iter().zip(lists) {
        if !has_search(outcome.status) || outcome.solutions == 0 {
            push_outcome(&mut payload, outcome, 0);
            continue;
        }
        if list.len() != outcome.solutions as usize {
            return Err(WireError::Length("another number of solutions than the outcome has"));
        }
        push_outcome(&mut payload, outcome, LISTED);
        for solution in &list[1..] {
            payload.extend_from_slice(&pack_cells(solution));
        }
    }
    seal(payload, MAGIC, outcomes.len())
}

fn push_outcome(payload: &mut Vec<u8>, outcome: &Outcome, flag: u8) {
    payload.push(outcome.status as u8 | flag);
    if !has_search(outcome.status) {
        return;
    }
    push_varint(payload, u64::from(outcome.solutions));
    push_varint(payload, u64::from(outcome.guesses));
    push_varint(payload, outcome.time_ns);
    if outcome.solutions > 0 {
        payload.extend_from_slice(&pack_cells(&outcome.solution));
    }
}

/// Unpacks outcomes; of those with all their solutions the first.
///
/// # Errors
/// Any [`WireError`] that says how the payload is not one of results.
pub fn unpack_results(payload: &[u8]) -> Result<Vec<Outcome>, WireError> {
    Results::new(payload)?.map(|entry| entry?.outcome()).collect()
}

/// Unpacks all solutions of each outcome; of one that comes with the first alone, none.
///
/// # Errors
/// Any [`WireError`] that says how the payload is not one of results.
pub fn unpack_lists(payload: &[u8]) -> Result<Vec<Vec<Cells>>, WireError> {
    Results::new(payload)?.map(|entry| entry?.list().collect()).collect()
}

/// Closes a payload of packed outcomes.
pub(super) fn join_entries<'a>(entries: impl ExactSizeIterator<Item = &'a [u8]>) -> Result<Vec<u8>, WireError> {
    let count = entries.len();
    let mut payload = begin(count * USUAL_BYTES);
    for entry in entries {
        payload.extend_from_slice(entry);
    }
    seal(payload, MAGIC, count)
}

/// The packed form of an outcome that is unfinished.
pub(super) const UNFINISHED_ENTRY: &[u8] = &[Status::Unfinished as u8];

/// An outcome as it lies in its payload: the figures are read, solutions only when they are asked for.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// As in [`Outcome`], and so are the next three.
    pub status: Status,
    /// Zero where there was no search.
    pub solutions: u32,
    /// Zero where there was no search.
    pub guesses: u32,
    /// Zero where there was no search.
    pub time_ns: u64,
    /// The first solution, packed; None if there is none.
    first: Option<&'a [u8; PACKED_BYTES]>,
    /// Those after the first; None where only the first was asked for.
    others: Option<&'a [[u8; PACKED_BYTES]]>,
    /// The packed form.
    pub(super) bytes: &'a [u8],
}

impl<'a> Entry<'a> {
    /// Unpacks the first solution, if there is one, into `solution`; tells whether there is one.
    ///
    /// # Errors
    /// [`WireError::Value`] if it has an empty cell.
    #[inline]
    pub fn solution_into(&self, solution: &mut Cells) -> Result<bool, WireError> {
        self.first.map_or(Ok(false), |packed| solution_into(packed, solution).map(|()| true))
    }

    /// Whether the first solution, if there is one, keeps the givens of a packed puzzle.
    pub(super) fn keeps(&self, puzzle: &[u8; PACKED_BYTES]) -> bool {
        // Two cells a byte: a half of `given` is all ones where the puzzle has a digit. No way out before the end, so
        // that it is vector code.
        let of_halves = |solution: &[u8; PACKED_BYTES]| {
            solution.iter().zip(puzzle).fold(0, |wrong, (&digits, &givens)| {
                let filled = givens | givens >> 1;
                let filled = (filled | filled >> 2) & 0x11;
                wrong | ((digits ^ givens) & (filled * 15))
            }) == 0
        };
        self.first.is_none_or(of_halves)
    }

    /// Whether all solutions are there, and not the first alone.
    pub fn is_listed(&self) -> bool {
        self.others.is_some()
    }

    /// All solutions, the first among them; none where only the first was asked for.
    pub fn list(&self) -> impl Iterator<Item = Result<Cells, WireError>> + use<'a> {
        let first = self.others.and(self.first);
        first.into_iter().chain(self.others.unwrap_or_default()).map(solution_from)
    }

    /// All but the further solutions.
    ///
    /// # Errors
    /// As [`Entry::solution_into`].
    pub fn outcome(&self) -> Result<Outcome, WireError> {
        let Entry { status, solutions, guesses, time_ns, .. } = *self;
        let mut outcome = Outcome { solution: [0; CELLS], status, solutions, guesses, time_ns };
        self.solution_into(&mut outcome.solution)?;
        Ok(outcome)
    }
}

/// Reads outcomes, one after another; after an error there are no more.
#[derive(Clone, Debug)]
pub struct Results<'a> {
    reader: Reader<'a>,
    left: usize,
}

impl<'a> Results<'a> {
    /// Checks the frame of a payload; its outcomes are checked as they are read.
    ///
    /// # Errors
    /// Any [`WireError`] that says how the payload is not one of results.
    pub fn new(payload: &'a [u8]) -> Result<Self, WireError> {
        let (count, body) = open(payload, MAGIC)?;
        // The shortest result is its status byte.
        if count as usize > body.len() {
            return Err(WireError::Count(count));
        }
        let results = Results { reader: Reader::new(body), left: count as usize };
        if count == 0 {
            results.reader.end()?;
        }
        Ok(results)
    }

    /// Number of outcomes not read yet.
    pub fn left(&self) -> usize {
        self.left
    }

    #[inline]
    fn read(&mut self) -> Result<Entry<'a>, WireError> {
        let begin = self.reader.clone();
        let byte = self.reader.byte()?;
        let status = status_from(byte & !LISTED)?;
        let (mut solutions, mut guesses, mut time_ns) = (0, 0, 0);
        if has_search(status) {
            solutions = self.reader.varint_u32("solutions above 32 bits")?;
            guesses = self.reader.varint_u32("guesses above 32 bits")?;
            time_ns = self.reader.varint()?;
        }
        let first = if solutions > 0 { Some(self.reader.array::<PACKED_BYTES>()?) } else { None };
        let others = match byte & LISTED {
            0 => None,
            _ if solutions == 0 => return Err(WireError::Value("a list without solutions")),
            _ => Some(self.reader.arrays::<PACKED_BYTES>(solutions as usize - 1)?),
        };
        if self.left == 1 {
            self.reader.end()?;
        }
        let bytes = begin.until(&self.reader);
        Ok(Entry { status, solutions, guesses, time_ns, first, others, bytes })
    }
}

impl<'a> Iterator for Results<'a> {
    type Item = Result<Entry<'a>, WireError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 {
            return None;
        }
        let entry = self.read();
        self.left = if entry.is_ok() { self.left - 1 } else { 0 };
        Some(entry)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.left))
    }
}

fn solution_from(packed: &[u8; PACKED_BYTES]) -> Result<Cells, WireError> {
    let mut solution = [0; CELLS];
    solution_into(packed, &mut solution)?;
    Ok(solution)
}

#[inline]
fn solution_into(packed: &[u8; PACKED_BYTES], solution: &mut Cells) -> Result<(), WireError> {
    unpack_into(packed, solution)?;
    // Without a way out before the end: this becomes vector code. An empty cell becomes 255.
    let highest = solution.iter().fold(0, |highest: u8, &cell| highest.max(cell.wrapping_sub(1)));
    if highest < 9 { Ok(()) } else { Err(WireError::Value("a solution with an empty cell")) }
}

/// Whether a kernel searched this puzzle to an end, so that there are figures about it.
pub(crate) fn has_search(status: Status) -> bool {
    !matches!(status, Status::Unfinished | Status::Invalid | Status::Failed)
}

fn status_from(byte: u8) -> Result<Status, WireError> {
    Status::from_number(byte).ok_or(WireError::Value("an unknown status"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_byte_is_the_number_of_its_status() {
        for byte in 0..=u8::MAX {
            match status_from(byte) {
                Ok(status) => assert_eq!(status as u8, byte),
                Err(error) => assert!(byte > 7, "{error}"),
            }
        }
    }
}
