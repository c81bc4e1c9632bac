"""`-o FOLDER/`: which input goes where."""

from pathlib import Path

from producer.folder import is_folder, jobs
from producer.readers.sources import TYPED, Source, find_sources
from tests.puzzles import MADE


def names(folder: Path, found: list[Source], format_name: str = "csv") -> list[tuple[str, int]]:
    return [(str(job.out.relative_to(folder)), len(job.sources)) for job in jobs(found, folder, format_name)]


def files(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(f"{MADE[0].text}\n")


def test_each_file_has_an_output_of_its_name(tmp_path: Path) -> None:
    files(tmp_path / "in", "a.txt", "b/a.txt", "b/c.csv")

    found = find_sources([str(tmp_path / "in")])

    assert names(tmp_path / "out", found) == [("a.txt.csv", 1), ("b/a.txt.csv", 1), ("b/c.csv.csv", 1)]
    assert (tmp_path / "out" / "b").is_dir()
    assert names(tmp_path / "out", found, "lines")[0] == ("a.txt.txt", 1)


def test_members_of_an_archive_go_together(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    found = [Source(f"{path}!x", path, member="x"), Source(f"{path}!y", path, member="y"), Source("-")]

    assert names(tmp_path / "out", found) == [("a.zip.csv", 2), ("stdin.csv", 1)]
    assert names(tmp_path / "out", [Source(TYPED, text=MADE[0].text)]) == [("typed.csv", 1)]


def test_what_lies_in_the_folder_is_no_input(tmp_path: Path) -> None:
    files(tmp_path, "a.txt", "out/a.txt.csv", "out/b.txt")

    assert names(tmp_path / "out", find_sources([str(tmp_path)])) == [("a.txt.csv", 1)]


def test_a_slash_at_the_end_means_a_folder(tmp_path: Path) -> None:
    assert is_folder("new/")
    assert is_folder(f"{tmp_path}/")
    assert not is_folder(str(tmp_path / "new"))
