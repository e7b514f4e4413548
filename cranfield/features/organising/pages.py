"""The pages of set-up and delivery: uploads, jobs with their progress, and downloads."""

import asyncio
import os
import re
import shutil
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from cranfield.errors import BusyError, CranfieldError, InputError
from cranfield.features.organising.actions import (
    PASTED,
    build_pool,
    forecast_pool,
    import_documents,
    import_runs,
    import_topics,
    merge_bundles,
    pool_request,
    search_baselines,
)
from cranfield.features.organising.downloads import MadeFile, all_downloads, make_download
from cranfield.features.organising.erasing import (
    ErasureForecast,
    ErasureRequest,
    check_confirmation,
    erase_person,
    erasure_request,
    forecast_erasure,
)
from cranfield.features.organising.further_uploads import all_uploads, import_upload
from cranfield.features.organising.jobs import (
    BUSY,
    JobOutcome,
    Jobs,
    browser_text,
    refused_outcome,
    run_job,
    undo_interrupted,
)
from cranfield.features.organising.steps import Step, preview
from cranfield.features.organising.uploaded import abandoned_uploads, folder_entries, new_upload_folder, resolve_entry
from cranfield.report.blocks import as_sentence
from cranfield.store.connection import StoreGoneError
from cranfield.web.access import Visitor
from cranfield.web.application import Application, form_fields
from cranfield.web.guard import GONE
from cranfield.web.language import Language, translatable
from cranfield.web.look.view import Navigation
from cranfield.web.navigation import navigation
from cranfield.web.organise.section import Done
from cranfield.web.organise.table import SECTIONS, Content, content, page_html
from cranfield.web.organiser_pages import RELOAD
from cranfield.web.results import computer_of
from cranfield.web.uploads import ReceivedForm, receive_files

PAGES = {"bundles": "deliver", "erase": "erase"}  # the page of each form, by its name; of all others the set-up
BUSY_NOTES = {  # by page
    "deliver": translatable("Importing the files. This page reloads until they are imported."),
    "erase": translatable("Erasing the data. This page reloads until they are erased."),
}
PIECE = 256 * 1024  # bytes that are sent at once
MAX_TEXT = 256  # characters that are kept in an address


def routes(app: Application) -> list[Route]:
    """The routes of these pages."""
    pages = SetUpPages(app)
    app.closing.append(pages.close)
    return [
        Route("/organise/setup", pages.organiser_page(pages.show), methods=["GET"]),
        Route("/organise/setup/preview", pages.organiser_form(pages.preview), methods=["POST"]),
        Route("/organise/setup/baselines", pages.organiser_form(pages.search), methods=["POST"]),
        Route("/organise/setup/forecast", pages.organiser_form(pages.forecast), methods=["POST"]),
        Route("/organise/setup/pool", pages.organiser_form(pages.pool), methods=["POST"]),
        Route("/organise/setup/folder", pages.organiser_form(pages.take_from_folder), methods=["POST"]),
        Route("/organise/deliver", pages.organiser_page(pages.show_files), methods=["GET"]),
        Route("/organise/erase", pages.organiser_page(pages.show_erasing), methods=["GET"]),
        Route("/organise/erase/check", pages.organiser_form(pages.check_erasure), methods=["POST"]),
        Route("/organise/erase/person", pages.organiser_form(pages.erase), methods=["POST"]),
        Route("/organise/download/{name}", pages.organiser_form(pages.download), methods=["POST"]),
        Route("/organise/upload/{kind}", pages.organiser_page(pages.upload), methods=["POST"]),
    ]


def page_of_step(step: str) -> str:
    """The page with the form of a step."""
    return PAGES.get(step) or ("deliver" if step in all_uploads() else "setup")


Handler = Callable[[Request, Visitor], Awaitable[Response]]


def _job_query(job: str) -> str:
    """The query of an address with the name of a job; empty without a name."""
    return f"?{urlencode({'job': job[:64]})}" if job else ""


def _interrupted_step_notice(steps: Sequence[Step], name: str, language: Language) -> Done:
    titles = [step.title for step in steps if step.name == name and not step.state]
    text = language.gettext(
        'The server stopped before it had finished the step "%(step)s". Send the form again.', step="".join(titles)
    )
    return Done(text, wrong=True) if titles else Done("")


def _restart_notice(language: Language) -> Done:
    """What is said of a form whose outcome was lost with an earlier server."""
    text = translatable(
        "The server was started again after this form was sent. Look whether the form was carried out before the server"
        " stopped; if not, send it again."
    )
    return Done(language.look_up(text))


