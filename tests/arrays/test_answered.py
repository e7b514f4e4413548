"""Which judged topics each run answered: what is said of it, and means over the topics that all runs answered."""

import json
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield
from cranfield.arrays import WhichTopics
from cranfield.arrays.selection import topics_answered_by_run
from cranfield.errors import InputError
from cranfield.metrics.inputs import join_judged
from tests.conftest import Cranfield, usually
from tests.files import track_files
from tests.stores import new_file
from tests.views import view_of

ids = st.sampled_from(["d1", "d2", "d3", "x:d1"])
qids = st.sampled_from(["1", "2", "3", "10"])
grades = st.dictionaries(qids, st.dictionaries(ids, st.integers(-1, 2), min_size=1), min_size=1)
runs = st.dictionaries(
    st.sampled_from("abc"),
    st.dictionaries(qids, st.dictionaries(ids, st.floats(0, 9), min_size=1), min_size=1),
    min_size=1,
)


@settings(max_examples=usually(40, 400), deadline=None)
@given(runs, grades)
def test_by_brute_force(tmp_path_factory: pytest.TempPathFactory, given_runs: Any, qrels: Any) -> None:
    """From dicts and from files: the topics of each run, the others that it answered, whether anything was judged."""
    if not {qid for run in given_runs.values() for qid in run} & {*qrels}:
        return
    paths = track_files(tmp_path_factory.mktemp("answered"), qrels, given_runs)
    for judged in (join_judged(qrels, given_runs), view_of(paths).blocks.joined):
        topics = topics_answered_by_run(judged)
        assert topics.qids == tuple(sorted(qrels))
        assert topics.mask.tolist() == [[qid in given_runs[tag] for qid in topics.qids] for tag in topics.tags]
        pairs = {(qid, docno) for qid, of in qrels.items() for docno, grade in of.items() if grade != -1}
        has_judged = [any((q, d) in pairs for q, of in given_runs[tag].items() for d in of) for tag in topics.tags]
        assert topics.any_judged.tolist() == has_judged
        assert set(topics.unmet.qids) == {qid for run in given_runs.values() for qid in run} - {*qrels}
        strange = [
            tag
            for tag, any_met in zip(topics.tags, has_judged, strict=True)
            if not any_met and {*given_runs[tag]} & {*qrels}
        ]
        assert sum("judged document" in line or "every score is 0" in line for line in topics.lines()) == bool(strange)


@settings(max_examples=usually(40, 400), deadline=None)
@given(runs, grades)
def test_common_topics_are_as_if_the_others_were_not_judged(given_runs: Any, qrels: Any) -> None:
    common = {qid for qid in qrels if all(qid in run for run in given_runs.values())}
    with warnings.catch_warnings(action="ignore"):
        if not common:
            with pytest.raises(InputError, match=r"was answered by all runs|no topic of the runs has judgments"):
                cranfield.evaluate(qrels, given_runs, topics="common")
            return
        scores = cranfield.evaluate(qrels, given_runs, measures=["AP", "nDCG@3", "P@1"], topics="common").frame
        fewer = {qid: of for qid, of in qrels.items() if qid in common}
        of_fewer = cranfield.evaluate(fewer, given_runs, measures=["AP", "nDCG@3", "P@1"]).frame
        values = ["run", "measure", "value"]  # what is judged is not known where only relevant documents are left
        assert scores[values].equals(of_fewer[values])


GRADES = {str(q): {f"d{n}": int(n % 3 == 0) for n in range(6)} for q in range(1, 6)}
WHOLE = {q: {f"d{n}": 9.0 - n for n in range(6)} for q in GRADES}
OTHER = {q: {f"d{n}": float(n) for n in range(6)} for q in GRADES}
THREE = {"a": WHOLE, "b": OTHER, "c": {q: of for q, of in WHOLE.items() if q in "234"}}
PARTIAL = (
    "1 of 3 runs did not answer all 5 judged topics and scores 0 there: c 3; --topics common uses only the 3 topics"
)
LEFT = "2 of 5 judged topics are excluded, because 1 of 3 runs did not answer them all: c 3"
COMMANDS = ["evaluate", "compare", "curve", "correlate", "stability", "reusability", "depths"]


