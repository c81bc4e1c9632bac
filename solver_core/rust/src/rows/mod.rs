//! Lines of text to puzzles, results to rows of text: bytes in, bytes out, no file handle.
//!
//! A *row* is a line that is a puzzle, or that should have been one and cannot be read. Cells, rows and results
//! go by the same index: row i of a chunk has the cells i (all [`UNREADABLE`](crate::grid::UNREADABLE) where the
//! line is no puzzle) and the result i.

mod csv;
mod excerpt;
mod fault;
mod find;
mod format;
mod jsonl;
mod layout;
mod lines;
mod parse;
mod piece;
mod symbols;
mod table;

pub use excerpt::EXCERPT_CHARACTERS;
pub use find::holds_puzzle;
pub use format::{
    Answered, DIFFERS_NOTE, FAILED_NOTE, Format, Remark, STATUS_NAMES, Twins, count_given, count_statuses, format_into,
    remarks, unsolved,
};
pub use layout::{COLUMNS, Layout, NoSuchColumn};
pub use lines::LONG_LINE_BYTES;
pub use parse::{Parsed, Parser, Place, Tallies};
pub use table::{Columns, Table};
