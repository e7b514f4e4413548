"""Auditing a model in a store: the sample, what the labels can be used for, and what people would have said."""

from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np
import pytest

from cranfield.analysis.models.audit import ModelAudit, audit
from cranfield.analysis.models.estimate import AuditEstimate, draw_audit, estimate, without_interval
from cranfield.arrays.join import judge
from cranfield.errors import InputError
from cranfield.formats import RunInfo, Topic
from cranfield.judging.labels.diff import side
from cranfield.judging.models.bias import by_grade, over_rating
from cranfield.judging.planning.overview import sample_for
from cranfield.judging.session.session import Session
from cranfield.metrics.evaluate import score
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.notation import parse_all
from cranfield.store.models import audit_sample
from cranfield.store.qrels import import_qrels
from cranfield.store.runs import add_runs
from cranfield.store.store import Store
from tests.conftest import usually
from tests.judging.cases import at

TOPICS, DOCUMENTS, RUNS = 12, 30, 6
Labels = Mapping[str, Mapping[str, int]]


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
    store = Store.memory("audited", {0: "no", 1: "yes"})
    store.add_topics([Topic(qid, f"title {qid}") for qid in truth()])
    add_runs(store, as_runs(rankings()), {f"run{r}": RunInfo(f"team{r}") for r in range(RUNS)})
    if human is not None:
        import_qrels(store, as_qrels(human), "ada", "human")
    import_qrels(store, as_qrels(model), "qwen", "model")
    return store


def top(run: str, number: int = 10) -> dict[str, set[str]]:
    """The first documents of a run."""
    return {qid: set(sorted(ranked, key=lambda d: -ranked[d])[:number]) for qid, ranked in rankings()[run].items()}


def favouring(run: str) -> dict[str, dict[str, int]]:
    """People's labels, but whatever a run ranks at the top is relevant."""
    best = top(run)
    return {q: {d: int(d in best[q] or grade) for d, grade in docs.items()} for q, docs in truth().items()}


@pytest.fixture(scope="module")
def biased() -> Iterator[ModelAudit]:
    """An audit of a model that likes one run."""
    with store_with(favouring("run3"), truth()) as store:
        yield audit(store, "qwen", measures="P@10")


def test_a_judge_that_likes_one_run_is_found_out_and_nobody_else(biased: ModelAudit) -> None:
    assert [one.run for one in biased.runs if one.favoured] == ["run3"]
    assert biased.verdict.startswith("Not for the order of the runs")
    assert "P@10 favours 1 run: run3" in biased.uses[0].why
    assert biased.repeated == (0, 0)


def test_people_as_a_model_favour_nobody() -> None:
    with store_with(truth(), truth()) as store:
        found = audit(store, "qwen", "ada", ["P@10", "AP"])
    assert not any(one.favoured for one in found.runs)
    assert found.uses[0].usable
    assert found.uses[1].usable is None  # no difference was seen, which is no interval
    assert found.uses[1].why.endswith("or 8 on which the grades differ")
    assert {one.interval.value for one in found.agreement} == {1.0}


def test_bias_is_the_difference_of_the_scores(biased: ModelAudit) -> None:
    runs, measures = as_runs(rankings()), parse_all("P@10")
    by_model, by_people = (score(judge(runs, as_qrels(labels)), measures) for labels in (favouring("run3"), truth()))
    expected = dict(zip(runs.tags, (by_model - by_people).mean(axis=1)[:, 0], strict=True))
    assert {one.run: one.bias.bias for one in biased.runs} == pytest.approx(expected)
    assert np.mean([one.bias.own for one in biased.runs]) == pytest.approx(0)


def test_over_rating_has_an_interval_where_the_grades_differ_on_topics_enough() -> None:
    """That of a t test where topics are of one size; cut at what the scale allows; none of a few topics that differ."""
    from scipy import stats

    random, topics = np.random.default_rng(3), np.repeat(np.arange(12), 5)
    human = np.tile([0.0, 0, 1, 2, 3], 12)
    model = np.clip(human + random.integers(-1, 3, 60).astype(float), 0.0, 3.0)
    (every, *grades) = over_rating(model, human, topics, by_grade(human), (0, 3))
    oracle = stats.ttest_1samp((model - human).reshape(12, 5).mean(axis=1), 0).confidence_interval()
    assert (every.low, every.high) == pytest.approx((oracle.low, oracle.high))
    assert all(np.isnan(one.low) or -int(one.group) <= one.low <= one.high <= 3 - int(one.group) for one in grades)
    few = np.where(topics < 7, model, human)
    assert np.isnan(over_rating(few, human, topics, iter(()), (0, 3))[0].low)


