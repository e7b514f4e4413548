"""The start of the program `cranfield`: collect garbage seldom, before the modules of the program are loaded."""

import gc

from cranfield.cli import CONTAINERS_BETWEEN_COLLECTIONS


def main() -> None:
    """Load the program and run its command line."""
    gc.set_threshold(CONTAINERS_BETWEEN_COLLECTIONS)
    from cranfield.cli.program import main as run_command_line

    run_command_line()
