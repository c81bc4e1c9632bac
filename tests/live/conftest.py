"""A real broker for the tests of this folder; without a server they are skipped, and fail where CI is set."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from producer.cluster import LocalCluster, find_server
from solver_core.errors import BrokerError
from tests.gridmill import Gridmill


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("live")


@pytest.fixture(scope="session", autouse=True)
def server() -> str:
    """The path of a server."""
    try:
        return find_server()
    except BrokerError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))


@pytest.fixture
def temp() -> Iterator[Path]:
    """A temporary folder with a short name, for a socket's path must fit in about a hundred bytes."""
    folder = Path(tempfile.mkdtemp(prefix="gm-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def cluster(server: str) -> Iterator[LocalCluster]:
    """A broker and two workers that the tests share; a test that breaks something takes one of its own."""
    folder = Path(tempfile.mkdtemp(prefix="gm-"))
    with LocalCluster(folder, 2) as running:
        yield running
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def gridmill(cluster: LocalCluster, tmp_path: Path, temp: Path) -> Gridmill:
    """Gridmill on the shared cluster."""
    return Gridmill(tmp_path, temp, cluster.broker.url)


@pytest.fixture
def alone(server: str, tmp_path: Path, temp: Path) -> Gridmill:
    """Gridmill that starts a broker and workers of its own."""
    return Gridmill(tmp_path, temp)
