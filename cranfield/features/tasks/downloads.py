"""What teams download: the topics and the documents of the round that is open, once they are out.

The documents are packed once, by a process beside the server, and sent as a file, so that a download can be resumed.
"""

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cranfield.features.rounds.store import rounds
from cranfield.features.tasks.description import PHASES
from cranfield.features.tasks.store import has_accepted, phase, task_of
from cranfield.features.tasks.submissions import SubmissionRefusedError, round_topics
from cranfield.formats import Document
from cranfield.formats.writing import write_corpus
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
        raise SubmissionRefusedError(403, "accept the terms on your team's page first")


def topics_text(store: Store, team: str) -> str:
    """The topics of the round, one a line."""
    check_out(store, team)
    named = ({name: value for name, value in topic._asdict().items() if value} for topic in round_topics(store))
    return "".join(json.dumps(topic, ensure_ascii=False) + "\n" for topic in named)


def corpus_version(store: Store, team: str) -> tuple[int, ...]:
    """What changes with the documents of the round; refused where the team may not have them, or there are none."""
    check_out(store, team)
    if not store.has("document"):
        raise SubmissionRefusedError(404, "the documents of this task are not on this server")
    return (*map(store.most, ("document", "import", "removal")), len(rounds(store)))


def pack_corpus(store: Store, path: str) -> None:
    """Write the documents of the round to a file, the same bytes each time."""
    write_corpus(Path(path), round_documents(store))


def round_documents(store: Store) -> Iterator[Document]:
    """The documents of the round that is open: its own, or all."""
    own = rounds(store)[-1].documents
    if own is None:
        return store.documents()
    names = {*store.named("document", "docno", own.tolist()).values()}
    return (document for document in store.documents() if document.docno in names)


class PackedCorpus:
    """The documents as a file of the server's, packed anew when there are others."""

    def __init__(self, computer: Computer) -> None:
        self._computer, self._thread = computer, ThreadPoolExecutor(1, "packing")
        self._folder: TemporaryDirectory[str] | None = None
        self._packed: tuple[Any, Future[Path]] | None = None

    async def file(self, version: tuple[int, ...]) -> Path:
        """The file of this version; a team that would wait too long for it comes again."""
        if self._packed is None or self._packed[0] != version or _failed(self._packed[1]):
            self._packed = version, self._thread.submit(self._pack)
        try:
            return await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(self._packed[1])), PATIENCE)
        except TimeoutError:
            said = "the documents are being packed; come again in a moment"
            raise SubmissionRefusedError(503, said, PATIENCE) from None

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


def _failed(future: Future[Path]) -> bool:
    return future.done() and (future.cancelled() or future.exception() is not None)
