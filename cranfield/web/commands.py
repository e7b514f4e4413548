"""What an assessor can send from the page: each command of a session, with the fields of its form."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple, cast

from cranfield.errors import BusyError, InputError
from cranfield.judging.session.command import OTHER, CommandTarget, LateError
from cranfield.judging.session.recording import Recording
from cranfield.judging.session.session import Session
from cranfield.judging.session.view import SessionView
from cranfield.judging.session.work import PassedOnError
from cranfield.web.language import translatable
from cranfield.web.look.page_text import page_text
from cranfield.web.open_sessions import OpenSession

Fields = Mapping[str, str]
Act = Callable[[OpenSession, CommandTarget, Fields], SessionView]
Command = Callable[..., SessionView]
SECONDS = re.compile(r"[0-9]{1,9}(\.[0-9]{1,20})?")
LATE = translatable("This page was out of date, so nothing was recorded. It now shows the current document.")


class WebCommand(NamedTuple):
    """A command: what it does, the fields that say how, and whether it decides on the document."""

    act: Act
    fields: tuple[str, ...] = ()
    decides: bool = False


def _grade(screen: OpenSession, about: CommandTarget, fields: Fields) -> SessionView:
    return screen.session.grade(about, integer_field(fields, "grade"), screen.controller.is_fast_decision())


def _cannot_judge(screen: OpenSession, about: CommandTarget, fields: Fields) -> SessionView:
    other = fields.get("other", "").strip()
    if not fields.get("reason"):
        raise InputError("enter a reason why the document cannot be judged")
    reason = OTHER + other if fields.get("reason") == OTHER.strip() else fields.get("reason", "")
    return screen.session.cannot_judge(about, reason)


def _later(screen: OpenSession, about: CommandTarget, fields: Fields) -> SessionView:
    return screen.session.later(about)


def _evidence(screen: OpenSession, about: CommandTarget, fields: Fields) -> SessionView:
    session = cast(Session, screen.session)
    if fields.get("start") and fields.get("end"):
        span = screen.text.stored_span(integer_field(fields, "start"), integer_field(fields, "end"))
        return session.mark(about, *span)
    return session.quote(about, fields.get("words", ""))


def _again(screen: OpenSession, about: CommandTarget, fields: Fields) -> SessionView:
    view = screen.session.again(about, number := integer_field(fields, "number"))
    again = translatable("Judge it again, or leave it as it is (under Recent).")
    screen.say(screen.language.look_up(again) if number else "")
    return view


def _undo(screen: OpenSession, about: CommandTarget, fields: Fields) -> SessionView:
    view = screen.session.undo(about)
    screen.say(screen.language.gettext("Undone."))
    return view


def _show_duplicate(screen: OpenSession, about: CommandTarget, fields: Fields) -> SessionView:
    """Show the document beside its near-duplicate, or alone again."""
    if about.pair != screen.session.pair:
        raise LateError(LATE)
    screen.beside = None if screen.beside == about.pair else about.pair
    return screen.session.view


def _fieldless_command(command: Command) -> Act:
    return lambda opened, about, fields: command(opened.session, about)


def _text_command(command: Command, field: str) -> Act:
    """A command with a text, whose lines end as they do in the store."""
    return lambda opened, about, fields: command(opened.session, about, _plain_line_ends(fields[field]))


def _plain_line_ends(text: str) -> str:
    return text.replace("\r\n", "\n")


COMMANDS: Mapping[str, WebCommand] = MappingProxyType(
    {
        "grade": WebCommand(_grade, ("grade",), decides=True),
        "later": WebCommand(_later, decides=True),
        "cannot-judge": WebCommand(_cannot_judge, ("reason", "other"), decides=True),
        "undo": WebCommand(_undo),
        "redo": WebCommand(_fieldless_command(Recording.redo), decides=True),
        "unsure": WebCommand(_fieldless_command(Session.toggle_unsure)),
        "note": WebCommand(_text_command(Recording.note, "note"), ("note",)),
        "evidence": WebCommand(_evidence, ("start", "end", "words")),
        "unmark": WebCommand(_fieldless_command(Session.unmark)),
        "criterion": WebCommand(_text_command(Session.criterion, "criterion"), ("criterion",)),
        "terms": WebCommand(_text_command(Recording.terms, "terms"), ("terms",)),
        "highlight": WebCommand(_fieldless_command(Recording.toggle_highlight)),
        "mark-topic": WebCommand(_fieldless_command(Recording.mark_topic)),
        "beside": WebCommand(_show_duplicate),
        "docno": WebCommand(_fieldless_command(Session.toggle_docno)),
        "next-topic": WebCommand(_fieldless_command(Session.next_topic)),
        "again": WebCommand(_again, ("number",)),
    }
)

ADJUDICATE: Mapping[str, WebCommand] = MappingProxyType(
    {
        name: COMMANDS[name]._replace(decides=COMMANDS[name].decides and name != "later")
        for name in (
            "grade",
            "later",
            "cannot-judge",
            "undo",
            "redo",
            "note",
            "terms",
            "highlight",
            "mark-topic",
            "again",
        )
    }
)  # putting a case off records nothing
LABEL = MappingProxyType({name: COMMANDS[name] for name in ADJUDICATE})  # of features


def commands_of(role: str) -> Mapping[str, WebCommand]:
    """The commands of the page for the decisions of a role.

    >>> "criterion" in commands_of("judge"), "criterion" in commands_of("adjudicate")
    (True, False)
    """
    return COMMANDS if role == "judge" else ADJUDICATE if role == "adjudicate" else LABEL


def obey(screen: OpenSession, name: str, fields: Fields) -> None:
    """Execute a command of a page and say what came of it; a page that is out of date changes nothing.

    A BusyError is raised where another program is writing; the same request can be sent again.
    """
    screen.refused = ""
    try:
        _obey(screen, name, fields)
    except LateError:
        screen.refused = "all"
        screen.say(screen.language.look_up(LATE))
    except BusyError:
        raise
    except InputError as refusal:
        screen.refused = screen.refused or "own"
        reason = screen.language.translate_message(page_text(str(refusal)).text)
        screen.say(screen.language.gettext("Not recorded: %(reason)s", reason=reason))
        if isinstance(refusal, PassedOnError):
            screen.refused = "all"
            screen.controller.next()


def _obey(screen: OpenSession, name: str, fields: Fields) -> None:
    command, session = commands_of(screen.role)[name], screen.session
    about = _command_target(screen, name, fields)
    if session.knows(about.event_id):
        return
    own_ids = {_command_target(screen, one, fields).event_id for one in ("note", "evidence")}
    is_ours = session.last_event_id in own_ids  # by this request, sent before
    if not is_ours and fields.get("after") != str(session.last_event):
        raise LateError("the page is older than the last event")
    others = {one: _command_target(screen, one, fields) for one in _unsent_inputs(screen, fields) if one != name}
    record_active_time(session.report_time, fields)
    before = session.pair
    screen.refused = "words"  # of evidence: what else comes with a command cannot be refused
    for one, its in others.items():
        COMMANDS[one].act(screen, its, fields)
    screen.refused = ""
    command.act(screen, about, _values(name, fields))
    screen.controller.touch()
    if command.decides or session.pair != before:
        screen.controller.next(remind=command.decides)
    if command.decides:
        controller = screen.controller
        view, reminder, language = screen.session.view, controller.reminder(), screen.language
        if last := view.last:
            recorded = translatable("Recorded: topic %(qid)s, %(noun)s %(number)s: %(words)s.")
            words, noun = language.translate_message(last.words), language.look_up(view.noun)
            screen.say(language.gettext(recorded, qid=last.qid, noun=noun, number=last.number, words=words))
        if reminder:
            screen.say(language.gettext("Check: %(reminder)s (Undo).", reminder=language.translate_message(reminder)))
        screen.say(language.translate_message(controller.break_notice()))


def _command_target(screen: OpenSession, name: str, fields: Fields) -> CommandTarget:
    """What a command of a page is about: sent again with the same values, it is the same event."""
    content = json.dumps([fields.get("page", ""), name, _values(name, fields)])
    return screen.command_target(fields.get("document", ""), content)


def _values(name: str, fields: Fields) -> Fields:
    return {field: fields.get(field, "") for field in COMMANDS[name].fields}


def _unsent_inputs(screen: OpenSession, fields: Fields) -> Iterator[str]:
    """What was typed and sent by another button than its own: a note that has changed, a criterion, evidence."""
    note = _plain_line_ends(fields.get("note", "")).strip()
    if "note" in fields and note != screen.session.view.note.strip():
        yield "note"
    if "criterion" in commands_of(screen.role) and fields.get("criterion", "").strip():
        yield "criterion"
    if "evidence" in commands_of(screen.role) and fields.get("words", "").strip():
        yield "evidence"


def record_active_time(take: Callable[[str, float], None], fields: Fields) -> None:
    """Take in the active time that the script of a page has measured; a page without script has none."""
    value = fields.get("seconds")
    if value is None:
        return
    if not SECONDS.fullmatch(value):
        raise InputError(f"seconds is {value[:20]!r}; expected a number")
    take(fields.get("page", "")[:64], float(value))


def integer_field(fields: Fields, name: str) -> int:
    """A whole number of a form.

    >>> integer_field({"grade": "2"}, "grade"), integer_field({"grade": "-1"}, "grade")
    (2, -1)
    >>> integer_field({"grade": "x"}, "grade")
    Traceback (most recent call last):
    cranfield.errors.InputError: grade is 'x'; expected a whole number
    """
    value = fields.get(name, "")
    if not value.removeprefix("-").isdecimal() or len(value) > 9 or not value.isascii():
        raise InputError(f"{name} is {value[:20]!r}; expected a whole number")
    return int(value)
