"""Bounds for the next system, and random draws."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from cranfield.arrays.join import join_runs_and_qrels
from cranfield.errors import InputError
from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.forecast.forecaster import UnjudgedPairs, fit_forecaster, unjudged_pairs
from cranfield.metrics.forecast.next_system import LeftOutLosses, left_out_losses, loss_bounds
from cranfield.metrics.forecast.random_draw import (
    check_draw,
    check_draw_grades,
    draw_documents,
    format_draw,
    parse_draw,
)
from cranfield.metrics.forecast.training import make_splits
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.notation import parse
from tests.metrics.forecast.made_up import RunDict, made_up, pool_of


@pytest.fixture(scope="module")
def pairs() -> UnjudgedPairs:
    runs, full = made_up(7)
    pooled = {tag: run for tag, run in runs.items() if tag != "r6"}
    fitted = fit_forecaster(as_runs(pooled), as_qrels(pool_of(pooled, full, 10)), 10)
    return unjudged_pairs(fitted, as_runs({"r6": runs["r6"]}))


def losses_of(runs: RunDict, judged: Mapping[str, Mapping[str, float]], measures: Sequence[str]) -> LeftOutLosses:
    splits = [*make_splits(sorted(runs), {}, np.random.default_rng(0))]
    return left_out_losses(
        join_runs_and_qrels(as_runs(runs), as_qrels(judged)), 10, splits, [parse(name) for name in measures]
    )


def test_losses_of_left_out_runs() -> None:
    """The loss of a run that is left out alone is what `evaluate` finds under the pool without it."""
    runs, full = made_up(5)
    judged = pool_of(runs, full, 10)
    losses = losses_of(runs, judged, ["AP", "nDCG@10", "P@10", "Bpref"])
    for number, tag in enumerate(losses.tags):
        without = pool_of({name: run for name, run in runs.items() if name != tag}, full, 10)
        for column, measure in enumerate(losses.measures):
            after = evaluate(judged, runs[tag], [measure]).value[0]
            before = evaluate(without, runs[tag], [measure]).value[0]
            mine = losses.loss[losses.run == number, column]
            assert np.isclose(mine, (after - before) / after).any()
    assert len(losses.unjudged_share) == len(losses.loss)


def halve_grades(qrels: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, float]]:
    return {qid: {docno: grade / 2 for docno, grade in grades.items()} for qid, grades in qrels.items()}


def test_losses_where_grades_are_fractions() -> None:
    """A grade of 0.5 is half a gain, with the run's own documents and without."""
    runs, full = made_up(5)
    judged = halve_grades(pool_of(runs, full, 10))
    losses = losses_of(runs, judged, ["nDCG@10", "infAP"])
    for number, tag in enumerate(losses.tags):
        without = halve_grades(pool_of({name: run for name, run in runs.items() if name != tag}, full, 10))
        before, after = (evaluate(qrels, runs[tag], ["nDCG@10"]).value[0] for qrels in (without, judged))
        assert np.isclose(losses.loss[losses.run == number, 0], (after - before) / after).any()


def test_bounds_by_band() -> None:
    """A band with fewer than 20 losses is not tested."""
    runs, full = made_up(6)
    losses = losses_of(runs, pool_of(runs, full, 10), ["P@10"])
    found = loss_bounds(losses)
    assert [bound.up_to for bound in found] == [0.15, 0.3, 0.5, 1.0]
    for bound in found:
        assert (bound.bound is None) == (bound.n_losses < 20)
    last = losses.loss[losses.unjudged_share > 0.5, 0]
    assert found[-1].bound == pytest.approx(np.quantile(last, 0.975) * 2.5 + 0.005)


def test_the_bound_of_a_band_is_that_of_the_next_one() -> None:
    """And at least those of lower shares; without a next band the factor is larger; an untested band has no bound."""
    share = np.repeat([0.1, 0.2, 0.4, 0.8], [20, 20, 10, 20])
    loss = np.repeat([0.1, 0.4, 0.9, 0.2], [20, 20, 10, 20])[:, None]
    run = np.zeros(len(share), np.int64)
    found = loss_bounds(LeftOutLosses((parse("AP"),), run, ("a",), share, loss))
    assert [bound.n_losses for bound in found] == [20, 20, 10, 20]
    assert [bound.bound for bound in found] == [pytest.approx(0.525), pytest.approx(1.005), None, pytest.approx(1.005)]


