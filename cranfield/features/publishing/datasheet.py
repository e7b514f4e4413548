"""DATASHEET.md: the questions of a datasheet, answered by the store where it can and by people where it cannot.

Source: Gebru, Morgenstern, Vecchione, Vaughan, Wallach, Daumé III and Crawford, Datasheets for datasets, CACM 64(12),
2021.
"""

from collections.abc import Iterable, Mapping

from cranfield.features.publishing.citation import reference
from cranfield.features.publishing.description import FIELDS, SECTIONS, TARGET_NAMES, Creator, open_fields
from cranfield.features.publishing.identifiers import link
from cranfield.features.publishing.markup import line, paragraphs, table
from cranfield.features.publishing.publication import DRAFT, CollectionFacts, Publication, ReusabilityFacts
from cranfield.text import counted

KINDS = {"human": "people", "model": "language models", "panel": "several language models together",
         "import": "imported, without a record of the assessors"}  # fmt: skip
NAMED = 10  # examples, models, topics and runs that are named


def known_facts(facts: CollectionFacts) -> Mapping[str, list[str]]:
    """Paragraphs by section of the datasheet."""
    return {
        "Composition": [_size(facts), *_parts(facts), _grades(facts), *_odd_texts(facts)],
        "Labelling": [
            *_pool(facts),
            *_assessors(facts),
            *([policy_sentence(*facts.policy)] if facts.policy else []),
            *_agreement(facts),
            *_guidelines(facts),
        ],
        "Uses": [*_reusability(facts.reusability), *_held_out(facts), *_overflow(facts)],
    }


def _size(facts: CollectionFacts) -> str:
    bare, only = facts.documents_without_text, "known only by identifier, without text"
    documents = f"{counted(facts.documents, 'document')}," if facts.documents or not bare else (
        f"{counted(bare, 'document')}, {only},"
    )  # fmt: skip
    not_here = "" if facts.publishes_runs else f", and {_be(facts.runs)} not published"
    were = "was" if facts.runs == 1 else "were"
    runs = f" {_runs(facts.runs, facts.teams)} {were} collected with it{not_here}." if facts.runs else ""
    part = f" The corpus contains {facts.texts}, from {'; '.join(facts.sources)}." if facts.texts else ""
    missing_text_words = f" {counted(bare, 'more document')} {_be(bare)} {only}." if bare and facts.documents else ""
    judged = f" ({facts.judged_topics:,} judged)" if facts.judged_topics != facts.topics else ""
    rest = f"{counted(facts.topics, 'topic')}{judged} and {counted(facts.judgments, 'judgment')}"
    return f"The collection has {documents} {rest}.{part}{runs}{missing_text_words}"


def _parts(facts: CollectionFacts) -> list[str]:
    """Of which topics it is, how they are split, and what is withdrawn."""
    of = (
        [f"It is part of a larger collection and contains the topics of the set {line(facts.part)}."]
        if facts.part
        else []
    )
    sizes = " and ".join(f"{name} has {counted(number, 'topic')}" for name, number in facts.splits.items())
    some = ", ".join(map(line, facts.earlier_train[:NAMED])) + ", ..." * (len(facts.earlier_train) > NAMED)
    was, it = ("was", "it") if len(facts.earlier_train) == 1 else ("were", "them")
    warning = f" In an earlier version, {some} {was} in the split train, so systems may have seen {it}."
    split = [f"In the split, {sizes}.{warning if facts.earlier_train else ''}"] if sizes else []
    names = [f"{line(name)} ({line(why)})" for name, why in facts.withdrawals.items()]
    more = ", ..." * (len(names) > NAMED)
    withdrawals = [f"Withdrawn, and therefore not counted: {', '.join(names[:NAMED])}{more}."] if names else []
    return [*of, *split, *withdrawals]


def _runs(runs: int, teams: int) -> str:
    of = f" from {counted(teams, 'team')}" if teams else ""
    return counted(runs, "run") + of


def _be(number: int) -> str:
    return "is" if number == 1 else "are"


def _grades(facts: CollectionFacts) -> str:
    rows = [
        {"grade": grade, "meaning": meaning, "judgments": f"{facts.judgments_by_grade.get(grade, 0):,}",
         "counts as": "relevant" if grade >= facts.min_relevant else "not relevant"}
        for grade, meaning in sorted(facts.grades.items(), reverse=True)
    ]  # fmt: skip
    judged, relevant = facts.judged_per_topic, facts.relevant_per_topic
    spread = f"Per topic, {_spread(judged)} documents are judged and {_spread(relevant)} are relevant."
    empty = facts.topics_without_relevant
    none = f" {counted(empty, 'judged topic')} {'has' if empty == 1 else 'have'} no relevant document." if empty else ""
    return f"{table(rows)}\n{spread}{none} A document without a judgment is unjudged; it does not have grade 0."


def _spread(numbers: tuple[int, float, int]) -> str:
    """The fewest, the median and the most.

    >>> _spread((3, 8.0, 16)), _spread((2, 2.0, 2))
    ('3 to 16 (median 8)', '2')
    """
    low, middle, high = numbers
    return str(low) if low == high else f"{low:,} to {high:,} (median {middle:g})"


