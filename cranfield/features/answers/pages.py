"""Those who label answers in the browser: their sessions, and the page on which people make and edit nuggets."""

import hmac
import json
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import urlencode
from uuid import uuid4

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from cranfield.errors import BusyError, InputError
from cranfield.features.answers.judging.editing import NuggetEditing, NuggetSeen
from cranfield.features.answers.judging.labelling import AnswerLabelling, Begin
from cranfield.features.answers.judging.tasks import Assigning, Attributing, Supporting
from cranfield.features.answers.judging.whole import Comparing, Correcting, Rating
from cranfield.features.answers.store.labels import (
    CLAIM_LABELS,
    COMPARISON_LABELS,
    CORRECTNESS_LABELS,
    NUGGET_LABELS,
    RUBRIC_LABELS,
    SUPPORT_LABELS,
    LabelLog,
)
from cranfield.features.answers.store.nuggets import IMPORTANCES, Nugget, counted_nuggets, current_nuggets
from cranfield.judging.frontends.keys import DEFAULT
from cranfield.judging.session.pace import IDLE
from cranfield.selection import LabelledBy
from cranfield.store.invitations import serving_key
from cranfield.store.store import Store
from cranfield.text import counted
from cranfield.web.commands import integer_field, record_active_time
from cranfield.web.language import Language, language_of, translatable
from cranfield.web.look.page_text import page_text
from cranfield.web.open_sessions import OpenSession, OpenSessions, RolePage
from cranfield.web.results import Worker
from cranfield.web.templates import render_page
from cranfield.web.wording import COMPARISONS, LABELS

NUGGET_WORDING = LABELS._replace(
    title=translatable("Assign nuggets"),
    end=translatable("Every nugget is labelled for every answer. You can close this page."),
    choice=translatable("Nuggets of"),
    about=translatable(
        "A nugget is a fact that a good answer states. Label whether this answer states it. The labels decide the"
        " scores of the systems that wrote the answers."
    ),
)
SUPPORT_WORDING = LABELS._replace(
    title=translatable("Support of citations"),
    end=translatable("You have labelled all available citations. You can close this page."),
    about=translatable(
        "Label whether the cited documents support the sentence of the answer. The labels decide the scores of the"
        " systems that wrote the answers."
    ),
)
CLAIM_WORDING = LABELS._replace(
    title=translatable("Label claims"),
    end=translatable("You have labelled all available claims. You can close this page."),
    about=translatable(
        "Label whether the documents, taken together, support the claim. The labels decide the scores of the systems"
        " that wrote the answers."
    ),
)
CORRECTNESS_WORDING = CLAIM_WORDING._replace(
    title=translatable("Label correctness"),
    about=translatable(
        "Label whether the text below states the claim. The labels decide the scores of the systems that wrote the"
        " answers."
    ),
)
RUBRIC_WORDING = LABELS._replace(
    title=translatable("Label rubrics"),
    end=translatable("Every question of the rubrics is labelled. You can close this page."),
    about=translatable(
        "Label whether the answer meets the question of the rubric. The labels decide the scores of the systems that"
        " wrote the answers."
    ),
)
COMPARISON_WORDING = COMPARISONS._replace(
    title=translatable("Compare answers"),
    about=translatable("Choose the better of two answers to the topic. Your choices decide the ranks of the systems."),
)


class LabellingLink(NamedTuple):
    """What a link is for: how its task begins, and the log of its labels."""

    begin: Begin
    log: LabelLog


LABELLING: Mapping[str, LabellingLink] = MappingProxyType(
    {
        "assign": LabellingLink(Assigning, NUGGET_LABELS),
        "support": LabellingLink(Supporting, SUPPORT_LABELS),
        "support-each": LabellingLink(partial(Supporting, each=True), SUPPORT_LABELS),
        "claims": LabellingLink(Attributing, CLAIM_LABELS),
        "correctness": LabellingLink(Correcting, CORRECTNESS_LABELS),
        "rubrics": LabellingLink(Rating, RUBRIC_LABELS),
        "compare-answers": LabellingLink(Comparing, COMPARISON_LABELS),
    }
)


def _open(role: str, store: Store, clock: Callable[[], float] = time.monotonic) -> OpenSessions:
    task = LABELLING[role]

    def begin(store: Store, assessor: str) -> AnswerLabelling:
        return AnswerLabelling(store, assessor, task.begin, task.log, clock=clock)

    return OpenSessions(store, clock, begin, role)