def test_runs_of_the_family_of_the_judge_are_circular() -> None:
    with store_with(truth(), truth()) as store:
        found = audit(store, "qwen", measures="P@10", families={"run1": "qwen", "run2": "other"})
        with pytest.raises(InputError, match="there is no run 'nobody'"):
            audit(store, "qwen", families={"nobody": "x"})
    assert {one.run: one.family for one in found.runs if one.family} == {"run1": "circular", "run2": "other model"}


def judged(store: Store, number: int) -> None:
    """Labels of a sample as people would give them."""
    labels: dict[str, dict[str, int]] = {}
    for pair in audit_sample(store, number).pairs:
        labels.setdefault(pair.qid, {})[pair.docno] = truth()[pair.qid][pair.docno]
    import_qrels(store, as_qrels(labels), "bob", "human")


def estimated(unit: str, size: int, measures: str, by: str = "grade") -> tuple[AuditEstimate, Store]:
    """An estimate from a sample that was judged."""
    store = store_with(favouring("run3"))
    sample = draw_audit(store, "qwen", "bob", size, by, unit, seed=2)
    judged(store, sample.number)
    return estimate(store, measures=measures), store


@pytest.mark.parametrize("by", ["grade", "topic"])
def test_a_sample_of_all_documents_gives_the_scores_by_people(by: str) -> None:
    found, store = estimated("pair", TOPICS * DOCUMENTS, "P@10", by)
    with store:
        runs = as_runs(rankings())
        expected = score(judge(runs, as_qrels(truth())), parse_all("P@10")).mean(axis=1)[:, 0]
        by_model = score(judge(runs, side(store, "assessor:qwen").qrels), parse_all("P@10")).mean(axis=1)[:, 0]
    assert [one.run for one in found.scores] == ["", *runs.tags]
    assert [one.tuned.value for one in found.scores[1:]] == pytest.approx(expected)
    assert [one.model for one in found.scores[1:]] == pytest.approx(by_model)
    assert all(one.tuned.low == pytest.approx(one.tuned.high) for one in found.scores)


def test_few_labels_have_no_interval() -> None:
    """Of 40 labels of 360, few are of the first ten documents of a topic; all of them are worth a line."""
    some, store = estimated("pair", 14, "P@1")
    store.close()
    (share, *runs) = some.scores
    assert 0 <= share.tuned.low < share.tuned.value < share.tuned.high <= 1
    assert all(np.isnan(one.tuned.low) and one.tuned.sampled < 5 for one in runs)
    (line, *_) = without_interval(some)
    assert line.endswith("expected 5 or more")
    assert "P@1" in line
    every, store = estimated("pair", TOPICS * DOCUMENTS, "P@1")
    store.close()
    assert without_interval(every) == []


def test_no_interval_leaves_its_range_or_is_without_width() -> None:
    found, store = estimated("pair", 60, "P@10")
    store.close()
    for each in found.scores:
        for one in (each.tuned, each.alone, each.trusting):
            assert np.isnan(one.low) or 0 <= one.low < one.high <= 1
            assert 0 <= one.value <= 1


def test_a_sample_of_all_topics_gives_the_scores_by_people() -> None:
    found, store = estimated("topic", TOPICS, "AP")
    store.close()
    runs = as_runs(rankings())
    expected = score(judge(runs, as_qrels(truth())), parse_all("AP")).mean(axis=1)[:, 0]
    assert [one.tuned.value for one in found.scores] == pytest.approx(expected)


def test_intervals_from_samples_hold_the_scores_by_people() -> None:
    runs = as_runs(rankings())
    expected = score(judge(runs, as_qrels(truth())), parse_all("P@10")).mean(axis=1)[:, 0]
    found, store = estimated("pair", 120, "P@10")
    store.close()
    hits = [one.tuned.low <= value <= one.tuned.high for one, value in zip(found.scores[1:], expected, strict=True)]
    assert sum(hits) >= RUNS - 1
    assert all(0 <= one.tuned.tuning <= 1 for one in found.scores)


def test_what_a_sample_cannot_say_is_refused() -> None:
    with store_with(favouring("run3")) as store:
        with pytest.raises(InputError, match="no sample of the labels of a model was drawn here"):
            estimate(store)
        with pytest.raises(InputError, match="'bob' is not a model of this store; its models are qwen"):
            draw_audit(store, "bob", "ada", 20)
        with pytest.raises(InputError, match="a sample of 400, but the model labelled 360 documents"):
            draw_audit(store, "qwen", "bob", 400)
        with pytest.raises(InputError, match="a sample of 3 is too small: the 2 strata of the sample needs 4"):
            draw_audit(store, "qwen", "bob", 3)
        sample = draw_audit(store, "qwen", "bob", 20)
        with pytest.raises(InputError, match="0 of 20 documents of sample 1 are judged, 20 are missing"):
            estimate(store)
        with pytest.raises(InputError, match="sample 1 is for 'bob' to judge, not for 'eve'"):
            sample_for(store, "eve", sample.number)
        judged(store, sample.number)
        with pytest.raises(InputError, match="AP is not a sum over labels of single documents"):
            estimate(store, measures="AP")
        with pytest.raises(InputError, match="'bob' has labelled 20 documents of the sample before it was drawn"):
            draw_audit(store, "qwen", "bob", 20)
        import_qrels(store, as_qrels({"q00": {"late": 1}}), "qwen", "model")
        with pytest.raises(InputError, match="the labels of 'qwen' have changed since sample 1 was drawn from 360"):
            estimate(store)


