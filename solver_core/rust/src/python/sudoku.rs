//! Sudoku kernels.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::{PyStop, bounds, parse_isa, puzzles_in, run};
use crate::dispatch::Isa;
use crate::grid::{CELLS, Cells, Outcome, is_solution_of};
use crate::{lanes, solo, wire};

/// Puzzles that `lanes` gets at a time: enough that the last of them, on which few lanes work, do not count, and so
/// few that their outcomes (104 bytes each) are still in a cache when they are packed.
const BLOCK: usize = 16_384;

#[pyfunction]
#[pyo3(signature = (cells, limit=2, max_guesses=10_000_000, stop=None))]
pub(super) fn solve_solo<'py>(
    py: Python<'py>,
    cells: &[u8],
    limit: u32,
    max_guesses: u32,
    stop: Option<&PyStop>,
) -> PyResult<Bound<'py, PyBytes>> {
    let bounds = bounds(limit, max_guesses)?;
    let mut outcomes = vec![Outcome::UNFINISHED; puzzles_in(cells)?];
    let payload = run(py, stop, |stop| {
        solo::solve_batch(cells, &bounds, stop, &mut outcomes);
        wire::pack_results(&outcomes)
    })??;
    Ok(PyBytes::new(py, &payload))
}

/// All solutions of each puzzle, up to the limit, as `solve_solo` finds them.
#[pyfunction]
#[pyo3(signature = (cells, limit, max_guesses, stop=None))]
pub(super) fn solve_listed<'py>(
    py: Python<'py>,
    cells: &[u8],
    limit: u32,
    max_guesses: u32,
    stop: Option<&PyStop>,
) -> PyResult<Bound<'py, PyBytes>> {
    let bounds = bounds(limit, max_guesses)?;
    puzzles_in(cells)?;
    let payload = run(py, stop, |stop| {
        let (outcomes, lists) = solo::list_batch(cells, &bounds, stop);
        wire::pack_listed(&outcomes, &lists)
    })??;
    Ok(PyBytes::new(py, &payload))
}

#[pyfunction]
#[pyo3(signature = (cells, limit=2, max_guesses=10_000_000, stop=None, isa=None))]
pub(super) fn solve_lanes<'py>(
    py: Python<'py>,
    cells: &[u8],
    limit: u32,
    max_guesses: u32,
    stop: Option<&PyStop>,
    isa: Option<&str>,
) -> PyResult<Bound<'py, PyBytes>> {
    let isa = isa.map_or_else(|| Ok(Isa::detect()), parse_isa)?;
    let bounds = bounds(limit, max_guesses)?;
    let puzzles = puzzles_in(cells)?;
    let payload = run(py, stop, |stop| {
        let mut packer = wire::ResultsPacker::new(puzzles);
        let mut outcomes = vec![Outcome::UNFINISHED; puzzles.min(BLOCK)];
        for block in cells.chunks(BLOCK * CELLS) {
            let outcomes = &mut outcomes[..block.len() / CELLS];
            outcomes.fill(Outcome::UNFINISHED);
            lanes::solve_batch(isa, block, &bounds, stop, outcomes);
            packer.push(outcomes);
        }
        packer.finish()
    })??;
    Ok(PyBytes::new(py, &payload))
}

/// Passes of the lanes that were in use, added up: what `lanes` did for these puzzles.
#[pyfunction]
pub(super) fn lane_passes(py: Python<'_>, cells: &[u8], limit: u32, max_guesses: u32, isa: &str) -> PyResult<u64> {
    let isa = parse_isa(isa)?;
    let bounds = bounds(limit, max_guesses)?;
    let mut outcomes = vec![Outcome::UNFINISHED; puzzles_in(cells)?];
    run(py, None, |stop| lanes::solve_batch(isa, cells, &bounds, stop, &mut outcomes).passes)
}

/// The rows whose solution is not a full valid grid that keeps the givens.
#[pyfunction]
pub(super) fn wrong_solutions(cells: &[u8], results: &[u8]) -> PyResult<Vec<usize>> {
    let outcomes = wire::unpack_results(results)?;
    if puzzles_in(cells)? != outcomes.len() {
        return Err(PyValueError::new_err("another number of results than of puzzles"));
    }
    let is_wrong =
        |(cells, outcome): (&Cells, &Outcome)| outcome.solutions > 0 && !is_solution_of(&outcome.solution, cells);
    let rows = cells.as_chunks::<CELLS>().0.iter().zip(&outcomes).enumerate();
    Ok(rows.filter(|(_, row)| is_wrong(*row)).map(|(row, _)| row).collect())
}
