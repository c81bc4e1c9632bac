"""The whole pipeline, from file to file: what it costs beside the kernel, by stage and by process.

The puzzles of a file are repeated to two sizes, N1 and N2 rows. All rates and costs are increments, such as
(N2 - N1) / (t2 - t1): what a run costs once, starting Python above all, is not in them. `gridmill solve` is run as a
person runs it, on a broker and workers that are there already, so that the CPU time of each process can be told. The
same rows are then made by the kernel alone in one process, and by a `multiprocessing.Pool`; all in turns.
"""

import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from producer.bench import plain
from producer.bench.running import PROCESSES, Cluster, Run, repeat, solve, timed
from producer.bench.stages import STAGES, measure_stages
from producer.bench.sudoku import measure, read_cells
from producer.cluster import LocalCluster, run_folder
from producer.readers.sources import Source
from solver_core.errors import BatchError
from solver_core.isa import isa
from solver_core.solvers import DEFAULT_SOLVER

PLANES = ("files", "redis")
# Unless sizes are named: so many rows as keep one kernel busy for this long, and a tenth of them.
KERNEL_S = 2.0
MOST_ROWS, LEAST_ROWS = 10_000_000, 10_000
# The best for a pool of those that `benchmarks/` tries; fewer where a process would get less than four chunks.
POOL_ROWS = 10_000


@dataclass(frozen=True, slots=True)
class Rate:
    """An increment between two runs; no rate where the larger one took no longer. `us` are CPU time a puzzle."""

    puzzles_per_second: float | None
    cpu_us: float
    overhead_us: float


