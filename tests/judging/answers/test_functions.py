"""Asking models about answers from Python, by the same rules as the commands."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import cranfield
from cranfield.errors import InputError
from cranfield.judging.answers.by_model.embedding import embeddings
from cranfield.store.answers.labels import CLAIM_LABELS, NUGGET_LABELS, SUPPORT_LABELS
from cranfield.store.answers.nuggets import current_nuggets
from cranfield.store.store import Store
from tests.analysis.answered_stores import answered_store
from tests.judging.models.stand_in import Response, Sent, StandIn, embedded, said, stand_in


def answer_to(sent: Sent, before: int) -> Response:
    """What a good model answers to each task."""
    if "input" in sent.json:
        return embedded(1, len(sent.json["input"]))
    if names := re.findall(r'^\{"id": "(n\d+)"', sent.text, re.MULTILINE):
        return said(json.dumps([{"id": name, "label": "support"} for name in names]))
    if "evasive" in sent.text:
        return said(json.dumps([{"text": f"Question {n}?", "evasive": False} for n in range(3)]))
    if "Support: N" in sent.text:
        return said("Support: 2")
    return said('[{"text": "wings shake", "importance": "vital"}]')


@pytest.fixture(scope="module")
def server() -> Iterator[StandIn]:
    with stand_in(answer_to) as server:
        yield server


@pytest.fixture
def store() -> Iterator[Store]:
    """Answers of two runs to two topics, with nuggets."""
    with answered_store(Store.memory("answers")) as store:
        yield store


def test_every_task_is_asked(store: Store, server: StandIn) -> None:
    assert cranfield.answers_nuggets_make(store, "m", server.url) == {"ok": 4}
    assert cranfield.answers_nuggets_assign(store, "m", server.url, topics=["1"], limit=1) == {"ok": 1}
    assert cranfield.answers_nuggets_assign(store, "m", server.url) == {"ok": 3}
    assert cranfield.answers_support(store, "m", server.url, each=True)["ok"] > 0
    assert cranfield.answers_claims_make(store, "m", server.url, again="all") == {"ok": 4}
    assert cranfield.answers_claims_label(store, "m", server.url) == {"ok": 4}
    assert cranfield.answers_questions_make(store, "m", server.url) == {"ok": 4}
    assert cranfield.answers_questions_make(store, "m", server.url, "e") == {"embedded": 8}
    assert cranfield.answers_questions_make(store, "m", server.url, "e") == {}
    assert sum(one.text == "wings shake" for one in current_nuggets(store)) == 2
    made = [log.labels(store, "m") for log in (NUGGET_LABELS, SUPPORT_LABELS, CLAIM_LABELS)]
    assert all(set(labels.values()) == {"support"} for labels in made)
    assert len(embeddings(store, "m")) == 8


def test_questions_go_to_a_file(store: Store, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert cranfield.answers_claims_make(store, "m", None, batch=out) == {"written": 4}
    assert len(out.read_text().splitlines()) == 4
    assert cranfield.answers_questions_make(store, "m", None, batch=tmp_path / "more.jsonl") == {"written": 4}


def test_wrong_usage_is_said(store: Store, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a model is asked at a url, or with url None by a file, batch"):
        cranfield.answers_support(store, "m", None)
    with pytest.raises(InputError, match="at a url, or"):
        cranfield.answers_questions_make(store, "m", "http://h/v1", "e", batch=tmp_path / "out.jsonl", assessor="x")
    with pytest.raises(TypeError, match="unexpected keyword argument 'tries'; expected prompt, assessor"):
        cranfield.answers_support(store, "m", "http://h/v1", tries=3)  # type: ignore[call-arg]
    with pytest.raises(InputError, match="'none'"):
        cranfield.answers_support(store, "m", "http://h/v1", prompt="none")