def _odd_texts(facts: CollectionFacts) -> list[str]:
    text = facts.text
    same = (
        f"{counted(text.duplicates, 'document')} {'has' if text.duplicates == 1 else 'have'}"
        if text.duplicates
        else "No document has"
    )
    lines = [f"{same} the same text as another document (equal SHA-256)."]
    if text.judged_without_text:
        example_texts = _examples(f"{docno} for {qid}" for qid, docno in text.first_without_text)
        number = counted(text.judged_without_text, "judgment")
        lines.append(f"{number} {_be(text.judged_without_text)} for documents without text: {example_texts}.")
    if text.disagreeing_duplicates:
        example_texts = _examples(f"{one} and {other} for {qid}" for qid, one, other in text.first_disagreeing)
        cases = counted(text.disagreeing_duplicates, "case")
        lines.append(f"In {cases}, documents with the same text have different grades: {example_texts}.")
    if text.changed_since_judged:
        number = counted(text.changed_since_judged, "label")
        lines.append(f"{number} {_be(text.changed_since_judged)} for a text that changed after it was judged.")
    return [" ".join(lines)]


def _examples(names: Iterable[str]) -> str:
    examples = [line(name) for name in names]
    return ", ".join(examples[:NAMED]) + (", ..." if len(examples) >= NAMED else "")


def _pool(facts: CollectionFacts) -> list[str]:
    pool = facts.pool
    if pool is None:
        return ["No pool is recorded, so it is unknown which runs the judged documents came from."]
    options = ", ".join(f"{line(name.replace('_', ' '))} {line(str(value))}" for name, value in pool.options.items())
    how = (
        "The judged documents come from a pool built with the method"
        f" {line(pool.method)}{f' ({options})' if options else ''}"
    )
    runs = f", using {_runs(pool.runs, pool.teams)}" if pool.runs else ""
    size = f"{counted(pool.documents, 'document')} for {counted(pool.topics, 'topic')}, {pool.judged:,} of them judged"
    outside = f"; {pool.judged_outside:,} judgments are for documents outside the pool" if pool.judged_outside else ""
    return [f"{how}{runs}: {size}{outside}."]


def _assessors(facts: CollectionFacts) -> list[str]:
    rows = [
        {"assessors": KINDS.get(one.kind, one.kind), "number": one.assessors, "labels": f"{one.labels:,}",
         "labels that count": f"{one.counting_labels:,}", "names": ", ".join(one.names[:NAMED]) or "not given"}
        for one in facts.assessors
    ]  # fmt: skip
    adjudications = facts.adjudications
    sentences = (
        [f"{counted(adjudications, 'judgment')} {'comes' if adjudications == 1 else 'come'} from adjudication."]
        if adjudications
        else []
    )
    models = [f"{line(name)}: {line(what)}" for name, what in facts.prompts.items()]
    sentences += [f"The models: {'; '.join(models)}."] if models else []
    return [*([table(rows).rstrip("\n")] if rows else []), *([" ".join(sentences)] if sentences else [])]


def policy_sentence(name: str, about: str) -> str:
    """Which of several labels of a document counts.

    >>> policy_sentence("max", "the highest label")
    'If a document has several labels, the policy max chooses the one that counts: the highest label.'
    """
    return f"If a document has several labels, the policy {line(name)} chooses the one that counts: {line(about)}."


def _agreement(facts: CollectionFacts) -> list[str]:
    if not facts.second_labels:
        return ["No two assessors labelled the same document, so their agreement is unknown."]
    rows = [
        {"assessors": one.whose, "coefficient": one.coefficient, "documents": f"{one.documents:,}",
         "value": "undefined" if one.value is None else f"{one.value:.3f}",
         "95% interval": f"{one.low:.3f} to {one.high:.3f}" if one.low is not None and one.high is not None
         else one.no_interval or "none"}
        for one in facts.agreement
    ]  # fmt: skip
    number = facts.second_labels
    second = f"{counted(number, 'document')} {_be(number)} labelled by more than one assessor."
    return [second, *([table(rows).rstrip("\n")] if rows else [])]


def _guidelines(facts: CollectionFacts) -> list[str]:
    if not facts.guidelines:
        return []
    quotation = "\n".join(f"> {one}" for one in paragraphs(facts.guidelines).split("\n"))
    return ["The guidelines for the assessors:", quotation]


def _reusability(facts: ReusabilityFacts | None) -> list[str]:
    if facts is None:
        return ["How much a new system would lose is unknown, because the collection has no runs or no judgments."]
    if facts.refusal:
        return [f"How much a new system would lose is unknown: {line(facts.refusal)}."]
    changes = [
        f"{value:.1f}% {what}" for what, value in (("on average", facts.mean_change), ("at most", facts.max_change))
        if value is not None
    ]  # fmt: skip
    own = "that run" if facts.by == "run" else f"that {facts.by}'s runs"
    numbers = f"Leaving out a {facts.by} changes the {line(facts.measure)} of {own} by {' and '.join(changes)}."
    return [f"{line(facts.headline)} {numbers if changes else ''}".strip(), *_unjudged(facts)]


