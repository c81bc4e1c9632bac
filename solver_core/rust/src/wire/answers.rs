//! What a gatherer does with payloads of results: find what is missing, put parts together, check, add up.

use super::WireError;
use super::puzzles::{open_puzzles, unpack_into};
use super::results::{Entry, Results, UNFINISHED_ENTRY, join_entries};
use crate::grid::{CELLS, Outcome, Status};

/// How many of the slowest puzzles a tally names.
pub const SLOWEST: usize = 10;

/// The ranges of rows, from and up to (not including), that a stopped kernel left unfinished.
///
/// # Errors
/// Any [`WireError`] that says how the payload is not one of results.
pub fn unfinished(payload: &[u8]) -> Result<Vec<(usize, usize)>, WireError> {
    let mut ranges = Ranges::default();
    for (row, entry) in Results::new(payload)?.enumerate() {
        ranges.see(row, &entry?);
    }
    Ok(ranges.0)
}

/// Ranges of rows that are unfinished.
#[derive(Default)]
struct Ranges(Vec<(usize, usize)>);

impl Ranges {
    #[inline]
    fn see(&mut self, row: usize, entry: &Entry<'_>) {
        if entry.status != Status::Unfinished {
            return;
        }
        match self.0.last_mut() {
            Some((_, to)) if *to == row => *to += 1,
            _ => self.0.push((row, row + 1)),
        }
    }
}

/// Puts the results of `count` rows together from parts, each with the row it begins at. A finished result stands
/// above an unfinished one for the same row.
///
/// # Errors
/// Any [`WireError`] of a part, or one that says that a part reaches beyond the rows.
pub fn merge_results(count: usize, parts: &[(usize, &[u8])]) -> Result<Vec<u8>, WireError> {
    let mut merged = vec![UNFINISHED_ENTRY; count];
    for (from, payload) in parts {
        let entries = Results::new(payload)?;
        let place = merged
            .get_mut(*from..from.saturating_add(entries.left()))
            .ok_or(WireError::Value("a part that reaches beyond the rows"))?;
        for (row, entry) in place.iter_mut().zip(entries) {
            let entry = entry?;
            entry.solution_into(&mut [0; CELLS])?;
            if entry.status != Status::Unfinished {
                *row = entry.bytes;
            }
        }
    }
    join_entries(merged.into_iter())
}

/// Checks that `results` answers `puzzles`: as many rows, and every solution keeps the givens of its puzzle. Gives
/// the ranges that are [`unfinished`], and the kernel time in ns.
///
/// # Errors
/// Any [`WireError`] that says what does not fit.
pub fn examine_results(puzzles: &[u8], results: &[u8]) -> Result<(Vec<(usize, usize)>, u64), WireError> {
    let (puzzles, results) = (open_puzzles(puzzles)?, Results::new(results)?);
    if puzzles.len() != results.left() {
        return Err(WireError::Value("another number of results than of puzzles"));
    }
    let (mut ranges, mut kernel_ns) = (Ranges::default(), 0u64);
    let mut cells = [0; CELLS];
    for ((row, puzzle), entry) in puzzles.iter().enumerate().zip(results) {
        let entry = entry?;
        unpack_into(puzzle, &mut cells)?;
        entry.solution_into(&mut cells)?;
        if !entry.keeps(puzzle) {
            return Err(WireError::Value("a solution that does not keep the givens of its puzzle"));
        }
        ranges.see(row, &entry);
        kernel_ns = kernel_ns.saturating_add(entry.time_ns);
    }
    Ok((ranges.0, kernel_ns))
}

/// What the results of a chunk add up to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Rows of each status, by its number.
    pub statuses: [u64; Status::ALL.len()],
    /// Sum of all `time_ns`.
    pub kernel_ns: u64,
    /// The slowest rows, slowest first; of equals the first.
    pub slowest: Vec<(usize, Outcome)>,
}

/// Adds up the results of a chunk.
///
/// # Errors
/// Any [`WireError`] that says how the payload is not one of results.
pub fn tally(payload: &[u8]) -> Result<Tally, WireError> {
    let mut tally = Tally::default();
    for (row, entry) in Results::new(payload)?.enumerate() {
        let entry = entry?;
        tally.statuses[entry.status as usize] += 1;
        tally.kernel_ns = tally.kernel_ns.saturating_add(entry.time_ns);
        let full = tally.slowest.len() == SLOWEST;
        if entry.time_ns == 0 || (full && tally.slowest[SLOWEST - 1].1.time_ns >= entry.time_ns) {
            continue;
        }
        let place = tally.slowest.partition_point(|(_, slower)| slower.time_ns >= entry.time_ns);
        tally.slowest.insert(place, (row, entry.outcome()?));
        tally.slowest.truncate(SLOWEST);
    }
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{pack_puzzles, pack_results};

    fn outcome(status: Status, time_ns: u64) -> Outcome {
        let solved = matches!(status, Status::Unique);
        let solution = if solved { [1; CELLS] } else { [0; CELLS] };
        Outcome { solution, status, solutions: u32::from(solved), guesses: 0, time_ns }
    }

    fn packed(outcomes: &[Outcome]) -> Vec<u8> {
        pack_results(outcomes).expect("few outcomes")
    }

    #[test]
    fn unfinished_rows_are_found_and_filled_from_other_parts() {
        let (unique, none, open) =
            (outcome(Status::Unique, 5), outcome(Status::Unsolvable, 7), outcome(Status::Unfinished, 0));
        let first = packed(&[unique, open, open, none, open]);

        let ranges = unfinished(&first).expect("results");
        let merged = merge_results(5, &[(0, &first), (1, &packed(&[none, unique])), (4, &packed(&[unique]))]);

        assert_eq!(ranges, [(1, 3), (4, 5)]);
        assert_eq!(merged, Ok(packed(&[unique, none, unique, none, unique])));
        assert!(merge_results(5, &[(4, &packed(&[unique, unique]))]).is_err());
        assert!(merge_results(5, &[(usize::MAX, &packed(&[unique]))]).is_err());
    }

    #[test]
    fn results_of_other_puzzles_are_noticed() {
        let mut cells = [0; CELLS];
        cells[3] = 2;
        let empty = pack_puzzles(&[0; CELLS]).expect("a puzzle");
        let given = pack_puzzles(&cells).expect("a puzzle");
        let answer = packed(&[outcome(Status::Unique, 1)]);

        assert_eq!(examine_results(&empty, &answer), Ok((vec![], 1)));
        assert!(examine_results(&given, &answer).is_err());
        assert!(examine_results(&pack_puzzles(&[0; 2 * CELLS]).expect("two puzzles"), &answer).is_err());
    }

    #[test]
    fn a_tally_counts_statuses_and_keeps_the_slowest() {
        let outcomes: Vec<Outcome> = (0..40).map(|i| outcome(Status::Unique, 1 + (i * 7) % 40)).collect();

        let tally = tally(&packed(&outcomes)).expect("results");

        assert_eq!(tally.statuses[Status::Unique as usize], 40);
        assert_eq!(tally.kernel_ns, (1..=40).sum::<u64>());
        let times: Vec<u64> = tally.slowest.iter().map(|(_, outcome)| outcome.time_ns).collect();
        assert_eq!(times, (31..=40).rev().collect::<Vec<_>>());
    }
}
