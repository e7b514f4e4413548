"""Every number that the page shows equals that of the analysis."""

import re
from html import unescape
from pathlib import Path

import numpy as np
import pytest

from cranfield.analysis.reusability import MEASURES, change_rows, reusability_of, worst_first
from cranfield.analysis.verdict import Verdict, numbers
from cranfield.formats.text_tables import cell
from cranfield.metrics.evaluate import evaluate, score
from cranfield.metrics.notation import parse, parse_all
from cranfield.report.components.intervals import signed
from cranfield.report.components.markup import shown
from cranfield.source import Source, open_source

Rows = list[list[str]]


@pytest.fixture(scope="module")
def source(folder: Path) -> Source:
    return open_source([folder / "x.db"])


@pytest.fixture(scope="module")
def verdict(source: Source) -> Verdict:
    return reusability_of(source, "run", None, parse_all(MEASURES))


@pytest.fixture(scope="module")
def text(folder: Path) -> str:
    return (folder / "x.html").read_text(encoding="utf-8")


def rows_of(text: str, key: str) -> Rows:
    """The cells of a table's body, without their small print and pictures."""
    body = re.split(rf'<table[^>]* id="{key}"', text)[1].partition("<tbody>")[2].partition("</tbody>")[0]
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall(r"<tr.*?</tr>", body)]


def plain(markup: str) -> str:
    """The text of a cell."""
    return unescape(re.sub(r"<[^>]*>", "", re.sub(r"<(small|svg).*?</\1>", "", markup)))


def test_the_units_and_the_slopes(text: str, verdict: Verdict) -> None:
    """Ranks, scores and changes of each left-out run; the graph has the same ranks."""
    rows = worst_first(change_rows(verdict.found, ["AP"]))
    expected = [
        [shown(row["run"]), cell(row["rank"]), cell(row["rank without"]), cell(row["score"]), cell(row["without"]),
         signed(row["change %"], 2).text,
         cell(row["unique"]), cell(row["relevant"]), f"{row['tau']:.3f}"]
        for row in rows
    ]  # fmt: skip
    assert [[plain(one) for one in row] for row in rows_of(text, "units")] == expected
    graph = text[text.index('id="figure-ranks"') :].partition("</svg>")[0]
    labels = [unescape(found) for found in re.findall(r"<text[^>]*>([^<]*)</text>", graph)]
    before = sorted(int(found.split()[-1]) for found in labels if re.search(r"\S  \d+$", found))
    assert before == sorted(row["rank"] for row in rows)


def test_the_verdict_table(text: str, verdict: Verdict) -> None:
    """Every number by every measure, with what is particular to it."""
    by_measure = [[number for number in numbers(verdict, name) if not number.shared] for name in MEASURES]
    rows = rows_of(text, "verdict")
    assert [plain(row[0]) for row in rows] == [number.name for number in by_measure[0]]
    for at, found in enumerate(by_measure, 1):
        assert [plain(row[at]) for row in rows] == [shown(number.value) for number in found]
        about = [unescape("".join(re.findall("<small>(.*?)</small>", row[at]))) for row in rows]
        assert about == [shown(number.about) for number in found]


def test_the_systems(text: str, source: Source) -> None:
    """The rank and the means of every run by every measure, best first."""
    table = evaluate(source.judged, measures=[*MEASURES, "Judged@10"])
    means = {(str(run), str(name)): float(value) for run, name, value in table.to_numpy().tolist()}
    order = sorted(source.judged.tags, key=lambda run: -means[run, "AP"])
    found = [[plain(one).lstrip("†") for one in row[:6]] for row in rows_of(text, "scores-table")]
    ranks = {run: sum(means[other, "AP"] > means[run, "AP"] + 1e-9 for other in order) + 1 for run in order}
    numbers = {run: [cell(means[run, name]) for name in (*MEASURES, "Judged@10")] for run in order}
    assert found == [[shown(run), f"{ranks[run]}", *numbers[run]] for run in order]


def test_the_map_and_the_comparison(text: str, source: Source) -> None:
    """Scores of runs by topic; differences of the best two."""
    judged = source.judged
    scores = score(judged, [parse("AP")])[..., 0]
    order = np.argsort(-scores.mean(axis=1), kind="stable").tolist()
    topics = [judged.qids.index(f"q{number}") for number in range(len(judged.qids))]
    full = [[float(one) for one in row.split()] for row in re.findall(r'data-scores="([^"]*)"', text)]
    assert np.allclose(full, scores[np.ix_(order, topics)], rtol=0, atol=5e-10)
    found = [[plain(one) for one in row[2:]] for row in rows_of(text, "map")]
    assert found == [[f"{one:.2f}".removeprefix("0") for one in row] for row in scores[np.ix_(order, topics)].tolist()]
    first, second = scores[order[0]], scores[order[1]]
    for qid, one, other, difference, _ in [[plain(each) for each in row] for row in rows_of(text, "comparison")]:
        at = judged.qids.index(qid)
        assert (one, other) == (cell(float(first[at])), cell(float(second[at])))
        assert float(difference) == pytest.approx(first[at] - second[at], abs=5e-5)


def test_the_topics(text: str, source: Source) -> None:
    """Quartiles over the runs, and what was judged and relevant."""
    judged = source.judged
    scores = score(judged, [parse("AP")])[..., 0]
    best = int(scores.mean(axis=1).argmax())
    rows = [[plain(one) for one in row] for row in rows_of(text, "topics-table")]
    assert sorted(row[0] for row in rows) == sorted(judged.qids)
    for row in rows:
        at = judged.qids.index(row[0])
        low, lower, median, upper, high = (cell(float(np.quantile(scores[:, at], q / 4))) for q in range(5))
        assert row[1:3] + row[4:8] == [cell(float(scores[best, at])), median, low, lower, upper, high]
        grades = judged.qrels_grade[judged.qrels_topic == at]
        assert row[9:] == [str((grades >= 0).sum()), str((grades >= 1).sum())]


def test_the_first_ranks(text: str, source: Source) -> None:
    """Grades and holes, found one document after the other."""
    runs, qrels = source.runs, source.qrels
    names = (qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document])
    grades = dict(zip(zip(*names, strict=True), map(str, qrels.grade.tolist()), strict=True))
    ranked: dict[tuple[str, str], list[str]] = {}
    for run, topic, document in zip(
        runs.run, runs.topics.names[runs.topic], runs.docnos.names[runs.document], strict=True
    ):
        ranked.setdefault((shown(runs.tags[run]), str(topic)), []).append(grades.get((topic, document), "?"))
    heads = re.findall(r"<th[^>]*>([^<]*)</th>", text[text.index('<table id="all-ranks"') :].partition("</thead>")[0])
    holes = 0
    for row in rows_of(text, "all-ranks"):
        run, *cells = [plain(one) for one in row]
        assert cells == [" ".join(ranked[run, topic][:10]) for topic in heads[1:]]
        holes += sum(one.count("?") for one in cells)
    assert holes > 0
