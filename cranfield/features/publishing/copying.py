"""A store as it is published: what people have not agreed to show is not in it, nor what a folder has no place for.

Everything in a folder, the report and the numbers of the datasheet included, is made from such a copy. So none of it
can show more than the copy has, and a store that was imported from a folder gives the same folder again. In a
pseudonymous log there is nothing that tells people apart: no names, notes or exact times.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from cranfield.errors import InputError
from cranfield.features.publishing.publication import POLICY, PublishOptions
from cranfield.features.publishing.store import published
from cranfield.features.publishing.store.published import Assessor, assessors, hashes, left_out, names_like
from cranfield.judging.labels.derive import derive
from cranfield.store.assignments import REPEAT
from cranfield.store.chain import Event
from cranfield.store.decoding import json_of
from cranfield.store.log import guidelines
from cranfield.store.names import strangers
from cranfield.store.qrels import qrels_of
from cranfield.store.runs import add_runs, run_info, stored_runs
from cranfield.store.store import Store
from cranfield.text import counted


def pseudonyms(assessors: Sequence[Assessor]) -> dict[str, str]:
    """A name for each assessor, in the order they came; models keep theirs.

    >>> pseudonyms([Assessor("ada", "human", None, 2), Assessor("m", "model", None, 1),
    ...     Assessor("ada (repeat)", "human", "ada", 1), Assessor("bob", "import", None, 0)])
    {'ada': 'a01', 'm': 'm', 'ada (repeat)': 'a01 (repeat)', 'bob': 'a02'}
    """
    own = [one for one in assessors if one.repeats is None]
    taken = {one.name for one in own if one.kind == "model"}
    people = [one.name for one in own if one.kind != "model"]
    free = (name for number in range(1, len(assessors) + len(taken) + 1) if (name := f"a{number:02}") not in taken)
    names = {name: name for name in taken} | dict(zip(people, free, strict=False))
    return {one.name: names[one.repeats] + REPEAT if one.repeats else names[one.name] for one in assessors}


def pseudonymous(event: Event, names: Mapping[str, str], kinds: Mapping[str, str]) -> Event:
    """An event with another name for the assessor, without what people wrote, to the second.

    >>> event = Event("label", "q", "d", "ada", 1, note="mine", seconds=3.4, at="2026-03-31T15:37:16.420+00:00")
    >>> plain = pseudonymous(event, {"ada": "a01"}, {"ada": "human"})
    >>> plain.assessor, plain.note, plain.seconds, plain.at
    ('a01', '', 3.0, '2026-03-31T15:37:16+00:00')
    """
    return without_words(event, kinds)._replace(
        assessor=names[event.assessor],
        seconds=None if event.seconds is None else float(round(event.seconds)),
        at=f"{event.at[:19]}+00:00",
    )


def without_words(event: Event, kinds: Mapping[str, str]) -> Event:
    """An event without words of people or of documents; of its evidence the grades of subtopics stay."""
    reason = "" if kinds[event.assessor] == "human" else event.reason
    return event._replace(note="", reason=reason, highlight_terms="", evidence=_subtopics(event))


def _subtopics(event: Event) -> str | None:
    if not event.evidence or not event.evidence.lstrip().startswith("{"):
        return None
    found = json_of(dict, event.evidence, "judgment_event", event.event_id, "evidence")
    if "subtopics" not in found:
        return None
    return json.dumps({"subtopics": found["subtopics"]})


def copied(store: Store, path: Path, options: PublishOptions) -> Store:
    """The copy, a new store at `path`."""
    copy = Store.begin(path, store.collection)
    published.hurry(copy)
    with copy.closed_on_error(), published.restoring(copy, store.path):
        published.guided(copy, guidelines(store))
        published.add_topics(copy, store.topics())
        if options.text:
            published.add_texts(copy, published.texts(store))
        published.add_hashes(copy, published.hashes(store, withheld=not options.text))
        _copy_runs(store, copy)
        copy.known_docnos(sorted(published.judged_or_pooled(store)))
        pools = published.pools(store)
        published.add_pools(copy, pools, published.pooled(store), published.frame(store))
        _copy_log(store, copy, options)
        count_by(copy, options.policy)
    return copy


def count_by(copy: Store, policy: str) -> None:
    """Let the labels of this policy count, in a store to be thrown away."""
    if policy == POLICY:
        return
    decided = derive(copy, rule=policy)
    behind = ((grade, decided.by_model(pair), decided.behind(pair)[0].id) for pair, grade in decided.labels.items())
    with copy.writing():
        published.counting(copy, behind)


def _copy_runs(store: Store, copy: Store) -> None:
    """The runs, one at a time; those that retrieved nothing have no place in files."""
    for tag, info in run_info(store).items():
        runs = stored_runs(store, [tag])
        if runs.answering().tags:
            add_runs(copy, runs, {tag: info._replace(file="", sha256="")})


def _copy_log(store: Store, copy: Store, options: PublishOptions) -> None:
    known = published.assessors(store)
    full = options.log == "full"
    names = {one.name: one.name for one in known} if full else pseudonyms(known)
    renamed = [one._replace(name=names[one.name], repeats=one.repeats and names[one.repeats]) for one in known]
    published.add_assessors(copy, renamed)
    published.add_first_assessors(copy, [(qid, names[name]) for qid, name in published.first_assessors(store)])
    kinds = {one.name: one.kind for one in known}

    def events() -> Iterator[Event]:
        for event, commitment in published.events_with_commitments(store):
            shown = event if full else pseudonymous(event, names, kinds)
            shown = shown if options.text else without_words(shown, {shown.assessor: kinds[event.assessor]})
            yield shown._replace(event_id=commitment)

    published.add_log(copy, events(), published.log_states(store), "", published.unlinked)


SPLIT = "TREC files, ir_datasets and PyTerrier would split it; Hugging Face, Croissant and BEIR would keep it"
PATHS = "all targets keep it, but addresses and file names made of it need it escaped"


def check_publishable(store: Store, options: PublishOptions, consents: Sequence[str]) -> None:
    """Refuse a store without labels, or with ids that a file cannot hold; and a missing consent."""
    if not store.count("qrels"):
        raise InputError("no labels in this store; `cranfield judge` and `cranfield import qrels` add some", store.path)
    for kind, name in names_like(store, "*[ \t\r\n\v\f\xa0\u2028]*"):
        raise InputError(f"{kind} {name!r} contains white space: {SPLIT}", store.path)
    _check_split(store, options)
    if options.log == "full":
        _check_consents(store, consents)


def _check_split(store: Store, options: PublishOptions) -> None:
    known = {topic.qid for topic in store.topics()}
    if options.split is not None and (unknown := [qid for qid in options.split if qid not in known]):
        raise InputError(f"topic {unknown[0]!r} of the split is not in the store", store.path)


def _check_consents(store: Store, consents: Sequence[str]) -> None:
    people = [one.name for one in assessors(store) if one.kind != "model" and one.repeats is None]
    if without := [name for name in people if name not in consents]:
        raise InputError(
            f"{counted(len(without), 'assessor')} without recorded consent: {', '.join(without[:3])};"
            " --consents FILE lists those who agree to be named, one per line"
        )


def _not_asked(store: Store, options: PublishOptions) -> Iterator[str]:
    if options.log == "no":
        yield f"the judgment log of {counted(store.count('judgment_event'), 'event')}"
    if not options.runs and (runs := store.count("run")):
        yield counted(runs, "run")


def notes(store: Store, options: PublishOptions) -> Iterator[str]:
    """What is not in the folder, and what a reader may stumble over."""
    if left := [*left_out(store, options.log == "full"), *_not_asked(store, options)]:
        yield f"not published: {', '.join(left)}"
    silent = [tag for tag in run_info(store) if not stored_runs(store, [tag]).answering().tags]
    if silent:
        yield f"no files for runs that retrieved nothing: {', '.join(silent)}"
    if slashed := list(names_like(store, "*/*")):
        yield f"{counted(len(slashed), 'id')} with a slash, for example {slashed[0][1]!r}: {PATHS}"
    yield from strangers(store, qrels_of(store), "that are judged")
    if not any(True for _ in hashes(store, withheld=True)):
        yield "no texts in this store: corpus/ is empty"
    if options.text and (withheld := sum(1 for _ in hashes(store))):
        yield f"{counted(withheld, 'document')} whose text was withheld: not in corpus/; --text no publishes the hashes"
    if not options.text:
        yield "no texts: to those who have them, `cranfield import corpus` adds them, and verifies them by their hashes"
