//! Lines of text to puzzles, results to rows of text: bytes in, bytes out, no file handle.
//!
//! A *row* is a line that is a puzzle, or that should have been one and cannot be read. Cells, rows and results
//! go by the same index: row i of a chunk has the cells i (all [`UNREADABLE`](crate::grid::UNREADABLE) where the
//! line is no puzzle) and the result i.

mod excerpt;
mod fault;
mod lines;
mod parse;
mod piece;

pub use excerpt::EXCERPT_CHARACTERS;
pub use lines::LONG_LINE_BYTES;
pub use parse::{Parsed, Parser, Place, Tallies};
