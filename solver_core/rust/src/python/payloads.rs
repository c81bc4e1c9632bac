//! Payloads of puzzles and results.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use super::puzzles_in;
use crate::grid::{CELLS, Cells, Outcome, Status};
use crate::wire;

#[pyfunction]
pub(super) fn pack_puzzles<'py>(py: Python<'py>, cells: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    puzzles_in(cells)?;
    Ok(PyBytes::new(py, &wire::pack_puzzles(cells)?))
}

#[pyfunction]
pub(super) fn unpack_puzzles<'py>(py: Python<'py>, payload: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &wire::unpack_puzzles(payload)?))
}

#[pyfunction]
pub(super) fn slice_puzzles<'py>(
    py: Python<'py>,
    payload: &[u8],
    start: usize,
    stop: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &wire::slice_puzzles(payload, start, stop)?))
}

/// Status, solutions, guesses, time_ns, solution.
type ResultTuple<S> = (u8, u32, u32, u64, S);

#[pyfunction]
pub(super) fn pack_results<'py>(py: Python<'py>, results: Vec<ResultTuple<Vec<u8>>>) -> PyResult<Bound<'py, PyBytes>> {
    let outcomes = results.iter().map(outcome).collect::<PyResult<Vec<_>>>()?;
    Ok(PyBytes::new(py, &wire::pack_results(&outcomes)?))
}

fn outcome((status, solutions, guesses, time_ns, solution): &ResultTuple<Vec<u8>>) -> PyResult<Outcome> {
    let mut cells: Cells = [0; CELLS];
    if *solutions > 0 {
        cells = solution.as_slice().try_into().map_err(|_| PyValueError::new_err("a solution has 81 cells"))?;
    }
    let status = Status::from_number(*status).ok_or_else(|| PyValueError::new_err("no such status"))?;
    Ok(Outcome { solution: cells, status, solutions: *solutions, guesses: *guesses, time_ns: *time_ns })
}

#[pyfunction]
pub(super) fn unpack_results<'py>(py: Python<'py>, payload: &[u8]) -> PyResult<Vec<ResultTuple<Bound<'py, PyBytes>>>> {
    let outcomes = wire::unpack_results(payload)?;
    Ok(outcomes
        .iter()
        .map(|outcome| {
            let solution: &[u8] = if outcome.solutions > 0 { &outcome.solution } else { &[] };
            let solution = PyBytes::new(py, solution);
            (outcome.status as u8, outcome.solutions, outcome.guesses, outcome.time_ns, solution)
        })
        .collect())
}

#[pyfunction]
pub(super) fn unfinished(payload: &[u8]) -> PyResult<Vec<(usize, usize)>> {
    Ok(wire::unfinished(payload)?)
}

#[pyfunction]
pub(super) fn merge_results<'py>(
    py: Python<'py>,
    count: usize,
    parts: Vec<(usize, PyBackedBytes)>,
) -> PyResult<Bound<'py, PyBytes>> {
    let parts: Vec<(usize, &[u8])> = parts.iter().map(|(from, part)| (*from, part.as_ref())).collect();
    Ok(PyBytes::new(py, &wire::merge_results(count, &parts)?))
}

#[pyfunction]
pub(super) fn examine_results(py: Python<'_>, puzzles: &[u8], results: &[u8]) -> PyResult<(Vec<(usize, usize)>, u64)> {
    Ok(py.detach(|| wire::examine_results(puzzles, results))?)
}

/// Counts by status, kernel time, and the slowest rows as (row, guesses, time_ns).
type TallyTuple = (Vec<u64>, u64, Vec<(usize, u32, u64)>);

#[pyfunction]
pub(super) fn tally(py: Python<'_>, payload: &[u8]) -> PyResult<TallyTuple> {
    let tally = py.detach(|| wire::tally(payload))?;
    let slowest = tally.slowest.iter().map(|(row, outcome)| (*row, outcome.guesses, outcome.time_ns)).collect();
    Ok((tally.statuses.to_vec(), tally.kernel_ns, slowest))
}

/// CRC-32 of a part of these bytes, behind others of which it is `before`.
#[pyfunction]
#[pyo3(signature = (data, start, stop, before=0))]
pub(super) fn crc32(data: &[u8], start: usize, stop: usize, before: u32) -> PyResult<u32> {
    let part = data.get(start..stop).ok_or_else(|| PyValueError::new_err("there are no such bytes"))?;
    let mut hasher = crc32fast::Hasher::new_with_initial(before);
    hasher.update(part);
    Ok(hasher.finalize())
}
