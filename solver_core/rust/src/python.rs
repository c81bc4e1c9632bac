//! The Python face: `solver_core._native`. Bytes in, plain values out; the GIL is let go while a kernel runs.
//!
//! `solver_core/_native.pyi` documents every function for its users.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::boards::{self, Form};
use crate::canonical::{Scratch, WAY_BYTES, Way};
use crate::dispatch::Isa;
use crate::grid::{Bounds, CELLS, Cells, Outcome, Status, is_solution_of};
use crate::lanes;
use crate::queens::{self, QueensError};
use crate::rows::{self, Columns, Format, LONG_LINE_BYTES, Layout, Parsed, Parser, Place, Table, Tallies, Twins};
use crate::solo;
use crate::stop::Stop;
use crate::wire::{self, Kept, WireError, keep};

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

#[pyfunction]
#[pyo3(signature = (cells, limit=2, max_guesses=10_000_000, stop=None))]
fn solve_solo<'py>(
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
fn solve_listed<'py>(
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
fn solve_lanes<'py>(
    py: Python<'py>,
    cells: &[u8],
    limit: u32,
    max_guesses: u32,
    stop: Option<&PyStop>,
    isa: Option<&str>,
) -> PyResult<Bound<'py, PyBytes>> {
    let isa = isa.map_or_else(|| Ok(Isa::detect()), parse_isa)?;
    let bounds = bounds(limit, max_guesses)?;
    let mut outcomes = vec![Outcome::UNFINISHED; puzzles_in(cells)?];
    let payload = run(py, stop, |stop| {
        lanes::solve_batch(isa, cells, &bounds, stop, &mut outcomes);
        wire::pack_results(&outcomes)
    })??;
    Ok(PyBytes::new(py, &payload))
}

/// Passes of the lanes that were in use, added up: what `lanes` did for these puzzles.
#[pyfunction]
fn lane_passes(py: Python<'_>, cells: &[u8], limit: u32, max_guesses: u32, isa: &str) -> PyResult<u64> {
    let isa = parse_isa(isa)?;
    let bounds = bounds(limit, max_guesses)?;
    let mut outcomes = vec![Outcome::UNFINISHED; puzzles_in(cells)?];
    run(py, None, |stop| lanes::solve_batch(isa, cells, &bounds, stop, &mut outcomes).passes)
}

/// The rows whose solution is not a full valid grid that keeps the givens.
#[pyfunction]
fn wrong_solutions(cells: &[u8], results: &[u8]) -> PyResult<Vec<usize>> {
    let outcomes = wire::unpack_results(results)?;
    if puzzles_in(cells)? != outcomes.len() {
        return Err(PyValueError::new_err("another number of results than of puzzles"));
    }
    let is_wrong =
        |(cells, outcome): (&Cells, &Outcome)| outcome.solutions > 0 && !is_solution_of(&outcome.solution, cells);
    let rows = cells.as_chunks::<CELLS>().0.iter().zip(&outcomes).enumerate();
    Ok(rows.filter(|(_, row)| is_wrong(*row)).map(|(row, _)| row).collect())
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

#[pyfunction]
fn pack_puzzles<'py>(py: Python<'py>, cells: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    puzzles_in(cells)?;
    Ok(PyBytes::new(py, &wire::pack_puzzles(cells)?))
}

#[pyfunction]
fn unpack_puzzles<'py>(py: Python<'py>, payload: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &wire::unpack_puzzles(payload)?))
}

#[pyfunction]
fn slice_puzzles<'py>(py: Python<'py>, payload: &[u8], start: usize, stop: usize) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &wire::slice_puzzles(payload, start, stop)?))
}

/// Status, solutions, guesses, time_ns, solution.
type ResultTuple<S> = (u8, u32, u32, u64, S);

#[pyfunction]
fn pack_results<'py>(py: Python<'py>, results: Vec<ResultTuple<Vec<u8>>>) -> PyResult<Bound<'py, PyBytes>> {
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
fn unpack_results<'py>(py: Python<'py>, payload: &[u8]) -> PyResult<Vec<ResultTuple<Bound<'py, PyBytes>>>> {
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
fn unfinished(payload: &[u8]) -> PyResult<Vec<(usize, usize)>> {
    Ok(wire::unfinished(payload)?)
}

#[pyfunction]
fn merge_results<'py>(
    py: Python<'py>,
    count: usize,
    parts: Vec<(usize, PyBackedBytes)>,
) -> PyResult<Bound<'py, PyBytes>> {
    let parts: Vec<(usize, &[u8])> = parts.iter().map(|(from, part)| (*from, part.as_ref())).collect();
    Ok(PyBytes::new(py, &wire::merge_results(count, &parts)?))
}

