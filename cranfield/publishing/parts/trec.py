"""trec/: topics, qrels and the newest pool in the formats of TREC; strata and subtopics, where labels have them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from cranfield.formats import Topic, write_topics
from cranfield.formats.whole_files import write_text
from cranfield.formats.writing import write_pool
from cranfield.judging.labels.export import export_derived
from cranfield.publishing.parts.log import log_document
from cranfield.publishing.parts.part import Part, PublishedTable, Publishing
from cranfield.store.pools import newest_sample, stored_pool

TOPICS, QRELS = "trec/topics.xml", "trec/qrels.txt"
UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # in XML


def write_trec(asked: Publishing) -> Sequence[PublishedTable]:
    write_topics(asked.within(TOPICS), plain(asked.store.topics()), "xml")
    if asked.store.count("judgment_event"):
        _qrels(asked, QRELS, "trec")
        if newest_sample(asked.store) is not None:
            _qrels(asked, "trec/qrels-strata.txt", "sample-eval")
        if _has_subtopics(asked):
            _qrels(asked, "trec/qrels-subtopics.txt", "subtopics")
    if asked.store.count("pool"):
        write_pool(asked.within("trec", "pool.tsv"), stored_pool(asked.store).documents)
    return []


def plain(topics: Iterable[Topic]) -> Iterator[Topic]:
    """The topics as XML can have them: of their metadata only texts and lists of subtopics, without odd characters."""
    for topic in topics:
        title, description, narrative = map(_plain, (topic.title, topic.description, topic.narrative))
        yield Topic(topic.qid, title, description, narrative, _metadata(topic.metadata))


def _plain(text: str) -> str:
    return UNWRITABLE.sub("\ufffd", text)


def _metadata(metadata: Mapping[str, object]) -> dict[str, object]:
    found = metadata.get("subtopics")
    is_list = isinstance(found, list) and all(
        isinstance(one, dict) and all(isinstance(text, str) for text in one.values()) for one in found
    )
    if not is_list or not isinstance(found, list):
        return {}
    return {"subtopics": [{name: _plain(text) for name, text in one.items()} for one in found]}


def _has_subtopics(asked: Publishing) -> bool:
    behind = (event for pair in asked.derived.labels for event in asked.derived.behind(pair))
    return any(event.evidence and event.kind == "import" for event in behind)


def _qrels(asked: Publishing, name: str, format: str) -> None:
    path = asked.within(name)
    export_derived(asked.store, path, asked.derived, format=format)
    _state_log(path.with_name(f"{path.name}.manifest.json"), log_document(asked)["log"])


def _state_log(manifest: Path, log: Any) -> None:
    """Let the manifest name the head of the log that is published, not those of the copy's."""
    document = json.loads(manifest.read_text(encoding="utf-8"))
    del document["other_logs"]
    document["log"] = {name: log[name] for name in ("events", "head")}
    write_text(manifest, json.dumps(document, indent=2, ensure_ascii=False) + "\n")


TREC_PART = Part("trec", write_trec)
