"""The TOML file of a system outside, read and checked.

Keys of other services are taken from the environment alone: `${NAME}` in a header is replaced when a request is made,
and what looks like a key that is written out is refused, so that the file can be stored with its run.
"""

import os
import re
import shutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import file_digest, sha256
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from cranfield.errors import InputError
from cranfield.formats.mappings import parse_toml

KINDS: Mapping[str, tuple[str, ...]] = {
    "http": ("request", "answer"),
    "command": ("argv",),
    "embeddings": ("url", "model"),
}
LIMITS = {"concurrency": 2, "timeout": 30, "attempts": 3, "max_bytes": "32M"}
OPTIONAL: Mapping[str, tuple[str, ...]] = {
    "http": (), "command": (), "embeddings": ("headers", "document_prefix", "query_prefix", "max_chars", "batch"),
}  # fmt: skip
REQUEST = ("url", "method", "body", "headers", "page_size", "first_page", "most")
ANSWER = ("hits", "id", "score", "absent", "require")
PLACEHOLDER = re.compile(r"\{(\w+)(?::(words|any))?\}")
FIELDS = ("title", "description", "narrative", "qid")
NUMBERS = ("from", "page", "size")
VARIABLE = re.compile(r"\$\{(\w+)\}")
PREFIX = "CRANFIELD_"  # of variables that a file may name without --env
SECRET_NAME = re.compile(r"auth|api-?key|token|secret|password|credential", re.IGNORECASE)
SECRET = re.compile(r"\b(sk-|ghp_|AKIA|eyJ)\w{8,}|(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{32,}")
SIZE = re.compile(r"(\d+)([KMG]?)")


class UsedFile(NamedTuple):
    """A file that a command runs or reads, by its resolved path; the hash is empty if only the path counts."""

    path: Path
    sha256: str


def _is_file(name: str) -> bool:
    try:
        return os.path.isfile(name)
    except ValueError:  # a NUL
        return False


def _hash_of(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path) from None


@dataclass(frozen=True)
class Engine:
    """A system outside, as its file says."""

    name: str
    kind: str
    text: str
    path: Path
    values: Mapping[str, Any] = field(default_factory=dict)
    variables: frozenset[str] = frozenset()  # that the user allows by name

    @property
    def permission_hash(self) -> str:
        """Of the file, the variables that the user allows, and the program with the files that its arguments name."""
        used = [text for file in self.used_files() for text in (str(file.path), file.sha256)]
        return sha256("\0".join([self.text, *sorted(self.variables), *used]).encode()).hexdigest()

    def used_files(self) -> list[UsedFile]:
        """Return the program of a command and the files that its arguments name, as they are now.

        A file is hashed if its path is relative or inside the folder of this file: both come with a stranger's file. Of
        another program only the path counts, so that an update of the machine needs no permission.
        """
        if self.kind != "command":
            return []
        program, *arguments = self.values["argv"]
        found = shutil.which(program)
        files = [self._used_file(name) for name in arguments if _is_file(name)]
        given = [file for file in files if file.sha256]
        return [self._used_file(found), *given] if found else given

    def _used_file(self, name: str) -> UsedFile:
        path, folder = Path(name).resolve(), self.path.resolve().parent
        is_inside = any(place.is_relative_to(folder) for place in (path, Path(os.path.abspath(name))))
        return UsedFile(path, _hash_of(path) if is_inside or not os.path.isabs(name) else "")

    @property
    def sha256(self) -> str:
        """Of the file."""
        return sha256(self.text.encode()).hexdigest()

    @property
    def url(self) -> str:
        """Where requests go; empty for a command."""
        return str(self.values.get("url") or self.values.get("request", {}).get("url", ""))

    @property
    def host(self) -> str:
        """The host of its URL, with its port."""
        return urlsplit(self.url).netloc

    def limit(self, name: str) -> int:
        """One of LIMITS; bytes as a number."""
        return bytes_of(self.values.get(name, LIMITS[name]))

    def headers(self) -> dict[str, str]:
        """The headers with what the environment says; a variable that is not set is refused, by its name."""
        return {name: self._fill_variables(value) for name, value in _headers(self.values).items()}

    def _fill_variables(self, value: str) -> str:
        for name in VARIABLE.findall(value):
            if not (name.startswith(PREFIX) or name in self.variables):
                raise InputError(
                    f"the variable {name} is not allowed; expected a name that begins with {PREFIX}, or --env {name}",
                    self.path,
                )
            if not os.environ.get(name):
                raise InputError(f"the variable {name} is not set, but the headers need it", self.path)
        return VARIABLE.sub(lambda match: os.environ[match[1]], value)


