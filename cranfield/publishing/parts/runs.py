"""runs/: every run as a compressed TREC file that begins with its ir_metadata header.

The header names this collection as `test collection` of its `data`, with its version and the SHA-256 of its qrels.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from cranfield.formats import RunInfo, write_run
from cranfield.formats.runs.files import Metadata, with_collection, with_known
from cranfield.publishing.manifest import digest_of
from cranfield.publishing.parts.part import Part, PublishedTable, Publishing
from cranfield.publishing.parts.trec import QRELS, TOPICS
from cranfield.store.runs import run_info, stored_runs

BLOCK = 64 << 20  # bytes that are compressed at a time, in memory
SYSTEM = 9  # the byte that says on which system a file was compressed; 255 is unknown (RFC 1952)
SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,99}")


def write_runs(asked: Publishing) -> Sequence[PublishedTable]:
    about, collection = run_info(asked.store), collection_block(asked)
    for tag, file in file_names(about).items():
        plain = asked.within("runs", file).with_suffix("")
        header = header_of(tag, about[tag], collection)
        write_run(plain, stored_runs(asked.store, [tag]), tag, metadata=header)
        compress(plain)
    return []


def header_of(tag: str, info: RunInfo, collection: Mapping[str, str]) -> Metadata:
    """The header of a run, with what is known of it and of this collection."""
    team = "" if info.team == tag else info.team
    known = with_known({"tag": tag, **info.metadata}, tag, team, info.description)
    return with_collection(known, collection)


def compress(plain: Path) -> None:
    """Replace a file by FILE.gz, with the zlib of pyarrow, as that of Python is another on some systems."""
    import pyarrow as pa

    gzip = pa.Codec("gzip", compression_level=6)
    with plain.open("rb") as file, plain.with_name(f"{plain.name}.gz").open("xb") as packed:
        while block := file.read(BLOCK):
            member = bytearray(gzip.compress(block, asbytes=True))
            member[SYSTEM] = 255
            packed.write(member)
    plain.unlink()


def collection_block(asked: Publishing) -> dict[str, str]:
    """The collection as a header names it; empty is what nobody has said."""
    about = asked.description
    return {
        "name": about.title or about.name,
        "source": f"https://doi.org/{about.doi}" if about.doi else about.url,
        "qrels": QRELS,
        "topics": TOPICS,
        "ir_datasets": about.name if "ir-datasets" in asked.options.targets else "",
        "version": about.version,
        "qrels sha256": digest_of(asked.within(QRELS)),
    }


def file_names(tags: Iterable[str]) -> dict[str, str]:
    """The file of each run: its tag, with part of its hash where it is no safe name, or another's but for its case.

    >>> file_names(["bm25", "a/b", "BM25"])
    {'bm25': 'bm25.run.gz', 'a/b': 'a_b-c14cddc0.run.gz', 'BM25': 'BM25-9aecf153.run.gz'}
    """
    taken, files = set[str](), dict[str, str]()
    for tag in tags:
        name = tag
        if not SAFE.fullmatch(tag) or tag.casefold() in taken:
            name = f"{re.sub('[^A-Za-z0-9_]', '_', tag)[:60]}-{sha256(tag.encode()).hexdigest()[:8]}"
        taken.add(name.casefold())
        files[tag] = f"{name}.run.gz"
    return files


RUNS_PART = Part("runs", write_runs, lambda options: options.runs)
