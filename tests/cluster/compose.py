"""A cluster in containers, by the project's own compose file, under a name and with a data folder of its own."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any, Self

ROOT = Path(__file__).parents[2]
IMAGE = "gridmill-test:latest"
NEXT_IMAGE = "gridmill-test:next"
# What the image is built from, and the broker's.
BASES = ("python:3.13-slim-trixie", "rust:1-slim-trixie", "valkey/valkey:8")
BUILD_S = 600
PULL_S = 120
COMMAND_S = 120


def docker(*arguments: str, limit_s: float = COMMAND_S) -> str:
    """Runs a docker command; returns what it prints.

    Raises:
        AssertionError: it failed; with what it said.
    """
    done = subprocess.run(["docker", *arguments], capture_output=True, text=True, timeout=limit_s, check=False)
    assert done.returncode == 0, f"docker {' '.join(arguments)}: {done.stderr[-2000:]}"
    return done.stdout


def is_there() -> bool:
    """Whether a Docker engine answers."""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        return subprocess.run(["docker", "info"], capture_output=True, timeout=20, check=False).returncode == 0
    return False


def compose_command() -> list[str] | None:
    """Returns Compose as it is installed: version 2, or 1.29."""
    for command in (["docker", "compose"], ["docker-compose"]):
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            if subprocess.run([*command, "version"], capture_output=True, timeout=20, check=False).returncode == 0:
                return command
    return None


class NoImagesError(Exception):
    """What the image is built from cannot be had here."""


def build(stand_ins: Path) -> None:
    """Builds the image; where base images can be neither found nor pulled, from stand-ins that a tool makes.

    Raises:
        NoImagesError: there is no such tool either.
    """
    missing = [name for name in BASES if not docker("images", "-q", name).strip()]
    pulled = [name for name in missing if _is_pulled(name)]
    lacking = [name for name in missing if name not in pulled]
    if lacking:
        if not stand_ins.exists():
            raise NoImagesError(f"{', '.join(lacking)} cannot be pulled, and there is no {stand_ins}")
        subprocess.run([str(stand_ins), *lacking], check=True, capture_output=True, timeout=BUILD_S)
    docker("build", "-t", IMAGE, str(ROOT), limit_s=BUILD_S)


def _is_pulled(name: str) -> bool:
    with contextlib.suppress(subprocess.TimeoutExpired):
        return (
            subprocess.run(["docker", "pull", name], capture_output=True, timeout=PULL_S, check=False).returncode == 0
        )
    return False


class Cluster:
    """A context in which a cluster runs; everything is taken down at its end, its volumes as well."""

    def __init__(self, folder: Path, compose: list[str]) -> None:
        self.data = folder / "data"
        self.data.mkdir()
        self.name = f"gridmilltest{os.getpid()}"
        self._folder = folder
        self._compose = [*compose, "-p", self.name, "-f", str(ROOT / "docker-compose.yml")]
        self._compose += ["--project-directory", str(folder)]
        self._environment = os.environ | {"GRIDMILL_IMAGE": IMAGE}

    def compose(self, *arguments: str, limit_s: float = COMMAND_S) -> str:
        """Runs a command of Compose; returns what it prints."""
        done = subprocess.run(
            [*self._compose, *arguments],
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=limit_s,
            check=False,
        )
        assert done.returncode == 0, f"compose {' '.join(arguments)}: {done.stderr[-2000:]}"
        return done.stdout

    def scale(self, workers: int) -> None:
        """Brings the cluster to so many workers."""
        self.compose("up", "-d", "--no-build", "--scale", f"worker={workers}", "worker")

    def renew(self, workers: int) -> None:
        """Brings the cluster to so many workers of the next image, which is the same under another name."""
        docker("tag", IMAGE, NEXT_IMAGE)
        self._environment["GRIDMILL_IMAGE"] = NEXT_IMAGE
        self.scale(workers)

    def start(self, *arguments: str) -> "subprocess.Popen[bytes]":
        """Starts a command of the producer in a container of its own."""
        with (self._folder / "producer.log").open("ab") as log:
            return subprocess.Popen(
                [*self._compose, "run", "--rm", "producer", *arguments],
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def said(self) -> str:
        """What producers have said so far."""
        return (self._folder / "producer.log").read_text(errors="replace")

    def containers(self, service: str) -> list[dict[str, Any]]:
        """Returns what the engine knows of the containers of a service that run, by their names."""
        labels = (f"com.docker.compose.project={self.name}", f"com.docker.compose.service={service}")
        ids = docker("ps", "-q", *(f"--filter=label={label}" for label in labels)).split()
        found: list[dict[str, Any]] = json.loads(docker("inspect", *ids)) if ids else []
        return sorted(found, key=lambda container: str(container["Name"]))

    def crash(self, service: str) -> None:
        """Kills the first container of a service from outside, so that the engine starts it again."""
        os.kill(self.containers(service)[0]["State"]["Pid"], signal.SIGKILL)

    def part(self, container: str) -> None:
        """Cuts a container off the network."""
        docker("network", "disconnect", f"{self.name}_cluster", container)

    def join(self, container: str) -> None:
        """Connects it again; it has another address then."""
        docker("network", "connect", "--alias", "worker", f"{self.name}_cluster", container)

    def is_well(self, service: str, count: int) -> bool:
        """Whether so many containers of a service run, and are healthy by their own health checks."""
        states = [container["State"].get("Health", {}).get("Status") for container in self.containers(service)]
        return states.count("healthy") == count

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            (self._folder / "cluster.log").write_text(self.compose("logs", "--no-color"))
        self.compose("down", "-v", "--remove-orphans", "-t", "5")
        if self._environment["GRIDMILL_IMAGE"] == NEXT_IMAGE:
            docker("rmi", NEXT_IMAGE)
        shutil.rmtree(self.data, ignore_errors=True)
