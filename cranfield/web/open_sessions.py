"""The sessions in the browser, one an assessor, shared by all their windows: judging, adjudicating, labelling answers.

The effects of disagreements are computed beside the server.
"""

import asyncio
import hmac
import time
from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from starlette.responses import Response

from cranfield import hooks
from cranfield.analysis.labels import ranked_disputes
from cranfield.display.reflow import Display
from cranfield.errors import BusyError, CranfieldError, StoreError
from cranfield.formats import Document
from cranfield.judging.adjudication.adjudication import Adjudication
from cranfield.judging.adjudication.cases import Dispute
from cranfield.judging.frontends.keys import DEFAULT, keys_of
from cranfield.judging.labels.pairs import Pair
from cranfield.judging.planning.overview import work_to_judge_or_none
from cranfield.judging.session.command import CommandTarget
from cranfield.judging.session.controller import Controller
from cranfield.judging.session.recording import Recording
from cranfield.judging.session.session import Session
from cranfield.store.invitations import serving_key
from cranfield.store.log import guidelines
from cranfield.store.open_pools import KeptPools
from cranfield.store.store import Store
from cranfield.web.language import ENGLISH, translatable
from cranfield.web.results import Results
from cranfield.web.templates import ShownText, reading_layout
from cranfield.web.wording import JUDGING, SETTLING, Wording

NOWHERE: Pair = ("", "")  # the pair of a page whose document is not on screen


def _no_questions(qid: str) -> dict[str, Sequence[Any]]:
    return {}


class OpenSession:
    """Somebody's session, what is to be said on the next page, and the opaque names of its documents."""

    def __init__(
        self,
        session: Recording,
        key: bytes,
        guidelines: str = "",
        clock: Callable[[], float] = time.monotonic,
        role: str = "judge",
    ) -> None:
        session.input = "browser"
        self.role = role
        self.number = -1  # of the assessor in the store
        self.guidelines = guidelines
        self.session, self.controller = session, Controller(session, clock)
        self.choices: Sequence[tuple[str, bool]] = ()  # what one can label, and whether it is chosen
        self.asked: Callable[[str], dict[str, Sequence[Any]]] = _no_questions  # of a topic, by page
        self.notices: Callable[[], Mapping[str, Sequence[Any]]] = dict  # by role, until they are dismissed
        self.besides: Mapping[str, str] = {}  # the roles of other pages that the same link leads to, with their links
        self.keys, self.own_keys = DEFAULT, ""  # of the browser; in full, and as its key file has them
        self.texts: list[str] = []
        self.language = ENGLISH  # of the application
        self.refused = ""  # "own": the last command was refused; "words": so was its evidence; "all": and all with it
        self.beside: Pair | None = None  # the document that is shown beside its near-duplicate
        self.whole: Pair | None = None  # whose text was asked for at once
        self.qid: str | None = None  # the topic that was shown last
        self.display: Display = "auto"  # how the lines of a text are displayed
        self._text = ShownText("")
        self._key = hmac.digest(key, session.assessor.encode("utf-8", "surrogatepass"), "sha256")

    def opaque(self, pair: Pair | None) -> str:
        """The name of a document in a page and in its requests, from which nobody can tell the docno."""
        return "" if pair is None else self.opaque_tag("\0".join(pair))

    @property
    def text(self) -> ShownText:
        """The text of the document on screen, made visible once."""
        session, document, shown = self.session, self.session.view.document, self._text
        layout = session.layout or reading_layout(Document("", document.title if document else "", session.text))
        if (shown.stored, shown.layout, shown.display) != (session.text, layout, self.display):
            self._text = ShownText(session.text, layout, self.display)
        return self._text

    def command_target(self, document: str, command: str) -> CommandTarget:
        """What a command is about; the same command of the same page is the same event, however often it is sent."""
        here = document == self.opaque(self.session.pair)
        return CommandTarget(self.session.pair if here else NOWHERE, self.opaque_tag(command))

    def set_own_keys(self, own_keys: str) -> None:
        """Take up the keys of a browser, as a key file has them; an error changes nothing."""
        if own_keys != self.own_keys:
            self.keys, self.own_keys = keys_of(own_keys), own_keys

    def say(self, *texts: str) -> None:
        """Say something once, on the next page."""
        self.texts += [text for text in texts if text]

    def hear(self) -> list[str]:
        """What is to be said now."""
        texts, self.texts = self.texts, []
        return texts

    def opaque_tag(self, text: str) -> str:
        """A name for a text, from which nobody can tell it."""
        tag = hmac.digest(self._key, text.encode("utf-8", "surrogatepass"), "sha256")
        return urlsafe_b64encode(tag[:24]).decode()


