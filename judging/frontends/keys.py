"""The commands of judging, the same for all front ends, and key files that assign other keys.

The digits are always the grades. A key file is TOML with a command and its key on each line:

    undo = "z"
    later = "w"
"""

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.formats.mappings import parse_toml

Keys = Mapping[str, str]  # the key of each command, by its name


class KeyCommand(NamedTuple):
    """What a key does; `brief` is for the footer, `plain` says what may follow it in line mode (None: not there)."""

    key: str
    brief: str
    about: str
    plain: str | None = ""


COMMANDS: Mapping[str, KeyCommand] = MappingProxyType(
    {
        "later": KeyCommand("s", "later", "later: the document comes back at the end of its topic"),
        "cannot_judge": KeyCommand("x", "cannot judge", "cannot judge: asks for the reason", "[REASON]"),
        "unsure": KeyCommand("m", "unsure", "mark your next label as unsure, or remove this mark"),
        "undo": KeyCommand("u", "undo", "undo the last decision, including one from an earlier session"),
        "redo": KeyCommand("U", "redo", "redo the decision that you undid"),
        "note": KeyCommand("n", "note", "write a note on the document; it is saved with your decision", "TEXT"),
        "evidence": KeyCommand("e", "evidence", "mark the words on which your decision rests", "[TEXT]"),
        "find": KeyCommand("/", "find", "find words in the document", "TEXT"),
        "next_hit": KeyCommand("]", "next match", "go to the next match", None),
        "previous_hit": KeyCommand("[", "previous match", "go to the previous match", None),
        "highlight": KeyCommand("h", "highlight", "turn highlighting of your terms on or off"),
        "terms": KeyCommand("H", "terms", "set the terms to highlight in this topic, separated by commas", "TERMS"),
        "mark_topic": KeyCommand(
            "k", "topic's words", "turn marking of the topic's words, including inflected forms, on or off"
        ),
        "criterion": KeyCommand("c", "criterion", "note down what counts as relevant to this topic", "TEXT"),
        "topic": KeyCommand("t", "topic", "show the whole topic: its text, the grades, your criteria"),
        "topic_beside": KeyCommand(
            "T", "topic beside", "show or hide the topic next to the document, on a wide screen", None
        ),
        "document": KeyCommand("d", "document", "go to the beginning of the document"),
        "original": KeyCommand("o", "as it is", "show the document's original lines, or wrap its prose"),
        "guidelines": KeyCommand("g", "guidelines", "show the guidelines of this collection"),
        "last": KeyCommand("l", "last 20", "show your last 20 decisions; any of them can be judged again", "[NUMBER]"),
        "docno": KeyCommand("i", "docno", "show or hide the document's id; the log records that you saw it"),
        "next_topic": KeyCommand("N", "next topic", "go to the next topic and leave this one open"),
        "help": KeyCommand("?", "help", "show this help"),
        "quit": KeyCommand("q", "quit", "quit; everything recorded is on disk"),
    }
)
ADJUDICATING: Mapping[str, KeyCommand] = MappingProxyType(
    {
        name: command
        for name, command in {
            **COMMANDS,
            "later": KeyCommand("s", "later", "later: the case comes back after the others"),
            "note": KeyCommand("n", "reason", "write the reason for your answer; it is saved with the answer", "TEXT"),
            "topic": KeyCommand("t", "topic", "show the topic, and the labels with their notes and evidence"),
        }.items()
        if name not in ("unsure", "evidence", "criterion", "docno", "next_topic")
    }
)  # adjudicating has the keys of judging, as far as they make sense there
LABELLING: Mapping[str, KeyCommand] = MappingProxyType(
    {
        name: command._replace(about=command.about.replace("document", "text"))
        for name, command in COMMANDS.items()
        if name not in ("unsure", "evidence", "criterion", "docno", "next_topic")
    }
)  # labelling answers has the keys of judging, as far as they make sense there
PREFERRING: Mapping[str, KeyCommand] = MappingProxyType(
    {
        name: command
        for name, command in {
            **COMMANDS,
            "later": KeyCommand("s", "later", "later: the pair comes back at the end"),
            "cannot_judge": KeyCommand("x", "cannot compare", "cannot compare: asks for the reason", "[REASON]"),
            "note": KeyCommand("n", "note", "write a note on the pair; it is saved with your answer", "TEXT"),
            "find": KeyCommand("/", "find", "find words in the documents", "TEXT"),
            "topic": KeyCommand("t", "topic", "show the whole topic, and the answers"),
            "document": KeyCommand("d", "other document", "go to the beginning of the other document"),
        }.items()
        if name not in ("unsure", "evidence", "criterion", "docno", "next_topic")
    }
)  # and so has comparing pairs
DEFAULT: Keys = MappingProxyType({name: command.key for name, command in COMMANDS.items()})


def read_keys(path: str | PathLike[str]) -> Keys:
    """The keys of a key file; commands it does not name keep their keys."""
    return keys_of(Path(path).read_text("utf-8", "surrogateescape"), path)


def keys_of(text: str, path: str | PathLike[str] | None = None) -> Keys:
    """The same of the content of a key file.

    >>> keys_of('undo = "z"')["undo"]
    'z'
    """
    return _merge_own_keys(parse_toml(text, path), path)


def _merge_own_keys(own: Mapping[str, Any], path: str | PathLike[str] | None = None) -> Keys:
    """All keys, with those given; anything ambiguous is an error.

    >>> _merge_own_keys({"undo": "z"})["undo"]
    'z'
    >>> _merge_own_keys({"undo": "s"})
    Traceback (most recent call last):
    cranfield.errors.InputError: later and undo have the same key 's'; expected a different key for each command
    >>> _merge_own_keys({"undo": "1"})
    Traceback (most recent call last):
    cranfield.errors.InputError: undo has the key '1'; expected one character that is
    not a digit, - or a space
    >>> _merge_own_keys({"undoo": "z"})
    Traceback (most recent call last):
    cranfield.errors.InputError: 'undoo' is not a command; expected later,
    cannot_judge, unsure, undo, redo, ...
    """
    for name, key in own.items():
        if name not in COMMANDS:
            raise InputError(f"{name!r} is not a command; expected {', '.join(list(COMMANDS)[:5])}, ...", path)
        if not (
            isinstance(key, str) and len(key) == 1 and key.isprintable() and not key.isnumeric() and key not in " -+"
        ):
            raise InputError(
                f"{name} has the key {key!r}; expected one character that is not a digit, - or a space", path
            )
    keys, owners = {**DEFAULT, **own}, dict[str, str]()
    for name, key in keys.items():
        if (other := owners.setdefault(key, name)) != name:
            raise InputError(
                f"{other} and {name} have the same key {key!r}; expected a different key for each command", path
            )
    return keys


def key_help(keys: Keys, commands: Mapping[str, KeyCommand], plain: bool) -> list[tuple[str, str]]:
    """Each key with what it does, for the help of a front end.

    >>> key_help(DEFAULT, COMMANDS, plain=True)[0]
    ('s', 'later: the document comes back at the end of its topic')
    """
    usable = {name: command for name, command in commands.items() if not plain or command.plain is not None}
    return [
        (f"{keys[name]} {command.plain or ''}".strip() if plain else keys[name], command.about)
        for name, command in usable.items()
    ]
