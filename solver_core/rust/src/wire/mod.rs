//! What travels: puzzles, results and rows as packed, checked payloads.
//!
//! Every payload is a header of 20 bytes, little endian, and a body:
//!
//! | bytes | holds |
//! |---|---|
//! | 0-3 | magic: `GMPZ` puzzles, `GMRS` results, `GMRW` rows |
//! | 4-5 | version, 1 |
//! | 6-7 | flags, 0 |
//! | 8-11 | count of puzzles, results or rows |
//! | 12-15 | length of the body in bytes |
//! | 16-19 | CRC-32 of bytes 0-15 and the body |
//!
//! A payload may come from anywhere: each size is checked before it is used, what does not fit is a
//! [`WireError`] and never a panic, and memory is claimed for no more entries than the body has room for.
//! Numbers inside a body are LEB128 varints in their shortest form, so equal content means equal bytes.

mod answers;
mod puzzles;
mod reader;
mod results;
mod rows;

use std::fmt;

pub use answers::{SLOWEST, Tally, examine_results, merge_results, tally, unfinished};
pub use puzzles::{PACKED_BYTES, pack_puzzles, slice_puzzles, unpack_puzzles};
pub(crate) use puzzles::{open_puzzles, unpack_into};
pub(crate) use results::has_search;
pub use results::{Entry, Results, ResultsPacker, pack_listed, pack_results, unpack_lists, unpack_results};
pub use rows::{Beside, Kept, Row, Rows, RowsWriter, keep};

/// The version of the wire format that this code writes and reads.
pub const VERSION: u16 = 1;

/// Length of the header that every payload begins with.
pub const HEADER_BYTES: usize = 20;

/// Where the checksum stands in the header; it covers what is before it, and the body.
const CRC_AT: usize = 16;

/// The four letters a payload begins with.
pub type Magic = [u8; 4];

/// Why a payload is not what it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireError {
    /// Fewer bytes than the header, or an entry of the body, needs.
    Truncated,
    /// Bytes after the end.
    Trailing,
    /// Another kind of payload, or none at all.
    Magic {
        /// The letters that were found.
        found: Magic,
        /// The letters that were needed.
        wanted: Magic,
    },
    /// Written in a version of the format that this code does not know.
    Version(u16),
    /// Flags that this code does not know.
    Flags(u16),
    /// The bytes have changed on the way.
    Checksum,
    /// The count says more entries than the body can hold.
    Count(u32),
    /// A value outside its range; the text names it.
    Value(&'static str),
    /// Things that belong together do not have the same length; the text names them.
    Length(&'static str),
    /// More than a payload can hold.
    TooLarge,
    /// A slice that reaches beyond the payload.
    Slice {
        /// First puzzle asked for.
        from: usize,
        /// One past the last puzzle asked for.
        to: usize,
        /// Puzzles there are.
        count: usize,
    },
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WireError::Truncated => write!(f, "the payload is cut short"),
            WireError::Trailing => write!(f, "the payload has bytes after its end"),
            WireError::Magic { found, wanted } => {
                write!(f, "the payload begins with \"{}\", not \"{}\"", found.escape_ascii(), wanted.escape_ascii())
            }
            WireError::Version(found) => write!(f, "wire version {found} is not {VERSION}"),
            WireError::Flags(found) => write!(f, "unknown flags {found:#06x} in the payload"),
            WireError::Checksum => write!(f, "the CRC-32 of the payload does not fit its bytes"),
            WireError::Count(count) => write!(f, "the payload is too short for its count of {count}"),
            WireError::Value(what) => write!(f, "a value out of range in the payload: {what}"),
            WireError::Length(what) => write!(f, "lengths do not fit: {what}"),
            WireError::TooLarge => write!(f, "more than a payload of 4 GiB can hold"),
            WireError::Slice { from, to, count } => write!(f, "no puzzles {from} to {to} in a payload of {count}"),
        }
    }
}

impl std::error::Error for WireError {}

/// A new payload: room for the header, and for a body of `body_bytes` (a guess is enough).
fn begin(body_bytes: usize) -> Vec<u8> {
    let mut payload = Vec::with_capacity(HEADER_BYTES + body_bytes);
    payload.resize(HEADER_BYTES, 0);
    payload
}

/// Writes the header of a payload that [`begin`] began and whose body is complete.
fn seal(mut payload: Vec<u8>, magic: Magic, count: usize) -> Result<Vec<u8>, WireError> {
    let count = u32::try_from(count).map_err(|_| WireError::TooLarge)?;
    let body_bytes = u32::try_from(payload.len() - HEADER_BYTES).map_err(|_| WireError::TooLarge)?;

    payload[0..4].copy_from_slice(&magic);
    payload[4..6].copy_from_slice(&VERSION.to_le_bytes());
    payload[6..8].fill(0);
    payload[8..12].copy_from_slice(&count.to_le_bytes());
    payload[12..16].copy_from_slice(&body_bytes.to_le_bytes());
    let crc = checksum(&payload);
    payload[CRC_AT..HEADER_BYTES].copy_from_slice(&crc.to_le_bytes());
    Ok(payload)
}

/// Checks header, length and checksum of a payload; gives its count and its body.
fn open(payload: &[u8], wanted: Magic) -> Result<(u32, &[u8]), WireError> {
    let (header, body) = payload.split_first_chunk::<HEADER_BYTES>().ok_or(WireError::Truncated)?;
    let u16_at = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
    let u32_at = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);

    let found = [header[0], header[1], header[2], header[3]];
    if found != wanted {
        return Err(WireError::Magic { found, wanted });
    }
    if u16_at(4) != VERSION {
        return Err(WireError::Version(u16_at(4)));
    }
    if u16_at(6) != 0 {
        return Err(WireError::Flags(u16_at(6)));
    }
    match (body.len() as u64).cmp(&u64::from(u32_at(12))) {
        std::cmp::Ordering::Less => return Err(WireError::Truncated),
        std::cmp::Ordering::Greater => return Err(WireError::Trailing),
        std::cmp::Ordering::Equal => {}
    }
    if u32_at(CRC_AT) != checksum(payload) {
        return Err(WireError::Checksum);
    }
    Ok((u32_at(8), body))
}

/// CRC-32 of the header before the checksum, and of the body.
fn checksum(payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&payload[..CRC_AT]);
    hasher.update(&payload[HEADER_BYTES..]);
    hasher.finalize()
}