class OpenSessions:
    """The open sessions by assessor. All of it runs in the thread of the store."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], float] = time.monotonic,
        begin: Callable[[Store, str], Recording] | None = None,
        role: str = "judge",
    ) -> None:
        self._role = role
        self._store, self._key, self._clock = store, serving_key(store), clock
        self._begin = begin or partial(begin_session, clock=clock, pools=_preload_newest_pool(store))
        self._open: dict[str, OpenSession] = {}

    def act(self, assessor: str, act: Callable[[OpenSession], str]) -> str:
        """What is made of a session. One that an error was made in is begun again from the log."""
        try:
            return act(self.session_of(assessor))
        except CranfieldError:
            raise
        except Exception:
            self._open.pop(assessor, None)
            raise

    def choose(self, assessor: str, whose: str) -> None:
        """Go on with what an assessor has chosen, where there is something to choose from."""

    def session_of(self, assessor: str) -> OpenSession:
        """The session of an assessor, with whatever was recorded elsewhere since; begun again if it was done.

        Whoever has the name of somebody who was erased is somebody else.
        """
        screen = self._open.get(assessor)
        if screen and screen.number != self._number(assessor):
            screen = None
        if screen is None or screen.session.view.done:
            texts = screen.hear() if screen else []
            screen = self._open[assessor] = OpenSession(
                self._begin(self._store, assessor), self._key, guidelines(self._store), self._clock, self._role
            )
            screen.number = self._number(assessor)
            screen.say(*texts)
        else:
            screen.session.refresh()
        screen.asked = partial(_questions_of_topic, self._store, assessor) if self._role == "judge" else _no_questions
        screen.notices = partial(_open_notices, self._store, assessor) if self._role == "judge" else dict
        screen.besides = further_roles(self._store, assessor) if self._role == "judge" else {}
        return screen

    def _number(self, assessor: str) -> int:
        return self._store.numbers("assessor", "name", [assessor])[0]


def further_roles(store: Store, assessor: str) -> dict[str, str]:
    """The roles that a link for judging is for as well, which have work for the assessor, with the texts of links."""
    return {role.name: role.link for role in judging_roles() if role.has_work and role.has_work(store, assessor)}


def page_before_judging(store: Store, assessor: str) -> str:
    """The page that comes before somebody's first judgment; mostly none does."""
    due = (role.name for role in judging_roles() if role.comes_first and role.comes_first(store, assessor))
    return next(due, "")


def _questions_of_topic(store: Store, assessor: str, qid: str) -> dict[str, Sequence[Any]]:
    """By page what was asked of a topic, and answered."""
    return {role.name: role.notes_on_topic(store, assessor, qid) for role in judging_roles() if role.notes_on_topic}


def _open_notices(store: Store, assessor: str) -> dict[str, Sequence[Any]]:
    """By role the notices to an assessor that are not dismissed."""
    return {role.name: role.notices(store, assessor) for role in judging_roles() if role.notices}


def _preload_newest_pool(store: Store) -> KeptPools:
    """The pools, the newest already read: the first assessor does not wait for it."""
    pools = KeptPools()
    if store.count("pool"):
        pools(store)
    return pools


def begin_session(store: Store, assessor: str, clock: Callable[[], float], pools: KeptPools) -> Session:
    """A session as `cranfield judge` begins it; an error where nothing is assigned."""
    more = partial(work_to_judge_or_none, store, assessor, pool_of=pools)
    work = more()
    if not work:
        raise StoreError(f"nothing is assigned to {assessor!r}, and there is nothing to claim")
    return Session(store, assessor, work, clock=clock, more=more)


def open_tasks(store: Store, clock: Callable[[], float] = time.monotonic) -> dict[str, OpenSessions]:
    """The open sessions of the tasks of features, by the role of their links."""
    return {role.name: role.open_sessions(store, clock) for role in judging_roles() if role.open_sessions}


class RolePage(NamedTuple):
    """A page of its own for those who have a link of a role: what is open on it, and how it answers."""

    open: Callable[[Store], Any]
    answer: Callable[..., Awaitable[Response]]  # the request, the worker, what is open, the assessor, the form's token


