"""Bad data is told in one line that names the file, and nothing is written."""

import csv
import json
from pathlib import Path

import pytest

from tests.arrow import pa, parquet
from tests.conftest import Cranfield, usually

DEEP = "[" * 100_000
DIGITS = "9" * 4_400
RECIPE = """name = "a"
grades = { 0 = "no", 1 = "yes" }
corpus = [{ path = "corpus" }]
topics = [{ path = "topics" }]
"""
FILES: dict[str, tuple[str, bytes]] = {
    "teams that are not UTF-8": ("import runs t.db run --teams bad", b"run\tteam\nr\t\xff\n"),
    "teams whose header is not UTF-8": ("import runs t.db run --teams bad", b"run\tteam\xff\n"),
    "a team of 200,000 bytes": ("import runs t.db run --teams bad", b"run\tteam\nr\t" + b"x" * 200_000 + b"\n"),
    "a depth of 30 digits": ("import runs t.db run --teams bad", b"run\tteam\tdepth\nr\tx\t" + b"9" * 30 + b"\n"),
    "JSON nested too deeply": ("import corpus t.db bad", b'{"docno": ' + DEEP.encode()),
    "JSON topics nested too deeply": ("import topics t.db bad", b'{"qid": ' + DEEP.encode()),
    "metadata nested in 700 levels": (
        "import corpus t.db bad", b'{"_id": "d", "text": "x", "a": ' + b"[" * 700 + b"]" * 700 + b"}",
    ),
    "topics with metadata nested in 101 levels": (
        "import topics t.db bad", b'{"qid": "q", "title": "x", "a": ' + b"[" * 101 + b"]" * 101 + b"}",
    ),
    "an id with a NUL": ("import corpus t.db bad", b'{"_id": "a\\u0000b", "text": "x"}'),
    "a topic with a NUL": ("import topics t.db bad", b'{"_id": "a\\u0000b", "text": "x"}'),
    "votes on a document with a NUL": (
        "import votes t.db bad", b'{"user": "ada", "qid": "q", "docno": "a\\u0000b", "grade": 1}',
    ),
    "votes of a user who is a list": (
        "import votes t.db bad", b'[{"responses": {"grade": [{"user_id": [1], "value": 2}]}}]',
    ),
    "flat votes of a user who is an object": (
        "import votes t.db bad", b'[{"grade.responses": [2], "grade.responses.users": [{"a": 1}]}]',
    ),
    "an integer of thousands of digits": ("import corpus t.db bad", f'{{"docno": {DIGITS}}}'.encode()),
    "votes nested too deeply": ("import votes t.db bad --format prodigy", b'{"a": ' + DEEP.encode()),
    "votes with thousands of digits": ("import votes t.db bad --format prodigy", f'{{"a": {DIGITS}}}'.encode()),
    "a grade of 5,000 digits": ("import qrels t.db bad", f"q1 0 d1 {'9' * 5_000}\n".encode()),
    "guidelines that are not UTF-8": ("init new.db --name x --guidelines bad", b"read\xff"),
    "scores that are not UTF-8": ("correlate bad", b"run,AP\na\xff,1\n"),
    "scores whose header is not UTF-8": ("correlate bad", b"run,\xff\na,1\n"),
    "scores with a cell of 200,000 bytes": ("correlate bad", b"run,AP\n" + b"x" * 200_000 + b",1\n"),
    "scores nested too deeply": ("correlate bad", b'{"scores": ' + DEEP.encode()),
    "a score of 400 digits": (
        "correlate bad", b'[{"run": "a", "measure": "AP", "value": ' + b"9" * 400 + b"}]",
    ),
    "scores without any": ("correlate bad", b'{"scores": []}'),
    "keys nested too deeply": ("judge t.db --assessor ada --keys bad", f"undo = {DEEP}".encode()),
    "keys with thousands of digits": ("judge t.db --assessor ada --keys bad", f"undo = {DIGITS}".encode()),
    "a manifest nested too deeply": ("store verify t.db --manifest bad", b'{"log": ' + DEEP.encode()),
    "a manifest of infinite length": ("store verify t.db --manifest bad", b'{"log": {"events": 1e999, "head": "a"}}'),
    "a recipe that is not UTF-8": ("collection build bad . new.db", b'name = "\xff"'),
    "a recipe nested too deeply": ("collection build bad . new.db", f"name = {DEEP}".encode()),
    "a recipe with thousands of digits": ("collection build bad . new.db", f"name = {DIGITS}".encode()),
    "a recipe with a grade of 30 digits": (
        "collection build bad . new.db", RECIPE.replace("1 =", "9" * 30 + " =").encode(),
    ),
    "a recipe with a min_relevant of 30 digits": (
        "collection build bad . new.db", f"min_relevant = {'9' * 30}\n{RECIPE}".encode(),
    ),
    "a recipe with a NUL in a path": (
        "collection build bad . new.db", RECIPE.replace('"corpus"', '"a\\u0000"').encode(),
    ),
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield) -> Path:
    """A folder with an empty store and a run."""
    monkeypatch.chdir(tmp_path)
    Path("run").write_text("q1 Q0 d1 1 1 r\n")
    assert cranfield("init t.db --name x").code == 0
    return tmp_path


