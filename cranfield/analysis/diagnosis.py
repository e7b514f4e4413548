"""Is the collection of a source fair to a new run? Both are opened, pooled runs left out, the new one diagnosed.

The documents whose judgments would decide become a judging task: a file, or a pool in a store.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

import numpy as np

from cranfield.analysis.contributors import first_few, protection, with_contributors
from cranfield.analysis.reusability import (
    check_protect,
    default_unit,
    depths_of,
    pool_documents,
    refuse_active_learning,
    tell_one_by_one,
    units_of,
)
from cranfield.arrays import WhichTopics
from cranfield.arrays.join import judge
from cranfield.arrays.rankings import Mask, Runs, Vocabulary
from cranfield.errors import InputError
from cranfield.formats import read_runs
from cranfield.formats.file_names import bare_name
from cranfield.metrics.diagnosis.adjustments import check_common
from cranfield.metrics.diagnosis.decisive import DecisiveDocument, RunComparison, compare_runs
from cranfield.metrics.diagnosis.diagnose import Diagnosis, DiagnosisInputs, diagnose
from cranfield.metrics.diagnosis.difference import decidable_measure
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import parse_all
from cranfield.metrics.reusability.leave_one_out import leave_one_out
from cranfield.metrics.reusability.results import Reusability
from cranfield.options.trusting import DiagnoseOptions
from cranfield.source import Source, Tell, chosen_source, is_store, qrels_of_file, silent, source_on_topics
from cranfield.store.pools import Pool, PooledDocument, add_pool, present_pool
from cranfield.store.store import Store
from cranfield.text import counted


class WithNewRun(NamedTuple):
    """The old collection, None where no other run is there; the same together with the new run; the new run's tag."""

    old: Source | None
    whole: Source
    tag: str


def open_case(paths: Sequence[Path], options: DiagnoseOptions, tell: Tell = silent) -> WithNewRun:
    """The old collection and the new run, on these topics; `tell` is called with the runs that did not answer all.

    The new run is the last path, or with a store, before any file of that name, the tag of one of its runs.
    """
    return on_topics(_read_case(paths, options, tell), options.which)


def on_topics(case: WithNewRun, topics: WhichTopics) -> WithNewRun:
    """The same on these topics, once it is told which runs did not answer all."""
    whole = source_on_topics(case.whole, topics)
    new = whole.runs.select([case.tag])
    retrieved, judged = (one.topics.names[np.unique(one.topic)].tolist() for one in (new, whole.qrels))
    if not set(retrieved) & set(judged):
        raise InputError(
            f"{case.tag} answers {first_few(retrieved)}; expected topics that are judged: {first_few(judged)}"
        )
    if topics is WhichTopics.all or case.old is None:
        return case._replace(whole=whole)
    common = np.flatnonzero(np.isin(np.array(case.old.blocks.qids, object), whole.blocks.qids))
    return case._replace(old=case.old.at(common), whole=whole)


def _read_case(paths: Sequence[Path], options: DiagnoseOptions, tell: Tell) -> WithNewRun:
    last = paths[-1]
    if not is_store(paths[0]) and len(paths) == 2:
        qrels, runs = qrels_of_file(paths[0], tell), _one(last)
        return WithNewRun(None, Source(runs, qrels, {}, 1, tell=tell), runs.tags[0])
    source = chosen_source(paths[:-1], options, tell)
    if is_store(paths[0]) and str(last) in source.runs.tags:
        return with_new_run(source, str(last))
    if is_store(paths[0]) and not last.exists():
        raise InputError(f"neither a file nor a run in {paths[0]}; {nearest_tags(str(last), source.runs.tags)}", last)
    new = _one(last)
    if new.tags[0] in source.runs.tags:
        new = replace(new, tags=(bare_name(last),))
    return with_new_run(source, new, last, is_store(paths[0]))


def with_new_run(source: Source, new: Runs | str, path: Path | None = None, in_store: bool = False) -> WithNewRun:
    """A collection and a new run, or one of its own runs by its tag; `in_store`: a store has the others."""
    if isinstance(new, str):
        return WithNewRun(source_without(source, new), source, new)
    if len(new.tags) != 1:
        raise InputError(f"{len(new.tags)} runs; expected one new run", path)
    if new.tags[0] in source.runs.tags:
        hint = "; give its tag instead" if in_store else ""
        raise InputError(f"the run {new.tags[0]!r} is among the others already{hint}", path)
    return WithNewRun(source, replace(source, runs=merged_runs(source.runs, new)), new.tags[0])


