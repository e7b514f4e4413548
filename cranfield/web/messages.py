"""Messages of the layers below the pages in a language: errors and notes, in which values are.

Those layers write English sentences for every front end. A page recognises a sentence by its text in the catalogue, in
which each value has a name: "no run %(tag)s in this store". `python -m tests.web.catalogue` finds these texts in the
code and writes `catalogues/messages.json`.

>>> patterns = MessagePatterns(["unknown %(kind)s %(name)s", "available: %(names)s"], [("run", "runs")])
>>> translate = {"available: %(names)s": "vorhanden: %(names)s"}.get
>>> catalogue = CatalogueFunctions(lambda text: translate(text, text), lambda one, many, number: many)
>>> patterns.translate("x.run:3: unknown run 'b;c'; available: a", catalogue)
"x.run:3: unknown run 'b;c'; vorhanden: a"
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from importlib.resources import files
from typing import NamedTuple

MESSAGES = "messages.json"  # in the folder of the catalogues
PLACEHOLDER = re.compile(r"%\((\w+)\)s")
CLAUSE_END = re.compile(r"; |(?<=[.!?]) +")
LIST_END = re.compile(r", | and | or ")
PLAIN_VALUE = re.compile(r"'.*'|\S*|[\d.,]+ \S+", re.DOTALL)  # a quoted value, a word, or a number with its unit
FEW_LETTERS = 7  # of a text that many sentences have, such as "%(documents)s of %(topics)s"
COUNT = re.compile(r"([\d,]+) (.+)", re.DOTALL)
MAX_CHARS = 5000  # of a message
MAX_DEPTH = 2  # of messages in values of messages
MAX_PARTS = 100  # of a message that are looked up, as each takes a search of all patterns


class CatalogueFunctions(NamedTuple):
    """The functions of a catalogue that translate a text, and one in the form for a number."""

    gettext: Callable[[str], str]
    ngettext: Callable[[str, str, int], str]
    found: dict[tuple[str, int], str] = {}  # noqa: RUF012  # the parts of a message, by their depth; empty at its start


class MessagePattern(NamedTuple):
    """A text with names of values, the expression that recognises it, and its longest part between values."""

    text: str
    expression: re.Pattern[str]
    literal: str
    n_letters: int


def message_pattern(text: str) -> MessagePattern:
    """Return the pattern of a text.

    >>> message_pattern("no run %(tag)s here").expression.fullmatch("no run 'a' here")["tag"]
    "'a'"
    """
    literals = [part.replace("%%", "%") for part in PLACEHOLDER.split(text)[::2]]
    names = PLACEHOLDER.findall(text)
    expression = re.escape(literals[0])
    for number, name in enumerate(names):
        expression += f"(?P={name})" if name in names[:number] else f"(?P<{name}>.*)"
        expression += re.escape(literals[number + 1])
    n_letters = sum(map(str.isalpha, "".join(literals)))
    return MessagePattern(text, re.compile(expression, re.DOTALL), max(literals, key=len), n_letters)


class MessagePatterns:
    """The texts with values, those with most letters first, and the nouns that are counted in messages."""

    def __init__(self, texts: Sequence[str], nouns: Sequence[tuple[str, str]]) -> None:
        self._texts = texts
        self._nouns = {form: (one, many) for one, many in nouns for form in (one, many)}

    @cached_property
    def _patterns(self) -> list[MessagePattern]:
        return sorted(map(message_pattern, self._texts), key=lambda one: -one.n_letters)

    def translate(self, message: str, catalogue: CatalogueFunctions) -> str:
        """Translate a message; parts that the catalogue does not have stay as they are."""
        if len(message) > MAX_CHARS:
            return message
        return self._translated(message, catalogue._replace(found={}), MAX_DEPTH) or message

    def _translated(self, message: str, catalogue: CatalogueFunctions, depth: int) -> str:
        """The translation of a message of several clauses; empty if the catalogue has none."""
        key, found = (message, depth), catalogue.found
        if key not in found:
            found[key] = ""  # counts, and ends a search for itself
            if re.search("[A-Za-z]{2}", message) and len(found) <= MAX_PARTS:
                found[key] = (
                    self._clause(message, catalogue, depth)
                    or self._each_part(CLAUSE_END, message, catalogue, depth)
                    or self._translate_after_place(message, catalogue, depth)
                    or self._each_part(LIST_END, message, catalogue, depth)
                    or self._translate_before_data(message, catalogue)
                )
        return found[key]

    def _each_part(self, ends: re.Pattern[str], message: str, catalogue: CatalogueFunctions, depth: int) -> str:
        """The parts of a message, each translated; of a list all parts have to be in the catalogue, or to be data."""
        parts, separators = ends.split(message), ends.findall(message)
        if len(parts) == 1:
            return ""
        translate = self._translated if ends is CLAUSE_END else self._clause
        found = [translate(part, catalogue, depth) for part in parts]
        is_complete = all(new or PLAIN_VALUE.fullmatch(part) for new, part in zip(found, parts, strict=True))
        if not any(found) or not (is_complete or ends is CLAUSE_END):
            return ""
        shown = [new or part for new, part in zip(found, parts, strict=True)]
        return "".join(map("".join, zip(shown, [*separators, ""], strict=True)))

    def _translate_after_place(self, message: str, catalogue: CatalogueFunctions, depth: int) -> str:
        """A message after the name of a file or field, which is translated as well if the catalogue has it."""
        place, mark, text = message.partition(": ")
        new = self._translated(text, catalogue, depth) if mark else ""
        return f"{self._clause(place, catalogue, depth) or place}: {new}" if new else ""

    def _translate_before_data(self, message: str, catalogue: CatalogueFunctions) -> str:
        """A text of the catalogue before data, such as the title of a check before the assessors that it names."""
        title, mark, data = message.partition(": ")
        new = catalogue.gettext(title) if mark else title
        return f"{new}: {data}" if new != title else ""

    def _clause(self, clause: str, catalogue: CatalogueFunctions, depth: int) -> str:
        for text, finish in _variants(clause):
            if (found := catalogue.gettext(text)) != text:
                return finish(found)
            if found := self._count(text, catalogue):
                return finish(found)
        for text, finish in _variants(clause):
            if found := self._translate_values(text, catalogue, depth):
                return finish(found)
        return ""

    def _count(self, text: str, catalogue: CatalogueFunctions) -> str:
        """A number with its noun."""
        match = COUNT.fullmatch(text)
        if match is None or match[2] not in self._nouns:
            return ""
        one, many = (f"%(num)s {form}" for form in self._nouns[match[2]])
        return catalogue.ngettext(one, many, int(match[1].replace(",", "") or 0)) % {"num": match[1]}

    def _translate_values(self, text: str, catalogue: CatalogueFunctions, depth: int) -> str:
        for pattern in self._patterns:
            if pattern.literal in text and (match := pattern.expression.fullmatch(text)):
                if (found := catalogue.gettext(pattern.text)) == pattern.text:
                    continue
                values = match.groupdict()
                new = dict.fromkeys(values, "")
                if depth:
                    new = {name: self._translated(value, catalogue, depth - 1) for name, value in values.items()}
                if pattern.n_letters < FEW_LETTERS and not all(
                    new[name] or PLAIN_VALUE.fullmatch(value) for name, value in values.items()
                ):
                    continue
                return found % {name: new[name] or value for name, value in values.items()}
        return ""


def _variants(text: str) -> Iterator[tuple[str, Callable[[str], str]]]:
    """A text as the code may have it: without its full stop, and with a small first letter."""
    yield text, str
    if text.endswith("."):
        yield text[:-1], lambda found: f"{found}."
    if text[:1].isupper():
        small = text[0].lower() + text[1:]
        yield small, _capitalise
        if text.endswith("."):
            yield small[:-1], lambda found: f"{_capitalise(found)}."


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]


@cache
def read_patterns() -> MessagePatterns:
    """Return the patterns of all messages."""
    content = json.loads((files("cranfield.web") / "catalogues" / MESSAGES).read_text("utf-8"))
    return MessagePatterns(content["texts"], [(one, many) for one, many in content["nouns"]])
