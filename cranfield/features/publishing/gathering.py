"""What is taken from a store to be published: its facts, by the analyses of the other commands, and a copy of it.

What people have not agreed to show is not in the copy, nor what a folder has no place for.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from pathlib import Path
from statistics import fmean, median

import numpy as np

from cranfield.analysis.reusability import require_contributors, reusability_verdict
from cranfield.analysis.verdict import verdict_sentences
from cranfield.arrays.rankings import Qrels
from cranfield.call_view import CallView
from cranfield.errors import CranfieldError, InputError
from cranfield.features.documents.store.documents import note_source, sources
from cranfield.features.publishing.pseudonyms import pseudonymous, pseudonyms, without_words
from cranfield.features.publishing.publication import (
    POLICY,
    AgreementFacts,
    AssessorFacts,
    CollectionFacts,
    HeldOutFacts,
    PoolFacts,
    PublishOptions,
    ReusabilityFacts,
    TextFacts,
    splits_of,
)
from cranfield.features.publishing.store import publication as stored
from cranfield.features.publishing.store import published
from cranfield.features.publishing.store.published import hashes, left_out, names_like
from cranfield.features.publishing.store.standing import (
    add_splits,
    add_standing,
    part_of,
    present_names,
    standing,
)
from cranfield.formats.runs.files import has_named_teams
from cranfield.judging.agreement.agreement import LabelMatrix, overall_agreement
from cranfield.judging.labels.pairs import matrix_of_store
from cranfield.judging.labels.policies import apply_policy, find_policy
from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.notation import parse
from cranfield.pooling.forecast import warning_level
from cranfield.selection import MODELS, PRIMARY_LABELLERS, LabelledBy, LeftOut
from cranfield.store.chain import Event
from cranfield.store.corpus import part_by_reference
from cranfield.store.draws import notes_on_exported
from cranfield.store.history import importing
from cranfield.store.log import assessors, guidelines, tallies
from cranfield.store.names import unknown_name_notes
from cranfield.store.pools import newest_built_pool, pool_record
from cranfield.store.qrels import labels_that_count as counted_qrels
from cranfield.store.qrels import qrels_of
from cranfield.store.runs import add_runs, run_info, stored_runs
from cranfield.store.store import Store
from cranfield.store.topic_sets import topic_sets
from cranfield.store.withdrawals import Withdrawal, withdrawals
from cranfield.text import counted, name_hint
from cranfield.view import View

MEASURE, UNJUDGED = "AP", "Unjudged@10"
AGREEMENT = ("raw agreement", "Cohen kappa", "Krippendorff alpha ordinal")
RESAMPLES = 1000


WHOLE = PublishOptions(())


def collection_facts(store: Store, options: PublishOptions = WHOLE) -> CollectionFacts:
    """Everything that the cards say and nobody has to; the labels that count are those of the policy."""
    rule, splits = options.policy, splits_of([topic.qid for topic in store.topics()], options.split)
    about, documents, qrels = store.collection, stored.document_counts(store), counted_qrels(store).qrels
    labels, runs = stored.counted_labels(store), run_info(store)
    judged, relevant = _count_by_topic(qrels), _count_by_topic(qrels.rows(qrels.grade >= about.min_relevant))
    each = {qid: relevant.get(qid, 0) for qid in judged}
    (second, coefficients), (reusability, held_out) = _agreement(store), _reusability(store)
    part = part_by_reference(store)
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
        overflows={qid: each[qid] / number for qid, number in judged.items() if warning_level(each[qid] / number)},
        runs=len(runs),
        publishes_runs=options.runs,
        teams=_teams({tag: info.team for tag, info in runs.items()}),
        assessors=_assessors(store, labels.by_kind),
        adjudications=labels.adjudications,
        second_labels=second,
        agreement=coefficients,
        text=_texts(store, documents.duplicates),
        guidelines=guidelines(store),
        pool=_pool(store),
        reusability=reusability,
        held_out=held_out,
        prompts=stored.prompts_of_models(store),
        texts=str(part) if part else "",
        sources=tuple(part.sources) if part else (),
        policy=(rule, find_policy(rule).about),
        splits={name: len(qids) for name, qids in splits.items()} if len(splits) > 1 else {},
        earlier_train=options.earlier_train,
        part=options.part,
        withdrawals={f"{one['what']} {one['name']}": one["reason"] for one in standing(store).get("withdrawn", ())},
    )


def _count_by_topic(qrels: Qrels) -> dict[str, int]:
    return dict(sorted(Counter(qrels.topics.names[qrels.topic].tolist()).items()))


def _spread(numbers: list[int]) -> tuple[int, float, int]:
    return (min(numbers), float(median(numbers)), max(numbers)) if numbers else (0, 0.0, 0)


def _assessors(store: Store, counts: dict[str, int]) -> tuple[AssessorFacts, ...]:
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
            kind, len(names), sum(labels[name] for name in names), counts.get(kind, 0),
            tuple(names) if kind in MODELS else (),
        )
        for kind, names in sorted(kinds.items())
    )  # fmt: skip


def _agreement(store: Store) -> tuple[int, tuple[AgreementFacts, ...]]:
    """On how many documents several assessors gave a label, and how far they agree: people; models, without panels."""
    kinds, rows = assessors(store), list[AgreementFacts]()
    if len(kinds) < 2:
        return 0, ()
    everybody = matrix_of_store(store)
    for whose in (LabelledBy.people, LabelledBy.models):
        names = [name for name in everybody.assessors if whose.counts(kinds[name])]
        panel = _overlapping(everybody.select_assessors(names))
        if len(panel.assessors) > 1:
            names = [name for name in AGREEMENT if len(panel.assessors) == 2 or not name.startswith("Cohen")]
            for one in overall_agreement(panel, names, RESAMPLES):
                value, low, high = (_number(getattr(one.interval, name)) for name in ("value", "low", "high"))
                several = len(panel.assessors), one.units
                rows.append(AgreementFacts(whose.value, one.coefficient, *several, value, low, high, one.interval.why))
    return int(everybody.has_two_labels.sum()), tuple(rows)


def _overlapping(panel: LabelMatrix) -> LabelMatrix:
    """The assessors who share documents with others."""
    columns = zip(panel.assessors, panel.grades[panel.has_two_labels].T, strict=True)
    return panel.select_assessors([name for name, column in columns if not np.isnan(column).all()])


def _number(value: float | None) -> float | None:
    return None if value is None or isnan(value) else value


def _texts(store: Store, duplicates: int) -> TextFacts:
    odd = stored.odd_judgments(store)
    return TextFacts(duplicates, stored.changed_since_judged(store), *odd)


def _pool(store: Store) -> PoolFacts | None:
    """The newest pool; None where there is none."""
    if not store.count("pool"):
        return None
    pool, teams = (
        pool_record(store, newest_built_pool(store)),
        {tag: info.team for tag, info in run_info(store).items()},
    )
    options = {key: value for key, value in pool.parameters.items() if isinstance(value, int | float | str)}
    runs, counts = pool.parameters.get("runs", []), stored.pool_counts(store, pool.number or 0)
    of = _teams({tag: teams.get(tag, tag) for tag in runs})
    return PoolFacts(pool.method, options, len(runs), of, *counts, pool.version)


def _teams(teams: Mapping[str, str]) -> int:
    """How many teams runs are of; 0 where none were given."""
    return len({*teams.values()}) if has_named_teams(teams) else 0


def _reusability(store: Store) -> tuple[ReusabilityFacts | None, tuple[HeldOutFacts, ...]]:
    """What left-out teams or clusters of near-duplicates lose, and which runs were held out of the pool."""
    if not store.count("run") or not store.count("qrels"):
        return None, ()
    try:
        view = CallView.view_of_store(store, PRIMARY_LABELLERS)
        return _left_out(view), _held_out(view)
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
            refusal=str(error),
        ), ()


def _left_out(view: View) -> ReusabilityFacts:
    result = reusability_verdict(view, None, None, [parse(MEASURE), parse(UNJUDGED)])
    verdict, summary = result.left_out, result.left_out.summary[MEASURE]
    unjudged = [change.reduced for unit in verdict.units for change in unit.changes if change.measure == UNJUDGED]
    shares = [value for value in unjudged if not isnan(value)]
    mean, most = (None, None) if verdict.no_verdict else (summary.mean_change_percent, summary.max_change_percent)
    return ReusabilityFacts(
        verdict.by,
        len(verdict.units),
        MEASURE,
        mean_change=_number(mean),
        max_change=_number(most),
        headline=verdict_sentences(result),
        unjudged_10=fmean(shares) if shares else None,
        max_unjudged_10=max(shares, default=None),
        refusal=verdict.no_verdict or "",
    )


def _held_out(view: View) -> tuple[HeldOutFacts, ...]:
    """The runs that did not contribute, those with most unjudged documents first."""
    pooled = set(require_contributors(view).runs)
    table = evaluate(view.judged, measures=UNJUDGED)
    rows = [(str(run), float(np.float64(value))) for run, value in zip(table["run"], table["value"], strict=True)]
    late = [HeldOutFacts(run, value) for run, value in rows if run not in pooled and not isnan(value)]
    return tuple(sorted(late, key=lambda one: (-one.unjudged_10, one.run)))


def copy_store(store: Store, path: Path, options: PublishOptions) -> Store:
    """The copy, a new store at `path`."""
    copy = Store.begin(path, store.collection)
    published.hurry(copy)
    with copy.close_on_error(), published.restoring(copy, store.path):
        published.add_guidelines(copy, guidelines(store))
        topics = [one for one in store.topics() if options.topics is None or one.qid in options.topics]
        published.add_topics(copy, topics)
        if options.text:
            published.add_texts(copy, published.texts(store))
        published.add_hashes(copy, published.hashes(store, withheld=not options.text))
        if origins := sources(store):
            with importing(copy, "corpus", []):
                for one in origins:
                    note_source(copy, one)
        for tag, info in run_info(store).items():
            runs = stored_runs(store, [tag])
            if runs.answering().tags:  # a run that retrieved nothing has no place in files
                add_runs(copy, runs, {tag: info._replace(file="", sha256="")})
        docnos = published.judged_or_pooled(store, present_names(store), options.topics)
        copy.ensure_docnos(sorted({*docnos}))
        if options.topics is None:
            pools = published.pools(store)
            published.add_pools(copy, pools, published.pooled(store), published.frame(store))
        qids = [topic.qid for topic in copy.topics()]
        add_standing(copy, standing(store) if options.topics is None else part_of(standing(store), qids))
        add_splits(copy, splits_of(qids, options.split) if options.split is not None else {})
        _copy_log(store, copy, options)
        count_by(copy, options.policy)
    return copy


def count_by(copy: Store, policy: str) -> None:
    """Let the labels of this policy count, in a store to be thrown away."""
    if policy == POLICY:
        return
    labels = apply_policy(copy, rule=policy)
    behind = (
        (grade, labels.is_model_label(pair), labels.supporting_events(pair)[0].id)
        for pair, grade in labels.labels.items()
    )
    with copy.writing():
        published.counting(copy, behind)


def _copy_log(store: Store, copy: Store, options: PublishOptions) -> None:
    assessors = published.assessors(store)
    full = options.log == "full"
    names = {one.name: one.name for one in assessors} if full else pseudonyms(assessors)
    copies = [one._replace(name=names[one.name], repeats=one.repeats and names[one.repeats]) for one in assessors]
    published.add_assessors(copy, copies)
    stored.add_model_settings(copy, stored.model_settings(store))
    published.add_first_assessors(copy, [(qid, names[name]) for qid, name in published.first_assessors(store)])
    kinds, present = {one.name: one.kind for one in assessors}, present_names(store)

    def events() -> Iterator[Event]:
        for event, commitment in published.events_with_commitments(store):
            if options.topics is not None and event.qid not in options.topics:
                continue
            public = event if full else pseudonymous(event, names, kinds)
            public = public if options.text else without_words(public, {public.assessor: kinds[event.assessor]})
            yield public._replace(event_id=commitment, docno=present.get(event.docno, event.docno))

    if options.topics is None:
        published.add_log(copy, events(), published.log_states(store), "", published.unlink)
        return
    several, number = [*events()], {}
    for at, event in enumerate(several, 1):
        number[event.id] = at
        several[at - 1] = event._replace(id=at, supersedes=number.get(event.supersedes or 0), pool=None)
    published.add_log(copy, several, [published.LogState(len(several), "", ())], "", published.unlink)


SPLIT = (
    "TREC files, ir_datasets and PyTerrier would split such an id, but Hugging Face, Croissant and BEIR would keep it"
)
PATHS = "all targets keep slashes, but they must be escaped in URLs and file names"


def check_publishable(store: Store, options: PublishOptions, consents: Sequence[str]) -> None:
    """Refuse a store without labels, or with ids that a file cannot hold; and a missing consent."""
    if not store.count("qrels"):
        raise InputError(
            "this store has no labels; add some with `cranfield judge` or `cranfield import qrels`", store.path
        )
    for kind, name in names_like(store, "*[ \t\r\n\v\f\xa0\u2028]*"):
        raise InputError(f"{kind} {name!r} contains white space: {SPLIT}", store.path)
    qids = {topic.qid for topic in store.topics()}
    if options.split is not None and (unknown := [qid for qid in options.split if qid not in qids]):
        hint = name_hint(unknown[0], sorted(qids))
        raise InputError(f"topic {unknown[0]!r} of the split is not in the store{hint}", store.path)
    if options.log == "full":
        people = [one.name for one in published.assessors(store) if one.kind not in MODELS and one.repeats is None]
        if without := [name for name in people if name not in consents]:
            raise InputError(
                f"{counted(len(without), 'assessor has', 'assessors have')} not agreed to be named:"
                f" {', '.join(without[:3])}. List the"
                " assessors who agree to be named, one per line, in --consents FILE"
            )


def seen_before(store: Store, test: Sequence[str]) -> tuple[str, ...]:
    """The topics of test that were train: in the folder that was imported, or in a version of the set train."""
    imported_test = stored.stored_split(store)
    train = {qid for one in topic_sets(store, every=True) if one.name == "train" for qid in one.topics}
    every = {topic.qid for topic in store.topics()} if imported_test is not None else set()
    return tuple(qid for qid in test if qid in train or qid in every - {*(imported_test or ())})


def _not_asked(store: Store, options: PublishOptions) -> Iterator[str]:
    if options.log == "no":
        yield f"the judgment log of {counted(store.count('judgment_event'), 'event')}"
    if not options.runs and (number := len(run_info(store))):
        yield counted(number, "run")


def _is_in(one: Withdrawal, options: PublishOptions) -> bool:
    """Whether what was withdrawn is a topic of the folder."""
    return one.what == "topic" and (options.topics is None or one.name in options.topics)


def notes(store: Store, options: PublishOptions) -> Iterator[str]:
    """What is not in the folder, and what a reader may stumble over."""
    without = LeftOut()
    runs = run_info(store.select(store.selection, without))
    if without.line:
        yield without.line
    if kept := [one for one in withdrawals(store) if one.what == "document" or _is_in(one, options)]:
        names = ", ".join(f"{one.what} {one.name}" for one in kept[:5]) + ", ..." * (len(kept) > 5)
        yield f"the folder still contains withdrawn items{', with their texts' if options.text else ''}: {names}"
    if options.part:
        yield (
            f"the folder contains only the topic set {options.part}, without pools and judgment log, which"
            " cover all topics"
        )
    if options.earlier_train:
        some = ", ".join(options.earlier_train[:5]) + ", ..." * (len(options.earlier_train) > 5)
        were = counted(len(options.earlier_train), "test topic was", "test topics were")
        yield f"{were} part of train in an earlier version, as README.md notes: {some}"
    if omissions := [*left_out(store, options.log == "full"), *_not_asked(store, options)]:
        yield f"not published: {', '.join(omissions)}"
    silent = [tag for tag in runs if not stored_runs(store, [tag]).answering().tags]
    if silent:
        yield f"no file is written for runs that retrieved nothing: {', '.join(silent)}"
    if slash_names := list(names_like(store, "*/*")):
        yield (
            f"{counted(len(slash_names), 'id contains', 'ids contain')} a slash, such as {slash_names[0][1]!r}; {PATHS}"
        )
    judgments = qrels_of(store)
    yield from unknown_name_notes(store, judgments, "that are judged")
    yield from notes_on_exported(store, judgments)
    if part := part_by_reference(store):
        yield f"{part}, from {'; '.join(part.sources)}; fetch more with `cranfield store fetch`"
    if not any(True for _ in hashes(store, withheld=True)):
        yield "this store has no texts, so corpus/ is empty"
    if options.text and (withheld := sum(1 for _ in hashes(store))):
        yield (
            f"{counted(withheld, 'document with withheld text is', 'documents with withheld text are')} not in"
            " corpus/; publish hashes with --text no"
        )
    if not options.text:
        yield (
            "the folder contains no texts; whoever has the texts can add and verify them with `cranfield import corpus`"
        )