@pytest.fixture
def three(tmp_path: Path) -> list[Path]:
    return track_files(tmp_path, GRADES, THREE)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_analysis_says_it_and_takes_the_option(command: str, three: list[Path], cranfield: Cranfield) -> None:
    """Above the table; and with the option it has the numbers of judgments without the topics left out."""
    output = cranfield(command, *three)
    assert output.code == 0, output
    assert output.err.count(PARTIAL) == 1
    common = cranfield(command, *three, "--topics", "common")
    assert common.err.count(LEFT) == 1
    assert "did not answer all" not in common.err.replace(LEFT, "")
    fewer = track_files(three[0].parent, {q: of for q, of in GRADES.items() if q in "234"}, THREE)
    assert cranfield(command, *fewer).out == common.out


@pytest.mark.needs_extra("report")
def test_a_diagnosis_and_a_report(three: list[Path], cranfield: Cranfield, tmp_path: Path) -> None:
    output = cranfield("diagnose", *three)
    assert (output.code, output.err.count(PARTIAL)) == (0, 1)
    common = cranfield("diagnose", *three, "--topics", "common")
    assert "run c on 3 topics" in common.out
    assert LEFT in common.err
    assert cranfield("report", *three, tmp_path / "o.html").code == 0
    assert (tmp_path / "o.html").read_text().count("did not answer all 5 judged topics") == 2
    assert cranfield("report", *three, tmp_path / "c.html", "--topics", "common").code == 0
    page = (tmp_path / "c.html").read_text()
    assert page.count("2 of 5 judged topics are excluded") == 2
    assert "--topics common" in page


def test_python_takes_it_too(three: list[Path], cranfield: Cranfield) -> None:
    """The same numbers as the command's, from files and from a store; the notes are warnings."""
    import cranfield as package

    track = new_file(three[0].parent / "t.db", qrels={"x": GRADES}, runs=THREE)
    for given_runs, qrels in ((three[1:], three[0]), (track, None), (THREE, GRADES)):
        with pytest.warns(UserWarning, match='c 3; topics="common"'):
            every = package.evaluate(qrels, given_runs, measures="AP").frame
        with pytest.warns(UserWarning, match="2 of 5 judged topics are excluded"):
            common = package.evaluate(qrels, given_runs, measures="AP", topics="common").frame
        assert every["value"].round(4).tolist() == pytest.approx([0.75, 0.3333, 0.45])
        assert common["value"].round(4).tolist() == pytest.approx([0.75, 0.3333, 0.75])
        with warnings.catch_warnings(record=True, action="always") as messages:
            losses = package.trust.leave_one_out(qrels, given_runs, depth=2, measures="AP", topics="common").frame
        assert sum("2 of 5 judged topics are excluded" in str(one.message) for one in messages) == 1
        assert losses["full"].round(4).tolist() == pytest.approx([0.75, 0.3333, 0.75])
    with pytest.raises(InputError, match="some: no such file; only a store contains named topic sets"):
        package.evaluate(GRADES, THREE, topics="some")


def test_what_one_unit_alone_answered_is_no_unfairness(three: list[Path], cranfield: Cranfield) -> None:
    """Nothing is left of topics that only the left-out unit answered: no verdict, but on common topics."""
    new = {**WHOLE, "6": {"d9": 1.0}, "7": {"d9": 1.0}}
    paths = track_files(
        three[0].parent, {**GRADES, "6": {"d9": 1}, "7": {"d9": 1}}, {"a": WHOLE, "b": OTHER, "new": new}
    )
    output = cranfield("reusability", *paths, "--by", "run", "--format", "json")
    assert (
        "not tested: 2 of 7 topics were answered by new only, so their pools would be empty without this run"
        in output.err
    )
    assert json.loads(output.out)["summary"] is None
    assert json.loads(output.out)["partial_answers"][0].startswith("2 of 3 runs did not answer all 7 judged topics")
    common = json.loads(cranfield("reusability", *paths, "--by", "run", "--topics", "common", "--format", "json").out)
    assert (common["topics"], common["no_verdict"]) == (5, None)


def test_ids_that_differ_and_topics_that_nobody_judged(three: list[Path], cranfield: Cranfield) -> None:
    """A line each: documents with another prefix, in one run or in all; judgments of one topic of five."""
    other = {q: {f"doc:{d}": s for d, s in of.items()} for q, of in WHOLE.items()}
    folder = three[0].parent
    output = cranfield("evaluate", *track_files(folder, GRADES, {"a": WHOLE, "c": other}), "-m", "AP")
    line = "note: 1 of 2 runs retrieved no judged document and counts as 0: c; c has 'doc:d0', the qrels have 'd0'\n"
    assert output.err == line
    output = cranfield("evaluate", *track_files(folder, GRADES, {"c": other}), "-m", "AP")
    every = "note: none of the runs' documents is judged, so every score is 0; c has 'doc:d0', the qrels have"
    assert output.err == f"{every} 'd0'\n"
    output = cranfield("evaluate", *track_files(folder, {"3": GRADES["3"]}, {"a": WHOLE}), "-m", "AP")
    assert output.err == "note: 4 topics that runs answered have no judgments and do not count: 1, 2, 4, 5\n"
    output = cranfield(
        "evaluate", *track_files(folder, GRADES, {"c": THREE["c"]}), "-m", "AP", "--retrieved-topics-only"
    )
    assert output.err == "note: c answered 3 of 5 judged topics\n"