class OpenAssigning(OpenSessions):
    """The sessions of those who assign nuggets; each chooses whose, where both people and models have written some."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(store, clock, partial(self._start, clock=clock), "assign")
        self._whose: dict[str, LabelledBy] = {}

    def choose(self, assessor: str, whose: str) -> None:
        """Go on with the nuggets of people, of models, or of all; an error where these have none."""
        counted_nuggets(self._store, choice := LabelledBy.from_text(whose))
        self._whose[assessor] = choice
        self._open.pop(assessor, None)

    def session_of(self, assessor: str) -> OpenSession:
        """The session of an assessor, with what there is to choose from."""
        session = super().session_of(assessor)
        session.choices = choices(current_nuggets(self._store), self._whose.get(assessor, LabelledBy.people))
        return session

    def _start(self, store: Store, assessor: str, clock: Callable[[], float]) -> AnswerLabelling:
        begin = partial(Assigning, nuggets=self._whose.get(assessor))
        return AnswerLabelling(store, assessor, begin, NUGGET_LABELS, clock=clock)


def choices(nuggets: Sequence[Nugget], choice: LabelledBy) -> Sequence[tuple[str, bool]]:
    """Whose nuggets one can choose, and what is chosen; nothing where all are people's or all are models'."""
    both = {one.by_model for one in nuggets} == {True, False}
    return [(one, one is choice) for one in LabelledBy] if both else []


OPEN_SUPPORT, OPEN_EACH, OPEN_CLAIMS = (partial(_open, role) for role in ("support", "support-each", "claims"))
OPEN_CORRECTNESS, OPEN_RUBRICS = partial(_open, "correctness"), partial(_open, "rubrics")
OPEN_COMPARISONS = partial(_open, "compare-answers")


Fields = Mapping[str, str]
Act = Callable[[NuggetEditing, str, Fields], str]
TICKED = "merge-"  # what the names of the boxes of nuggets begin with
KEYS = {
    DEFAULT["note"]: translatable("write a nugget"),
    DEFAULT["undo"]: translatable("undo your last edit of this topic"),
    DEFAULT["redo"]: translatable("redo the last undone edit"),
    DEFAULT["previous_hit"]: translatable("the answer before"),
    DEFAULT["next_hit"]: translatable("the next answer"),
    "P": translatable("the topic before"),
    DEFAULT["next_topic"]: translatable("the next topic"),
    DEFAULT["help"]: translatable("this help"),
}


class PageNotice(NamedTuple):
    """What is to be said on the next page, and words that were typed and not recorded."""

    text: str = ""
    words: str = ""


class OpenEditing:
    """The open sessions of those who edit nuggets. All of it runs in the thread of the store."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        self._store, self._clock, self._key = store, clock, serving_key(store)
        self._open: dict[str, NuggetEditing] = {}
        self._notices: dict[str, PageNotice] = {}
        self._whose: dict[str, LabelledBy] = {}  # whose nuggets an assessor has chosen to see; else all

    def show(
        self, assessor: str, fields: Fields, form: str, language: Language, template: str = "answers/nuggets.html"
    ) -> str:
        """The page, or its changing part; the fields of its address may name a topic and an answer, and whose nuggets
        to show. What the time before was, nobody knows."""
        session = self._session(assessor)
        session.time.return_to_front()
        _turn(session, fields)
        if choice := fields.get("nuggets"):
            self._whose[assessor] = LabelledBy.from_text(choice)
        whose = self._whose.get(assessor, LabelledBy.all)
        notice = self._notices.pop(assessor, PageNotice())
        return _page_of(template, language, session, form=form, notice=notice, whose=whose)

    def edit(self, assessor: str, command: str, fields: Fields, language: Language) -> None:
        """Execute a command; what came of it is said on the next page."""
        session = self._session(assessor)
        record_active_time(session.time.report, fields)
        _turn(session, fields)
        try:
            said = COMMANDS[command](session, self._event(assessor, command, fields), fields)
            notice = PageNotice(language.translate_message(said))
        except BusyError:
            raise
        except InputError as refusal:
            reason = language.translate_message(page_text(str(refusal)).text)
            notice = PageNotice(language.gettext("Not recorded: %(reason)s", reason=reason), fields.get("text", ""))
        self._notices[assessor] = notice

    def active(self, assessor: str, fields: Fields) -> None:
        """A sign of life: the active time that a page has measured, of the topic on screen alone."""
        session = self._session(assessor)
        if fields.get("topic") == session.qid:
            record_active_time(session.time.report, fields)

    def place(self, assessor: str) -> str:
        """The address of what an assessor has on screen."""
        session = self._open[assessor]
        return f"/nuggets?{urlencode({'topic': session.qid, 'answer': session.view.answers.number})}"

    def _session(self, assessor: str) -> NuggetEditing:
        """The session of an assessor."""
        if assessor not in self._open:
            self._open[assessor] = NuggetEditing(self._store, assessor, clock=self._clock)
            self._open[assessor].input = "browser"
        return self._open[assessor]

    def _event(self, assessor: str, command: str, fields: Fields) -> str:
        """The id of an event: the same command of the same page is the same event, however often it is sent."""
        values = {name: value for name, value in fields.items() if name not in ("form", "seconds")}
        content = json.dumps([assessor, command, values], sort_keys=True)
        return hmac.digest(self._key, content.encode("utf-8", "surrogatepass"), "sha256").hex()


