"""The tie rule of a pool: told from runs and judgments, and not told where it cannot be."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from cranfield.formats import read_runs
from cranfield.formats.runs.files import submitted
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.pooling.verify import RULES, TieRule, tie_rule
from tests.conftest import Cranfield, repeats_others
from tests.real import covid, covid_pooled, robust

DEPTH, TOPICS = 5, ("q1", "q2", "q3")
Line = tuple[str, int, float, int]  # docno, rank column, score, line
BEFORE: dict[str, Callable[[Line], object]] = {
    "docno descending": lambda line: [-byte for byte in line[0].encode()],
    "docno ascending": lambda line: line[0],
    "file order": lambda line: line[3],
    "rank column": lambda line: line[1],
}


@pytest.fixture
def lines() -> dict[str, dict[str, list[Line]]]:
    """Six runs of three topics whose scores tie, lines and rank columns in orders of their own."""
    random = np.random.default_rng(6)

    def ranking() -> list[Line]:
        docnos = [f"d{document:02}" for document in random.permutation(40)[:20]]
        ranks, scores = random.permutation(20).tolist(), random.integers(0, 6, 20).tolist()
        return [(*line, number) for number, line in enumerate(zip(docnos, ranks, map(float, scores), strict=True))]

    return {f"r{run}": {qid: ranking() for qid in TOPICS} for run in range(6)}


@pytest.fixture
def files(lines: dict[str, dict[str, list[Line]]], tmp_path: Path) -> dict[str, Path]:
    for tag, rankings in lines.items():
        rows = [f"{qid}\tQ0 {d}  {r} {s} {tag}\n" for qid, ranking in rankings.items() for d, r, s, _ in ranking]
        (tmp_path / tag).write_text("".join(rows))
    return {tag: tmp_path / tag for tag in lines}


def pool(lines: dict[str, dict[str, list[Line]]], rule: str) -> set[tuple[str, str]]:
    """A pool of that rule in plain Python."""
    return {
        (qid, line[0])
        for rankings in lines.values()
        for qid, ranking in rankings.items()
        for line in sorted(ranking, key=lambda line: (-line[2], BEFORE[rule](line)))[:DEPTH]
    }


def found(files: dict[str, Path], pairs: set[tuple[str, str]]) -> TieRule:
    qrels = as_qrels({q: {d: 0 for qid, d in pairs if qid == q} for q in TOPICS})
    return tie_rule(read_runs(list(files.values())), qrels, DEPTH, files)


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_recognised(lines: dict[str, dict[str, list[Line]]], files: dict[str, Path], rule: str) -> None:
    """A pool made by a rule fits that rule without an exception, and the others as the obvious pools do."""
    judged = pool(lines, rule)
    ties = found(files, judged)
    assert ties.best == (rule,)
    assert {fit.rule: fit[1:] for fit in ties.tried} == {
        other: (len(pool(lines, other) - judged), len(judged - pool(lines, other))) for other in RULES
    }
    crossed = sum(
        sorted(ranking, key=lambda line: -line[2])[DEPTH - 1][2] == sorted(ranking, key=lambda line: -line[2])[DEPTH][2]
        for rankings in lines.values()
        for ranking in rankings.values()
    )
    assert ties.rankings == crossed
    assert ties.rows()[0][1].startswith(f"{rule}; {crossed} rankings have a tie across the depth, and the next best")


def test_ties_above_and_below_the_depth_tell_nothing() -> None:
    """Only a tie across it does, in a topic that is judged; a ranking that ends at the depth has none."""
    runs = as_runs({"a": {"q": {"d1": 2.0, "d2": 2.0, "d3": 1.0, "d4": 1.0}, "p": {"d1": 1.0, "d2": 1.0}}})
    ties = tie_rule(runs, as_qrels({"q": {"d1": 0}}), 2)
    assert (ties.rankings, ties.tried, ties.best) == (0, (), ())
    assert ties.rows() == [("tie rule", "any; no tie crosses depth 2")]
    assert tie_rule(runs, as_qrels({"q": {"d1": 0}}), 4).rankings == 0


def test_what_fits_alike_is_not_told_apart() -> None:
    """Everything is judged: both ways leave as much."""
    runs = as_runs({"a": {"q": {"d1": 1.0, "d2": 1.0, "d3": 1.0}}})
    ties = tie_rule(runs, as_qrels({"q": {"d1": 0, "d2": 0, "d3": 0}}), 1)
    assert ties.best == ()
    assert ties.rows()[0][1] == (
        "undetermined; 1 ranking has a tie across the depth, and all rules fit equally well"
        " (not tried: file order, rank column)"
    )


def test_a_rank_column_without_numbers_is_not_tried(files: dict[str, Path]) -> None:
    """It is ignored in reading a run, and so it is here; the file's order is still there."""
    for path in files.values():
        text = [line.split() for line in path.read_text().splitlines()]
        path.write_text("".join(f"{q} {q0} {d} x{r} {s} {t}\n" for q, q0, d, r, s, t in text))
    ties = found(files, {("q1", "d01")})
    assert [fit.rule for fit in ties.tried] == list(RULES[:3])


