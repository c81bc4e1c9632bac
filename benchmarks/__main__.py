"""`python -m benchmarks FILE`: gridmill and its peers in turns, on the same file, to the same rows."""

import itertools
import json
import statistics
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from benchmarks.peers import OWN, PEERS, is_missing
from benchmarks.running import adopt, run
from producer.bench import plain
from producer.bench.pipeline import Rate, all_cpu_s, rate_of
from producer.bench.running import Run, repeat
from producer.bench.sudoku import CELLS, read_cells
from producer.commands.bench import columns
from producer.files_plane import FORMATS
from producer.readers.sources import find_sources
from solver_core.solvers import DEFAULT_SOLVER, MAX_GUESSES, SOLVERS
from worker.supervisor import cpus

# Each peer takes the size that costs it the least CPU time at N1, of those with which every process gets two chunks.
CHUNK_ROWS = (2_000, 5_000, 10_000, 20_000, 50_000)
KERNEL_ROWS = 10_000


@dataclass(frozen=True)
class Measured(Rate):
    """One peer, with its chunk size (None: fits itself)."""

    peer: str
    chunk_rows: int | None


@click.command("benchmarks")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--peer", "peers", type=click.Choice(list(PEERS)), multiple=True, help="Only these, and gridmill_files.")
@click.option("--rows", "sizes", type=(int, int), default=(1_000_000, 10_000_000), show_default=True, metavar="N1 N2")
@click.option("--format", "form", type=click.Choice(FORMATS), default="csv", show_default=True)
@click.option("--workers", type=click.IntRange(1), default=cpus)
@click.option("--repeat", "repeats", type=click.IntRange(1), default=3, show_default=True)
@click.option("--json", "as_json", is_flag=True)
def main(
    file: str,
    peers: tuple[str, ...],
    sizes: tuple[int, int],
    form: str,
    workers: int,
    repeats: int,
    as_json: bool,
) -> None:
    """Measures gridmill and its peers on the puzzles of FILE, repeated to N1 and to N2 rows; increments count."""
    adopt()
    wanted = [peer for peer in PEERS if not peers or peer in (OWN[0], *peers)]
    missing = [peer for peer in wanted if is_missing(peer)]
    present = [peer for peer in wanted if peer not in missing]
    cells = read_cells(find_sources([file]))
    kernel_us = kernel_cpu_us(cells)
    with tempfile.TemporaryDirectory(prefix="gridmill-bench-") as folder:
        paths = [Path(folder) / f"{rows}.txt" for rows in sizes]
        for path, rows in zip(paths, sizes, strict=True):
            repeat(cells, rows, path)
        out = Path(folder) / "out"
        chunk_rows = {peer: tuned(peer, paths[0], out, form, workers, sizes[0]) for peer in present}
        pairs: dict[str, list[tuple[Run, Run]]] = {peer: [] for peer in present}
        for _, peer in itertools.product(range(repeats), present):
            runs = []
            for path, rows in zip(paths, sizes, strict=True):
                runs.append(run(peer, path, out, form, workers, chunk_rows[peer], rows))
                out.unlink()
            pairs[peer].append((runs[0], runs[1]))
    table = [
        Measured(**asdict(rate_of(found, kernel_us)), peer=peer, chunk_rows=None if peer in OWN else chunk_rows[peer])
        for peer, found in pairs.items()
    ]
    if as_json:
        told = {"file": file, "format": form, "rows": sizes, "workers": workers, "repeats": repeats}
        click.echo(
            json.dumps(told | {"kernel_us": kernel_us, "peers": [asdict(one) for one in table], "missing": missing})
        )
        return
    click.echo(f"{sizes[0]:,} to {sizes[1]:,} rows of {form}, {workers} workers; the kernel takes {kernel_us:.3f} us")
    shown = [["", "rows a chunk", "puzzles/s", "times gridmill's", "CPU us/puzzle", "beside the kernel"]]
    for one in table:
        size = "auto" if one.chunk_rows is None else f"{one.chunk_rows:,}"
        rate, own = one.puzzles_per_second, table[0].puzzles_per_second
        shown_rate = "" if rate is None else f"{rate:,.0f}"
        ratio = "" if rate is None or own is None else f"{rate / own:.2f}"
        shown.append([one.peer, size, shown_rate, ratio, f"{one.cpu_us:.3f}", f"{one.overhead_us:.3f}"])
    click.echo(columns(shown))
    for peer in missing:
        click.echo(f"{peer}: missing, for {PEERS[peer]} is not installed (pip install 'gridmill[peers]')")


_wanted: dict[tuple[Path, str], str] = {}


def tuned(peer: str, path: Path, out: Path, form: str, workers: int, rows: int) -> int:
    """Returns the chunk size that suits a peer; its rows must be those of the peer that came first.

    Raises:
        click.ClickException: they are not.
    """
    fitting = [size for size in CHUNK_ROWS if 2 * size * workers <= rows] or [max(1, rows // (2 * workers))]
    costs = {}
    for size in fitting[:1] if peer in OWN else fitting:
        costs[size] = all_cpu_s(run(peer, path, out, form, workers, size, rows))
        if plain.digest(out, form) != _wanted.setdefault((path, form), plain.digest(out, form)):
            raise click.ClickException(f"{peer} writes other rows than gridmill")
        out.unlink()
    return min(costs, key=lambda size: costs[size])


def kernel_cpu_us(cells: bytes) -> float:
    """Returns the CPU time of the kernel, a puzzle, alone on one thread: median of five."""
    times = []
    for _ in range(5):
        began = time.process_time()
        for at in range(0, len(cells), KERNEL_ROWS * CELLS):
            SOLVERS[DEFAULT_SOLVER](cells[at : at + KERNEL_ROWS * CELLS], plain.LIMIT, MAX_GUESSES, None)
        times.append(time.process_time() - began)
    return statistics.median(times) / (len(cells) // CELLS) * 1e6


if __name__ == "__main__":
    main()
