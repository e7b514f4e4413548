"""Croissant: croissant.json is a card; it stands beside the files that it describes."""

from __future__ import annotations

from cranfield.publishing.targets.target import Target

CROISSANT = Target("croissant", "metadata of Croissant 1.0")
