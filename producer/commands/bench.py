"""`gridmill bench`: measurements of kernels, solvers and the pipeline, as a table or as one JSON object."""

import json
from collections.abc import Sequence
from dataclasses import asdict

import click

from producer.bench import pipeline, queens, sudoku
from producer.bench import reading as reading_bench
from producer.cli import OK
from producer.commands import options
from producer.commands.queens import BoardSizes
from producer.files_plane import FORMATS
from producer.readers.reading import Reading
from producer.readers.sources import find_sources
from solver_core._native import isas
from solver_core.solvers import DEFAULT_SOLVER, SOLVERS

isa_option = click.option("--isa", metavar="NAME", help=f"CPU path; here: {', '.join(isas())}.")
threads_option = click.option("--threads", type=click.IntRange(1, 1024), default=1, show_default=True)
repeat_option = click.option(
    "--repeat", "repeats", type=click.IntRange(1), default=5, show_default=True, help="The median of N runs counts."
)


@click.group("bench")
def command() -> None:
    """Measures kernels and solvers without Celery, and the pipeline with it."""


@command.command("sudoku")
@click.argument("inputs", metavar="FILE...", nargs=-1, required=True)
@click.option("--solver", type=click.Choice(list(SOLVERS)), default=DEFAULT_SOLVER, show_default=True)
@isa_option
@click.option("--limit", type=click.IntRange(1, options.MOST), default=2, show_default=True)
@threads_option
@repeat_option
@options.as_json
def sudoku_command(
    inputs: tuple[str, ...], solver: str, isa: str | None, limit: int, threads: int, repeats: int, as_json: bool
) -> int:
    """Measures a solver on the puzzles of FILE, from bytes in memory to packed results in memory."""
    cells = sudoku.read_cells(find_sources(inputs))
    measured = sudoku.measure(cells, solver, isa, limit, threads, repeats)
    if as_json:
        click.echo(json.dumps(asdict(measured)))
        return OK
    table = [["puzzles", "solver", "isa", "threads", "puzzles/s", "ns/puzzle", "guesses/puzzle", "passes/puzzle"]]
    passes = "" if measured.passes_per_puzzle is None else f"{measured.passes_per_puzzle:.2f}"
    table.append(
        [
            f"{measured.puzzles:,}",
            measured.solver,
            measured.isa,
            str(measured.threads),
            f"{measured.puzzles_per_second:,.0f}",
            f"{measured.ns_per_puzzle:,.1f}",
            f"{measured.guesses_per_puzzle:.3f}",
            passes,
        ]
    )
    click.echo(columns(table))
    return OK


@command.command("pipeline")
@click.argument("inputs", metavar="FILE...", nargs=-1, required=True)
@options.workers
@click.option("--plane", type=click.Choice(pipeline.PLANES), default=pipeline.PLANES[0], show_default=True)
@click.option("--format", "form", type=click.Choice(FORMATS), default=FORMATS[0], show_default=True)
@click.option(
    "--rows",
    "sizes",
    metavar="N1 N2",
    type=(click.IntRange(1), click.IntRange(2)),
    help="Rows of the two runs whose difference counts; default: N2 keeps a kernel busy for 2 s, N1 is a tenth of it.",
)
@click.option(
    "--repeat", "repeats", type=click.IntRange(1), default=3, show_default=True, help="The median of N rounds counts."
)
@options.as_json
def pipeline_command(
    inputs: tuple[str, ...],
    workers: int,
    plane: str,
    form: str,
    sizes: tuple[int, int] | None,
    repeats: int,
    as_json: bool,
) -> int:
    """Measures the pipeline from file to file, beside the kernel alone and a pool of processes that write the same.

    The puzzles of FILE are repeated in a temporary folder (TMPDIR), which takes about 4 GB for 10,000,000 rows of csv.
    """
    measured = pipeline.measure_pipeline(find_sources(inputs), plane, form, workers, sizes, repeats)
    if as_json:
        click.echo(json.dumps(asdict(measured)))
        return OK
    ways = {"gridmill": measured.gridmill, "pool": measured.pool, "alone": measured.alone}
    table = [["", "puzzles/s", "CPU us/puzzle", "beside the kernel"]]
    for name, rate in ways.items():
        speed = "" if rate.puzzles_per_second is None else f"{rate.puzzles_per_second:,.0f}"
        table.append([name, speed, f"{rate.cpu_us:.3f}", f"{rate.overhead_us:.3f}"])
    table.append([f"kernel, {measured.workers} threads", f"{measured.kernel_puzzles_per_second:,.0f}", "", ""])
    few, many = measured.rows
    click.echo(
        f"{few:,} to {many:,} rows of {measured.format}, plane {measured.plane}, {measured.workers} workers, "
        f"{measured.isa}, chunks of {measured.chunk_rows:,}"
    )
    click.echo(columns(table))
    click.echo()
    click.echo(columns([["stage", "CPU us/puzzle"], *([name, f"{us:.4f}"] for name, us in measured.stage_us.items())]))
    click.echo()
    memory = {name: f"{size / 1e6:,.0f}" for name, size in measured.peak_bytes.items()}
    table = [["process", "CPU us/puzzle", "peak MB"]]
    table += [[name, f"{us:.4f}", memory[name]] for name, us in measured.process_us.items()]
    click.echo(columns([*table, ["data in the broker", "", memory["broker_data"]]]))
    return OK