def test_draw_is_read_back(pairs: UnjudgedPairs) -> None:
    """A draw keeps run, depth, seed, frame and order; its labels end at the first document without one."""
    draw = draw_documents(pairs, "r6", 8, 10, seed=3)
    assert len(set(draw.documents)) == 8
    assert draw.frame_size == len(pairs.docno)
    assert check_draw(parse_draw(format_draw(draw)), pairs) == draw
    lines = format_draw(draw).splitlines()
    filled = [f"{line[:-1]}{number % 2}" if number not in (0, 3) else line for number, line in enumerate(lines[6:], 1)]
    read = parse_draw("\n".join(lines[:6] + filled))
    assert read.labels == {draw.documents[0]: 1, draw.documents[1]: 0}


def test_draw_of_another_frame_is_refused(pairs: UnjudgedPairs) -> None:
    """A draw in another order, or from other unjudged documents, is no random draw of these."""
    text = format_draw(draw_documents(pairs, "r6", 4, 10, seed=3))
    with pytest.raises(InputError, match=r"sample.tsv:7: found document \S+ of topic \S+; expected \S+ of topic"):
        check_draw(parse_draw(text.replace("# seed\t3", "# seed\t4")), pairs, "sample.tsv")
    with pytest.raises(InputError, match=r"sample.tsv:5: found a frame of 2 documents; expected the \d+ unjudged"):
        check_draw(parse_draw(text.replace(f"frame\t{len(pairs.docno)}", "frame\t2")), pairs, "sample.tsv")


def test_labels_are_on_the_scale(pairs: UnjudgedPairs) -> None:
    """Of judgments up to their highest grade, with fractions where they have one; of a store only its grades."""
    text = format_draw(draw_documents(pairs, "r6", 3, 10)).replace("\t-\n", "\t1.5\n")
    draw = parse_draw(text)
    assert check_draw_grades(draw, [0, 0.5, 2]) == draw
    with pytest.raises(InputError, match=r"f:7: found grade 1.5; expected a whole number from 0 to 2, as in the jud"):
        check_draw_grades(draw, [0, 2], source="f")
    with pytest.raises(InputError, match=r"f:7: found grade 1.5; expected a number from 0 to 1, as in the judgments"):
        check_draw_grades(draw, [0, 0.5, 1], source="f")
    with pytest.raises(InputError, match=r"f:7: found grade 1.5; expected a grade on the store's scale: 0, 1, 2"):
        check_draw_grades(draw, [0, 1], [2, 1, 0], source="f")
    assert check_draw_grades(replace(draw, grades=(2, 0, None)), [0, 1], [0, 1, 2]).grades == (2, 0, None)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("# random draw", "# draw", r"f:1: found '# draw of unjudged documents'; expected '# random draw"),
        ("# depth\t10", "# depth", r"f:3: found '# depth'; expected '# depth' and its value"),
        ("# seed\t3", "# seed\tx", r"f:4: found 'x'; expected a seed, a whole number"),
        ("\n2\t", "\n3\t", r"f:8: found '3\\t.*'; expected order 2, topic, document and grade"),
    ],
)  # fmt: skip
def test_damaged_draws(pairs: UnjudgedPairs, before: str, after: str, message: str) -> None:
    """Each error names the line, what was found and what was expected."""
    text = format_draw(draw_documents(pairs, "r6", 4, 10, seed=3)).replace(before, after)
    with pytest.raises(InputError, match=message):
        parse_draw(text, "f")


def test_draws_need_a_run_and_a_number(pairs: UnjudgedPairs) -> None:
    """An unknown run and an empty draw are refused."""
    with pytest.raises(InputError, match="expected at least 1"):
        draw_documents(pairs, "r6", 0, 10)
    with pytest.raises(InputError, match="unknown run 'r9'"):
        draw_documents(pairs, "r9", 1, 10)
