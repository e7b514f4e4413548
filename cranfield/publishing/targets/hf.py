"""Hugging Face: the card is README.md, the data set the folder."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from cranfield.publishing.description.record import Description
from cranfield.publishing.targets.target import Target


def hf_commands(about: Description) -> Sequence[str]:
    """How the folder is uploaded."""
    return [f"hf upload OWNER/{shlex.quote(about.name)} DIR . --repo-type dataset"]


HF = Target("hf", "a data set of Hugging Face", commands=hf_commands)
