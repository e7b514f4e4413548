"""The measures of preferences: laws that hold for every ranking."""

from itertools import permutations

import pytest

from cranfield.formats.preferences import PreferenceLine
from cranfield.metrics.preferences import as_many_nonrelevant, groups_of

LEVELS = {"0": {"a": 2, "n1": 0, "n2": 0}, "1": {"a": 1, "b": 1, "n3": 0}}  # by subgroup; two relevant documents


def preference_lines(kept: str = "") -> list[PreferenceLine]:
    """The lines of a group with two subgroups, without one of the nonrelevant documents if `kept` names the others."""
    pairs = [(part, docno, level) for part, levels in LEVELS.items() for docno, level in levels.items()]
    return [
        PreferenceLine(number, "q", "ada", part, docno, level)
        for number, (part, docno, level) in enumerate(pairs)
        if not kept or level or docno in kept.split()
    ]


@pytest.mark.parametrize("ranking", [*permutations(["a", "n1", "n2", "n3"])], ids=" ".join)
def test_nonrelevant_documents_beyond_the_number_of_relevant_ones_do_not_count(ranking: tuple[str, ...]) -> None:
    first_two = " ".join([docno for docno in ranking if docno != "a"][:2])
    every, fewer = (groups_of(preference_lines(kept), [*ranking, "b"]) for kept in ("", first_two))
    assert as_many_nonrelevant(every) == as_many_nonrelevant(fewer)


def test_equal_numbers_of_relevant_and_nonrelevant_documents_are_all_compared() -> None:
    lines = [PreferenceLine(number, "q", "ada", "0", docno, 1 - number) for number, docno in enumerate("ab")]
    assert [as_many_nonrelevant(groups_of(lines, ranking)) for ranking in ("ab", "ba")] == [1.0, 0.0]


def test_a_group_without_preferences_makes_the_measure_0() -> None:
    """A group has no relevant document: nothing can be fulfilled in it."""
    alone = [PreferenceLine(1, "q", "bob", "0", "a", 0)]
    assert as_many_nonrelevant(groups_of(alone, "a")) == 0.0
    pair = [PreferenceLine(number, "q", "ada", "0", docno, 1 - number) for number, docno in enumerate("ab")]
    assert as_many_nonrelevant(groups_of([*pair, *alone], "ab")) == 0.0
