"""The command `judge`."""

import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from cranfield.cli.commands.judge import OrderName, judge
from cranfield.cli.common_options import expand_option_records
from cranfield.errors import CranfieldError
from cranfield.judging.planning.assign import assign_topics_to_assessors
from cranfield.judging.session.order import ORDERS
from cranfield.store.assignments import assignments
from cranfield.store.log import current_decisions, read_events, set_guidelines
from cranfield.store.store import Store
from tests.conftest import ROOT, Cranfield
from tests.judging.cases import store_of
from tests.stores import new_file

app = typer.Typer()
app.command()(expand_option_records(judge))


def run(path: Path, *options: str, keys: str = "") -> str:
    """What `judge` prints; errors come through."""
    command = [str(path), "--assessor", "ada", *options]
    result = CliRunner().invoke(app, command, input=keys, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "track.db"
    store_of(path=path).close()
    return path


def test_judging_from_a_pipe(path: Path) -> None:
    """Keys in, labels in the store, a summary at the end; with --plain and without it."""
    run(path, "--plain", keys="1\n2\nq\n")
    assert run(path, keys="0\n").endswith("judged 3, later 0, cannot judge 0, remaining 3\n")
    with Store.open(path) as store:
        assert sorted(event.grade for event in current_decisions(store, "ada").values() if event.grade is not None) == [
            0,
            1,
            2,
        ]


def test_options_reach_the_session(path: Path) -> None:
    """Topic, order, seed and pool narrow and order what is shown."""
    text = run(path, "--topic", "q3", "--topic", "q2", "--order", "docid", "--seed", "3", "--pool", "1", keys="1\n")
    assert text.index("text of d2") < text.index("text of d4")
    assert "Topic q1" not in text
    with Store.open(path) as store:
        (event,) = current_decisions(store, "ada").values()
        assert (event.order_policy, event.order_seed, event.pool) == ("docid", 3, 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--topic", "q9"], "topic 'q9' is not in the pool; available: q1, q2, q3"),
        (["--pool", "7"], "no pool 7 in this store"),
    ],
)
def test_faults_are_one_line(path: Path, options: list[str], message: str) -> None:
    """What is not there is named, in an error that the command line prints as one line."""
    with pytest.raises(CranfieldError, match=message) as error:
        run(path, *options)
    assert "\n" not in str(error.value)


@pytest.mark.full
def test_the_queue_is_judged_topic_after_topic(path: Path) -> None:
    """One call claims topic after topic; what is asked for by name claims nothing more."""
    with Store.open(path) as store:
        assign_topics_to_assessors(store)
    run(path, "--plain", keys="1\n1\n1\n2\n")
    with Store.open(path) as store:
        assert [one.assessor for one in assignments(store)] == ["ada", "ada", None]
    text = run(path, "--topic", "q2", keys="2\n2\n")
    assert text.endswith("judged 2, later 0, cannot judge 0, remaining 0\n")
    assert run(path, keys="1\n").endswith("judged 6, later 0, cannot judge 0, remaining 0\n")
    with Store.open(path) as store:
        assert sum(one.unfinished for one in assignments(store)) == 0


def test_nothing_for_her(path: Path) -> None:
    """Where all is somebody else's, it is said."""
    with Store.open(path) as store:
        assign_topics_to_assessors(store, ["bob"])
    with pytest.raises(CranfieldError, match="'ada' has no assigned documents, and the queue is empty"):
        run(path)


def test_a_store_that_is_none(tmp_path: Path) -> None:
    """A missing store, and a store without a pool, say what to do."""
    with pytest.raises(CranfieldError, match="no such store"):
        run(tmp_path / "none.db")
    new_file(tmp_path / "empty.db")
    with pytest.raises(CranfieldError, match="no pool in this store"):
        run(tmp_path / "empty.db")


def test_the_orders_are_those_of_the_table() -> None:
    """Whoever adds an order adds it to the command's choices."""
    assert [name.value for name in OrderName] == list(ORDERS)


def test_a_key_file_and_guidelines(path: Path, tmp_path: Path) -> None:
    """Both reach the line mode, which is what a pipe gets; guidelines of the store are shown where no file is given."""
    (tmp_path / "keys.toml").write_text('later = "w"\n')
    (tmp_path / "guidelines.txt").write_text("be fair\n")
    text = run(
        path, "--keys", str(tmp_path / "keys.toml"), "--guidelines", str(tmp_path / "guidelines.txt"), keys="w\ng\n"
    )
    assert "later. u undoes it" in text
    assert "\n  be fair\n" in text
    with Store.open(path) as store:
        set_guidelines(store, "be kind")
    assert "\n  be kind\n" in run(path, keys="g\n")


def test_a_key_file_that_collides_is_refused(path: Path, tmp_path: Path) -> None:
    """Before anything is shown or recorded."""
    (tmp_path / "keys.toml").write_text('later = "u"\n')
    with pytest.raises(CranfieldError, match=r"keys.toml: later and undo have the same key 'u'"):
        run(path, "--keys", str(tmp_path / "keys.toml"), keys="1\n")
    with Store.open(path) as store:
        assert read_events(store) == []


def test_help_has_an_example() -> None:
    """Help shows how to call it."""
    assert "cranfield judge track.db --assessor ada" in CliRunner().invoke(app, ["--help"]).output


def test_the_command_is_light_to_import() -> None:
    """Gathering the commands loads neither numpy nor the store."""
    heavy = "{'numpy', 'sqlite_utils', 'pandas', 'textual'}"
    code = f"import sys, cranfield.cli.commands.judge; print({heavy} & set(sys.modules))"
    root = ROOT
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root, check=True)
    assert process.stdout.strip() == "set()"


@pytest.mark.full
def test_an_encoding_without_the_marks(path: Path) -> None:
    """On a terminal that has only ASCII, what it cannot show is spelt out."""
    with Store.open(path) as store:
        store.db.execute("UPDATE document SET text = ? WHERE docno = 'd1'", ["naïve \x1b[31m"])
    code = (
        "import typer; from cranfield.cli.commands.judge import judge;"
        " from cranfield.cli.common_options import expand_option_records;"
        " typer.run(expand_option_records(judge))"
    )
    command = [sys.executable, "-c", code, str(path), "--assessor", "ada", "--order", "docid"]
    root = ROOT
    environment = {"PYTHONIOENCODING": "ascii", "PYTHONPATH": str(root)}
    process = subprocess.run(command, input=b"n \xff\nq\n", capture_output=True, env=environment, cwd=root, check=True)
    assert rb"na\xefve \u241b[31m" in process.stdout


@pytest.mark.parametrize(
    ("words", "why"),
    [
        pytest.param(
            "--audit 1 --pairs adjacent",
            "Invalid value for --audit: does not go with --pairs",
            marks=pytest.mark.needs("models", "preferences"),
        ),
        pytest.param(
            "--pairs adjacent --pool 1",
            "Invalid value for --pairs: goes without --pool and --order",
            marks=pytest.mark.needs("preferences"),
        ),
    ],
)
def test_options_of_features_that_do_not_go_together(
    workshop: Path, cranfield: Cranfield, words: str, why: str
) -> None:
    """They are wrong usage, and nothing is begun."""
    output = cranfield("judge", str(workshop), "--assessor", "ada", "--plain", *words.split())
    assert output.code == 2
    assert why in output.err
