"""Auditing a model: the sample, what the labels can be used for, what people would have said, and how sure that is."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from math import sqrt
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest
from scipy.stats import hypergeom, t

import cranfield as package
from benchmarks.favourites import CONDITIONS, KINDS, Condition, times, times_of
from cranfield.arrays.join import join_runs_and_qrels
from cranfield.arrays.rankings import Floats, Ints
from cranfield.commands.topics import save_set
from cranfield.errors import InputError
from cranfield.features.models.analysis.audit import ModelAudit, audit
from cranfield.features.models.analysis.estimate import (
    AuditEstimate,
    draw_audit,
    estimate,
    missing_interval_lines,
    score_of,
)
from cranfield.features.models.calls import AuditedPair, add_audit, audit_sample
from cranfield.features.models.corrected import PoweredEstimate, Sums, estimate_mean, gains, sampled_score
from cranfield.features.models.sample import sample_for
from cranfield.features.models.sample import strata as strata_of
from cranfield.features.models.usability import (
    Ranking,
    group_by_grade,
    mean_scores,
    order_of_runs,
    rating_bias,
    single_labels,
)
from cranfield.formats import read_qrels
from cranfield.judging.adjudication.sample import allocate_draws
from cranfield.judging.agreement.agreement import AGREEMENTS, Interval, LabelMatrix, matrix_of_qrels
from cranfield.judging.agreement.base import grades_as_labels
from cranfield.judging.session.session import Session
from cranfield.metrics.evaluate import score
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.notation import parse_measures
from cranfield.selection import LeftOut, Selection
from cranfield.store.qrels import import_qrels
from cranfield.store.round_changes import close_round, start_round
from cranfield.store.store import Store
from cranfield.store.withdrawals import restore, withdraw
from tests.conftest import Cranfield, usually
from tests.judging.cases import at
from tests.stores import new_store

pytestmark = pytest.mark.full

TOPICS, DOCUMENTS, RUNS = 12, 30, 6
Labels = Mapping[str, Mapping[str, int]]
Grade = TypeVar("Grade", int, float)


@cache
def truth() -> dict[str, dict[str, int]]:
    """What people say."""
    rng = np.random.default_rng(5)
    return {f"q{t:02}": {f"d{d:02}": int(rng.random() < 0.3) for d in range(DOCUMENTS)} for t in range(TOPICS)}


@cache
def rankings() -> dict[str, dict[str, dict[str, float]]]:
    """Runs that have nothing in common but the documents."""
    rng = np.random.default_rng(7)
    return {
        f"run{r}": {qid: {docno: float(rng.random()) for docno in docs} for qid, docs in truth().items()}
        for r in range(RUNS)
    }


def store_with(model: Labels, human: Labels | None = None) -> Store:
    """A store of the runs, with labels of people and of a model."""
    return new_store(
        topics=[*truth()],
        people=["ada"] if human else [],
        models=["qwen"],
        runs=rankings(),
        teams={f"run{r}": f"team{r}" for r in range(RUNS)},
        qrels=({"ada": human} if human else {}) | {"qwen": model},
    )


def favouring(run: str) -> dict[str, dict[str, int]]:
    """People's labels, but whatever a run ranks at the top is relevant."""
    best = {qid: set(sorted(ranked, key=lambda d: -ranked[d])[:10]) for qid, ranked in rankings()[run].items()}
    return {q: {d: int(d in best[q] or grade) for d, grade in docs.items()} for q, docs in truth().items()}


@pytest.fixture(scope="module")
def favouring_audit() -> Iterator[ModelAudit]:
    """An audit of a model that likes one run."""
    with store_with(favouring("run3"), truth()) as store:
        yield audit(store, "qwen", measures="P@10")


def test_a_judge_that_likes_one_run_is_found_out_and_nobody_else(favouring_audit: ModelAudit) -> None:
    assert [one.run for one in favouring_audit.runs if one.favoured] == ["run3"]
    assert favouring_audit.verdict.startswith("Not for the order of the runs")
    assert "P@10 favours 1 run: run3" in favouring_audit.uses[0].why
    assert favouring_audit.repeated == (0, 0)


def test_people_as_a_model_favour_nobody() -> None:
    with store_with(truth(), truth()) as store:
        report = audit(store, "qwen", human="ada", measures=["P@10", "AP"])
    assert not any(one.favoured for one in report.runs)
    assert report.uses[0].usable
    assert report.uses[1].usable is None  # no difference was seen, which is no interval
    assert report.uses[1].why == "the grades differ on 0 topics; an interval needs at least 8"
    assert {one.interval.value for one in report.agreement} == {1.0}


