"""Processes beside each other, in turn: seconds and peak memory of each."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

PATIENCE = 15.0  # seconds after which a command is not run again


class Timing(NamedTuple):
    """One process: seconds, seconds of CPU and peak memory in MB (children too), and seconds of work if it says so."""

    seconds: float
    cpu: float
    memory: float
    work: float | None = None

    @property
    def cost(self) -> float:
        """What a ratio is of: work where it is known, else the whole process."""
        return self.seconds if self.work is None else self.work


def time_command(command: Sequence[str]) -> Timing:
    """Run a command to its end."""
    start = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
    ) as child:
        assert child.stdout
        assert child.stderr
        output, complaint = child.stdout.read(), child.stderr.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - start
    if child.returncode:
        sys.exit(f"{' '.join(command)[:300]} failed: {complaint[-2000:]}")
    work = json.loads(output)["work"] if output.startswith('{"work"') else None
    return Timing(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, work)


def environment() -> dict[str, str]:
    """That of this process, in which Python keeps what it compiles: else each start would compile cranfield anew."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def without(commands: Mapping[str, list[str]], labels: Collection[str]) -> dict[str, list[str]]:
    """The commands but these."""
    return {label: command for label, command in commands.items() if label not in labels}


def in_turn(commands: Mapping[str, Sequence[str]], rounds: int) -> dict[str, Timing]:
    """Each command up to `rounds` times, in turn; the quietest of each, number by number."""
    timings: dict[str, list[Timing]] = {label: [] for label in commands}
    for _ in range(rounds):
        for label, command in commands.items():
            if sum(one.seconds for one in timings[label]) < PATIENCE:
                timings[label].append(time_command(command))
    return {label: quietest(several) for label, several in timings.items()}


def quietest(several: Sequence[Timing]) -> Timing:
    """The least of each number.

    >>> quietest([Timing(1.0, 1.5, 20.0, 0.5), Timing(2.0, 1.0, 10.0, 0.4)])
    Timing(seconds=1.0, cpu=1.0, memory=10.0, work=0.4)
    """
    seconds, cpu, memory, work = zip(*several, strict=True)
    return Timing(min(seconds), min(cpu), min(memory), None if None in work else min(work))