#[pyfunction]
fn examine_results(py: Python<'_>, puzzles: &[u8], results: &[u8]) -> PyResult<(Vec<(usize, usize)>, u64)> {
    Ok(py.detach(|| wire::examine_results(puzzles, results))?)
}

/// Counts by status, kernel time, and the slowest rows as (row, guesses, time_ns).
type TallyTuple = (Vec<u64>, u64, Vec<(usize, u32, u64)>);

#[pyfunction]
fn tally(py: Python<'_>, payload: &[u8]) -> PyResult<TallyTuple> {
    let tally = py.detach(|| wire::tally(payload))?;
    let slowest = tally.slowest.iter().map(|(row, outcome)| (*row, outcome.guesses, outcome.time_ns)).collect();
    Ok((tally.statuses.to_vec(), tally.kernel_ns, slowest))
}

/// See `_native.pyi`.
#[pyclass(module = "solver_core._native")]
#[derive(Default)]
struct RowBuffer(Parsed);

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

    fn take<'py>(&mut self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let parsed = std::mem::take(&mut self.0);
        let puzzles = wire::pack_puzzles(&parsed.cells)?;
        let rows = parsed.rows.finish()?;
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
struct TableReader(Table);

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

/// The minlex forms of puzzles, and the ways to them.
#[pyfunction]
fn minlex<'py>(py: Python<'py>, cells: &[u8]) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
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
fn carry_over<'py>(py: Python<'py>, grid: &[u8], way: &[u8], other_way: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let wrong = || PyValueError::new_err("81 cells and two ways are needed");
    let grid: &Cells = grid.try_into().map_err(|_| wrong())?;
    if grid.iter().any(|&cell| cell > 9) {
        return Err(wrong());
    }
    let way_of = |bytes: &[u8]| bytes.try_into().ok().and_then(Way::from_bytes).ok_or_else(wrong);
    let form = way_of(way)?.there(grid);
    Ok(PyBytes::new(py, &way_of(other_way)?.back(&form)))
}

/// Whether a line holds a puzzle, in whatever way it is written.
#[pyfunction]
fn holds_puzzle(line: &[u8]) -> bool {
    rows::holds_puzzle(line)
}

/// Rows with a given solution, and those among them for which it is none.
#[pyfunction]
fn count_given(py: Python<'_>, rows: &[u8], puzzles: &[u8]) -> PyResult<(u64, u64)> {
    Ok(py.detach(|| rows::count_given(rows, &wire::unpack_puzzles(puzzles)?))?)
}

/// Line, at_start, at_top, in_long_line.
type PlaceTuple = (u64, bool, bool, bool);

/// The `results` payload of rows that were read and not solved.
#[pyfunction]
fn unsolved<'py>(py: Python<'py>, rows: &[u8], puzzles: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let payload = py.detach(|| wire::pack_results(&rows::unsolved(rows, &wire::unpack_puzzles(puzzles)?)?))?;
    Ok(PyBytes::new(py, &payload))
}

/// Source, line, note.
type RemarkTuple = (u32, u64, String);

/// How many rows are invalid; and the rows about which there is something to say.
#[pyfunction]
fn remarks(py: Python<'_>, rows: &[u8], puzzles: &[u8]) -> PyResult<(u64, Vec<RemarkTuple>)> {
    let (invalid, found) = py.detach(|| rows::remarks(rows, &wire::unpack_puzzles(puzzles)?))?;
    Ok((invalid, found.into_iter().map(|remark| (remark.source, remark.line, remark.note)).collect()))
}

/// See `_native.pyi`.
#[pyclass(module = "solver_core._native")]
struct LineReader(Parser);

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