def test_two_runs_that_a_judge_has_in_the_right_order_by_chance_are_not_known_to_be() -> None:
    """It tosses coins; in one of two draws the order is right."""
    uses = []
    for seed in range(4):
        coins = np.random.default_rng(seed)
        noise = {qid: {docno: int(coins.integers(2)) for docno in docs} for qid, docs in truth().items()}
        two = {tag: rankings()[tag] for tag in ("run0", "run1")}
        with new_store(topics=[*truth()], people=["ada"], models=["qwen"], runs=two,
                       qrels={"ada": truth(), "qwen": noise}) as store:  # fmt: skip
            uses.append(audit(store, "qwen", measures="P@10").uses[0])
    assert {one.usable for one in uses} == {None, False}
    assert any(one.why.startswith("tau of P@10 is 1.00, but it is below 0.9 on ") for one in uses)


@pytest.mark.parametrize("of", [*CONDITIONS[:3], *KINDS], ids=str)
def test_a_favourite_is_named_and_a_judge_who_errs_by_chance_has_none(of: Condition | str) -> None:
    """In 95 of 100 draws, and in not more than 8; a judge is right in 80 %, of the worst run says always yes.

    So it is of every kind of labels, by the measures of the report, of labels in a store.
    """
    draws = usually(1, 100) if isinstance(of, str) else usually(25, 100)
    right, wrong = times_of(of, draws) if isinstance(of, str) else times(of, draws)
    assert right >= 0.95 * draws
    assert wrong <= 0.08 * draws + 1


def test_bias_is_the_difference_of_the_scores(favouring_audit: ModelAudit) -> None:
    runs, measures = as_runs(rankings()), parse_measures("P@10")
    by_model, by_people = (
        score(join_runs_and_qrels(runs, as_qrels(labels)), measures) for labels in (favouring("run3"), truth())
    )
    bias = dict(zip(runs.tags, (by_model - by_people).mean(axis=1)[:, 0], strict=True))
    assert {one.run: one.bias.bias for one in favouring_audit.runs} == pytest.approx(bias)
    assert np.mean([one.bias.own for one in favouring_audit.runs]) == pytest.approx(0)


def test_over_rating_has_an_interval_where_the_grades_differ_on_topics_enough() -> None:
    """That of a t test where topics are of one size; cut at what the scale allows; none of a few topics that differ."""
    from scipy import stats

    random, topics = np.random.default_rng(3), np.repeat(np.arange(12), 5)
    human = np.tile([0.0, 0, 1, 2, 3], 12)
    model = np.clip(human + random.integers(-1, 3, 60).astype(float), 0.0, 3.0)
    (overall, *grades) = rating_bias(model, human, topics, group_by_grade(human), (0, 3))
    oracle = stats.ttest_1samp((model - human).reshape(12, 5).mean(axis=1), 0).confidence_interval()
    assert (overall.low, overall.high) == pytest.approx((oracle.low, oracle.high))
    assert all(np.isnan(one.low) or -int(one.group) <= one.low <= one.high <= 3 - int(one.group) for one in grades)
    few = np.where(topics < 7, model, human)
    assert np.isnan(rating_bias(few, human, topics, iter(()), (0, 3))[0].low)


@pytest.mark.parametrize(
    ("n_topics", "n_different", "why"),
    [
        (9, 9, "9 topics have labels by both; an interval needs at least 10"),
        (12, 7, "the grades differ on 7 topics; an interval needs at least 8"),
        (12, 0, "the grades differ on 0 topics; an interval needs at least 8"),
        (12, 12, "the mean difference is the same on every topic, so an interval is undefined"),
    ],
)
def test_mean_scores_name_the_cause_of_a_missing_interval(n_topics: int, n_different: int, why: str) -> None:
    topics = np.repeat(np.arange(n_topics), 5)
    human = np.ones(len(topics))
    [bias] = rating_bias(human + (topics < n_different), human, topics, iter(()), (0, 3))
    assert np.isnan([bias.low, bias.high]).all()
    assert mean_scores(bias)[1:] == (None, why)


def test_a_mean_with_an_interval_has_no_cause() -> None:
    topics, random = np.repeat(np.arange(12), 5), np.random.default_rng(3)
    [bias] = rating_bias(random.choice([1.0, 2.0], 60), np.ones(60), topics, iter(()), (0, 3))
    assert (np.isnan(bias.low), bias.why) == (False, "")


@pytest.mark.parametrize(
    ("n_topics", "n_runs", "why"),
    [
        (9, 3, "people and the model both labelled all runs on 9 topics; the order needs at least 10"),
        (12, 1, "an order needs at least 2 runs; there is 1 run"),
        (12, 0, "an order needs at least 2 runs; there are 0 runs"),
        (0, 3, "no run has all the labels that a measure needs"),
    ],
)
def test_an_unknown_order_of_runs_names_its_cause(n_topics: int, n_runs: int, why: str) -> None:
    rankings = [Ranking("AP", 1.0, 0, [])] if n_topics and n_runs > 1 else []
    assert order_of_runs(rankings, n_topics, n_runs)[1:] == (None, why)


