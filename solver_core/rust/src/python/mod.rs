//! The Python face: `solver_core._native`. Bytes in, plain values out; the GIL is let go while a kernel runs.
//!
//! `solver_core/_native.pyi` documents every function for its users.

mod payloads;
mod queens;
mod readers;
mod rows;
mod sudoku;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::dispatch::Isa;
use crate::grid::{Bounds, CELLS};
use crate::queens::{COUNTS, MAX_N};
use crate::rows::{COLUMNS, LONG_LINE_BYTES, STATUS_NAMES};
use crate::stop::Stop;
use crate::wire::{VERSION, WireError};

pyo3::import_exception!(solver_core.errors, ChunkError);
pyo3::import_exception!(solver_core.errors, KernelError);

impl From<WireError> for PyErr {
    fn from(error: WireError) -> Self {
        ChunkError::new_err(error.to_string())
    }
}

/// See `_native.pyi`.
#[pyclass(name = "Stop", module = "solver_core._native", frozen)]
struct PyStop(Stop);

#[pymethods]
impl PyStop {
    #[new]
    #[pyo3(signature = (budget_s=None))]
    fn new(budget_s: Option<f64>) -> PyResult<Self> {
        match budget_s {
            None => Ok(Self(Stop::new())),
            Some(budget_s) => Duration::try_from_secs_f64(budget_s)
                .map(|budget| Self(Stop::after(budget)))
                .map_err(|error| PyValueError::new_err(format!("budget_s: {error}"))),
        }
    }

    fn set(&self) {
        self.0.set();
    }

    fn requested(&self) -> bool {
        self.0.requested()
    }
}

/// Runs a kernel without the GIL. A signal whose Python handler raises stops it and comes out as that error; a
/// panic comes out as `KernelError`.
fn run<T: Send>(py: Python<'_>, stop: Option<&PyStop>, kernel: impl FnOnce(&Stop) -> T + Send) -> PyResult<T> {
    let raised: Arc<Mutex<Option<PyErr>>> = Arc::default();
    let seen = Arc::clone(&raised);
    let stop = stop.map_or_else(Stop::new, |stop| stop.0.clone()).watched_by(move || {
        let signal = Python::attach(|py| py.check_signals());
        let interrupted = signal.is_err();
        if let (Err(error), Ok(mut slot)) = (signal, seen.lock()) {
            *slot = Some(error);
        }
        interrupted
    });
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(|| kernel(&stop))));
    if let Some(error) = raised.lock().ok().and_then(|mut slot| slot.take()) {
        return Err(error);
    }
    done.map_err(|_| KernelError::new_err("a native kernel panicked; what it said stands on stderr"))
}

fn bounds(limit: u32, max_guesses: u32) -> PyResult<Bounds> {
    if limit == 0 {
        return Err(PyValueError::new_err("limit must be at least 1"));
    }
    Ok(Bounds { limit, max_guesses })
}

fn puzzles_in(cells: &[u8]) -> PyResult<usize> {
    if !cells.len().is_multiple_of(CELLS) {
        return Err(PyValueError::new_err(format!("{} bytes are not a whole number of 81-cell puzzles", cells.len())));
    }
    Ok(cells.len() / CELLS)
}

/// Name of the isa that `name` forces, or the best one of this machine.
#[pyfunction]
#[pyo3(signature = (name=None))]
fn isa(name: Option<&str>) -> PyResult<&'static str> {
    match name {
        None => Ok(Isa::detect().name()),
        Some(name) => parse_isa(name).map(Isa::name),
    }
}

fn parse_isa(name: &str) -> PyResult<Isa> {
    Isa::parse(name).map_err(|error| PyValueError::new_err(error.to_string()))
}

#[pyfunction]
fn isas() -> Vec<&'static str> {
    Isa::available().into_iter().map(Isa::name).collect()
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("WIRE_VERSION", VERSION)?;
    module.add("LONG_LINE_BYTES", LONG_LINE_BYTES)?;
    module.add("QUEENS_COUNTS", COUNTS.to_vec())?;
    module.add("QUEENS_MAX_N", MAX_N)?;
    module.add("COLUMNS", COLUMNS)?;
    module.add("STATUS_NAMES", STATUS_NAMES)?;
    module.add_class::<PyStop>()?;
    module.add_class::<readers::RowBuffer>()?;
    module.add_class::<readers::LineReader>()?;
    module.add_class::<readers::TableReader>()?;
    for function in [
        wrap_pyfunction!(sudoku::solve_solo, module)?,
        wrap_pyfunction!(sudoku::solve_listed, module)?,
        wrap_pyfunction!(sudoku::solve_lanes, module)?,
        wrap_pyfunction!(sudoku::lane_passes, module)?,
        wrap_pyfunction!(sudoku::wrong_solutions, module)?,
        wrap_pyfunction!(isa, module)?,
        wrap_pyfunction!(isas, module)?,
        wrap_pyfunction!(payloads::pack_puzzles, module)?,
        wrap_pyfunction!(payloads::unpack_puzzles, module)?,
        wrap_pyfunction!(payloads::slice_puzzles, module)?,
        wrap_pyfunction!(payloads::pack_results, module)?,
        wrap_pyfunction!(payloads::unpack_results, module)?,
        wrap_pyfunction!(payloads::unfinished, module)?,
        wrap_pyfunction!(payloads::merge_results, module)?,
        wrap_pyfunction!(payloads::examine_results, module)?,
        wrap_pyfunction!(payloads::tally, module)?,
        wrap_pyfunction!(rows::format_rows, module)?,
        wrap_pyfunction!(rows::minlex, module)?,
        wrap_pyfunction!(rows::carry_over, module)?,
        wrap_pyfunction!(readers::holds_puzzle, module)?,
        wrap_pyfunction!(rows::count_given, module)?,
        wrap_pyfunction!(rows::unsolved, module)?,
        wrap_pyfunction!(rows::remarks, module)?,
        wrap_pyfunction!(rows::format_header, module)?,
        wrap_pyfunction!(payloads::crc32, module)?,
        wrap_pyfunction!(queens::queens_count, module)?,
        wrap_pyfunction!(queens::queens_list, module)?,
        wrap_pyfunction!(queens::queens_prefixes, module)?,
        wrap_pyfunction!(queens::write_boards, module)?,
        wrap_pyfunction!(queens::board_bytes, module)?,
    ] {
        module.add_function(function)?;
    }
    Ok(())
}
