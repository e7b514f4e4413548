"""One function fits the pool: `compare`, the gate and `diagnose` forecast alike from the same inputs."""

import json
from dataclasses import astuple
from pathlib import Path
from shutil import copyfile

import numpy as np
import pytest

import cranfield as api
from cranfield.analysis.comparison import comparison_of, open_subject, outcomes_of
from cranfield.analysis.diagnosis import (
    DiagnoseSetting,
    Diagnosis,
    diagnosis_of,
    draw_for_diagnosis,
    draw_unjudged,
    open_case,
)
from cranfield.analysis.outcomes import ComparedOutcomes, CompareSetting
from cranfield.analysis.pool_model import (
    find_pool,
    find_pool_of_runs,
    fit_pool_model,
    forecaster_of_differences,
)
from cranfield.analysis.random_draws import grades_of
from cranfield.formats import RunInfo
from cranfield.metrics.forecast.forecaster import PAIRS_NOT_TESTED, unjudged_pairs
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.options.draws import DrawSetting
from cranfield.pooling.build import build_pool
from cranfield.pooling.methods import METHODS
from cranfield.pooling.stored.growth import build
from cranfield.pooling.stored.request import PoolRequest
from cranfield.store.log import add_assessor
from cranfield.store.qrels import import_qrels
from cranfield.store.runs import add_runs
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.features.collecting.corpora import judge, store_of
from tests.files import qrels_lines, track_files
from tests.metrics.forecast.made_up import RunDict, made_up, pool_of
from tests.real import copied
from tests.stores import new_store
from tests.views import make_view, view_of

POOLED = [f"r{number}" for number in range(6)]
MEASURES = ["AP", "P@10"]


RUNS, FULL = made_up(7)
POOLED_RUNS: RunDict = {tag: RUNS[tag] for tag in POOLED}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files of six pooled runs, of a new one, and of the judgments of the pool to depth 10; teams."""
    monkeypatch.chdir(tmp_path)
    write_files()
    return tmp_path


def write_files() -> None:
    """Write them into the current folder."""
    track_files(Path(), pool_of(POOLED_RUNS, FULL, 10), RUNS)
    Path("same-teams.tsv").write_text("\n".join(["run\tteam\tpooled", *(f"{t}\t{t}\tyes" for t in POOLED)]) + "\n")


def make_store(path: str, request: PoolRequest) -> None:
    """Make a store of all runs, pooled from six, with the judgments of the pool to depth 10."""
    docnos = sorted({docno for grades in FULL.values() for docno in grades})
    teams = {tag: f"team{number % 3}" for number, tag in enumerate(POOLED)}
    with new_store(path, name="t", documents=docnos, topics=[*FULL], runs=POOLED_RUNS, teams=teams) as store:
        build(store, request)
        import_qrels(store, as_qrels(pool_of(POOLED_RUNS, FULL, 10)), "import")
        add_runs(store, as_runs({"r6": RUNS["r6"]}), {"r6": RunInfo("r6")})


def label_draw(path: str) -> None:
    """Draw 20 documents of r6 into draw.tsv and into the store, and label them in the store."""
    view = view_of([Path(path)])
    diagnosis = diagnosis_of(open_case(view, Path("r6")), DiagnoseSetting())
    draw_for_diagnosis(diagnosis, DrawSetting((20, "draw.tsv"), store_pool=True), view)
    labels: dict[str, dict[str, int]] = {}
    for qid, docno in draw_unjudged(diagnosis, 20, 0).documents:
        labels.setdefault(qid, {})[docno] = FULL[qid][docno]
    with Store.open(path) as store:
        add_assessor(store, "ada")
        import_qrels(store, as_qrels(labels), "ada")


def make_labelled() -> None:
    """Make files, and stores before and after r6 has a draw with labels, and after a pool has r6 as well."""
    write_files()
    make_store("before.db", PoolRequest(depth=10))
    copyfile("before.db", "after.db")
    label_draw("after.db")
    copyfile("after.db", "pooled.db")
    with Store.open("pooled.db") as store:
        build(store, PoolRequest(depth=10, runs=(*POOLED, "r6")))


@pytest.fixture
def labelled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with them."""
    monkeypatch.chdir(copied(make_labelled, tmp_path))
    return tmp_path


