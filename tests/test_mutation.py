"""`python -m benchmarks.mutation`: which mutants it draws, and the code with their switches."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.mutation.__main__ import main
from benchmarks.mutation.draw import Mutant, draw_mutants, find_again, find_mutants, write_switches
from tests.conftest import ROOT

MODULE = '''"""A module."""

from __future__ import annotations

LIMIT = 3


class Shop:
    """A class."""

    size: int = 1

    def price(self, amount: int = 2) -> float:
        """Return the price, with a discount for more than one."""
        total = amount * self.size
        total += LIMIT
        return total if amount > 1 and not self.size else -total


half = lambda number: number / 2  # noqa: E731
'''


@pytest.fixture
def module(tmp_path: Path) -> Path:
    """A checkout with one module."""
    (tmp_path / "metrics").mkdir()
    (tmp_path / "metrics" / "__init__.py").touch()
    (tmp_path / "metrics" / "shop.py").write_text(MODULE)
    return tmp_path


def test_each_expression_of_a_function_has_its_changes(module: Path) -> None:
    """Constants of modules and classes, annotations and default values do not change."""
    found = {(mutant.function, mutant.operator, mutant.before, mutant.after) for mutant in find_mutants(module)}
    result = "total if amount > 1 and (not self.size) else -total"
    assert found == {
        ("Shop.price", "arithmetic", "amount * self.size", "amount / self.size"),
        ("Shop.price", "arithmetic", "total += LIMIT", "total -= LIMIT"),
        ("Shop.price", "constant", "1", "2"),
        ("Shop.price", "comparison", "amount > 1", "amount >= 1"),
        ("Shop.price", "boolean", "not self.size", "bool(self.size)"),
        ("Shop.price", "boolean", "amount > 1 and (not self.size)", "amount > 1 or not self.size"),
        ("Shop.price", "arithmetic", "-total", "total"),
        ("Shop.price", "return", result, "None"),
        ("", "arithmetic", "number / 2", "number * 2"),
        ("", "constant", "2", "3"),
    }


def test_a_switch_makes_the_change_of_its_mutant_and_no_other(module: Path) -> None:
    mutants = find_mutants(module)
    write_switches(module, [None, *mutants])
    (module / "mutant_switch.py").write_bytes((ROOT / "benchmarks" / "mutation" / "switch.py").read_bytes())
    prices = {}
    for index, mutant in enumerate([None, *mutants]):
        reached = module / "reached"
        program = "from metrics.shop import Shop, half; print(Shop().price(), half(8))"
        printed = subprocess.run(
            [sys.executable, "-c", program],
            cwd=module,
            env={**os.environ, "CRANFIELD_MUTANT": str(index), "CRANFIELD_REACHED": str(reached)},
            capture_output=True,
            text=True,
            check=True,
        )
        prices[mutant and (mutant.before, mutant.after)] = printed.stdout.split()
    assert {*map(int, reached.read_text().split())} == {*range(1, len(mutants) + 1)}
    assert prices.pop(None) == ["-5", "4.0"]
    assert prices == {
        ("amount * self.size", "amount / self.size"): ["-5.0", "4.0"],
        ("total += LIMIT", "total -= LIMIT"): ["1", "4.0"],
        ("1", "2"): ["-5", "4.0"],
        ("amount > 1", "amount >= 1"): ["-5", "4.0"],
        ("not self.size", "bool(self.size)"): ["5", "4.0"],
        ("amount > 1 and (not self.size)", "amount > 1 or not self.size"): ["5", "4.0"],
        ("-total", "total"): ["5", "4.0"],
        ("total if amount > 1 and (not self.size) else -total", "None"): ["None", "4.0"],
        ("number / 2", "number * 2"): ["-5", "16"],
        ("2", "3"): ["-5", "2.6666666666666665"],
    }


def test_a_seed_draws_the_same_mutants_and_another_commit_has_them_again(module: Path) -> None:
    drawn = draw_mutants(module, 4, 11)
    assert drawn == draw_mutants(module, 4, 11)
    path = module / "metrics" / "shop.py"
    path.write_text(MODULE.replace("total += LIMIT", "total += LIMIT * 1").replace("class Shop", "\n\nclass Shop"))
    gone = Mutant("metrics/gone.py", "f", 0, 1, "constant", "1", "2")
    *again, none = find_again(module, [*drawn, gone])
    assert none is None
    for before, after in zip(drawn, again, strict=True):
        if "LIMIT" in before.before:
            assert after is None
        else:
            assert after is not None
            assert after.line == before.line + 2
            assert after.is_same_change(before)


@pytest.mark.full
def test_the_tests_of_a_checkout_kill_mutants(module: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A test that fails without a mutant kills none; a mutant that no test reaches survives."""
    (module / "tests").mkdir()
    (module / "tests" / "test_shop.py").write_text(
        "import pytest\n"
        "from metrics.shop import Shop, half\n\n"
        "@pytest.fixture(scope='module')\n"
        "def price():\n    return Shop().price()\n\n"
        "def test_broken():\n    assert half(8) == 5\n\n"
        "def test_price(price):\n    assert price == -5\n"
    )
    (module / "benchmarks").mkdir()
    (module / "benchmarks" / "__init__.py").touch()
    main(["--checkout", str(module), "--mutants", "10", "--jobs", "1", "--out", str(tmp_path / "out.json")])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "quick: 5 of 10 mutants killed so far (50%)"
    assert {line.split(": ")[0].split(" ", 2)[2] for line in lines[1:] if line.endswith("test_price")} == {
        "total += LIMIT -> total -= LIMIT",
        "not self.size -> bool(self.size)",
        "amount > 1 and (not self.size) -> amount > 1 or not self.size",
        "-total -> total",
        "total if amount > 1 and (not self.size) else -total -> None",
    }
    with pytest.raises(SystemExit, match="5 of 10 mutants were killed; expected 90%"):
        main(["--checkout", str(module), "--mutants", "10", "--jobs", "1", "--least", "0.9"])
