"""What takes long: one job at a time, computed beside the server, so that judging never waits for it."""

import asyncio
import os
import re
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from secrets import token_urlsafe
from tempfile import gettempdir
from typing import Any, NamedTuple
from warnings import catch_warnings, simplefilter

from cranfield.errors import BusyError, CranfieldError
from cranfield.store.brief_imports import undo_unfinished_imports
from cranfield.store.connection import DatabaseError, StoreGoneError
from cranfield.store.store import Store
from cranfield.web.guard import GONE
from cranfield.web.language import ENGLISH, Language, translatable
from cranfield.web.look.page_text import PageLink, PageText, page_text, without_folder
from cranfield.web.organise.section import Done
from cranfield.web.results import Computer

OWN_FOLDERS = re.compile(
    rf"{re.escape(gettempdir())}[/\\]cranfield-[^/\\\s]+[/\\](?:\d+[/\\])?"
)  # where uploads are kept
MAX_EARLIER = 20  # outcomes of earlier jobs
SHOWN = 10.0  # seconds for which an outcome is shown
PATIENCE = 2.0  # seconds that a form waits for its job before the page shows how far it is
BUSY = translatable(
    "The server is still busy with the last step. Wait until it has finished, then send the form again."
)
BROKEN = translatable("The step failed.")


class JobOutcome(NamedTuple):
    """What a job has done, in one sentence, with notes; or why it did nothing, with links to where one can go on."""

    message: str
    notes: Sequence[str] = ()
    wrong: bool = False
    links: Sequence[PageLink] = ()

    def done(self, language: Language = ENGLISH) -> Done:
        """Return what the page says in a language."""
        notes = [_page_text(note) for note in self.notes]
        sentences = [_finish_sentence(_capitalised(note.text)) for note in notes]
        texts = [language.translate_message(text) for text in (self.message, *sentences) if text]
        links = dict.fromkeys([*self.links, *(link for note in notes for link in note.links)])
        return Done(" ".join(texts), wrong=self.wrong, remedies=tuple(links))


def _capitalised(note: str) -> str:
    """A note as a sentence; the name of a file stays as it is.

    >>> _capitalised("backups, bundles and pages are not changed"), _capitalised("a.csv:1: no text")
    ('Backups, bundles and pages are not changed', 'a.csv:1: no text')
    """
    return f"{note[:1].upper()}{note[1:]}" if note.partition(" ")[0].rstrip(",").isalpha() else note


def _finish_sentence(text: str) -> str:
    """End a text with one full stop, or with the dots of a list that goes on.

    >>> _finish_sentence("2 runs"), _finish_sentence("2 runs."), _finish_sentence("no text: 1, 2, ...")
    ('2 runs.', '2 runs.', 'no text: 1, 2, ...')
    """
    return text if text.endswith("...") else f"{text.rstrip('.')}."


def run_job(store: Store, act: Callable[..., JobOutcome], *arguments: Any) -> JobOutcome:
    """Do a job; its error is an outcome. Warnings of functions are in the notes of their results."""
    try:
        with catch_warnings():
            simplefilter("ignore")
            return act(store, *arguments)
    except (CranfieldError, DatabaseError, OSError) as error:
        paths = [store.path, *(path for one in arguments if isinstance(one, list) for path in one)]
        text = str(error)
        for path in filter(os.path.isabs, map(os.fspath, paths)):
            text = without_folder(text, path)
        return refused_outcome(text)


def refused_outcome(error: str) -> JobOutcome:
    """Return the outcome of what an error stopped."""
    text, links = _page_text(error)
    return JobOutcome(text, wrong=True, links=links)


def undo_interrupted(store: Store) -> JobOutcome:
    """Undo imports whose program was killed."""
    notes = undo_unfinished_imports(store).notes
    return JobOutcome("An earlier import did not finish." if notes else "", notes, wrong=bool(notes))


def browser_text(text: str) -> str:
    """A text of the command line as pages show it, without the folders where uploads are kept.

    >>> browser_text(f"{gettempdir()}/cranfield-upload-1-x/a.csv:1: no text; name the field with --field text=NAME")
    'a.csv:1: no text'
    """
    return _page_text(text).text


