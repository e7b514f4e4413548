"""A small store of answers with nuggets and labels."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from cranfield.features.answers.formats.answers import Answer, Sentence
from cranfield.features.answers.store.answers import add_answers, stored_answers
from cranfield.features.answers.store.labels import (
    NUGGET_LABELS,
    SUPPORT_LABELS,
    Item,
    LabelEvent,
    LabelLog,
)
from cranfield.features.answers.store.nuggets import NuggetEdit, current_nuggets, edit_nuggets
from cranfield.formats import Document, Topic
from cranfield.store.history import importing
from cranfield.store.log import add_assessor
from cranfield.store.store import Store
from tests.stores import new_store

LETTERS = {"s": "support", "p": "partial_support", "n": "not_support"}
NUGGETS = {"1": "vvvoo", "2": "vo"}
SAID = {("a", "1"): "spnsp", ("a", "2"): "ss", ("b", "1"): "nnnnn", ("b", "2"): "pn"}
CITED: Sequence[Mapping[str, float | None]] = ({"d1": None}, {"d2": None}, {"d3": None}, {})


def answered_store(
    path: Path | str | None = None,
    contributors: Mapping[str, Sequence[str]] | None = None,
    labels: Mapping[str, Mapping[tuple[str, str], str]] | None = None,
) -> Store:
    """Two runs, a and b, of teams A and B, on topics 1 and 2; the nuggets of topic 1 are three vital, two okay.

    Nuggets may have contributors, by topic and place; labels are of ada, of llm, a model, or of others, who are people.
    """
    store = new_store(
        path,
        documents={f"d{number}": f"a text {number}" for number in (1, 2, 3)},
        topics={"1": "first", "2": "second"},
        people=["ada"],
        models=["llm"],
    )
    sentences = [Sentence(f"Sentence {number}.", cites) for number, cites in enumerate(CITED)]
    with importing(store, "answers", ["answers.jsonl"]):
        runs = [Answer(run, qid, sentences, ["d1", "d2", "d3"], team=run.upper()) for run in "ab" for qid in "12"]
        add_answers(store, runs)
    tags = contributors or {}
    edit_nuggets(
        store,
        [
            NuggetEdit(
                {"v": "vital", "o": "okay"}[kind],
                qid,
                "ada",
                f"{qid} {at}",
                contributors=tuple(tags.get(f"{qid} {at}", ())),
            )
            for qid, kinds in NUGGETS.items()
            for at, kind in enumerate(kinds)
        ],
    )
    for name, letters_of in (labels or {}).items():
        add_assessor(store, name)
        label_nuggets(store, name, letters_of)
    return store


def label_nuggets(store: Store, assessor: str, letters_of: Mapping[tuple[str, str], str]) -> None:
    """Labels of the nuggets of answers, in their order; x is a failure, a blank no label."""
    for (run, qid), letters in letters_of.items():
        [answer] = stored_answers(store, qid, run)
        NUGGET_LABELS.append(
            store,
            [
                LabelEvent(
                    "label" if at in LETTERS else "cannot-judge",
                    (answer.number, nugget.number),
                    assessor,
                    LETTERS.get(at),
                )
                for at, nugget in zip(letters, current_nuggets(store, qid), strict=True)
                if at != " "
            ],
        )


def label_support(store: Store, assessor: str, letters: str) -> None:
    """Labels of the first citations of every answer."""
    for answer in stored_answers(store):
        SUPPORT_LABELS.append(
            store,
            [
                LabelEvent("label", (answer.number, at, tuple(sentence.citations)), assessor, LETTERS[letter])
                for (at, sentence), letter in zip(enumerate(answer.sentences, 1), letters, strict=False)
                if letter != " "
            ],
        )


RUNS = ("canary-one", "canary-two", "canary-three")


def three_run_store(path: Path | None = None) -> Store:
    """Answers of three runs to two topics: three nuggets of q1 and one of q2; d9 has no text."""
    documents = [Document(f"d{number}", f"report {number}", f"wings {number}") for number in (1, 2, 3)]
    store = new_store(path, documents=documents, topics=[Topic("q1", "lift", "what lifts"), Topic("q2", "drag")])
    sentences = [
        Sentence("Lift grows.", dict.fromkeys(("d1", "d2", "d3"))),
        Sentence("Drag too.", {"d2": None}),
        Sentence("No source.", {"d9": None}),
        Sentence("Nothing cited."),
    ]
    add_answers(store, [Answer(run, qid, sentences, team=run) for run in RUNS for qid in ("q1", "q2")])
    add_assessor(store, "zoe")
    nuggets = [
        ("vital", "q1", "lift grows"),
        ("okay", "q1", "with speed"),
        ("okay", "q1", "so what"),
        ("vital", "q2", "x"),
    ]
    edit_nuggets(store, [NuggetEdit(kind, qid, "zoe", text) for kind, qid, text in nuggets])
    return store


def labelled_answers_store(path: Path | str | None = None) -> Store:
    """Answers of three runs to twelve topics, with three nuggets a topic, labelled by two people and a model.

    ada labelled all nuggets, llm as well, bob those of the first ten topics; ada labelled all citations, and bob those
    of the first topics. Every fifth label of bob differs from ada's, and every seventh of llm's.
    """
    topics = {f"q{number}": f"question {number}" for number in range(1, 13)}
    documents = [Document(f"d{number}", f"report {number}", f"wings {number}") for number in (1, 2, 3)]
    store = new_store(path, documents=documents, topics=topics, people=["ada", "bob"], models=["llm"])
    sentences = {
        run: [Sentence(f"Lift by {run}.", {"d1": None}), Sentence(f"Drag by {run}.", {"d2": None})] for run in RUNS
    }
    with importing(store, "answers", ["answers.jsonl"]):
        add_answers(store, [Answer(run, qid, sentences[run], ["d1", "d2"], team=run) for run in RUNS for qid in topics])
    kinds = ("vital", "vital", "okay")
    edits = [
        NuggetEdit(kind, qid, "ada", f"{qid} fact {place}", contributors=(RUNS[place],), input="browser")
        for qid in topics for place, kind in enumerate(kinds)
    ]  # fmt: skip
    edit_nuggets(store, edits)
    answers = stored_answers(store)
    items = [(one.number, nugget.number) for one in answers for nugget in current_nuggets(store, one.qid)]
    cited = [(one.number, at, tuple(s.citations)) for one in answers for at, s in enumerate(one.sentences, 1)]
    for log, every, shared in ((NUGGET_LABELS, items, 90), (SUPPORT_LABELS, cited, 6)):
        _label_items(store, log, "ada", every)
        _label_items(store, log, "bob", every[:shared], other_every=5)
        _label_items(store, log, "llm", every, other_every=7)
    return store


def _label_items(store: Store, log: LabelLog, name: str, items: Sequence[Item], other_every: int = 0) -> None:
    """Labels that depend on the place of an item as if drawn at random; every so many are others."""
    words, events = list(LETTERS.values()), []
    for place, item in enumerate(items):
        label = words[(place * 2654435761 >> 7) % 3]
        if other_every and place % other_every == 0:
            label = words[(words.index(label) + 1) % 3]
        how = {"input": "model"} if name == "llm" else {"seconds": 8.0 + place % 5, "input": "browser"}
        events.append(LabelEvent("label", item, name, label, **how))
    log.append(store, events)
