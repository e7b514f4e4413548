"""What is known of runs on their way into a store: from a teams file, and from the header of each file."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from cranfield.errors import InputError
from cranfield.formats import RunInfo, read_metadata, read_teams
from cranfield.formats.ir_metadata import description_of, team_of


class About:
    """What is known of each run, by tag; `notes` is what is to be said of the headers."""

    def __init__(self, tags: Sequence[str], files: Sequence[Path], teams: Path | None = None) -> None:
        self._teams, self._known = teams, read_teams(teams) if teams else None
        self.notes: list[str] = []
        self.by_tag = {tag: self._of(tag, file) for tag, file in zip(tags, files, strict=True)}
        kept = sum(bool(info.metadata) for info in self.by_tag.values())
        if kept:
            runs = "1 run" if kept == 1 else f"{kept} runs"
            self.notes.append(f"the ir_metadata of {runs} is kept; `cranfield export runs --metadata` writes it")

    def _of(self, tag: str, file: Path) -> RunInfo:
        info = self._told(tag, file)
        if not file.exists():  # the standard input
            return info
        with file.open("rb") as content:
            info = info._replace(file=file.name, sha256=hashlib.file_digest(content, "sha256").hexdigest())
        return self._with_header(info, file)

    def _told(self, tag: str, file: Path) -> RunInfo:
        if self._known is None:
            return RunInfo(team=tag)
        if tag not in self._known:
            raise InputError(f"run {tag!r} of {file} has no line here", self._teams)
        return self._known[tag]

    def _with_header(self, info: RunInfo, file: Path) -> RunInfo:
        """With what the file's own header says; of a team, the teams file counts."""
        header = self._header(file)
        team = team_of(header)
        if self._known is None:
            info = info._replace(team=team or info.team)
        elif team not in ("", info.team):
            self.notes.append(f"{file}: its header says team {team!r}, {self._teams} says {info.team!r}, which counts")
        return info._replace(description=info.description or description_of(header), metadata=header)

    def _header(self, file: Path) -> Mapping[str, object]:
        """The header; one that is broken is no reason to refuse the run, but it is said."""
        try:
            return read_metadata(file)
        except InputError as error:
            self.notes.append(f"{error}; this header is not kept")
            return {}