def in_both(
    diagnosed: list[str], compared: list[str], *, teams: str | None = None, pool_runs: list[str] | None = None
) -> tuple[Diagnosis, ComparedOutcomes]:
    """The new run diagnosed against r0, and the comparison of the same files with r0."""
    case = open_case(view_of([*map(Path, diagnosed)], teams), Path("r6"))
    diagnosis = diagnosis_of(case, DiagnoseSetting(MEASURES, against="r0"))
    asked = CompareSetting(
        measures=MEASURES, baseline="r0", correction="none", pool_runs=pool_runs and [*map(Path, pool_runs)]
    )
    opened = open_subject(view_of([*map(Path, compared)]), asked)
    found = outcomes_of(opened, comparison_of(opened.subject, opened.measures, asked), asked)
    assert found is not None
    return diagnosis, found


def check_alike(diagnosis: Diagnosis, compared: ComparedOutcomes) -> None:
    """The same pool and model, the same bounds or draws for the new run against r0."""
    ours, theirs = forecaster_of_differences(diagnosis.forecaster, diagnosis.kind), compared.forecaster
    assert theirs is not None
    assert compared.runs is not None
    assert (ours.depth, ours.rel, ours.reasons) == (theirs.depth, theirs.rel, theirs.reasons)
    if ours.model is not None:
        assert ours.pool.tags == theirs.pool.tags
    new = compared.runs.select(["r6"])
    mine, its = (unjudged_pairs(one, new).probability for one in (ours, theirs))
    np.testing.assert_array_equal(mine, its)
    assert len(mine)
    rows = compared.table.to_dict("records")
    number = dict.fromkeys(MEASURES, 0)
    for row in rows:
        outcome = compared.families[row["measure"]].outcomes[number[row["measure"]]]
        number[row["measure"]] += 1
        [said] = [pair.outcome for pair in diagnosis.pairs if pair.measure == row["measure"]]
        if row["run_a"] == "r6" and (len(compared.runs.tags) == 2 or not outcome.n_draws):
            np.testing.assert_equal(astuple(said), astuple(outcome))


@pytest.mark.full
@pytest.mark.parametrize("asked", [PoolRequest(depth=10), PoolRequest("rrf", budget=20), PoolRequest("mtf", budget=20)])
def test_a_store_has_one_model(folder: Path, asked: PoolRequest) -> None:
    """By depth, by budget with the stored method rebuilt, teams known; by budget, bounds decide differences."""
    make_store("t.db", asked)
    diagnosis, compared = in_both(["t.db"], ["t.db"])
    check_alike(diagnosis, compared)
    assert diagnosis.forecaster.model is not None
    is_depth = asked.method == "depth"
    assert diagnosis.kind == ("depth" if is_depth else "budget")
    assert compared.forecaster is not None
    assert compared.forecaster.reasons == (() if is_depth else (PAIRS_NOT_TESTED,))


def test_plain_files_have_one_model(folder: Path) -> None:
    """Whether the pooled runs are inferred or stated, and by either way of stating them."""
    inferred = in_both(["qrels", *POOLED], ["qrels", "r0", "r6"], pool_runs=POOLED)
    check_alike(*inferred)
    assert inferred[0].forecaster.model is not None
    stated = in_both(["qrels", *POOLED], ["qrels", "r0", "r6"], pool_runs=POOLED, teams="same-teams.tsv")
    check_alike(*stated)
    assert (stated[0].depth, stated[0].kind) == (10, "depth")


