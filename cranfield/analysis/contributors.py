"""Which runs were pooled: as the stored pool lists them, else as given, else as inferred from the judgments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield.errors import InputError
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.source import Source

MOST_NAMES = 5
NOBODY = "none of these runs contributed to the pool"
NOBODY_CAN = "no run can have been pooled{}: all have unjudged documents; --teams says which were"


class Contributors(NamedTuple):
    """The pooled runs, how they are known, and what is uncertain about them."""

    runs: tuple[str, ...]
    known_by: str  # such as "pool 3"; "teams" where given, "judgments" where inferred
    late: tuple[str, ...] = ()  # marked as pooled, but that pool was built without them
    depth: int | None = None  # inferred with them
    undecided: tuple[str, ...] = ()  # fully judged, but with no unique document
    spare: tuple[str, ...] = ()  # as many of the undecided as the pool can do without at once
    others: int = 0  # runs with unjudged documents
    refused: str = ""  # why no run can be left out

    @property
    def notes(self) -> list[str]:
        """What to know when reading the findings, one line each."""
        found = []
        if self.late:
            found.append(f"late, not in {self.known_by}: {first_few(self.late)}; scored, never left out")
        if self.known_by == "judgments" and self.runs:
            have = "has unjudged documents" if self.others == 1 else "have unjudged documents"
            rest = f"; {self.others} {have} and cannot have been" if self.others else ""
            found.append(
                f"{len(self.runs)} of {counted(len(self.runs) + self.others, 'run')} fully judged to depth"
                f" {self.depth}, so taken as pooled: {first_few(self.runs)}{rest}"
            )
        if self.undecided:
            alone = f"{len(self.undecided)} of them contributed no unique document and may not have been pooled"
            found.append(f"{alone}: {first_few(self.undecided)}")
        return found

    def check(self) -> None:
        """Raise an error where no run can be left out."""
        if self.refused:
            raise InputError(self.refused)

    def to_json(self) -> dict[str, Any]:
        """Plain dicts and lists."""
        return {name: getattr(self, name) for name in ("known_by", "runs", "late", "undecided")}


def first_few(names: Sequence[str]) -> str:
    """The first few names, and how many more there are.

    >>> first_few("abcdefg"), first_few("ab")
    ('a, b, c, d, e and 2 more', 'a, b')
    """
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more


def with_contributors(source: Source, depth: int | None = None) -> Source:
    """The source with its contributors, and only these marked as pooled in `about`.

    The stored pool's own list decides; without one the marks of --teams, and without these the judgments,
    for a pool of `depth`, or of the depth that explains most of them.
    """
    if source.contributors is not None:
        return source
    if source.listed is not None:
        return source.contributed(_stored(source, source.listed))
    marked = tuple(tag for tag, info in source.about.items() if info.pooled)
    if not source.states_pooled:
        return source.contributed(_inferred(source, depth))
    return source.contributed(Contributors(marked, "teams", refused="" if marked else NOBODY))


def _stored(source: Source, listed: Sequence[str]) -> Contributors:
    name, gone = f"pool {source.number}", [tag for tag in listed if tag not in source.about]
    late = tuple(tag for tag, info in source.about.items() if info.pooled and tag not in listed)
    here = tuple(tag for tag in source.about if tag in listed)
    refused = f"{name} was also built from run {gone[0]!r}, which is missing: no run can be left out" if gone else ""
    return Contributors(here, name, late, refused=refused or ("" if here else NOBODY))


def _inferred(source: Source, depth: int | None) -> Contributors:
    from cranfield.pooling.verify.infer_pool import infer, spare
    from cranfield.pooling.verify.judged_depth import reach_of

    far = reach_of(source.runs, source.blocks, source.qrels)
    found = infer(source.runs, source.judged, depth, far)

    def names(mask: Any) -> tuple[str, ...]:
        return tuple(tag for tag, there in zip(source.runs.tags, mask.tolist(), strict=True) if there)

    runs, without = names(found.runs), names(spare(source.judged, found))
    others = len(source.runs.tags) - len(runs)
    refused = "" if runs else NOBODY_CAN.format(f" to depth {depth}" if depth else "")
    return Contributors(runs, "judgments", (), found.depth, names(found.undecided), without, others, refused)
