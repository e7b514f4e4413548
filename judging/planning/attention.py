"""What an organiser has to do something about: one line each, and where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from cranfield.judging.labels.pairs import Pair, is_adjudication
from cranfield.judging.planning import topic_states as states
from cranfield.judging.planning.checks import CHECKS
from cranfield.judging.planning.overview import Working
from cranfield.judging.planning.progress import Progress
from cranfield.judging.planning.topic_states import TopicState
from cranfield.store.assignments import stamp
from cranfield.store.invitations import Invitation
from cranfield.text import counted

SILENT = 3  # days without a sign of somebody who has work
SOON = 2  # days before a link expires
NEVER = "never"  # which is later than any date


class Attention(NamedTuple):
    """A line, and what it is about: topics, links or checks, with the place there."""

    text: str
    about: str
    place: str = ""


def of_topics(topics: Sequence[TopicState]) -> Iterator[Attention]:
    """Topics that nobody will judge as things are."""
    by_state: dict[str, list[TopicState]] = {}
    for one in topics:
        by_state.setdefault(one.state, []).append(one)
    for one in by_state.get(states.LAPSED, ()):
        left = counted(one.left, "document")
        yield Attention(f"{one.assessor}'s claim of topic {one.topic} has lapsed; {left} left", "topics")
    if free := by_state.get(states.UNASSIGNED):
        is_ = "is" if len(free) == 1 else "are"
        yield Attention(f"{counted(len(free), 'topic')} of the pool {is_} assigned to nobody", "topics", "share")
    if free := by_state.get(states.OPEN):
        yield Attention("No topic is assigned: everyone with a link judges all of the pool", "topics", "share")
    if not topics:
        yield Attention("Nothing is pooled yet: build a pool with `cranfield pool build`", "pool")


def of_people(people: Sequence[Working], links: Sequence[Invitation], moment: datetime) -> Iterator[Attention]:
    """People with work who have not been seen for days, or whose links have ended or soon do."""
    silent, soon = (stamp(moment + timedelta(days=days)) for days in (-SILENT, SOON))
    for one in people:
        if not one.left:
            continue
        left = f"{counted(one.left, 'document')} left"
        if one.last and one.last < silent:
            yield Attention(f"{one.assessor} has {left}; last sign on {one.last[:10]}", "topics")
        own = [link for link in links if link.assessor == one.assessor]
        ends = [link.expires or NEVER for link in own if link.state(stamp(moment)) == "valid"]
        if own and max(ends, default="") < soon:
            until = f"the link expires on {max(ends)[:10]}" if ends else "no link is valid any more"
            yield Attention(f"{one.assessor} has {left}; {until}", "links")


def of_disagreements(progress: Progress) -> Iterator[Attention]:
    """Documents whose labels differ between people, and that nobody has settled."""
    grades: dict[Pair, set[int | None]] = {}
    for name in progress.people:
        for pair, event in progress.labels(name).items():
            grades.setdefault(pair, set()).add(event.grade)
    settled = {pair for own in progress.standing.values() for pair, event in own.items() if is_adjudication(event)}
    if number := sum(len(found) > 1 for pair, found in grades.items() if pair not in settled):
        have = "has labels that differ and is" if number == 1 else "have labels that differ and are"
        yield Attention(f"{counted(number, 'document')} {have} not settled; invite somebody to settle them", "links")


def of_labels(progress: Progress) -> Iterator[Attention]:
    """What the checks find: one line per check."""
    for check in CHECKS.values():
        found = list(check.find(progress))
        if found:
            whose = list(dict.fromkeys(f"topic {one.topic}" if one.topic else one.assessor for one in found))
            more = f" and {len(whose) - 3} more" if len(whose) > 3 else ""
            yield Attention(f"{check.title}: {', '.join(whose[:3])}{more}", "checks", check.name)
