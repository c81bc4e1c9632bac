//! The N-Queens kernel.

use std::time::Instant;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::{PyStop, parse_isa, run};
use crate::boards::{self, Form};
use crate::dispatch::Isa;
use crate::queens::{self, QueensError};

impl From<QueensError> for PyErr {
    fn from(error: QueensError) -> Self {
        PyValueError::new_err(error.to_string())
    }
}

/// Solutions below the prefix and the time this took in ns; None when stopped.
#[pyfunction]
#[pyo3(signature = (n, prefix, isa=None, stop=None))]
pub(super) fn queens_count(
    py: Python<'_>,
    n: u8,
    prefix: &[u8],
    isa: Option<&str>,
    stop: Option<&PyStop>,
) -> PyResult<Option<(u64, u64)>> {
    let isa = isa.map_or_else(|| Ok(Isa::detect()), parse_isa)?;
    let (count, time_ns) = run(py, stop, |stop| timed(|| queens::count(isa, n, prefix, stop)))?;
    Ok(count?.map(|count| (count, time_ns)))
}

/// Solutions below the prefix, at most `most`, n bytes each, and the time this took in ns; None when stopped.
#[pyfunction]
#[pyo3(signature = (n, prefix, most, isa=None, stop=None))]
pub(super) fn queens_list<'py>(
    py: Python<'py>,
    n: u8,
    prefix: &[u8],
    most: u64,
    isa: Option<&str>,
    stop: Option<&PyStop>,
) -> PyResult<Option<(Bound<'py, PyBytes>, u64)>> {
    let isa = isa.map_or_else(|| Ok(Isa::detect()), parse_isa)?;
    let mut listed = Vec::new();
    let (count, time_ns) = run(py, stop, |stop| timed(|| queens::list_by(isa, n, prefix, most, stop, &mut listed)))?;
    Ok(count?.map(|_| (PyBytes::new(py, &listed), time_ns)))
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let began = Instant::now();
    let done = work();
    (done, began.elapsed().as_nanos().max(1) as u64)
}

/// Solutions as text in the form `columns`, `board` or `jsonl`.
#[pyfunction]
pub(super) fn write_boards<'py>(
    py: Python<'py>,
    n: u8,
    solutions: &[u8],
    form: &str,
    first: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    let form = form_named(form)?;
    Ok(PyBytes::new(py, &py.detach(|| boards::write_boards(n, solutions, form, first))))
}

/// Bytes that a solution of n queens takes as text, at most.
#[pyfunction]
pub(super) fn board_bytes(n: u8, form: &str) -> PyResult<usize> {
    Ok(boards::bytes_of(n.into(), form_named(form)?))
}

fn form_named(name: &str) -> PyResult<Form> {
    match name {
        "columns" => Ok(Form::Columns),
        "board" => Ok(Form::Board),
        "jsonl" => Ok(Form::Jsonl),
        _ => Err(PyValueError::new_err(format!("there is no form {name:?}"))),
    }
}

/// All prefixes of this depth in which no queen attacks another, in lexicographic order.
#[pyfunction]
pub(super) fn queens_prefixes<'py>(py: Python<'py>, n: u8, depth: u8) -> PyResult<Vec<Bound<'py, PyBytes>>> {
    Ok(queens::prefixes(n, depth)?.map(|prefix| PyBytes::new(py, &prefix)).collect())
}
