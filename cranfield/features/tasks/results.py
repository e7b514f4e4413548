"""The results of a run, as the proceedings of TREC print them: summary, recall-precision, and topic by topic.

Topic by topic a run stands beside the median, the best and the worst of all runs, where there are enough that these
tell of nobody. Means are over all topics, those unanswered as 0. Source: the appendices of TREC's proceedings, TREC-2
(NIST SP 500-215) to TREC-COVID.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import starmap
from math import isnan
from typing import Any, NamedTuple

import numpy as np
from markupsafe import Markup

from cranfield.analysis.best_run import outcomes_below_best
from cranfield.analysis.reusability import ReusabilitySetting, verdict_of
from cranfield.analysis.verdict import NOT_TESTED, Verdict, describe_finding, reservations
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Ints
from cranfield.charts.curves import Line, recall_chart
from cranfield.charts.svg.intervals import difference_bar
from cranfield.charts.svg.lines import line_chart
from cranfield.errors import CranfieldError, InputError
from cranfield.features.tasks.rules import rules_of
from cranfield.features.tasks.store import task_of
from cranfield.features.tasks.submissions import Submission, runs_of, standing
from cranfield.formats import RunInfo
from cranfield.metrics.evaluate import aggregate_scores, score
from cranfield.metrics.forecast.outcomes import Outcome
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import parse_measures
from cranfield.metrics.reusability.leave_one_out import means, run_rank
from cranfield.metrics.significance.best import compare_with_best
from cranfield.metrics.significance.tests import TESTS
from cranfield.metrics.significance.titles import P_TEST_TITLES, title_of_p_tests
from cranfield.pooling.build import depth_pool
from cranfield.pooling.stored.contents import mean_label_seconds
from cranfield.report.blocks import Block, Facts, Html, Section, TableBlock, Text, as_cell
from cranfield.report.facts import error_message
from cranfield.report.table import signed_cell
from cranfield.report.trust import verdict_blocks
from cranfield.store.rounds import rounds
from cranfield.store.store import Store
from cranfield.text import counted, name_hint, natural_sort_key
from cranfield.view import View

COUNTS = ("NumRet", "NumRel", "NumRelRet")
CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
RECALL = tuple(at / 10 for at in range(11))
FIRST = 50  # documents of a ranking that are looked at topic by topic
LEAST_RUNS, LEAST_TEAMS = 5, 3  # with fewer, a median tells somebody's scores
HIDDEN = f"Median, best and worst are shown if there are at least {LEAST_RUNS} runs from {LEAST_TEAMS} teams."


class BestRunTest(NamedTuple):
    """The p of a run's difference to the best, corrected for all pairs of runs, and the test that gave it."""

    corrected: float = np.nan
    test: str | None = None

    def sentence(self) -> str:
        """Return p and the test in words."""
        if self.test is None:
            return "-"
        return f"{self.corrected:.4f} ({P_TEST_TITLES[self.test]}, corrected for all pairs of runs)"


class TopicResult(NamedTuple):
    """A run on a topic, beside all runs; the others are NaN where they are too few."""

    qid: str
    value: float
    best: float
    median: float
    worst: float

    @property
    def gain_over_median(self) -> float:
        """How far above the median."""
        return self.value - self.median


class TopTopic(NamedTuple):
    """What the first documents of a ranking are."""

    query_id: str
    retrieved: int
    judged: int
    relevant: int
    all_relevant: int


