"""A closed door: passwords of every shape, users, TLS, and nothing of it where others could read it."""

import json
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.chaos import processes
from tests.chaos.story import LIMIT_S, without_times
from tests.chaos.tls import TlsDoor, make_certificates
from tests.chaos.world import GRIDMILL, Run, TcpBroker, World, environment

Undisturbed = Callable[[int, str], tuple[Path, bytes]]
OK, SOME_ROWS, TROUBLE = 0, 1, 3
PASSWORD = "p@ss:w/o#r%d ü"


def port_of(world: World) -> int:
    assert isinstance(world.broker, TcpBroker)
    return world.broker.port


@pytest.mark.parametrize("user", ["", "anna:b@c"], ids=["password alone", "ACL user"])
def test_a_password_of_every_shape_opens_the_door_and_is_seen_by_nobody(
    user: str, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    source, expected = undisturbed(2000, "csv")
    out = tmp_path / "out.csv"
    seen: list[str] = []

    with World(tmp_path, tcp=True, processes=0) as world:
        world.client().acl_setuser(
            user or "default", enabled=True, reset_passwords=True, passwords=[f"+{PASSWORD}"],
            keys=["*"], channels=["*"], categories=["+@all"],
        )  # fmt: skip
        url = f"redis://{quote(user, safe='')}:{quote(PASSWORD, safe='')}@127.0.0.1:{port_of(world)}/0"
        world.name_broker(url)
        world.hire(2, url)
        run = world.run("solve", str(source), "-o", str(out), "--chunk", "4", out=out)
        assert world.workers is not None
        world.workers.wait_for_pool()
        for pid in [world.workers.supervisor, *processes.descendants(world.workers.supervisor), run.process.pid]:
            seen.append(Path(f"/proc/{pid}/cmdline").read_text(errors="replace"))
        code = run.wait(LIMIT_S)
        doctor = subprocess.run(
            [*GRIDMILL, "doctor", "--json", "--broker", f"@{world.url_file}"],
            env=environment(), capture_output=True, text=True, check=False,
        )  # fmt: skip
        seen += [run.said(), world.worker_log(), doctor.stdout, doctor.stderr]
        seen.append((tmp_path / "out.csv.summary.json").read_text())

    assert code == SOME_ROWS, run.said()
    assert without_times(out.read_bytes()) == expected
    assert json.loads(doctor.stdout)
    for text in seen:
        assert PASSWORD not in text
        assert quote(PASSWORD, safe="") not in text


@pytest.mark.parametrize("command", ["solve", "submit", "batches"])
def test_a_wrong_password_is_one_line(command: str, tmp_path: Path) -> None:
    source = tmp_path / "in.txt"
    source.write_text("." * 81 + "\n")
    arguments = [command] if command == "batches" else [command, str(source)]

    with World(tmp_path, tcp=True, processes=0) as world:
        world.name_broker(f"redis://:{quote(PASSWORD, safe='')}@127.0.0.1:{port_of(world)}/0")
        run = world.run(*arguments)
        code = run.wait(60)

    assert code == TROUBLE
    assert run.said().count("\n") == 1, run.said()
    assert "password" in run.said()
    assert PASSWORD not in run.said()
    assert quote(PASSWORD, safe="") not in run.said()


def test_a_worker_with_a_wrong_password_says_so_and_does_not_tell_it(tmp_path: Path) -> None:
    with World(tmp_path, tcp=True, processes=0) as world:
        url = f"redis://:{quote(PASSWORD, safe='')}@127.0.0.1:{port_of(world)}/0"
        world.hire(1, url)
        processes.wait_until(lambda: "assword" in world.worker_log() or "WRONGPASS" in world.worker_log(), 60, "word")
        log = world.worker_log()

    assert PASSWORD not in log
    assert quote(PASSWORD, safe="") not in log


def test_tls_with_a_private_ca(undisturbed: Undisturbed, tmp_path: Path) -> None:
    source, expected = undisturbed(2000, "csv")
    ca, certificate, key = make_certificates(tmp_path)
    out = tmp_path / "out.csv"

    with World(tmp_path, tcp=True, processes=0) as world, TlsDoor(port_of(world), certificate, key) as door:
        url = f"rediss://:{world.broker._password}@localhost:{door.port}/0?ssl_ca_certs={ca}"
        world.name_broker(url)
        world.hire(2, url)
        run = world.run("solve", str(source), "-o", str(out), "--chunk", "16", out=out)
        code = run.wait(LIMIT_S)
        passed = door.passed

    assert code == SOME_ROWS, run.said()
    assert without_times(out.read_bytes()) == expected
    assert passed >= 3


def test_a_stranger_behind_tls_is_not_trusted(tmp_path: Path) -> None:
    _, certificate, key = make_certificates(tmp_path)

    with World(tmp_path, tcp=True, processes=0) as world, TlsDoor(port_of(world), certificate, key) as door:
        world.name_broker(f"rediss://:{world.broker._password}@localhost:{door.port}/0")
        run = world.run("batches")
        code = run.wait(60)
        passed = door.passed

    assert code == TROUBLE
    assert run.said().count("\n") == 1, run.said()
    assert "certificate" in run.said()
    assert passed == 0


def test_files_of_a_private_cluster_are_for_the_owner_alone(undisturbed: Undisturbed, tmp_path: Path) -> None:
    source, _ = undisturbed(16_000, "csv")
    out = tmp_path / "out.csv"
    temporary = Path("/tmp") / f"gmc-{tmp_path.name[-8:]}"
    temporary.mkdir()
    try:
        run = Run(["solve", str(source), "-o", str(out), "--chunk", "4"], out, tmp_path, TMPDIR=str(temporary))
        try:
            processes.wait_until(lambda: list(temporary.glob("gridmill-run-*/broker.sock")), 60, "socket")
            folder = next(temporary.glob("gridmill-run-*"))
            socket_mode = (folder / "broker.sock").stat().st_mode
            folder_mode = folder.stat().st_mode
            lines = [Path(f"/proc/{pid}/cmdline").read_text() for pid in processes.descendants(run.process.pid)]
        finally:
            run.stop()
    finally:
        subprocess.run(["rm", "-rf", str(temporary)], check=True)

    assert stat.S_IMODE(folder_mode) == 0o700
    assert stat.S_IMODE(socket_mode) == 0o700
    assert lines
    assert not any("://" in line for line in lines)