def _turn(session: NuggetEditing, fields: Fields) -> None:
    """Put the topic and the answer of a page on screen."""
    if qid := fields.get("topic"):
        session.go(qid, integer_field({"answer": fields.get("answer", "1")}, "answer"))


async def answer(request: Request, worker: Worker, editing: OpenEditing, assessor: str, form: str) -> Response:
    """The page, or after a command what changes in it; a browser without script is sent to the page."""
    language = language_of(request)
    if request.method != "POST":
        return HTMLResponse(await worker.run(lambda _: editing.show(assessor, request.query_params, form, language)))
    command, fields = request.path_params["command"], request.state.fields
    if command not in COMMANDS:
        raise HTTPException(404, translatable("There is no such command."))
    await worker.run(lambda _: editing.edit(assessor, command, fields, language))
    if "x-part" in request.headers:
        return HTMLResponse(
            await worker.run(lambda _: editing.show(assessor, {}, form, language, "answers/nuggets_part.html"))
        )
    return RedirectResponse(await worker.run(lambda _: editing.place(assessor)), 303)


def _add(session: NuggetEditing, event: str, fields: Fields) -> str:
    session.add(event, fields.get("text", ""), fields.get("importance", "okay"))
    return translatable("Recorded: nugget added.")


def _reword(session: NuggetEditing, event: str, fields: Fields) -> str:
    session.reword(event, _nugget_of(fields), fields.get("text", ""))
    return translatable("Recorded: nugget reworded.")


def _weigh(session: NuggetEditing, event: str, fields: Fields) -> str:
    importance = fields.get("importance", "")
    session.weigh(event, _nugget_of(fields), importance, fields.get("text", ""))
    return f"Recorded: the nugget is {importance}."


def _drop(session: NuggetEditing, event: str, fields: Fields) -> str:
    session.drop(event, _nugget_of(fields))
    return translatable("Recorded: nugget dropped.")


def _merge(session: NuggetEditing, event: str, fields: Fields) -> str:
    boxes = {name.removeprefix(TICKED): name for name in fields if name.startswith(TICKED)}
    nuggets = [
        NuggetSeen(integer_field({"nugget": number}, "nugget"), integer_field(fields, name))
        for number, name in boxes.items()
    ]
    session.merge(event, nuggets, fields.get("text", ""))
    return f"Recorded: {counted(len(nuggets), 'nugget')} merged."


def _undo(session: NuggetEditing, event: str, fields: Fields) -> str:
    session.undo(event)
    return translatable("Undone.")


def _redo(session: NuggetEditing, event: str, fields: Fields) -> str:
    session.redo(event)
    return translatable("Recorded: redone.")


def _go(session: NuggetEditing, event: str, fields: Fields) -> str:
    """To another topic, or to another answer to this one."""
    session.go(fields.get("to_topic", session.qid), integer_field({"answer": fields.get("to_answer", "1")}, "answer"))
    return ""


COMMANDS: Mapping[str, Act] = MappingProxyType(
    {"add": _add, "reword": _reword, "weigh": _weigh, "drop": _drop, "merge": _merge, "undo": _undo, "redo": _redo,
     "go": _go}
)  # fmt: skip


def _nugget_of(fields: Fields) -> NuggetSeen:
    """The nugget of a form, as the page showed it."""
    return NuggetSeen(integer_field(fields, "nugget"), integer_field(fields, "edit"))


def _page_of(
    template: str, language: Language, session: NuggetEditing, *, form: str, notice: PageNotice, whose: LabelledBy
) -> str:
    whole_view = session.view
    nuggets = [one for one in whole_view.nuggets if whose.counts("model" if one.by_model else "human")]
    view, others = whole_view._replace(nuggets=nuggets), len(whole_view.nuggets) - len(nuggets)
    qids, at = ["", *session.qids, ""], view.place.number
    vital = sum(one.importance == "vital" for one in nuggets)
    counts = language.ngettext(
        "%(num)s nugget: %(vital)s vital, %(okay)s okay",
        "%(num)s nuggets: %(vital)s vital, %(okay)s okay",
        len(nuggets),
        vital=vital,
        okay=len(nuggets) - vital,
    )
    hidden = language.ngettext(
        "%(num)s nugget by other authors is not shown", "%(num)s nuggets by other authors are not shown", others
    )
    return render_page(
        template,
        language,
        view=view,
        idle=IDLE,
        keys=DEFAULT,
        keys_help=KEYS,
        importances=IMPORTANCES,
        ticked=TICKED,
        counts=f"{counts}; {hidden}" if others else counts,
        choices=choices(whole_view.nuggets, whose),
        before=qids[at - 1],
        after=qids[at + 1],
        hidden={"form": form, "page": uuid4().hex, "topic": session.qid, "answer": str(view.answers.number)},
        said=[notice.text] * bool(notice.text),
        typed=notice.words,
    )


NUGGETS = RolePage(OpenEditing, answer)
