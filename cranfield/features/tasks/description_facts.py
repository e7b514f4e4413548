"""The description of a task as pages show it: dates, format of runs, limits, measures, and who sees what."""

from collections.abc import Sequence

from cranfield.features.tasks.description import RunField, SharedTask, TaskDate
from cranfield.report.blocks import Facts
from cranfield.web.language import Language, translatable

DATE_TERMS = {
    "topics": translatable("Topics and documents"),
    "open": translatable("Runs from"),
    "close": translatable("Deadline"),
    "results": translatable("Results"),
}
LATE_TEXTS = {
    "refuse": translatable("refused"),
    "unpooled": translatable("scored but not pooled"),
}
MISSING_TEXTS = {
    "error": translatable("every topic needs at least one document"),
    "warn": translatable("a topic may have no documents"),
}
QRELS_TEXTS = {
    "hidden": translatable("hidden from the teams"),
    "after": translatable("released to the teams with the results"),
}
NAMES_TEXTS = {
    "own": translatable("each team sees only its own name in the results"),
    "all": translatable("each team sees the names of all teams in the results"),
}


def description_facts(task: SharedTask, dates: Sequence[TaskDate], language: Language) -> Facts:
    """Describe a task in facts, its dates in UTC.

    Parameters
    ----------
    task : SharedTask
        The task.
    dates : sequence of TaskDate
        Its dates, as they came about or as they are planned.
    language : Language
        The language of the page.

    Returns
    -------
    Facts
        Terms with their values, without the terms of use.
    """
    pairs = [
        (translatable("Name"), task.name),
        *((DATE_TERMS[one.name], str(one)) for one in dates),
        (translatable("Late runs"), language.look_up(LATE_TEXTS[task.late])),
        (translatable("Format of runs"), _format_text(task, language)),
        *([(translatable("Further fields of runs"), _fields_text(task.field, language))] if task.field else []),
        (translatable("Limits of a file"), _file_text(task, language)),
        (translatable("Limits of a team"), _team_text(task, language)),
        (translatable("Pool"), _pool_text(task, language)),
        (translatable("Measures"), ", ".join(task.measures)),
        (translatable("Leaderboard"), _leaderboard_text(task, language)),
        (translatable("Names of teams"), language.look_up(NAMES_TEXTS[task.names])),
        (translatable("Qrels"), language.look_up(QRELS_TEXTS[task.qrels])),
    ]
    return Facts(pairs)


def _format_text(task: SharedTask, language: Language) -> str:
    columns = language.gettext(
        "TREC run file with six columns (topic, Q0, document, rank, score, tag), plain or compressed with gzip"
    )
    return f"{columns}; {language.look_up(MISSING_TEXTS[task.missing])}"


def _fields_text(fields: Sequence[RunField], language: Language) -> str:
    optional = language.gettext("optional")
    return "; ".join(
        f"{one.about or one.name}{'' if one.required else f' ({optional})'}"
        + (f": {', '.join(one.choices)}" if one.choices else "")
        for one in fields
    )


def _file_text(task: SharedTask, language: Language) -> str:
    documents = language.ngettext(
        "at most %(num)s document per topic", "at most %(num)s documents per topic", task.documents
    )
    sizes = language.gettext(
        "at most %(size)s as sent and %(unpacked)s unpacked",
        size=_size_text(task.size),
        unpacked=_size_text(task.unpacked),
    )
    return f"{documents}; {sizes}"


def _size_text(size: str) -> str:
    """A size with its unit.

    >>> _size_text("64M"), _size_text("2gb"), _size_text("500000")
    ('64 MB', '2 GB', '500000 B')
    """
    number = size.strip().upper().removesuffix("B")
    return f"{number[:-1]} {number[-1]}B" if number[-1:] in "KMG" else f"{number} B"


def _team_text(task: SharedTask, language: Language) -> str:
    runs = language.ngettext("at most %(num)s run", "at most %(num)s runs", task.runs)
    sent = language.ngettext(
        "at most %(num)s submission, of which %(day)s in 24 hours",
        "at most %(num)s submissions, of which %(day)s in 24 hours",
        task.total,
        day=task.day,
    )
    return f"{runs}; {sent}"


def _pool_text(task: SharedTask, language: Language) -> str:
    return language.ngettext(
        "%(num)s run of each team, by priority, to depth %(depth)s",
        "%(num)s runs of each team, by priority, to depth %(depth)s",
        task.per_team,
        depth=task.depth,
    )


def _leaderboard_text(task: SharedTask, language: Language) -> str:
    if task.topic_set:
        text = language.gettext(
            "scores submissions on the topic set %(name)s while the task is open", name=task.topic_set
        )
    elif task.leaderboard == "after" or task.public == "results":
        text = language.gettext("shown when the results are released")
    else:
        text = language.gettext("hidden")
    if task.public != "results":
        return text
    public = language.gettext("open to everybody with the results")
    return f"{text}; {public}"