def bytes_of(value: object) -> int:
    """A size such as 32M.

    >>> bytes_of("32M"), bytes_of(7), bytes_of("much")
    (33554432, 7, 0)
    """
    match = SIZE.fullmatch(str(value))
    return int(match[1]) << 10 * ("", "K", "M", "G").index(match[2]) if match else 0


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_whole(value: object, least: int = 1) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


COUNTS = ("concurrency", "timeout", "attempts", "batch", "max_chars", "page_size", "most")
TEXTS = ("url", "model", "document_prefix", "query_prefix", "method", "hits", "id", "score")
RIGHT: tuple[tuple[Sequence[str], Callable[[Any], bool], str], ...] = (  # what values of keys have to be
    (["name"], lambda value: _is_text(value) and bool(re.fullmatch(r"\S+", value)),
     "a text without spaces (the run's tag)"),
    (TEXTS, _is_text, "a text"),
    (COUNTS, _is_whole, "a whole number of at least 1"),
    (["first_page"], lambda value: _is_whole(value, 0), "a whole number of at least 0"),
    (["max_bytes"], lambda value: bytes_of(value) > 0, "a number of bytes, such as 1000 or 32M"),
    (["argv"], lambda value: bool(value) and isinstance(value, list) and all(map(_is_text, value)),
     'a list of texts, such as ["rank", "--depth", "{size}"]'),
    (["absent"], lambda value: value == "none", '"none", which means that an answer without the path has no hits'),
    (["require"], lambda value: isinstance(value, dict), "a table of paths and expected values"),
    (["headers"], lambda value: isinstance(value, dict) and all(map(_is_text, value.values())), "a table of texts"),
)  # fmt: skip


def variables_in(values: Mapping[str, Any]) -> list[str]:
    """Return the variables that the headers of a file name.

    >>> variables_in({"headers": {"X-Key": "${A} ${B}"}})
    ['A', 'B']
    """
    return sorted({name for value in _headers(values).values() for name in VARIABLE.findall(value)})


def read_system(path: Path, variables: Collection[str] = ()) -> Engine:
    """Read a system from its file; `variables` are those of the environment that the user allows by name."""
    from cranfield.formats.files import read_text

    return replace(parse_system(read_text(path), path), variables=frozenset(variables))


def parse_system(text: str, path: Path) -> Engine:
    """The system that a text describes; what is wrong with it is said with its line.

    >>> parse_system('name = "x"\\nkind = "command"\\nargs = ["rank"]', Path("x.toml"))
    Traceback (most recent call last):
    cranfield.errors.InputError: x.toml:3: unknown key 'args'; a command has name, kind, argv, concurrency, timeout,
    attempts, max_bytes
    """
    values = parse_toml(text, path)
    kind = values.get("kind")
    if kind not in KINDS:
        wrong = "no kind" if kind is None else f"kind is {kind!r}"
        raise InputError(f"{wrong}; expected {' or '.join(KINDS)}", path, _line_of_key(text, "kind"))
    _check_keys(values, text, path)
    _check_secrets(values, text, path)
    _check_placeholders(values, text, path)
    engine = Engine(str(values["name"]), str(kind), text, path, values)
    if kind != "command":
        _check_url(engine)
    return engine


def _check_keys(values: Mapping[str, Any], text: str, path: Path) -> None:
    kind = values["kind"]
    least, most = (
        ("name", "kind", *KINDS[kind]),
        ("name", "kind", *KINDS[kind], *OPTIONAL[kind], *LIMITS),
    )
    parts = [(values, least, most, f"a system of kind {kind}" if kind != "command" else "a command")]
    if kind == "http":
        parts += [(_table(values, "request", text, path), ("url",), REQUEST, "[request]")]
        parts += [(_table(values, "answer", text, path), ("hits", "id"), ANSWER, "[answer]")]
    for part, must, may, what in parts:
        for key in part:
            if key not in may:
                raise InputError(f"unknown key {key!r}; {what} has {', '.join(may)}", path, _line_of_key(text, key))
        for key in must:
            if key not in part:
                raise InputError(f"{what} has no {key!r}", path)
        for key, value in part.items():
            for keys, is_right, right in RIGHT:
                if key in keys and not is_right(value):
                    raise InputError(f"{key} is {value!r:.40}; expected {right}", path, _line_of_key(text, key))


