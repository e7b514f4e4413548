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
        typer.Option(metavar="NAME", help="Print a file for a search engine, such as elasticsearch, to fill in."),
    ] = None
    try_words: Annotated[
        str | None,
        typer.Option("--try", metavar="WORDS", help="Ask the system of a file for these words, and store nothing."),
    ] = None
    partial: Annotated[
        bool, typer.Option("--partial", help="Store the run of a system outside although some topics failed.")
    ] = False
    yes: Annotated[
        bool, typer.Option("--yes", help="Allow what a new file of a system does; let texts leave for embeddings.")
    ] = False
    env: Annotated[
        list[str] | None,
        typer.Option("--env", metavar="NAME", help="Variable that a file of a system may read. Repeatable."),
    ] = None

    def subject(self) -> "ExternalSystem":
        """The system outside."""
        from cranfield.features.collecting.systems.subject import ExternalSystem

        return ExternalSystem(**{**self._asdict(), "env": self.env or ()})
