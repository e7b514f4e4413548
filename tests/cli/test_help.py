"""The tree of commands, their help at every width, and how a shell completes them."""

import os
import re
import shlex
import subprocess
import sys
from inspect import signature
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import pytest
import typer.main

import cranfield.cli.summaries
from cranfield.cli import pages
from cranfield.cli.build import BuiltCommand
from cranfield.cli.common_options import expand_option_records
from cranfield.cli.completion import Completer, join_words_split_by_bash
from cranfield.cli.pages import EVERY_OPTION, MOST_LINES, MOST_OPTIONS, WIDEST, example_lines, examples_in
from cranfield.cli.program import app, main
from cranfield.cli.summaries import SUMMARIES
from cranfield.cli.tree import GROUPS, RENAMED, CommandName, commands_by_first_word, load_command
from cranfield.hooks import built_in_extensions
from cranfield.options import GROUPS as OPTION_GROUPS
from cranfield.options import OneOf
from tests.conftest import ROOT, Cranfield
from tests.summaries import current_summaries, source_lines

PLACES = [place for top in commands_by_first_word().values() for place in (top, *top.members.values())]


def places() -> list[CommandName]:
    """Every command and group."""
    return [place for top in commands_by_first_word().values() for place in top.places]


COMMANDS = [place for place in places() if place.module]


def page(command: Any, words: tuple[str, ...], *, every_option: bool = True) -> list[str]:
    """The lines of the page of `--help all`, or of `--help`."""
    context = command.context_class(
        command, info_name=" ".join(["cranfield", *words]), max_content_width=WIDEST, help_option_names=["-h", "--help"]
    )
    context.meta[EVERY_OPTION] = every_option
    return str(command.get_help(context)).splitlines()


