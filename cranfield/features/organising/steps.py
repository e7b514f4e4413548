"""The steps from an empty store to people who judge: what each has done, what is next, and the forms that record it."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from cranfield import hooks
from cranfield.errors import InputError
from cranfield.features.organising.actions import METHOD_WORDS, USUAL_DEPTH
from cranfield.judging.planning.sections import UNASSIGNED, topic_states
from cranfield.search.systems import SYSTEMS
from cranfield.store.assignments import assignments, has_assignments
from cranfield.store.invitations import invitations, invite
from cranfield.store.log import assessors, guidelines, set_guidelines
from cranfield.store.open_pools import pool_sizes_by_topic
from cranfield.store.pools import newest_pool_to_judge
from cranfield.store.store import Store, now
from cranfield.text import visible_line, visible_text
from cranfield.web.guidelines import guidelines_markup
from cranfield.web.language import ENGLISH, Language, translatable
from cranfield.web.organise.section import Done, Fields, Form, OrganiserSection, SectionRequest, parse_name_field
from cranfield.web.organise.topics import ASSIGN

MAX_GUIDELINES_CHARS = 100_000
MAX_PEOPLE = 200


class Step(NamedTuple):
    """A step: its name in addresses, its title, what was done in it, and whether the others can go on without it."""

    name: str
    title: str
    state: str  # empty: nothing was done yet
    optional: bool = False
    lack: str = ""  # what has to be there first
    page: str = ""  # of another section, which has the form
    about: str = ""

    @property
    def word(self) -> str:
        """Whether it is done."""
        if self.state:
            return translatable("Done")
        if self.optional:
            return translatable("Optional")
        return translatable("Later") if self.lack else translatable("To do")


def steps_of(store: Store, language: Language = ENGLISH) -> list[Step]:
    """All steps, in their order."""
    counts, about = store.counts(), store.collection
    documents, topics = store.count_added("document"), store.count_added("topic")
    people, links = _people(store), _valid_links(store)
    no_texts = "" if documents and topics else language.gettext("Add documents and topics first.")
    no_pool = "" if counts["pool"] else language.gettext("Build a pool first.")
    scale = ", ".join(f"{grade} {meaning}" for grade, meaning in about.grades.items())
    return [
        Step(
            "collection",
            language.gettext("Collection"),
            language.gettext("%(name)s; grades: %(scale)s", name=visible_line(about.name), scale=scale),
        ),
        Step(
            "documents",
            language.gettext("Documents"),
            language.ngettext("%(num)s document", "%(num)s documents", documents) if documents else "",
        ),
        Step(
            "topics",
            language.gettext("Topics"),
            language.ngettext("%(num)s topic", "%(num)s topics", topics) if topics else "",
        ),
        Step(
            "runs",
            language.gettext("Runs"),
            language.ngettext("%(num)s run", "%(num)s runs", counts["run"]) if counts["run"] else "",
            lack=no_texts,
        ),
        Step(
            "pool",
            language.gettext("Pool"),
            _pool_state(store, language),
            lack="" if counts["run"] else language.gettext("Add runs first."),
        ),
        Step(
            "guidelines",
            language.gettext("Guidelines"),
            language.ngettext("%(num)s character", "%(num)s characters", len(guidelines(store)))
            if guidelines(store)
            else "",
            True,
        ),
        *_steps_of_features(store, language),
        Step("people", language.gettext("People"), _people_state(store, people, language), lack=no_pool),
        Step(
            "links",
            language.gettext("Links"),
            _link_state(people, links, language),
            lack="" if people else language.gettext("Name the people first."),
        ),
    ]


def _steps_of_features(store: Store, language: Language) -> list[Step]:
    sections = dict(hooks.collect_from_extensions(lambda extension: extension.organiser_pages().items()))
    return [
        Step(
            name,
            language.look_up(section.step.title),
            section.step.state(store),
            True,
            page=name,
            about=language.look_up(section.step.about),
        )
        for name, section in sections.items()
        if section.step is not None
    ]


def _pool_state(store: Store, language: Language) -> str:
    if not (number := newest_pool_to_judge(store)):
        return ""
    by_topic = pool_sizes_by_topic(store, number)
    topics = language.ngettext("%(num)s topic", "%(num)s topics", len(by_topic))
    return language.ngettext(
        "%(num)s document for %(topics)s", "%(num)s documents for %(topics)s", sum(by_topic.values()), topics=topics
    )


def _people(store: Store) -> list[str]:
    """The people who have topics or links for judging."""
    given = {one.assessor for one in assignments(store) if one.assessor} if has_assignments(store) else set()
    invited = {one.assessor for one in invitations(store) if one.role == "judge" and not one.revoked}
    return [name for name, kind in assessors(store).items() if kind == "human" and name in given | invited]


def _people_state(store: Store, people: Sequence[str], language: Language) -> str:
    if not people and not has_assignments(store):
        return ""
    return (
        ", ".join(map(visible_line, people[:8])) + ", ..." * (len(people) > 8)
        if people
        else language.gettext("a queue of topics")
    )


def _valid_links(store: Store) -> set[str]:
    return {one.assessor for one in invitations(store) if one.role == "judge" and one.state(now()) == "valid"}


def _link_state(people: Sequence[str], links: set[str], language: Language) -> str:
    if not links:
        return ""
    words = language.ngettext("%(num)s person with a valid link", "%(num)s people with a valid link", len(links))
    return words if links >= {*people} else ""


def _values(request: SectionRequest) -> Mapping[str, Any]:
    store = request.store
    steps = steps_of(store, request.language)
    todo = next((one for one in steps if not one.state and not one.optional and not one.lack), None)
    missing = [name for name in _people(store) if name not in _valid_links(store)]
    return {
        "steps": steps,
        "finished": sum(bool(one.state) for one in steps if not one.optional),
        "number": sum(not one.optional for one in steps),
        "todo": todo,
        "opened": request.field("step") or (todo.name if todo else ""),
        "typed": {"method": "depth", "size": str(USUAL_DEPTH), "overlap": "10%", "repeats": "2", **request.fields},
        "methods": {name: request.language.look_up(words) for name, words in METHOD_WORDS.items()},
        "baselines": len(SYSTEMS),
        "guidelines_text": visible_text(guidelines(store)).strip("\n"),
        "people_names": request.field("assessors") or "\n".join(_people(store)),
        "is_assigned": has_assignments(store)
        and not any(one.state == UNASSIGNED for one in topic_states(store, request.moment)),
        "missing": missing,
        "has_plan": has_assignments(store),
    }


def _keep_guidelines(store: Store, fields: Fields, base: str, language: Language) -> Done:
    text = fields.get("text", "").replace("\r\n", "\n").strip()
    if len(text) > MAX_GUIDELINES_CHARS:
        raise InputError(f"the guidelines have {len(text):,} characters; expected at most {MAX_GUIDELINES_CHARS:,}")
    set_guidelines(store, f"{text}\n" if text else "")
    if not text:
        return Done(language.gettext("The guidelines are empty."))
    return Done(language.gettext("The guidelines are saved. Assessors see them next to every document."))


def preview(text: str) -> Markup:
    """The guidelines as assessors see them."""
    return guidelines_markup(text.replace("\r\n", "\n"))


def _name_people(store: Store, fields: Fields, base: str, language: Language) -> Done:
    names = [parse_name_field(line) for line in fields.get("assessors", "").splitlines() if line.strip()]
    if len(names) > MAX_PEOPLE:
        raise InputError(f"{len(names)} names; expected at most {MAX_PEOPLE}")
    with store.writing():
        ASSIGN.act(store, {**fields, "to": "assessors", "topics": "", "lease": "", "seed": ""}, base, language)
        said = language.gettext("The topics are assigned.")
        if len(names) == 1 and any(one.role == "second" for one in assignments(store)):
            second = language.gettext(
                "The second labels are in the queue, because one person cannot give both labels of a document. Another"
                " person gets them with a link."
            )
            said = f"{said} {second}"
        return _links(store, names, base, said, language) if fields.get("links") else Done(said)


def _make_links(store: Store, fields: Fields, base: str, language: Language) -> Done:
    names = [name for name in _people(store) if name not in _valid_links(store)]
    if not names:
        raise InputError("everyone with topics has a valid link; name more people first")
    return _links(store, names, base, "", language)


def _links(store: Store, names: Sequence[str], base: str, start: str, language: Language) -> Done:
    with store.writing():
        links = [(name, f"{base}/enter/{invite(store, name)}") for name in names]
    shown = language.ngettext(
        "%(num)s link, shown only once: copy it and send it to its person.",
        "%(num)s links, shown only once: copy each one and send it to its person.",
        len(links),
    )
    return Done(f"{start} {shown}".strip(), links=[(visible_line(name), link) for name, link in links])


SETTING_UP = OrganiserSection(
    translatable("Set up a collection"),
    "organising/setup.html",
    _values,
    entry=translatable("Set up"),
    group=translatable("Collection"),
    forms={
        "guidelines": Form(_keep_guidelines, "setup", "setup"),
        "people": Form(_name_people, "setup", "setup"),
        "all-links": Form(_make_links, "setup", "setup"),
    },
)
