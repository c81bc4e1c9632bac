"""`gridmill gather`: collects a submitted batch."""

import contextlib
import functools
from pathlib import Path
from typing import Any

import click

from producer.batch import COMPANIONS, Manner, Outcome, dispatch, finish, open_target
from producer.cli import say
from producer.commands import options
from producer.commands.solve import progress_bar, report
from producer.gather import Gatherer
from producer.journal import beside, fingerprint
from producer.link import Link, attach
from producer.pace import ChunkSize
from producer.patience import Patience
from producer.queens import count_on
from producer.readers.cutter import Cutter
from producer.readers.sources import find_sources
from producer.shape import Shape
from producer.submitted import GatherLock, Registered, lines_of, meta_of, reading_of
from producer.writers import STDOUT, format_of, is_stream
from solver_core import chunk as puzzles_wire
from solver_core.errors import BatchError
from worker.app import SOLVE_CHUNK


@click.command("gather")
@click.argument("batch", metavar="ID")
@click.argument("inputs", metavar="[INPUT]...", nargs=-1)
@click.option("-o", "out", metavar="OUT", default=STDOUT, help="A file, or - for stdout (the default).")
@options.format_name
@options.columns
@options.broker
@options.patience
@options.fresh
@options.quiet
def command(
    batch: str,
    inputs: tuple[str, ...],
    out: str,
    format_name: str | None,
    columns: tuple[str, ...],
    broker: str | None,
    patience_s: float,
    fresh: bool,
    quiet: bool,
) -> int:
    """Collects the batch ID; what the broker has lost of it is cut again from INPUT."""
    options.not_a_folder(out)
    chosen = format_of(out, format_name)
    line = attach(options.required_broker(broker))
    meta = meta_of(line.store, batch)
    lock = GatherLock(line.store, batch)
    lock.take()
    try:
        with progress_bar("rows", meta["rows"], quiet) as progress:
            manner = Manner(None, patience_s, fresh, strict=False, say=say, progress=progress)
            shape = Shape(chosen, columns or None, tuple(meta["keep"]), meta["listed"])
            outcome = _gather(line, batch, meta, inputs, out, shape, manner, lock)
    finally:
        with contextlib.suppress(Exception):  # it runs out by itself
            lock.give_back()
    return report(outcome, out, quiet)


def _gather(
    line: Link,
    batch: str,
    meta: dict[str, Any],
    inputs: tuple[str, ...],
    out: str,
    shape: Shape,
    manner: Manner,
    lock: GatherLock,
) -> Outcome:
    companions = [] if is_stream(out) else [Path(out), *(beside(Path(out), suffix) for suffix in COMPANIONS)]
    sources = find_sources(inputs, companions)
    if sources and fingerprint(sources) != meta["input"]:
        raise BatchError(f"INPUT is not what was submitted as {batch}")
    with open_target(out, {"batch": batch} | shape.subject(), (), fresh=manner.fresh, shape=shape) as target:
        names = [name for name in line.store.order(batch) if name.stop > target.rows]
        again = Cutter(sources, reading_of(meta)) if sources else None
        if again:
            again.skip(target.rows)
        patience = Patience(manner.patience_s, say=manner.say)
        rows = Registered(line.store, batch, names, patience, again)
        gatherer = Gatherer(target, shape, meta["sources"], progress=manner.progress)
        size = ChunkSize(None, meta["rows"])
        kept = Link(line.url, line.store, lock.renew)
        dispatcher = dispatch(
            kept, SOLVE_CHUNK, meta, rows, puzzles_wire, manner, size=size, idle=target.tick, batch=batch
        )
        gatherer.queens = functools.partial(count_on, kept, manner)
        gatherer.gather(dispatcher.run())
        finish(target, gatherer, dispatcher, out, lines_of(meta), meta["input"], "redis")
    return Outcome(gatherer.summary, meta["faults"])