def test_the_highest_grade_and_the_second_column_stay(three: list[Path]) -> None:
    """On fewer topics: what a measure takes from the whole collection, and which judgment is which."""
    three[0].write_text(three[0].read_text() + "1 0 e 3\n4 sweep e 1\n")
    whole = view_of(three)
    fewer = whole.select_topics(WhichTopics.common)
    assert fewer.judged.highest_grade == 3
    assert int(fewer.qrels.grade.max()) == 1
    sweep = fewer.qrels.sources[fewer.judged.qrels_row] == "sweep"
    assert [fewer.judged.qids[topic] for topic in fewer.judged.qrels_topic[sweep]] == ["4"]


def test_no_topic_is_common(three: list[Path], cranfield: Cranfield) -> None:
    paths = track_files(three[0].parent, GRADES, {"a": {"1": WHOLE["1"]}, "b": {"2": WHOLE["2"]}})
    output = cranfield("evaluate", *paths, "--topics", "common")
    assert (output.code, output.out) == (1, "")
    assert output.err == "error: none of the 5 judged topics was answered by all runs (fewest topics: a 1, b 1)\n"
    assert "--topics common cannot be used" in cranfield("evaluate", *paths).err


def test_rounds_of_treccovid(shared: Path, cranfield: Cranfield) -> None:
    """Runs of round 1 did not answer the five topics of round 2."""
    runs = [shared / "treccovid-r1/runs" / name for name in ("BBGhelani1.gz", "10x10.prf.unipd.it.gz")]
    qrels = shared / "treccovid-r2/qrels.covid-round2-cumulative.txt.xz"
    output = cranfield("evaluate", qrels, *runs, *(shared / "treccovid-r2/runs").glob("ES_Defaults*"), "-m", "nDCG@10")
    assert "2 of 3 runs did not answer all 35 judged topics and score 0 there: 10x10.prf.unipd.it 30" in output.err
    assert "--topics common uses only the 30 topics that all runs answered" in output.err


def test_fused_runs_apart_are_told(three: list[Path], cranfield: Cranfield) -> None:
    """Runs without some topics, and one whose documents have other ids; nothing where all share both."""
    foreign = {q: {f"doc:{d}": s for d, s in of.items()} for q, of in WHOLE.items()}
    paths = track_files(three[0].parent, GRADES, {"a": WHOLE, "c": THREE["c"], "x": foreign})[1:]
    output = cranfield("fuse", *paths, "-o", three[0].parent / "fused.run")
    assert output.err.splitlines() == [
        "note: 1 of 3 runs did not answer all 5 topics: c 3; their missing topics are fused from the other runs",
        "note: 1 of 3 runs shares no document with another run: x; check its docnos, such as 'doc:d0'",
    ]
    assert cranfield("fuse", *three[1:3], "-o", three[0].parent / "fused.run").err == ""


def test_a_pool_of_another_method_is_of_all_topics(three: list[Path], cranfield: Cranfield) -> None:
    """It may have shared a budget between topics: no numbers on some of them, unless taken as one of depth k."""
    store = three[0].parent / "t.db"
    for words in (f"init {store} --name t", f"import runs {store} {three[1]} {three[2]} {three[3]}"):
        assert cranfield(*words.split()).code == 0
    assert cranfield("pool", "build", store, "--method", "mtf", "--budget", "4").code == 0
    assert cranfield("import", "qrels", store, three[0]).code == 0
    output = cranfield("reusability", store, "--topics", "common")
    why = "pool 1 was built by mtf for all topics, and can only be rebuilt for all topics"
    assert output.code == 1
    assert output.err.endswith(
        f"error: {why}; leave out --topics common, or treat the pool as a depth-K pool with --depth K\n"
    )
    assert cranfield("reusability", store, "--topics", "common", "--depth", "2").code == 0
