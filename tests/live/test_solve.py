"""`gridmill solve` on a real broker: rows, exit codes, and the same bytes however it is run."""

import gzip
import json
import os
import subprocess
from pathlib import Path

import pytest

from solver_core.rows import COLUMNS
from solver_core.solvers import SOLVERS
from tests.checker import is_solution
from tests.gridmill import COMMAND, Gridmill
from tests.processes import command_of, descendants
from tests.puzzles import BY_NAME, cells_of
from tests.rows import EASY, lines, read_rows, without_times, write_lines

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
BROKEN = (EXAMPLES / "broken.txt").read_text()


@pytest.fixture
def puzzles(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "in.txt", lines(3000))


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_examples_come_out_right_and_the_summary_is_true(gridmill: Gridmill, tmp_path: Path) -> None:
    ended = gridmill("solve", EXAMPLES / "puzzles.txt", "-o", "out.csv")

    rows = read_rows((tmp_path / "out.csv").read_text())
    told = json.loads((tmp_path / "out.csv.summary.json").read_text())
    assert (ended.code, ended.out) == (0, "")
    assert ended.err.startswith(f"{len(rows)} rows (")
    assert ended.err.rstrip().endswith("-> out.csv")
    assert names(tmp_path) == ["out.csv", "out.csv.summary.json"]
    assert [row["id"] for row in rows] == [str(number) for number in range(1, len(rows) + 1)]
    for row in rows:
        assert not row["solution"] or is_solution(cells_of(row["puzzle"]), cells_of(row["solution"]))
    counted = {word: sum(row["status"] == word for row in rows) for word in {row["status"] for row in rows}}
    assert told["status_counts"] == counted
    assert told["lines"]["puzzle"] == len(rows)
    assert told["lines"]["total"] == len((EXAMPLES / "puzzles.txt").read_text().splitlines())
    assert told["lines"]["total"] == sum(count for name, count in told["lines"].items() if name != "total")
    assert told["kernel_s"] == pytest.approx(sum(int(row["time_ns"]) for row in rows) / 1e9, abs=1e-6)
    assert told["chunks"] == sum(told["workers"].values()) >= 1
    assert told["isa"]
    assert [slow["time_ns"] for slow in told["slowest"]] == sorted((int(row["time_ns"]) for row in rows), reverse=True)[
        :10
    ]


def test_rows_are_the_same_for_every_chunk_size(gridmill: Gridmill, puzzles: Path, tmp_path: Path) -> None:
    for chunk in ("auto", 1000, 100, 7):
        assert gridmill("solve", puzzles, "-o", f"{chunk}.csv", "--chunk", chunk).code == 0

    found = {chunk: without_times((tmp_path / f"{chunk}.csv").read_text()) for chunk in ("auto", 1000, 100, 7)}
    assert len(found["auto"]) == 3000
    assert found["auto"] == found[1000] == found[100] == found[7]


def test_one_worker_and_two_write_the_same_and_leave_nothing(alone: Gridmill, puzzles: Path, tmp_path: Path) -> None:
    for workers in (1, 2):
        assert alone("solve", puzzles, "-o", f"{workers}.csv", "--chunk", 500, "--workers", workers).code == 0

    assert without_times((tmp_path / "1.csv").read_text()) == without_times((tmp_path / "2.csv").read_text())
    assert alone.left_in_temp() == []


@pytest.mark.parametrize("solver", [name for name in SOLVERS if name != "naive"])
def test_every_solver_gives_the_same_answers(gridmill: Gridmill, tmp_path: Path, solver: str) -> None:
    easy = [f"{BY_NAME[name].text} {name}" for name in ("easy 1", "easy 3", "many solutions", "clash in a box")]
    path = write_lines(tmp_path / "in.txt", easy)

    rows = read_rows(gridmill("solve", path, "--solver", solver).out)

    assert [row["status"] for row in rows] == ["unique", "unique", "multiple", "invalid"]
    assert all(is_solution(cells_of(row["puzzle"]), cells_of(row["solution"])) for row in rows[:3])


@pytest.mark.parametrize("out", ["-", "out.csv"])
def test_standard_input_is_solved(gridmill: Gridmill, tmp_path: Path, out: str) -> None:
    ended = gridmill("solve", "-", "-o", out, stdin="\n".join(lines(20)))

    rows = read_rows(ended.out or (tmp_path / "out.csv").read_text())
    assert ended.code == 0
    assert [(row["source"], row["line"]) for row in rows] == [("-", str(line)) for line in range(1, 21)]


