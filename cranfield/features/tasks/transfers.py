"""What teams send and get: uploads, and downloads of the topics and the documents of the round that is open.

An upload is a form with a file, streamed to a temporary file without a name, so that nothing of it outlives the server.
What its sender calls the file is not used. Each part is bounded, and so is the time that all of it may take.

The documents are packed once, by a process beside the server, and sent as a file, so that a download can be resumed."""

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Any, NamedTuple

from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.exceptions import HTTPException
from starlette.requests import Request

from cranfield.errors import UndecidedError
from cranfield.features.tasks.description import PHASES
from cranfield.features.tasks.rules import round_documents, round_topics
from cranfield.features.tasks.store import has_accepted, phase, task_of
from cranfield.features.tasks.submissions import NO_TERMS, SubmissionRefusedError
from cranfield.formats import write_qrels
from cranfield.formats.sizes import size_text
from cranfield.formats.writing import write_corpus
from cranfield.judging.labels.choice import decided_labels
from cranfield.store.rounds import rounds
from cranfield.store.store import Store
from cranfield.web.results import Computer

NOT_YET = "This page is not there yet. See the dates on your team's page."
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
        raise SubmissionRefusedError(404, "the documents of this task are not on this server")
    return (*map(store.last_row, ("document", "import", "removal")), len(rounds(store)))


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
            reason = "the documents are being packed; come again in a moment"
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


FIELDS = 64 * 1024  # bytes of all parts but the run
MOST_PARTS = 60
MAX_PART_HEADERS, MAX_PART_HEADER_BYTES = 8, 4096  # of one part
MAX_EPILOGUE_BYTES = 1024  # after the last boundary, which RFC 2046 allows and nobody reads
CONTINUES = "The request goes on after the end of its form. Nothing was recorded."
DAMAGED = "The form is damaged, or not all of it arrived. Nothing was recorded."
SLOWEST = 900.0  # seconds in which an upload has to arrive


class Upload(NamedTuple):
    """What was sent: the fields of the form, and the run, a file that its reader closes."""

    fields: dict[str, str]
    run: IO[bytes]
    size: int


class _Parts:
    """The parts of a form as they arrive."""

    def __init__(self, run: IO[bytes], most: int) -> None:
        self.run, self.most = run, most
        self.fields: dict[str, bytearray] = {}
        self.name, self.header, self.value = "", bytearray(), bytearray()
        self.size = self.parts = self.other = 0
        self.complete = False

    def callbacks(self) -> dict[str, Callable[..., None]]:
        """What the parser calls."""
        return {
            "on_part_begin": self.begin,
            "on_header_field": lambda data, start, end: self.header.extend(data[start:end]),
            "on_header_value": lambda data, start, end: self.value.extend(data[start:end]),
            "on_header_end": self.end_header,
            "on_part_data": self.data,
            "on_end": self.end,
        }

    def end(self) -> None:
        """The form is complete."""
        self.complete = True

    def begin(self) -> None:
        """A part begins."""
        self.name = ""
        self.parts += 1
        if self.parts > MOST_PARTS:
            raise HTTPException(400, f"The form has more than {MOST_PARTS} parts. Nothing was recorded.")

    def end_header(self) -> None:
        """A header of the part is complete."""
        if bytes(self.header).lower() == b"content-disposition":
            _, options = parse_options_header(bytes(self.value))
            self.name = options.get(b"name", b"").decode("utf-8", "replace")
        self.header.clear()
        self.value.clear()

    def data(self, data: bytes, start: int, end: int) -> None:
        """Some of the part."""
        if self.name == "run":
            self.size += self.run.write(data[start:end])
            if self.size > self.most:
                raise HTTPException(413, f"The file is larger than {size_text(self.most)} bytes. Nothing was recorded.")
            return
        self.other += end - start
        if self.other > FIELDS:
            raise HTTPException(413, "The form is too long. Nothing was recorded.")
        self.fields.setdefault(self.name, bytearray()).extend(data[start:end])


async def upload(request: Request, most: int) -> Upload:
    """The parts of a request, its run of at most so many bytes. An HTTPException where it cannot be taken."""
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    if kind != b"multipart/form-data" or b"boundary" not in options:
        raise HTTPException(400, "This is no form with a file. Send multipart/form-data with a part called run.")
    if int(request.headers.get("content-length") or 0) > most + FIELDS:
        raise HTTPException(413, f"The file is larger than {size_text(most)} bytes. Nothing was recorded.")
    with ExitStack() as stack:
        parts = _Parts(stack.enter_context(TemporaryFile()), most)
        parser = MultipartParser(
            options[b"boundary"],
            parts.callbacks(),  # type: ignore[arg-type]
            max_header_count=MAX_PART_HEADERS,
            max_header_size=MAX_PART_HEADER_BYTES,
        )
        await _receive(request, parser, parts)
        if not parts.complete:
            raise HTTPException(400, DAMAGED)
        stack.pop_all()
    return Upload({name: text.decode("utf-8", "replace") for name, text in parts.fields.items()}, parts.run, parts.size)


async def _receive(request: Request, parser: MultipartParser, parts: _Parts) -> None:
    after = 0  # bytes that came after the form
    try:
        async with asyncio.timeout(SLOWEST):
            async for piece in request.stream():
                if not parts.complete:
                    parser.write(piece)
                else:
                    after += len(piece)
                if after > MAX_EPILOGUE_BYTES:
                    raise HTTPException(400, CONTINUES, {"connection": "close"})
    except MultipartParseError:
        raise HTTPException(400, DAMAGED) from None
    except TimeoutError:
        raise HTTPException(408, "The file took too long to arrive. Nothing was recorded.") from None
