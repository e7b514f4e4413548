"""Click models of a store's log: what is predicted, what is written, and the labels that are stored."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from cranfield.analysis.online.clicks import (
    as_document,
    click_fits,
    parameter_rows,
    parameters_by_rank,
    prediction_rows,
    relevance_rows,
    store_labels,
    thresholds_of,
)
from cranfield.arrays.interactions import example
from cranfield.errors import InputError
from cranfield.formats import Topic
from cranfield.store.log import assessors
from cranfield.store.qrels import counted
from cranfield.store.store import Store

LOG = example(*["ab:a"] * 30, *["ba:a"] * 20, *["ba:b"] * 10)


@pytest.fixture
def store() -> Iterator[Store]:
    with Store.memory("clicks", grades={0: "no", 1: "some", 2: "highly"}) as made:
        made.add_topics([Topic("1", "wing lift")])
        yield made


def test_held_out_sessions_are_predicted() -> None:
    found = click_fits(LOG, ["gctr", "pbm", "cm"], 0.25)
    assert (found.lists, found.held_out) == (45, 15)
    likelihood = {row["model"]: row["log_likelihood"] for row in prediction_rows(found)}
    assert max(likelihood, key=lambda name: likelihood[name]) != "gctr"
    assert len(as_document(found)["models"][1]["prediction"]["perplexity_by_rank"]) == 2
    assert [row["of"] for row in parameter_rows(found) if row["model"] == "pbm"] == ["rank 1", "rank 2"]
    assert prediction_rows(click_fits(LOG, ["pbm"])) == []


def test_a_split_that_leaves_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="leaves nothing to fit or nothing to predict"):
        click_fits(example("ab:a"), ["pbm"], 0.25)


def test_labels_are_of_a_model_and_quantised(store: Store) -> None:
    found = click_fits(LOG, ["dctr"])
    assert store_labels(store, found, found.models[0], thresholds_of([0, 1, 2]), 60) == ("clicks-dctr", 2)
    assert assessors(store)["clicks-dctr"] == "model"
    assert counted(store, None).qrels.grade.tolist() == [2, 0]  # relevance 51/62 and 11/62
    with pytest.raises(InputError, match="assessor 'clicks-dctr' already exists"):
        store_labels(store, found, found.models[0], thresholds_of([0, 1, 2]))
    with pytest.raises(InputError, match="no document was shown 61 times or more"):
        store_labels(store, found, found.models[0], thresholds_of([0, 1, 2]), 61, "other")


@pytest.mark.parametrize("given", [[0.5], [0.5, 0.2], [0, 0.5], [0.5, 1]])
def test_bad_thresholds(given: list[float]) -> None:
    with pytest.raises(InputError, match="expected 2 rising numbers between 0 and 1"):
        thresholds_of([0, 1, 2], given)


def test_rare_queries_are_left_out() -> None:
    """Unless they are topics."""
    asked = example("ab:a", "ab:", "ab:b", users="xyx")
    untold = replace(asked, topic=np.full(3, -1))
    rows = [len(list(relevance_rows(found := click_fits(log, ["dctr"]), found.models[0], least)))
            for log, least in ((untold, 2), (untold, 3), (asked, 3))]  # fmt: skip
    assert rows == [2, 0, 2]


def test_a_model_without_documents_gives_no_relevance() -> None:
    found = click_fits(LOG, ["rctr"])
    with pytest.raises(InputError, match="rctr has no parameters of documents"):
        next(relevance_rows(found, found.models[0], 1))


@pytest.mark.parametrize(
    ("model", "lines"),
    [("pbm", ["examination"]), ("ubm", ["no click above", "after a click at 1"]), ("dbn", []), ("ccm", [])],
)
def test_what_depends_on_the_rank_is_drawn(model: str, lines: list[str]) -> None:
    """What a user does after a click that satisfied is of no rank."""
    from cranfield.plots.online import examination_plot

    shared = parameters_by_rank(click_fits(LOG, [model]).models[0])
    assert bool(shared) == bool(lines)
    drawn = examination_plot(model, shared).axes[0].get_lines() if shared else []
    assert [str(line.get_label()) for line in drawn] == lines
