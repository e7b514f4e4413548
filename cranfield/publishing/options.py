"""What is asked of a published folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

POLICY = "primary"  # what a store's own qrels follow
LogAs = Literal["full", "pseudonymous", "no"]


def splits_of(qids: Iterable[str], test: Iterable[str] | None) -> dict[str, frozenset[str]]:
    """The topics of each split that has any: those of test, and the others as train; all are test if none are named.

    >>> splits_of(["q1"], None), splits_of(["q1"], ["q1"]), splits_of(["q1"], [])
    ({'test': frozenset({'q1'})}, {'test': frozenset({'q1'})}, {'train': frozenset({'q1'})})
    """
    every = frozenset(qids)
    if test is None:
        return {"test": every}
    named = every & {*test}
    return {name: some for name, some in (("test", named), ("train", every - named)) if some}


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
