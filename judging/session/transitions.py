"""What the events of a session do: one table, from which the script of the page without a server is made, too."""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

State = Literal["judged", "later", "cannot judge"]


class Transition(NamedTuple):
    """What an event of a kind does to its pair, and to the session."""

    state: State | None = None  # of its pair from now on, until the event is undone; None: as it was
    takes: tuple[str, ...] = ()  # what of the draft of its pair becomes part of the event
    undoable: bool = False
    stays: bool = False  # the pair stays on screen, its time goes on, and so does judging it again


TRANSITIONS: Mapping[str, Transition] = MappingProxyType(
    {
        "label": Transition("judged", takes=("note", "unsure", "evidence"), undoable=True),
        "later": Transition("later", takes=("note",), undoable=True),
        "cannot-judge": Transition("cannot judge", takes=("note",), undoable=True),
        "adjudicate": Transition("judged", takes=("note",), undoable=True),
        "import": Transition("judged"),
        "note": Transition(takes=("note", "unsure", "evidence"), stays=True),
        "retract": Transition(),
    }
)


def script() -> str:
    """The table as the page's scripts have it.

    >>> print(script().partition(",")[0])
    "use strict";
    const TRANSITIONS = {"label": {"state": "judged"
    """
    rows = {kind: transition._asdict() for kind, transition in TRANSITIONS.items()}
    return f'"use strict";\nconst TRANSITIONS = {json.dumps(rows)};\n'