class JudgingRole(NamedTuple):
    """A role of links for assessors: the sessions that it opens, or its own page.

    `purpose` completes "a link to"; the page for decisions has the role's `wording`. A link for judging leads to the
    role as well where the assessor `has_work`: the judging page has a `link` of this text. A role that comes
    `with_judging` has no links of its own. `allow` does what an invitation with the option of its name allows. Its
    page `comes_first`, before the first judgment, or has `notes_on_topic` for each topic. The judging page shows its
    `notices`, each with an `id` and a `text`, until the assessor posts the id to `dismiss` under its address. In a
    terminal, the `commands` do the same work.
    """

    name: str
    purpose: str
    open_sessions: Callable[[Store, Callable[[], float]], OpenSessions] | None = None
    page: RolePage | None = None
    wording: Wording = JUDGING
    with_judging: bool = False
    has_work: Callable[[Store, str], bool] | None = None
    link: str = ""
    comes_first: Callable[[Store, str], bool] | None = None
    notes_on_topic: Callable[[Store, str, str], Sequence[Any]] | None = None
    allow: Callable[[Store, str], None] | None = None
    notices: Callable[[Store, str], Sequence[Any]] | None = None
    commands: Sequence[str] = ()


CORE_ROLES = (
    JudgingRole("judge", translatable("judge topics")),
    JudgingRole("adjudicate", translatable("settle disagreements"), wording=SETTLING),
)


def judging_roles() -> list[JudgingRole]:
    """Return the roles of the core and of all extensions.

    >>> [role.name for role in judging_roles()][:2]
    ['judge', 'adjudicate']
    """
    return [*CORE_ROLES, *hooks.collect_from_extensions(lambda extension: extension.roles())]


def invited_roles() -> dict[str, str]:
    """Return the roles for which links are given, each with its purpose.

    >>> invited_roles()["judge"]
    'judge topics'
    """
    return {role.name: role.purpose for role in judging_roles() if not role.with_judging}


def deciding_roles() -> list[str]:
    """Return the roles whose links lead to the page for decisions.

    >>> deciding_roles()[:2]
    ['judge', 'adjudicate']
    """
    return [role.name for role in judging_roles() if role.open_sessions or role in CORE_ROLES]


def roles_with_judging() -> list[str]:
    """Return the roles to which a link for judging leads as well."""
    return [role.name for role in judging_roles() if role.with_judging or role.has_work]


def wording_of(name: str) -> Wording:
    """Return the wording of a role by its name.

    >>> wording_of("adjudicate").note
    'Reason'
    """
    return next(role.wording for role in judging_roles() if role.name == name)


WEIGHED = "The disagreements are being sorted by their effect on the ranking of the runs: {doing}."


class OpenAdjudications(OpenSessions):
    """The open adjudications by adjudicator. Begun and used in the thread of the store; `update` is not."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(store, clock, partial(self._begin_adjudication, clock=clock), "adjudicate")
        self._disputes: Sequence[Dispute] | None = None
        self._learning: asyncio.Task[None] | None = None

    async def update(self, results: Results, waits: bool) -> None:
        """Learn which disagreements there are now: before it returns, or while the adjudicator goes on."""
        if waits or self._disputes is None:
            await self._learn(results)
        elif self._learning is None or self._learning.done():
            self._learning = asyncio.create_task(self._learn(results))
            self._learning.add_done_callback(lambda done: done.cancelled() or done.exception())  # the next page says it

    async def _learn(self, results: Results) -> None:
        try:
            result = await results.get(ranked_disputes)
        except BusyError:
            if self._disputes is None:
                raise
            return
        if result.value is None:
            raise BusyError(WEIGHED.format(doing=result.doing))
        if result.value != self._disputes:
            self._disputes = result.value

    def session_of(self, assessor: str) -> OpenSession:
        """The adjudication of somebody, on the disagreements that there are now."""
        screen = super().session_of(assessor)
        if isinstance(screen.session, Adjudication) and screen.session.disputes is not self._disputes:
            screen.session.take(self._disputes or ())
        return screen

    def _begin_adjudication(self, store: Store, assessor: str, clock: Callable[[], float]) -> Adjudication:
        return Adjudication(store, assessor, self._disputes or (), clock=clock)
