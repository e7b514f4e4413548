"""Votes as labelling tools export them: Label Studio, Argilla, Quepid, UMBRELA, Prodigy, Relevation."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from cranfield.errors import InputError
from cranfield.formats import delimited, jsonl
from cranfield.formats.files import Format, OpenFile
from cranfield.formats.jsonl import drop_fields, number_records, read_json, require_json_object, require_json_objects
from cranfield.formats.layout import split_first_lines
from cranfield.formats.votes import NAMES, Answers, Ballot, first_set_state
from cranfield.text import json_value

TAGS = {"choices": "choices", "rating": "rating", "number": "number", "textarea": "text", "taxonomy": "taxonomy"}
ANNOTATION = (
    "id",
    "result",
    "was_cancelled",
    "completed_by",
    "lead_time",
    "created_at",
    "updated_at",
    "task",
    "result_count",
)
ANNOTATION_IDS = (
    "unique_id",
    "project",
    "parent_prediction",
    "parent_annotation",
    "last_action",
    "last_created_by",
    "import_id",
)


def detect_label_studio(head: bytes, path: str) -> bool:
    return head.lstrip().startswith((b"[", b"{")) and b'"annotations"' in head and b'"result"' in head


def read_label_studio(source: OpenFile) -> Iterator[Ballot]:
    """Label Studio's JSON export: tasks, each with the annotations of several people.

    An answer is the result of a Choices, Rating or Number tag, by the tag's name or, without one, its type. Texts of
    TextArea tags are a note. What was
    skipped (`was_cancelled`) cannot be judged. Predictions are a model's and are never taken for somebody's vote. The
    task's data have to hold a qid and a docno. `lead_time` is wall time: it includes pauses, and Label Studio has
    counted it twice.
    Source: labelstud.io/guide/task_format, docs/source/includes/task_format.md of HumanSignal/label-studio.
    """
    for record, task in number_records(read_json(source), source):
        if "annotations" not in task:
            raise InputError("the file contains no annotations; expected Label Studio's JSON", source.path, record)
        about = require_json_object(task.get("data"), "data", source, record)
        extra = {"predictions": task.get("predictions"), "drafts": task.get("drafts")}
        for annotation in require_json_objects(task["annotations"], "annotations", source, record):
            answers = _annotation_answers(annotation, source, record)
            skipped = "skipped" if annotation.get("was_cancelled") else ""
            yield Ballot(
                record,
                {
                    **about,
                    **extra,
                    **drop_fields(annotation, [*ANNOTATION, *ANNOTATION_IDS]),
                    "assessor": annotator(annotation.get("completed_by")),
                    "lead_time": annotation.get("lead_time"),
                    "at": annotation.get("created_at"),
                    "state": skipped,
                    "reason": skipped,
                },
                answers,
            )


def annotator(user: object) -> str:
    """A user by e-mail address or, where the export has only the number, by that."""
    if isinstance(user, dict):
        return str(user.get("email") or f"user {user.get('id')}")
    return user if isinstance(user, str) else "" if user is None else f"user {user}"


def _annotation_answers(annotation: dict[str, Any], source: OpenFile, record: int) -> Answers:
    answers: Answers = {}
    notes = list[object]()
    for result in require_json_objects(annotation.get("result"), "result", source, record):
        kind = str(result.get("type")).lower()
        name, value = (
            str(result.get("from_name") or kind),
            require_json_object(result.get("value"), "value", source, record),
        )
        answer = value.get(TAGS.get(kind, kind), value)
        if kind == "textarea":
            notes += answer if isinstance(answer, list) else [answer]
        elif name in answers:
            raise InputError(f"an annotation contains two answers to {name}; expected one", source.path, record)
        else:
            answers[name] = answer
    if notes:
        answers["note"] = notes[0] if len(notes) == 1 else "; ".join(map(str, notes))
    return answers


LABEL_STUDIO = Format(
    "votes",
    "label-studio",
    "Label Studio's JSON export: choices, rating or number",
    detect_label_studio,
    read_label_studio,
)


ARGILLA_PARTS = ("fields", "metadata", "responses", "vectors", "_server_id", "status", "inserted_at", "updated_at")
RESPONSES = ".responses"
DOUBT = (
    "may be drafts or discarded answers, because this export lacks the status; export again with Argilla's"
    " records.to_list(flatten=True)"
)


def detect_argilla(head: bytes, path: str) -> bool:
    return head.lstrip().startswith((b"[", b"{")) and (b'"responses"' in head or b'.responses"' in head)


def read_argilla(source: OpenFile) -> Iterator[Ballot]:
    """Argilla's records as JSON: nested (`to_json`), flattened (`to_list(flatten=True)`), or as in version 1.

    A response has an answer to each question. What was discarded cannot be judged, a draft was put off. The nested form
    of version 2 has no status, so drafts and discarded answers are taken for votes, with a warning; the flattened form
    has it. Suggestions are a model's and are never taken for somebody's vote. Fields or metadata have to hold a qid and
    a docno.
    Source: `records/_resource.py` and `records/_io/_generic.py` of argilla-io/argilla, and version 1's response schema.
    """
    for record, each in number_records(read_json(source), source):
        about = drop_fields(each, ARGILLA_PARTS) | require_json_object(each.get("fields"), "fields", source, record)
        about |= require_json_object(each.get("metadata"), "metadata", source, record)
        responses = each.get("responses")
        if isinstance(responses, list):
            yield from _read_version_1(responses, about, source, record)
        elif isinstance(responses, dict):
            yield from _read_nested(responses, about, source, record)
        else:
            yield from _read_flat_record(about, source, record)


def _read_version_1(responses: object, about: Answers, source: OpenFile, record: int) -> Iterator[Ballot]:
    for response in require_json_objects(responses, "responses", source, record):
        values = require_json_object(response.get("values"), "values", source, record)
        answers = {name: value.get("value") if isinstance(value, dict) else value for name, value in values.items()}
        yield _ballot(
            record, about, response.get("user_id"), response.get("status"), answers, at=response.get("inserted_at")
        )


def _read_nested(responses: dict[str, Any], about: Answers, source: OpenFile, record: int) -> Iterator[Ballot]:
    events_by_user: dict[object, tuple[object, Answers]] = {}
    for question, answers in responses.items():
        for answer in require_json_objects(answers, question, source, record):
            user = _checked_user(answer.get("user_id"), source, record)
            events_by_user.setdefault(user, (answer.get("status"), {}))[1][question] = answer.get("value")
    for user, (state, own) in events_by_user.items():
        yield _ballot(record, about, user, state, own)


def _read_flat_record(about: Answers, source: OpenFile, record: int) -> Iterator[Ballot]:
    questions = [name.removesuffix(RESPONSES) for name in about if name.endswith(RESPONSES)]
    parts = [question + RESPONSES + part for question in questions for part in ("", ".users", ".status")]
    events_by_user: dict[object, tuple[object, Answers]] = {}
    for question in questions:
        values, users, states = (_as_list(about.get(question + RESPONSES + part)) for part in ("", ".users", ".status"))
        if len(values) != len(users) or len(states) not in (0, len(users)):
            raise InputError(f"the responses, users and statuses of {question} differ in length", source.path, record)
        for user, value, state in zip(users, values, states or [None] * len(users), strict=True):
            events_by_user.setdefault(_checked_user(user, source, record), (state, {}))[1][question] = value
    for user, (state, answers) in events_by_user.items():
        yield _ballot(record, drop_fields(about, parts), user, state, answers)


def _checked_user(user: object, source: OpenFile, record: int) -> object:
    """Who answered; refused where it is neither a text nor a number."""
    if isinstance(user, list | dict):
        raise InputError(f"user_id is {json_value(user, 60)}; expected one text or number", source.path, record)
    return user


def _as_list(value: object) -> list[object]:
    """A list, or one of what is none; nothing is an empty one."""
    return value if isinstance(value, list) else [] if value is None else [value]


def _ballot(record: int, about: Answers, user: object, state: object, answers: Answers, *, at: object = None) -> Ballot:
    own = {"state": state or "", "reason": "discarded" if state == "discarded" else "", "at": at}
    return Ballot(record, {**about, **own, "assessor": user}, answers, "" if state else DOUBT)


ARGILLA = Format("votes", "argilla", "Argilla's records as JSON, nested or flattened", detect_argilla, read_argilla)


QUEPID_HEADER = ["query", "docid"]


def detect_quepid(head: bytes, path: str) -> bool:
    first = head.partition(b"\n")[0].strip().lower()
    return b'"query_doc_pairs"' in head or first.startswith((b"query,docid,", b"query,doc_id,"))


def read_quepid(source: OpenFile) -> Iterator[Ballot]:
    """Quepid's book, as CSV (a column a rater) or JSON (the judgements of each pair).

    Its topics are the texts of queries: they are looked up among the topics' titles. A CSV tells neither what could not
    be rated nor what was put off, and a rating of two people with one name is in one column; the JSON has all of it.
    A column that is called rating names nobody.
    Source: `books_controller.rb` and `views/api/v1/export/books` of o19s/quepid.
    """
    return _from_json(source) if source.head.lstrip().startswith(b"{") else _read_csv_ballots(source)


def _read_csv_ballots(source: OpenFile) -> Iterator[Ballot]:
    rows = delimited.read_csv_cells(source)
    first, header = next(rows, (1, []))
    delimited.check_distinct_columns([name.strip() for name in header], source.path, first)
    if [name.strip().lower().replace("_", "") for name in header[:2]] != QUEPID_HEADER or len(header) < 3:
        raise InputError(
            f"the header is {','.join(header)!r:.60}; expected query, docid and one column per rater", source.path, 1
        )
    for line, cells in rows:
        if len(cells) != len(header):
            raise InputError(f"{len(cells)} cells; expected {len(header)}, as in the header", source.path, line)
        for rater, grade in zip(header[2:], cells[2:], strict=True):
            name = "" if rater.strip().lower() in NAMES["grade"] else rater.strip()  # of a column that names nobody
            pair = {"query": cells[0].strip(), "docno": cells[1], "assessor": name}
            yield Ballot(line, {**pair, "grade": grade.strip().removesuffix(".0")})


def _from_json(source: OpenFile) -> Iterator[Ballot]:
    book = require_json_object(read_json(source), "the book", source, 1)
    for record, pair in enumerate(require_json_objects(book.get("query_doc_pairs"), "query_doc_pairs", source, 1), 1):
        for judgement in require_json_objects(pair.get("judgements"), "judgements", source, record):
            state = first_set_state(
                (judgement.get("unrateable"), "unrateable"), (judgement.get("judge_later"), "judge_later")
            )
            user = judgement.get("user_email") or judgement.get("user_id") or "Unknown"
            yield Ballot(
                record,
                {
                    **drop_fields(pair, ["judgements", "query_doc_pair_id"]),
                    **drop_fields(judgement, ["unrateable", "judge_later", "user_email", "user_id", "judgement_id"]),
                    "assessor": user,
                    "state": state,
                    "reason": "unrateable" if state == "unrateable" else "",
                },
            )


QUEPID = Format("votes", "quepid", "Quepid's book as CSV or JSON; topics by their titles", detect_quepid, read_quepid)


UMBRELA_SCALE = ("0", "1", "2", "3")
NUMBER = r"[\"'*\s]*(?:[:=]|\bis\b)[\"'*\s]*(-?\d++(?:\.\d++)?+)(?![\d.]*\d|\s*(?:-|\u2013|to|or)\s*\d)"
PLACES = tuple(
    re.compile(pattern + NUMBER, re.IGNORECASE)
    for pattern in (r"\bfinal[ _]score", r"[{,]\s*[\"'](?:O|overall(?:[ _]score)?|score)(?=[\"'])")
)
ALONE = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*")
UMBRELA_FIELDS = ("model", "prediction", "judgment", "result_status")


def detect_umbrela(head: bytes, path: str) -> bool:
    return head.lstrip().startswith((b"[", b"{")) and b'"prediction"' in head and b'"model"' in head


def read_umbrela(source: OpenFile) -> Iterator[Ballot]:
    """UMBRELA's records, JSON or one a line: model, query, passage, prompt, prediction; a qid and a docno beside them.

    The grade is read from the answer, `prediction`, and nowhere else. It is what stands after "final score" (as in
    `##final score: 2`), or the number in `{"O": 2}`, or the number that is the whole answer. If there is none, if there
    are two that differ or a range, or if it is none of 0, 1, 2, 3, the document could not be judged, and the reason
    says why. UMBRELA's own reading, `judgment`, is not taken: it is 0 where nothing was found, and where a reasoning
    trace follows a score it is a digit of that trace. The answer is kept as the note. UMBRELA writes neither qid nor
    docno: the topic is looked up by the text of the query, a docno has to be added to each record.
    Source: `common_utils.py` (`parse_fewshot_response`, `prepare_judgments`) of castorini/umbrela.
    """
    whole = read_json(source)
    for record, each in number_records([whole] if isinstance(whole, dict) else whole, source):
        answer = "" if each.get("prediction") is None else str(each["prediction"])
        grade, reason = umbrela_score(answer)
        reply = {"assessor": each.get("model"), "grade": grade, "reason": reason, "note": answer}
        yield Ballot(record, {**drop_fields(each, UMBRELA_FIELDS), **reply, "state": "failed" if reason else ""})


def umbrela_score(answer: str) -> tuple[str, str]:
    """The score that an answer gives, or why it gives none.

    >>> umbrela_score("##final score: 0\\nIt is unrelated to 3 of the 4 aspects."), umbrela_score('{"O": 2}')
    (('0', ''), ('2', ''))
    >>> umbrela_score(" 3 "), umbrela_score("final score: 10"), umbrela_score("final score: 1, no: final score: 2")
    (('3', ''), ('', 'a score of 10, which is not on the scale'), ('', 'several scores in the answer: 1, 2'))
    """
    alone = ALONE.fullmatch(answer)
    scores = [alone[1]] if alone else next(filter(None, (place.findall(answer) for place in PLACES)), [])
    distinct = list(dict.fromkeys(scores))
    if not distinct:
        return "", "no score in the answer"
    if len(distinct) > 1:
        return "", f"several scores in the answer: {', '.join(distinct)}"
    return (
        (distinct[0], "")
        if distinct[0] in UMBRELA_SCALE
        else ("", f"a score of {distinct[0]}, which is not on the scale")
    )


UMBRELA = Format(
    "votes", "umbrela", "UMBRELA's records: the grade is read from the model's answer", detect_umbrela, read_umbrela
)


PRODIGY_FIELDS = (
    "_input_hash", "_task_hash", "_view_id", "_is_binary", "_annotator_id", "_session_id", "_timestamp",
    "answer", "accept", "options", "config", "meta",
)  # fmt: skip


def detect_prodigy(head: bytes, path: str) -> bool:
    return head.lstrip().startswith(b"{") and b'"answer"' in head and (b'"_task_hash"' in head or b'"_view_id"' in head)


def read_prodigy(source: OpenFile) -> Iterator[Ballot]:
    """Prodigy's `db-out`: JSONL, an annotated task a line, whose task or `meta` has a qid and a docno.

    With the choice interface the grade is the option chosen, `accept`. With the others it is the word "accept" or
    "reject": say what they are with --grades accept=1,reject=0. What was ignored cannot be judged, nor can a choice
    that was rejected. A task without an answer has no vote.
    Source: prodi.gy/docs/api-interfaces, prodi.gy/docs/web-app.
    """
    for line, task in jsonl.read_json_objects(source):
        about = drop_fields(task, PRODIGY_FIELDS) | require_json_object(task.get("meta"), "meta", source, line)
        who = {
            "assessor": task.get("_annotator_id") or task.get("_session_id"),
            "at": _time_text(task.get("_timestamp")),
        }
        yield Ballot(line, {**about, **who, **_task_answer(task)})


def _task_answer(task: dict[str, Any]) -> Answers:
    answer, has_choice = task.get("answer"), "accept" in task or "options" in task
    if answer == "ignore" or (answer == "reject" and has_choice):
        return {"grade": "", "state": "skipped", "reason": "ignored" if answer == "ignore" else "rejected"}
    return {"grade": (task.get("accept") or "") if answer and has_choice else answer}


def _time_text(stamp: object) -> str:
    """Seconds since 1970 as a time.

    >>> _time_text(1714557600), _time_text(None)
    ('2024-05-01T10:00:00+00:00', '')
    """
    try:
        return datetime.fromtimestamp(float(str(stamp)), UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return ""


PRODIGY = Format("votes", "prodigy", "Prodigy's JSONL: a choice, or accept and reject", detect_prodigy, read_prodigy)


NOBODY = ("0", "Q0")
UNJUDGED = "-1"
RELEVATION_COLUMNS = ("qid", "assessor", "docno", "grade")


def detect_relevation(head: bytes, path: str) -> bool:
    rows = split_first_lines(head, 4)
    return bool(rows) and len(rows[0]) == 4 and b"," not in rows[0][0]


def read_relevation(source: OpenFile) -> Iterator[Ballot]:
    """Relevation's download: `qid Q0 docno grade`, or `qid user docno grade` where several people judged.

    -1 is its word for unjudged. Comments and times are in its database only and do not come with the file.
    Source: `views.qrels` and `Judgement.__unicode__` of ielab/relevation.
    """
    for line, text in source.lines():
        values = text.split()
        if not values:
            continue
        if len(values) != len(RELEVATION_COLUMNS):
            raise InputError(
                f"the line has {len(values)} columns; expected 4, as in Relevation (qid, user, docno, grade)",
                source.path,
                line,
            )
        fields: dict[str, object] = dict(zip(RELEVATION_COLUMNS, values, strict=True))
        if fields["assessor"] in NOBODY:
            fields["assessor"] = "relevation"
        if fields["grade"] == UNJUDGED:
            fields |= {"grade": "", "state": "unjudged"}
        yield Ballot(line, fields)


RELEVATION = Format(
    "votes", "relevation", "Relevation's qrels.txt, with or without users", detect_relevation, read_relevation
)
