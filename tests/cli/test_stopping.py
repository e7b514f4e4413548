"""Ctrl-C in an import: one line says whether anything was imported."""

from pathlib import Path

import pytest

from cranfield.cli import build
from cranfield.store.store import Store
from tests.conftest import Cranfield


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield) -> Path:
    """An empty store, and a run and topics to import."""
    monkeypatch.chdir(tmp_path)
    Path("run").write_text("q1 Q0 d1 1 1 r\n")
    Path("topics").write_text('{"qid": "q1", "title": "one"}\n')
    cranfield("init t.db --name x")
    return tmp_path / "t.db"


def test_a_stopped_import_leaves_nothing(store: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> None:
    """Topics that were added before Ctrl-C are not in the store."""
    add_topics = Store.add_topics

    def stopped(*arguments: object) -> None:
        add_topics(*arguments)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Store, "add_topics", stopped)
        assert cranfield("import topics t.db topics") == (130, "", "stopped; nothing was imported\n")
    with Store.open(store) as there:
        assert there.count("topic") == 0


def test_an_import_that_was_done(store: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Ctrl-C comes after the last step, nobody is told that nothing was imported."""

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(build, "say", stopped)
    outcome = cranfield("import runs t.db run")
    assert (outcome.code, outcome.out) == (130, "")
    assert outcome.err.endswith("\nstopped; the store was changed before the interruption; see `cranfield info t.db`\n")


def test_no_other_command_tells(store: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that only reads has nothing to tell."""

    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Store, "open", stopped)
    assert cranfield("info t.db") == (130, "", "")
