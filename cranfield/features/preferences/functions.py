"""Preferences between documents: those in a store, and asking models for them."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Annotated, Literal

from cranfield.commands.calls import open_store_call
from cranfield.features.models.asked import Asked, outcome_of, prospect_of, write_questions
from cranfield.features.models.options import (
    Asking,
    OnlyTopics,
    ask_limits,
    check_server,
    check_topics,
    make_asker,
    prompt_option,
)
from cranfield.options import Argument, Grouped, Option
from cranfield.options.arguments import PresentStore, ReadStore, StoreLike, check_arguments
from cranfield.options.imports import AssessorKind, FileFormat
from cranfield.options.transfers import NewFile
from cranfield.parallel import progress_bar
from cranfield.results import Result, ResultInLines, WrittenFile
from cranfield.text import counted

AskingAboutPairs = Annotated[Asking, Grouped(prompt=Annotated[str, prompt_option("preference")])]
PairSource = Annotated[
    str,
    Option(
        "Pairs to compare: adjacent, disputed, or a file with lines 'qid docno docno'.",
        metavar="SOURCE",
        before="prompt",
    ),
]

PreferencesFile = Annotated[
    str | PathLike[str],
    Argument("File of preferences, or - for standard input.", metavar="FILE", typed=Path, reads="named formats"),
]
AssessorOfPreferences = Annotated[
    str,
    Option("Assessor who gave the preferences. [default: the groups of the file]", metavar="NAME", complete="assessor"),
]

PreferringAssessors = Annotated[
    Sequence[str],
    Option(
        "Assessor whose preferences count; may be repeated. [default: all people, otherwise models]",
        "--assessor", metavar="NAME",
        typed=list[str] | None, complete="assessor",
    ),
]  # fmt: skip
PreferencePolicy = Annotated[
    Literal["all", "majority"] | None,
    Option("How to treat assessors who disagree on a pair: count every vote, or keep the majority preference."),
]
PreferenceForm = Annotated[
    Literal["prefs", "copeland"], Option("Form of the file: prefs for trec_eval, or Copeland's levels.", "--format")
]


@check_arguments
def import_preferences(
    store: PresentStore,
    file: PreferencesFile,
    *,
    format: FileFormat = "auto",
    assessor: AssessorOfPreferences = "",
    kind: AssessorKind = "import",
) -> ResultInLines:
    """Import preferences between documents.

    The formats are trec_eval's prefs and qrels_prefs. Each pair of documents in a subgroup gives a preference, or a tie
    if both have the same level. A preference counts as if it had been given in both orders. Each group of the file is
    an assessor, unless `assessor` names one for all.

    Example: cranfield import preferences track.db prefs.txt --assessor nist

    Example: cranfield import preferences track.db pairs.txt

    Parameters
    ----------
    store : path or Store
        The store.
    file : path
        The file.
    format : str
        The file's format; detected from the content by default.
    assessor : str
        The assessor; by default, each group in the file is an assessor.
    kind : {"human", "model", "panel", "import"}
        The kind of the assessors.

    Returns
    -------
    ResultInLines
        One row: the number of preferences.

    Raises
    ------
    InputError
        If the file has an error, or names a topic or document that the store does not have.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from cranfield import Store
    >>> from cranfield.formats import Document, Topic
    >>> with TemporaryDirectory() as folder, Store.memory("one topic") as store:
    ...     _ = Path(folder, "prefs.txt").write_text("q1 0 ada d1 1\\nq1 0 ada d2 2\\n")
    ...     _ = store.add_topics([Topic("q1", "wings")])
    ...     _ = store.add_documents([Document("d1", text="a wing"), Document("d2", text="a tail")])
    ...     import_preferences(store, Path(folder, "prefs.txt"))
    1 preference imported
    """
    from cranfield.errors import file_named_in_errors
    from cranfield.features.preferences.files import import_preferences as add_preferences
    from cranfield.formats import read_preferences
    from cranfield.store.history import importing

    path = Path(file)
    with open_store_call(store) as call:
        with file_named_in_errors(path), importing(call.store, "preferences", [path]):
            number = add_preferences(call.store, read_preferences(path, format), assessor, kind)
        line, row = f"{counted(number, 'preference')} imported", {"preferences": number}
        return ResultInLines([row], lines=[line], context=call.context("store.import_preferences"))


@check_arguments
def list_preferences(
    store: StoreLike, *, assessors: Sequence[str] = (), policy: Literal["all", "majority"] | None = None,
    by: Literal["pair", "document"] = "pair",
) -> Result:  # fmt: skip
    """List preferences for pairs that were compared in both orders, or the document levels derived from them.

    A warning names the assessors whose preferences were chosen.

    Parameters
    ----------
    store : path or Store
        The store.
    assessors : sequence of str, optional
        The assessors whose preferences count; by default all people, otherwise models.
    policy : {"all", "majority"}, optional
        How to resolve disagreements between assessors on a pair: count every vote, or count one vote for each pair.
        With `by="document"`, contradictions are an error unless `assessors` or `policy` resolves them.
    by : {"pair", "document"}
        Rows: one for each pair, or one for each document.

    Returns
    -------
    Result
        With `by="pair"`, one row for each pair and assessor. `better` is missing for a tie. `consistent` is False if
        the answers in the two orders differ, which counts as a tie. With `by="document"`, Copeland's levels from 0,
        which order the documents of a topic by wins plus half of the ties.

    Raises
    ------
    InputError
        If no pair has been judged in both orders, or assessors contradict each other.

    Examples
    --------
    >>> from cranfield import Store
    >>> with Store.memory("pairs") as store:
    ...     list_preferences(store)
    Traceback (most recent call last):
    cranfield.errors.InputError: no pair has been judged in both orders yet; `cranfield judge --pairs` compares pairs
    """
    from cranfield.features.preferences.choice import choose_preferences
    from cranfield.features.preferences.files import as_rows, preferences_of
    from cranfield.features.preferences.pairs import copeland

    with open_store_call(store) as call:
        if by == "pair" and policy is None:
            answers = preferences_of(call.store, assessors).preferences
        else:
            chosen = choose_preferences(call.store, assessors, policy)
            answers = chosen.answers.preferences
            if chosen.was_chosen:
                call.note(chosen.line)
        if by == "pair":
            return Result(as_rows(answers), context=call.context("judging.list_preferences"))
        names = {"qid": "query_id", "docno": "doc_id"}
        levels = [{names.get(name, name): value for name, value in one._asdict().items()} for one in copeland(answers)]
        return Result(levels, context=call.context("judging.list_preferences"))


@check_arguments
def export_preferences(
    store: ReadStore,
    out: NewFile,
    *,
    assessors: PreferringAssessors = (),
    policy: PreferencePolicy = None,
    form: PreferenceForm = "prefs",
) -> WrittenFile:
    """Write preferences between documents that were compared in both orders.

    Different answers in the two orders count as a tie. If assessors disagree on a pair, choose `assessors` or `policy`;
    otherwise nothing is written.

    With `prefs`, the file is for `trec-eval -R prefs` and contains a group for each assessor. Preferences that form a
    cycle are written in separate groups. With `copeland`, the file contains qrels with levels from 0, ordered by wins
    plus half of the ties. Levels order the documents of one topic; they are not grades, and are never mixed with the
    store's grades.

    Example: cranfield export preferences track.db prefs.txt

    Example: cranfield export preferences track.db prefs.txt --assessor ada

    Parameters
    ----------
    store : path or Store
        The store.
    out : path
        The file to write; "-" is the standard output.
    assessors : sequence of str, optional
        The assessors whose preferences count; by default all people, otherwise models.
    policy : {"all", "majority"}, optional
        How to resolve disagreements between assessors on a pair: count every vote, or keep the majority preference.
    form : {"prefs", "copeland"}
        The format of the file.

    Returns
    -------
    WrittenFile
        One row, with the number of pairs judged in both orders.

    Raises
    ------
    InputError
        If no pair has been judged in both orders, or assessors contradict each other.

    Examples
    --------
    >>> from cranfield import Store
    >>> with Store.memory("pairs") as store:
    ...     export_preferences(store, "prefs.txt")
    Traceback (most recent call last):
    cranfield.errors.InputError: no pair has been judged in both orders yet; `cranfield judge --pairs` compares pairs
    """
    from cranfield.features.preferences.choice import choose_preferences
    from cranfield.features.preferences.files import as_lines, as_qrels
    from cranfield.features.preferences.pairs import copeland, incomplete
    from cranfield.formats import write_preferences, write_qrels
    from cranfield.formats.output_names import PREFERENCES, format_by_name

    path = Path(out)
    named = format_by_name(path, {form: PREFERENCES[form]}, form)
    with open_store_call(store) as call:
        answers, whose, _ = choose_preferences(call.store, assessors, policy)
        if form == "prefs":
            lines, circular = as_lines(answers.preferences)
            write_preferences(path, lines)
            cycles = counted(circular, "preference is", "preferences are")
            remark = f"{cycles} part of a cycle; each is written in a separate group" if circular else ""
        else:
            levels = copeland(answers.preferences)
            write_qrels(path, as_qrels(levels))
            some = incomplete(levels)
            remark = (
                f"in {counted(len(some), 'topic')}, not every document was compared with every other" if some else ""
            )
        left_out = [f"{answers.once} with an answer in only one order"] * bool(answers.once)
        left_out += [f"{answers.cannot} that cannot be compared"] * bool(answers.cannot)
        call.note(named.note, whose, remark, f"omitted pairs: {', '.join(left_out)}" if left_out else "")
        rows, context = [{"pairs": len(answers.preferences)}], call.context("judging.export_preferences")
        return WrittenFile(rows, lines=[str(answers)], context=context, path=path)


@check_arguments
def label_preferences(
    store: PresentStore,
    asking: AskingAboutPairs,
    pairs: PairSource,
    *,
    topics: OnlyTopics = (),
) -> Asked:
    """Ask a language model which of two documents is better, in both orders.

    It compares the pairs of `judge --pairs`. Different answers in the two orders count as a tie. The command prints how
    often the answers differ, and how often the model then chose the document shown first. The rules of `model assess
    run` apply: an unreadable answer does not count as a preference, every call is recorded, and known answers cost
    nothing. People's preferences take precedence over a model's.

    Example: cranfield model prefer track.db --model qwen3 --url http://127.0.0.1:8000/v1 --pairs disputed

    Example: cranfield model prefer track.db --model qwen3 --url http://127.0.0.1:8000/v1 --pairs adjacent --dry-run

    Parameters
    ----------
    store : path or Store
        The store.
    asking : Asking
        The model, its server or a batch file, the prompt ("preference" by default), and the limits on the number of
        questions.
    pairs : str
        "adjacent", "disputed", or a file with lines 'qid docno docno'.
    topics : sequence of str
        Use only these topics.

    Returns
    -------
    Asked
        Columns outcome and questions; "ok" means that the reply contained an answer. `judging.list_preferences` returns
        the resulting preferences.

    Raises
    ------
    ModelError
        If every reply of the server was an error, or no answer can be used.
    InputError
        If there are no such pairs, or if neither or both of `url` and `batch` are given.
    """
    from cranfield.features.models.asking.planned import asked_document
    from cranfield.features.preferences.by_model import PREFERENCE, plan_preferences
    from cranfield.features.preferences.pairs import resolve
    from cranfield.features.preferences.store import current_preferences

    check_topics(topics)
    check_server(asking)
    limits = ask_limits(asking)
    with open_store_call(store) as call:
        asker = make_asker(call.store, asking, PREFERENCE, "preference")
        plan, bare = plan_preferences(call.store, asker, pairs, topics, asking.again)
        if bare:
            call.note(f"omitted {counted(bare, 'pair')}, because the store lacks the text of one of the documents")
        context = call.context("models.label_preferences")
        if asking.dry_run:
            return prospect_of(plan, limits, context)
        if asking.batch is not None:
            return write_questions(plan, asking.batch, asking.limit, context)
        with progress_bar("asking", len(plan.subjects)) as advance:
            tally = plan.run(limits, advance)
        answers = resolve(current_preferences(call.store, asker.assessor))
    counts = {"pairs": len(answers.preferences), "different": answers.different, "shown_first": answers.shown_first}
    first = f"; {answers.shown_first} of the {2 * answers.different} answers to these chose the document shown first"
    about = f"{answers}{first if answers.different else ''}"
    asked = outcome_of(plan, tally, context, about=about, document=asked_document(plan, tally) | counts)
    asked.refuse_failures_alone()
    return asked
