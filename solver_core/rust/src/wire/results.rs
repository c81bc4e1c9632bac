//! Results on the way back.
//!
//! Each is a status byte. `unfinished`, `invalid` and `failed` have no more; the others go on with the varints
//! solutions, guesses and time_ns, and, if there are solutions, with the first one in 41 bytes as puzzles have
//! them, every cell 1 to 9. With 128 added to the status all solutions follow, not the first one alone.

use super::puzzles::{pack_cells, unpack_cells};
use super::reader::{Reader, push_varint};
use super::{Magic, PACKED_BYTES, WireError, begin, open, seal};
use crate::grid::{Cells, Outcome, Status};

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
    let mut outcomes = Vec::new();
    for_each_entry(payload, |outcome, _, _| {
        outcomes.push(outcome);
        Ok(())
    })?;
    Ok(outcomes)
}

/// Unpacks all solutions of each outcome; of one that comes with the first alone, none.
///
/// # Errors
/// Any [`WireError`] that says how the payload is not one of results.
pub fn unpack_lists(payload: &[u8]) -> Result<Vec<Vec<Cells>>, WireError> {
    let mut lists = Vec::new();
    for_each_entry(payload, |outcome, others, _| {
        let mut list = Vec::new();
        if let Some(others) = others {
            list.push(outcome.solution);
            for packed in others {
                list.push(solution_from(packed)?);
            }
        }
        lists.push(list);
        Ok(())
    })?;
    Ok(lists)
}

/// Gives status and packed form of each outcome, so that they can be put together anew.
///
/// # Errors
/// Any [`WireError`] that says how the payload is not one of results.
pub(super) fn entries(payload: &[u8]) -> Result<Vec<(Status, &[u8])>, WireError> {
    let mut entries = Vec::new();
    for_each_entry(payload, |outcome, _, entry| {
        entries.push((outcome.status, entry));
        Ok(())
    })?;
    Ok(entries)
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

/// Shows each outcome, its further solutions if it comes with all of them, and its packed form.
fn for_each_entry<'a>(
    payload: &'a [u8],
    mut show: impl FnMut(Outcome, Others<'a>, &'a [u8]) -> Result<(), WireError>,
) -> Result<(), WireError> {
    let (count, body) = open(payload, MAGIC)?;
    // The shortest result is its status byte.
    if count as usize > body.len() {
        return Err(WireError::Count(count));
    }
    let mut reader = Reader::new(body);
    for _ in 0..count {
        let from = body.len() - reader.left();
        let (outcome, others) = read_outcome(&mut reader)?;
        show(outcome, others, &body[from..body.len() - reader.left()])?;
    }
    reader.end()
}

/// Packed solutions that come after the first; None where only the first was asked for.
type Others<'a> = Option<&'a [[u8; PACKED_BYTES]]>;

#[inline]
fn read_outcome<'a>(reader: &mut Reader<'a>) -> Result<(Outcome, Others<'a>), WireError> {
    let byte = reader.byte()?;
    let mut outcome = Outcome { status: status_from(byte & !LISTED)?, ..Outcome::UNFINISHED };
    let is_listed = byte & LISTED != 0;
    if has_search(outcome.status) {
        outcome.solutions = reader.varint_u32("solutions above 32 bits")?;
        outcome.guesses = reader.varint_u32("guesses above 32 bits")?;
        outcome.time_ns = reader.varint()?;
    }
    if outcome.solutions > 0 {
        outcome.solution = solution_from(reader.array::<PACKED_BYTES>()?)?;
    } else if is_listed {
        return Err(WireError::Value("a list without solutions"));
    }
    let others = if is_listed { Some(reader.arrays::<PACKED_BYTES>(outcome.solutions as usize - 1)?) } else { None };
    Ok((outcome, others))
}

fn solution_from(packed: &[u8; PACKED_BYTES]) -> Result<Cells, WireError> {
    let solution = unpack_cells(packed)?;
    if solution.iter().fold(false, |found, &cell| found | (cell == 0 || cell > 9)) {
        return Err(WireError::Value("a solution with an empty cell"));
    }
    Ok(solution)
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
