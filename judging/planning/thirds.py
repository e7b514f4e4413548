"""The thirds of an assessor's topics, in the order judged."""

from __future__ import annotations

from collections.abc import Iterable

from cranfield.store.chain import Event


def thirds(labels: Iterable[Event]) -> list[list[Event]]:
    """The first, second and last third of each topic's labels; a topic with fewer than nine labels has no thirds."""
    by_topic: dict[str, list[Event]] = {}
    for event in labels:
        if event.position is not None:
            by_topic.setdefault(event.qid, []).append(event)
    thirds: list[list[Event]] = [[], [], []]
    for found in by_topic.values():
        ordered = sorted(found, key=lambda event: (event.position, event.id))
        for place, event in enumerate(ordered if len(ordered) >= 9 else []):
            thirds[place * 3 // len(ordered)].append(event)
    return thirds