@command.command("seeds")
@repeat_option
@options.as_json
def seeds_command(repeats: int, as_json: bool) -> int:
    """Compares the solvers this project grew from: first solutions of a hard puzzle and of a small set."""
    measured = sudoku.measure_seeds(repeats)
    if as_json:
        click.echo(json.dumps({"seeds": [{"set": name, **asdict(one)} for name, one in measured]}))
        return OK
    slowest = {name: max(one.ns_per_puzzle for other, one in measured if other == name) for name, _ in measured}
    table = [["set", "solver", "ns/puzzle", "guesses/puzzle", "times as fast as the slowest"]]
    table += [
        [
            name,
            one.solver,
            f"{one.ns_per_puzzle:,.0f}",
            f"{one.guesses_per_puzzle:,.1f}",
            f"{slowest[name] / one.ns_per_puzzle:,.1f}",
        ]
        for name, one in measured
    ]
    click.echo(columns(table))
    return OK


@command.command("queens")
@click.argument("sizes", metavar="N", type=BoardSizes())
@click.option("--list", "listing", is_flag=True, help="List the solutions into memory, in order.")
@isa_option
@threads_option
@repeat_option
@options.as_json
def queens_command(sizes: range, listing: bool, isa: str | None, threads: int, repeats: int, as_json: bool) -> int:
    """Measures the N-Queens kernel: counts by first-row column, or lists."""
    if len(sizes) > 1:
        raise click.UsageError("name one N")
    measured = queens.measure(sizes[0], listing, isa, threads, repeats)
    if as_json:
        click.echo(json.dumps(asdict(measured)))
        return OK
    table = [["n", "isa", "threads", "solutions", "seconds", "solutions/s"]]
    table.append(
        [
            str(measured.n),
            measured.isa,
            str(measured.threads),
            f"{measured.solutions:,}",
            f"{measured.seconds:.4f}",
            f"{measured.solutions_per_second:,.0f}",
        ]
    )
    click.echo(columns(table))
    return OK


@command.command("read")
@click.argument("inputs", metavar="FILE...", nargs=-1, required=True)
@options.reading
@repeat_option
@options.as_json
def read_command(inputs: tuple[str, ...], reading: Reading, repeats: int, as_json: bool) -> int:
    """Measures how fast FILE is read: native parsing alone, and the way from files to chunks."""
    measured = reading_bench.measure(find_sources(inputs), reading, repeats)
    if as_json:
        click.echo(json.dumps(asdict(measured)))
        return OK
    table = [["rows", "bytes", "parse, rows/s", "from files, rows/s", "from files, MB/s", "peak memory, MB"]]
    table.append(
        [
            f"{measured.rows:,}",
            f"{measured.bytes:,}",
            f"{measured.parse_rows_per_second:,.0f}",
            f"{measured.files_rows_per_second:,.0f}",
            f"{measured.files_bytes_per_second / 1e6:,.0f}",
            f"{measured.peak_memory_bytes / 1e6:,.0f}",
        ]
    )
    click.echo(columns(table))
    return OK


def columns(table: Sequence[Sequence[str]]) -> str:
    """Returns rows of cells as text, each column as wide as its widest cell."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = ("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in table)
    return "\n".join(lines)