def _check_placeholders(values: Mapping[str, Any], text: str, path: Path) -> None:
    request = values.get("request", {})
    for key, value in _strings_with_keys({name: request[name] for name in ("url", "body") if name in request}):
        for match in re.finditer(r"\{(\w+)(:\w+)?\}", value):
            is_known = match[1] in FIELDS or (match[1] in NUMBERS and not match[2])
            if not (is_known and PLACEHOLDER.fullmatch(match[0])) and (not match[2] or match[1] in (*FIELDS, *NUMBERS)):
                there = ", ".join(f"{{{name}}}" for name in (*FIELDS, *NUMBERS))
                wrong = (
                    f"unknown placeholder {match[0]}; expected one of {there}, or {{title:words}} or"
                    f" {{title:any}} for texts"
                )
                raise InputError(wrong, path, _line_of_key(text, key))


def _table(values: Mapping[str, Any], name: str, text: str, path: Path) -> Mapping[str, Any]:
    table = values.get(name, {})
    if not isinstance(table, dict):
        raise InputError(f"{name} is {table!r:.40}; expected a table [{name}]", path, _line_of_key(text, name))
    return table


def _line_of_key(text: str, key: str) -> int | None:
    pattern = re.compile(rf"(^|[{{{{,])\s*\[?\"?{re.escape(key)}\b")
    return next((number for number, line in enumerate(text.splitlines(), 1) if pattern.search(line)), None)


def _headers(values: Mapping[str, Any]) -> Mapping[str, str]:
    headers: Mapping[str, str] = values.get("headers") or values.get("request", {}).get("headers") or {}
    return headers


def _check_secrets(values: Mapping[str, Any], text: str, path: Path) -> None:
    headers = _headers(values)
    for name, value in headers.items():
        bare = VARIABLE.sub("", str(value))
        if (SECRET_NAME.search(name) and not VARIABLE.search(str(value))) or SECRET.search(bare):
            raise InputError(
                f"the header {name} contains a literal key; put the key into an environment variable and write"
                f" ${{NAME}} here",
                path,
                _line_of_key(text, name),
            )
    for key, value in _strings_with_keys(values):
        if value in headers.values():
            continue
        if VARIABLE.search(value):
            raise InputError("${NAME} is a key, and keys go only into headers", path, _line_of_key(text, key))
        if SECRET.search(value) or urlsplit(value).password:
            raise InputError(
                f"{key} looks like a literal key; put keys into headers, as ${{NAME}}",
                path,
                _line_of_key(text, key),
            )


def _strings_with_keys(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _strings_with_keys(each, name)
    elif isinstance(value, list):
        for each in value:
            yield from _strings_with_keys(each, key)
    elif isinstance(value, str):
        yield key, value


def _check_url(system: Engine) -> None:
    parts = urlsplit(system.url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(
            f"url is {system.url!r:.60}; expected one such as https://host/search",
            system.path,
            _line_of_key(system.text, "url"),
        )
    uses_key = any(VARIABLE.search(value) for value in _headers(system.values).values())
    if uses_key and parts.scheme == "http" and not is_near(parts.hostname):
        raise InputError(
            f"a key would go to {parts.hostname} unencrypted; use https", system.path, _line_of_key(system.text, "url")
        )


def is_near(host: str) -> bool:
    """Whether a host is this machine or one of a private network.

    >>> [is_near(host) for host in ("localhost", "10.1.2.3", "search", "93.184.216.34", "example.org")]
    [True, True, True, False, False]
    """
    try:
        address = ip_address(host)
    except ValueError:
        return host == "localhost" or "." not in host or host.endswith((".localhost", ".internal", ".local"))
    return address.is_private or address.is_loopback