def nearest_tags(name: str, tags: Sequence[str]) -> str:
    """The tags closest to an unknown name, or the first ones.

    >>> nearest_tags("bm52", ["bm25", "lsa"]), nearest_tags("x", ["bm25", "lsa"])
    ('did you mean bm25?', 'available: bm25, lsa')
    """
    alike = get_close_matches(name, tags, 3, 0.5)
    first = ", ".join(tags[:5]) + (f" and {len(tags) - 5} more" if len(tags) > 5 else "")
    return f"did you mean {', '.join(alike)}?" if alike else f"available: {first}"


def _one(path: Path) -> Runs:
    runs = read_runs([path])
    if not len(runs):
        raise InputError("an empty run", path)
    if len(runs.tags) > 1:
        raise InputError(f"{len(runs.tags)} runs; expected one", path)
    return runs


def source_without(source: Source, tag: str) -> Source | None:
    """The source without a run."""
    tags = [other for other in source.runs.tags if other != tag]
    about = {other: info for other, info in source.about.items() if other != tag}
    pool_runs = source.pool_runs and tuple(other for other in source.pool_runs if other != tag)
    return replace(source, runs=source.runs.select(tags), about=about, pool_runs=pool_runs) if tags else None


def merged_runs(runs: Runs, more: Runs) -> Runs:
    """Two batches of runs as one, whose integers mean the same.

    >>> from cranfield.metrics.inputs import as_runs
    >>> both = merged_runs(as_runs({"a": {"q1": {"d2": 1.0}}}), as_runs({"b": {"q1": {"d1": 2.0, "d2": 1.0}}}))
    >>> both.tags, both.docnos.names[both.document].tolist()
    (('a', 'b'), ['d2', 'd1', 'd2'])
    """
    topics, topic = _extend(runs.topics, more.topics)
    docnos, document = _extend(runs.docnos, more.docnos)
    order = np.lexsort((np.arange(len(more)), topic[more.topic], more.run))
    return Runs(
        (*runs.tags, *more.tags), topics, docnos,
        run=np.concatenate([runs.run, more.run[order] + len(runs.tags)]),
        topic=np.concatenate([runs.topic, topic[more.topic][order]]),
        document=np.concatenate([runs.document, document[more.document][order]]),
        scores=np.concatenate([runs.score, more.score[order]]),
    )  # fmt: skip


