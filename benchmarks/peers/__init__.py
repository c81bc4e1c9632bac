"""The peers, one a file: `run(path, out, form, workers, rows)` makes the rows of a file, so many a chunk."""

from importlib.util import find_spec

# Name -> what must be importable for it. `gridmill_files` comes first: it is what the others are compared with.
PEERS = {
    "gridmill_files": "producer",
    "gridmill_redis": "producer",
    "pool": "multiprocessing",
    "pool_parts": "multiprocessing",
    "joblib": "joblib",
    "dask": "distributed",
    "ray": "ray",
    "celery_group": "celery",
}
OWN = ("gridmill_files", "gridmill_redis")


def is_missing(peer: str) -> bool:
    """Whether what a peer needs is not installed."""
    return find_spec(PEERS[peer]) is None
