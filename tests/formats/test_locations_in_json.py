"""An error in a file that is one JSON value names an entry, or a line that exists."""

import json
from pathlib import Path

import pytest

from cranfield.errors import InputError
from cranfield.formats import read_runs, read_votes

RUN = {"q1": {"d1": 3, "d2": 2}, "q2": {"d1": 1, "d3": "high"}}
DUPLICATE = '{"1": {"a": 9, "c": 8, "a": 7}}'
REQUEST = [{"query": {"qid": "1", "text": "oil"}, "candidates": [{"docid": "a", "score": 1}, {"docid": "b"}]}]
MTEB = {"mteb_model_meta": {"model_name": "m"}, "default": {"test": {"1": {"a": 1, "b": "x"}}}}


@pytest.mark.parametrize(("text", "place"), [
    (json.dumps(RUN, indent=1), r"run\.json, entry 4: score 'high' is not a number"),
    (DUPLICATE, r"run\.json, entry 3: duplicate document a of topic 1, first in entry 1"),
    ('{"q1": {"NaN": 1,\n\n "d2": NaN}}', r"run\.json:3: not JSON: NaN is not a number"),
    ('{"q1": {"d1": 1,\n "d2": -1e999}}', r"run\.json:2: not JSON: -1e999 is not a number"),
    (json.dumps(REQUEST), r"run\.json, entry 2: score is null"),
    (json.dumps(MTEB), r"run\.json, entry 2: score 'x' is not a number"),
])  # fmt: skip
def test_an_error_in_a_run_names_its_entry(text: str, place: str, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(InputError, match=place):
        read_runs(tmp_path / "run.json")


def test_an_error_in_labels_names_its_entry(tmp_path: Path) -> None:
    tasks: list[dict[str, object]] = [
        {"id": number, "data": {"qid": "1", "docno": "d"}, "annotations": []} for number in (1, 2)
    ]
    (tmp_path / "labels.json").write_text(json.dumps([*tasks, {"id": 3, "data": {"qid": "1"}}], indent=1))
    with pytest.raises(InputError, match=r"labels\.json, entry 3: "):
        read_votes(tmp_path / "labels.json", format="label-studio")
