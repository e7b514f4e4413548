"""Asking a model: how much at most, many requests at a time, and Ctrl-C while they are under way."""

import heapq
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from itertools import count
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.features.models.asking.journal import Entry, Journal, short_waits
from cranfield.features.models.asking.limits import UNLIMITED, AskingTally, AskLimits, cost_of, describe_useless
from cranfield.features.models.asking.server import UNSENT, ModelReply, Server
from cranfield.features.models.asking.task import Asker, Question, Reply, Request, Task, call_of, read, request_of
from cranfield.features.models.calls import (
    Call,
    add_calls,
    add_requests,
    answer_to,
    introduce,
    keep_setting,
    mean_use,
    unconfirmed_calls,
)
from cranfield.parallel import stop_on_interrupt
from cranfield.store.store import Store

LONGEST = 300.0  # seconds to wait before an attempt
GATHERED = 0.02  # seconds for which answers are gathered for a transaction
TRANSACTION_REQUESTS = 200  # requests of a transaction at most, with those whose answers are known
MAX_UNANSWERED = 20  # questions in a row without any answer, after which it is given up
OUTCOMES = ("ok", "refused", "cut-off", "unparsable", "off-scale", "error")


def ask(
    store: Store,
    asker: Asker,
    task: Task,
    subjects: Sequence[tuple[str, str]],
    *,
    limits: AskLimits = UNLIMITED,
    advance: Callable[[int], None] = lambda done: None,
) -> AskingTally:
    """Ask a model about subjects of topics, (qid, subject), and record what comes of it; that stays, whatever happens.

    Ctrl-C waits for what was sent, records it, and says what remains; a second one does not wait. A server that is not
    there, or refuses everything, is an error, after what was answered is recorded.
    """
    with (
        short_waits(),
        closing(Journal(store, asker.assessor, task.name)) as journal,
        closing(Server(asker.url, limits.timeout, limits.parallel)) as server,
    ):
        introduce(store, asker.setting(task.name))
        doubtful = set() if limits.again else unconfirmed_calls(store, asker.assessor, task.name) - {*journal.leftovers}
        certain = [about for about in subjects if about not in doubtful]
        loop = _Loop(store, server, journal, limits=limits, asker=asker, task=task, advance=advance)
        with stop_on_interrupt(loop.interrupt):
            loop.run(certain)
        loop.tally.doubtful += len(subjects) - len(certain)
    if loop.failure:
        raise InputError(f"{server.host}: {loop.failure}{loop.tally.recorded_note}")
    return loop.tally


class _Due(NamedTuple):
    """A request that waits for its next attempt."""

    at: float
    number: int
    request: Request


class _Arrival(NamedTuple):
    """A reply to a request, by its number."""

    number: int
    reply: ModelReply


class _Read(NamedTuple):
    """A call, and what was read in its answer, where that settles the question."""

    call: Call
    question: Question | None = None
    value: Any = None


