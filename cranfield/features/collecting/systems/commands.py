"""`search` with a system outside: --system FILE.toml, --preset, --try.

JSON of --try: [{"rank", "docno", "score"}].
"""

from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

if TYPE_CHECKING:
    from cranfield.features.collecting.systems.subject import ExternalSystem


class SystemOptions(NamedTuple):
    """A system outside."""

    preset: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Print a template system file for a search engine, such as elasticsearch."),
    ] = None
    try_words: Annotated[
        str | None,
        typer.Option(
            "--try",
            metavar="WORDS",
            help="Search for these words with the system defined in a file, without storing anything.",
        ),
    ] = None
    partial: Annotated[
        bool, typer.Option("--partial", help="Store the run of an external system even if some topics failed.")
    ] = False
    yes: Annotated[
        bool,
        typer.Option("--yes", help="Allow the actions of a new system file, and allow sending texts for embeddings."),
    ] = False
    env: Annotated[
        list[str] | None,
        typer.Option(
            "--env", metavar="NAME", help="Environment variable that a system file may read; may be repeated."
        ),
    ] = None

    def subject(self) -> "ExternalSystem":
        """The system outside."""
        from cranfield.features.collecting.systems.subject import ExternalSystem

        return ExternalSystem(**{**self._asdict(), "env": self.env or ()})
