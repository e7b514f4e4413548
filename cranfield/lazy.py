"""Packages whose names are loaded when first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazily(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """What a package needs as `__getattr__` to have names of its modules: `homes` says of which module each is.

    >>> lazily("cranfield.formats", {"bare_name": "files"})("bare_name")("input.r1.gz")
    'r1'
    >>> lazily("cranfield.formats", {})("read_nothing")
    Traceback (most recent call last):
    AttributeError: module 'cranfield.formats' has no attribute 'read_nothing'
    """

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return load