def _unjudged(facts: ReusabilityFacts) -> list[str]:
    """What share of a left-out unit's first documents would be unjudged."""
    if facts.unjudged_10 is None or facts.max_unjudged_10 is None:
        return []
    mean, most = f"{100 * facts.unjudged_10:.0f}%", f"{100 * facts.max_unjudged_10:.0f}%"
    return [
        f"On average, {mean} of the first 10 documents of such a {facts.by} would be unjudged (at most {most})."
        " Report Judged@10 of a new system next to its scores."
    ]


def _held_out(facts: CollectionFacts) -> list[str]:
    runs = [f"{line(one.run)} {100 * one.unjudged_10:.0f}%" for one in facts.held_out[:NAMED]]
    more = ", ..." if len(facts.held_out) > NAMED else ""
    return (
        [f"Unjudged share of the first 10 documents of runs outside the pool: {', '.join(runs)}{more}."] if runs else []
    )


def _overflow(facts: CollectionFacts) -> list[str]:
    """The topics whose pool overflowed: much of what is judged is relevant, so much more is likely to be there."""
    worst = sorted(facts.overflows.items(), key=lambda one: (-one[1], one[0]))
    if not worst:
        return []
    topics = ", ".join(f"{line(qid)} ({100 * share:.0f}%)" for qid, share in worst[:NAMED])
    more = f" and {len(worst) - NAMED} more" if len(worst) > NAMED else ""
    return [
        f"In {counted(len(worst), 'topic')}, so many judged documents are relevant that the pool has probably missed"
        f" others: {topics}{more}."
    ]


TODO, NOT_ANSWERED = "**TODO**", "Not answered."


def datasheet(publication: Publication) -> str:
    """The whole datasheet."""
    head = f"# Datasheet: {line(publication.description.title or publication.facts.name)}"
    about = publication.description
    parts = [paragraphs(about.description)] if about.description else []
    version = [
        f"Version {line(about.version)}" if about.version else "",
        f"of {line(about.date)}" if about.date else "",
    ]
    contents = "\n\n".join([*parts, *([" ".join(filter(None, version)) + "."] if any(version) else [])]) or TODO
    return "\n\n".join([head, *stamp(publication), contents, *sections(publication)]) + "\n"


def stamp(publication: Publication) -> list[str]:
    """What a draft says first."""
    if not publication.draft:
        return []
    lacking = open_fields(publication.description, TARGET_NAMES, withheld=not publication.text)
    are = "is" if len(lacking) == 1 else "are"
    still = f" {counted(len(lacking), 'required field')} {are} still empty: {', '.join(lacking)}." if lacking else ""
    return [f"> **{DRAFT}**, not for publication.{still}"]


def sections(publication: Publication) -> list[str]:
    """The sections, each a heading with questions and answers."""
    facts = known_facts(publication.facts)
    contact = publication.description.contact
    about = publication.description
    names = "; ".join(map(_creator, about.creators)) or TODO
    by = f" It is published by {line(about.publisher)}." if about.publisher else ""
    own = {
        "Motivation": [f"The collection was created by {names}.{by}"],
        "Distribution": _terms(publication),
        "Maintenance": ([f"Contact: {line(contact)}"] if contact else []),
    }
    texts = []
    for name in SECTIONS:
        lines = [*own.get(name, []), *facts.get(name, [])]
        answers = [_answer(publication, field.name) for field in FIELDS.values() if field.section == name]
        texts.append("\n\n".join([f"## {name}", *lines, *answers]))
    return texts


def _answer(publication: Publication, name: str) -> str:
    field, answer = FIELDS[name], getattr(publication.description, name)
    lacking = TODO if publication.draft or field.targets else NOT_ANSWERED
    return f"### {field.about}\n\n{paragraphs(answer) if answer else lacking}"


def _creator(creator: Creator) -> str:
    where = f" ({line(creator.affiliation)})" if creator.affiliation else ""
    return f"{line(creator.name)}{where}{f', ORCID {creator.orcid}' if creator.orcid else ''}"


def _terms(publication: Publication) -> list[str]:
    about = publication.description
    url = about.licence_url or link(about.licence)
    licence = f"[{line(about.licence)}]({url})" if url else line(about.licence) or TODO
    from_ = ", ".join(map(line, about.derived_from))
    lines = [
        f"The licence is {licence}.",
        f"DOI: {line(about.doi)}." if about.doi else "",
        f"Home page: {line(about.url)}" if about.url else "",
        f"Derived from: {from_}." if from_ else "",
        *(f"How to cite it: {line(one)}" for one in about.citations or [reference(about)]),
    ]
    return ["\n".join(f"- {one}" for one in lines if one), *_texts(publication)]


def _texts(publication: Publication) -> list[str]:
    if publication.text:
        return []
    how = publication.description.obtain
    without = "The document texts are not published, only identifiers and SHA-256 checksums."
    return [without, f"How to obtain the texts: {paragraphs(how) if how else TODO}"]
