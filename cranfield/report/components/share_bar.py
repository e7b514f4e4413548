"""A bar of parts of a whole: relevant, judged otherwise, and not judged; silent, as the numbers stand beside it."""

from __future__ import annotations

from collections.abc import Sequence

from .markup import short

WIDTH, HEIGHT = 160.0, 12.0
KINDS = ("relevant", "other", "open")


def share_bar(parts: Sequence[float], whole: float) -> str:
    """The parts in the order of KINDS; the bar is as long as they are of `whole`.

    >>> share_bar([1, 1, 2], 8).count("<rect"), 'class="open" x="40" y="2" width="40"' in share_bar([1, 1, 2], 8)
    (3, True)
    """
    ends = [sum(parts[: at + 1]) / (whole or 1) * WIDTH for at in range(len(parts))]
    drawn = "".join(
        f'<rect class="{kind}" x="{short(start)}" y="2" width="{short(end - start)}" height="8"/>'
        for kind, start, end in zip(KINDS, [0.0, *ends], ends, strict=False)
    )
    return f'<svg class="share" viewBox="0 0 {short(WIDTH)} {short(HEIGHT)}" aria-hidden="true">{drawn}</svg>'
