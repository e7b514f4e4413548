"""The facts of a collection from its store, by the analyses that compute them for the other commands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import isnan
from statistics import fmean, median

import numpy as np

from cranfield.analysis.headline import headline
from cranfield.analysis.reusability import contributors, reusability_of
from cranfield.arrays.rankings import Qrels
from cranfield.errors import CranfieldError
from cranfield.features.publishing.publication import (
    POLICY,
    AgreementFacts,
    AssessorFacts,
    CollectionFacts,
    HeldOutFacts,
    PoolFacts,
    ReusabilityFacts,
    TextFacts,
)
from cranfield.features.publishing.store import publication as stored
from cranfield.formats.runs.files import teams_given
from cranfield.judging.agreement.agreement import LabelMatrix, overall
from cranfield.judging.labels.pairs import matrix_of_store
from cranfield.judging.labels.policies import policy
from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.notation import parse
from cranfield.pooling.forecast import level
from cranfield.source import Source, open_source
from cranfield.store.labelled_by import LabelledBy
from cranfield.store.log import assessors, guidelines, tallies
from cranfield.store.pools import bare_pool
from cranfield.store.qrels import counted
from cranfield.store.runs import run_info
from cranfield.store.store import Store

MEASURE, UNJUDGED = "AP", "Unjudged@10"
AGREEMENT = ("raw agreement", "Cohen kappa", "Krippendorff alpha ordinal")
RESAMPLES = 1000


def collection_facts(store: Store, rule: str = POLICY) -> CollectionFacts:
    """Everything that the cards say and nobody has to; the labels that count are those of this policy."""
    about, documents, qrels = store.collection, stored.document_counts(store), counted(store).qrels
    labels, runs = stored.counted_labels(store), run_info(store)
    judged, relevant = _by_topic(qrels), _by_topic(qrels.rows(qrels.grade >= about.min_relevant))
    each = {qid: relevant.get(qid, 0) for qid in judged}
    second, agreed = _agreement(store)
    reusability, held_out = _reusability(store)
    return CollectionFacts(
        name=about.name,
        grades=about.grades,
        min_relevant=about.min_relevant,
        documents=documents.with_text,
        documents_without_text=documents.without_text,
        topics=len(store.topics()),
        judged_topics=len(judged),
        judgments=len(qrels),
        judgments_by_grade=dict(sorted(Counter(qrels.grade.tolist()).items())),
        judged_per_topic=_spread([*judged.values()]),
        relevant_per_topic=_spread([*each.values()]),
        topics_without_relevant=sum(not number for number in each.values()),
        overflowed={qid: each[qid] / number for qid, number in judged.items() if level(each[qid] / number)},
        runs=len(runs),
        teams=_teams({tag: info.team for tag, info in runs.items()}),
        assessors=_assessors(store, labels.by_kind),
        adjudicated=labels.adjudicated,
        second_labels=second,
        agreement=agreed,
        text=_texts(store, documents.duplicates),
        guidelines=guidelines(store),
        pool=_pool(store),
        reusability=reusability,
        held_out=held_out,
        prompts=stored.prompts_of_models(store),
        policy=(rule, policy(rule).about),
    )


def _by_topic(qrels: Qrels) -> dict[str, int]:
    return dict(sorted(Counter(qrels.topics.names[qrels.topic].tolist()).items()))


def _spread(numbers: list[int]) -> tuple[int, float, int]:
    return (min(numbers), float(median(numbers)), max(numbers)) if numbers else (0, 0.0, 0)


def _assessors(store: Store, counted: dict[str, int]) -> tuple[AssessorFacts, ...]:
    """The assessors by kind; those who judged nothing are left out, as are second names for repeated documents."""
    labels = Counter[str]()
    for tally in tallies(store):
        labels[tally.assessor] += tally.decisions if tally.grade is not None and not tally.again else 0
    kinds: dict[str, list[str]] = {}
    for name, kind in assessors(store).items():
        if kind != "repeat" and labels[name]:
            kinds.setdefault(kind, []).append(name)
    return tuple(
        AssessorFacts(
            kind, len(names), sum(labels[name] for name in names), counted.get(kind, 0),
            tuple(names) if kind == "model" else (),
        )
        for kind, names in sorted(kinds.items())
    )  # fmt: skip


def _agreement(store: Store) -> tuple[int, tuple[AgreementFacts, ...]]:
    """On how many documents several assessors gave a label, and how far they agree: people, and models."""
    kinds, found = assessors(store), list[AgreementFacts]()
    if len(kinds) < 2:
        return 0, ()
    everybody = matrix_of_store(store)
    for whose in (LabelledBy.people, LabelledBy.models):
        panel = _overlapping(everybody.between([name for name in everybody.assessors if whose.counts(kinds[name])]))
        if len(panel.assessors) > 1:
            names = [name for name in AGREEMENT if len(panel.assessors) == 2 or not name.startswith("Cohen")]
            for one in overall(panel, names, RESAMPLES):
                value, low, high = (_number(getattr(one.interval, name)) for name in ("value", "low", "high"))
                several = len(panel.assessors), one.units
                found.append(AgreementFacts(whose.value, one.coefficient, *several, value, low, high, one.interval.why))
    return int(everybody.both.sum()), tuple(found)


def _overlapping(panel: LabelMatrix) -> LabelMatrix:
    """The assessors who share documents with others."""
    columns = zip(panel.assessors, panel.grades[panel.both].T, strict=True)
    return panel.between([name for name, column in columns if not np.isnan(column).all()])


def _number(value: float | None) -> float | None:
    return None if value is None or isnan(value) else value


def _texts(store: Store, duplicates: int) -> TextFacts:
    odd = stored.odd_judgments(store)
    return TextFacts(duplicates, stored.changed_since_judged(store), *odd)


def _pool(store: Store) -> PoolFacts | None:
    """The newest pool; None where there is none."""
    if not store.count("pool"):
        return None
    made, teams = bare_pool(store), {tag: info.team for tag, info in run_info(store).items()}
    options = {key: value for key, value in made.parameters.items() if isinstance(value, int | float | str)}
    runs, counts = made.parameters.get("runs", []), stored.pool_counts(store, made.number or 0)
    of = _teams({tag: teams.get(tag, tag) for tag in runs})
    return PoolFacts(made.method, options, len(runs), of, *counts, made.version)


def _teams(teams: Mapping[str, str]) -> int:
    """How many teams runs are of; 0 where none were given."""
    return len({*teams.values()}) if teams_given(teams) else 0


def _reusability(store: Store) -> tuple[ReusabilityFacts | None, tuple[HeldOutFacts, ...]]:
    """What is lost by teams, or by runs where one team brought all; and which runs were held out of the pool."""
    if not store.count("run") or not store.count("qrels"):
        return None, ()
    try:
        source = open_source([store])
        teams = {source.about[tag].team for tag in contributors(source).runs}
        by = "team" if len(teams) > 1 else "run"
        return _left_out(source, by), _held_out(source)
    except CranfieldError as error:
        return ReusabilityFacts(
            "run",
            0,
            MEASURE,
            mean_change=None,
            max_change=None,
            headline="",
            unjudged_10=None,
            max_unjudged_10=None,
            refused=str(error),
        ), ()


def _left_out(source: Source, by: str) -> ReusabilityFacts:
    result = reusability_of(source, by, None, [parse(MEASURE), parse(UNJUDGED)])
    found, summary = result.found, result.found.summary[MEASURE]
    unjudged = [change.reduced for unit in found.units for change in unit.changes if change.measure == UNJUDGED]
    known = [value for value in unjudged if not isnan(value)]
    mean, most = (None, None) if found.no_verdict else (summary.mean_change_percent, summary.max_change_percent)
    return ReusabilityFacts(
        by,
        len(found.units),
        MEASURE,
        mean_change=_number(mean),
        max_change=_number(most),
        headline=headline(result),
        unjudged_10=fmean(known) if known else None,
        max_unjudged_10=max(known, default=None),
        refused=found.no_verdict or "",
    )


def _held_out(source: Source) -> tuple[HeldOutFacts, ...]:
    """The runs that did not contribute, those with most unjudged documents first."""
    pooled = set(contributors(source).runs)
    table = evaluate(source.judged, measures=UNJUDGED)
    rows = [(str(run), float(np.float64(value))) for run, value in zip(table["run"], table["value"], strict=True)]
    late = [HeldOutFacts(run, value) for run, value in rows if run not in pooled and not isnan(value)]
    return tuple(sorted(late, key=lambda one: (-one.unjudged_10, one.run)))
