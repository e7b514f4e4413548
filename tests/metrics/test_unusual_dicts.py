"""Dicts that are not {qid: {docno: number}}: tables of pandas, a topic under two keys, numbers in arrays."""

from typing import Any, Literal

import numpy as np
import pandas as pd
import pytest

from cranfield import evaluate
from cranfield.errors import InputError

RUN = pd.DataFrame({"qid": [1, 1, 2], "docno": [10, 11, 12], "score": [2.0, 1.0, 3.0]})
QRELS = pd.DataFrame({"qid": [1, 1, 2], "docno": [11, 10, 12], "label": [1, 0, 1]})
Orient = Literal["dict", "index"]


@pytest.mark.parametrize("orient", ["dict", "index"])
def test_a_table_as_a_dict_is_refused(orient: Orient) -> None:
    """Its columns are not topics: RR would be 0.6667 and 1 where it is 0.75."""
    expected = r"a dict with the columns 'qid' and 'docno', .*; expected \{qid: \{docno: number\}\}, or the D"
    run, qrels = RUN.to_dict(orient), QRELS.to_dict(orient)
    texts = [{str(key): {str(name): value for name, value in row.items()} for key, row in t.items()}
             for t in (run, qrels)]  # fmt: skip
    for runs, judgments in ((run, QRELS), ({"a": run}, QRELS), (RUN, qrels), (run, qrels), texts):
        with pytest.raises(InputError, match=expected):
            evaluate(judgments, runs, measures="RR")
    assert evaluate(QRELS.to_dict("records"), RUN, measures="RR").frame["value"].tolist() == [0.75]


def test_a_topic_under_two_keys_is_refused() -> None:
    """As a document is; 1 and "1" are one id."""
    with pytest.raises(InputError, match="the topics 1 and '1' have the same id; expected each topic once"):
        evaluate({"1": {"b": 1}}, {1: {"a": 1.0}, "1": {"b": 0.5}}, measures="RR")
    with pytest.raises(InputError, match="the topics '1' and 1 have the same id"):
        evaluate({"1": {"b": 1}, 1: {"a": 1}}, {"1": {"a": 1.0}}, measures="RR")


class Tensor:
    """A number as torch holds it."""

    ndim = 0

    def __init__(self, number: float) -> None:
        self._number = number

    def item(self) -> float:
        return self._number


@pytest.mark.parametrize("kind", [np.array, Tensor])
def test_arrays_of_no_dimension_are_numbers(kind: Any) -> None:
    run, qrels = {"1": {"a": kind(0.1), "b": kind(0.2)}}, {"1": {"a": kind(1)}}
    assert evaluate({"1": {"a": 1}}, run, measures="RR").frame["value"].tolist() == [0.5]
    assert evaluate(qrels, {"1": {"a": 0.1, "b": 0.2}}, measures="RR").frame["value"].tolist() == [0.5]
    with pytest.raises(InputError, match=r"document 'b': the score is array\(\[0.2\]\); expected a number"):
        evaluate({"1": {"a": 1}}, {"1": {"a": 0.1, "b": np.array([0.2])}}, measures="RR")


def test_columns_in_the_index_are_named() -> None:
    with pytest.raises(InputError, match=r"missing: query_id .*; the index contains qid; use frame.reset_index\(\)"):
        evaluate(QRELS, RUN.set_index("qid"), measures="RR")
    with pytest.raises(InputError, match="; the index contains docno and qid; use"):
        evaluate(QRELS.set_index(["qid", "docno"]), RUN, measures="RR")
