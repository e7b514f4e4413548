"""A store as it is published: what people have not agreed to show is not in it, nor what a folder has no place for.

Everything in a folder, the report and the numbers of the datasheet included, is made from such a copy. So none of it
can show more than the copy has, and a store that was imported from a folder gives the same folder again.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cranfield.judging.labels.derive import derive
from cranfield.publishing.folder.pseudonyms import pseudonymous, pseudonyms, without_words
from cranfield.publishing.options import POLICY, PublishOptions
from cranfield.store.chain import Event
from cranfield.store.log import guidelines
from cranfield.store.published import contents, log, restore
from cranfield.store.runs import add_runs, run_info, stored_runs
from cranfield.store.store import Store


def copied(store: Store, path: Path, options: PublishOptions) -> Store:
    """The copy, a new store at `path`."""
    copy = Store.begin(path, store.collection)
    restore.hurry(copy)
    with copy.closed_on_error(), restore.restoring(copy, store.path):
        restore.guided(copy, guidelines(store))
        restore.add_topics(copy, store.topics())
        if options.text:
            restore.add_texts(copy, contents.texts(store))
        restore.add_hashes(copy, contents.hashes(store, withheld=not options.text))
        _copy_runs(store, copy)
        copy.known_docnos(sorted(contents.judged_or_pooled(store)))
        pools = contents.pools(store)
        restore.add_pools(copy, pools, contents.pooled(store), contents.frame(store))
        _copy_log(store, copy, options)
        count_by(copy, options.policy)
    return copy


def count_by(copy: Store, policy: str) -> None:
    """Let the labels of this policy count, in a store to be thrown away."""
    if policy == POLICY:
        return
    decided = derive(copy, policy)
    behind = ((grade, decided.by_model(pair), decided.behind(pair)[0].id) for pair, grade in decided.labels.items())
    with copy.writing():
        restore.counting(copy, behind)


def _copy_runs(store: Store, copy: Store) -> None:
    """The runs, one at a time; those that retrieved nothing have no place in files."""
    for tag, info in run_info(store).items():
        runs = stored_runs(store, [tag])
        if runs.answering().tags:
            add_runs(copy, runs, {tag: info._replace(file="", sha256="")})


def _copy_log(store: Store, copy: Store, options: PublishOptions) -> None:
    known = contents.assessors(store)
    full = options.log == "full"
    names = {one.name: one.name for one in known} if full else pseudonyms(known)
    renamed = [one._replace(name=names[one.name], repeats=one.repeats and names[one.repeats]) for one in known]
    restore.add_assessors(copy, renamed)
    restore.add_first_assessors(copy, [(qid, names[name]) for qid, name in contents.first_assessors(store)])
    kinds = {one.name: one.kind for one in known}

    def events() -> Iterator[Event]:
        for event, commitment in log.events_with_commitments(store):
            shown = event if full else pseudonymous(event, names, kinds)
            shown = shown if options.text else without_words(shown, {shown.assessor: kinds[event.assessor]})
            yield shown._replace(event_id=commitment)

    restore.add_log(copy, events(), log.log_states(store), "", restore.unlinked)