def test_runs_of_the_family_of_the_judge_are_circular() -> None:
    with store_with(truth(), truth()) as store:
        report = audit(store, "qwen", measures="P@10", families={"run1": "Qwen", "run2": "other"})
        with pytest.raises(InputError, match="this audit contains no run 'nobody'"):
            audit(store, "qwen", families={"nobody": "x"})
    assert {one.run: one.family for one in report.runs if one.family} == {"run1": "circular", "run2": "other model"}


@pytest.mark.parametrize(("topics", "size"), [(6, 5), (12, 11), (20, 10), (50, 48)])
def test_intervals_hold_also_where_nearly_all_topics_are_labelled(topics: int, size: int) -> None:
    """However many scores are 1, and not 0: of all samples there are, counted and not drawn."""
    ends = (np.zeros(topics), np.full(topics, 1 / topics))
    scores = [np.where(np.arange(topics) < size, np.arange(topics) < ones, np.nan) / topics for ones in range(size + 1)]
    weight = np.full(topics, topics / size)
    all_ends = np.array([sampled_score(Sums(one, np.zeros(topics), weight, ends), tuning=0.0)[1:3] for one in scores])
    for ones in range(topics + 1):
        chance = hypergeom(topics, ones, size).pmf(np.arange(size + 1))
        held = (all_ends[:, 0] <= ones / topics + 1e-9) & (ones / topics <= all_ends[:, 1] + 1e-9)
        assert chance[held].sum() > 0.939, ones


def judge_sample(store: Store, number: int, labels: Labels | None = None) -> None:
    """Labels of a sample as people would give them, or these, as far as there are any."""
    sample, labels = audit_sample(store, number), truth() if labels is None else labels
    pairs = [pair for pair in sample.pairs if pair.qid in labels]
    grades = {qid: {one.docno: labels[qid][one.docno] for one in pairs if one.qid == qid} for qid, *_ in pairs}
    import_qrels(store, as_qrels(grades), sample.assessor, "human")


def by_people(measures: str | list[str], labels: Labels | None = None) -> Floats:
    """The mean scores of the runs by what people say, or by other labels."""
    judged_runs = join_runs_and_qrels(as_runs(rankings()), as_qrels(labels or truth()))
    return np.asarray(score(judged_runs, parse_measures(measures)).mean(axis=1).T.ravel())


def estimate_from(unit: str, size: int, measures: str, by: str = "grade") -> AuditEstimate:
    """An estimate from a sample that was judged."""
    with store_with(favouring("run3")) as store:
        sample = draw_audit(store, "qwen", "bob", size, by=by, unit=unit, seed=2)
        judge_sample(store, sample.number)
        return estimate(store, measures=measures)


@pytest.mark.parametrize("by", ["grade", "topic"])
def test_a_sample_of_all_documents_gives_the_scores_by_people(by: str) -> None:
    estimates = estimate_from("pair", TOPICS * DOCUMENTS, "P@10", by)
    assert [one.run for one in estimates.scores] == ["", *as_runs(rankings()).tags]
    assert [one.estimate.value for one in estimates.scores[1:]] == pytest.approx(by_people("P@10"))
    assert [one.model for one in estimates.scores[1:]] == pytest.approx(by_people("P@10", favouring("run3")))
    assert all(one.estimate.low == pytest.approx(one.estimate.high) for one in estimates.scores)


def test_samples_of_topics_and_of_some_documents_give_the_scores_by_people() -> None:
    """All topics give them exactly; intervals of some documents hold them."""
    topics, estimates = estimate_from("topic", TOPICS, "AP"), estimate_from("pair", 120, "P@10")
    assert [one.estimate.value for one in topics.scores] == pytest.approx(by_people("AP"))
    pairs = zip(estimates.scores[1:], by_people("P@10"), strict=True)
    assert sum(one.estimate.low <= value <= one.estimate.high for one, value in pairs) >= RUNS - 1
    assert all(0 <= one.estimate.tuning <= 1 for one in estimates.scores)


def test_few_labels_have_no_interval() -> None:
    """Of 40 labels of 360, few are of the first ten documents of a topic; all of them are worth a line."""
    some, whole = (estimate_from("pair", size, "P@1") for size in (14, TOPICS * DOCUMENTS))
    (share, *runs) = some.scores
    assert 0 <= share.estimate.low < share.estimate.value < share.estimate.high <= 1
    assert all(np.isnan(one.estimate.low) and one.estimate.sampled < 5 for one in runs)
    (line, *_) = missing_interval_lines(some)
    assert line.endswith("expected at least 5")
    assert "P@1" in line
    assert missing_interval_lines(whole) == []


def test_no_interval_leaves_its_range_or_is_without_width() -> None:
    for each in estimate_from("pair", 60, "P@10").scores:
        for one in (each.estimate, each.alone, each.trusting):
            assert np.isnan(one.low) or 0 <= one.low < one.high <= 1
            assert 0 <= one.value <= 1


