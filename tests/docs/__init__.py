import shlex
from pathlib import Path


def expand(line: str) -> list[str]:
    """The words of a line as a shell hands them over, without its comment.

    >>> expand('judge "my store.db" # with keys')
    ['judge', 'my store.db']
    """
    words = shlex.split(line, comments=True)
    return [name for word in words for name in (sorted(map(str, Path().glob(word))) if "*" in word else [word])]
