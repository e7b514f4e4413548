"""Options that collecting adds to commands of the core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cranfield.hooks import OptionError
from cranfield.options import SUBJECT

if TYPE_CHECKING:
    from cranfield.features.collecting.subjects import Variations


class StopOptions(NamedTuple):
    """Whether judging may stop."""

    stop: Annotated[
        str | None,
        typer.Option(
            metavar="RULE",
            help="Stopping rule to test for each topic of a cal pool: knee, knee6, budget-knee, precision or"
            " hypergeometric. The rules target and qbcb:0.8 certify a recall. They need a draw pool that was"
            " judged before learning began.",
        ),
    ] = None


class VariationSearch(NamedTuple):
    """What is searched for."""

    variations: Annotated[
        bool, typer.Option("--variations", help="Run the rankers on each variation of the topics' queries.")
    ] = False

    def subject(self) -> Variations:
        """The variations of the topics."""
        from cranfield.features.collecting.subjects import Variations

        return Variations()


class VariationOptions(NamedTuple):
    """Means over variations."""

    variations: Annotated[
        bool,
        typer.Option(
            "--variations",
            rich_help_panel=SUBJECT,
            help="Score systems by their means over the variations of each topic.",
        ),
    ] = False
    weighted: Annotated[
        bool,
        typer.Option(
            "--weighted",
            rich_help_panel=SUBJECT,
            help="Weight each variation by the number of people who used it; needs --variations.",
        ),
    ] = False

    def subject(self) -> Variations:
        """The variations, weighted or not."""
        from cranfield.features.collecting.subjects import Variations

        if not self.variations:
            raise OptionError("weighted", "goes with --variations")
        return Variations(self.weighted)