def test_what_a_sample_cannot_say_is_refused() -> None:
    with store_with(favouring("run3")) as store:
        with pytest.raises(InputError, match="the store contains no sample of labels by a model"):
            estimate(store)
        with pytest.raises(InputError, match="'bob' is not a model in this store; its models are qwen"):
            draw_audit(store, "bob", "ada", 20)
        with pytest.raises(InputError, match="a sample of 400 is too large: the model labelled 360 documents"):
            draw_audit(store, "qwen", "bob", 400)
        with pytest.raises(InputError, match="a sample of 3 is too small: 4 are needed for its 2 strata"):
            draw_audit(store, "qwen", "bob", 3)
        with pytest.raises(InputError, match="by is 'runs'; expected grade or topic"):
            package.models.draw_audit_sample(store, "qwen", "bob", 20, by="runs")  # type: ignore[arg-type]
        sample = draw_audit(store, "qwen", "bob", 20)
        with pytest.raises(InputError, match="20 of 20 documents of sample 1 are not judged"):
            estimate(store)
        with pytest.raises(InputError, match="sample 1 belongs to 'bob', not to 'eve'"):
            sample_for(store, "eve", sample.number)
        judge_sample(store, sample.number)
        with pytest.raises(InputError, match="AP is not a sum over the labels of single documents"):
            estimate(store, measures="AP")
        with pytest.raises(
            InputError, match="'bob' had labelled 20 documents of the sample before the sample was drawn"
        ):
            draw_audit(store, "qwen", "bob", 20)
        import_qrels(store, as_qrels({"q00": {"late": 1}}), "qwen", "model")
        with pytest.raises(InputError, match="the labels of 'qwen' have changed since sample 1 was drawn from 360"):
            estimate(store)


def test_recall_is_a_sum_where_the_number_of_relevant_documents_is_known() -> None:
    """All documents sampled: recall by people. Without the numbers, or with too small ones, it is refused."""
    counts = {qid: sum(docs.values()) for qid, docs in truth().items()}
    with store_with(favouring("run3")) as store:
        judge_sample(store, draw_audit(store, "qwen", "bob", TOPICS * DOCUMENTS).number)
        estimates = estimate(store, measures=["R@10", "R"], relevant=counts)
        assert [one.estimate.value for one in estimates.scores[1:]] == pytest.approx(by_people(["R@10", "R"]))
        with pytest.raises(InputError, match="R@10 needs the number of relevant documents per topic"):
            estimate(store, measures="R@10")
        with pytest.raises(
            InputError, match="the --relevant file lacks the number of relevant documents for topic 'q11'"
        ):
            estimate(store, measures="R@10", relevant={qid: n for qid, n in counts.items() if qid != "q11"})
        with pytest.raises(InputError, match="relevant documents for topic 'q03', but --relevant states only 1"):
            estimate(store, measures="R@10", relevant={**counts, "q03": 1})


@pytest.mark.parametrize("by", ["grade", "topic"])
def test_a_sample_judged_in_part_says_something_of_the_topics_judged_whole(by: str) -> None:
    """The estimate is that of a store with these topics alone."""
    first = sorted(truth())[:4]
    part = {qid: truth()[qid] for qid in first}
    with store_with(favouring("run3")) as store:
        sample = draw_audit(store, "qwen", "bob", TOPICS * DOCUMENTS, by=by)
        with pytest.raises(InputError, match="no topic of sample 1 is fully judged yet"):
            estimate(store, judged_topics_only=True)
        import_qrels(store, as_qrels({**part, "q04": {"d00": 1}}), "bob", "human")
        estimates = estimate(store, measures="P@10", judged_topics_only=True)
        with pytest.raises(InputError, match="239 of 360 documents of sample 1 are not judged"):
            estimate(store)
    assert [one.estimate.value for one in estimates.scores[1:]] == pytest.approx(by_people("P@10", part))
    assert (estimates.topics, estimates.judged, sum(estimates.sample.strata.values())) == (4, 120, 120)
    assert len(sample.pairs) == 360


def test_intervals_from_a_sample_judged_in_part_hold_the_scores_by_people() -> None:
    """In samples of which half the topics are judged, about 95 % of the intervals do."""
    first = sorted(truth())[:6]
    share = float(np.mean([grade for qid in first for grade in truth()[qid].values()]))
    hits, samples = 0, usually(5, 40)
    with store_with(favouring("run3")) as store:
        for seed in range(samples):
            sample = draw_audit(store, "qwen", f"person {seed}", 120, seed=seed)
            judge_sample(store, sample.number, {qid: truth()[qid] for qid in first})
            [one] = estimate(store, number=sample.number, judged_topics_only=True).scores
            hits += one.estimate.low <= share <= one.estimate.high
    assert hits >= 0.85 * samples - 1


SOME, GONE = [f"q{t:02}" for t in range(0, TOPICS, 2)], {"topic": "q04", "document": "d05", "run": "run5"}


