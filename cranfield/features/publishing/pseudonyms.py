"""Events of the judgment log without the names of people, and without what they wrote."""

import json
from collections.abc import Mapping, Sequence

from cranfield.features.publishing.store.published import Assessor
from cranfield.selection import MODELS
from cranfield.store.chain import Event
from cranfield.store.decoding import decode_json_column
from cranfield.store.log import REPEAT


def pseudonyms(assessors: Sequence[Assessor]) -> dict[str, str]:
    """A name for each assessor, in the order they came; models keep theirs.

    >>> pseudonyms([Assessor("ada", "human", None, 2), Assessor("m", "model", None, 1),
    ...     Assessor("ada (repeat)", "human", "ada", 1), Assessor("bob", "import", None, 0)])
    {'ada': 'a01', 'm': 'm', 'ada (repeat)': 'a01 (repeat)', 'bob': 'a02'}
    """
    own = [one for one in assessors if one.repeats is None]
    models = {one.name for one in own if one.kind in MODELS}
    people = [one.name for one in own if one.kind not in MODELS]
    free = (name for number in range(1, len(assessors) + len(models) + 1) if (name := f"a{number:02}") not in models)
    names = {name: name for name in models} | dict(zip(people, free, strict=False))
    return {one.name: names[one.repeats] + REPEAT if one.repeats else names[one.name] for one in assessors}


def pseudonymous(event: Event, names: Mapping[str, str], kinds: Mapping[str, str]) -> Event:
    """An event with another name for the assessor, without what people wrote, to the second.

    >>> event = Event("label", "q", "d", "ada", 1, note="mine", seconds=3.4, at="2026-03-31T15:37:16.420+00:00")
    >>> plain = pseudonymous(event, {"ada": "a01"}, {"ada": "human"})
    >>> plain.assessor, plain.note, plain.seconds, plain.at
    ('a01', '', 3.0, '2026-03-31T15:37:16+00:00')
    """
    return without_words(event, kinds)._replace(
        assessor=names[event.assessor],
        seconds=None if event.seconds is None else float(round(event.seconds)),
        at=f"{event.at[:19]}+00:00",
    )


def without_words(event: Event, kinds: Mapping[str, str]) -> Event:
    """An event without words of people or of documents; grades of subtopics and votes of a panel's judges stay."""
    kind = kinds[event.assessor]
    reason = "" if kind == "human" else event.reason
    evidence = _part(event, "panel" if kind == "panel" else "subtopics")
    return event._replace(note="", reason=reason, highlight_terms="", evidence=evidence)


def _part(event: Event, name: str) -> str | None:
    """Of the evidence the part of this name."""
    if not event.evidence or not event.evidence.lstrip().startswith("{"):
        return None
    parts = decode_json_column(dict, event.evidence, "judgment_event", event.event_id, "evidence")
    return json.dumps({name: parts[name]}) if name in parts else None
