"""Organising: a collection set up in the browser, from an empty file to links, and delivered from there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.extension import Extension

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.routing import Route

    from cranfield.web.application import Application
    from cranfield.web.organise.section import OrganiserSection


class OrganisingExtension(Extension):
    """Set up a collection in the browser, and deliver it."""

    name = "organising"

    def routes(self, application: Application) -> Sequence[Route]:
        from cranfield.features.organising.pages import routes

        return routes(application)

    def organiser_pages(self) -> Mapping[str, OrganiserSection]:
        from cranfield.features.organising.downloads import DELIVERING
        from cranfield.features.organising.erasing import ERASING
        from cranfield.features.organising.steps import SETTING_UP

        return {"setup": SETTING_UP, "deliver": DELIVERING, "erase": ERASING}
