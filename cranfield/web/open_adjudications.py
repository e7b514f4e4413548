"""The adjudications in the browser. The effects of disagreements are computed beside the server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial

from cranfield.analysis.adjudication import ranked_disputes
from cranfield.errors import BusyError
from cranfield.judging.adjudication.adjudication import Adjudication
from cranfield.judging.adjudication.cases import Dispute
from cranfield.store.store import Store
from cranfield.web.open_sessions import OpenSession, OpenSessions
from cranfield.web.results import Results

WEIGHED = "The disagreements are being put in order, those first that matter to the ranking of the runs: {doing}."


class OpenAdjudications(OpenSessions):
    """The open adjudications by adjudicator. Begun and used in the thread of the store; `update` is not."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(store, clock, partial(self._begun, clock=clock), "adjudicate")
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
            found = await results.get(ranked_disputes)
        except BusyError:
            if self._disputes is None:
                raise
            return
        if found.value is None:
            raise BusyError(WEIGHED.format(doing=found.doing))
        if found.value != self._disputes:
            self._disputes = found.value

    def of(self, assessor: str) -> OpenSession:
        """The adjudication of somebody, on the disagreements that there are now."""
        opened = super().of(assessor)
        if isinstance(opened.session, Adjudication) and opened.session.disputes is not self._disputes:
            opened.session.take(self._disputes or ())
        return opened

    def _begun(self, store: Store, assessor: str, clock: Callable[[], float]) -> Adjudication:
        return Adjudication(store, assessor, self._disputes or (), clock=clock)
