"""trec-eval -R: what it prints of preferences is compared in test_expected; here what it refuses, and an oracle."""

from pathlib import Path

import numpy as np
import pytest

from cranfield.errors import CranfieldError, InputError
from cranfield.formats import read_preferences
from cranfield.metrics.preferences import MEASURES, groups_of
from tests.metrics.trec_eval.cases import Files

PREFS = "q ada 1 a 2\nq ada 1 b 1\nq ada 2 b 2\nq ada 2 c 1\n"
RUN = "q Q0 b 0 3 tag\nq Q0 x 0 2 tag\nq Q0 a 0 1 tag\n"


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """A run of b and a, and preferences of a over b, and of b over c."""
    return Files(tmp_path).write(PREFS, RUN)


def test_what_follows_from_two_subgroups_counts(files: Files) -> None:
    """A over b and b over c: so a over c. The run has b first, and c not at all."""
    found = files.values("-R", "prefs", "-m", "all_prefs")
    assert (found["prefs_num_prefs_poss", "all"], found["prefs_num_prefs_ful", "all"]) == ("3", "2")
    assert (found["prefs_simp_ret", "all"], found["prefs_simp", "all"]) == ("0.0000", "0.6667")


def test_a_topic_without_a_ranking_counts_with_c_only(files: Files) -> None:
    """As an empty ranking."""
    files.write(PREFS + "z ada 1 a 2\nz ada 1 b 1\n", RUN)
    for options, topics, mean in (((), "1", "0.6667"), (("-c",), "2", "0.3333")):
        found = files.values("-R", "prefs", *options)
        assert (found["num_q", "all"], found["prefs_simp", "all"]) == (topics, mean)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("q ada 1 a\n", "1: 4 columns where preferences have 5: qid group subgroup docno level"),
        ("q ada 1 a high\n", "1: level 'high'; expected a number"),
        ("q ada 1 a 1\nq ada 1 a 2\n", "2: duplicate document 'a' of topic q in a group, first on line 1"),
        ("q ada 1 a 1\nq ada 1 b 2\nq ada 2 b 1\nq ada 2 a 2\n", "topic q, group 'ada': document 'b' is preferred to"),
        ("q ada 1 a 1\nq ada 1 b 2\nq ada 2 b 0\nq ada 2 a 1\n", "document 'b' has level 0 here and another"),
    ],
)
def test_bad_preferences_are_refused(files: Files, lines: str, message: str) -> None:
    """With the line."""
    files.write(lines, RUN)
    with pytest.raises(InputError) as error:
        files.text("-R", "prefs")
    assert message in str(error.value)


def test_measures_of_qrels_and_preferences_do_not_mix(files: Files) -> None:
    """Each is refused with the other's judgments."""
    with pytest.raises(CranfieldError, match="'map' is not a measure of preferences"):
        files.text("-R", "prefs", "-m", "map")
    with pytest.raises(CranfieldError, match="no measure 'prefs_simp'"):
        files.text("-m", "prefs_simp")


def test_qrels_as_preferences_are_compared_pair_by_pair(tmp_path: Path) -> None:
    """Counted with loops, as the definition says, over random levels and rankings."""
    path, drawn = tmp_path / "prefs", np.random.default_rng(5)
    docnos = [f"d{number}" for number in range(9)]
    path.write_text("".join(f"q {group} {docno} {drawn.integers(3)}\n" for group in "ab" for docno in docnos))
    lines, ranking = read_preferences(path, "qrels_prefs"), drawn.permutation(docnos)[:5].tolist()
    rank = {docno: place for place, docno in enumerate(ranking)}
    pairs = [(a.docno, b.docno) for a in lines for b in lines if a.group == b.group and a.level > b.level]
    fulfilled = [pair for pair in pairs if rank.get(pair[0], 99) < rank.get(pair[1], 99)]
    groups = groups_of(lines, ranking)
    assert MEASURES["prefs_num_prefs_poss"].value(groups) == len(pairs)
    assert MEASURES["prefs_simp"].value(groups) == len(fulfilled) / len(pairs)
    shares = {
        frozenset(pair): fulfilled.count(pair) / (pairs.count(pair) + pairs.count(pair[::-1])) for pair in fulfilled
    }
    known = {frozenset(pair) for pair in pairs}
    assert MEASURES["prefs_pair"].value(groups) == pytest.approx(sum(shares.values()) / len(known))
