"""The command line without a broker: exit codes, one line an error, and nothing queued that cannot be written."""

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from producer import cli, link
from producer.commands import options
from producer.commands import queens as queens_command
from producer.commands import solve as solve_command
from producer.gather import BadLineError
from solver_core.errors import BatchError, BrokerError, ChunkError, KernelError, PuzzleError
from tests.puzzles import BY_NAME
from tests.rows import EASY, lines, write_lines

PASSWORD = "hunter2"


@dataclass(frozen=True)
class Ended:
    code: int
    out: str
    err: str


Gridmill = Callable[..., Ended]


@pytest.fixture
def gridmill(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Gridmill:
    """Runs a command line in this process, in an empty folder, where no cluster may be asked."""

    def no_cluster(*_: object) -> None:
        raise AssertionError("a cluster was asked for")

    def run(*arguments: object) -> Ended:
        monkeypatch.setattr(sys, "argv", ["gridmill", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capfd.readouterr()
        assert "this should not have happened" not in err
        assert isinstance(ended.value.code, int)
        return Ended(ended.value.code, out, err)

    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(solve_command, "linked", no_cluster)
    monkeypatch.setattr(queens_command, "linked", no_cluster)
    monkeypatch.chdir(tmp_path)
    write_lines(tmp_path / "in.txt", lines(3))
    return run


def check_refused(ended: Ended, code: int = 2, says: str = "") -> None:
    assert ended.code == code
    assert ended.out == ""
    assert ended.err.startswith("gridmill: ")
    assert ended.err.count("\n") == 1, ended.err
    assert says in ended.err


def test_version_and_help_are_no_errors(gridmill: Gridmill) -> None:
    version, helped, commands = gridmill("--version"), gridmill("-h"), gridmill("solve", "-h")

    assert (version.code, helped.code, commands.code) == (0, 0, 0)
    assert version.out.startswith("gridmill, version ")
    assert all(name in helped.out for name in cli.COMMANDS)
    assert "--max-guesses" in commands.out
    assert (version.err, helped.err, commands.err) == ("", "", "")


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_has_help(gridmill: Gridmill, name: str) -> None:
    ended = gridmill(name, "--help")

    assert ended.code == 0
    assert "Usage: gridmill" in ended.out


def test_without_a_command_there_is_help_on_stderr(gridmill: Gridmill) -> None:
    ended = gridmill()

    assert (ended.code, ended.out) == (2, "")
    assert "Usage:" in ended.err


@pytest.mark.parametrize(
    "arguments",
    [
        "nonsense",
        "--nonsense",
        "solve",
        "solve --nonsense in.txt",
        "solve in.txt --chunk 0",
        "solve in.txt --chunk -5",
        "solve in.txt --chunk many",
        "solve in.txt --chunk 4294967296",
        "solve in.txt --limit 0",
        "solve in.txt --limit 4294967296",
        "solve in.txt --limit two",
        "solve in.txt --max-guesses -1",
        "solve in.txt --workers 0",
        "solve in.txt --workers 1025",
        "solve in.txt --patience -1",
        "solve in.txt --solver magic",
        "solve in.txt --format xls",
        "solve in.txt --broker http://h",
        "solve in.txt --broker @nofile",
        "queens",
        "queens 0",
        "queens -1",
        "queens 33",
        "queens 8-4",
        "queens 8-33",
        "queens eight",
        "queens 8.0",
        "queens ٨",
        "queens 8 --list",
        "queens 8-9 --list -o q.txt",
        "queens 8 -o q.txt",
        "queens 8 --list --as picture -o q.txt",
        "queens 8 --list --first 0 -o q.txt",
        "queens 18 --list -o q.txt",
        "queens 8 -o /",
        "submit in.txt",
        "gather ID -o o.csv",
        "status ID",
        "batches",
        "cancel ID",
        "worker",
        "worker -c 0",
    ],
)
def test_wrong_use_is_one_line_and_2(gridmill: Gridmill, arguments: str) -> None:
    ended = gridmill(*arguments.split())

    check_refused(ended)
    assert sorted(path.name for path in Path().iterdir()) == ["in.txt"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("solve nofile -o x.csv", "nofile: No such file"),
        ("solve *.nothing -o x.csv", "*.nothing: no file is there"),
        ("solve in.txt in.txt - - -o x.csv", "only once"),
        ("solve in.txt -o x.unknown", "x.unknown: the suffix tells no format"),
        ("solve in.txt -o x", "--format"),
        ("solve in.txt -o nowhere/x.csv", "nowhere/x.csv"),
        ("solve in.txt -o .", "is a folder"),
        ("solve in.csv -o in.csv", "in.csv is input and output at once"),
        ("solve in.csv -o ./in.csv", "input and output at once"),
        ("solve x.csv.partial -o x.csv", "x.csv.partial is input and output at once"),
        ("queens 8 -o nowhere/x.csv", "nowhere/x.csv"),
        ("queens 8 -o x.unknown", "suffix"),
        ("queens 8 --list -o nowhere/x.txt", "nowhere/x.txt"),
    ],
)
def test_what_cannot_be_read_or_written_is_refused_before_anything_is_queued(
    gridmill: Gridmill, arguments: str, says: str
) -> None:
    for name in ("in.csv", "x.csv.partial"):
        write_lines(Path(name), lines(2))
    before = sorted(path.name for path in Path().iterdir())

    ended = gridmill(*arguments.split())

    check_refused(ended, says=says)
    assert sorted(path.name for path in Path().iterdir()) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read and write everything")
def test_a_file_that_may_not_be_read_or_written_is_named(gridmill: Gridmill) -> None:
    Path("closed.txt").touch(0o000)
    Path("closed").mkdir(0o500)

    check_refused(gridmill("solve", "closed.txt"), says="closed.txt: Permission denied")
    check_refused(gridmill("solve", "in.txt", "-o", "closed/x.csv"), says="closed/x.csv")


def test_an_unreachable_broker_is_one_line_and_3(gridmill: Gridmill, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "START_S", 0)
    monkeypatch.setattr(solve_command, "linked", link.linked)

    ended = gridmill("solve", "in.txt", "-o", "x.csv", "--broker", "redis://127.0.0.1:1/0")

    assert ended.code == 3
    assert ended.err.startswith("gridmill: no broker at redis://127.0.0.1:1/0: ")
    assert ended.err.count("\n") == 1
    assert not Path("x.csv").exists()


def test_a_password_on_the_command_line_is_warned_of_and_never_shown(
    gridmill: Gridmill, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "START_S", 0)

    ended = gridmill("batches", "--broker", f"redis://:{PASSWORD}@127.0.0.1:1/0")

    assert ended.code == 3
    assert "GRIDMILL_BROKER" in ended.err
    assert PASSWORD not in ended.err


def test_a_password_in_a_file_is_neither_warned_of_nor_shown(
    gridmill: Gridmill, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "START_S", 0)
    Path("url").write_text(f"redis://:{PASSWORD}@127.0.0.1:1/0\n")

    ended = gridmill("batches", "--broker", "@url")

    check_refused(ended, 3)
    assert PASSWORD not in ended.err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (BadLineError("a.txt:3: 80 cells"), 2),
        (PuzzleError("80 cells"), 2),
        (BatchError("the input has changed"), 2),
        (BatchError("another run", locked=True), 3),
        (BrokerError("no answer"), 3),
        (KernelError("three workers died"), 3),
        (ChunkError("CRC"), 3),
        (FileNotFoundError(errno.ENOENT, "No such file", "a.txt"), 2),
        (OSError(errno.ENOSPC, "No space left on device", "a.csv"), 3),
        (OSError(errno.EDQUOT, "Quota exceeded"), 3),
        (KeyboardInterrupt(), 130),
        (cli.Interrupted("SIGTERM"), 130),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_error_has_its_code_and_one_line(
    gridmill: Gridmill, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(solve_command, "solve", fail)

    check_refused(gridmill("solve", "in.txt"), code)


def test_a_reader_that_is_gone_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    command = [sys.executable, "-m", "producer.cli", "-h"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        said = process.stderr.read()

    assert (process.returncode, said) == (0, b"")


def test_an_error_nobody_thought_of_is_one_line_and_3_and_debug_shows_where(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("oh\nno")

    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(solve_command, "solve", fail)
    said = []
    for arguments in (["solve", EASY], ["solve", EASY, "--debug"]):
        monkeypatch.setattr(sys, "argv", ["gridmill", *arguments])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert ended.value.code == 3
        said.append(capfd.readouterr().err)

    assert said[0] == "gridmill: this should not have happened: ZeroDivisionError: oh no (--debug shows where)\n"
    assert "Traceback" in said[1]


def test_a_setting_that_cannot_be_read_is_one_line_and_2() -> None:
    command = [sys.executable, "-m", "producer.cli", "batches"]
    environment = {**os.environ, "GRIDMILL_KEEP_S": "a week"}

    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)

    check_refused(Ended(ended.returncode, ended.stdout, ended.stderr), says="GRIDMILL_KEEP_S='a week'")


def test_an_isa_this_machine_lacks_is_one_line(gridmill: Gridmill, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRIDMILL_ISA", "abacus")

    ended = gridmill("doctor")

    assert ended.code == 3
    assert "BAD kernels" in ended.out


@pytest.mark.parametrize(
    ("name", "code", "says"),
    [
        ("easy 1", 0, "one solution"),
        ("two solutions, few givens", 0, "more than one solution"),
        ("unsolvable after a search", 0, "no solution"),
        ("clash in a box", 1, "break a rule"),
    ],
)
def test_a_puzzle_typed_in_at_a_terminal_is_drawn_with_its_answer(
    gridmill: Gridmill, monkeypatch: pytest.MonkeyPatch, name: str, code: int, says: str
) -> None:
    monkeypatch.setattr(solve_command.sys.stdout, "isatty", lambda: True)

    ended = gridmill("solve", BY_NAME[name].text)

    assert ended.code == code
    assert says in ended.out
    assert ended.out.count("------+-------+------") == 2 * (2 if "+------ " in ended.out else 1) or code == 1
    assert ended.err == ""


def test_options_take_the_largest_numbers_that_travel() -> None:
    assert options.MOST == 2**32 - 1
