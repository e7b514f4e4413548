"""The judgment log: that its events are those of which log.json has the head."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from cranfield.formats.published.parquet import read_table
from cranfield.formats.published.tables import JUDGMENTS
from cranfield.publishing.checks.check import Check, Checked, Finding
from cranfield.publishing.folder.stated import state_of
from cranfield.text import counted

FILE, STATE = "log/judgments.parquet", "log/log.json"


def run(folder: Checked) -> Iterator[Finding]:
    commitments = [row[-1] for row in read_table(folder.found.root / FILE, JUDGMENTS)]
    states = state_of(folder.found.root / STATE)
    if len(commitments) != sum(state.events for state in states):
        yield Finding("wrong", f"{counted(len(commitments), 'event')}; {STATE} says otherwise", FILE)
    if strange := sum(chain not in set(commitments) for state in states for chain in state.chains):
        yield Finding("wrong", f"{counted(strange, 'chain')} that no event is the last of", STATE)
    for state in states:
        if hashlib.sha256("\n".join(sorted(state.chains)).encode()).hexdigest() != state.head:
            yield Finding("wrong", f"the head {state.head} is not that of its chains", STATE)
    yield Finding("ok", f"{counted(len(commitments), 'event')}, as {STATE} says")


LOG = Check("log", run, of=FILE)
