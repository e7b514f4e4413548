"""UMBRELA's records, JSON or one a line: model, query, passage, prompt, prediction; a qid and a docno beside them.

The grade is read from the answer, `prediction`, and nowhere else. It is what stands after "final score" (as in
`##final score: 2`), or the number in `{"O": 2}`, or the number that is the whole answer. If there is none, if there are
two that differ or a range, or if it is none of 0, 1, 2, 3, the document could not be judged, and the reason says why.
UMBRELA's own reading, `judgment`, is not taken: it is 0 where nothing was found, and where a reasoning trace follows a
score it is a digit of that trace. The answer is kept as the note. UMBRELA writes neither qid nor docno: the topic is
looked up by the text of the query, a docno has to be added to each record.
OpenFile: `common_utils.py` (`parse_fewshot_response`, `prepare_judgments`) of castorini/umbrela.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from cranfield.formats.files import OpenFile
from cranfield.formats.records import Format
from cranfield.formats.votes.vote import Answers, Ballot, json_of, objects, without

SCALE = ("0", "1", "2", "3")
NUMBER = r"[\"'*\s]*(?:[:=]|\bis\b)[\"'*\s]*(-?\d++(?:\.\d++)?+)(?![\d.]*\d|\s*(?:-|\u2013|to|or)\s*\d)"
PLACES = tuple(
    re.compile(pattern + NUMBER, re.IGNORECASE)
    for pattern in (r"\bfinal[ _]score", r"[{,]\s*[\"'](?:O|overall(?:[ _]score)?|score)(?=[\"'])")
)
ALONE = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*")
READ = ("model", "prediction", "judgment", "result_status")


def detect(head: bytes, path: str) -> bool:
    return head.lstrip().startswith((b"[", b"{")) and b'"prediction"' in head and b'"model"' in head


def read(source: OpenFile) -> Iterator[Ballot]:
    whole = json_of(source)
    for record, each in objects([whole] if isinstance(whole, dict) else whole, source):
        yield Ballot(record, _fields(each))


def _fields(record: dict[str, Any]) -> Answers:
    answer = "" if record.get("prediction") is None else str(record["prediction"])
    grade, reason = score(answer)
    said = {"assessor": record.get("model"), "grade": grade, "reason": reason, "note": answer}
    return {**without(record, READ), **said, "state": "failed" if reason else ""}


def score(answer: str) -> tuple[str, str]:
    """The score that an answer gives, or why it gives none.

    >>> score("##final score: 0\\nIt is unrelated to 3 of the 4 aspects."), score('{"M": 1, "O": 2}'), score(" 3 ")
    (('0', ''), ('2', ''), ('3', ''))
    >>> score(""), score("final score: 10"), score("##final score: 1, no: ##final score: 2")
    (('', 'no score in the answer'), ('', 'a score of 10, off the scale'), ('', 'several scores in the answer: 1, 2'))
    """
    alone = ALONE.fullmatch(answer)
    found = [alone[1]] if alone else next(filter(None, (place.findall(answer) for place in PLACES)), [])
    given = list(dict.fromkeys(found))
    if not given:
        return "", "no score in the answer"
    if len(given) > 1:
        return "", f"several scores in the answer: {', '.join(given)}"
    return (given[0], "") if given[0] in SCALE else ("", f"a score of {given[0]}, off the scale")


VOTES = Format("votes", "umbrela", "UMBRELA's records: the grade is read from the model's answer", detect, read)
