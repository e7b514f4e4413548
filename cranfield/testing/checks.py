"""Run named checks, some of which may be exempt."""

from __future__ import annotations

from collections.abc import Callable, Mapping


def run_checks(subject: str, checks: Mapping[str, Callable[[], None]], exempt: Mapping[str, str]) -> None:
    """Run each check; a failure names the subject and the law, an exemption that is not needed is a failure.

    >>> run_checks("it", {"law": lambda: None}, {"law": "it cannot"})
    Traceback (most recent call last):
    ...
    AssertionError: it keeps the law law, from which it is exempt ('it cannot'); remove the exemption
    """
    if unknown := [name for name in exempt if name not in checks]:
        raise ValueError(f"unknown law {unknown[0]!r} in exempt; the laws are {', '.join(checks)}")
    for name, check in checks.items():
        try:
            check()
        except AssertionError as error:
            if name not in exempt:
                reason = str(error).partition("\nassert ")[0]  # pytest adds the rest where it rewrites assertions
                raise AssertionError(f"{subject} breaks the law {name}: {reason}") from None
        else:
            if name in exempt:
                why = f"from which it is exempt ({exempt[name]!r}); remove the exemption"
                raise AssertionError(f"{subject} keeps the law {name}, {why}")