def of_what_counts(values: dict[str, dict[str, Grade]]) -> dict[str, dict[str, Grade]]:
    """What is left of labels or rankings: d07 has become d08, which was there, and d06 has become new."""
    rest = {}
    for qid in {*SOME} - {GONE["topic"]}:
        docs = values[qid]
        both = {"d08": max(docs[one] for one in ("d07", "d08") if one in docs)} if {"d07", "d08"} & docs.keys() else {}
        rest[qid] = {
            {"d06": "new"}.get(d, d): value for d, value in docs.items() if d not in ("d05", "d07", "d08")
        } | both
    return rest


def with_twins(labels: Mapping[str, dict[str, int]]) -> dict[str, dict[str, int]]:
    """Labels by which d07 and d08 can become one: the model's."""
    return {qid: docs | dict.fromkeys(("d07", "d08"), favouring("run3")[qid]["d08"]) for qid, docs in labels.items()}


@pytest.mark.parametrize(
    ("unit", "by", "measure"), [("pair", "grade", "P@10"), ("pair", "topic", "P@10"), ("topic", "", "AP")]
)
def test_what_is_left_of_a_sample_is_a_sample_of_what_is_left(unit: str, by: str, measure: str) -> None:
    """Withdrawn, renamed and not asked for since it was drawn: as in a store that has only the rest, and its sample."""
    size = 8 if unit == "topic" else 200
    with store_with(with_twins(favouring("run3"))) as store:
        draw = draw_audit(store, "qwen", "bob", size, by=by, unit=unit, seed=2)
        judge_sample(store, draw.number, with_twins(truth()))
        whole = estimate(store, measures=measure)
        store.ensure_docnos(["new"])
        close_round(store, "1")
        start_round(store, "2", new_names={"d06": "new", "d07": "d08"})
        for what, name in GONE.items():
            withdraw(store, what, [name], "wrong")
        save_set(store, "some", SOME)
        notes = LeftOut()
        estimates = estimate(store.select(Selection(topics="some"), notes), measures=measure)
        for what, name in GONE.items():
            restore(store, what, [name])
    labels = of_what_counts(with_twins(favouring("run3")))
    sample = [AuditedPair(qid, {"d06": "new"}.get(d, d), stratum) for qid, d, stratum in draw.pairs if d != "d07"]
    sample = [one for one in sample if one.docno in labels.get(one.qid, {})]
    assert notes.others == {
        "topics not in some": TOPICS - len(SOME),
        "documents of the sample": len(draw.pairs) - len(sample),
    }
    runs = {tag: of_what_counts(own) for tag, own in rankings().items() if tag != GONE["run"]}
    with new_store(models=["qwen"], runs=runs, qrels={"qwen": labels}) as plain:
        sizes = {"all": len(labels)} if unit == "topic" else Counter(strata_of(flat(labels), by).values())
        add_audit(plain, "qwen", "bob", unit=unit, by=by, seed=2, strata=sizes, pairs=sample)
        pairs = {pair[:2] for pair in sample}
        by_person = {q: {d: g for d, g in docs.items() if (q, d) in pairs}
                for q, docs in of_what_counts(with_twins(truth())).items()}  # fmt: skip
        import_qrels(plain, as_qrels({q: docs for q, docs in by_person.items() if docs}), "bob", "human")
        direct = estimate(plain, measures=measure)
    assert dict(estimates.sample.strata) == dict(direct.sample.strata)
    for one, other in zip(estimates.scores, direct.scores, strict=True):
        assert one[:2] == other[:2]
        assert np.ravel([x[:-1] for x in one[3:]]) == pytest.approx(np.ravel([x[:-1] for x in other[3:]]), nan_ok=True)
    assert whole.sample == draw


def flat(labels: Labels) -> dict[tuple[str, str], int]:
    return {(qid, docno): grade for qid, docs in labels.items() for docno, grade in docs.items()}


def test_a_sample_of_which_nothing_is_left_or_that_is_no_sample_is_refused() -> None:
    with store_with(favouring("run3")) as store:
        judge_sample(store, draw_audit(store, "qwen", "bob", 40, by="topic").number)
        withdraw(store, "topic", ["q00"], "wrong")
        assert "q00" not in {pair.qid for pair in sample_for(store, "bob", 1).documents}
        withdraw(store, "document", [p.docno for p in audit_sample(store).pairs if p.qid == "q01"], "wrong")
        with pytest.raises(
            InputError, match="no document of the stratum topic q01 in sample 1 counts any more; draw an"
        ):
            estimate(store)
    with store_with(favouring("run3")) as store:
        draw_audit(store, "qwen", "bob", 4, unit="topic")
        with pytest.raises(InputError, match="a partly judged sample of topics is not random"):
            estimate(store, measures="AP", judged_topics_only=True)


def test_a_sample_shows_nothing_of_the_labels() -> None:
    with store_with(favouring("run3")) as store:
        sample = draw_audit(store, "qwen", "bob", 20)
        pool = sample_for(store, "bob", sample.number)
        assert {(document.depth, document.runs, document.stratum) for document in pool.documents} == {(1, (), None)}
        session = Session(store, "bob", pool)
        assert "qwen" not in repr(session.view)
        assert at(session).grade(1).total.remaining == 19


