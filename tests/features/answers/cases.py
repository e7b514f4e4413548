"""A store with answers of two runs to two topics, and nuggets."""

from cranfield.features.answers.formats.answers import Answer, Sentence
from cranfield.features.answers.store.answers import add_answers
from cranfield.features.answers.store.nuggets import NuggetEdit, edit_nuggets
from cranfield.formats import Document, Topic
from cranfield.store.log import add_assessor
from cranfield.store.store import Store

RUNS = ("canary-one", "canary-two", "canary-three")


def answered(store: Store) -> Store:
    """Fill a store: three nuggets of q1 and one of q2; d9 has no text."""
    store.add_topics([Topic("q1", "lift", "what lifts"), Topic("q2", "drag")])
    store.add_documents([Document(f"d{number}", f"report {number}", f"wings {number}") for number in (1, 2, 3)])
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
