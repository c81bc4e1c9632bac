"""Libraries that not everybody needs, loaded by name when they are called for."""

import importlib
import sys
from typing import Any

from solver_core.errors import GridmillError

# What is needed -> the module that has it, and the extra that brings it.
_MODULES = {
    "zstd": ("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd", "zstd"),
    "metrics": ("prometheus_client", "metrics"),
    "arrow": ("pyarrow", "parquet"),
    "csv": ("pyarrow.csv", "parquet"),
    "parquet": ("pyarrow.parquet", "parquet"),
    "arrow ipc": ("pyarrow.ipc", "parquet"),
}


class MissingExtraError(GridmillError):
    """A library is needed that is not there."""


def load(what: str) -> Any:
    """Returns the module for one of these needs.

    Raises:
        MissingExtraError: it is not installed.
    """
    module, extra = _MODULES[what]
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtraError(f"{module} is needed for this: pip install 'gridmill[{extra}]' ({error})") from None
