"""What a model or a provider answers: the same label for all that a prompt lists, a batch file as a whole."""

import json
import re
from pathlib import Path

from cranfield.features.models.asking.limits import AskLimits
from tests.features.models.stand_in import Answering, Post, Response, reply
from tests.files import json_lines

QUICK = AskLimits(pause=0.0, timeout=60.0, parallel=2)


def ids_in(text: str) -> list[str]:
    """The ids of what a prompt lists, one on a line."""
    return re.findall(r'^\{"id": "(n\d+)"', text, re.MULTILINE)


def same_label(post: Post, label: str = "support") -> Response:
    """The same label for all that is asked about."""
    return reply(json.dumps([{"id": name, "label": label} for name in ids_in(post.text)]))


def answer_batch(requests: Path, answers: Path, answering: Answering) -> None:
    """Write what a provider answers to a batch file."""
    lines = []
    for number, line in enumerate(map(json.loads, requests.read_text().splitlines())):
        body = json.loads(answering(Post({}, json.dumps(line["body"]).encode()), number).body)
        response = {"status_code": 200, "body": body}
        lines.append({"custom_id": line["custom_id"], "response": response, "error": None})
    answers.write_text(json_lines(lines))