/// Format, id of the first row, names of the sources; the three payloads of a chunk; names of the columns, and of the
/// fields that are carried through.
#[pyfunction]
#[pyo3(signature = (format, first_id, sources, rows, puzzles, results, columns=None, kept=None, listed=false, twins=None))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
fn format_rows<'py>(
    py: Python<'py>,
    format: &str,
    first_id: u64,
    sources: Vec<String>,
    rows: &[u8],
    puzzles: &[u8],
    results: &[u8],
    columns: Option<Vec<String>>,
    kept: Option<Vec<String>>,
    listed: bool,
    twins: Option<(PyBackedBytes, Vec<u64>, Vec<bool>)>,
) -> PyResult<Bound<'py, PyBytes>> {
    let format = format_named(format)?;
    let layout = layout_of(columns, kept)?;
    let text = py.detach(|| {
        let cells = wire::unpack_puzzles(puzzles)?;
        let outcomes = wire::unpack_results(results)?;
        let twins =
            twins.as_ref().map_or(Twins::default(), |(forms, same_as, copied)| Twins { forms, same_as, copied });
        let lists = if listed { wire::unpack_lists(results)? } else { Vec::new() };
        let mut text = Vec::new();
        rows::format_into(&mut text, format, &layout, first_id, &sources, rows, &cells, &outcomes, &lists, twins)?;
        Ok::<_, WireError>(text)
    })?;
    Ok(PyBytes::new(py, &text))
}

/// CRC-32 of a part of these bytes.
#[pyfunction]
fn crc32(data: &[u8], start: usize, stop: usize) -> PyResult<u32> {
    let part = data.get(start..stop).ok_or_else(|| PyValueError::new_err("there are no such bytes"))?;
    Ok(crc32fast::hash(part))
}

/// What stands before the first row in this format.
#[pyfunction]
#[pyo3(signature = (format, columns=None, kept=None))]
fn format_header(format: &str, columns: Option<Vec<String>>, kept: Option<Vec<String>>) -> PyResult<String> {
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

impl From<QueensError> for PyErr {
    fn from(error: QueensError) -> Self {
        PyValueError::new_err(error.to_string())
    }
}

/// Solutions below the prefix and the time this took in ns; None when stopped.
#[pyfunction]
#[pyo3(signature = (n, prefix, isa=None, stop=None))]
fn queens_count(
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
fn queens_list<'py>(
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
fn write_boards<'py>(
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
fn board_bytes(n: u8, form: &str) -> PyResult<usize> {
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
fn queens_prefixes<'py>(py: Python<'py>, n: u8, depth: u8) -> PyResult<Vec<Bound<'py, PyBytes>>> {
    Ok(queens::prefixes(n, depth)?.map(|prefix| PyBytes::new(py, &prefix)).collect())
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("WIRE_VERSION", wire::VERSION)?;
    module.add("LONG_LINE_BYTES", LONG_LINE_BYTES)?;
    module.add("QUEENS_COUNTS", queens::COUNTS.to_vec())?;
    module.add("QUEENS_MAX_N", queens::MAX_N)?;
    module.add("COLUMNS", rows::COLUMNS)?;
    module.add("STATUS_NAMES", rows::STATUS_NAMES)?;
    module.add_class::<PyStop>()?;
    module.add_class::<RowBuffer>()?;
    module.add_class::<LineReader>()?;
    module.add_class::<TableReader>()?;
    for function in [
        wrap_pyfunction!(solve_solo, module)?,
        wrap_pyfunction!(solve_listed, module)?,
        wrap_pyfunction!(solve_lanes, module)?,
        wrap_pyfunction!(lane_passes, module)?,
        wrap_pyfunction!(wrong_solutions, module)?,
        wrap_pyfunction!(isa, module)?,
        wrap_pyfunction!(isas, module)?,
        wrap_pyfunction!(pack_puzzles, module)?,
        wrap_pyfunction!(unpack_puzzles, module)?,
        wrap_pyfunction!(slice_puzzles, module)?,
        wrap_pyfunction!(pack_results, module)?,
        wrap_pyfunction!(unpack_results, module)?,
        wrap_pyfunction!(unfinished, module)?,
        wrap_pyfunction!(merge_results, module)?,
        wrap_pyfunction!(examine_results, module)?,
        wrap_pyfunction!(tally, module)?,
        wrap_pyfunction!(format_rows, module)?,
        wrap_pyfunction!(minlex, module)?,
        wrap_pyfunction!(carry_over, module)?,
        wrap_pyfunction!(holds_puzzle, module)?,
        wrap_pyfunction!(count_given, module)?,
        wrap_pyfunction!(unsolved, module)?,
        wrap_pyfunction!(remarks, module)?,
        wrap_pyfunction!(format_header, module)?,
        wrap_pyfunction!(crc32, module)?,
        wrap_pyfunction!(queens_count, module)?,
        wrap_pyfunction!(queens_list, module)?,
        wrap_pyfunction!(queens_prefixes, module)?,
        wrap_pyfunction!(write_boards, module)?,
        wrap_pyfunction!(board_bytes, module)?,
    ] {
        module.add_function(function)?;
    }
    Ok(())
}
