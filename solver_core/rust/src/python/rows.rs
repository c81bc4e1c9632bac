//! What is done with rows that have been read: written, compared, brought to canonical form.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use super::puzzles_in;
use crate::canonical::{Scratch, WAY_BYTES, Way};
use crate::grid::{CELLS, Cells};
use crate::rows::{self, Answered, Format, Layout, Twins};
use crate::wire::{self, WireError};

/// The minlex forms of puzzles, and the ways to them.
#[pyfunction]
pub(super) fn minlex<'py>(py: Python<'py>, cells: &[u8]) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
    let count = puzzles_in(cells)?;
    if cells.iter().any(|&cell| cell > 9) {
        return Err(PyValueError::new_err("a cell that is no digit"));
    }
    let (forms, ways) = py.detach(|| {
        let (mut forms, mut ways) = (Vec::with_capacity(cells.len()), Vec::with_capacity(count * WAY_BYTES));
        let mut scratch = Scratch::default();
        for puzzle in cells.as_chunks::<CELLS>().0 {
            let (form, way) = scratch.minlex(puzzle);
            forms.extend_from_slice(&form);
            ways.extend_from_slice(&way.to_bytes());
        }
        (forms, ways)
    });
    Ok((PyBytes::new(py, &forms), PyBytes::new(py, &ways)))
}

/// A grid of one puzzle as the same puzzle in another form has it: the one way there, the other way back.
#[pyfunction]
pub(super) fn carry_over<'py>(
    py: Python<'py>,
    grid: &[u8],
    way: &[u8],
    other_way: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    let wrong = || PyValueError::new_err("81 cells and two ways are needed");
    let grid: &Cells = grid.try_into().map_err(|_| wrong())?;
    if grid.iter().any(|&cell| cell > 9) {
        return Err(wrong());
    }
    let way_of = |bytes: &[u8]| bytes.try_into().ok().and_then(Way::from_bytes).ok_or_else(wrong);
    let form = way_of(way)?.there(grid);
    Ok(PyBytes::new(py, &way_of(other_way)?.back(&form)))
}

/// Rows with a given solution, and those among them for which it is none.
#[pyfunction]
pub(super) fn count_given(py: Python<'_>, rows: &[u8], puzzles: &[u8]) -> PyResult<(u64, u64)> {
    Ok(py.detach(|| rows::count_given(rows, puzzles))?)
}

/// The `results` payload of rows that were read and not solved.
#[pyfunction]
pub(super) fn unsolved<'py>(py: Python<'py>, rows: &[u8], puzzles: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let payload = py.detach(|| wire::pack_results(&rows::unsolved(rows, &wire::unpack_puzzles(puzzles)?)?))?;
    Ok(PyBytes::new(py, &payload))
}

/// Source, line, note.
type RemarkTuple = (u32, u64, String);

/// How many rows are invalid; and the rows about which there is something to say.
#[pyfunction]
pub(super) fn remarks(py: Python<'_>, rows: &[u8], puzzles: &[u8]) -> PyResult<(u64, Vec<RemarkTuple>)> {
    let (invalid, found) = py.detach(|| rows::remarks(rows, &wire::unpack_puzzles(puzzles)?))?;
    Ok((invalid, found.into_iter().map(|remark| (remark.source, remark.line, remark.note)).collect()))
}

/// Format, id of the first row, names of the sources; the three payloads of a chunk; names of the columns, and of the
/// fields that are carried through.
#[pyfunction]
#[pyo3(signature = (format, first_id, sources, rows, puzzles, results, columns=None, kept=None, twins=None))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(super) fn format_rows<'py>(
    py: Python<'py>,
    format: &str,
    first_id: u64,
    sources: Vec<String>,
    rows: &[u8],
    puzzles: &[u8],
    results: &[u8],
    columns: Option<Vec<String>>,
    kept: Option<Vec<String>>,
    twins: Option<(PyBackedBytes, Vec<u64>, Vec<bool>)>,
) -> PyResult<Bound<'py, PyBytes>> {
    let format = format_named(format)?;
    let layout = layout_of(columns, kept)?;
    let text = py.detach(|| {
        let twins =
            twins.as_ref().map_or(Twins::default(), |(forms, same_as, copied)| Twins { forms, same_as, copied });
        let mut text = Vec::new();
        let chunk = Answered { rows, puzzles, results };
        rows::format_into(&mut text, format, &layout, first_id, &sources, chunk, twins)?;
        Ok::<_, WireError>(text)
    })?;
    Ok(PyBytes::new(py, &text))
}

/// What stands before the first row in this format.
#[pyfunction]
#[pyo3(signature = (format, columns=None, kept=None))]
pub(super) fn format_header(format: &str, columns: Option<Vec<String>>, kept: Option<Vec<String>>) -> PyResult<String> {
    Ok(format_named(format)?.header(&layout_of(columns, kept)?))
}

fn layout_of(columns: Option<Vec<String>>, kept: Option<Vec<String>>) -> PyResult<Layout> {
    match columns {
        None => Ok(Layout::default()),
        Some(columns) => {
            Layout::new(&columns, &kept.unwrap_or_default()).map_err(|error| PyValueError::new_err(error.to_string()))
        }
    }
}

fn format_named(name: &str) -> PyResult<Format> {
    match name {
        "csv" => Ok(Format::Csv),
        "jsonl" => Ok(Format::Jsonl),
        "lines" => Ok(Format::Lines),
        "sdm" => Ok(Format::Sdm),
        "puzzles" => Ok(Format::Puzzles),
        _ => Err(PyValueError::new_err(format!("there is no format {name:?}"))),
    }
}
