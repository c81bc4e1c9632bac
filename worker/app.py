"""The Celery app: settings from the environment, task and queue names. No task code lives here.

Producer and worker must agree on everything in this file, so both read it here.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from celery import Celery

from solver_core.chunk import WIRE_VERSION
from worker.acks import AcksStep
from worker.broker import celery_url, read_url
from worker.failure import FailureStep
from worker.formless import FormlessStep
from worker.presence import PresenceStep
from worker.reaper import ReaperStep

SOLVE_CHUNK = "gridmill.solve_chunk"
QUEENS_CHUNK = "gridmill.queens_chunk"
# Workers of another wire version have a queue of their own, and never see what they could not read.
QUEUE = f"wire{WIRE_VERSION}"

# A task that runs this much longer than its budget ignores its stop flag; Celery kills its process.
HARD_LIMIT_FACTOR = 2
# Ten times and more what a guess costs the slowest solver (`naive`, in Python); the kernels need a microsecond.
SLOWEST_GUESS_S = 1e-3


def _setting(default: float | str | bool, text: str) -> Any:
    return field(default=default, metadata={"text": text})


@dataclass(frozen=True, slots=True)
class Settings:
    """What `GRIDMILL_*` environment variables set; `README.md` shows the same table."""

    broker: str = _setting("", "broker URL, or @FILE to read it from a file")
    keep_s: float = _setting(7 * 86400, "how long a submitted batch lives")
    budget_s: float = _setting(20, "kernel time after which a chunk gives back what is finished")
    lease_s: float = _setting(5, "shortest time before an unanswered chunk is sent again")
    visibility_s: float = _setting(120, "when Redis hands a message out again that no worker acknowledged")
    shared: str = _setting("", "folders that producer and workers both see, apart by `:`; unset means no `files` plane")
    events: bool = _setting(False, "1 switches on Celery's events and remote control, for Flower")

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        """Reads the settings.

        Raises:
            ValueError: a variable cannot be read as what it should be; the message names it.
        """
        values: dict[str, Any] = {}
        for setting in fields(cls):
            name = f"GRIDMILL_{setting.name.upper()}"
            text = environment.get(name, "")
            if text:
                values[setting.name] = _read(name, text, type(setting.default))
        return cls(**values)


def _read(name: str, text: str, kind: type) -> float | str | bool:
    if kind is str:
        return text
    if kind is bool:
        if text.lower() in ("0", "no", "false", "off"):
            return False
        if text.lower() in ("1", "yes", "true", "on"):
            return True
        raise ValueError(f"{name}={text!r}: 0 or 1 is needed")
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise ValueError(f"{name}={text!r}: a number of seconds above 0 is needed")
    return number


def celery_settings(settings: Settings) -> dict[str, Any]:
    """Celery's configuration, the same for producer and worker.

    Every value was chosen against a measured way to lose or repeat work: acknowledged late and rejected when the
    process is lost, so that a killed process gives its message back; no result backend, for the chunk store holds
    the results; time-outs on every socket, so that a half-open connection is noticed; JSON alone is accepted.
    """
    return {
        "task_default_queue": QUEUE,
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "task_ignore_result": True,
        "task_track_started": False,
        "worker_prefetch_multiplier": 1,
        "worker_lost_wait": 0.5,  # how long after a death its message is given back
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,
        "broker_connection_timeout": 5,
        "broker_pool_limit": 10,
        "broker_transport_options": {
            "visibility_timeout": settings.visibility_s,
            "unacked_restore_interval": 5,
            "unacked_restore_throttle": 1,
            "socket_timeout": 30,
            "socket_connect_timeout": 5,
            "socket_keepalive": True,
            "health_check_interval": 10,
            "global_keyprefix": "gridmill:",
        },
        "task_publish_retry": False,  # the producer has a patience of its own
        "worker_cancel_long_running_tasks_on_connection_loss": False,
        "worker_enable_remote_control": settings.events,
        "worker_send_task_events": settings.events,
        "worker_soft_shutdown_timeout": 10,
        "worker_hijack_root_logger": True,
        "accept_content": ["json"],
        "task_serializer": "json",
        "result_backend": None,
        "gridmill_shared": settings.shared,
    }


def hard_limit_s(settings: Settings, count: int, max_guesses: int | None) -> float | None:
    """The time after which Celery kills a process over a chunk of `count` rows.

    A puzzle alone in its chunk is bounded by its guesses only, so its limit goes by them; without a bound
    (`max_guesses` is None) there is no limit.
    """
    over_budget_s = settings.budget_s * HARD_LIMIT_FACTOR + 10
    if count > 1:
        return min(over_budget_s, settings.visibility_s * 0.9)
    return None if max_guesses is None else over_budget_s + max_guesses * SLOWEST_GUESS_S


settings = Settings.from_environment()
app = Celery(
    "gridmill", include=["worker.tasks"], broker=celery_url(read_url(settings.broker)) if settings.broker else None
)
app.conf.update(celery_settings(settings))
app.steps["worker"].update((FailureStep, PresenceStep, ReaperStep, AcksStep))
app.steps["consumer"].add(FormlessStep)
