"""The switch of mutants: copied to the root of the instrumented code, as `mutant_switch`.

`CRANFIELD_MUTANT` names the active mutant, also for processes that tests start. `CRANFIELD_REACHED` is a file for the
mutants that a test reaches.
"""

import os

active = int(os.environ.get("CRANFIELD_MUTANT", "-1"))
reached: set[int] = set()


def mutant_is_active(index: int) -> bool:
    """Return whether this mutant is active, and note that a test reached it."""
    if index not in reached:
        reached.add(index)
        if path := os.environ.get("CRANFIELD_REACHED"):
            file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            os.write(file, f"{index}\n".encode())
            os.close(file)
    return index == active
