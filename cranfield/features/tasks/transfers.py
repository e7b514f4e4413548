"""What teams send and get: uploads, and downloads of the topics and the documents of the round that is open.

An upload is a form with a file, streamed to a temporary file without a name, so that nothing of it outlives the server.
Its file name is not used. Each part is bounded, and so is the time that all of it may take.

The documents are packed once, by a process beside the server, and sent as a file, so that a download can be resumed."""

import asyncio
import json
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Any, NamedTuple

from starlette.requests import Request

from cranfield.errors import UndecidedError
from cranfield.features.tasks.description import PHASES
from cranfield.features.tasks.rules import round_documents, round_topics
from cranfield.features.tasks.store import has_accepted, phase, task_of
from cranfield.features.tasks.submissions import NO_TERMS, SubmissionRefusedError
from cranfield.formats import write_qrels
from cranfield.formats.writing import write_corpus
from cranfield.judging.labels.choice import decided_labels
from cranfield.store.rounds import rounds
from cranfield.store.store import Store
from cranfield.web.language import translatable
from cranfield.web.results import Computer
from cranfield.web.uploads import FormLimits, receive_form

NOT_YET = translatable("This page is not available yet. See the dates on your team's page.")
PATIENCE = 30  # seconds that a team waits for the documents to be packed, before it has to come again
CORPUS = "corpus.jsonl.gz"


def check_out(store: Store, team: str) -> None:
    """Refuse topics and documents before they are out, or to a team that has not accepted the terms."""
    if phase(store) == PHASES[0]:
        raise SubmissionRefusedError(404, NOT_YET)
    if not has_accepted(store, team, task_of(store).terms):
        raise SubmissionRefusedError(403, NO_TERMS)


def topics_text(store: Store, team: str) -> str:
    """The topics of the round, one a line."""
    check_out(store, team)
    rows = ({name: value for name, value in topic._asdict().items() if value} for topic in round_topics(store))
    return "".join(json.dumps(topic, ensure_ascii=False) + "\n" for topic in rows)


def gives_qrels(store: Store) -> bool:
    """Whether teams can download the qrels: the task gives them, and its results are out."""
    return task_of(store).qrels == "after" and phase(store) == "results"


def qrels_text(store: Store, team: str) -> str:
    """Write the qrels as the results use them, for a team that has accepted the terms.

    Parameters
    ----------
    store : Store
        The store of the task.
    team : str
        The team.

    Returns
    -------
    str
        Lines of topic, 0, document and grade.

    Raises
    ------
    SubmissionRefusedError
        If the results are not out, or the task keeps its qrels.
    """
    check_out(store, team)
    if not gives_qrels(store):
        raise SubmissionRefusedError(404, NOT_YET)
    try:
        labels = decided_labels(store)
    except UndecidedError:  # names assessors, and only the organiser can choose
        raise SubmissionRefusedError(404, NOT_YET) from None
    with TemporaryDirectory(prefix="cranfield-") as folder:
        write_qrels(path := Path(folder, "qrels.txt"), labels.qrels)
        return path.read_text("utf-8")


def corpus_version(store: Store, team: str) -> tuple[int, ...]:
    """What changes with the documents of the round; refused where the team may not have them, or there are none."""
    check_out(store, team)
    if not store.has("document"):
        raise SubmissionRefusedError(404, translatable("this server does not have the documents of this task"))
    return (*map(store.last_row_number, ("document", "import", "removal")), len(rounds(store)))


def pack_corpus(store: Store, path: str) -> None:
    """Write the documents of the round to a file, the same bytes each time."""
    write_corpus(Path(path), round_documents(store))


class PackedCorpus:
    """The documents as a file of the server's, packed anew when there are others."""

    def __init__(self, computer: Computer) -> None:
        self._computer, self._thread = computer, ThreadPoolExecutor(1, "packing")
        self._folder: TemporaryDirectory[str] | None = None
        self._packed: tuple[Any, Future[Path]] | None = None

    async def file(self, version: tuple[int, ...]) -> Path:
        """The file of this version; a team that would wait too long for it comes again."""
        if self._packed is None or self._packed[0] != version or _has_failed(self._packed[1]):
            self._packed = version, self._thread.submit(self._pack)
        try:
            return await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(self._packed[1])), PATIENCE)
        except TimeoutError:
            reason = "the server is packing the documents; try again in a moment"
            raise SubmissionRefusedError(503, reason, PATIENCE) from None

    def _pack(self) -> Path:
        self._folder = self._folder or TemporaryDirectory(prefix="cranfield-")
        path = Path(self._folder.name, CORPUS)
        self._computer.run(pack_corpus, str(path), hear=lambda line: None)
        return path

    def close(self) -> None:
        """End what is under way, and remove the file."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        self._computer.close()
        self._thread.shutdown()
        if self._folder is not None:
            self._folder.cleanup()


def _has_failed(future: Future[Path]) -> bool:
    return future.done() and (future.cancelled() or future.exception() is not None)


RUN_PART = "run"  # the part of a form that has the run
LIMITS = FormLimits(0, 64 * 1024, 60, 900.0, "Nothing was recorded.")  # of a form, without the size of the run


class ReceivedRun(NamedTuple):
    """The fields of a form, and the run, a file that its reader closes."""

    fields: dict[str, str]
    run: IO[bytes]


async def receive_run(request: Request, max_bytes: int) -> ReceivedRun:
    """Receive a form with a run of at most so many bytes; raise HTTPException if it is refused."""
    with ExitStack() as stack:
        run = stack.enter_context(TemporaryFile())
        fields = await receive_form(
            request, LIMITS._replace(file_bytes=max_bytes), lambda name, *_: run if name == RUN_PART else None
        )
        stack.pop_all()
    return ReceivedRun(fields, run)
