"""Whether pooling the runs of a source again reproduces its judgments."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.pooling.verify.tie_rule import TieRule, tie_rule
from cranfield.pooling.verify.verify import Closure, verify
from cranfield.source import Place, Source, is_store, name_of


def verified(source: Source, paths: Sequence[Place], depth: int | None) -> tuple[Closure, TieRule]:
    """How well the pool closes, and its inferred order of ties; `paths` are those of the source, if it is of files.

    Where a file has several runs, the order in files is not looked at.
    """
    marked = [tag for tag, info in source.about.items() if info.pooled] if source.states_pooled else None
    pooled = marked if source.listed is None else [tag for tag in source.about if tag in source.listed]
    closure = verify(source.runs, source.qrels, pooled, depth)
    read = [] if not paths or is_store(paths[0]) else [name_of(path) for path in paths[1:]]
    files = dict(zip(source.runs.tags, read, strict=True)) if len(read) == len(source.runs.tags) else {}
    return closure, tie_rule(source.runs.select(closure.runs), source.qrels, closure.depth, files)
