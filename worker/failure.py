"""Ends a worker at once over which Celery has given up, so that its supervisor starts another.

An error that Celery does not take for a lost connection, as that of a broker whose memory is full, has the worker stop
in good order; and that may never end, for the pool is waited for while nobody reads any more what it answers.
"""

import logging
import os
from typing import Any

from celery import bootsteps
from celery.platforms import EX_FAILURE

log = logging.getLogger(__name__)


class FailureStep(bootsteps.StartStopStep):
    """Is told before the others stop; the pool ends with this process (`process.py`)."""

    def close(self, worker: Any) -> None:
        """Ends the process if there was such an error. What it worked on comes again, as after any other death."""
        if worker.exitcode == EX_FAILURE:
            log.critical("this worker ends here, and another takes its place")
            os._exit(EX_FAILURE)
