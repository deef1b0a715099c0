from pathlib import Path

from tests.cli.conftest import HERE_AND_THERE, Aloi

pytestmark = HERE_AND_THERE

CASES = 'key,prompt,notes\na,"Hello, you",x\nb,Bye,y\n'


def test_import_list_and_export(aloi: Aloi, tmp_path: Path) -> None:
    (tmp_path / "greetings.csv").write_text(CASES)
    assert "no dataset yet" in aloi("datasets", "list").out
    ended = aloi("datasets", "import", tmp_path / "greetings.csv")
    assert (ended.code, ended.out) == (0, "greetings: 2 cases taken in, 2 in the dataset now\n")
    assert "notes" in ended.err
    listed = aloi("datasets", "list")
    assert "greetings" in listed.out
    assert "2" in listed.out
    exported = aloi("datasets", "export", "greetings")
    assert exported.code == 0
    assert exported.out.replace("\r\n", "\n") == 'key,prompt\na,"Hello, you"\nb,Bye\n'
    for ending in ("csv", "json", "jsonl"):
        path = tmp_path / f"out.{ending}"
        assert aloi("datasets", "export", "greetings", "-o", path).code == 0
        assert aloi("datasets", "import", path, "--name", ending).code == 0
        assert aloi("datasets", "export", ending).out == exported.out


def test_replacing(aloi: Aloi, tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text(CASES)
    aloi("datasets", "import", path)
    path.write_text("key,prompt\nc,New\n")
    assert "3 in the dataset now (before: 2)" in aloi("datasets", "import", path).out
    assert "1 in the dataset now (before: 3)" in aloi("datasets", "import", path, "--replace").out


def test_a_bad_file_changes_nothing_and_names_the_line(aloi: Aloi, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("key,prompt\na,Hello\na,Again\n")
    ended = aloi("datasets", "import", path)
    assert ended.code == 2
    assert "bad.csv" in ended.err
    assert "3" in ended.err
    assert "no dataset yet" in aloi("datasets", "list").out


def test_an_unknown_dataset_leaves_no_file(aloi: Aloi, tmp_path: Path) -> None:
    ended = aloi("datasets", "export", "nope", "-o", tmp_path / "x.csv")
    assert ended.code == 2
    assert "nope" in ended.err
    assert not (tmp_path / "x.csv").exists()


def test_the_ending_of_a_file_says_the_format(aloi: Aloi, tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("key,prompt\na,Hello\n")
    aloi("datasets", "import", tmp_path / "d.csv")
    for name, start in (("x.ndjson", '{"key"'), ("x.JSON", "["), ("x.txt", "key,")):
        assert aloi("datasets", "export", "d", "-o", tmp_path / name).code == 0
        assert (tmp_path / name).read_text().startswith(start)


def test_a_column_that_is_not_known_comes_with_the_nearest_known_one(aloi: Aloi, tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("key,prompt,expected_ouput\na,Hello,Hi\n")
    ended = aloi("datasets", "import", tmp_path / "d.csv")
    assert "expected_ouput (did you mean expected_output?)" in ended.err
