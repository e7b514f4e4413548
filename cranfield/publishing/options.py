"""What is asked of a published folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

POLICY = "primary"  # what a store's own qrels follow
LogAs = Literal["full", "pseudonymous", "no"]


@dataclass(frozen=True)
class PublishOptions:
    """For which targets, under which policy, with or without texts, runs and the log; the topics of the split test.

    A draft may leave required fields of the description open.
    """

    targets: tuple[str, ...]
    policy: str = POLICY
    text: bool = True
    runs: bool = True
    log: LogAs = "pseudonymous"
    split: tuple[str, ...] | None = None
    draft: bool = False

    def to_json(self) -> Mapping[str, object]:
        """The options as the folder states them."""
        return {
            "targets": list(self.targets), "policy": self.policy, "text": self.text, "runs": self.runs,
            "log": self.log, "split": None if self.split is None else list(self.split), "draft": self.draft,
        }  # fmt: skip
