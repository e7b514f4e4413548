"""collection.json: what a store needs to be restored from the folder besides the tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from cranfield import __version__
from cranfield.formats.whole_files import write_text
from cranfield.publishing.description.values import as_json
from cranfield.publishing.manifest import digest_of, files_below
from cranfield.publishing.parts.log import COLLECTION, LOG_PART, STATE, write_head
from cranfield.publishing.parts.part import Part, PublishedTable, Publishing
from cranfield.publishing.parts.runs import file_names
from cranfield.store.log import guidelines
from cranfield.store.published.contents import first_assessors, pools
from cranfield.store.runs import run_info, run_lengths

LAYOUT = 1
SOURCES = ("corpus", "queries", "qrels", "log", "pools", "runs")  # the folders that a store is restored from


def write_collection(asked: Publishing) -> Sequence[PublishedTable]:
    write_text(asked.within(COLLECTION), collection_text(asked, source_sums(files_below(asked.root), asked.root)))
    if LOG_PART.wanted(asked.options):
        write_head(asked, digest_of(asked.within(COLLECTION)))
    return []


def source_sums(paths: Iterable[str], root: Path) -> dict[str, str]:
    """The SHA-256 of each file that a store is restored from, but for collection.json and log.json, which names it."""
    return {path: digest_of(root / path) for path in sorted(paths) if is_source(path)}


def is_source(path: str) -> bool:
    """Whether collection.json has the SHA-256 of this file."""
    return path.partition("/")[0] in SOURCES and path != STATE


def collection_text(asked: Publishing, sums: Mapping[str, str]) -> str:
    """collection.json, with the sums of these files."""
    store = asked.store
    about, lines = run_info(store), run_lengths(store)
    document = {
        "layout": LAYOUT,
        "program": f"cranfield {__version__}",
        "collection": store.collection._asdict(),
        "guidelines": guidelines(store),
        "description": as_json(asked.description),
        "options": asked.options.to_json(),
        "topics": [topic.qid for topic in store.topics()],
        "pools": pools(store),
        "first_assessors": first_assessors(store),
        "runs": [
            {"tag": tag, "file": file, "team": info.team, "kind": info.kind, "description": info.description,
             "pooled": info.pooled, "depth": info.depth, "lines": lines[tag]}
            for (tag, info), file in zip(about.items(), file_names(about).values(), strict=True)
        ],
        "files": dict(sums),
    }  # fmt: skip
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


COLLECTION_PART = Part("collection", write_collection)