def test_a_pipe_with_a_name_is_solved_into_a_file(gridmill: Gridmill, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with gridmill.started("solve", "pipe", "-o", "out.csv") as process:
        (tmp_path / "pipe").write_text("\n".join(lines(20)))
        process.communicate(timeout=60)

    assert process.returncode == 0
    assert len(read_rows((tmp_path / "out.csv").read_text())) == 20


def test_rows_come_out_while_more_is_waited_for(gridmill: Gridmill) -> None:
    with gridmill.started("solve", "-", stdin=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(lines(1)[0] + "\n")
        process.stdin.flush()
        head, first = process.stdout.readline(), process.stdout.readline()
        process.stdin.write(lines(2)[1] + "\n")
        process.stdin.close()
        rest = process.stdout.read()
        process.wait(60)

    assert [row["id"] for row in read_rows(head + first + rest)] == ["1", "2"]
    assert process.returncode == 0


def test_a_puzzle_typed_in_is_solved(gridmill: Gridmill) -> None:
    rows = read_rows(gridmill("solve", EASY, "--quiet").out)

    assert [(row["source"], row["line"], row["status"]) for row in rows] == [("(typed)", "1", "unique")]


def test_several_inputs_are_one_batch_and_the_output_in_their_folder_is_none(
    gridmill: Gridmill, tmp_path: Path
) -> None:
    (tmp_path / "in").mkdir()
    write_lines(tmp_path / "in/b.txt", lines(2))
    (tmp_path / "in/a.gz").write_bytes(gzip.compress("\n".join(lines(3)).encode()))

    for _ in range(2):  # the second time OUT and its summary lie there
        ended = gridmill("solve", "in", EASY, "in/b.txt", "-o", "in/out.csv")

    rows = read_rows((tmp_path / "in/out.csv").read_text())
    assert ended.code == 0
    assert [row["source"] for row in rows] == ["in/a.gz"] * 3 + ["in/b.txt"] * 2 + ["(typed)"] + ["in/b.txt"] * 2
    assert [row["id"] for row in rows] == [str(number) for number in range(1, 9)]


@pytest.mark.parametrize(
    ("arguments", "code", "status", "solutions"),
    [
        (["--limit", 1], 0, "solved", "1"),
        (["--limit", 2], 0, "multiple", "2"),
        (["--limit", 20], 0, "multiple", "17"),
        (["--max-guesses", 0], 1, "gave_up", "0"),
    ],
)
def test_options_shape_rows(
    gridmill: Gridmill, arguments: list[object], code: int, status: str, solutions: str
) -> None:
    ended = gridmill("solve", BY_NAME["several solutions"].text, *arguments)

    row = read_rows(ended.out)[0]
    assert (ended.code, row["status"], row["solutions"]) == (code, status, solutions)


def test_broken_lines_are_rows_and_1(gridmill: Gridmill, tmp_path: Path) -> None:
    ended = gridmill("solve", EXAMPLES / "broken.txt", "-o", "out.csv", "--quiet")

    rows = read_rows((tmp_path / "out.csv").read_text())
    assert (ended.code, ended.out, ended.err) == (1, "", "")
    assert [row["status"] for row in rows] == [
        "unique",
        "invalid",
        "invalid",
        "invalid",
        "invalid",
        "invalid",
        "unique",
    ]
    assert all(bool(row["note"]) == (row["status"] == "invalid") for row in rows)


def test_strict_ends_at_the_first_bad_line_with_2_and_no_output(gridmill: Gridmill, tmp_path: Path) -> None:
    ended = gridmill("solve", EXAMPLES / "broken.txt", "-o", "out.csv", "--strict")

    assert ended.code == 2
    assert ended.err.startswith(f"gridmill: {EXAMPLES}/broken.txt:4: ")
    assert ended.err.count("\n") == 1
    assert names(tmp_path) == []


def test_of_a_truncated_archive_what_came_before_is_solved_and_2(gridmill: Gridmill, tmp_path: Path) -> None:
    packed = gzip.compress("\n".join(lines(500)).encode())
    (tmp_path / "cut.gz").write_bytes(packed[: len(packed) * 3 // 4])

    ended = gridmill("solve", "cut.gz", "-o", "out.csv")

    rows = read_rows((tmp_path / "out.csv").read_text())
    assert ended.code == 2
    assert "gridmill: cut.gz: the archive is cut short" in ended.err
    assert len(rows) > 100
    assert names(tmp_path) == ["cut.gz", "out.csv", "out.csv.summary.json"]


def test_an_input_without_puzzles_is_a_header_and_0(gridmill: Gridmill, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("\n# nothing\n\n")

    ended = gridmill("solve", "empty.txt", "-o", "out.csv")

    assert ended.code == 0
    assert (tmp_path / "out.csv").read_text() == ",".join(COLUMNS) + "\n"
    assert json.loads((tmp_path / "out.csv.summary.json").read_text())["lines"]["total"] == 3


def test_every_format_has_every_row(gridmill: Gridmill, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "in.txt", lines(30))

    as_csv = read_rows(gridmill("solve", path).out)
    as_jsonl = [json.loads(line) for line in gridmill("solve", path, "--format", "jsonl").out.splitlines()]
    as_lines = gridmill("solve", path, "--format", "lines").out.splitlines()

    assert len(as_csv) == len(as_jsonl) == len(as_lines) == 30
    assert [item["solution"] for item in as_jsonl] == [row["solution"] for row in as_csv]
    assert all(row["solution"] in line for row, line in zip(as_csv, as_lines, strict=True))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_device_is_one_line_and_3(gridmill: Gridmill, puzzles: Path) -> None:
    ended = gridmill("solve", puzzles, "-o", "/dev/full")
    with Path("/dev/full").open("w") as full, gridmill.started("solve", puzzles, stdout=full.fileno()) as process:
        said = process.communicate(timeout=60)[1]

    assert (ended.code, process.returncode) == (3, 3)
    assert ended.err == "gridmill: /dev/full: No space left on device\n"
    assert said == "gridmill: stdout: No space left on device\n"


def test_a_device_is_written_straight(gridmill: Gridmill, puzzles: Path) -> None:
    ended = gridmill("solve", puzzles, "-o", "/dev/null")

    assert ended.code == 0
    assert not list(Path("/dev").glob("null.*"))


def test_a_reader_that_leaves_early_is_no_error(gridmill: Gridmill, puzzles: Path) -> None:
    with gridmill.started("solve", puzzles, "--chunk", 50) as process:
        assert process.stdout
        assert process.stderr
        head = process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read()
        process.wait(60)

    assert head.startswith("id,source")
    assert (process.returncode, said) == (0, "")


def test_an_old_output_is_replaced_as_a_whole(gridmill: Gridmill, puzzles: Path, tmp_path: Path) -> None:
    (tmp_path / "out.csv").write_text("old\n" * 10**6)

    assert gridmill("solve", EASY, "-o", "out.csv").code == 0

    assert len(read_rows((tmp_path / "out.csv").read_text())) == 1


def test_no_list_of_processes_shows_the_password_of_the_private_broker(alone: Gridmill) -> None:
    with alone.started("solve", "-", stdin=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(lines(1)[0] + "\n")
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.readline()  # the broker and a worker are there
        listed = [command_of(pid) for pid in [process.pid, *descendants(process.pid)]]
        folder = next(alone.temp.glob("gridmill-run-*"))
        mode = folder.stat().st_mode & 0o777
        process.stdin.close()
        process.wait(60)

    assert process.returncode == 0
    assert len(listed) >= 5  # producer, broker, supervisor, worker, one of its processes at least
    assert not any(word in line for line in listed for word in ("unix:", "redis+socket:", "@/"))
    assert mode == 0o700


def test_no_broker_is_one_line_and_3(gridmill: Gridmill) -> None:
    ended = gridmill("solve", EASY, "--broker", "redis://127.0.0.1:1/0")

    assert ended.code == 3
    assert ended.err.startswith("gridmill: no broker at redis://127.0.0.1:1/0: ")
    assert ended.err.count("\n") == 1


def test_the_module_runs_as_a_program() -> None:
    told = subprocess.run([*COMMAND, "--version"], capture_output=True, text=True, timeout=60, check=True)

    assert told.stdout.startswith("gridmill, version ")
