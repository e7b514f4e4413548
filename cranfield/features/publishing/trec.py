"""trec/ and runs/: topics, qrels and the newest pool in the formats of TREC, and every run as a compressed file.

Beside a run is its ir_metadata, or it begins with them. They name this collection as `test collection` of their `data`,
with its version and the SHA-256 of its qrels.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from cranfield.features.publishing.manifest import digest_of
from cranfield.features.publishing.parts import Part, PublishedTable, Publishing, log_document
from cranfield.formats import RunInfo, Topic, write_run, write_topics
from cranfield.formats.runs.files import Metadata, add_collection, add_run_details, write_metadata
from cranfield.formats.whole_files import write_text
from cranfield.formats.writing import write_pool
from cranfield.judging.labels.export import export_derived
from cranfield.store.pools import newest_built_pool, newest_stratified_pool, stored_pool
from cranfield.store.runs import run_info, stored_runs

TOPICS, QRELS = "trec/topics.xml", "trec/qrels.txt"
UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # in XML


def write_trec(publishing: Publishing) -> Sequence[PublishedTable]:
    write_topics(publishing.published_path(TOPICS), xml_topics(publishing.store.topics()), "xml")
    if publishing.store.count("judgment_event"):
        _qrels(publishing, QRELS, "trec")
        if newest_stratified_pool(publishing.store) is not None:
            _qrels(publishing, "trec/qrels-strata.txt", "sample-eval")
        judgments = publishing.judgments
        events = (event for pair in judgments.labels for event in judgments.supporting_events(pair))
        if any(event.evidence and event.kind == "import" for event in events):  # it names subtopics
            _qrels(publishing, "trec/qrels-subtopics.txt", "subtopics")
    if publishing.store.count("pool"):
        write_pool(
            publishing.published_path("trec", "pool.tsv"),
            stored_pool(publishing.store, newest_built_pool(publishing.store)).documents,
        )
    return []


def xml_topics(topics: Iterable[Topic]) -> Iterator[Topic]:
    """The topics as XML can have them: of their metadata only texts and lists of subtopics, without odd characters."""
    for topic in topics:
        title, description, narrative = map(_xml_text, (topic.title, topic.description, topic.narrative))
        yield Topic(topic.qid, title, description, narrative, _metadata(topic.metadata))


def _xml_text(text: str) -> str:
    return UNWRITABLE.sub("\ufffd", text)


def _metadata(metadata: Mapping[str, object]) -> dict[str, object]:
    subtopics = metadata.get("subtopics")
    is_list = isinstance(subtopics, list) and all(
        isinstance(one, dict) and all(isinstance(text, str) for text in one.values()) for one in subtopics
    )
    if not is_list or not isinstance(subtopics, list):
        return {}
    return {"subtopics": [{name: _xml_text(text) for name, text in one.items()} for one in subtopics]}


def _qrels(publishing: Publishing, name: str, format: str) -> None:
    path = publishing.published_path(name)
    export_derived(publishing.store, path, publishing.judgments, format=format)
    # Let the manifest name the head of the log that is published, not those of the copy's.
    manifest = path.with_name(f"{path.name}.manifest.json")
    log = log_document(publishing)["log"]
    document = json.loads(manifest.read_text(encoding="utf-8"))
    del document["other_logs"]
    document["log"] = {name: log[name] for name in ("events", "head")}
    write_text(manifest, json.dumps(document, indent=2, ensure_ascii=False) + "\n")


TREC_PART = Part("trec", write_trec)


BLOCK = 64 << 20  # bytes that are compressed at a time, in memory
SYSTEM = 9  # the byte that says on which system a file was compressed; 255 is unknown (RFC 1952)
SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,99}")


def write_runs(publishing: Publishing) -> Sequence[PublishedTable]:
    about, collection = run_info(publishing.store), collection_block(publishing)
    for tag, file in file_names(about).items():
        plain = publishing.published_path("runs", file).with_suffix("")
        header = header_of(tag, about[tag], collection)
        write_run(
            plain, stored_runs(publishing.store, [tag]), tag, metadata=header if publishing.options.run_headers else {}
        )
        if not publishing.options.run_headers:
            write_metadata(plain, header)
        compress(plain)
    return []


def header_of(tag: str, info: RunInfo, collection: Mapping[str, str]) -> Metadata:
    """The ir_metadata of a run, with what is known of it and of this collection."""
    team = "" if info.team == tag else info.team
    header = add_run_details({"tag": tag, **info.metadata}, tag, team, info.description)
    return add_collection(header, collection)


def compress(plain: Path) -> None:
    """Replace a file by FILE.gz, with the zlib of pyarrow, as that of Python is another on some systems."""
    import pyarrow as pa

    gzip = pa.Codec("gzip", compression_level=6)
    with plain.open("rb") as file, plain.with_name(f"{plain.name}.gz").open("xb") as archive:
        while block := file.read(BLOCK):
            member = bytearray(gzip.compress(block, asbytes=True))
            member[SYSTEM] = 255
            archive.write(member)
    plain.unlink()


def collection_block(publishing: Publishing) -> dict[str, str]:
    """The collection as a header names it; empty is what nobody has said."""
    about = publishing.description
    return {
        "name": about.title or about.name,
        "source": f"https://doi.org/{about.doi}" if about.doi else about.url,
        "qrels": QRELS,
        "topics": TOPICS,
        "ir_datasets": about.name if "ir-datasets" in publishing.options.targets else "",
        "version": about.version,
        "qrels sha256": digest_of(publishing.published_path(QRELS)),
    }


def file_names(tags: Iterable[str]) -> dict[str, str]:
    """The file of each run: its tag, with part of its hash where it is no safe name, or another's but for its case.

    >>> file_names(["bm25", "a/b", "BM25"])
    {'bm25': 'bm25.run.gz', 'a/b': 'a_b-c14cddc0.run.gz', 'BM25': 'BM25-9aecf153.run.gz'}
    """
    names, files = set[str](), dict[str, str]()
    for tag in tags:
        name = tag
        if not SAFE.fullmatch(tag) or tag.casefold() in names:
            name = f"{re.sub('[^A-Za-z0-9_]', '_', tag)[:60]}-{sha256(tag.encode()).hexdigest()[:8]}"
        names.add(name.casefold())
        files[tag] = f"{name}.run.gz"
    return files


RUNS_PART = Part("runs", write_runs, lambda options: options.runs)
