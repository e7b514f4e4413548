"""Preferences leave the store and come back, and trec-eval takes what is written."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

import cranfield
from cranfield.cli.program import app
from cranfield.errors import CranfieldError
from cranfield.formats import read_preferences, read_qrels
from cranfield.judging.preferences.files import as_lines, import_preferences, resolved
from cranfield.store.store import Store
from tests.judging.cases import store_of

CIRCLE = "q1 ada 1 d1 2\nq1 ada 1 d2 1\nq1 ada 2 d2 2\nq1 ada 2 d3 1\nq1 ada 3 d3 2\nq1 ada 3 d1 1\n"
TIE = "q2 ada 4 d2 1\nq2 ada 4 d4 1\n"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with a circle of preferences, and a tie."""
    (tmp_path / "prefs").write_text(CIRCLE + TIE)
    path = tmp_path / "t.db"
    with store_of(path=path) as store:
        assert import_preferences(store, read_preferences(tmp_path / "prefs")) == 4
    return path


def test_circles_get_groups_of_their_own_and_trec_eval_reads_the_file(store: Path, tmp_path: Path) -> None:
    """All four preferences are there; a group with the circle would be refused."""
    out, run = tmp_path / "out", tmp_path / "run"
    run.write_text("q1 Q0 d1 0 3 t\nq1 Q0 d2 0 2 t\nq1 Q0 d3 0 1 t\n")
    done = CliRunner().invoke(app, ["export", "preferences", str(store), str(out)])
    assert "4 pairs in both orders, 0 with different answers (0 %)" in done.stdout
    assert "3 preferences in circles; each has a group of its own" in done.stderr
    done = CliRunner().invoke(app, ["trec-eval", "-R", "prefs", "-m", "all_prefs", str(out), str(run)])
    values = {line.split()[0]: line.split()[2] for line in done.stdout.splitlines()}
    assert (values["prefs_num_prefs_poss"], values["prefs_num_prefs_ful"]) == ("3", "2")


def test_what_is_exported_comes_back(store: Path) -> None:
    """The same preferences, ties included."""
    with Store.open(store) as one, store_of() as other:
        before = resolved(one).preferences
        import_preferences(other, as_lines(before).lines, "ada")
        after = resolved(other).preferences
    assert [(p.pair, p.better) for p in before] == [(p.pair, p.better) for p in after]


def test_levels_are_qrels_of_their_own(store: Path, tmp_path: Path) -> None:
    """They say that they are levels, and never are judgments of the store."""
    out = tmp_path / "levels"
    done = CliRunner().invoke(app, ["export", "preferences", str(store), str(out), "--format", "copeland"])
    assert done.exit_code == 0, done.output
    levels = read_qrels(out)
    assert levels.grade.tolist() == [0, 0, 0, 0, 0]
    assert {line.split()[1] for line in out.read_text().splitlines()} == {"copeland"}
    with Store.open(store) as opened:
        assert opened.count("judgment_event") == 0
    table = cranfield.preferences(store, by="document")
    assert table[["doc_id", "score", "ties"]].values.tolist()[0] == ["d1", 1.0, 0]
    better = cranfield.preferences(store)["better"]
    assert (better[:3].tolist(), better.isna().tolist()) == (["d1", "d2", "d3"], [False, False, False, True])


def test_what_the_store_does_not_have_is_refused_whole(tmp_path: Path) -> None:
    """Nothing of the file is imported."""
    (tmp_path / "prefs").write_text("q1 ada 1 d1 2\nq1 ada 1 d2 1\nq1 ada 1 nowhere 1\n")
    with store_of() as store:
        with pytest.raises(CranfieldError, match="no document 'nowhere' in this store"):
            import_preferences(store, read_preferences(tmp_path / "prefs"))
        with pytest.raises(CranfieldError, match="no pair has answers in both orders yet"):
            resolved(store)
