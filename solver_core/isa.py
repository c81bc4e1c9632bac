"""Which CPU path the kernels take."""

import os

from solver_core import _native


def isa() -> str:
    """Returns the CPU path the kernels take here: the one that `GRIDMILL_ISA` names, else the best there is.

    Raises:
        ValueError: this machine lacks the one named, or there is none of that name.
    """
    return _native.isa(os.environ.get("GRIDMILL_ISA") or None)