class _Loop:
    """Requests under way. Only the thread that runs it touches the store; the server has one of its own.

    What has come is in the journal at once, and in the store with the next transaction, with the requests that come
    after it. How long the slowest was on no disk is told as `unsaved`. Some recorded requests wait, so that as many as
    may be are under way. After a kill, all that was sent and is not answered on disk is in doubt.
    """

    def __init__(
        self,
        store: Store,
        server: Server,
        journal: Journal,
        *,
        limits: AskLimits,
        asker: Asker,
        task: Task,
        advance: Callable[[int], None],
    ) -> None:
        self.store, self.server, self.journal = store, server, journal
        self.limits, self.asker, self.task = limits, asker, task
        self._advance = advance
        self._most = limits.parallel * 3 // 2  # half as many as are under way wait for room, so that none stays free
        self._replies = 0  # calls that were answered, and so have a cost if the server reports one
        self._past = mean_use(store, asker.assessor, task.name)
        self.tally, self.failure = AskingTally(cost=0.0 if limits.price else None), ""
        self._flying: dict[int, Request] = {}  # by their numbers
        self._queue: SimpleQueue[_Arrival] = SimpleQueue()
        self._arrivals: list[_Arrival] = []  # of those under way, what has come
        self._read: list[_Read] = []  # what is to be recorded in this transaction
        self._requests: list[int | None] = []  # the requests whose calls are recorded in it
        self._due: list[_Due] = []
        self._numbers, self._in_vain, self._stopping, self._wake = count(), 0, False, threading.Event()
        self._some_answer, self._hurry = False, False
        self._new: Iterator[tuple[str, str]] = iter(())

    def run(self, todo: Sequence[tuple[str, str]]) -> None:
        """Ask everything, or stop and say why."""
        began, most = time.monotonic(), self.limits.questions
        first = todo if most is None else todo[:most]
        if len(first) < len(todo):
            self.tally.stopped = f"--limit {(self.limits.whole or self.limits).questions}"
        self._new = iter(first)
        try:
            self._finish()
        finally:
            self.tally.remaining = len(todo) - self.tally.answered - self.tally.doubtful
            self.tally.unsaved = max(self.tally.unsaved, self.journal.unsaved)
            self.tally.disk = self.journal.disk
            self.tally.seconds = time.monotonic() - began

    def interrupt(self) -> None:
        """Send nothing more."""
        self.server.halted = True
        self._stop("Ctrl-C")

    def _finish(self) -> None:
        try:
            while self._go_on():
                self._arrivals = self._wait()
        except Exception:
            self.server.halted = True
            self._stop("an error")
            self._rescue()
            raise

    def _rescue(self) -> None:
        """Record what was under way, each answer by itself, where that is possible; a setting that was undone, too."""
        waiting, self._arrivals, self._hurry = self._arrivals, [], False
        while self._flying:
            for arrival in waiting or self._wait():
                self._arrivals, self._some_answer = [arrival], False
                with suppress(Exception):
                    self._go_on()
                self._flying.pop(arrival.number, None)
            waiting, self._arrivals = [], []

    def _go_on(self) -> bool:
        """Record what has come and what is sent next, and send it; whether there is more."""
        with self.store.writing():
            self._read, self._requests = [], []
            for arrival in self._arrivals:
                self.journal.go_first()
                number, answer = arrival
                request = self._flying[number]
                if answer.error == UNSENT:
                    self._read.append(_Read(call_of(request, answer, "error", UNSENT, None)._replace(request=number)))
                else:
                    self._count(request, answer)
                    self._take(request, answer, number=number)
            self._write()
            most = 1 if self._cost_is_open else self._most
            new = self._record_next(most - len(self._flying) + len(self._arrivals))
        now = time.monotonic()
        self.journal.settle(self._requests)
        for number, reply in self._arrivals:
            del self._flying[number]
            if not self.journal.works:
                self.tally.unsaved = max(self.tally.unsaved, now - (reply.arrival or now))
        self._arrivals = []
        for request, number in new:
            self._send(request, number)
        return bool(self._flying or self._due or self._hurry)

    @property
    def _cost_is_open(self) -> bool:
        """Whether there is a budget, and no answer ever that shows what one takes of it: the first goes alone."""
        tokens, money, price = self.limits.tokens, self.limits.money, self.limits.price
        past = self._past.tokens_out if money is None or price else self._past.cost
        return not self._replies and past is None and not (tokens is None and money is None)

    def _stop(self, why: str) -> None:
        self.tally.stopped = self.tally.stopped if self._stopping else why
        self._stopping, self._new, self._due = True, iter(()), []
        self._wake.set()

    def _record_next(self, room: int) -> list[tuple[Request, int]]:
        """What is sent next, recorded, as far as there is room; answers that are known are taken."""
        requests: list[Request] = []
        self._hurry = False
        for _ in range(TRANSACTION_REQUESTS):
            if len(requests) >= room or self._stopping:
                break
            self.journal.go_first()
            due = bool(self._due) and self._due[0].at <= time.monotonic()
            request = heapq.heappop(self._due).request if due else self._next(requests)
            if request is None:
                break
            if not self._take_known(request):
                requests.append(request)
        else:
            self._hurry = True
        self._write()
        return [*zip(requests, add_requests(self.store, [(one.target, one.sha256) for one in requests]), strict=True)]

    def _take_known(self, request: Request) -> bool:
        """Take the answer to a request that is known; or count the question in doubt, if it was paid in other words."""
        replies, again = self.journal.leftovers.get(request.target[2:], []), self.limits.again
        if replies and replies[0].request_sha256 == request.sha256:
            reply = replies.pop(0)
            self.tally.reused += 1
            self._take(request, reply.reply, number=reply.request)
        elif answer := answer_to(self.store, request.sha256) if replies or not again else None:
            earlier = ModelReply(
                answer.answer, answer.reasoning, answer.finish_reason, answer.outcome == "refused", answer.answered_by
            )
            self.tally.reused += 1
            self._take(request, earlier._replace(status=answer.status), copy=answer.id)
        else:
            self.tally.doubtful += bool(replies) and not again
            return bool(replies) and not again
        return True

    def _next(self, before: Sequence[Request]) -> Request | None:
        """The request of the next question, if the budget has room for it."""
        if (todo := next(self._new, None)) is None:
            return None
        request = request_of(self.asker, self.task, *todo)
        if self._is_full([*before, request]):
            self._stop(f"--budget {self.limits.budget}")
            return None
        return request

    def _is_full(self, requests: Sequence[Request]) -> bool:
        """Whether there is no room for these requests, after all that is under way."""
        most, money = self.limits.tokens, self.limits.money
        if most is None and money is None:
            return False
        tally, back = self.tally, {arrival.number for arrival in self._arrivals}
        flying = [one for number, one in self._flying.items() if number not in back]
        out = self._mean(tally.tokens_out, self._past.tokens_out)
        coming = [one.tokens for one in [*flying, *(due.request for due in self._due), *requests]]
        if most is not None and tally.tokens + sum(coming) + out * len(coming) > most:
            return True
        return money is not None and (tally.cost or 0) + self._price_of(sum(coming), len(coming), out) > money

    def _price_of(self, tokens: int, requests: int, out: float) -> float:
        """About what requests cost, by the price or the calls so far; what nobody can tell is refused."""
        tally, price = self.tally, self.limits.price
        if price:
            return price.cost(tokens, round(out * requests))
        if self._replies and tally.cost is None:
            self._give_up("the server does not report the cost of calls, so a --budget in money needs --price IN,OUT")
        return self._mean(tally.cost or 0, self._past.cost) * requests

    def _mean(self, total: float, past: float | None) -> float:
        """What an answer takes on average."""
        return total / self._replies if self._replies else past or 0.0

    def _send(self, request: Request, number: int) -> None:
        how = self.server.embedding if self.task.embeds else self.server.answer
        self._flying[number] = request
        how(self.asker.model, request.messages, self.asker.parameters, partial(self._keep, number, request.sha256))

    def _keep(self, number: int, sha256: str, reply: ModelReply) -> None:
        """Have a reply on disk before it is taken, if it came from the server; not in this thread."""
        arrive = partial(self._queue.put, _Arrival(number, reply))
        if reply.error == UNSENT:
            arrive()
        else:
            self.journal.keep(Entry(number, sha256, reply), arrive)

    def _wait(self) -> list[_Arrival]:
        """What has come; until something does, or is due, where there is nothing to do meanwhile."""
        timeout = max(0.0, self._due[0].at - time.monotonic()) if self._due else None
        arrivals: list[_Arrival] = []
        if not self._flying:
            if not self._hurry:
                self._wake.wait(timeout)
            return arrivals
        with suppress(Empty):
            if not self._hurry:
                arrivals.append(self._queue.get(timeout=timeout))
                if len(self._flying) > self.limits.parallel and not self._stopping:  # what waits goes out meanwhile
                    time.sleep(GATHERED)
            while True:
                arrivals.append(self._queue.get_nowait())
        return arrivals

    def _count(self, request: Request, answer: ModelReply) -> None:
        tally = self.tally
        tally.calls += 1
        self._replies += not answer.error
        tally.retried += request.attempt > 1 and not request.reminded
        tally.reminded += request.reminded
        unknown = answer.tokens_in is None and not answer.error
        tally.estimated += unknown
        tally.tokens_in += request.tokens if unknown else answer.tokens_in or 0
        tally.tokens_out += len(answer.text + answer.reasoning) // 4 if unknown else answer.tokens_out or 0
        if (cost := cost_of(answer, self.limits.price)) is not None:
            tally.cost = (tally.cost or 0) + cost

    def _take(self, request: Request, answer: ModelReply, number: int | None = None, copy: int | None = None) -> None:
        """Have an answer recorded with what follows from it; ask again where that may help."""
        outcome, value, reason = read(request, answer)
        cost = cost_of(answer, self.limits.price) if number is not None else None
        call = call_of(request, answer, outcome, reason, cost)._replace(request=number, reused=copy)
        further = self._further(request, answer, outcome, reason)
        is_last = further is None and not answer.stop
        if (is_last or outcome != "error") and not self._some_answer:  # a server that is not there does not settle it
            keep_setting(self.store, self.asker.setting(self.task.name))
        self._read.append(_Read(call, request.question if is_last else None, value))
        self._some_answer |= outcome != "error"
        if is_last:
            self._settle(request, answer.text, outcome, reason)
        elif further is None:
            self._give_up(answer.error)
        elif not self._stopping:
            heapq.heappush(
                self._due, _Due(time.monotonic() + self._pause(answer, further), next(self._numbers), further)
            )

    def _write(self) -> None:
        """Record the calls that were read, and what follows from them."""
        if not self._read:
            return
        numbers = add_calls(self.store, [one.call for one in self._read])
        self._requests += [one.call.request for one in self._read]
        self.task.record(self.store, [
            (one.question, Reply(one.call.outcome, one.value, one.call.reason, number))
            for one, number in zip(self._read, numbers, strict=True)
            if one.question is not None
        ])  # fmt: skip
        self._read = []

    def _settle(self, request: Request, answer: str, outcome: str, reason: str) -> None:
        tally = self.tally
        tally.outcomes[outcome] += 1
        if outcome not in ("ok", "error") and not tally.first_useless:
            tally.first_useless = describe_useless(answer, reason)
        self._in_vain = self._in_vain + 1 if outcome == "error" else 0
        tally.last_error = reason if outcome == "error" else tally.last_error
        tally.cut += request.characters_cut > 0
        tally.addressing += request.addresses_judge
        self._advance(1)
        if self._in_vain >= MAX_UNANSWERED:
            self._give_up(f"{MAX_UNANSWERED} questions in a row got no answer; the last error: {reason}")

    def _give_up(self, why: str) -> None:
        self.failure, self.server.halted = self.failure or why, True
        self._stop(why)

    def _further(self, request: Request, answer: ModelReply, outcome: str, reason: str) -> Request | None:
        """The request that may still get an answer: the same after a failure, one reminder after an unreadable one."""
        if outcome == "unparsable" and not request.reminded:
            return request.reminding(answer.text, reason)
        hopeless = answer.stop and not self._some_answer
        if outcome == "error" and answer.again and not hopeless and request.attempt < self.limits.attempts:
            return replace(request, attempt=request.attempt + 1)
        return None

    def _pause(self, answer: ModelReply, further: Request) -> float:
        if not answer.error:
            return 0.0
        pause = self.limits.pause * 2 ** (further.attempt - 2) if answer.wait is None else answer.wait
        return min(pause, LONGEST)