class SetUpPages:
    """The pages, and the job that is under way."""

    def __init__(self, app: Application) -> None:
        self.app = app
        self.jobs = Jobs(computer_of(app.reader))
        self._is_receiving = False
        self._maker, self._downloads = computer_of(app.reader), asyncio.Lock()
        for folder in abandoned_uploads():
            shutil.rmtree(folder, ignore_errors=True)
        interrupted = app.worker.run_and_wait(lambda store: run_job(store, undo_interrupted))
        if interrupted.message:
            self.jobs.tell(interrupted)

    def close(self) -> None:
        """End what is under way."""
        self.jobs.close()
        self.app.worker.run_and_wait(lambda store: run_job(store, undo_interrupted))
        self._maker.close()

    def organiser_page(self, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        """A page of the organiser."""

        async def answer(request: Request) -> Response:
            return await handler(request, await self.app.organiser(request))

        return answer

    def organiser_form(self, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        """A form of the organiser, without files."""

        async def answer(request: Request) -> Response:
            visitor = await self.app.organiser(request)
            request.state.fields = fields = await form_fields(request)
            self.app.check_form(request, visitor, fields)
            return await handler(request, visitor)

        return answer

    async def show(self, request: Request, visitor: Visitor) -> Response:
        """The set-up: the steps, their forms, and the job that is under way."""
        fields = dict(request.query_params)
        notice = self.app.notices.take(fields.pop("said", ""))
        return await self._setup(visitor, fields, notice)

    async def _setup(
        self, visitor: Visitor, fields: dict[str, str], notice: Done, status: int = 200, **more: Any
    ) -> Response:
        busy, job = self.jobs.is_busy, fields.pop("job", "")
        # If the job ends while the page is made, the page loads itself again.
        if not busy and not notice.message and (outcome := self.jobs.take(job)) is not None:
            notice, fields["step"] = (
                outcome.done(self.app.language),
                self.jobs.step if outcome.wrong else fields.get("step", ""),
            )
        entries = tuple(fields.items())
        found, bar = await self._content("setup", entries)
        if not busy and not notice.message and (step := self.jobs.step_of_earlier_server(job)):
            notice = _interrupted_step_notice(found.values.get("steps", ()), step, self.app.language)
        typed = found.values["typed"] if found.values else {}
        forecast, is_computing = None, False
        if not busy and found.values and "pool" in (found.values["opened"], fields.get("step")):
            try:
                computed = await self.app.results.get(forecast_pool, typed["method"], typed["size"])
                forecast, is_computing = computed.value, computed.value is None
                forecast = self.app.language.translate_message(forecast) if isinstance(forecast, str) else forecast
            except StoreGoneError:
                forecast = self.app.language.look_up(GONE)
            except CranfieldError as error:
                forecast = self.app.language.translate_message(browser_text(str(error)))
        values = {
            **found.values,
            "busy_step": self.jobs.step if busy else "",
            "doing": self.jobs.doing if busy else "",
            "forecast": forecast,
            "is_computing": is_computing,
            "preview": more.get("preview"),
            "server_entries": folder_entries(self.app.files.folder),
            "limit": human_size(self.app.files.largest_upload),
        }
        if "guidelines_text" in more:
            values["guidelines_text"] = more["guidelines_text"]
        note = (
            self.app.language.gettext(
                "%(step)s. This page reloads until the step has finished.",
                step=as_sentence(self.app.language.translate_message(self.jobs.doing)).rstrip("."),
            )
            if busy
            else self.jobs.outcome_for_others(self.app.language)
            if not fields and not notice.message
            else ""
        )
        where = f"/organise/setup{_job_query(job)}"
        html = page_html("setup", found._replace(values=values), visitor.form_token(self.app.access.key), notice,
                    language=self.app.language, navigation=bar, note=note, reload=where if busy else "")  # fmt: skip
        return HTMLResponse(html, status, {"refresh": f"{RELOAD}; url={where}"} if busy else None)

    async def _content(self, name: str, entries: tuple[tuple[str, str], ...]) -> tuple[Content, Navigation]:
        """What a page shows, and its navigation."""
        entry = SECTIONS[name].entry
        language = self.app.language
        return await self.app.reader.run(
            lambda store: (content(store, name, entries, language=language), navigation(store, entry))
        )

    async def preview(self, request: Request, visitor: Visitor) -> Response:
        """The guidelines as assessors will see them; nothing is stored."""
        text = request.state.fields.get("text", "")
        shown = preview(text)
        return await self._setup(visitor, {"step": "guidelines"}, Done(""), preview=shown, guidelines_text=text)

    async def search(self, request: Request, visitor: Visitor) -> Response:
        """Add the baselines."""
        return await self._start("runs", search_baselines)

    async def pool(self, request: Request, visitor: Visitor) -> Response:
        """Build a pool."""
        fields = {name: request.state.fields.get(name, "")[:MAX_TEXT] for name in ("method", "size")}
        try:
            pool_request(fields)
        except CranfieldError as error:
            return self._refuse("pool", error, fields)
        return await self._start("pool", build_pool, fields)

    async def forecast(self, request: Request, visitor: Visitor) -> Response:
        """Go to the page with the forecast of a pool."""
        fields = {name: request.state.fields.get(name, "")[:MAX_TEXT] for name in ("method", "size")}
        return RedirectResponse(f"/organise/setup?{urlencode({'step': 'pool', **fields})}#pool", 303)

    async def take_from_folder(self, request: Request, visitor: Visitor) -> Response:
        """Import documents from the folder of the server that the start command allows."""
        try:
            root, path = resolve_entry(self.app.files.folder, request.state.fields.get("entry", ""))
        except CranfieldError as error:
            return self._refuse("documents", error, {})
        return await self._start("documents", import_documents, [str(path)], 1 << 50, str(root))

    def _refuse(self, step: str, error: CranfieldError, fields: Mapping[str, str]) -> Response:
        notice = self.app.notices.keep(refused_outcome(str(error)).done(self.app.language))
        return self._go_on(step, **fields, said=notice)

    def _go_on(self, step: str, **fields: str) -> Response:
        where = page_of_step(step)
        is_opened = where == "setup" and bool(fields.keys() - {"job"})
        query = urlencode({**({"step": step} if is_opened else {}), **fields})
        return RedirectResponse(f"/organise/{where}{'?' if query else ''}{query}", 303)

    async def _start(
        self, step: str, act: Callable[..., JobOutcome], *arguments: Any, finish: Callable[[], object] = lambda: None
    ) -> Response:
        """Begin a job, and go on to the page, which shows how far it is or what it did."""
        job = self.jobs.start(step, act, *arguments, finish=finish)
        await self.jobs.wait()
        if page_of_step(step) != "setup" and (outcome := self.jobs.take(job)) is not None:
            return self._go_on(step, said=self.app.notices.keep(outcome.done(self.app.language)))
        return self._go_on(step, job=job)

    async def show_files(self, request: Request, visitor: Visitor) -> Response:
        """Show what can be downloaded, and the form that brings offline work back."""
        return await self._show_job(request, visitor, "deliver")

    async def show_erasing(self, request: Request, visitor: Visitor) -> Response:
        """Show the form that erases a person."""
        return await self._show_job(request, visitor, "erase")

    async def _show_job(self, request: Request, visitor: Visitor, name: str) -> Response:
        """A page with its job that is under way or what came of it."""
        notice, is_here = (
            self.app.notices.take(request.query_params.get("said", "")),
            page_of_step(self.jobs.step) == name,
        )
        busy = self.jobs.is_busy and is_here
        job = request.query_params.get("job", "")
        if not busy and is_here and (outcome := self.jobs.take(job)) is not None:
            notice = outcome.done(self.app.language)
        step = self.jobs.step_of_earlier_server(job)
        if not busy and not notice.message and step and page_of_step(step) == name:
            notice = _restart_notice(self.app.language)
        found, bar = await self._content(name, ())
        values = {**found.values, "limit": human_size(self.app.files.largest_upload)}
        note, where = self.app.language.look_up(BUSY_NOTES[name]) if busy else "", f"/organise/{name}{_job_query(job)}"
        html = page_html(name, found._replace(values=values), visitor.form_token(self.app.access.key), notice,
                    language=self.app.language, navigation=bar, note=note, reload=where if busy else "")  # fmt: skip
        return HTMLResponse(html, headers={"refresh": f"{RELOAD}; url={where}"} if busy else None)

    async def check_erasure(self, request: Request, visitor: Visitor) -> Response:
        """Show what an erasure would erase, and ask to confirm it; nothing is stored."""
        try:
            asked = erasure_request(request.state.fields)
        except InputError as error:
            return self._refuse("erase", error, {})
        if self._downloads.locked():
            raise BusyError(translatable("A download is being prepared. Try again when that download is complete."))
        async with self._downloads:
            forecast = await asyncio.to_thread(self._forecast_erasure, asked)
        if forecast.wrong:
            return self._refuse("erase", InputError(forecast.wrong), {})
        found, bar = await self._content("erase", ())
        values = {**found.values, "asked": asked, "forecast": forecast.translate_rows(self.app.language)}
        token = visitor.form_token(self.app.access.key)
        return HTMLResponse(
            page_html(
                "erase", found._replace(values=values), token, Done(""), language=self.app.language, navigation=bar
            )
        )

    def _forecast_erasure(self, asked: ErasureRequest) -> ErasureForecast:
        forecast: ErasureForecast = self._maker.run(forecast_erasure, asked, hear=lambda line: None)
        return forecast

    async def erase(self, request: Request, visitor: Visitor) -> Response:
        """Erase a person, whose name was typed again to confirm."""
        try:
            asked = erasure_request(request.state.fields)
            check_confirmation(asked, request.state.fields.get("confirm", ""))
        except InputError as error:
            return self._refuse("erase", error, {})
        return await self._start("erase", erase_person, asked)

    async def download(self, request: Request, visitor: Visitor) -> Response:
        """Make a file and send it; it is deleted before the first byte is sent, and read to its end."""
        name = request.path_params["name"]
        if name not in all_downloads():
            raise HTTPException(404, translatable("There is no such download."))
        if self._downloads.locked():
            raise BusyError(
                translatable("Another download is being prepared. Try again when that download is complete.")
            )
        fields = {field: text[:MAX_TEXT] for field, text in request.state.fields.items() if field != "form"}
        async with self._downloads:
            folder = new_upload_folder()
            try:
                made = await asyncio.to_thread(self._make, name, folder, fields)
                if made.wrong:
                    wrong = self.app.language.translate_message(made.wrong)
                    notice = self.app.notices.keep(Done(wrong, wrong=True))
                    return RedirectResponse(f"/organise/deliver?said={notice}#notice", 303)
                return FileAttachment(Path(made.path))
            finally:
                shutil.rmtree(folder, ignore_errors=True)

    def _make(self, name: str, folder: Path, fields: Mapping[str, str]) -> MadeFile:
        made: MadeFile = self._maker.run(
            make_download, name, str(folder), fields, self.app.language, hear=lambda line: None
        )
        return made

    async def upload(self, request: Request, visitor: Visitor) -> Response:
        """Receive files into a folder, and begin to import them; the folder goes when that has ended."""
        kind = request.path_params["kind"]
        if kind not in ("documents", "topics", "runs", "bundles", *all_uploads()):
            raise HTTPException(404, translatable("There is no such form."))
        if self.jobs.is_busy or self._is_receiving:
            raise BusyError(BUSY)
        folder = new_upload_folder()
        remove = partial(shutil.rmtree, folder, ignore_errors=True)
        self._is_receiving = True
        try:
            check = partial(self.app.check_form, request, visitor)
            received = await receive_files(request, folder, self.app.files.largest_upload, check)
            act, arguments = self._import_job(kind, received, folder)
            return await self._start(kind, act, *arguments, finish=remove)
        except InputError as error:
            remove()
            return self._refuse(kind, error, {})
        except BaseException:
            remove()
            raise
        finally:
            self._is_receiving = False

    def _import_job(
        self, kind: str, received: ReceivedForm, folder: Path
    ) -> tuple[Callable[..., JobOutcome], tuple[Any, ...]]:
        paths = [str(path) for path in received.files if path.stat().st_size]
        if empty := [path.name for path in received.files if not path.stat().st_size]:
            raise InputError("the file is empty; expected a file with content", empty[0])
        if kind == "topics" and (text := received.fields.get("text", "").strip()):
            if paths:
                raise InputError("a pasted text and a file; expected one of them")
            pasted = folder / PASTED
            pasted.write_text(text, "utf-8", newline="")
            return import_topics, ([str(pasted)], True)
        if not paths:
            raise InputError("no file was chosen; choose one or several")
        if upload := all_uploads().get(kind):
            if len(paths) > 1 and not upload.multiple:
                raise InputError(f"{len(paths)} files were chosen; expected one")
            fields = {one.name: one.typed(received.fields) for one in upload.fields}
            return import_upload, (kind, paths, fields, self.app.files.largest_upload * 4)
        limited = {"documents": import_documents, "runs": import_runs}
        if kind in limited:
            return limited[kind], (paths, self.app.files.largest_upload * 4)
        return {"topics": import_topics, "bundles": merge_bundles}[kind], (paths,)


class FileAttachment(StreamingResponse):
    """A file as an attachment; it may be deleted once this is made."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb")
        plain = re.sub(r"[^\w.-]", "_", path.name, flags=re.ASCII)
        headers = {
            "content-length": str(os.fstat(self._file.fileno()).st_size),
            "content-disposition": f"attachment; filename=\"{plain}\"; filename*=utf-8''{quote(path.name)}",
        }
        pieces = iter(lambda: self._file.read(PIECE), b"")
        super().__init__(pieces, media_type="application/octet-stream", headers=headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it, and close it whatever happens."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._file.close()


def human_size(size: int) -> str:
    """A size for people.

    >>> human_size(1 << 30), human_size(500 << 20), human_size(1000)
    ('1 GB', '500 MB', '1,000 bytes')
    """
    for unit, name in ((1 << 30, "GB"), (1 << 20, "MB")):
        if size >= unit:
            return f"{size / unit:.3g} {name}"
    return f"{size:,} bytes"