GRADES = [0, 1, 2, 3]
KAPPAS = {  # nominal, quadratic, and of relevant (2 or more) or not
    "willia-umbrela1": (0.2863, 0.5044, 0.3985),
    "h2oloo-fewself": (0.2774, 0.5046, 0.4280),
    "TREMA-rubric0": (0.0779, 0.1623, 0.0308),
}
OUTSIDE = {"RMITIR-llama70B": 2, "h2oloo-zeroshot2": 1}


def people_and_model(shared: Path, name: str) -> LabelMatrix:
    """The grades of people and of a model for every passage of the LLMJudge challenge."""
    files = {"human": "human.test.qrels.txt.gz", "model": f"labels/{name}.txt.gz"}
    return matrix_of_qrels({who: read_qrels(shared / "llmjudge" / file) for who, file in files.items()}, GRADES, 2)


def kappa(matrix: LabelMatrix, name: str) -> float:
    """A kappa of two assessors."""
    coefficient, labels = AGREEMENTS[name], grades_as_labels(matrix.grades, matrix.scale, matrix.min_relevant)
    return float(coefficient.value(coefficient.tally(labels).sum(axis=0), labels.scale))


@pytest.mark.parametrize("name", KAPPAS)
def test_kappas(shared: Path, name: str) -> None:
    matrix = people_and_model(shared, name)
    kappas = (
        kappa(matrix, "Cohen kappa"),
        kappa(matrix, "Cohen kappa quadratic"),
        kappa(matrix.binary(), "Cohen kappa"),
    )
    assert kappas == pytest.approx(KAPPAS[name], abs=5e-5)


@pytest.mark.parametrize("name", OUTSIDE)
def test_what_is_off_the_scale_is_a_failure_and_no_grade(shared: Path, name: str) -> None:
    qrels = read_qrels(shared / "llmjudge" / "labels" / f"{name}.txt.gz")
    with new_store(grades={0: "a", 1: "b", 2: "c", 3: "d"}) as store:
        import_qrels(store, qrels, name, "model", set_aside=True)
        kinds = dict(store.rows("SELECT kind, count(*) FROM judgment_event GROUP BY kind"))
    assert kinds["cannot-judge"] == OUTSIDE[name]
    assert sum(kinds.values()) == len(qrels) == 4423


def units(seed: int, size: int = 60) -> tuple[Floats, Floats, Ints]:
    """What people say of a third of the units, what a model says of all, and strata."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, size).astype(float)
    model = np.clip(truth + rng.integers(-1, 2, size), 0.0, 3.0)
    human = np.where(np.arange(size) % 3 == 0, truth, np.nan)
    return human, np.asarray(model, float), (np.arange(size) >= size // 2).astype(np.int64)


def by_hand(human: Floats, model: Floats, strata: Ints, lam: float) -> tuple[float, float]:
    """The estimate and its variance, stratum by stratum."""
    value = variance = 0.0
    for stratum in set(strata.tolist()):
        members = strata == stratum
        both = members & ~np.isnan(human)
        share, rest = members.mean(), human[both] - lam * model[both]
        value += share * (lam * model[members].mean() + rest.mean())
        variance += share**2 * (1 - both.sum() / members.sum()) * rest.var(ddof=1) / both.sum()
    return value, variance


@pytest.mark.parametrize("seed", range(usually(3, 8)))
@pytest.mark.parametrize("tuning", [None, 0.0, 0.3, 1.0])
@pytest.mark.parametrize("stratified", [False, True])
def test_equals_the_formulas(seed: int, tuning: float | None, stratified: bool) -> None:
    human, model, strata = units(seed)
    group = strata if stratified else np.zeros(len(model), np.int64)
    interval = estimate_mean(human, model, group if stratified else None, tuning)
    value, variance = by_hand(human, model, group, interval.tuning)
    wide = t.ppf(0.975, np.count_nonzero(~np.isnan(human)) - len(set(group.tolist()))) * sqrt(variance)
    assert np.allclose([interval.value, interval.low, interval.high], [value, value - wide, value + wide], atol=1e-12)
    assert interval.worth == pytest.approx(by_hand(human, model, group, 0.0)[1] / variance)
    if tuning is None:
        others = [by_hand(human, model, group, lam)[1] for lam in np.linspace(0, 1, 101)]
        assert variance <= min(others) + 1e-12


def test_one_stratum_is_tuned_by_covariance_over_variance() -> None:
    human, model, _ = units(3)
    both = ~np.isnan(human)
    slope = np.cov(human[both], model[both])[0, 1] / model[both].var(ddof=1)
    assert estimate_mean(human, model).tuning == pytest.approx(np.clip(slope, 0, 1))


def test_a_model_that_is_wrong_gets_no_weight() -> None:
    human, model, _ = units(1)
    assert estimate_mean(human, 3 - model).tuning == 0
    assert estimate_mean(human, 3 - model)[:3] == estimate_mean(human, model, tuning=0.0)[:3]
    assert estimate_mean(human, np.ones(len(model))).tuning == 0


def test_labels_that_do_not_differ_within_the_strata_get_no_weight() -> None:
    """As in a sample drawn within the model's grades; also where their mean is rounded."""
    human, _, strata = units(1)
    assert estimate_mean(human, np.array([0.1, 0.7])[strata], strata).tuning == 0