@dataclass(frozen=True, slots=True)
class Measured:
    """One measurement, as `--json` prints it; `us` are CPU microseconds a puzzle.

    Attributes:
        process_us: by process: `producer`, `celery` (its own process and its supervisor), `pool` (the processes that
            solve) and `broker`; their sum is `cpu_us`.
        stage_us: by stage, as `stages.py` has them, and `rest`, so that their sum is `cpu_us` as well.
        peak_bytes: the most memory that one process of a kind had resident, shared pages included; `broker_data` is
            what the broker says of itself.
        gridmill, alone, pool: the pipeline; the kernel in one process; a `multiprocessing.Pool` of so many processes.
            The overhead is the CPU time of all processes, less that of the kernel (`stage_us`).
        kernel_puzzles_per_second: `bench sudoku` with so many threads, from memory to memory.
    """

    file: str
    plane: str
    format: str
    isa: str
    workers: int
    rows: tuple[int, int]
    repeats: int
    chunk_rows: int
    gridmill: Rate
    process_us: dict[str, float]
    stage_us: dict[str, float]
    peak_bytes: dict[str, int]
    alone: Rate
    pool: Rate
    kernel_puzzles_per_second: float


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be run: a file of so many rows, to an output."""

    path: Path
    rows: int
    out: Path
    format: str
    plane: str
    workers: int
    pool_rows: int


def measure_pipeline(
    sources: Sequence[Source], plane: str, form: str, workers: int, sizes: tuple[int, int] | None, repeats: int
) -> Measured:
    """Measures the pipeline on the puzzles of the sources, one a line without labels; medians of so many rounds.

    Raises:
        ValueError: there is no puzzle to measure, or the sizes are none.
        BrokerError: a run failed.
        BatchError: not all ways lead to the same rows.
    """
    cells = read_cells(sources)
    kernel = measure(cells, DEFAULT_SOLVER, None, plain.LIMIT, workers, 3)
    few, many = sizes or sizes_for(kernel.puzzles_per_second / workers)
    if not 0 < few < many:
        raise ValueError("two sizes are needed, the smaller one first")
    pool_rows = max(1, min(POOL_ROWS, few // (4 * workers)))
    rounds: list[list[tuple[Run, Run]]] = []
    with tempfile.TemporaryDirectory(prefix="gridmill-bench-") as name, run_folder() as folder:
        small, large = (
            Job(Path(name) / f"{rows}.txt", rows, Path(name) / "out", form, plane, workers, pool_rows)
            for rows in (few, many)
        )
        for job in (small, large):
            repeat(cells, job.rows, job.path)
        with LocalCluster(folder, workers, shared=[Path(name)] if plane == "files" else []) as local:
            cluster = Cluster(local.broker.url)
            check_rows(small, cluster)
            for _ in range(repeats):
                rounds.append(list(zip(run_all(small, cluster), run_all(large, cluster), strict=True)))
    own, alone, pool, steps = zip(*rounds, strict=True)
    stage_us = {stage: median_us(steps, cpu_s_of(stage)) for stage in STAGES}
    gridmill = rate_of(own, stage_us["kernel"])
    stage_us["rest"] = gridmill.cpu_us - sum(stage_us.values())
    return Measured(
        file=sources[0].name,
        plane=plane,
        format=form,
        isa=isa(),
        workers=workers,
        rows=(few, many),
        repeats=repeats,
        chunk_rows=many // own[-1][1].chunks,
        gridmill=gridmill,
        process_us={name: median_us(own, cpu_s_of(name)) for name in PROCESSES},
        stage_us=stage_us,
        peak_bytes={name: max(pair[1].peak_bytes[name] for pair in own) for name in (*PROCESSES, "broker_data")},
        alone=rate_of(alone, stage_us["kernel"]),
        pool=rate_of(pool, stage_us["kernel"]),
        kernel_puzzles_per_second=kernel.puzzles_per_second,
    )


def sizes_for(puzzles_per_second: float) -> tuple[int, int]:
    """Returns two sizes that can be told apart, for a kernel of this speed."""
    many = max(LEAST_ROWS, min(MOST_ROWS, int(puzzles_per_second * KERNEL_S)))
    return many // 10, many


def ways_of(job: Job, cluster: Cluster) -> list[Callable[[], Run]]:
    """Returns the ways to make the rows of a job: the pipeline, the kernel alone, a pool."""
    path, out, form, rows = str(job.path), job.out, job.format, job.pool_rows
    return [
        lambda: solve(cluster, job.path, out, form, job.plane),
        lambda: timed(job.rows, lambda: plain.by_one_process(path, out, form, rows)),
        lambda: timed(job.rows, lambda: plain.by_pool(path, out, form, rows, job.workers)),
    ]


def run_all(job: Job, cluster: Cluster) -> list[Run]:
    """Runs a job by all ways, and at last step by step."""
    runs = []
    for way in ways_of(job, cluster):
        runs.append(way())
        job.out.unlink()
    began = time.perf_counter()
    stages = measure_stages(job.path, job.out, job.format, job.plane, job.rows // runs[0].chunks)
    runs.append(Run(job.rows, time.perf_counter() - began, stages, {}))
    job.out.unlink()
    return runs


def check_rows(job: Job, cluster: Cluster) -> None:
    """Sees to it that all ways write the same rows.

    Raises:
        BatchError: they do not.
    """
    found = set()
    for way in ways_of(job, cluster):
        way()
        found.add(plain.digest(job.out, job.format))
        job.out.unlink()
    if len(found) > 1:
        raise BatchError("not all ways that were to be measured write the same rows")


def rate_of(pairs: Sequence[tuple[Run, Run]], kernel_us: float) -> Rate:
    """Returns the median increment between a smaller and a larger run."""
    wall_us = statistics.median(
        1e6 * (large.wall_s - small.wall_s) / (large.rows - small.rows) for small, large in pairs
    )
    cpu_us = median_us(pairs, all_cpu_s)
    return Rate(1e6 / wall_us if wall_us > 0 else None, cpu_us, cpu_us - kernel_us)


def median_us(pairs: Sequence[tuple[Run, Run]], seconds: Callable[[Run], float]) -> float:
    """Returns the median of what a puzzle more takes, in microseconds."""
    return statistics.median((seconds(large) - seconds(few)) / (large.rows - few.rows) * 1e6 for few, large in pairs)


def all_cpu_s(run: Run) -> float:
    """Returns the CPU time of all processes."""
    return sum(run.cpu_s.values())


def cpu_s_of(name: str) -> Callable[[Run], float]:
    """Returns what tells the CPU time of a process or a stage."""
    return lambda run: run.cpu_s[name]
