"""A store made of a published folder, once it is checked."""

from __future__ import annotations

import os
from pathlib import Path

from cranfield.errors import InputError, blaming
from cranfield.formats import read_qrels
from cranfield.publishing.checks.checking import check_contents
from cranfield.publishing.folder.filling import ASSESSOR, add_corpus, add_topics, fill, fill_runs, names
from cranfield.publishing.folder.stated import Stated, read_stated
from cranfield.publishing.manifest import BAG, MANIFEST, PAYLOAD, Found, check_file
from cranfield.publishing.parts.log import COLLECTION
from cranfield.publishing.stored import describe
from cranfield.source import Tell, silent
from cranfield.store.connection import placed
from cranfield.store.history import importing
from cranfield.store.publication.description import keep_split
from cranfield.store.published import restore
from cranfield.store.qrels import import_qrels
from cranfield.store.store import Store
from cranfield.text import counted

FILES = ((COLLECTION,), (MANIFEST,))
BAG_FILES = ((PAYLOAD, COLLECTION), (MANIFEST,), (BAG,))


def restored(folder: Path, path: Path, split: str | None = None, note: Tell = silent) -> Store:
    """A new store of what a folder has; whatever is wrong with it, there is no store then.

    With `split` it has the topics of one split, their rankings and grades; `note` is called with what that leaves out.
    """
    if path.exists():
        raise InputError(f"a published folder makes a new store; hf:{folder} adds its documents to this one", path)
    there = check_contents(folder)
    stated = read_stated(there)
    if split is not None and _is_part(stated, split, there):
        return _restored_split(there, path, stated, split, note)
    with placed(path) as part, Store.begin(part, stated.collection) as store:
        fill(store, there, stated)
    return Store.open(path)


def _is_part(stated: Stated, split: str, there: Found) -> bool:
    """Whether a split has some of the topics; refused if there is no such split."""
    if split not in stated.splits:
        raise InputError(f"no split {split!r}; --split takes {', '.join(stated.splits)}", there.root)
    return len(stated.splits) > 1


def _restored_split(there: Found, path: Path, stated: Stated, split: str, note: Tell) -> Store:
    """A new store of one of several splits: the chain of the log and the pools are of all topics, and not in it."""
    some = [qid for qid in stated.topics if qid in stated.splits[split]]
    chosen = stated._replace(topics=some, pools=[], first_assessors=[])
    qrels = check_file(there, f"qrels/{split}.parquet")
    with placed(path) as part, Store.begin(part, stated.collection) as store, restore.restoring(store, there.root):
        restore.guided(store, stated.guidelines)
        with importing(store, "corpus", names(there, "corpus/")):
            add_corpus(store, there, stated)
        with importing(store, "topics", [f"queries/{split}.parquet"]):
            add_topics(store, there, chosen, split)
        with importing(store, "runs", names(there, "runs/")):
            fill_runs(store, there, chosen, only=True)
        with importing(store, "qrels", [f"qrels/{split}.parquet"]), blaming(qrels):
            import_qrels(store, read_qrels(qrels), ASSESSOR)
        describe(store, stated.description)
        keep_split(store, some if split == "test" else [])
    left = f"{len(some)} of {counted(len(stated.topics), 'topic')}, without pools and judgment log, which are of all"
    note(f"split {split}: {left}; the judgments are of the assessor {ASSESSOR!r}")
    return Store.open(path)


def is_published(source: str) -> bool:
    """Whether this is a folder that `publish build` made, or a bag of one."""
    return any(all(os.path.lexists(Path(source, *names)) for names in files) for files in (FILES, BAG_FILES))


def unread(source: str) -> str:
    """What is said of a published folder that was read as one of Hugging Face; nothing of any other."""
    folder = Path(source.removeprefix("hf:")).resolve()
    if not (folder / COLLECTION).is_file():
        return ""
    above = is_published(str(folder.parent)) and folder.name == PAYLOAD
    remedy = f"import the bag, {folder.parent}" if above else f"a new store of a folder with its {MANIFEST} has them"
    return f"the pools, runs and judgment log of this collection were not imported; {remedy}"
