"""trec-eval against what trec_eval 10.0 printed for its own test data, byte for byte.

Left out are the folder qrels_jg (a format of several judges, which is not read here) and what version 9 printed.
"""

import gzip
import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import usually
from tests.metrics.trec_eval.cases import run_trec_eval

EXPECTED = {
    "test": ["expected.txt", "expected_c.txt", "expected_default.txt", "expected_all.txt", "expected_params.txt"],
    "trunc": ["expected_c.txt", "expected_c_M100.txt"],
    "302": ["expected.txt", "expected_c.txt"],
    "rel_level": ["expected.txt", "expected_c.txt", "expected_l2.txt"],
    "comment": ["expected.txt", "expected_c.txt", "expected_default.txt"],
    "qrels_comments": ["expected.txt", "expected_c.txt"],
    "prefs": ["expected_prefs.txt"],
    "qrels_prefs": ["expected_qrels_prefs.txt"],
}
OTHER_FORMATS = {"qrels_jg"}
ABORTED = ("trunc", "expected.txt")
CHANGED = re.compile(r"^(iprec_at_recall|11pt_avg|rbp|unj_).*\n", re.MULTILINE)  # other in version 9, or not in it


def printed(folder: Path, expected: str) -> str:
    """What trec-eval prints with the arguments that were recorded."""
    recorded = json.loads((folder / "meta.json").read_text())["outputs"][expected]
    return run_trec_eval(*shlex.split(recorded["args"]), folder / "qrels", folder / "run")


@pytest.mark.parametrize(
    ("folder", "expected"), [(folder, name) for folder, names in EXPECTED.items() for name in names]
)
def test_the_output_is_trec_evals(shared: Path, folder: str, expected: str) -> None:
    """All of it, rbp included: what version 10.0 happened to print for rbp here is what the paper says."""
    path = shared / "trec_eval" / folder
    assert printed(path, expected) == (path / expected).read_text()


def test_where_trec_eval_stopped_the_program_goes_on(shared: Path) -> None:
    """At the first topic missing from the run; what was printed until then is the same, and the topic is left out."""
    path = shared / "trec_eval" / ABORTED[0]
    before = (path / ABORTED[1]).read_text()
    text = printed(path, ABORTED[1])
    assert before
    assert text.startswith(before)
    assert {line.split("\t")[1] for line in text.splitlines()} == {"301", "303", "all"}
    assert "num_q                 \tall\t2\n" in text


def test_no_expected_output_is_forgotten(shared: Path) -> None:
    """Every recorded output of every folder is compared, but for what is left out above."""
    recorded = {
        (path.parent.name, name)
        for path in (shared / "trec_eval").glob("*/meta.json")
        for name in json.loads(path.read_text())["outputs"]
        if path.parent.name not in OTHER_FORMATS
    }
    assert recorded == {(folder, name) for folder, names in EXPECTED.items() for name in names} | {ABORTED}


@pytest.mark.parametrize(
    "run", usually(["SABIR03BASE"], ["SABIR03BASE", "aplrob03a", "pircRBa1", "uwmtCR0", "UIUC03Rd1"])
)
def test_the_output_is_that_of_the_trec_eval_which_is_installed(shared: Path, tmp_path: Path, run: str) -> None:
    """Byte for byte, on a run of the Robust track; of version 9 all that version 10 left as it was."""
    binary = shutil.which("trec_eval")
    if binary is None:
        pytest.skip("needs trec_eval on PATH")
    for name, packed in (("qrels", "qrels.robust03.txt.gz"), ("run", f"runs/input.{run}.gz")):
        (tmp_path / name).write_bytes(gzip.decompress((shared / "robust03" / packed).read_bytes()))
    arguments = ["-q", "-m", "all_trec", str(tmp_path / "qrels"), str(tmp_path / "run")]
    theirs = subprocess.run([binary, *arguments], capture_output=True, text=True, check=True).stdout
    assert len(theirs) > 100_000
    assert CHANGED.sub("", run_trec_eval(*arguments)) == CHANGED.sub("", theirs)
