"""The answers to one topic side by side, with what people and models said of their nuggets and citations."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from cranfield.charts.svg.markup import html_text, join_markup
from cranfield.features.answers.judging.progress import LABEL_KINDS
from cranfield.features.answers.judging.tasks import SUPPORTS
from cranfield.features.answers.store.answers import StoredAnswer, answers_that_count, stored_answers
from cranfield.features.answers.store.labels import CurrentLabel, Item
from cranfield.features.answers.store.nuggets import Nugget, current_nuggets
from cranfield.report.blocks import Block, Cell, Html, TableBlock, Text
from cranfield.store.store import Store
from cranfield.text import visible_line
from cranfield.web.language import Language, translatable
from cranfield.web.look.page_text import remedy_links
from cranfield.web.look.view import PAGE, TOPIC, LookView, Query, QueryError, Row, address, page_of_rows

ANSWERS = 12  # on a page


class AnswerGroup(NamedTuple):
    """Answers that say the same in the same words, and cite the same documents."""

    runs: Sequence[str]
    answers: Sequence[StoredAnswer]

    @property
    def first(self) -> StoredAnswer:
        """The answer that is shown for all."""
        return self.answers[0]


def answer_groups(store: Store, qid: str) -> list[AnswerGroup]:
    """Return the answers to a topic that count; those that are the same are one group."""
    counting = answers_that_count(store)
    groups: dict[tuple[object, ...], list[StoredAnswer]] = {}
    for one in stored_answers(store, qid):
        if one.number in counting:
            key = tuple((sentence.text, tuple(sentence.citations)) for sentence in one.sentences)
            groups.setdefault(key, []).append(one)
    return [AnswerGroup([one.run for one in several], several) for several in groups.values()]


def _topic(query: Query) -> str:
    if query["topic"] is None:
        raise QueryError(
            translatable("there are no topics in this store; add some with `cranfield import topics`"), 404
        )
    return str(query["topic"])


def _labels(store: Store, kind: str, qid: str) -> dict[Item, list[CurrentLabel]]:
    """What was said of each item of the answers to a topic."""
    numbers = {one.number for one in stored_answers(store, qid)}
    labels: dict[Item, list[CurrentLabel]] = {}
    for one in LABEL_KINDS[kind].log.current(store, numbers):
        if one.kind != "later":
            labels.setdefault(one.item, []).append(one)
    return labels


def _rows(store: Store, query: Query) -> Sequence[Row]:
    """One row for each sentence of each answer."""
    return [
        {"run": answer.run, "position": at, "text": sentence.text, "citations": " ".join(sentence.citations)}
        for group in answer_groups(store, _topic(query))
        for answer in group.answers
        for at, sentence in enumerate(answer.sentences, 1)
    ]


def _document(store: Store, query: Query) -> object:
    qid = _topic(query)
    labels, runs = _labels(store, "nuggets", qid), {one.number: one.run for one in stored_answers(store, qid)}
    nuggets = [
        {
            "text": one.text,
            "importance": one.importance,
            "author": one.author,
            "labels": [
                {"run": runs[item[0]], "assessor": label.assessor, "label": label.label}
                for item, several in labels.items()
                if item[1] == one.number
                for label in several
            ],
        }
        for one in current_nuggets(store, qid)
    ]
    return {"topic": qid, "sentences": list(_rows(store, query)), "nuggets": nuggets}


def _parts(store: Store, query: Query) -> Sequence[Block]:
    qid = _topic(query)
    groups = answer_groups(store, qid)
    if not groups:
        return [
            Text(translatable("No run answered this topic.")),
            *(remedy_links("import answers", query.language) if not _has_answers(store) else []),
        ]
    part = page_of_rows(query, len(groups), ANSWERS, "answers")
    shown = groups[part.first : part.last]
    support = _labels(store, "support", qid)
    articles = [_article(group, support, query.language) for group in shown]
    return [
        *[Text(line) for line in _summary(groups, query.language)],
        *part.links,
        Html(join_markup(['<div class="answers">', *articles, "</div>"])),
        *_nugget_table(store, qid, groups, query.language),
    ]


def _summary(groups: Sequence[AnswerGroup], language: Language) -> list[str]:
    """How many answers there are, and which are the same."""
    number = sum(len(one.answers) for one in groups)
    several = [list(map(visible_line, one.runs)) for one in groups if len(one.runs) > 1]
    same = [
        language.gettext("These runs gave the same answer, which is shown once: %(runs)s.", runs=", ".join(names))
        for names in several
    ]
    return [language.ngettext("%(num)s answer.", "%(num)s answers.", number), *same]


def _article(group: AnswerGroup, support: Mapping[Item, Sequence[CurrentLabel]], language: Language) -> Markup:
    """An answer, sentence by sentence, with its citations and what was said of these."""
    name = html_text(", ".join(map(visible_line, group.runs)))
    lines = [
        f'<li><span dir="auto">{html_text(visible_line(sentence.text))}</span>'
        f"{_citations(list(sentence.citations), language)}{_said_of(group, at, support)}</li>"
        for at, sentence in enumerate(group.first.sentences, 1)
    ]
    nothing = html_text(language.gettext("This answer has no sentences."))
    body = f"<ol>{''.join(lines)}</ol>" if lines else f"<p>{nothing}</p>"
    return Markup(f"<article><h3>{name}</h3>{body}</article>")


def _citations(docnos: Sequence[str], language: Language) -> str:
    links = [f'<a href="{escape(address("document", docno=one))}">{html_text(visible_line(one))}</a>' for one in docnos]
    cites = html_text(language.gettext("cites")) if docnos else html_text(language.gettext("cites nothing"))
    return f" <small>{' '.join(filter(None, [cites, ', '.join(links)]))}</small>"


def _said_of(group: AnswerGroup, at: int, support: Mapping[Item, Sequence[CurrentLabel]]) -> str:
    """The labels of the support of a sentence."""
    said = [
        f"{visible_line(one.assessor)}: {_words(one)}"
        for answer in group.answers
        for item, several in support.items()
        if item[:2] == (answer.number, at)
        for one in several
    ]
    return f"<small>{html_text('; '.join(dict.fromkeys(said)))}</small>" if said else ""


def _words(one: CurrentLabel) -> str:
    if one.label is None:
        return "cannot judge"
    grade = SUPPORTS.grade_of.get(one.label)
    return one.label if grade is None else SUPPORTS.grades[grade]  # as the buttons have it


def _nugget_table(store: Store, qid: str, groups: Sequence[AnswerGroup], language: Language) -> list[Block]:
    """Whether each answer contains each nugget, by everybody who said so."""
    nuggets, labels = current_nuggets(store, qid), _labels(store, "nuggets", qid)
    if not nuggets:
        return [Text(translatable("This topic has no nuggets yet."))]
    rows = [
        {
            "nugget": visible_line(nugget.text),
            "importance": nugget.importance,
            **{
                ", ".join(map(visible_line, group.runs)): _nugget_cell(group, nugget, labels, language)
                for group in groups
            },
        }
        for nugget in nuggets
    ]
    caption = translatable(
        "Whether the answers contain each nugget. Small print: who gave the label; differ: their labels differ"
    )
    return [Text(translatable("Nuggets"), 3), TableBlock("nuggets", caption, rows)]


def _nugget_cell(
    group: AnswerGroup, nugget: Nugget, labels: Mapping[Item, Sequence[CurrentLabel]], language: Language
) -> Cell:
    several = [one for answer in group.answers for one in labels.get((answer.number, nugget.number), ())]
    by_label: dict[str, list[str]] = {}
    for one in several:
        by_label.setdefault(_words(one), []).append(visible_line(one.assessor))
    if not by_label:
        return Cell(language.gettext("not labelled"))
    if len(by_label) == 1:
        [(label, names)] = by_label.items()
        return Cell(label, below=", ".join(dict.fromkeys(names)))
    parts = [f"{label}: {', '.join(dict.fromkeys(names))}" for label, names in by_label.items()]
    return Cell(language.gettext("differ"), below="; ".join(parts))


def _heading(store: Store, query: Query) -> str:
    if not query["topic"]:
        return query.language.gettext("Answers")
    return query.language.gettext("Answers to topic %(topic)s", topic=query["topic"])


def _has_answers(store: Store) -> bool:
    return store.has_rows("answer")


TOPIC_ANSWERS = LookView(
    translatable("Answers"),
    _rows,
    (TOPIC, PAGE),
    _parts,
    _document,
    _heading,
    entry=translatable("Topics"),
    group=translatable("Collection"),
    part_of="topic",
    has_data=_has_answers,
)
