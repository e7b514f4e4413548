"""A user's permission for the file of a system: what it asks, which variables it reads, what it runs.

The file may come from a stranger. Once a user has agreed, the program remembers a hash for them: of the file, of the
variables, of the path of the program, and of the program and the files it is given if these may come with the file.
"""

import os
import shlex
from collections.abc import Callable
from pathlib import Path

from cranfield.errors import InputError
from cranfield.features.collecting.systems.definition import Engine, variables_in


def permission_folder() -> Path:
    """Return the folder that remembers which files the user allowed, below XDG_STATE_HOME or ~/.local/state."""
    state = os.environ.get("XDG_STATE_HOME", "")
    base = Path(state) if os.path.isabs(state) else Path.home() / ".local" / "state"
    return base / "cranfield" / "systems"


def describe_access(system: Engine) -> list[str]:
    """Return a line for each thing that a file makes this program do.

    >>> from cranfield.features.collecting.systems.definition import parse_system
    >>> describe_access(parse_system('name = "x"\\nkind = "command"\\nargv = ["rank-it", "a b"]', Path("x.toml")))
    ["runs the command: rank-it 'a b'", 'passes the environment variables: PATH']
    """
    if system.kind == "command":
        names = ", ".join(["PATH", *sorted(system.variables - {"PATH"})])
        used = [f"uses the file: {file.path}{f' with SHA-256 {file.sha256}' * bool(file.sha256)}"
                for file in system.used_files()]  # fmt: skip
        return [
            f"runs the command: {shlex.join(system.values['argv'])}",
            *used,
            f"passes the environment variables: {names}",
        ]
    names = ", ".join(variables_in(system.values)) or "none"
    return [f"sends requests to the host: {system.host}", f"sends the environment variables: {names}"]


def check_permission(system: Engine, allow: str | None) -> None:
    """Refuse to use a file in Python unless the caller allows this content of the file.

    Parameters
    ----------
    system : Engine
        The system that the file describes.
    allow : str or None
        The hash of the file and of the variables that the caller allows (`permission_hash`), as the error shows it.

    Raises
    ------
    InputError
        If `allow` is another hash. The message lists the host, the variables and the command of the file.

    Examples
    --------
    >>> from cranfield.features.collecting.systems.definition import parse_system
    >>> system = parse_system('name = "x"\\nkind = "command"\\nargv = ["rank"]', Path("x.toml"))
    >>> check_permission(system, system.permission_hash)
    >>> try:
    ...     check_permission(system, None)
    ... except InputError as error:
    ...     print(error.message.partition("; ")[0])
    not allowed: it runs the command: rank
    """
    if allow != system.permission_hash:
        found_now = "not allowed" if allow is None else f"not allowed by allow={allow!r:.80}"
        access = "; it ".join(describe_access(system))
        raise InputError(f'{found_now}: it {access}. allow="{system.permission_hash}" allows it', system.path)


def require_permission(system: Engine, agreed: bool, ask: Callable[[list[str]], bool] | None = None) -> str:
    """Refuse the first use of a file unless the user agrees, and remember that they did.

    Parameters
    ----------
    system : Engine
        The system that the file describes.
    agreed : bool
        Whether the user gave --yes.
    ask : callable, optional
        Shows lines in a terminal and returns whether the user agreed. None where there is no terminal.

    Returns
    -------
    str
        The hash that the user allowed. It differs from `permission_hash` if the program changes afterwards.

    Raises
    ------
    InputError
        If the user has not agreed.
    """
    allowed = system.permission_hash
    file = permission_folder() / allowed
    if file.is_file():
        return allowed
    lines = describe_access(system)
    if not agreed and not (ask is not None and ask(lines)):
        new = f"this system file is new: it {'; it '.join(lines)}"
        raise InputError(f"{new}. To allow this, use --yes", system.path)
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file.write_text("\n".join(lines) + "\n", "utf-8")
    except OSError:
        pass  # the user is asked again next time
    return allowed