def relevant_of(labels: Labels) -> dict[str, int]:
    return {qid: sum(docs.values()) for qid, docs in labels.items()}


def test_recall_is_a_sum_where_the_number_of_relevant_documents_is_known() -> None:
    """All documents sampled: recall by people. Without the numbers, or with too small ones, it is refused."""
    found, store = estimated("pair", TOPICS * DOCUMENTS, "P@10")
    counts = relevant_of(truth())
    with store:
        found = estimate(store, measures=["R@10", "R"], relevant=counts)
        expected = score(judge(as_runs(rankings()), as_qrels(truth())), parse_all(["R@10", "R"])).mean(axis=1)
        assert [one.tuned.value for one in found.scores[1:]] == pytest.approx(expected.T.ravel())
        with pytest.raises(InputError, match="R@10 needs the number of relevant documents of each topic"):
            estimate(store, measures="R@10")
        with pytest.raises(InputError, match="the number of relevant documents of topic 'q11' is not given"):
            estimate(store, measures="R@10", relevant={qid: n for qid, n in counts.items() if qid != "q11"})
        with pytest.raises(InputError, match="relevant documents of topic 'q03'; the number given is 1"):
            estimate(store, measures="R@10", relevant={**counts, "q03": 1})


@pytest.mark.parametrize("by", ["grade", "topic"])
def test_a_sample_judged_in_part_says_something_of_the_topics_judged_whole(by: str) -> None:
    """The estimate is that of a store with these topics alone."""
    first = sorted(truth())[:4]
    part = {qid: truth()[qid] for qid in first}
    with store_with(favouring("run3")) as store:
        sample = draw_audit(store, "qwen", "bob", TOPICS * DOCUMENTS, by)
        with pytest.raises(InputError, match="no topic of sample 1 is judged whole yet"):
            estimate(store, judged_topics_only=True)
        import_qrels(store, as_qrels({**part, "q04": {"d00": 1}}), "bob", "human")
        found = estimate(store, measures="P@10", judged_topics_only=True)
        with pytest.raises(InputError, match="121 of 360 documents of sample 1 are judged"):
            estimate(store)
    expected = score(judge(as_runs(rankings()), as_qrels(part)), parse_all("P@10")).mean(axis=1)[:, 0]
    assert [one.tuned.value for one in found.scores[1:]] == pytest.approx(expected)
    assert (found.topics, found.judged, sum(found.sample.strata.values())) == (4, 120, 120)
    assert len(sample.pairs) == 360


def test_intervals_from_a_sample_judged_in_part_hold_the_scores_by_people() -> None:
    """In samples of which half the topics are judged, about 95 % of the intervals do."""
    first = sorted(truth())[:6]
    share = float(np.mean([grade for qid in first for grade in truth()[qid].values()]))
    hits, samples = 0, usually(5, 40)
    with store_with(favouring("run3")) as store:
        for seed in range(samples):
            sample = draw_audit(store, "qwen", f"person {seed}", 120, seed=seed)
            labels: dict[str, dict[str, int]] = {}
            for pair in sample.pairs:
                if pair.qid in first:
                    labels.setdefault(pair.qid, {})[pair.docno] = truth()[pair.qid][pair.docno]
            import_qrels(store, as_qrels(labels), f"person {seed}", "human")
            [found] = estimate(store, number=sample.number, judged_topics_only=True).scores
            hits += found.tuned.low <= share <= found.tuned.high
    assert hits >= 0.85 * samples - 1


def test_a_sample_of_topics_judged_in_part_is_refused() -> None:
    with store_with(favouring("run3")) as store:
        draw_audit(store, "qwen", "bob", 4, unit="topic")
        with pytest.raises(InputError, match="those that are judged first are not a random part"):
            estimate(store, measures="AP", judged_topics_only=True)


def test_a_sample_shows_nothing_of_the_labels() -> None:
    with store_with(favouring("run3")) as store:
        sample = draw_audit(store, "qwen", "bob", 20)
        pool = sample_for(store, "bob", sample.number)
        assert {(document.depth, document.runs, document.stratum) for document in pool.documents} == {(1, (), None)}
        session = Session(store, "bob", pool)
        assert "qwen" not in repr(session.view)
        assert at(session).grade(1).total.remaining == 19