def test_everything_asked_is_certain_and_a_stratum_that_nobody_asked_about_is_refused() -> None:
    interval = estimate_mean(np.array([1.0, 0.0]), np.array([1.0, 1.0]))
    assert (interval.value, interval.low, interval.high) == (0.5, 0.5, 0.5)
    with pytest.raises(InputError, match="a stratum has no human label"):
        estimate_mean(np.array([1.0, np.nan]), np.array([1.0, 1.0]), np.array([0, 1]))


WIDTHS = {  # the mean widths of the intervals: without the model, with full weight, tuned
    "willia-umbrela1": (0.1205, 0.1246, 0.1098),
    "TREMA-4prompts": (0.1205, 0.1466, 0.1132),
}


@pytest.mark.parametrize("name", WIDTHS)
def test_coverage_and_width_on_llmjudge(shared: Path, name: str) -> None:
    """The share of relevant passages, from random samples of 200."""
    human, model = (people_and_model(shared, name).grades >= 2).astype(float).T
    rng, draws = np.random.default_rng(1), usually(150, 2000)
    estimates: list[list[PoweredEstimate]] = []
    for _ in range(draws):
        sample = np.full(len(human), np.nan)
        units = rng.choice(len(human), 200, replace=False)
        sample[units] = human[units]
        estimates.append([estimate_mean(sample, model, tuning=tuning) for tuning in (0.0, 1.0, None)])
    truth = human.mean()
    assert truth == pytest.approx(0.2679, abs=5e-5)
    for place, width in enumerate(WIDTHS[name]):
        column = [one[place] for one in estimates]
        assert np.mean([one.high - one.low for one in column]) == pytest.approx(width, abs=usually(0.002, 0.0003))
        assert 0.9 < np.mean([one.low <= truth <= one.high for one in column]) < usually(0.99, 0.96)


def passages(shared: Path, name: str) -> tuple[Ints, Ints, Ints]:
    """The grades of people and of a model for every passage of the LLMJudge challenge, and the topics."""
    matrix = people_and_model(shared, name)
    human, model = matrix.grades.astype(np.int64).T
    return human, model, np.unique(np.asarray(matrix.topic), return_inverse=True)[1]


def ranked(topics: Ints, worth: Ints, seed: int) -> Ints:
    """A run that finds good passages more often than others."""
    order = np.lexsort([-(0.6 * worth + np.random.default_rng(seed).gumbel(size=len(worth))), topics])
    rank = np.empty(len(worth), np.int64)
    rank[order] = np.arange(len(worth)) - np.searchsorted(topics[order], topics[order]) + 1
    return rank


@pytest.mark.parametrize("measure", ["P@10", "RBP", "DCG@10"])
@pytest.mark.parametrize("size", [100, 200, 1000])
@pytest.mark.parametrize("name", ["willia-umbrela1", "TREMA-rubric0"])
def test_intervals_hold_on_llmjudge(shared: Path, name: str, size: int, measure: str) -> None:
    """At the 200 labels of the guide .864 of those of P@10 held, and .62 of the worst run's."""
    human, model, topics = passages(shared, name)
    rank = ranked(topics, human, 5)
    gain = gains(parse_measures(measure, rel=2)[0], GRADES, int(rank.max())) / 25
    worth, by_model, ends = gain[human, rank - 1], gain[model, rank - 1], gain[:, rank - 1]
    sizes = np.bincount(model, minlength=4)
    shares, rng, hits, draws = (
        np.array(allocate_draws(sizes.tolist(), size)),
        np.random.default_rng(1),
        [],
        usually(30, 1000),
    )
    for _ in range(draws):
        sample = np.zeros(len(human), bool)
        for grade in np.flatnonzero(shares):
            sample[rng.choice(np.flatnonzero(model == grade), shares[grade], replace=False)] = True
        tuning = estimate_mean(np.where(sample, gain[human, 0], np.nan), gain[model, 0], model).tuning
        weight = (sizes / np.maximum(shares, 1))[model]
        sums = Sums(np.where(sample, worth, np.nan), by_model, weight, (ends.min(axis=0), ends.max(axis=0)))
        interval = sampled_score(sums, tuning)
        hits.append(np.isnan(interval.low) or interval.low <= worth.sum() <= interval.high)
    assert np.mean(hits) > 0.94 - 3 * (0.94 * 0.06 / draws) ** 0.5


