//! Results on the way back.
//!
//! Each is a status byte. `unfinished`, `invalid` and `failed` have no more; the others go on with the varints
//! solutions, guesses and time_ns, and, if there are solutions, with the first one in 41 bytes as puzzles have
//! them, every cell 1 to 9.

use super::puzzles::{pack_cells, unpack_cells};
use super::reader::{Reader, push_varint};
use super::{Magic, PACKED_BYTES, WireError, begin, open, seal};
use crate::grid::{Outcome, Status};

const MAGIC: Magic = *b"GMRS";

/// Bytes that a usual result takes: status, solutions and guesses one each, three of time, a solution.
const USUAL_BYTES: usize = 6 + PACKED_BYTES;

/// Packs outcomes. Of those that are unfinished, invalid or failed only the status is kept.
///
/// # Errors
/// [`WireError::TooLarge`] above 4 GiB.
pub fn pack_results(outcomes: &[Outcome]) -> Result<Vec<u8>, WireError> {
    let mut payload = begin(outcomes.len() * USUAL_BYTES);
    for outcome in outcomes {
        payload.push(outcome.status as u8);
        if !has_search(outcome.status) {
            continue;
        }
        push_varint(&mut payload, u64::from(outcome.solutions));
        push_varint(&mut payload, u64::from(outcome.guesses));
        push_varint(&mut payload, outcome.time_ns);
        if outcome.solutions > 0 {
            payload.extend_from_slice(&pack_cells(&outcome.solution));
        }
    }
    seal(payload, MAGIC, outcomes.len())
}

/// Unpacks outcomes.
///
/// # Errors
/// Any [`WireError`] that says how the payload is not one of results.
pub fn unpack_results(payload: &[u8]) -> Result<Vec<Outcome>, WireError> {
    let (count, body) = open(payload, MAGIC)?;
    // The shortest result is its status byte.
    if count as usize > body.len() {
        return Err(WireError::Count(count));
    }
    let mut reader = Reader::new(body);
    let mut outcomes = Vec::with_capacity(count as usize);
    for _ in 0..count {
        outcomes.push(read_outcome(&mut reader)?);
    }
    reader.end()?;
    Ok(outcomes)
}

fn read_outcome(reader: &mut Reader<'_>) -> Result<Outcome, WireError> {
    let mut outcome = Outcome { status: status_from(reader.byte()?)?, ..Outcome::UNFINISHED };
    if !has_search(outcome.status) {
        return Ok(outcome);
    }
    outcome.solutions = reader.varint_u32("solutions above 32 bits")?;
    outcome.guesses = reader.varint_u32("guesses above 32 bits")?;
    outcome.time_ns = reader.varint()?;
    if outcome.solutions > 0 {
        outcome.solution = unpack_cells(reader.array::<PACKED_BYTES>()?)?;
        if outcome.solution.iter().fold(false, |found, &cell| found | (cell == 0 || cell > 9)) {
            return Err(WireError::Value("a solution with an empty cell"));
        }
    }
    Ok(outcome)
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