def _page_text(text: str) -> PageText:
    return page_text(re.sub(OWN_FOLDERS, "", text))


class Jobs:
    """The job that is under way, and what came of the last one."""

    def __init__(self, computer: Computer) -> None:
        self._computer, self._thread = computer, ThreadPoolExecutor(1, "organising")
        self._future: Future[JobOutcome] | None = None
        self.step, self.doing = "", ""
        self._server = token_urlsafe(8)  # in the names of its jobs
        self._earlier: dict[str, JobOutcome] = {}  # that nobody has seen yet
        self.name = ""  # that only the browser has which started the job
        self._shown = 0.0  # when that browser first asked for the outcome

    @property
    def is_busy(self) -> bool:
        """Whether a job is under way."""
        return self._future is not None and not self._future.done()

    def start(self, step: str, act: Callable[..., JobOutcome], *arguments: Any, finish: Callable[[], object]) -> str:
        """Begin a job of a step of the set-up; returns its name. `finish` is called when it has ended."""
        if self.is_busy:
            raise BusyError(BUSY)
        if (earlier := self._ended()) and not self._shown:
            self._earlier = dict([*self._earlier.items(), (self.name, earlier)][-MAX_EARLIER:])
        self.step, self.doing, self._shown = step, "starting", 0.0
        self.name = ".".join([self._server, step, token_urlsafe(8)])
        self._future = self._thread.submit(self._run, act, arguments, finish)
        return self.name

    def _run(
        self, act: Callable[..., JobOutcome], arguments: Sequence[Any], finish: Callable[[], object]
    ) -> JobOutcome:
        try:
            outcome: JobOutcome = self._computer.run_once(run_job, act, *arguments, hear=self._hear)
            return outcome
        except StoreGoneError:
            return JobOutcome(GONE, wrong=True)
        except (CranfieldError, RuntimeError):
            return JobOutcome(BROKEN, self._undo(), wrong=True)
        finally:
            finish()

    def _undo(self) -> Sequence[str]:
        """Undo what the job had imported before it was killed; notes on what was undone, and what stays."""
        try:
            outcome: JobOutcome = self._computer.run_once(run_job, undo_interrupted, hear=self._hear)
            return outcome.notes
        except (CranfieldError, RuntimeError):
            return ()  # the server is stopping; the next one undoes it

    def tell(self, outcome: JobOutcome) -> None:
        """Show an outcome as if a job had ended with it, which nobody in particular started."""
        self.name, self._future = "", Future()
        self._future.set_result(outcome)

    def _hear(self, line: str) -> None:
        self.doing = line

    async def wait(self) -> None:
        """Wait for a moment until the job has ended."""
        if self._future is not None:
            await asyncio.wait([asyncio.wrap_future(self._future)], timeout=PATIENCE)

    def take(self, name: str) -> JobOutcome | None:
        """The outcome of the last job, if this is its name, for a few seconds: a page may be loaded twice."""
        if name != self.name or (outcome := self._ended()) is None:
            return self._earlier.pop(name, None)
        self._shown = self._shown or time.monotonic()
        if time.monotonic() - self._shown > SHOWN:
            return None
        return outcome

    def step_of_earlier_server(self, name: str) -> str:
        """The step of a job that a server which has stopped began; empty for a job of this server."""
        server, _, rest = name.partition(".")
        return "" if server == self._server else rest.rpartition(".")[0]

    def _ended(self) -> JobOutcome | None:
        """The outcome of the last job, if it has ended."""
        ended = self._future is not None and self._future.done() and not self._future.cancelled()
        return self._future.result() if self._future is not None and ended else None

    def outcome_for_others(self, language: Language = ENGLISH) -> str:
        """The outcome as a note, until the browser that started the job has it: it may have been closed."""
        outcome = None if self._shown else self._ended()
        if not outcome or not outcome.message:
            return ""
        refused, finished = translatable("The last step was not done."), translatable("The last step has finished.")
        return f"{language.look_up(refused if outcome.wrong else finished)} {outcome.done(language).message}"

    def close(self) -> None:
        """End what is under way; an import that is not complete is undone when the store is served again."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        self._computer.close()
        self._thread.shutdown()
