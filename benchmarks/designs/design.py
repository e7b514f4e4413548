"""A row of the table of coverage: a command's interval, and data of which the truth is known."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

Random = np.random.Generator


@dataclass(frozen=True)
class Design:
    """An interval that a command prints, of data drawn anew each time.

    `draw` simulates one data set, has the command's own function compute the interval, and says whether it holds the
    truth; None where none is printed. One interval a data set: with several, which depend on each other, the counts
    would be no binomial. `draws` is 2,000, or 300 where one takes long. `needs` is a folder without which there are no
    data to draw from.
    """

    command: str
    design: str
    draw: Callable[[Random], bool | None]
    draws: int = 2000
    nominal: float = 0.95
    needs: Path | None = None

    @property
    def name(self) -> str:
        """The command and the design.

        >>> Design("compare", "t, 10 topics", lambda random: True).name
        'compare: t, 10 topics'
        """
        return f"{self.command}: {self.design}"

    @property
    def lack(self) -> str:
        """Why it cannot be drawn here; empty where it can.

        >>> Design("compare", "t", lambda random: True, needs=Path("no/shared/data")).lack
        'needs ../shared/data, which is not here'
        """
        if self.needs is None or self.needs.is_dir():
            return ""
        return f"needs ../{self.needs.parent.name}/{self.needs.name}, which is not here"


@dataclass(frozen=True)
class PValueDesign:
    """A p value that a command prints, and data in which nothing differs.

    `draw` simulates one data set under the null hypothesis and has the command's own function compute p; None where the
    command prints no p. Of several p values of one data set it is the least after correction: whether any is a false
    alarm. `kept` says why a p whose false alarms are too frequent is printed, and what the command says of it.
    """

    command: str
    design: str
    draw: Callable[[Random], float | None]
    draws: int = 2000
    kept: str = ""
    needs: Path | None = None
    lack: str = ""

    @property
    def name(self) -> str:
        """The command and the design.

        >>> PValueDesign("compare", "paired t test, 10 topics", lambda random: 0.5).name
        'p of compare: paired t test, 10 topics'
        """
        return f"p of {self.command}: {self.design}"


def holds(low: float, high: float, truth: float) -> bool | None:
    """Whether the truth lies within, but for rounding; None without an interval.

    >>> holds(0.1, 0.3, 0.3), holds(0.1, 0.2, 0.3), holds(float("nan"), float("nan"), 0.3)
    (True, False, None)
    """
    if np.isnan(low) or np.isnan(high):
        return None
    return bool(low - 1e-9 <= truth <= high + 1e-9)
