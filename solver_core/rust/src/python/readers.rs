//! Readers of text, and the rows they have read.

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::rows::{self, Columns, Parsed, Parser, Place, Table, Tallies};
use crate::wire::{self, Kept, keep};

/// See `_native.pyi`.
#[pyclass(module = "solver_core._native")]
#[derive(Default)]
pub(super) struct RowBuffer(Parsed);

#[pymethods]
impl RowBuffer {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    fn __len__(&self) -> usize {
        self.0.rows.count()
    }

    /// Rows so far that are puzzles, of 9x9 or another size.
    #[getter]
    fn known(&self) -> u64 {
        self.0.known
    }

    /// A line of one puzzle a line, without blanks at its ends.
    fn push_line(&mut self, source: u32, line: u64, text: &[u8]) {
        self.0.line(source, line, text);
    }

    /// A puzzle by itself, with what stood beside it.
    #[pyo3(signature = (source, line, puzzle, label=None, given=None, kept=None))]
    fn push(
        &mut self,
        source: u32,
        line: u64,
        puzzle: &[u8],
        label: Option<&[u8]>,
        given: Option<&[u8]>,
        kept: Option<Vec<PyBackedBytes>>,
    ) {
        let kept = kept_of(kept.as_deref());
        self.0.field(source, line, puzzle, label.unwrap_or_default(), given, Kept::new(&kept));
    }

    /// Something that is no puzzle.
    #[pyo3(signature = (source, line, reason, raw, kept=None))]
    fn push_invalid(&mut self, source: u32, line: u64, reason: &str, raw: &[u8], kept: Option<Vec<PyBackedBytes>>) {
        let kept = kept_of(kept.as_deref());
        self.0.unreadable(source, line, reason, raw, Kept::new(&kept));
    }

    fn cells<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.cells)
    }

    fn take<'py>(&mut self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let (puzzles, rows) = py.detach(|| {
            let puzzles = wire::pack_puzzles(&self.0.cells)?;
            Ok::<_, wire::WireError>((puzzles, std::mem::take(&mut self.0.rows).finish()?))
        })?;
        // Memory that is there is used again: a fresh page costs more than what is written to it.
        self.0.cells.clear();
        self.0.known = 0;
        Ok((PyBytes::new(py, &puzzles), PyBytes::new(py, &rows)))
    }
}

fn kept_of(fields: Option<&[PyBackedBytes]>) -> Vec<u8> {
    let mut kept = Vec::new();
    if let Some(fields) = fields {
        keep(&mut kept, fields.iter().map(AsRef::as_ref));
    }
    kept
}

/// Lines so far: total, blank, comment, structure, puzzle.
type TalliesTuple = (u64, u64, u64, u64, u64);

fn tallies_tuple(tallies: Tallies) -> TalliesTuple {
    (tallies.total, tallies.blank, tallies.comment, tallies.structure, tallies.puzzle)
}

/// See `_native.pyi`.
#[pyclass(module = "solver_core._native")]
pub(super) struct TableReader(Table);

#[pymethods]
impl TableReader {
    #[new]
    fn new(
        source: u32,
        separator: u8,
        puzzle: usize,
        solution: Option<usize>,
        label: Option<usize>,
        kept: Vec<Option<usize>>,
        title: Vec<u8>,
    ) -> Self {
        Self(Table::new(source, separator, Columns { puzzle, solution, label, kept, title }))
    }

    fn read(
        &mut self,
        py: Python<'_>,
        text: &[u8],
        start: usize,
        at_end: bool,
        max_rows: usize,
        buffer: &mut RowBuffer,
    ) -> usize {
        let start = start.min(text.len());
        start + py.detach(|| self.0.read(&text[start..], at_end, max_rows, Some(&mut buffer.0)))
    }

    fn skip(&mut self, py: Python<'_>, text: &[u8], start: usize, at_end: bool, max_rows: usize) -> usize {
        let start = start.min(text.len());
        start + py.detach(|| self.0.read(&text[start..], at_end, max_rows, None))
    }

    #[getter]
    fn line(&self) -> u64 {
        self.0.line()
    }

    #[getter]
    fn tallies(&self) -> TalliesTuple {
        tallies_tuple(self.0.tallies())
    }
}

/// Whether a line holds a puzzle, in whatever way it is written.
#[pyfunction]
pub(super) fn holds_puzzle(line: &[u8]) -> bool {
    rows::holds_puzzle(line)
}

/// Line, at_start, at_top, in_long_line.
type PlaceTuple = (u64, bool, bool, bool);

/// See `_native.pyi`.
#[pyclass(module = "solver_core._native")]
pub(super) struct LineReader(Parser);

#[pymethods]
impl LineReader {
    #[new]
    #[pyo3(signature = (source, place=None))]
    fn new(source: u32, place: Option<PlaceTuple>) -> Self {
        let place = place.map_or(Place::START, |(line, at_start, at_top, in_long_line)| Place {
            line,
            at_start,
            at_top,
            in_long_line,
        });
        Self(Parser::new(source, place))
    }

    fn read(
        &mut self,
        py: Python<'_>,
        text: &[u8],
        start: usize,
        at_end: bool,
        max_rows: usize,
        buffer: &mut RowBuffer,
    ) -> usize {
        let start = start.min(text.len());
        start + py.detach(|| self.0.parse(&text[start..], at_end, max_rows, &mut buffer.0))
    }

    fn skip(&mut self, py: Python<'_>, text: &[u8], start: usize, at_end: bool, max_rows: usize) -> usize {
        let start = start.min(text.len());
        start + py.detach(|| self.0.skip(&text[start..], at_end, max_rows))
    }

    #[getter]
    fn line(&self) -> u64 {
        self.0.place().line
    }

    #[getter]
    fn place(&self) -> PlaceTuple {
        let place = self.0.place();
        (place.line, place.at_start, place.at_top, place.in_long_line)
    }

    #[getter]
    fn tallies(&self) -> TalliesTuple {
        tallies_tuple(self.0.tallies())
    }
}
