"""pool export and export pool, the same command."""

from __future__ import annotations

from cranfield.cli.build.exports.pool import pool as export

__all__ = ["export"]
