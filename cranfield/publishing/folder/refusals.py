"""What keeps a collection from being published, and what is noted of one that is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cranfield.errors import InputError
from cranfield.publishing.options import PublishOptions
from cranfield.store.names import strangers
from cranfield.store.published.contents import assessors, hashes, names_like
from cranfield.store.published.left_out import left_out
from cranfield.store.qrels import qrels_of
from cranfield.store.runs import run_info, stored_runs
from cranfield.store.store import Store
from cranfield.text import counted

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
