"""online interleave methods.

JSON: [{"method", "systems", "outcome", "what", "bias", "source"}].
"""

from __future__ import annotations

from cranfield.cli.options import Format, Output
from cranfield.cli.tables import Display, TableFormat, emit


def methods(format: Format = TableFormat.table, output: Output = None) -> None:
    """List the interleaving methods, and whom each favours.

    Balanced interleaving is biased: of the rankings 1 2 3 and 2 3 1, a user who clicks at random prefers the second in
    2 of 3 cases. Team draft is fair and needs nothing but the teams of the log; optimized is fair and more sensitive;
    probabilistic and pairwise show users poorer lists. Take team-draft unless you have a reason.

    Example: cranfield online interleave methods
    """
    from cranfield.online.interleaving.table import METHODS

    emit([method.row for method in METHODS.values()], format, output, display=Display(spare=("source", "outcome")))
