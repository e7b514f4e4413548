"""`python -m tests.summaries` writes cranfield/cli/summaries.py again: what `cranfield --help` says of commands."""

from collections.abc import Iterator

import cranfield.cli.summaries
from cranfield.cli.tree import core_commands


def current_summaries() -> dict[str, str]:
    """The first line of the docstring of each command that stands in no group, by name."""
    return {one.words[0]: one.help.split("\n\n")[0] for one in core_commands() if len(one.words) == 1}


def source_lines() -> Iterator[str]:
    """The module, line by line, with its own docstring."""
    yield from f'"""{cranfield.cli.summaries.__doc__}"""'.splitlines()
    yield ""
    yield "SUMMARIES = {"
    for name, text in current_summaries().items():
        quote = "'" if '"' in text else '"'
        yield f'    "{name}": {quote}{text}{quote},'
    yield "}"


def main() -> None:
    """Write the module."""
    with open(cranfield.cli.summaries.__file__, "w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in source_lines())


if __name__ == "__main__":
    main()