@pytest.mark.parametrize("columns", [80, 140])
def test_pages_show_the_names_of_options_whole(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    """Each on a line with all its spellings and values; no line exceeds the width or breaks a word at its hyphen."""
    monkeypatch.setenv("COLUMNS", str(columns))
    for place in PLACES:
        command = load_command(place)
        lines = page(command, place.words)
        context = command.context_class(command, info_name="cranfield")
        assert max(map(len, lines)) <= columns, place
        assert not any("…" in line for line in lines), place
        assert not any(re.search(r"\w-$", line) for line in lines), place
        for option in command.params:
            if option.param_type_name == "option":
                names, _ = option.get_help_record(context)
                assert any(line == f"  {names}" or line.startswith(f"  {names}  ") for line in lines), (place, names)


@pytest.mark.parametrize("columns", [80, 140])
def test_paragraphs_fill_the_width(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    """The first word of a line does not fit on the line before, unless a paragraph begins with it."""
    monkeypatch.setenv("COLUMNS", str(columns))
    room = min(columns, WIDEST) - 2
    for place in PLACES:
        lines = page(load_command(place), place.words)
        body = lines[: next((at for at, line in enumerate(lines) if line.endswith(":")), len(lines))]
        for line, following in pairwise(body):
            if line.startswith("  ") and following.strip() and not line.endswith("\\"):
                assert len(line) + 1 + len(following.split()[0]) > room, (place, line)


LONGER = {"pool simulate": 26, "diff": 25}  # lines at 80 columns, where 24 are too few


@pytest.mark.parametrize("every_option", [False, True])
def test_examples_can_be_copied(monkeypatch: pytest.MonkeyPatch, *, every_option: bool) -> None:
    """At 80 columns: what the lines of an example say, a shell reads as the example."""
    monkeypatch.setenv("COLUMNS", "80")
    for place in COMMANDS:
        text = "\n".join(page(load_command(place), place.words, every_option=every_option))
        found = re.findall(r"^  (?:Example: )?(cranfield (?:.*\\\n)*.*)$", text, re.MULTILINE)
        shown = [shlex.split(one.replace("\\\n", "")) for one in found]
        assert [shlex.split(one) for one in examples_in(place.help)] == shown[:2], place
    for name, group in OPTION_GROUPS.items():
        lines = example_lines(group.example, 78)
        assert max(map(len, lines)) <= 78, name
        assert shlex.split("".join(line.removesuffix("\\") for line in lines)) == shlex.split(group.example), name


def test_the_help_of_a_command_fits_one_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """At 80 columns, with at most ten options of its own and a line for each group of options that it has."""
    monkeypatch.setenv("COLUMNS", "80")
    for place in COMMANDS:
        command = load_command(place)
        lines, name = page(command, place.words, every_option=False), " ".join(place.words)
        assert len(lines) <= LONGER.get(name, MOST_LINES), (name, len(lines))
        assert max(map(len, lines)) <= 80, name
        assert sum(line.startswith("  -") for line in lines) <= MOST_OPTIONS, name
        groups = {str(one.rich_help_panel) for one in command.params if one.param_type_name == "option"} - {"None"}
        assert groups <= OPTION_GROUPS.keys(), name
        assert [
            line.partition(":")[0].lower() for line in lines if line.partition(":")[0].lower() in OPTION_GROUPS
        ] == [group for group in OPTION_GROUPS if group in groups], name
        assert any(line.endswith(f"cranfield {name} --help all") for line in lines), name


@pytest.mark.needs("answers")  # whose options are in these pages
def test_short_help_has_choices_and_defaults_where_there_is_room(
    cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page does not lose an option to them, and does not grow beyond the screen."""
    monkeypatch.setenv("COLUMNS", "80")
    significance = cranfield.out("compare", "--help")
    assert "Significance test. [default: t]\n" in significance
    assert "Significance level. [default: 0.05]\n" in significance
    assert "[default: AP, nDCG@10, P@10]\n" in cranfield.out("diagnose", "--help")
    order = " ".join(cranfield.out("judge", "--help").split())
    assert "--order NAME Order of a topic's documents. One of hash, docid, priority, adaptive." in order


def test_help_all_has_every_option_of_the_parser(cranfield: Cranfield) -> None:
    """Of a command of the core and of a feature, as it is typed; and nothing that the parser does not have."""
    for place in [one for one in COMMANDS if " ".join(one.words) in ("evaluate", "pool forecast", "answers support")]:
        output = cranfield.out(*place.words, "--help", "all")
        flags = {
            flag for one in load_command(place).params for flag in (*one.opts, *one.secondary_opts) if flag[0] == "-"
        }
        listed = re.findall(r"^  (-\w, )?(--[\w-]+)", output, re.MULTILINE)
        assert {flag for flag in flags if flag.startswith("--")} <= {long for _, long in listed}, place
        assert {long for _, long in listed} <= {*flags, "--help"}, place
        assert cranfield.out(*place.words, "-h", "all") == output


def test_every_option_is_on_the_page_of_help_all() -> None:
    """With its names; the page of a command has no other options."""
    for place in COMMANDS:
        command = load_command(place)
        text = "\n".join(page(command, place.words)).rpartition("\nOptions:\n")[2]
        flags = {flag for one in command.params for flag in (*one.opts, *one.secondary_opts) if flag.startswith("--")}
        listed = set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", text, re.MULTILINE))
        assert listed - {"--help"} <= flags, place
        assert all(re.search(rf"(?<![\w-]){flag}(?![\w-])", text) for flag in flags), place


@pytest.mark.parametrize("group", OPTION_GROUPS)
@pytest.mark.needs("answers", "models")
def test_a_group_of_options_is_explained_once(cranfield: Cranfield, group: str) -> None:
    """Its page has every option that any command has in the group, what it is for and an example."""
    output = cranfield.out("help", group)
    named = {
        max(one.opts, key=len)
        for place in COMMANDS
        for one in load_command(place).params
        if one.param_type_name == "option" and one.rich_help_panel == group
    }
    assert named <= set(re.findall(r"--[a-z-]+", output))
    assert "cranfield" in OPTION_GROUPS[group].example
    assert OPTION_GROUPS[group].title in " ".join(output.split())


def test_the_pages_of_help_are_coloured_as_others_are(cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> None:
    """Colours reach the terminal as colours, not as visible marks."""
    monkeypatch.setattr(pages, "colour_text", lambda text, meaning, stream: f"\x1b[1m{text}\x1b[0m")
    for words in (("help", "output"), ("help", "info")):
        assert "\u241b" not in cranfield.out(*words), words


def test_help_explains_commands_as_well(cranfield: Cranfield) -> None:
    """The same pages; a word that is neither is an error that names what can be asked."""
    assert cranfield.out("help") == cranfield.out("--help")
    assert cranfield.out("help", "pool", "build") == cranfield.out("pool", "build", "--help")
    result = cranfield("help", "nothing")
    assert result.code == 2
    assert "selection" in result.err


NEEDED_BY_EXAMPLES = {
    "import corpus": pytest.mark.needs("documents"),
    "curve": pytest.mark.needs_extra("plot"),
    "depths": pytest.mark.needs_extra("plot"),
}


@pytest.mark.parametrize(
    "place",
    [pytest.param(place, marks=NEEDED_BY_EXAMPLES.get(" ".join(place.words), ())) for place in COMMANDS],
    ids=lambda place: " ".join(place.words),
)
def test_the_examples_of_a_command_are_right(
    place: CommandName, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Two of them, which the command itself reads."""
    monkeypatch.chdir(tmp_path)
    for name in ("dev.txt", "hard.txt", "qrels.txt.manifest.json"):
        (tmp_path / name).write_text("1\n")
    examples = examples_in(place.help)
    assert len(examples) == 2, examples
    for example in examples:
        first, *words = shlex.split(example)
        assert first == "cranfield"
        assert words[: len(place.words)] == [*place.words] or place.words in (("export", "pool"), ("pool", "export"))
        load_command(place).make_context(place.words[-1], words[len(place.words) :], help_option_names=["-h", "--help"])


@pytest.mark.needs("online")
def test_the_page_of_the_program_has_the_panels(monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands of each in one list, and at the end how to begin."""
    monkeypatch.setenv("COLUMNS", "80")
    lines = page(typer.main.get_command(app), ())
    assert [line for line in lines if line.endswith(":") and line[0] != " "] == [
        "Measure:",
        "Trust:",
        "Build:",
        "Judge:",
        "Help:",
        "Online:",
        "Options:",
    ]
    assert lines[-1] == "  Start with: cranfield demo"


@pytest.mark.parametrize(
    "group", ["", "import", "pool", "store", pytest.param("model assess", marks=pytest.mark.needs("models"))]
)
def test_a_group_without_a_command_prints_its_help(cranfield: Cranfield, group: str) -> None:
    """On the standard output, as `--help` does; the status is that of wrong usage."""
    result = cranfield(group)
    assert (result.code, result.err) == (2, "")
    assert result.out == cranfield.out(f"{group} --help")


def test_the_usage_line_names_the_arguments() -> None:
    """Those that may be left out in brackets."""
    places = {name: commands_by_first_word()[name] for name in ("demo", "diff")}
    usages = {name: page(load_command(place), place.words)[0] for name, place in places.items()}
    assert usages == {
        "demo": "Usage: cranfield demo [OPTIONS] [STORE]",
        "diff": "Usage: cranfield diff [OPTIONS] STORE|QRELS A B...|QRELS...",
    }


AS_IT_IS = {  # commands that take no --release: they change the store, or show it and its log as they are now
    "demo", "init", "collection build", "import", "search", "pool build", "pool extend", "export bundle", "export page",
    "export datasette-metadata", "store", "publish describe", "assign", "judge", "serve", "assessor", "adjudicate",
    "model assess", "model prefer", "model panel", "model audit draw", "answers nuggets make",
    "answers nuggets edit", "answers nuggets import", "answers nuggets assign", "answers claims", "answers questions",
    "answers rubrics", "answers correctness", "answers prefer",
    "answers support", "online", "diff", "fuse", "topics set", "topics split",
    "topics try", "topics keep", "topics drop",
    "round start", "round close", "round same", "task",
}  # fmt: skip
MOST = 42  # names at the top: a help page that is read at once


def walk(command: Any, words: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    """Every command and group of the program itself, with its words."""
    below = getattr(command, "commands", {})
    return [one for name, child in below.items() for one in [((*words, name), child), *walk(child, (*words, name))]]


def test_every_group_says_what_it_is_for() -> None:
    """And nothing else does."""
    assert {" ".join(place.words) for place in places() if place.members} == {*GROUPS}.union(
        *(one.groups for one in built_in_extensions().values())
    )


def test_a_command_has_the_name_of_its_function() -> None:
    """Where a module imports and exports, with the word before it; `pool export` is `export pool`."""
    for place in [one for one in COMMANDS if not isinstance(one.load(), BuiltCommand)]:  # they are called by their line
        names = {"_".join(place.words[-count:]).replace("-", "_") for count in (1, 2)}
        assert place.load().__name__.rstrip("_") in {*names, "pool"}, place


def test_what_only_reads_a_store_reads_its_releases() -> None:
    """A command whose argument is a store or a source takes --release, or is in the list here."""
    for place in COMMANDS:
        parameters = load_command(place).params
        arguments = [str(one.metavar) for one in parameters if one.param_type_name == "argument"]
        reads = any(re.search("STORE|SOURCE", metavar) for metavar in arguments)
        is_exempt = any(" ".join(place.words[:count]) in AS_IT_IS for count in (1, 2, 3))
        assert any(one.name == "release" for one in parameters) == (reads and not is_exempt), place


def test_limits_are_offered_where_files_are_read() -> None:
    """All commands that take PATHs or a SOURCE limit the length of a line and the size of a file."""
    for place in COMMANDS:
        parameters = load_command(place).params
        reads = any(re.match(r"PATH\.|SOURCE\.|QRELS", str(one.metavar)) for one in parameters)
        limits = [one.name for one in parameters if one.name in ("max_line", "max_document", "max_file")]
        assert len(limits) in ((2, 3) if reads else (0, 2, 3)), (place, limits)
        assert len(limits) == len({*limits}), place


def test_the_program_has_the_table() -> None:
    """What can be called is what the table has, in its order; a group does nothing by itself."""
    commands = walk(typer.main.get_command(app))
    assert [words for words, _ in commands] == [place.words for place in places()]
    for (_, command), place in zip(commands, places(), strict=True):
        below = place.members
        assert (list(getattr(command, "commands", {})), command.callback is None) == (list(below), bool(below))


def test_the_top_level_can_be_read_at_once() -> None:
    """Names at the top are few, and none is there twice."""
    assert len(commands_by_first_word()) <= MOST
    assert len({place.words for place in places()}) == len(places())


@pytest.mark.parametrize(("old", "new"), RENAMED.items())
def test_former_names_answer_with_the_new_ones(cranfield: Cranfield, old: str, new: str) -> None:
    """The command runs, a line says what it is called, and no page shows the former name."""
    by_old, by_new = cranfield(old, "nofile.db", "x"), cranfield(new, "nofile.db", "x")
    assert (by_old.code, by_old.out, by_old.err) == (
        by_new.code, by_new.out, f'note: "{old}" is now called "{new}"\n{by_new.err}',
    )  # fmt: skip
    assert new in cranfield("--help").out
    assert f" {old} " not in cranfield("--help").out
    assert cranfield("pool", old).code == 2


def test_a_command_is_loaded_without_the_others() -> None:
    """But those of its module; `pool export` is `export pool`."""
    code = "import sys; from cranfield.cli.program import app; app(sys.argv[1:], standalone_mode=False)"
    modules = "; print(*(name for name in sys.modules if name.startswith('cranfield.cli.commands.')))"
    process = subprocess.run(
        [sys.executable, "-c", code + modules, "pool", "methods"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert process.stdout.split("\n")[-2].split() == [f"cranfield.cli.commands.{name}" for name in ("exports", "pool")]


FREE = {  # texts that only the user knows
    "name", "description", "licence", "scale", "tag", "budgets", "total", "grades", "order", "reason", "option",
    "options", "field", "grade", "rename", "assessors", "common_words", "protect", "names", "words", "text", "columns",
    "source", "values",
    "split", "cluster", "date", "note", "version", "overlap", "give", "give_second", "pairs", "host", "invite",
    "invite_adjudicator", "expires", "base", "model", "url", "parameters", "price", "families", "family",
    "embedding_model", "embedding_url", "simulate", "shares", "thresholds", "fail_if", "team", "contact", "to", "title",
    "rounds", "budget", "language", "separator", "sources", "only", "qid", "what", "images_limit",
    "by", "cap", "margins", "attributes", "fields", "remove_judged",
}  # fmt: skip
ENVIRONMENT = {
    "bash": lambda words: {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)},
    "zsh": lambda words: {"_TYPER_COMPLETE_ARGS": " ".join(words)},
    "fish": lambda words: {"_TYPER_COMPLETE_ARGS": " ".join(words), "_TYPER_COMPLETE_FISH_ACTION": "get-args"},
}


def complete(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], shell: str, *words: object
) -> list[str]:
    """What a shell is offered for the last word."""
    with monkeypatch.context() as context:
        for name, value in ENVIRONMENT[shell](["cranfield", *map(str, words)]).items():
            context.setenv(name, value)
        context.setenv("_CRANFIELD_COMPLETE", f"complete_{shell}")
        context.setattr("sys.argv", ["cranfield"])
        with pytest.raises(SystemExit):
            main()
    lines = capsys.readouterr().out.splitlines()
    if shell == "zsh":
        lines = [line.removeprefix("_arguments '*: :((").removesuffix("))'").split('":"')[0] for line in lines]
    return [line.strip('"').split("\t")[0] for line in lines]


@pytest.mark.parametrize("shell", ENVIRONMENT)
@pytest.mark.needs("online")
def test_names_of_tables_and_of_the_store(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], workshop: Path, shell: str
) -> None:
    """The store is the one on the line; an unfinished option does not hide it."""

    def offers(*words: object) -> list[str]:
        return complete(monkeypatch, capsys, shell, *words)

    assert offers("evaluate", workshop, "-m", "nDCG@") == [f"nDCG@{cutoff}" for cutoff in (5, 10, 20, 100, 1000)]
    assert offers("evaluate", workshop, "-m", "AP,ndcg_c") == ["AP,ndcg_cut_10"]
    assert offers("compare", workshop, "--baseline", "bm25-") == ["bm25-titles", "bm25-weighted", "bm25-words"]
    assert offers("pool", "build", workshop, "--method", "mt") == ["mtf", "mtc"]
    assert offers("pool", "simulate", workshop, "--method", "rrf,maxm") == ["rrf,maxmean"]
    assert offers("judge", workshop, "--topic", "W1")[:2] == ["W10", "W11"]
    assert offers("agreement", workshop, "--assessor", "s") == ["second", "sweep"]
    assert offers("pool", "show", workshop, "--pool", "1") == ["1"]
    assert offers("why", workshop, "W01", "bw-00")[0] == "bw-001"
    assert offers("store", "remove", workshop, "run", "ls") == ["lsa"]
    assert offers("import", "qrels", workshop, "--format", "tr") == ["trec"]
    assert offers("export", "corpus", workshop, "x", "--format", "js") == ["jsonl"]
    assert offers("evaluate", workshop, "--format", "j") == ["json"]
    assert offers("compare", workshop, "--test", "tu") == ["tukey"]
    assert offers("measures", "--for", "rec") == ["recall"]
    assert offers("measures", "CTR") == ["CTR", "CTR@1", "CTR@5", "CTR@10"]
    assert offers("online", "show", workshop, "-m", "Dwell,Zero") == ["Dwell,ZeroHits"]
    assert offers("online", "clicks", "fit", workshop, "--model", "pbm,dbn") == ["pbm,dbn", "pbm,dbn-pyclick"]
    assert offers("online", "counterfactual", workshop, "bm25-words", "--estimator", "po") == ["position-based"]
    assert offers("online", "interleave", "lists", workshop, "bm25-t", "bm25-wo") == ["bm25-words"]
    assert offers("online", "interleave", "lists", workshop, "a", "b", "--method", "o") == ["optimized"]


def test_no_store_no_names(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A file of another kind, a damaged store and no file at all are no errors."""
    (tmp_path / "qrels").write_text("q 0 d 1\n")
    (tmp_path / "damaged.db").write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    for name in ("qrels", "damaged.db", "absent.db"):
        assert "".join(complete(monkeypatch, capsys, "bash", "compare", tmp_path / name, "--baseline", "b")) == ""


@pytest.mark.parametrize(
    ("words", "at", "line", "number", "start"),
    [
        ("cranfield evaluate x -m nDCG @ 1", 6, "cranfield evaluate x -m nDCG@1", 4, "nDCG"),
        ("cranfield evaluate x -m AP,P @", 5, "cranfield evaluate x -m AP,P@", 4, "AP,P"),
        ("cranfield evaluate x --measure = nDCG @ 1", 7, "cranfield evaluate x --measure=nDCG@1", 3, "nDCG"),
        ("cranfield evaluate x --format = j", 5, "cranfield evaluate x --format=j", 3, ""),
        ("cranfield evaluate x -m P @ 5 --plot f", 8, "cranfield evaluate x -m P@5 --plot f", 6, ""),
    ],
)
def test_bash_breaks_words_that_are_one(
    monkeypatch: pytest.MonkeyPatch, words: str, at: int, *, line: str, number: int, start: str
) -> None:
    """At @ and = ; what it wants back begins after the last of them."""
    monkeypatch.setenv("COMP_WORDS", words.replace(" ", "\n"))
    monkeypatch.setenv("COMP_CWORD", str(at))
    assert join_words_split_by_bash() == start
    assert (os.environ["COMP_WORDS"].replace("\n", " "), os.environ["COMP_CWORD"]) == (line, str(number))


def test_every_name_that_can_be_known_is_completed() -> None:
    """An option whose value is a text is completed, is a choice, or is in the list of free texts here."""
    free = set()
    for place in (place for top in commands_by_first_word().values() for place in top.places if not place.members):
        for name, parameter in signature(expand_option_records(place.load())).parameters.items():
            kind, *marks = get_args(parameter.annotation) or [None]
            texts = kind in (str, str | None, list[str], list[str] | None) and not name.startswith("max_")
            if texts and not any(isinstance(mark, Completer | OneOf) for mark in marks):
                free.add((" ".join(place.words), name))
    assert {name for _, name in free} <= FREE, sorted(free)


def test_completion_is_light(workshop: Path) -> None:
    """Without what tables, statistics and the screen need."""
    code = "import sys; from cranfield.cli.program import main\ntry: main()\nexcept SystemExit: pass\n"
    modules = "print(sorted(set(sys.modules) & {'pandas', 'scipy', 'rich', 'textual', 'matplotlib', 'sqlite_utils'}))"
    for words in ((workshop, "-m", "nD"), (workshop, "--assessor", "f")):
        variables = ENVIRONMENT["bash"](["cranfield", "evaluate", *map(str, words)])
        process = subprocess.run(
            [sys.executable, "-c", f"{code}{modules}"], capture_output=True, text=True, check=True,
            env={"_CRANFIELD_COMPLETE": "complete_bash", "_PROGRAM": "cranfield", **variables},
        )  # fmt: skip
        assert process.stdout.splitlines()[-1] == "[]"


def test_the_help_of_the_program_has_the_first_lines_of_docstrings() -> None:
    """`python -m tests.summaries` writes them again."""
    assert current_summaries() == SUMMARIES
    assert list(source_lines()) == Path(cranfield.cli.summaries.__file__).read_text("utf-8").splitlines()


def test_the_help_of_the_program_imports_no_command_of_the_core() -> None:
    code = (
        "import sys; from cranfield.cli.program import app; app(['--help'], standalone_mode=False);"
        "names = {one.rsplit('.', 1)[0] for one in sys.modules}; print({'cranfield.cli.commands'} & names)"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert printed.stdout.endswith("\nset()\n")