def test_agreement_on_a_few_labels_is_no_certainty() -> None:
    """Person and model agree on all labels, and the interval has a width, unless nothing is left to ask."""
    same = np.array([1.0, 0.0] * 10)
    ends = np.zeros(20), np.ones(20)
    some = np.where(np.arange(20) < 8, same, np.nan)
    interval = sampled_score(Sums(some, same, np.full(20, 2.5), ends), tuning=1.0)
    assert interval.low < interval.value == 10 < interval.high
    assert (interval.low, interval.high) >= (4, 10)
    assert interval.high <= 16
    whole = sampled_score(Sums(same, same, np.ones(20), ends), tuning=1.0)
    assert (whole.low, whole.value, whole.high) == (10, 10, 10)
    nothing = sampled_score(Sums(same, same, np.ones(20), (ends[0], ends[0])), tuning=1.0)
    assert (nothing.low, nothing.value, nothing.high, nothing.why) == (0, 0, 0, "")


def test_no_interval_is_wider_than_that_of_people_alone() -> None:
    """Whatever the model says; and with fewer than five labels there is neither a value nor an interval."""
    random = np.random.default_rng(5)
    for noise in (0.1, 1.0, 5.0):
        for size in (6, 12, 40):
            human = random.integers(0, 2, 100).astype(float)
            model = (human + random.normal(0, noise, 100) > 0.5).astype(float)
            sample = np.full(100, np.nan)
            chosen = random.choice(100, size, replace=False)
            sample[chosen] = human[chosen]
            sums = Sums(sample / 100, model / 100, np.full(100, 100 / size), (np.zeros(100), np.full(100, 0.01)))
            for tuning in (0.3, 1.0):
                printed, alone = score_of("", "relevant", sums, tuning)[3:5]
                assert printed.high - printed.low <= alone.high - alone.low
                assert printed.tuning in (0.0, tuning)
    few = Sums(np.array([1.0] + [np.nan] * 9), np.ones(10), np.full(10, 10.0), (np.zeros(10), np.ones(10)))
    estimate = score_of("r", "P@10", few, 1.0)
    for one in (estimate.estimate, estimate.alone, estimate.trusting):
        assert np.isnan([one.value, one.low, one.high]).all()
        assert one.why.endswith("expected at least 5")
    assert estimate.model == 10


def test_single_labels_need_agreement_above_a_floor() -> None:
    """People who always said yes and always no agree with nobody: a model that agrees as little is not usable."""
    nobody = Interval(0.0, 0.0, 0.0)
    assert single_labels(Interval(0.3, 0.1, 0.5), nobody).usable is None
    assert single_labels(Interval(0.0, -0.1, 0.1), nobody).usable is False
    assert single_labels(Interval(0.6, 0.55, 0.65), Interval(0.6, 0.55, 0.65)).usable is True
    at_chance = single_labels(Interval(-0.01, -0.13, 0.12), None)
    assert at_chance == ("single labels", False, "kappa -0.01 (-0.13 to 0.12) with people is no better than chance")


def test_a_judge_at_chance_is_called_that_first(cranfield: Cranfield, tmp_path: Path) -> None:
    """And `--fail-if at-chance` ends with status 3; a good judge passes."""
    coins = np.random.default_rng(3)
    noise = {qid: {docno: int(coins.integers(2)) for docno in docs} for qid, docs in truth().items()}
    for name, labels, code in (("chance", noise, 3), ("good", truth(), 0)):
        path = tmp_path / f"{name}.db"
        new_store(path, topics=[*truth()], people=["ada"], models=["qwen"], runs=rankings(),
                  qrels={"ada": truth(), "qwen": labels}).close()  # fmt: skip
        result = cranfield("model", "audit", "report", path, "--model", "qwen", "--fail-if", "at-chance")
        assert result.code == code
        assert result.out.startswith("At chance: kappa ") is (code == 3)
        document = json.loads(cranfield("model", "audit", "report", path, "--model", "qwen", "--format", "json").out)
        assert document["at_chance"] is (code == 3)
        assert not (code and any(one["usable"] for one in document["uses"]))


def test_csv_of_audits_names_whose_labels_it_is_about(cranfield: Cranfield, tmp_path: Path) -> None:
    """Of the report those that the model's are compared with, of the estimate the sample and its assessor."""
    path = tmp_path / "audited.db"
    new_store(path, topics=[*truth()], people=["ada"], models=["qwen"], runs=rankings(),
              qrels={"ada": truth(), "qwen": favouring("run3")}).close()  # fmt: skip
    with Store.open(path) as store:
        draw = draw_audit(store, "qwen", "bob", 20, seed=2)
        judge_sample(store, draw.number, truth())
    for words, whose in (
        (["report", path, "--model", "qwen", "--human", "ada"], "compared with labels by ada"),
        (["estimate", path], "sample 1 of the labels of qwen, judged by bob"),
    ):
        rows = list(csv.DictReader(io.StringIO(cranfield.out("model", "audit", *words, "--format", "csv"))))
        assert {row["labels_of"] for row in rows} == {whose}
        assert f"% {whose}\n" in cranfield.out("model", "audit", *words, "--format", "latex")