def test_a_run_that_was_not_pooled_is_noted_where_it_is_named_as_pooled(folder: Path, cranfield: Cranfield) -> None:
    """The new run among the pooled ones, by --teams and by --pool-runs; nothing where all were pooled."""
    note = "note: 1 of 7 runs named as pooled has unjudged documents within depth 10: r6 ("
    Path("wrong.tsv").write_text(Path("same-teams.tsv").read_text() + "r6\tr6\tyes\n")
    Path("new").write_text("".join(f"{line.rsplit(' ', 1)[0]} new\n" for line in Path("r1").read_text().splitlines()))
    files = f"qrels {' '.join(POOLED)}"
    assert note in cranfield(f"diagnose {files} r6 new --teams wrong.tsv -m AP").err
    assert "named as pooled" not in cranfield(f"diagnose {files} new --teams same-teams.tsv -m AP").err
    assert note in cranfield(f"compare qrels new r0 --pool-runs r6 {' '.join(POOLED)} -m AP").err


def test_plain_files_of_a_budget_pool_have_one_model(folder: Path) -> None:
    """No depth explains the judgments, so it is that which half of the runs' documents reach."""
    judged: dict[str, dict[str, int]] = {}
    for qid, docno, *_ in build_pool(METHODS["rrf"], as_runs(POOLED_RUNS), 100, budget=20):
        judged.setdefault(qid, {})[docno] = FULL[qid][docno]
    Path("qrels").write_text(qrels_lines(judged))
    both = in_both(["qrels", *POOLED], ["qrels", "r0", "r6"], pool_runs=POOLED, teams="same-teams.tsv")
    check_alike(*both)
    assert (both[0].kind, both[0].forecaster.model is None) == ("budget", False)


@pytest.mark.full
def test_a_draw_in_the_store_counts_for_both(labelled: Path) -> None:
    """Its labels shift the forecast of their run, and are no training data."""
    before, _ = in_both(["before.db"], ["before.db"])
    diagnosis, compared = in_both(["after.db"], ["after.db"])
    assert diagnosis.n_labels == 20
    check_alike(diagnosis, compared)
    assert (diagnosis.forecaster.n_pairs, diagnosis.forecaster.n_relevant) == (
        before.forecaster.n_pairs, before.forecaster.n_relevant,
    )  # fmt: skip


ON_DRAWN = "20 labels from random draws of r6 do not count in scores; diagnose and compare use them"


def test_the_judgments_of_a_store_do_not_have_the_labels_of_a_draw(labelled: Path) -> None:
    """They would favour the run that they were drawn for; a note says so, and a pool with that run has them."""
    notes: list[str] = []
    before, after, pooled = (
        view_of([Path(name)], tell=notes.append) for name in ("before.db", "after.db", "pooled.db")
    )
    assert dict(grades_of(after.qrels)) == dict(grades_of(before.qrels))
    drawn = [
        dict(grades_of(source.drawn_qrels)) for source in (before, after, pooled) if source.drawn_qrels is not None
    ]
    assert [*map(len, drawn)] == [0, 20, 0]
    assert dict(grades_of(pooled.qrels)) == dict(grades_of(before.qrels)) | drawn[1]
    assert [line for line in notes if "random draws" in line] == [ON_DRAWN]


@pytest.mark.filterwarnings("ignore:20 labels from random draws", "ignore:540 labels by import, ada")
@pytest.mark.parametrize("command", ["evaluate", "evaluate --per-topic", "reusability", "depths", "stability"])
def test_no_score_counts_the_labels_of_a_draw(labelled: Path, cranfield: Cranfield, command: str) -> None:
    """Each command has the scores before the draw, and a note, unless a pool has the run of the draw."""
    before, after, pooled = (
        cranfield(*command.split(), name, "--format", "json", "-m", "P@10")
        for name in ("before.db", "after.db", "pooled.db")
    )
    old, new = json.loads(before.out), json.loads(after.out)
    assert new.pop("labelled_by")
    assert old.pop("labelled_by")
    assert (new, ON_DRAWN in before.err, ON_DRAWN in after.err) == (old, False, True)
    assert "random draws" not in pooled.err


