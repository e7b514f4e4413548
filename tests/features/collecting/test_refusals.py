"""What each analysis says of a pool by each adaptive method: an answer, or a refusal that names the draw."""

import re
from pathlib import Path

import pytest

from cranfield.pooling.methods import METHODS
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.features.collecting.corpora import TOPICS, documents, judge, store_of

ADAPTIVE = [name for name, row in METHODS.items() if row.adaptive]
BY_CORPUS = ("cal", "scal", "draw")  # leaving runs out says nothing of these
DRAW = "--draw 100 draw.tsv --store-pool"


@pytest.fixture
def make_store(tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a store with two runs, and of a run that no pool has."""
    monkeypatch.chdir(tmp_path)
    for number, tag in enumerate(("new", "other")):
        docnos = [one.docno for one in documents()][number::3]
        rows = [f"{q} Q0 {docno} {rank} {-rank} {tag}\n" for q in TOPICS for rank, docno in enumerate(docnos)]
        Path(f"{tag}.run").write_text("".join(rows))
    with store_of(tmp_path / "t.db"):
        pass
    cranfield.run("import runs t.db other.run")
    return tmp_path / "t.db"


def judge_all(path: Path) -> None:
    """All documents of the newest pool; of a growing pool 30 at most."""
    with Store.open(path) as store:
        judge(store, 30)


@pytest.mark.parametrize("method", ADAPTIVE)
def test_each_analysis_answers_or_names_the_draw(make_store: Path, cranfield: Cranfield, method: str) -> None:
    """`reusability` and `diagnose` answer for pools of runs; a forecast by depth needs a pool to a depth."""
    cranfield.run(f"pool build t.db --method {method} --budget 12 --seed 1")
    judge_all(make_store)
    refused = []
    for command in ("pool forecast t.db", "depths t.db", "reusability t.db", "diagnose t.db new.run"):
        output = cranfield(command)
        if output.code == 0:
            assert output.out
            continue
        refused.append(command.split()[0])
        assert (output.code, output.out) == (1, "")
        assert re.search(rf"\bbuilt by {method}\b", output.err)
        assert f"`cranfield pool forecast t.db {DRAW}` draws documents" in output.err
    expected = ["pool", "depths"]
    if method in BY_CORPUS:
        expected += ["reusability"] if method == "cal" else ["reusability", "diagnose"]
    assert refused == expected
    if "diagnose" not in refused:
        assert re.search(r"cranfield diagnose t.db new.run --draw \d+ draw.tsv --store-pool", cranfield(command).out)


@pytest.mark.parametrize("method", ["mtf", "scal"])
def test_the_proposed_draw_is_read(make_store: Path, cranfield: Cranfield, method: str) -> None:
    """Once it is judged, `pool forecast` gives the interval of what is missing, for a pool of runs as well."""
    cranfield.run(f"pool build t.db --method {method} --budget 12 --seed 1")
    judge_all(make_store)
    cranfield.run(f"pool forecast t.db {DRAW}")
    refusal = cranfield("pool forecast t.db")
    assert (refusal.code, "is a random draw, and none of the" in refusal.err) == (1, True)
    judge_all(make_store)
    assert "are relevant (95% interval, exact)" in cranfield("pool forecast t.db").out
