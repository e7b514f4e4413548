"""Names of functions, classes, fields and constants: no preposition leads them, and no pronoun stands alone."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Literal

import pytest

from benchmarks.house import (
    NO_NAMES,
    PREPOSITIONS,
    PROGRAM,
    ROOT,
    core_modules_naming_features,
    first_word,
    modules,
)
from tests.needed_features import EVERY_FEATURE

Kind = Literal["function", "field", "constant"]
KEPT_NAMES: Mapping[Kind, Mapping[str, str]] = {  # and the reasons why they stay
    "function": {
        "handlers that a library calls by name": """
            _on_paste _on_resize _on_signal on_app_blur on_app_focus on_end_request on_input_changed
            on_input_submitted on_key on_mount on_open_paste on_paste on_resize on_response_complete
        """,
        "the same value with or without something": """
            _with_visible_text _without_own_ids _without_text_index _without_units with_budget
            with_contributors with_documents with_intervals with_judged_shares
            with_model with_own_means with_repeats with_subtopics
            with_teams without_arms without_comments without_compression without_fence without_folder
            without_intervals without_nan without_noise
            without_pairs without_words
        """,
        "published functions, decorators, and properties of published records": """
            about at_chance before_judging by_depth in_python per_topic
        """,
    },
    "field": {
        "those of options, keywords, JSON, columns and tables, and those read after the name of their record": """
            about above after against all among at at_chance bare before behind below both by by_depth
            by_hand by_kind by_measure by_model by_models by_one by_pair by_rank by_topic by_two
            despite_srm each every for_two in_pool inside least more most none nothing of of_documents
            of_runs off_scale on once only other others outside over own past per_query per_team
            per_topic plain same several since twice under until up_to what which who whole whose
            with_gaps with_judging with_panel with_text without without_run without_text
        """,
    },
    "constant": {
        "types of options, which have the option's name": """
            OnAxes Only PerTopic Several SinceOption SinceRelease UntilOption Whose WithRunHeaders
        """,
        "to be renamed: say of what": """
            ALL EVERYBODY EVERYTHING LEAST MANY MORE MOST NOBODY NONE NOTHING OTHER OTHERS OWN PLAIN
            SEVERAL WHERE WHOLE WHOSE same
        """,
    },
}
KEPT = {kind: frozenset(" ".join(names.values()).split()) for kind, names in KEPT_NAMES.items()}


def given_names(tree: ast.Module) -> Iterator[tuple[Kind, str, int]]:
    """The names that a module gives, each with its kind and its line; a class is listed as a function.

    >>> tree = ast.parse("MOST = 3\\nclass Pool:\\n    depth: int = 1\\n    def by_topic(self, qid): pass")
    >>> sorted(given_names(tree), key=lambda given: given[2])
    [('constant', 'MOST', 1), ('function', 'Pool', 2), ('field', 'depth', 3), ('function', 'by_topic', 4)]
    """
    yield from (("constant", name, line) for name, line in assigned_names(tree.body))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield "function", node.name, node.lineno
        if isinstance(node, ast.ClassDef):
            yield from (("field", name, line) for name, line in assigned_names(node.body))


def assigned_names(statements: list[ast.stmt]) -> Iterator[tuple[str, int]]:
    """The names that these statements assign, each with its line.

    >>> list(assigned_names(ast.parse("FIRST, LAST = 0, 9\\nsize: int").body))
    [('FIRST', 1), ('LAST', 1), ('size', 2)]
    """
    for statement in statements:
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        for node in (node for target in targets if target is not None for node in ast.walk(target)):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id, node.lineno


def is_refused(name: str) -> bool:
    """Whether a preposition leads a name, or it is a pronoun, an adverb or a bare adjective.

    >>> [name for name in ("by_topic", "topics", "_of", "Without", "whole", "from_frame", "order") if is_refused(name)]
    ['by_topic', '_of', 'Without', 'whole']
    """
    return first_word(name) in PREPOSITIONS or (name.strip("_").lower() in NO_NAMES and name != "__all__")


@cache
def all_refused_names() -> Mapping[Kind, Mapping[str, str]]:
    """The refused names in the program by their kind, each with the place of its first definition."""
    found: dict[Kind, dict[str, str]] = {kind: {} for kind in KEPT}
    for path in modules(*PROGRAM[:4]):
        for kind, name, line in given_names(ast.parse(path.read_text("utf-8"))):
            if is_refused(name):
                found[kind].setdefault(name, f"{path.relative_to(ROOT)}:{line}")
    return found


@pytest.mark.parametrize("kind", KEPT)
def test_no_new_name_begins_with_a_preposition_or_is_a_pronoun(kind: Kind) -> None:
    new = [f"{place}: {name}" for name, place in all_refused_names()[kind].items() if name not in KEPT[kind]]
    assert not new, f"expected a verb with its object, or a noun, as {kind}:\n" + "\n".join(sorted(new))


@EVERY_FEATURE
@pytest.mark.parametrize("kind", KEPT)
def test_each_kept_name_is_in_the_program(kind: Kind) -> None:
    gone = KEPT[kind] - all_refused_names()[kind].keys()
    assert not gone, f"remove from KEPT_NAMES: {', '.join(sorted(gone))}"


def test_the_core_names_no_noun_of_a_feature() -> None:
    """So a feature can be deleted as a folder."""
    assert core_modules_naming_features(modules(*PROGRAM)) == []


def test_words_of_a_name() -> None:
    refused = ["of_runs", "_by_topic", "OnTopics", "BETWEEN", "others", "_whole", "without_gaps"]
    allowed = ["runs", "from_frame", "to_json", "as_row", "infer_depth", "format", "often", "is_own"]
    assert [name for name in refused + allowed if is_refused(name)] == refused
