"""Messages of the layers below the pages, recognised by their texts in the catalogue."""

import pytest

from cranfield.web.messages import CatalogueFunctions, MessagePatterns
from tests.web.message_texts import clauses_of

TEXTS = ["no run %(tag)s in this store", "expected one of %(names)s", "%(runs)s from %(teams)s", "%(rows)s imported"]
OTHERS = {"available": "vorhanden", "tag": "Kennung", **{text: f"[{text}]" for text in TEXTS}}
CATALOGUE = CatalogueFunctions(lambda text: OTHERS.get(text, text), lambda one, many, number: f"<{many}>")


@pytest.mark.parametrize(
    ("message", "translated"),
    [
        ("no run 'a' in this store", "[no run 'a' in this store]"),
        ("No run 'a' in this store.", "[no run 'a' in this store]."),
        ("x.run:3: no run 'a' in this store; use another", "x.run:3: [no run 'a' in this store]; use another"),
        ("tag: expected one of a, b", "Kennung: [expected one of a, b]"),
        ("tag: ada lovelace, bo", "Kennung: ada lovelace, bo"),
        ("tags: ada lovelace, bo", "tags: ada lovelace, bo"),
        ("3 runs imported", "[<3 runs> imported]"),
        ("1 run from 2 teams", "[<1 runs> from 2 teams]"),
        ("the best run from all the others", "the best run from all the others"),
        ("a title of a document", "a title of a document"),
    ],
)
def test_a_message_is_translated_as_far_as_its_clauses_are_known(message: str, translated: str) -> None:
    """Values stay, the place before a message stays, and a sentence that only looks similar stays."""
    patterns = MessagePatterns(TEXTS, [("run", "runs"), ("row", "rows")])
    assert patterns.translate(message, CATALOGUE) == translated


@pytest.mark.parametrize(
    "text", ["SELECT a FROM b", "use `cranfield init`", "name --field text", "a_name", "x = %(y)s"]
)
def test_code_and_words_for_a_terminal_are_no_messages(text: str) -> None:
    """Translators do not get them."""
    assert list(clauses_of(text)) == []