def test_lines_are_found_where_they_are(tmp_path: Path) -> None:
    """Comments and blank lines are no lines; columns beyond the tag do no harm."""
    path = tmp_path / "run"
    path.write_text("# made by hand\n\nq Q0 d1 07 1.0 tag more\n p Q0  d1\t1e1 1.0 tag\nq Q0 d2 - 1.0 tag\n")
    lines = submitted(path, np.array(["q", "p", "q"], object), np.array(["d2", "d1", "d1"], object))
    assert lines.line.tolist() == [2, 1, 0]
    assert lines.rank.tolist()[1:] == [10.0, 7.0]
    assert np.isnan(lines.rank[0])


def test_verify_tells_it(
    lines: dict[str, dict[str, list[Line]]], files: dict[str, Path], tmp_path: Path, cranfield: Cranfield
) -> None:
    """On files all four rules are tried, on a store two; the JSON has what the table says."""
    qrels = tmp_path / "qrels"
    qrels.write_text("".join(f"{qid} 0 {docno} 0\n" for qid, docno in pool(lines, "file order")))
    teams = tmp_path / "teams.tsv"
    teams.write_text("run\tteam\n" + "".join(f"{tag}\t{tag}\n" for tag in files))
    asked = ("pool", "verify", qrels, *files.values(), "--depth", DEPTH, "--teams", teams)
    ties = json.loads(cranfield(*asked, "--format", "json").out)["ties"]
    assert ties["best"] == ["file order"]
    assert [fit["rule"] for fit in ties["tried"]] == list(RULES)
    assert "with ties by file order" in cranfield(*asked).out
    store = tmp_path / "track.db"
    for command in (("init", store, "--name", "t"), ("import", "runs", store, *files.values())):
        assert cranfield(*command).code == 0
    assert cranfield("import", "qrels", store, qrels).code == 0
    out = cranfield("pool", "verify", store, "--depth", DEPTH).out
    assert "(not tried: file order, rank column)" in out


@repeats_others
def test_robust03_was_pooled_by_docno_descending(shared: Path) -> None:
    """199 rankings tie across depth 125; the canonical order leaves 2,639 exceptions fewer than the opposite one."""
    runs = robust(shared).runs
    paths = sorted((shared / "robust03/runs").glob("*.gz"))
    ties = tie_rule(runs, robust(shared).qrels, 125, dict(zip(runs.tags, paths, strict=True)))
    assert (ties.rankings, ties.best) == (199, ("docno descending",))
    assert {fit.rule: fit.exceptions for fit in ties.tried} == {
        "docno descending": 89205, "docno ascending": 91844, "file order": 91844, "rank column": 89208,
    }  # fmt: skip


def test_treccovid_was_not(shared: Path) -> None:
    """Round 1: in file order, here that of ascending docnos, all 6,959 pooled documents are judged."""
    runs = covid_pooled(shared)
    paths = [shared / f"treccovid-r1/runs/{tag}.gz" for tag in runs.tags]
    ties = tie_rule(runs, covid(shared).qrels, 7, dict(zip(runs.tags, paths, strict=True)))
    assert (ties.rankings, ties.best) == (9, ("docno ascending", "file order"))
    assert [fit.pooled_not_judged for fit in ties.tried] == [6, 0, 0, 3]
