"""Votes as tools for labelling texts export them: Doccano, Label Studio's JSON-MIN, INCEpTION."""

import re
from collections.abc import Iterator
from typing import Any

from cranfield.errors import InputError
from cranfield.formats.files import Format, OpenFile
from cranfield.formats.given_files import file_name_without_suffixes
from cranfield.formats.jsonl import drop_fields, number_records, read_json, require_json_object, require_json_objects
from cranfield.formats.labelling_tools import TAGS, annotator
from cranfield.formats.votes import Ballot

ALL_TOGETHER = "all"  # the file of a project whose members share their labels


def detect_doccano(head: bytes, path: str) -> bool:
    """Whether labels are in a list, beside a text.

    >>> detect_doccano(b'{"id":1,"text":"lift","qid":"q1","docno":"d1","label":["2"]}', "ada.jsonl")
    True
    >>> detect_doccano(b'{"assessor": "ada", "qid": "q1", "docno": "d1", "label": 2}', "votes.jsonl")
    False
    """
    start = head.lstrip().startswith((b"[", b"{"))
    return start and b'"text"' in head and re.search(rb'"label"\s*:\s*\[', head) is not None


def read_doccano(source: OpenFile) -> Iterator[Ballot]:
    """Doccano's JSONL or JSON of text classification: a text with its labels, and a qid and a docno in its metadata.

    What has no label has no vote, and several labels are no grade. The file does not say whose labels they are: Doccano
    calls it by the member, `ada.jsonl`, which counts unless another assessor is named; `all.jsonl` is of no one.
    Comments are a note.
    Source: backend/data_export/pipeline of doccano/doccano (`factories.py`, `formatters.py`) and `celery_tasks.py`.
    """
    name = file_name_without_suffixes(source.path)
    whole = read_json(source)
    for record, each in number_records([whole] if isinstance(whole, dict) else whole, source):
        comments = each.get("Comments")
        note = "; ".join(map(str, comments)) if isinstance(comments, list) else comments
        fields = {**drop_fields(each, ("id", "Comments")), "label": each.get("label") or None, "note": note}
        yield Ballot(record, fields, by="" if name == ALL_TOGETHER else name)


DOCCANO = Format("votes", "doccano", "Doccano's JSONL or JSON, one label per text", detect_doccano, read_doccano)


MIN_FIELDS = ("id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement")


def detect_label_studio_min(head: bytes, path: str) -> bool:
    return head.lstrip().startswith(b"[") and b'"annotation_id"' in head and b'"annotator"' in head


def read_label_studio_min(source: OpenFile) -> Iterator[Ballot]:
    """Label Studio's JSON-MIN: an annotation a record, with the task's data and the answers side by side.

    The answers are what stands between the task's `id` and `annotator`. What was skipped is not in this export; the
    JSON has it.
    Source: `convert_to_json_min` in label_studio_sdk/converter/converter.py of HumanSignal/label-studio-sdk, 2.1.
    """
    for record, each in number_records(read_json(source), source):
        names = [*each]
        if "id" not in names or "annotator" not in names:
            raise InputError("the id or the annotator is missing; expected both, as in JSON-MIN", source.path, record)
        labelled = names[names.index("id") + 1 : names.index("annotator")]
        answers = {name: _unwrap_answer(each[name]) for name in labelled}
        about = drop_fields(each, [*MIN_FIELDS, *labelled])
        who = {"assessor": annotator(each["annotator"]), "lead_time": each.get("lead_time")}
        yield Ballot(record, {**about, **who, "at": each.get("created_at"), "state": ""}, answers)


def _unwrap_answer(value: Any) -> Any:
    """An answer without the name of what it was given with.

    >>> _unwrap_answer("2"), _unwrap_answer([{"rating": 3}]), _unwrap_answer([{"choices": ["a", "b"]}])
    ('2', 3, ['a', 'b'])
    """
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        return next((value[0][tag] for tag in TAGS.values() if tag in value[0]), value)
    return value


LABEL_STUDIO_MIN = Format(
    "votes", "label-studio-min", "Label Studio's JSON-MIN export", detect_label_studio_min, read_label_studio_min
)


WHO_AND_WHAT = "CASMetadata"
LAYERS = ("custom.", "webanno.custom.")


def detect_inception(head: bytes, path: str) -> bool:
    return head.lstrip().startswith(b"{") and (b'"%TYPES"' in head or b'"%FEATURE_STRUCTURES"' in head)


def read_inception(source: OpenFile) -> Iterator[Ballot]:
    """INCEpTION's export as UIMA CAS JSON, a file for each document and annotator: document-level labels.

    A vote is an annotation of a document metadata layer of your own, whose features have the qid and the grade. The
    assessor is the user, the docno is the document's name without .txt; a file without either is refused. Spans and
    relations are no votes.
    Source: the JSON CAS of apache/uima-uimaj-io-jsoncas, 0.5; `CASMetadata` of inception-project/inception.
    """
    structures = require_json_objects(
        require_json_object(read_json(source), "the file", source, 1).get("%FEATURE_STRUCTURES"), "it", source, 1
    )
    document = next((one for one in structures if str(one.get("%TYPE")).endswith(WHO_AND_WHAT)), {})
    docno = str(document.get("sourceDocumentName") or "").removesuffix(".txt")
    about = {"assessor": document.get("username"), "docno": docno, "grade": None}
    labels = [one for one in structures if str(one.get("%TYPE")).startswith(LAYERS) and "begin" not in one]
    for number, one in enumerate(labels or [{}], 1):
        features = {name: value for name, value in one.items() if not name.startswith(("%", "@"))}
        yield Ballot(number, {**about, **features})


INCEPTION = Format(
    "votes", "inception", "INCEpTION's UIMA CAS JSON: document metadata", detect_inception, read_inception
)
