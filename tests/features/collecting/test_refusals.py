"""What each analysis says of a pool by each adaptive method: an answer, or a refusal that names the draw."""

import re
from collections.abc import Callable, Sized
from pathlib import Path
from typing import Any

import pytest

from cranfield.analysis.depths import depths_document
from cranfield.analysis.diagnosis import DiagnoseSetting, diagnosis_of, open_case, score_rows
from cranfield.analysis.forecast import forecast_of
from cranfield.analysis.new_run import diagnose_learnt, has_learnt_model
from cranfield.analysis.reusability import ReusabilitySetting, verdict_of
from cranfield.errors import InputError
from cranfield.formats import RunInfo, read_runs
from cranfield.metrics.notation import parse_measures
from cranfield.pooling.methods import METHODS
from cranfield.pooling.stored.growth import build
from cranfield.pooling.stored.request import PoolRequest
from cranfield.store.runs import add_runs
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.features.collecting.corpora import TOPICS, documents, judge, store_of
from tests.views import view_of

ADAPTIVE = [name for name, row in METHODS.items() if row.adaptive]
BY_CORPUS = ("cal", "scal", "draw")  # leaving runs out says nothing of these
DRAW = "--draw 100 draw.tsv --store-pool"


def param_of(method: str) -> Any:
    return pytest.param(method, marks=pytest.mark.needs_extra("search") if method in BY_CORPUS else ())


@pytest.fixture
def make_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a store with two runs, and of a run that no pool has."""
    monkeypatch.chdir(tmp_path)
    for number, tag in enumerate(("new", "other")):
        docnos = [one.docno for one in documents()][number::3]
        rows = [f"{q} Q0 {docno} {rank} {-rank} {tag}\n" for q in TOPICS for rank, docno in enumerate(docnos)]
        Path(f"{tag}.run").write_text("".join(rows))
    with store_of(tmp_path / "t.db") as store:
        add_runs(store, read_runs(Path("other.run")), {"other": RunInfo("other")})
    return tmp_path / "t.db"


def judge_all(path: Path) -> None:
    """All documents of the newest pool; of a growing pool 30 at most."""
    with Store.open(path) as store:
        judge(store, 30)


def pool_and_judge(path: Path, method: str) -> None:
    """Build a pool by a method, and judge it."""
    with Store.open(path) as store:
        build(store, PoolRequest(method, budget=12, seed=1))
    judge_all(path)


def refused_of(method: str) -> list[str]:
    """The analyses that do not answer for a pool by a method."""
    by_corpus = ["reusability"] if method == "cal" else ["reusability", "diagnose"]
    return ["pool forecast", "depths", *(by_corpus if method in BY_CORPUS else [])]


def analyses(path: Path) -> dict[str, Callable[[], Sized]]:
    """What each command computes, as rows or sentences."""
    source = view_of([path])

    def diagnose() -> Sized:
        case = open_case(view_of([path]), Path("new.run"))
        if has_learnt_model(case.whole, None):
            return diagnose_learnt(case.whole, case.tag, parse_measures(["P@10"])).rows
        return score_rows(diagnosis_of(case, DiagnoseSetting(measures=["P@10"])))

    return {
        "pool forecast": lambda: forecast_of(view_of([path])),
        "depths": lambda: depths_document(source),
        "reusability": lambda: verdict_of(source, ReusabilitySetting(measures=["P@10"])).to_json(),
        "diagnose": diagnose,
    }


@pytest.mark.parametrize("method", [*map(param_of, ADAPTIVE)])
def test_each_analysis_answers_or_names_the_draw(make_store: Path, method: str) -> None:
    """`reusability` and `diagnose` answer for pools of runs; a forecast by depth needs a pool to a depth."""
    pool_and_judge(make_store, method)
    refusal = rf"\bbuilt by {method}\b.*`cranfield pool forecast t.db {DRAW}`"
    for name, analyse in analyses(Path("t.db")).items():
        if name in refused_of(method):
            with pytest.raises(InputError, match=refusal):
                analyse()
        else:
            assert len(analyse())


@pytest.mark.parametrize("method", [*map(param_of, ["mtf", "cal", "scal"])])
def test_each_command_answers_or_names_the_draw(make_store: Path, cranfield: Cranfield, method: str) -> None:
    """One line and exit code 1, or an answer, which for a new run names the draw as well."""
    pool_and_judge(make_store, method)
    refused = refused_of(method)
    for command, words in (("pool forecast", ""), ("depths", ""), ("reusability", ""), ("diagnose", "new.run")):
        output = cranfield(*command.split(), "t.db", *words.split())
        if command in refused:
            assert (output.code, output.out) == (1, "")
            assert output.err.count("error: ") == 1
            assert f"`cranfield pool forecast t.db {DRAW}`" in output.err
        else:
            assert (output.code, output.out != "") == (0, True)
    if "diagnose" not in refused:
        assert re.search(r"cranfield diagnose t.db new.run --draw \d+ draw.tsv --store-pool", output.out)


@pytest.mark.needs_extra("search")
def test_a_pool_by_active_learning_is_not_verified(make_store: Path, cranfield: Cranfield) -> None:
    """It has no depth and no tie rule to infer; --depth takes it as a pool to that depth."""
    pool_and_judge(make_store, "cal")
    refused = cranfield.error("pool verify t.db")
    assert "pool 1 was built by cal, which chooses from the whole corpus: no depth or contributing runs" in refused
    assert f"`cranfield pool forecast t.db {DRAW}`" in refused
    assert "depth" in cranfield.out("pool verify t.db --depth 3")


@pytest.mark.parametrize("method", [*map(param_of, ["mtf", "scal"])])
def test_the_proposed_draw_is_read(make_store: Path, cranfield: Cranfield, method: str) -> None:
    """Once it is judged, `pool forecast` gives the interval of what is missing, for a pool of runs as well."""
    pool_and_judge(make_store, method)
    cranfield.run(f"pool forecast t.db {DRAW}")
    refusal = cranfield("pool forecast t.db")
    assert (refusal.code, "is a random draw, and none of the" in refusal.err) == (1, True)
    judge_all(make_store)
    assert "are relevant (exact 95% interval)" in cranfield("pool forecast t.db").out
