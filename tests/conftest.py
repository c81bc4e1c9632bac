"""Fixtures that many tests share."""

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def test_data() -> Path:
    """The folder of the big data: puzzle sets and known answers, which are no part of the project."""
    folder = Path(os.environ.get("GRIDMILL_TEST_DATA") or REPOSITORY.parent / "shared")
    if not folder.is_dir():
        pytest.skip(f"no test data: {folder} is no folder (GRIDMILL_TEST_DATA says where it is)")
    return folder
