"""The description of a task: what is wrong is one line with the place of it; and its phases."""

from pathlib import Path

import pytest

from cranfield.errors import InputError
from cranfield.features.tasks.description import TEMPLATE, parse_task
from cranfield.features.tasks.rules import rules_of
from cranfield.features.tasks.run_meta import RunMeta, meta_of
from cranfield.features.tasks.sent_files import check_file
from cranfield.features.tasks.store import accept_terms, begin_phase, task_of
from cranfield.features.tasks.submissions import NewSubmission, accept, begin_file, keep_piece
from cranfield.store.store import Store, now
from tests.conftest import Cranfield
from tests.features.tasks.track import DOCNOS, QIDS, description, run_lines
from tests.stores import new_file


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "04-30T23:59:59Z",
            "04-30T23:59:59",
            "16: dates.close is 2027-04-30T23:59:59, without a zone; expected a zone",
        ),
        ("2027-04-30T23:59:59Z", "2027-04-30", "16: dates.close is 2027-04-30; expected a date with a time and a zone"),
        ("close = 2027-04", "close = 2027-02", "dates.close is 2027-02-28T23:59:59; expected a time after dates.open"),
        ("runs = 3 ", "runs = 0 ", "20: limits.runs is 0; expected a whole number of at least 1"),
        ('"64M"', '"lots"', "24: the size is 'lots'; expected a number such as 500000, 64M or 2G"),
        ('missing = "error"', 'missing = "no"', "5: missing is 'no'; expected error or warn"),
        ('names = "own"', 'named = "own"', "8: no field 'named'; did you mean name?"),
        ('leaderboard = "hidden"', 'leaderboard = "topics:"', "7: leaderboard is 'topics:'; expected hidden, after or"),
        ('"nDCG@10"', '"nDGC@10"', "11: unknown measure 'nDGC@10'"),
        ('name = "training"', 'name = "tag"', "34: field 'tag' exists already; choose another name"),
        ("required = false", 'required = "no"', "34: required for 'training' is 'no'; expected true or false"),
        ("[limits]", "[limits", "19: not TOML"),
        (
            "[dates]\n",
            "dates = 3\n[date]\n",
            "13: dates is 3; expected a table, [dates] with open = ... and close = ...",
        ),
        ("[limits]", "[[limits]]", "19: limits is [{'runs': 3"),
        ("[pool]", "[[pool]]", "30: pool is [{'depth': 100, 'per_team': 1}]; expected a table, [pool] with depth ="),
    ],
)
def test_a_wrong_description(old: str, new: str, message: str, tmp_path: Path, cranfield: Cranfield) -> None:
    """It is refused, and nothing is written."""
    store, file = tmp_path / "t.db", tmp_path / "task.toml"
    cranfield("init", store, "--name", "T")
    text = TEMPLATE.replace(old, new.replace("2027-02", "2027-02-28T23:59:59Z #") if "close = 2027-02" in new else new)
    assert text != TEMPLATE
    file.write_text(text)
    result = cranfield("task", "describe", store, file)
    assert (result.code, result.err.count("\n")) == (1, 1)
    assert f"task.toml:{message}" in result.err or f"task.toml: {message}" in result.err
    assert cranfield("task", "describe", store).out == TEMPLATE


def test_a_field_is_a_table() -> None:
    text = TEMPLATE.partition("[[field]]")[0].replace('missing = "error"', "field = [3]")
    with pytest.raises(InputError, match=r"field is 3; expected a table, \[\[field\]\] with name = \.\.\. and about"):
        parse_task(text)


@pytest.mark.full
def test_a_description_that_is_right(tmp_path: Path, cranfield: Cranfield) -> None:
    """The template describes a task; going back to a phase needs a reason."""
    store, file = tmp_path / "t.db", tmp_path / "task.toml"
    cranfield("init", store, "--name", "T")
    file.write_text(TEMPLATE)
    output = cranfield("task", "describe", store, file).out
    assert output == "My track: runs from 2027-03-01T12:00 to 2027-04-30T23:59 UTC\n"
    assert cranfield("task", "open", store).out == "the task is open for runs; its previous phase was announced\n"
    assert cranfield("task", "close", store).out.splitlines()[-1] == "added 0 runs to the collection"
    assert "the phase is already closed; give a --reason to go back to open" in cranfield("task", "open", store).err
    assert cranfield("task", "open", store, "--reason", "the server was down").code == 0
    assert cranfield("store", "verify", store).code == 0


def submit(path: Path, tag: str) -> None:
    """A run of the team cuni that is accepted now."""
    with Store.open(path) as store:
        accept_terms(store, "cuni", task_of(store).terms)
        run, file = check_file(tag, rules_of(store, "cuni"), content=run_lines(tag))
        keep_piece(store, upload := begin_file(store), run_lines(tag))
        accept(store, NewSubmission("cuni", run, file, RunMeta(tag), upload, now()))


def test_runs_that_were_not_taken(tmp_path: Path, cranfield: Cranfield) -> None:
    """Results take those that stand, or name them; `close` takes them, also where the dates have led to the results."""
    path, file, qrels = tmp_path / "t.db", tmp_path / "task.toml", tmp_path / "qrels"
    new_file(path, grades={0: "not", 1: "relevant"}, documents=DOCNOS, topics=QIDS)
    file.write_text(description(late='"unpooled"'))
    cranfield("task", "describe", path, file)
    cranfield("task", "invite", path, "cuni")
    submit(path, "a")
    assert "add the submitted runs with `cranfield task close`" in cranfield("task", "results", path).err
    output = cranfield("task", "release", path).out
    assert (
        output
        == "the task is over, with its results released; its previous phase was open\nadded 1 run to the collection\n"
    )
    cranfield("task", "open", path, "--reason", "once more")
    submit(path, "b")
    cranfield("task", "close", path, "--reason", "and again")
    cranfield("task", "open", path, "--reason", "for one")
    submit(path, "c")
    with Store.open(path) as store:
        begin_phase(store, "results")
    qrels.write_text("1 0 d1 1\n")
    cranfield("import", "qrels", path, qrels)
    note = "note: 1 run is not in the collection yet (cuni/c); add it with `cranfield task close`\n"
    assert note in cranfield("task", "results", path).err
    assert note in cranfield("task", "archive", path, tmp_path / "archive").err
    assert cranfield("task", "close", path).out == "added 1 run to the collection\n"
    assert "not in the collection" not in cranfield("task", "results", path).err


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"kind": "magic"}, "kind is 'magic'; expected automatic, feedback or manual"),
        ({"priority": "0"}, "priority is '0'; expected a whole number from 1 to 99"),
        ({"model": "x"}, "a run of this task has no 'model'; available: tag, priority"),
        ({"description": "x" * 3000}, "description has 3,000 characters"),
        ({}, "the field training is missing; this task requires it"),
        ({"training": "all"}, "training is 'all'; expected some or none"),
    ],
)
def test_what_a_run_says_of_itself(fields: dict[str, str], error: str) -> None:
    """Fields that are not asked for, or missing, or not among the choices are refused."""
    task = parse_task(TEMPLATE.replace("required = false", 'required = true\nchoices = ["some", "none"]'))
    with pytest.raises(Exception, match="^" + error[:40].replace("?", r"\?")):
        meta_of({"training": "some", **fields} if fields else fields, task)
    assert meta_of({"training": "some"}, task).fields == {"training": "some"}
