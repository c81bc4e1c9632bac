"""The unit files and the page on several machines agree with each other, and with what gridmill does."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from producer.cli import COMMANDS
from tests.conftest import REPOSITORY
from worker.app import Settings

SYSTEMD = REPOSITORY / "systemd"
UNITS = sorted(SYSTEMD.glob("*.service"))
PAGE = (REPOSITORY / "docs/machines.md").read_text()


def settings_of(unit: Path) -> dict[str, str]:
    lines = (line for line in unit.read_text().splitlines() if "=" in line and not line.startswith("#"))
    return dict(line.split("=", 1) for line in lines)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_takes_a_unit(unit: Path, tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not here")
    # The programs themselves need not be here.
    copy = tmp_path / unit.name
    copy.write_text(re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", unit.read_text(), flags=re.MULTILINE))

    ended = subprocess.run(["systemd-analyze", "verify", copy], capture_output=True, text=True, timeout=60, check=False)

    assert [line for line in ended.stderr.splitlines() if unit.stem in line] == []


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_gives_no_more_rights_than_are_needed(unit: Path) -> None:
    settings = settings_of(unit)

    assert settings["User"] == "gridmill"
    assert settings["CapabilityBoundingSet"] == ""
    assert (settings["NoNewPrivileges"], settings["ProtectSystem"]) == ("yes", "strict")


def test_the_worker_is_started_by_a_command_that_there_is_and_lets_others_stop_in_good_order() -> None:
    settings = settings_of(SYSTEMD / "gridmill-worker.service")
    program, command = settings["ExecStart"].split()

    assert (program, command) == ("/opt/gridmill/bin/gridmill", "worker")
    assert command in COMMANDS
    assert float(settings["TimeoutStopSec"]) > Settings().budget_s
    assert settings["KillMode"] == "mixed"


def test_the_page_names_files_that_there_are_and_paths_that_the_files_name() -> None:
    named = set(re.findall(r"install -m 0644 (\S+)", PAGE))
    configured = dict(
        line.split(maxsplit=1)
        for line in (SYSTEMD / "broker.conf").read_text().splitlines()
        if line and not line.startswith("#")
    )
    installed = set(re.search(r"install -m 0640 -g gridmill (broker.conf .*) /etc/gridmill", PAGE)[1].split())  # type: ignore[index]

    assert named == {unit.name for unit in UNITS}
    paths = {
        value.removeprefix("/etc/gridmill/") for value in configured.values() if value.startswith("/etc/gridmill/")
    }
    assert paths | {"broker.conf"} == installed
    assert "/etc/gridmill/broker.url" in (SYSTEMD / "gridmill-worker.service").read_text()
    assert configured["maxmemory-policy"] == "noeviction"
    assert configured["appendonly"] == "yes"


def test_the_user_that_reads_the_append_only_file_back_keeps_its_rights() -> None:
    assert "\nuser default off ~* &* +@all\n" in PAGE