@dataclass(frozen=True)
class TaskResults:
    """The results of all runs of a task; `measures` are those of the task, the first orders the runs."""

    judged: Judged
    about: Mapping[str, RunInfo]
    measures: tuple[Measure, ...]
    rel: int = 1
    view: View | None = None  # with the pool
    submissions: Mapping[str, int] | None = None  # that a leaderboard scored, by team
    withdrawn: tuple[str, ...] = ()  # what was withdrawn from these results, a sentence each
    labelled: str = ""  # how many labels scored, of how many assessors, by which policy

    @classmethod
    def from_judged(
        cls, judged: Judged, about: Mapping[str, RunInfo], measures: Sequence[str], *, rel: int = 1
    ) -> TaskResults:
        """The results by the names of measures; `rel` is the lowest grade that is relevant.

        >>> from cranfield.metrics.inputs import join_judged
        >>> judged = join_judged({"q": {"d2": 1}}, {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 1.0}}})
        >>> found = TaskResults.from_judged(judged, {"a": RunInfo("x"), "b": RunInfo("y")}, ["AP"])
        >>> [(row["run"], row["rank"], row["AP"]) for row in found.overview()]
        [('b', 1, 1.0), ('a', 2, 0.5)]
        >>> found.summary("a")["P@5"], found.topic_results("a", 0)
        (0.2, [TopicResult(qid='q', value=0.5, best=nan, median=nan, worst=nan)])
        """
        return cls(judged, about, tuple(parse_measures(measures, rel)), rel)

    @cached_property
    def values(self) -> Floats:
        """The scores (runs, topics, measures)."""
        return score(self.judged, self.measures)

    @cached_property
    def means(self) -> Floats:
        """The means (runs, measures)."""
        return means(self.values, self.measures)

    @cached_property
    def order(self) -> list[str]:
        """The runs, the best by the first measure first."""
        runs = range(len(self.judged.tags))
        return [
            self.judged.tags[run]
            for run in sorted(runs, key=lambda run: (-np.nan_to_num(self.means[run, 0], nan=-1), run))
        ]

    @cached_property
    def p(self) -> Mapping[str, BestRunTest]:
        """The p of each run's difference to the best, by the first measure, corrected for all pairs, and its test.

        Empty where nothing can be compared: one run, one topic, a geometric mean.
        """
        try:
            table = compare_with_best(self.judged, self.measures[0], self.order[0])
        except CranfieldError:
            return {}
        rows = zip(table["p_corrected"].tolist(), table["p_test"].tolist(), strict=True)
        return dict(zip(table["run_a"], starmap(BestRunTest, rows), strict=True))

    @cached_property
    def outcomes(self) -> Mapping[str, str]:
        """The outcome of each run's difference to the best where unjudged documents leave it open or explain it."""
        if self.view is None or not self.p:
            return {}
        first = self.measures[0]
        found = outcomes_below_best(self.view, self.judged, [first], {str(first): self.order[0]})
        kinds = (Outcome.UNDECIDED, Outcome.UNJUDGED)
        return {tag: str(outcome) for tag, outcome in found.below.get(str(first), {}).items() if outcome in kinds}

    @cached_property
    def trust(self) -> TaskTrust:
        """The verdict on the collection, by the first measure."""
        if self.view is None:
            return TaskTrust(None, "the pool is unknown")
        setting = ReusabilitySetting(by="team", measures=str(self.measures[0]))
        try:
            return TaskTrust(verdict_of(self.view, setting))
        except CranfieldError as error:
            return TaskTrust(None, error_message(error))

    @cached_property
    def details(self) -> tuple[Measure, ...]:
        """What else the summary of a run has."""
        names = [*COUNTS, *(f"P@{k}" for k in CUTOFFS), "Rprec", *(f"IPrec@{x:g}" for x in RECALL)]
        residuals = [f"RBPresid(p={m.options.get('p', 0.8)})" for m in self.measures if m.name == "RBP"]
        return tuple(parse_measures([*names, *residuals], self.rel))

    @cached_property
    def are_many(self) -> bool:
        """Whether medians, best and worst tell of nobody."""
        tags = self.judged.tags
        return len(tags) >= LEAST_RUNS and len({self.about[tag].team for tag in tags}) >= LEAST_TEAMS

    def place(self, tag: str) -> int:
        """Where a run is; an error where there is none."""
        if tag not in self.judged.tags:
            raise InputError(f"no run {tag!r} among the results{name_hint(tag, self.judged.tags)}")
        return self.judged.tags.index(tag)

    def _select_run(self, tag: str) -> Judged:
        run, topics = self.place(tag), len(self.judged.qids)
        own = self.judged.rows(self.judged.ranking // topics == run)
        retrieved = self.judged.retrieved.reshape(self.judged.shape)[run]
        return replace(own, tags=(tag,), ranking=own.ranking - run * topics, retrieved=retrieved)

    def overview(self) -> list[dict[str, Any]]:
        """A row a run, the best by the first measure first."""
        rows = []
        for tag in self.order:
            place, team, p = self.place(tag), self.about[tag].team, self.p.get(tag, BestRunTest())
            first, *others = ((str(one), float(self.means[place, at])) for at, one in enumerate(self.measures))
            column = [] if self.submissions is None else [("scored before", self.submissions.get(team, 0))]
            columns = [("run", tag), ("team", team), ("rank", run_rank(self.means[:, 0], place))]
            unjudged = [("unjudged", self.outcomes.get(tag, ""))] if self.outcomes else []
            tested = [("p", p.corrected), ("p test", p.test or "-"), *unjudged]
            rows.append(dict([*columns, first, *tested, *others, *column]))
        return rows

    @property
    def labelled_by(self) -> dict[str, str]:
        """Whose labels scored, as `LeftOut` has it."""
        return {"line": self.labelled} if self.labelled else {}

    @property
    def p_caption(self) -> str:
        """What the columns beside measures are."""
        tests = title_of_p_tests((p.test for p in self.p.values()), TESTS["t"])
        best = f"the best run by {self.measures[0]}"
        about = f"p: of the difference from {best}, {tests}, corrected for all pairs of runs"
        if self.outcomes:
            about += "; unjudged: whether that difference holds if unjudged documents are graded"
        if self.labelled:
            about += f"; scored by {self.labelled}"
        if self.submissions is None:
            return about
        return f"{about}; scored before: number of the team's submissions that the leaderboard scored"

    def summary(self, tag: str) -> dict[str, float]:
        """The means and sums of a run over all topics, by measure."""
        run = self.place(tag)
        more = aggregate_scores(score(self._select_run(tag), self.details), self.details)[0]
        values = {str(measure): float(value) for measure, value in zip(self.measures, self.means[run], strict=True)}
        return values | {str(measure): float(value) for measure, value in zip(self.details, more, strict=True)}

    def topic_results(self, tag: str, measure: int) -> list[TopicResult]:
        """The run on each topic by the measure of this number, 9 before 10."""
        values = self.values[:, :, measure]
        nothing = np.full(values.shape[1], np.nan)
        all_runs = (values.max(0), np.median(values, 0), values.min(0)) if self.are_many else (nothing,) * 3
        columns = (values[self.place(tag)], *all_runs)
        rows = [TopicResult(qid, *map(float, row)) for qid, *row in zip(self.judged.qids, *columns, strict=True)]
        return sorted(rows, key=lambda row: natural_sort_key(row.qid))

    def first_documents(self, tag: str) -> list[TopTopic]:
        """What the first 50 documents of each ranking are."""
        own = self._select_run(tag)
        names = (f"Judged@{FIRST}", f"P@{FIRST}", "NumRel")
        share, precision, relevant = score(own, parse_measures(names, self.rel))[0].T
        top = np.minimum(own.retrieved, FIRST)
        judged, hits = np.nan_to_num(share) * top, precision * FIRST
        columns: list[Ints] = [np.rint(column).astype(int) for column in (top, judged, hits, relevant)]
        rows = [TopTopic(qid, *map(int, row)) for qid, *row in zip(own.qids, *columns, strict=True)]
        return sorted(rows, key=lambda row: natural_sort_key(row.query_id))

    def said_of(self, tag: str, measure: int) -> str:
        """How a run stands among all, in a sentence."""
        rows = self.topic_results(tag, measure)
        if not self.are_many:
            return HIDDEN
        above, below = sum(row.gain_over_median > 0 for row in rows), sum(row.gain_over_median < 0 for row in rows)
        best = sum(row.value == row.best for row in rows)
        return f"Above the median on {above} of {counted(len(rows), 'topic')}, below on {below}, best on {best}."

    def sections(self, tag: str, names: bool = True) -> list[Section]:
        """The page of a run; with or without names of others."""
        summary = self.summary(tag)
        by_measure = [self._topics(tag, at) for at in range(len(self.measures))]
        rows = [one._asdict() for one in self.first_documents(tag)]
        first = TableBlock("first", f"The first {FIRST} documents", rows,
                      heads=HEADS)  # fmt: skip
        return [
            Section("summary", "Summary", self._summary(tag, summary)),
            Section("recall", "Recall and precision", _recall(summary)),
            Section("topics", "Topic by topic", [block for blocks in by_measure for block in blocks]),
            Section("documents", "Judged documents", [first]),
            self.trust.section(names),
        ]

    def _summary(self, tag: str, summary: Mapping[str, float]) -> list[Block]:
        info = self.about[tag]
        what = [("team", info.team), ("type", info.kind), ("contributed to the pool", "yes" if info.pooled else "no")]
        about = [*what, *([("description", info.description)] if info.description else [])]
        counts = [(label, f"{round(summary[name]):,}") for name, label in zip(COUNTS, COUNTED, strict=True)]
        rows = []
        for at, measure in enumerate(self.measures):
            mean, place = as_cell(summary[str(measure)]), run_rank(self.means[:, at], self.place(tag))
            if measure.name == "RBP":
                residual = summary[f"RBPresid(p={measure.options.get('p', 0.8)})"]
                mean = mean._replace(below=f"residual {residual:.4f}")
            rows.append({"measure": str(measure), "mean": mean, "rank": f"{place} of {len(self.judged.tags)}"})
        first = str(self.measures[0])
        p_caption = f"p of the difference from the best run by {first}"
        p = [(p_caption, self.p[tag].sentence())] if tag in self.p else []
        p += [("this difference", self.outcomes[tag])] if tag in self.outcomes else []
        topics = [*p, ("topics", f"{len(self.judged.qids)}")]
        table = TableBlock("means", "Means over all topics", rows, sortable=False)
        return [Facts([*about, *topics, *counts]), table]

    def _topics(self, tag: str, at: int) -> list[Block]:
        rows = self.topic_results(tag, at)
        gains = [row.gain_over_median for row in rows]
        largest = max((abs(gain) for gain in gains if not isnan(gain)), default=1.0) or 1.0
        table = [
            {"topic": row.qid, "run": row.value}
            | (
                {
                    "best": row.best, "median": row.median, "worst": row.worst,
                    "above median": signed_cell(row.gain_over_median),
                    "below or above": as_cell("")._replace(picture=difference_bar(row.gain_over_median, largest)),
                }
                if self.are_many else {}
            )
            for row in rows
        ]  # fmt: skip
        name = str(self.measures[at])
        return [Text(name, 3), Text(self.said_of(tag, at)), TableBlock(f"by-topic-{at}", f"{name} by topic", table)]


COUNTED = ("documents retrieved", "relevant documents", "relevant documents retrieved")
HEADS = {
    "query_id": "topic", "judged": f"judged in the first {FIRST}", "relevant": f"relevant in the first {FIRST}",
    "retrieved": f"retrieved, up to {FIRST}", "all_relevant": "relevant in all",
}  # fmt: skip


CHART = Markup('<div class="scroll" role="region" aria-label="Precision and recall" tabindex="0">{}</div>')


def _recall(summary: Mapping[str, float]) -> list[Block]:
    """Interpolated precision at 11 recall points, and precision at cutoffs."""
    points = [summary[f"IPrec@{x:g}"] for x in RECALL]
    chart = recall_chart([Line("", RECALL, points, 0)])
    recall_rows = [{"recall": f"{x:.1f}", "precision": y} for x, y in zip(RECALL, points, strict=True)]
    precision_rows = [{"documents": f"{k}", "precision": summary[f"P@{k}"]} for k in CUTOFFS]
    exact = {"documents": "R", "precision": summary["Rprec"]}
    return [
        Html(CHART.format(line_chart("curve", chart))),
        Text(chart.description),
        TableBlock("at-recall", "Interpolated precision at recall", recall_rows, sortable=False),
        TableBlock("at-rank", "Precision at a number of documents; R: the number of relevant"
            " documents", [*precision_rows, exact],
              sortable=False),
    ]  # fmt: skip


class TaskTrust(NamedTuple):
    """The verdict, each team left out of the pool in turn; or why there is none."""

    verdict: Verdict | None
    lack: str = ""

    def sentence(self, names: bool = True) -> str:
        """The verdict in a sentence; without what names a run, unless they may be named."""
        if self.verdict is None:
            return f"{NOT_TESTED}: {self.lack}." if names else f"{NOT_TESTED}."
        return " ".join([describe_finding(self.verdict), *reservations(self.verdict)])

    def section(self, names: bool = True) -> Section:
        """The verdict as a part of a page."""
        whole = verdict_blocks(self.verdict) if names and self.verdict else []
        blocks: list[Block] = [Text(self.sentence(names)), *whole]
        return Section("trust", "New systems on this collection", blocks)

    def to_json(self) -> dict[str, Any]:
        """The verdict as dicts and lists."""
        return self.verdict.to_json() if self.verdict else {"no_verdict": self.lack}


class TaskCost(NamedTuple):
    """The pool of the runs that stand: how many runs of how many teams, documents to judge, the time for them."""

    runs: int
    teams: int
    depth: int
    documents: int
    hours: float | None  # at the median pace in this store

    def __str__(self) -> str:
        of = f"{counted(self.runs, 'run')} from {counted(self.teams, 'team')}"
        hours = (
            ""
            if self.hours is None
            else f", which would take {self.hours:,.1f} hours at the pace of this store's assessors"
        )
        return (
            f"if the task closed now, {of} would be pooled to depth {self.depth};"
            f" assessors would judge {counted(self.documents, 'document')}{hours}"
        )


def cost_of(store: Store) -> TaskCost:
    """The cost if the task closed now, by its depth and runs per team, without what was judged in earlier rounds."""
    task, rules = task_of(store), rules_of(store, "")
    own = rounds(store)[-1].number
    first = _first_runs_in_time([one for one in standing(store) if one.round == own], task.per_team)
    pooled = {(one.qid, one.docno) for run in runs_of(store, first) for one in depth_pool(run, task.depth)}
    new = sum((qid.encode(), docno.encode()) not in rules.judged for qid, docno in pooled)
    seconds = mean_label_seconds(store)
    hours = None if seconds is None else new * seconds / 3600
    return TaskCost(len(first), len({one.team for one in first}), task.depth, new, hours)


def _first_runs_in_time(runs: list[Submission], each: int) -> list[Submission]:
    before = Counter[str]()
    first = []
    for one in runs:
        if not one.late and before[one.team] < each:
            first.append(one)
            before[one.team] += 1
    return first
