"""Details of the runs of an import, from a teams file and from the header of each run file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from cranfield.errors import InputError
from cranfield.formats import RunInfo, read_teams
from cranfield.formats.runs.ir_metadata import Metadata, team_of
from cranfield.formats.runs.teams import with_header
from cranfield.formats.runs_and_qrels import Origin
from cranfield.text import counted


class About:
    """Details of each run, by tag; `notes` is what to report about the headers."""

    def __init__(self, tags: Sequence[str], origins: Sequence[Origin], teams: Path | None = None) -> None:
        self._teams, self._known = teams, read_teams(teams) if teams else None
        self.notes: list[str] = []
        self.by_tag = {tag: self._of(tag, Path(origin.path), origin) for tag, origin in zip(tags, origins, strict=True)}
        self.notes += [_several(tag, one) for tag, one in zip(tags, origins, strict=True) if one.other_tags]
        kept = sum(bool(info.metadata) for info in self.by_tag.values())
        if kept:
            self.notes.append(
                f"the ir_metadata of {counted(kept, 'run')} is stored; `cranfield export runs --metadata` writes it"
            )

    def _of(self, tag: str, file: Path, origin: Origin) -> RunInfo:
        name = file.name if file.is_file() else ""  # a pipe's name says nothing
        info = self._info(tag, file)._replace(file=name, sha256=origin.sha256)
        return self._with_header(info, file, self._header(origin))

    def _info(self, tag: str, file: Path) -> RunInfo:
        if self._known is None:
            return RunInfo(team=tag)
        if tag not in self._known:
            raise InputError(f"no line for run {tag!r} of {file}", self._teams)
        return self._known[tag]

    def _with_header(self, info: RunInfo, file: Path, header: Metadata) -> RunInfo:
        """The details completed from the file's header; for the team, the teams file takes precedence."""
        team = team_of(header)
        if self._known is not None and team not in ("", info.team):
            self.notes.append(f"{file}: its header gives team {team!r}; team {info.team!r} from {self._teams} is used")
        return with_header(info, header, self._known is not None)

    def _header(self, origin: Origin) -> Metadata:
        """The header; a malformed one is reported, but the run is not refused."""
        if isinstance(origin.header, InputError):
            self.notes.append(f"{origin.header}; the header is ignored")
            return {}
        return origin.header


def _several(tag: str, origin: Origin) -> str:
    """What is reported of a run whose lines have several tags.

    >>> print(_several("c", Origin("a.run", "", {}, ("a", "b"))))
    a.run: all lines became the run 'c', those with 2 other tags too: 'a', 'b'; if these are several runs, import each
    from a file of its own
    """
    named = ", ".join(map(repr, origin.other_tags[:3])) + (", ..." if len(origin.other_tags) > 3 else "")
    others = f"those with {counted(len(origin.other_tags), 'other tag')} too: {named}"
    remedy = "if these are several runs, import each from a file of its own"
    return f"{os.fspath(origin.path)}: all lines became the run {tag!r}, {others}; {remedy}"
