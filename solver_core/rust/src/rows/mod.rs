//! Lines of text to puzzles, results to rows of text: bytes in, bytes out, no file handle.
//!
//! A *row* is a line that is a puzzle, or that should have been one and cannot be read. Cells, rows and results
//! go by the same index: row i of a chunk has the cells i (all [`UNREADABLE`](crate::grid::UNREADABLE) where the
//! line is no puzzle) and the result i.

mod csv;
mod excerpt;
mod fault;
mod format;
mod jsonl;
mod lines;
mod parse;
mod piece;

pub use excerpt::EXCERPT_CHARACTERS;
pub use format::{COLUMNS, FAILED_NOTE, Format, STATUS_NAMES, count_statuses, format, format_into};
pub use lines::LONG_LINE_BYTES;
pub use parse::{Parsed, Parser, Place, Tallies};
