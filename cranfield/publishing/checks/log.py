"""The judgment log: that its events are those of which log.json has the head."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

from cranfield.formats.published.parquet import read_column
from cranfield.formats.published.tables import JUDGMENTS
from cranfield.publishing.checks.check import Check, Checked, Finding
from cranfield.publishing.folder.stated import state_of
from cranfield.publishing.parts.log import JUDGED, STATE
from cranfield.store.published.log import LogState
from cranfield.text import counted


def check_log(folder: Checked) -> Iterator[Finding]:
    commitments = read_column([folder.found.root / JUDGED], JUDGMENTS, "commitment")
    states = state_of(folder.found.root / STATE)
    stated = sum(state.events for state in states)
    wrong = [*_states(commitments, states)]
    if len(commitments) != stated:
        wrong.append(Finding("wrong", f"{counted(len(commitments), 'event')}; {STATE} says {stated:,}", JUDGED))
    if doubled := len(commitments) - len(set(commitments)):
        wrong.append(Finding("wrong", f"{counted(doubled, 'commitment')} of an earlier event", JUDGED))
    yield from wrong
    if not wrong:
        yield Finding("ok", f"{counted(len(commitments), 'event')}, as {STATE} says")


def _states(commitments: Sequence[str], states: Sequence[LogState]) -> Iterator[Finding]:
    """Of each log, what is wrong with its head: its chains end with events of its own, one with the last of them."""
    start = 0
    for state in states:
        own = commitments[start : start + state.events]
        start += state.events
        if strange := len({*state.chains} - {*own}):
            yield Finding("wrong", f"{counted(strange, 'chain')} of which no event of its log is the last", STATE)
        if own and own[-1] not in state.chains:
            yield Finding("wrong", f"no chain ends with the last event of its log, {own[-1][:12]!r}", STATE)
        head = sha256("\n".join(sorted(state.chains)).encode()).hexdigest()
        if head != state.head:
            yield Finding("wrong", f"the head {state.head[:12]!r}; expected {head[:12]!r}, that of its chains", STATE)


LOG_CHECK = Check("log", check_log, of=JUDGED)