def _extend(own: Vocabulary, other: Vocabulary) -> tuple[Vocabulary, np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """A vocabulary of the names of both, its own first, and the integers in it of the other's names."""
    codes = own.codes(other.names)
    unknown = codes < 0
    codes[unknown] = len(own.names) + np.arange(int(unknown.sum()))
    return Vocabulary(np.concatenate([own.names, other.names[unknown]])), codes


def diagnosis_of(
    case: WithNewRun,
    options: DiagnoseOptions,
    *,
    against: str | None = None,
    path: Path | None = None,
    tell: Tell = silent,
) -> Diagnosis:
    """Leave every pooled run out, where there are any, and diagnose the new one; `path` has the judgments."""
    check_protect(case.whole, options.protect, path)
    measures, depth = parse_all(options.measures, case.whole.min_relevant), options.depth
    refuse_active_learning(case.whole, depth, "what a new run loses cannot be known by leaving runs out")
    _check(against, case)
    check_common(options.common, case.whole.qrels.qids)
    whole, source = case.whole, case.old and with_contributors(case.old, depth)
    who = source.contributors if source else None
    pooled, lack = (list(who.runs), who.refusal) if who else ([], "")
    for line in who.notes if who else ():
        tell(line)
    loo, protected = _left_out(source, pooled, options, measures) if source and not lack else (None, None)
    if loo is not None:
        depth = max(loo.depth.values()) if isinstance(loo.depth, Mapping) else loo.depth
        lack = loo.no_verdict or (who.lack if who else "")
        for line in () if lack else filter(None, (who.assumption if who else "", *loo.pool.reservations)):
            tell(line.removesuffix("."))
    new, others, left_out = whole.runs.select([case.tag]), whole.runs.select(pooled), None if lack else loo
    if options.common and left_out is None:
        tell("no score is adjusted by the common topics, since what a run that is left out loses is not known")
    inputs = DiagnosisInputs(
        new,
        others,
        whole.qrels,
        left_out=left_out,
        protected=protected,
        depth=depth,
        rel=whole.min_relevant,
        common=tuple(options.common),
        lack=lack,
    )
    if against is None:
        return diagnose(inputs, measures)
    decided_by = decidable_measure(measures, depth)
    return diagnose(
        inputs, measures, compare_runs(new, whole.runs.select([against]), whole.qrels, decided_by, inputs.prior)
    )


def _check(against: str | None, case: WithNewRun) -> None:
    """Is the run to compare with another one that is there?"""
    if against == case.tag:
        raise InputError(f"{against!r} is the new run itself; --against takes another")
    if against is not None and (case.old is None or against not in case.old.runs.tags):
        others = nearest_tags(against, case.old.runs.tags) if case.old else "only the new one was given"
        raise InputError(f"there is no run {against!r} to compare with; {others}")


def _left_out(
    source: Source, pooled: list[str], options: DiagnoseOptions, measures: Sequence[Measure]
) -> tuple[Reusability, Mask | None]:
    """Leave-one-out of the old collection, and which judgments are protected."""
    by, protect = options.by or default_unit(source.about), options.protect
    judged = judge(source.runs.select(pooled), source.qrels)
    tell_one_by_one(source, by)
    protected = protection(source, judged.qrels_row, protect)
    members = units_of(source, pooled, by, options.depth)
    depths = depths_of(source, options.depth)
    size, rel = pool_documents(source, depths), source.min_relevant
    return leave_one_out(
        judged, members, depths, measures=measures, protected=protected, by=by, pool_documents=size, rel=rel
    ), protected


def pool_text(comparison: RunComparison) -> str:
    """A table: qid, docno; by topic, then docno, so that nothing about rank or promise shows."""
    pairs = sorted((document.qid, document.docno) for document in comparison.to_judge)
    return "qid\tdocno\n" + "".join(f"{qid}\t{docno}\n" for qid, docno in pairs)


def store_pool(path: Path, comparison: RunComparison) -> str:
    """Add a pool of the listed documents and of all that the newest pool holds; what was done, in a line.

    A document that the store does not know yet becomes one without text.
    """
    if not comparison.to_judge:
        return "nothing to judge: no pool was stored"
    with Store.open(path) as store:
        before = present_pool(store) if store.counts()["pool"] else None
        if before and any(document.probability is not None for document in before.documents):
            raise InputError(
                f"pool {before.number} is a sample ({before.method}), and more documents would make its probabilities"
                " wrong; --pool-out writes the list to a file",
                path,
            )
        with store.writing():
            store.known_docnos(sorted({document.docno for document in comparison.to_judge}))
        pool = _pool(comparison, before)
        number = add_pool(store, pool)
        blank = sum(not store.document(document.docno).text for document in comparison.to_judge)
    note = f"; {blank} of them cannot be judged, for lack of text" if blank else ""
    besides = f" besides those of pool {before.number}" if before else ""
    return f"pool {number}: {counted(len(comparison.to_judge), 'document')} to judge{besides}{note}"


def _pool(comparison: RunComparison, before: Pool | None) -> Pool:
    """The listed documents, with what the earlier pool holds; the depth that it is complete to stays."""
    old = dict(before.parameters) if before else {"depth": None, "runs": []}
    documents = {(d.qid, d.docno): d for d in before.documents} if before else {}
    tags = [(tag, place) for place, tag in enumerate((comparison.run, comparison.against)) if tag in old["runs"]]
    for document in comparison.to_judge:
        documents.setdefault((document.qid, document.docno), _pooled(document, tags))
    more = {"decides": [comparison.run, comparison.against], "considered": comparison.depth}
    more |= {"holds": before.number} if before else {}
    old_parameters = {name: old[name] for name in ("depth", "runs")}
    return Pool("mtc", {**old_parameters, **more}, sorted(documents.values(), key=lambda d: d[:2]))


def _pooled(document: DecisiveDocument, tags: list[tuple[str, int]]) -> PooledDocument:
    depth = min(rank for rank in document.ranks if rank)
    return PooledDocument(
        document.qid, document.docno, depth, tuple(tag for tag, place in tags if document.ranks[place])
    )
