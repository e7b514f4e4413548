"""The organiser's navigation: four groups, and the entries of the current group that have something to show."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from cranfield.errors import CranfieldError
from cranfield.store.store import Store
from cranfield.web.language import ENGLISH, Language, translatable
from cranfield.web.look.table import VIEWS
from cranfield.web.look.view import Navigation, NavigationLink, address, is_always_shown
from cranfield.web.organise.table import SECTIONS

GROUPS = (
    translatable("Overview"),
    translatable("People"),
    translatable("Collection"),
    translatable("Results"),
)


class NavigationEntry(NamedTuple):
    """An entry: its group, its text, the address of its page, and a test whether a store has something for it.

    A page that is always shown does not show the entry of pages with a test.
    """

    group: str
    text: str
    href: str
    has_data: Callable[[Store], bool]


def navigation_entries() -> dict[str, list[NavigationEntry]]:
    """Return the pages of each entry by its text, in the order of groups: the views, then the organiser's sections.

    >>> next(iter(navigation_entries()))
    'Overview'
    """
    entries: dict[str, list[NavigationEntry]] = {}
    for one in (*_view_entries(), *_section_entries()):
        entries.setdefault(one.text, []).append(one)
    return dict(sorted(entries.items(), key=lambda item: _entry_place(item[1][0])))


def _choose_page(store: Store, pages: Sequence[NavigationEntry], current: str) -> NavigationEntry | None:
    """The first page of an entry that has something to show; None if the entry is to be hidden."""
    tested = [one for one in pages if one.has_data is not is_always_shown]
    found = next((one for one in tested if _has_data(store, one)), None)
    return found or (pages[0] if not tested or pages[0].text == current else None)


def _section_entries() -> Iterator[NavigationEntry]:
    for name, section in SECTIONS.items():
        if section.entry:
            href = f"/organise/{name}" if name else "/"
            yield NavigationEntry(section.group, section.entry, href, section.has_data)


def _view_entries() -> Iterator[NavigationEntry]:
    for name, view in VIEWS.items():
        if view.entry and view.is_in_menu:
            yield NavigationEntry(view.group, view.entry, address(name), view.has_data)


def _entry_place(entry: NavigationEntry) -> tuple[int, bool]:
    """The place of a group; the sections for people, which begin with the assignments, come before its views."""
    return _group_place(entry.group), entry.group == "People" and entry.href.startswith("/look/")


def _group_place(group: str) -> int:
    return GROUPS.index(group) if group in GROUPS else len(GROUPS)


def navigation(store: Store, current: str = "", language: Language = ENGLISH) -> Navigation:
    """Return the navigation of a page; `current` is the text of its entry, which is shown even without data."""
    chosen = (_choose_page(store, pages, current) for pages in navigation_entries().values())
    entries = [one for one in chosen if one is not None]
    group = next((one.group for one in entries if one.text == current), "")
    first = {one.group: one.href for one in reversed(entries)}
    groups = [
        NavigationLink(language.look_up(name), first[name], name == group) for name in sorted(first, key=_group_place)
    ]
    own = [
        NavigationLink(language.look_up(one.text), one.href, one.text == current)
        for one in entries
        if one.group == group
    ]
    return Navigation(groups, language.look_up(group), own if len(own) > 1 else [])


def _has_data(store: Store, entry: NavigationEntry) -> bool:
    try:
        return entry.has_data(store)
    except CranfieldError:  # its page says what is wrong
        return True
