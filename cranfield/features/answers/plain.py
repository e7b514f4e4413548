"""Labelling answers, and making and editing nuggets, over two streams of text: for any terminal, pipes and scripts."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TextIO

from cranfield.errors import BusyError, InputError
from cranfield.features.answers.judging.editing import ChangedError, NuggetEditing, NuggetSeen, event_id
from cranfield.features.answers.judging.labelling import AnswerLabelling
from cranfield.features.answers.store.nuggets import Nugget
from cranfield.judging.frontends.keys import DEFAULT, LABELLING
from cranfield.judging.frontends.plain import LineMode
from cranfield.judging.frontends.view_text import indented_lines, topic_text, wrap
from cranfield.text import counted, visible_line

PROMPT = "n TEXT adds a nugget, ? for help > "
HELP = {
    "n TEXT": "add a nugget; its importance is okay until somebody marks the nugget as vital",
    "v 1 3": "make nuggets vital",
    "o 1 3": "make nuggets okay",
    "e 1 TEXT": "reword a nugget",
    "m 1,3 TEXT": "merge nuggets into one",
    "d 1 3": "drop nuggets",
    DEFAULT["undo"]: "undo your last edit of this topic, including one from an earlier session",
    DEFAULT["redo"]: "redo the last undone edit",
    DEFAULT["next_hit"]: "show the next answer",
    DEFAULT["previous_hit"]: "show the previous answer",
    DEFAULT["next_topic"]: "go to the next topic",
    "P": "go to the previous topic",
    DEFAULT["topic"]: "show the topic and its nuggets",
    DEFAULT["help"]: "show this help",
    DEFAULT["quit"]: "quit; everything recorded is on disk",
}
NUMBERS, NUMBERED = re.compile(r"\d{1,6}([ ,]+\d{1,6})*"), re.compile(r"(\d{1,6}(?:,\d{1,6})*)\s+(.+)")


class PlainEditing:
    """Reads commands from `source`, one per line, and writes to `target`; an edit is acknowledged once on disk.

    >>> import io
    >>> from cranfield.formats import Topic
    >>> from cranfield.store.store import Store
    >>> out = io.StringIO()
    >>> with Store.memory("one topic") as store:
    ...     added = store.add_topics([Topic("q", "lift")])
    ...     PlainEditing(NuggetEditing(store, "ada"), io.StringIO("n wings lift\\nv 1\\nv 2\\n"), out).run()
    >>> print("\\n".join(line for line in out.getvalue().splitlines() if "ecorded" in line))
    Recorded: nugget added. u undoes it.
    Recorded: nugget 1 is vital. u undoes it.
    Not recorded: there is no nugget 2; this topic has 1 nugget
    """

    def __init__(self, session: NuggetEditing, source: TextIO, target: TextIO, width: int = 80) -> None:
        self._session, self._source, self._target, self._width = session, source, target, width
        self._going, self._list = True, list[Nugget]()
        session.input = "plain"
        self._commands: Mapping[str, Callable[[str], None]] = {
            "n": self._add,
            "v": lambda rest: self._weigh(rest, "vital"),
            "o": lambda rest: self._weigh(rest, "okay"),
            "e": self._reword,
            "m": self._merge,
            "d": self._drop,
            DEFAULT["undo"]: lambda _: self._undo(),
            DEFAULT["redo"]: lambda _: self._redo(),
            DEFAULT["next_hit"]: lambda _: self._look(1),
            DEFAULT["previous_hit"]: lambda _: self._look(-1),
            DEFAULT["next_topic"]: lambda _: self._turn(1),
            "P": lambda _: self._turn(-1),
            DEFAULT["topic"]: lambda _: self._topic(),
            DEFAULT["help"]: lambda _: self._say(*(f"{key:<11} {about}" for key, about in HELP.items())),
            DEFAULT["quit"]: lambda _: self._quit(),
        }

    def run(self) -> None:
        """Go on until the assessor quits or the input ends."""
        self._topic()
        self._answer()
        while self._going and (line := self._ask()) is not None:
            try:
                self.obey(line)
            except BusyError as busy:
                if not self._source.isatty():
                    raise  # the next input was meant for what comes after
                self._tell(f"Not recorded: {busy}")
            except InputError as refusal:
                self._tell(f"Not recorded: {refusal}")
                if isinstance(refusal, ChangedError):
                    self._nuggets()
        self._say(self.counts())

    def obey(self, line: str) -> None:
        """Do what a line asks, or raise an error that says why not. Whatever it is, it is a sign of life."""
        self._session.time.seconds()
        key, _, rest = line.partition(" ")
        if key not in self._commands:
            what = f"{visible_line(line)[:40]!r} is not a command" if line else "Enter by itself does nothing"
            raise InputError(f"{what}; type n TEXT to add a nugget, or {DEFAULT['help']} to see the commands")
        self._commands[key](rest.strip())

    # Commands

    def _add(self, text: str) -> None:
        self._session.add(event_id(), text)
        self._say_recorded("nugget added")

    def _reword(self, rest: str) -> None:
        [nugget], text = self._parse_nuggets_and_words(rest, "e 1 TEXT rewords the first nugget")
        self._session.reword(event_id(), nugget, text)
        self._say_recorded("nugget reworded")

    def _merge(self, rest: str) -> None:
        nuggets, text = self._parse_nuggets_and_words(rest, "m 1,3 TEXT merges the first and the third")
        self._session.merge(event_id(), nuggets, text)
        self._say_recorded(f"{counted(len(nuggets), 'nugget')} merged")

    def _weigh(self, rest: str, importance: str) -> None:
        for number, nugget in self._choose(rest):
            self._session.weigh(event_id(), nugget, importance)
            self._say_recorded(f"nugget {number} is {importance}", shows=False)
        self._nuggets()

    def _drop(self, rest: str) -> None:
        for number, nugget in self._choose(rest):
            self._session.drop(event_id(), nugget)
            self._say_recorded(f"nugget {number} dropped", shows=False)
        self._nuggets()

    def _undo(self) -> None:
        self._session.undo(event_id())
        self._say(f"Undone. {DEFAULT['redo']} redoes it.")
        self._nuggets()

    def _redo(self) -> None:
        self._session.redo(event_id())
        self._say_recorded("redone")

    def _look(self, by: int) -> None:
        at = self._session.view.answers
        if not 1 <= at.number + by <= at.of:
            raise InputError(
                f"this is answer {at.number} of {at.of}; there is no answer {'after' if by > 0 else 'before'} it"
            )
        self._session.go(self._session.qid, at.number + by)
        self._answer()

    def _turn(self, by: int) -> None:
        qids = self._session.qids
        place = qids.index(self._session.qid) + by
        if not 0 <= place < len(qids):
            raise InputError(f"this is the {'last' if by > 0 else 'first'} topic")
        self._session.go(qids[place])
        self._topic()
        self._answer()

    def _quit(self) -> None:
        self._going = False

    # Which nuggets

    def _parse_nuggets_and_words(self, rest: str, example: str) -> tuple[list[NuggetSeen], str]:
        match = NUMBERED.fullmatch(rest)
        if not match:
            raise InputError(f"expected numbers and words: {example}")
        return [nugget for _, nugget in self._choose(match[1])], match[2]

    def _choose(self, text: str) -> list[tuple[int, NuggetSeen]]:
        """Nuggets by their numbers in the list that was shown."""
        if not NUMBERS.fullmatch(text):
            raise InputError("expected the numbers of nuggets, for example v 1 3")
        numbers = list(dict.fromkeys(map(int, re.split("[ ,]+", text))))
        for number in numbers:
            if not 1 <= number <= len(self._list):
                raise InputError(f"there is no nugget {number}; this topic has {counted(len(self._list), 'nugget')}")
        nuggets = [self._list[number - 1] for number in numbers]
        return [(number, NuggetSeen(one.number, one.edit)) for number, one in zip(numbers, nuggets, strict=True)]

    # What is shown

    def _topic(self) -> None:
        view = self._session.view
        self._say("", *topic_text(view.topic, self._width), f"(topic {view.place.number} of {view.place.of})")
        self._nuggets()

    def _nuggets(self) -> None:
        self._say("Nuggets:", *self.lines(self._width))

    def look_again(self) -> None:
        """Take the nuggets as they are now for those that numbers mean."""
        self._list = list(self._session.view.nuggets)

    def lines(self, width: int) -> list[str]:
        """The nuggets as they are now, with the numbers that commands name them by."""
        self.look_again()
        lines = [
            f"{number}. {one.importance:<5} {one.text} ({visible_line(one.author_words)})"
            for number, one in enumerate(self._list, 1)
        ]
        return [row for line in lines for row in indented_lines(line, width)] or ["  none yet"]

    def _answer(self) -> None:
        if answer := self._session.view.answer:
            self._say("", *indented_lines(answer, self._width))

    def _say_recorded(self, what: str, shows: bool = True) -> None:
        self._say(f"Recorded: {what}. {DEFAULT['undo']} undoes it.")
        if shows:
            self._nuggets()

    def counts(self) -> str:
        """How many nuggets the topic has."""
        vital = sum(one.importance == "vital" for one in self._session.view.nuggets)
        number = len(self._session.view.nuggets)
        return f"{counted(number, 'nugget')}: {vital} vital, {number - vital} okay"

    def _ask(self) -> str | None:
        """The next line, None at the end of the input."""
        self._target.write(PROMPT)
        self._target.flush()
        try:
            line = self._source.readline()
        except KeyboardInterrupt:
            line = ""
        if not line or not self._source.isatty():
            self._say()
        return line.strip() if line else None

    def _tell(self, text: str) -> None:
        self._say(*wrap(text, self._width))

    def _say(self, *lines: Sequence[str]) -> None:
        self._target.write("\n".join(map(str, lines)) + "\n")
        self._target.flush()


class PlainLabelling(LineMode):
    """The line mode of a session that labels answers."""

    commands = LABELLING
    act = "give the label"
    _session: AnswerLabelling

    def run(self) -> None:
        """Label until the assessor quits or the input ends."""
        self.prompt = f"{self._session.scale.keys}, ? for help > "
        super().run()
        self._say(self._session.summary)
