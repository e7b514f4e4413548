"""Who was pooled: as the stored pool has it, else as was told, else as the gaps in the judgments tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield.errors import InputError

if TYPE_CHECKING:
    from cranfield.source import Source

MOST_NAMES = 5
NOBODY = "no run here contributed to the pool"
NOBODY_CAN = "no run here can have been pooled{}: all have gaps in the judgments; --teams tells who was"


class Contributors(NamedTuple):
    """The runs that made the pool, how that is known, and what is open about them."""

    runs: tuple[str, ...]
    known_by: str  # such as "pool 3"; "teams" where it was told, "judgments" where it was found out
    late: tuple[str, ...] = ()  # contribute to pools, but that pool was made without them
    depth: int | None = None  # found with them
    undecided: tuple[str, ...] = ()  # without a gap, but with nothing that they alone brought
    spare: tuple[str, ...] = ()  # of the undecided as many as the pool can do without at once
    others: int = 0  # runs with gaps
    refused: str = ""  # why nobody can be left out

    @property
    def notes(self) -> list[str]:
        """What whoever reads the findings has to know, a line each."""
        found = []
        if self.late:
            found.append(f"late, not in {self.known_by}: {first_few(self.late)}; scored, never left out")
        if self.known_by == "judgments" and self.runs:
            have = "has" if self.others == 1 else "have"
            rest = f"; {self.others} {have} gaps and cannot have been" if self.others else ""
            found.append(
                f"{len(self.runs)} of {len(self.runs) + self.others} runs are judged without a gap to depth"
                f" {self.depth} and taken as pooled: {first_few(self.runs)}{rest}"
            )
        if self.undecided:
            alone = f"{len(self.undecided)} of them brought nothing of their own and may not have been pooled"
            found.append(f"{alone}: {first_few(self.undecided)}")
        return found

    def check(self) -> None:
        """Refuse to go on where nobody can be left out."""
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
    """The source with its contributors known, and `about` marking them alone as pooled.

    The stored pool's own list decides; without such a pool the marks of --teams do, and without these the judgments,
    for a pool of `depth`, or of the depth that explains most of them.
    """
    if source.contributors is not None:
        return source
    if source.listed is not None:
        return source.contributed(_stored(source, source.listed))
    marked = tuple(tag for tag, info in source.about.items() if info.pooled)
    if not source.told:
        return source.contributed(_inferred(source, depth))
    return source.contributed(Contributors(marked, "teams", refused="" if marked else NOBODY))


def _stored(source: Source, listed: Sequence[str]) -> Contributors:
    name, gone = f"pool {source.number}", [tag for tag in listed if tag not in source.about]
    late = tuple(tag for tag, info in source.about.items() if info.pooled and tag not in listed)
    here = tuple(tag for tag in source.about if tag in listed)
    refused = f"{name} was made from run {gone[0]!r} too, which is not here: no run can be left out" if gone else ""
    return Contributors(here, name, late, refused=refused or ("" if here else NOBODY))


def _inferred(source: Source, depth: int | None) -> Contributors:
    from cranfield.pooling.verify.infer_pool import infer, spare

    found = infer(source.runs, source.judged, depth)

    def names(mask: Any) -> tuple[str, ...]:
        return tuple(tag for tag, there in zip(source.runs.tags, mask.tolist(), strict=True) if there)

    runs, without = names(found.runs), names(spare(source.judged, found))
    others = len(source.runs.tags) - len(runs)
    refused = "" if runs else NOBODY_CAN.format(f" to depth {depth}" if depth else "")
    return Contributors(runs, "judgments", (), found.depth, names(found.undecided), without, others, refused)
