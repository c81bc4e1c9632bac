"""What the person named as INPUT becomes a list of sources."""

import os
from pathlib import Path

import pytest

from producer.readers.sources import TYPED, Source, find_sources
from tests.rows import EASY


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def touch(*names: str) -> None:
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(f"{EASY}\n")


def names(*inputs: str, outputs: tuple[str, ...] = ()) -> list[str]:
    return [source.name for source in find_sources(inputs, [Path(output) for output in outputs])]


def test_files_keep_the_order_and_the_names_in_which_they_were_given(here: Path) -> None:
    touch("b.txt", "a.txt")

    assert names("b.txt", "./a.txt", str(here / "b.txt")) == ["b.txt", "./a.txt", str(here / "b.txt")]


def test_a_folder_is_read_recursively_sorted_and_without_what_is_hidden(here: Path) -> None:
    touch("in/b.txt", "in/a.txt", "in/.hidden.txt", "in/.git/c.txt", "in/deep/d.txt", "in/deep/.e.txt")

    assert names("in") == ["in/a.txt", "in/b.txt", "in/deep/d.txt"]


def test_a_glob_is_sorted_and_names_files_alone(here: Path) -> None:
    touch("b.txt", "a.txt", "c.csv", "folder.txt/x.txt")

    assert names("*.txt") == ["a.txt", "b.txt"]


def test_a_glob_with_two_stars_goes_into_folders(here: Path) -> None:
    touch("in/a.txt", "in/deep/b.txt")

    assert names("in/**/*.txt") == ["in/a.txt", "in/deep/b.txt"]


def test_a_file_whose_name_looks_like_a_glob_is_that_file(here: Path) -> None:
    touch("[a].txt", "a.txt")

    assert names("[a].txt") == ["[a].txt"]


@pytest.mark.parametrize("given", ["in", "in/*"])
def test_outputs_in_a_folder_or_glob_are_left_out(here: Path, given: str) -> None:
    touch("in/a.txt", "in/out.csv", "in/out.csv.partial")

    found = names(given, outputs=("in/out.csv", "in/out.csv.partial"))

    assert found == ["in/a.txt"]


def test_an_output_named_as_input_is_refused_whatever_its_spelling(here: Path) -> None:
    touch("a.csv")
    Path("link.csv").symlink_to("a.csv")

    for spelling in ("a.csv", "./a.csv", str(here / "a.csv"), "link.csv"):
        with pytest.raises(ValueError, match=r"csv is input and output at once"):
            find_sources([spelling], [Path("a.csv")])


def test_a_puzzle_typed_in_is_a_source_of_its_own(here: Path) -> None:
    found = find_sources([EASY])

    assert found == [Source(TYPED, text=EASY)]
    assert next(found[0].blocks(1000))[:2] == EASY[:2].encode()


def test_a_file_named_as_a_puzzle_is_typed_is_the_file(here: Path) -> None:
    touch(EASY)

    assert find_sources([EASY])[0].path == Path(EASY)


@pytest.mark.parametrize("given", ["*.txt", "in"])
def test_a_glob_or_folder_that_holds_nothing_is_refused_by_name(here: Path, given: str) -> None:
    Path("in").mkdir()

    with pytest.raises(ValueError, match=r"no file is there") as refused:
        find_sources([given])

    assert given in str(refused.value)


def test_a_missing_file_is_named(here: Path) -> None:
    with pytest.raises(FileNotFoundError) as refused:
        find_sources(["nofile.txt"])

    assert refused.value.filename in ("nofile.txt", Path("nofile.txt"))


def test_standard_input_can_be_named_only_once(here: Path) -> None:
    with pytest.raises(ValueError, match="only once"):
        find_sources(["-", "-"])


def test_only_what_lies_there_can_be_read_again(here: Path) -> None:
    touch("a.txt")
    os.mkfifo("pipe")

    again = [source.can_be_read_again() for source in find_sources(["a.txt", EASY, "pipe", "-"])]

    assert again == [True, True, False, False]


def test_of_a_folder_files_alone_are_read(here: Path) -> None:
    (here / "mixed").mkdir()
    touch("mixed/a.txt")
    os.mkfifo("mixed/pipe")  # reading it would wait for somebody who writes

    found = find_sources(["mixed"])

    assert [source.name for source in found] == ["mixed/a.txt"]


def test_a_named_pipe_is_not_opened_before_it_is_read(here: Path) -> None:
    os.mkfifo("pipe")  # opening it would wait for somebody who writes

    found = find_sources(["pipe"])

    assert found[0].size() is None