@pytest.mark.parametrize(("command", "content"), FILES.values(), ids=list(FILES))
def test_a_bad_file_is_one_line(folder: Path, cranfield: Cranfield, command: str, content: bytes) -> None:
    """Exit code 1, and no more of the file than a line has room for; whatever was read before."""
    csv.field_size_limit(1 << 30)
    Path("bad").write_bytes(content)
    output = cranfield(command)
    assert (output.code, output.out, output.err.count("\n")) == (1, "", 1)
    assert output.err.startswith("error: bad")
    assert len(output.err) < 300
    assert not Path("new.db").exists()


BROKEN_JSON = {
    "a comma too many": ('{"q1":\n {"d1": 1.0,}}', "2: not JSON: "),  # the words are Python's and differ
    "a file cut off": ('{"q1": {"d1": 1.0, "d2"', "1: not JSON: Expecting ':' delimiter at column 24"),
    "an infinite number": ('{"q1":\n {"d1": Infinity}}', "2: not JSON: Infinity is not a number in JSON"),
}


@pytest.mark.parametrize(
    "command",
    [
        "evaluate right.json bad.json",
        "evaluate bad.json right.json",
        "compare right.json right.json bad.json",
        "correlate bad.json right.json",
        "import runs t.db bad.json --format json",
        "import qrels t.db bad.json --format json",
        "import votes t.db bad.json --format label-studio",
    ],
)
@pytest.mark.parametrize(("text", "fault"), BROKEN_JSON.values(), ids=list(BROKEN_JSON))
def test_broken_json_has_its_place(folder: Path, cranfield: Cranfield, command: str, text: str, fault: str) -> None:
    """Wherever a whole file is JSON, the error names the line and what was expected there."""
    Path("bad.json").write_text(text)
    Path("right.json").write_text('{"q1": {"d1": 1, "d2": 0}}')
    assert f"error: bad.json:{fault}" in cranfield(command).err


def test_a_second_column_of_5000_digits_is_a_subtopic(folder: Path, cranfield: Cranfield) -> None:
    """It is told from another by its digits, however many there are."""
    long = "9" * 5_000
    Path("qrels").write_text(f"q1 1 d1 1\nq1 {long} d1 0\n")
    output = cranfield("evaluate qrels run -m AP")
    assert output.code == 0
    assert output.err == (
        "note: qrels: read as subtopics (qid subtopic docno grade, for diversity tasks)\n"
        "note: the qrels list only relevant documents and do not show which documents were judged; "
        "Judged@10 is undefined\n"
    )


def test_parquet_with_a_broken_schema_is_one_line(folder: Path, cranfield: Cranfield) -> None:
    """A byte changed anywhere in the footer is told, or does no harm."""
    parquet.write_table(pa.table({"docno": ["d1"], "text": ["a wing"]}), "whole")
    whole = Path("whole").read_bytes()
    for place in range(len(whole) - 8 - int.from_bytes(whole[-8:-4], "little"), len(whole) - 8, usually(28, 7)):
        Path("bad").write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        output = cranfield("import corpus t.db bad")
        assert output.code in (0, 1)
        assert output.code == 0 or (output.err.startswith("error: bad") and output.err.count("\n") == 1), (
            place,
            output,
        )
        if output.code == 0:
            cranfield("store remove t.db import 1")


def test_a_separator_around_a_grade_is_white_space(folder: Path, cranfield: Cranfield) -> None:
    """As `strip` has it, which knows more of it than `int`."""
    Path("qrels").write_text("q1 0 d1 1\n")
    assert cranfield("init", "new.db", "--name", "x", "--scale", "\x1c0=no,1\x1f=yes").code == 0
    assert cranfield("import", "qrels", "new.db", "qrels", "--grades", "\x1c1=1\x1f").code == 0


@pytest.mark.parametrize("grades", ["1=", "=1", "1=" + "9" * 30, "9" * 30 + "=1", "1=1=1"])
def test_grades_that_are_none_are_wrong_usage(folder: Path, cranfield: Cranfield, grades: str) -> None:
    """Of qrels and of votes."""
    words = grades in ("1=1=1", "9" * 30 + "=1")  # of votes, whose grades may be words
    for kind in ("qrels",) if words else ("qrels", "votes"):
        output = cranfield("import", kind, "t.db", "run", "--grades", grades)
        assert (output.code, output.out) == (2, "")
    assert cranfield("init", "new.db", "--name", "x", "--scale", f"0=no,{'9' * 30}=yes").code == 1
    assert not Path("new.db").exists()


@pytest.mark.parametrize(
    "command",
    [
        ["init", "new.db", "--name", "\udcff"],
        ["import", "qrels", "t.db", "qrels", "--assessor", "\udcff"],
    ],
)
def test_names_that_are_not_utf8_are_one_line(folder: Path, cranfield: Cranfield, command: list[str]) -> None:
    """Nothing is recorded that could not be read again."""
    Path("qrels").write_text("q1 0 d1 1\n")
    assert "is not UTF-8" in cranfield.error(*command)
    assert not Path("new.db").exists()
    assert json.loads(cranfield("info t.db --format json").out)["judgment_event"] == 0
