"""Run the lines of the pages that use the folder of docs/cacm_files.py."""

import subprocess
import sys

from tests.conftest import ROOT, Cranfield, Result
from tests.docs import expand

MAKE = "python docs/cacm_files.py downloads/cacm cacm && cd cacm"  # the fixture cacm does this
JUDGE = "python ../docs/cacm_files.py judge "


def run_line(line: str, cranfield: Cranfield) -> Result:
    """Run a command of a page in the folder that MAKE makes."""
    if not line.startswith(JUDGE):
        program, *words = expand(line)
        assert program == "cranfield", line
        return cranfield(*words)
    command = [sys.executable, str(ROOT / "docs/cacm_files.py"), "judge", line.removeprefix(JUDGE)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    return Result(done.returncode, done.stdout, done.stderr)