@pytest.mark.needs_extra("report")
@pytest.mark.filterwarnings("ignore:20 labels from random draws", "ignore:540 labels by import, ada")
def test_python_and_the_report_count_no_label_of_a_draw(labelled: Path, cranfield: Cranfield) -> None:
    """Also where the store has the judgments and a file has the run."""
    with pytest.warns(UserWarning, match=ON_DRAWN):
        after = api.evaluate("after.db", measures="P@10").frame
    assert after.pop("labels_of").unique().tolist() == ["540 labels by import, ada; no document has different labels"]
    assert after.equals(api.evaluate("before.db", measures="P@10").frame)
    of_file = api.evaluate("before.db", ["r6"], measures="P@10").frame
    assert api.evaluate("after.db", ["r6"], measures="P@10").frame.drop(columns="labels_of").equals(of_file)
    exported = cranfield("export qrels after.db out.qrels")
    assert "note: 20 labels from random draws of r6 are among these judgments; this program does not" in exported.err
    cranfield.run("report after.db report.html")
    assert ON_DRAWN in Path("report.html").read_text()


@pytest.mark.filterwarnings("ignore:20 labels from random draws", "ignore:540 labels by import, ada")
def test_labels_of_a_stored_draw_are_not_in_scores(labelled: Path, cranfield: Cranfield) -> None:
    """As those of a file: means, tests and judged shares are those before; the file may be given as well."""
    words, columns = ["-m", "AP,P@10", "--baseline", "r0", "--format", "json"], ["mean_a", "p", "judged_a"]
    before = json.loads(cranfield("compare", "before.db", *words).out)["pairs"]
    lines = Path("draw.tsv").read_text().splitlines()
    pairs = [(line, *line.split("\t")[1:3]) for line in lines[6:]]
    Path("draw.tsv").write_text("\n".join([*lines[:6], *(f"{x[:-1]}{FULL[q][d]}" for x, q, d in pairs)]) + "\n")
    result = cranfield("compare", "after.db", *words, "--fail-if", "AP < 0")
    after = json.loads(result.out)["pairs"]
    assert f"note: {ON_DRAWN}\n" in result.err
    assert [[row[name] for name in columns] for row in after] == [[row[name] for name in columns] for row in before]
    assert [row["forecast_low"] for row in after] != [row["forecast_low"] for row in before]
    assert json.loads(cranfield("compare", "after.db", *words, "--drawn", "draw.tsv").out)["pairs"] == after
    table = api.compare("after.db", measures=["AP", "P@10"], baseline="r0").frame
    assert table["mean_a"].tolist() == [row["mean_a"] for row in before]
    assert table["outcome"].tolist() == [row["outcome"] for row in after]


@pytest.mark.parametrize("rel", [1, 2])
def test_without_a_model_the_lowest_relevant_grade_stays(rel: int) -> None:
    """Bounds draw grades from it on."""
    runs, qrels = as_runs({"a": {"q": {"d": 1.0}}}), as_qrels({"q": {"d": 2, "e": 1, "f": 0}})
    for pool in (find_pool(None), find_pool_of_runs(runs, qrels, rel)):
        model = fit_pool_model(pool, runs, qrels, rel=rel)
        assert (model.forecaster.model, model.forecaster.rel) == (None, rel)
        assert model.forecaster.reasons


def test_one_run_with_judgments_from_elsewhere_has_a_reason() -> None:
    """No part of one run can be left out, also where its pool is rebuilt."""
    runs, qrels = as_runs({"a": {"q": {"d": 1.0}}}), as_qrels({"q": {"d": 1, "e": 0}})
    source = make_view(runs, qrels, {"a": RunInfo(team="a")}, 1, states_pooled=True, found_apart={("q", "e"): "search"})
    model = fit_pool_model(find_pool(source, 1), runs, qrels, rel=1)
    assert model.forecaster.reasons == ("1 pooled run; expected at least 3",)


@pytest.mark.needs_extra("search")
def test_an_active_learning_pool_has_no_model_of_runs() -> None:
    """The reason names the method; a depth takes it as a pool to that depth."""
    with store_of() as store:
        build(store, PoolRequest("cal", 20, 18, seed=1, options={"first": 4}))
        judge(store)
        source = view_of([store])
        assert find_pool(source).reason == "pool 1 was built by cal, which chooses from the whole corpus"
        assert not find_pool(source, 3).reason
