"""Variations of queries: several in which people put the need of one topic, and runs that answer each of them.

A run file answers variation 3 of topic 101 as 101/3. In a store the answers of a system to the variations of one id
are a run of that system's team: so its answers to all of them are pooled together, labels belong to the topic, and who
leaves out the team leaves out all. Scores are means over the variations of a topic, then over topics.

Sources: Bailey, Moffat, Scholer and Thomas, UQV100: a test collection with query variability, SIGIR 2016; Moffat,
Bailey, Scholer and Thomas, Incorporating user expectations and behavior into the measurement of search effectiveness,
TOIS 2017.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield.arrays.judged import ratio
from cranfield.arrays.rankings import Floats, Runs, Vocabulary, sort_runs
from cranfield.errors import InputError
from cranfield.formats import RunInfo, Topic
from cranfield.formats.delimited import read_tsv_cells
from cranfield.formats.files import OpenFile
from cranfield.formats.records import fold_field_name
from cranfield.store.store import Store
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.metrics.evaluate import RunScores

FIELDS = ("qid", "vid", "query", "count")


class Variation(NamedTuple):
    """A query of a topic, its id among those of the topic, and how many people phrased it so."""

    qid: str
    vid: str
    query: str
    people: int = 1


def read_variations(source: OpenFile, fields: Mapping[str, str] = MappingProxyType({})) -> dict[int, Variation]:
    """The lines qid, vid, query and, maybe, count of a TSV; a header line is known by their names, or those given."""
    columns = {ours: fields.get(ours, ours) for ours in FIELDS}
    rows, variations_by_line, before = read_tsv_cells(source), dict[int, Variation](), set[tuple[str, str]]()
    for line, cells in _cells_by_name(source, rows, columns):
        qid, vid, query, count = (cells.get(ours, "").strip() for ours in FIELDS)
        if not (qid and vid and query) or "/" in vid:
            raise InputError(
                "a field is missing or invalid; expected qid, vid (without /), query and, optionally, a count",
                source.path,
                line,
            )
        if not (count or "1").isdecimal() or int(count or "1") < 1:
            raise InputError(f"the count is {count!r:.30}; expected a whole number of at least 1", source.path, line)
        if (qid, vid) in before:
            raise InputError(f"variation {vid!r} of topic {qid!r} is a duplicate", source.path, line)
        before.add((qid, vid))
        variations_by_line[line] = Variation(qid, vid, query, int(count or "1"))
    if not variations_by_line:
        raise InputError("the file contains no variations", source.path)
    return variations_by_line


def _cells_by_name(
    source: OpenFile, rows: Iterator[tuple[int, list[str]]], columns: Mapping[str, str]
) -> Iterator[tuple[int, dict[str, str]]]:
    first = next(rows, None)
    if first is None:
        return
    header = {fold_field_name(cell): place for place, cell in enumerate(first[1])}
    places = {
        ours: header[fold_field_name(theirs)] for ours, theirs in columns.items() if fold_field_name(theirs) in header
    }
    if {"qid", "vid", "query"} - {*places}:
        if any(ours != theirs for ours, theirs in columns.items()):
            lacking = next(theirs for ours, theirs in columns.items() if ours not in places)
            raise InputError(f"no column {lacking!r}; the file has {', '.join(first[1])}", source.path, first[0])
        places = dict(zip(FIELDS, range(len(first[1])), strict=False))
        yield first[0], {ours: first[1][place] for ours, place in places.items()}
    for line, cells in rows:
        yield line, {ours: cells[place] for ours, place in places.items() if place < len(cells)}


def add_variations(store: Store, variations_by_line: Mapping[int, Variation], path: Path | None = None) -> int:
    """Add variations, by the lines of a file, to topics of a store; how many are new.

    One that says something else than before is an error.
    """
    before, there = {one[:2]: one for one in variations(store)}, {topic.qid for topic in store.topics()}
    for line, one in variations_by_line.items():
        if one.qid not in there:
            raise InputError(f"variation {one.vid!r} is for topic {one.qid!r}, which is not in the store", path, line)
        if before.get(one[:2], one) != one:
            raise InputError(
                f"variation {one.vid!r} of topic {one.qid!r} has a different query in the store", path, line
            )
    new = [one for one in variations_by_line.values() if one[:2] not in before]
    with store.writing():
        store.conn.executemany(
            "INSERT INTO variation SELECT id, ?, ?, ? FROM topic WHERE qid = ?", [(*one[1:], one.qid) for one in new]
        )
    return len(new)


def variations(store: Store) -> list[Variation]:
    """All variations, by topic."""
    rows = store.rows(
        "SELECT qid, vid, query, count FROM variation v JOIN topic t ON t.id = v.topic ORDER BY t.id, vid"
    )
    return [Variation(*row) for row in rows]


def split_runs(store: Store, runs: Runs, about: Mapping[str, RunInfo]) -> tuple[Runs, Mapping[str, RunInfo]]:
    """Runs whose topics are variations, a run for each id of variations; others stay as they are."""
    by_name = {f"{one.qid}/{one.vid}": one for one in variations(store)}
    used = np.unique(runs.topic)
    names = runs.topics.names[used].tolist()
    if not any(name in by_name for name in names):
        return runs, about
    if strange := [name for name in names if name not in by_name]:
        raise InputError(
            f"runs answer {strange[0]!r}, which is not a variation of a topic, although other "
            "topic ids in the runs are variations"
        )
    vids, qids = (sorted({getattr(by_name[name], of) for name in names}) for of in ("vid", "qid"))
    vid, qid = np.zeros(len(runs.topics.names), np.int64), np.zeros(len(runs.topics.names), np.int64)
    vid[used] = [vids.index(by_name[name].vid) for name in names]
    qid[used] = [qids.index(by_name[name].qid) for name in names]
    pairs, run = np.unique(runs.run * len(vids) + vid[runs.topic], return_inverse=True)
    of = [(runs.tags[pair // len(vids)], vids[pair % len(vids)]) for pair in pairs.tolist()]
    tags = [f"{tag}.{name}" for tag, name in of]
    infos = {
        split: about[tag]._replace(team=tag, metadata={**about[tag].metadata, "system": tag, "variation": name})
        for split, (tag, name) in zip(tags, of, strict=True)
    }
    split = sort_runs(
        tags, Vocabulary(qids), runs.docnos, run=run, topic=qid[runs.topic], document=runs.document, score=runs.score
    )
    return split, infos


def search_variations(store: Store, systems: Sequence[str] | None, depth: int) -> list[str]:
    """Run baselines for every variation, and add a run for each id of variations; their tags."""
    from cranfield.search.systems import search
    from cranfield.store.corpus import refuse_part
    from cranfield.store.runs import add_runs

    every = variations(store)
    if not every:
        raise InputError("no variations in this store; add variations with `cranfield import variations`")
    refuse_part(store)
    topics = [Topic(f"{one.qid}/{one.vid}", one.query) for one in every]
    runs = search(store.documents(), topics, systems=systems, depth=depth, fts=store.search)
    about = {tag: RunInfo(tag, description="a baseline, for variations") for tag in runs.tags}
    split, infos = split_runs(store, runs, about)
    add_runs(store, split, infos)
    return list(split.tags)


class VariationScores(NamedTuple):
    """Scores of systems by topic, means over its variations, and how far they spread within topics, by measure."""

    scores: RunScores
    variation_scores: Floats
    system_scores: Floats


def variation_means(
    scores: RunScores, about: Mapping[str, RunInfo], every: Sequence[Variation], *, weighted: bool = False
) -> VariationScores:
    """The means of scores of runs over the variations of each topic, all alike or by their counts.

    What a system retrieved nothing for counts 0; topics without variations are left out. Spread is the standard
    deviation within a topic, over variations of a system and over systems, mean over topics.
    """
    of = {tag: (str(info.metadata["system"]), str(info.metadata["variation"])) for tag, info in about.items()
          if "variation" in info.metadata}  # fmt: skip
    if not of:
        raise InputError(
            "no run answers variations; add such runs with `cranfield search --variations` or `import runs`"
        )
    weight = {one[:2]: float(one.people if weighted else 1) for one in every}
    qids = tuple(qid for qid in scores.qids if any(one.qid == qid for one in every))
    systems, vids = sorted({system for system, _ in of.values()}), sorted({one.vid for one in every})
    shape = (len(systems), len(qids), len(vids))
    values, has_answer = np.zeros((*shape, scores.values.shape[2])), np.zeros(shape, bool)
    topics = [scores.qids.index(qid) for qid in qids]
    for tag, (system, vid) in of.items():
        row, place = scores.tags.index(tag), (systems.index(system), slice(None), vids.index(vid))
        values[place], has_answer[place] = scores.values[row, topics], scores.answered[row, topics]
    share = np.array([[weight.get((qid, vid), 0.0) for vid in vids] for qid in qids])
    share /= share.sum(axis=1, keepdims=True)
    mean = np.einsum("stvm,tv->stm", values, share)
    within = np.sqrt(np.einsum("stvm,tv->stm", (values - mean[:, :, None]) ** 2, share))
    shares = scores.judged_shares
    if shares is not None:
        variation_scores = np.full((*shape, shares.values.shape[2]), np.nan)
        for tag, (system, vid) in of.items():
            place = systems.index(system), slice(None), vids.index(vid)
            variation_scores[place] = shares.values[scores.tags.index(tag), topics]
        weights = share[None, :, :, None] * ~np.isnan(variation_scores)
        sums = (weights * np.nan_to_num(variation_scores)).sum(axis=2)
        shares = shares._replace(values=ratio(sums, weights.sum(axis=2), undefined=np.nan))
    answered = np.asarray(has_answer.any(axis=2))
    means = type(scores)(tuple(systems), qids, mean, answered, judged_shares=shares)
    return VariationScores(means, within.mean(axis=(0, 1)), mean.std(axis=0).mean(axis=0))


def spread_lines(variations_by_line: VariationScores, measures: Sequence[Any]) -> list[str]:
    """How far scores spread, in a line a measure."""
    systems = counted(len(variations_by_line.scores.tags), "system")
    return [
        f"{measure}: within a topic, scores vary by {variation:.4f} between the variations of a system and by"
        f" {system:.4f} between {systems} (standard deviations, averaged over topics)"
        for measure, variation, system in zip(
            measures, variations_by_line.variation_scores, variations_by_line.system_scores, strict=True
        )
    ]
