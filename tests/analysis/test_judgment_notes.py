"""Notes on the judgments by which runs are scored."""

import warnings

import pytest

from cranfield import evaluate

RUN = {"1": {"a": 1.0, "b": 0.5}}


def test_a_scale_that_begins_with_1_is_noted() -> None:
    """On stars from 1 to 5 every document would be relevant."""
    stars = {"1": {"a": 1, "b": 5, "c": 3, "d": 2}}
    with pytest.warns(
        UserWarning, match=r"from 1 to 5, so AP counts every .*; if grade 1 means not relevant, use AP\(rel=2\)"
    ):
        evaluate(stars, RUN, measures="AP")


@pytest.mark.parametrize("measure", ["AP(rel=2)", "nDCG", "DCG"])
def test_measures_without_a_threshold_at_1_need_no_note(measure: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluate({"1": {"a": 1, "b": 5, "c": 3, "d": 2}}, RUN, measures=measure)


@pytest.mark.parametrize(
    "grades", [{"a": 0, "b": 5, "c": 3, "d": 2}, {"a": 1, "b": 2, "c": 3}, {"b": 5, "c": 3, "d": 2}]
)
def test_other_scales_need_no_note(grades: dict[str, int]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluate({"1": grades}, RUN, measures="AP")
