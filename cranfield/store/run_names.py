"""How a run is called: by its tag or, where another round or team has that too, 2/tag or 2/team/tag.

The key of a run is its round, its team and its tag. In a store without rounds every run is of round 1.
"""

from collections.abc import Collection
from typing import NamedTuple

from cranfield.errors import StoreError
from cranfield.store.named_rows import NamedRows


class RunKey(NamedTuple):
    """A run: what it is called in the store, its round, its team, and the tag that its team gave it."""

    name: str
    round: int
    team: str
    tag: str

    @property
    def forms(self) -> tuple[str, ...]:
        """What it may be called.

        >>> RunKey("2/run1", 2, "cuni", "run1").forms
        ('run1', '2/run1', '2/cuni/run1')
        """
        return self.tag, f"{self.round}/{self.tag}", f"{self.round}/{self.team}/{self.tag}"


def run_keys(store: NamedRows) -> list[RunKey]:
    """The keys of all runs, in the order they came."""
    rows = store.rows("SELECT tag, coalesce(round, 1), team, coalesce(submitted, tag) FROM run ORDER BY id")
    return [RunKey(*row) for row in rows]


def new_name(known: Collection[RunKey], round: int, team: str, tag: str) -> str:
    """What a run is called that is added to those known: the shortest of its forms that no other has; an error if none.

    >>> known = [RunKey("run1", 1, "GUIR_S2", "run1")]
    >>> new_name(known, 2, "cuni", "run1"), new_name(known, 1, "cuni", "run1"), new_name(known, 2, "cuni", "run2")
    ('2/run1', '1/cuni/run1', 'run2')
    """
    if any((one.round, one.team, one.tag) == (round, team, tag) for one in known):
        raise StoreError(f"run {tag!r} of {team} is already in round {round}")
    own = RunKey("", round, team, tag).forms
    taken = {form for one in known for form in (*one.forms, one.name)}
    return next(form for form in own if form not in taken)


def run_named(store: NamedRows, name: str, among: Collection[str] | None = None) -> str:
    """What the run is called in the store that somebody names, of those that count; an error where it may be several.

    A name that no run has is left to whoever looks it up.
    """
    found = [one for one in run_keys(store) if name in (one.name, *one.forms)]
    found = [one for one in found if among is None or one.name in among] or found
    if len(found) > 1:
        raise StoreError(f"{name}: {' or '.join(one.forms[-1] for one in found)}")
    return found[0].name if found else name
