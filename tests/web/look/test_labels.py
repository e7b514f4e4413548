"""What pages call policies and measures in links and select boxes: words, not the names of the command line."""

import re
from pathlib import Path

import pytest

from cranfield.features.answers.look import MEASURE_TITLES
from cranfield.features.answers.measures import ANSWER_MEASURES
from cranfield.selection import POLICY_NAMES
from cranfield.store.store import Store
from cranfield.web.look.labels import POLICY
from cranfield.web.look.table import answer
from cranfield.web.policy_titles import policy_title
from tests.web.test_on_a_phone import answered_store

pytestmark = pytest.mark.needs("answers")


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with answers whose labels differ."""
    answered_store(path := tmp_path_factory.mktemp("labels") / "s.db")
    return path


@pytest.mark.parametrize("name", ["answer-systems", "answer-compare", "answer-reusability"])
def test_policies_have_words(answered: Path, name: str) -> None:
    """In the links that choose one, and in the select box; the address keeps the name."""
    with Store.open(answered) as store:
        page = answer(store, name, "", []).text()
        offered = POLICY.choices(store)[1:] if POLICY.choices else []
    links = dict(re.findall(r'<a href="[^"]*policy=([\w-]+)">([^<]+)</a>', page))
    assert links == {policy: policy_title(policy) for policy in POLICY_NAMES}
    choices = dict(re.findall(r'<option value="([\w-]+)"[^>]*>([^<]+)</option>', page))
    assert {policy: choices[policy] for policy in offered} == {policy: policy_title(policy) for policy in offered}
    assert not {*links.values()} & {*POLICY_NAMES}


def test_each_measure_of_answers_has_words() -> None:
    """The select box of a measure has its name and a few words."""
    assert [*MEASURE_TITLES] == [str(measure) for measure in ANSWER_MEASURES]
