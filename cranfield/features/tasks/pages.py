"""The pages of teams: dates and files, submission, receipts and results; and the leaderboard.

A team comes with a link, which becomes a cookie, or from a program, with its token as a Bearer's. What is of another
team is not there: the same queries find nothing, and the answer is the same.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from functools import partial
from hmac import compare_digest
from typing import IO, Any, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from cranfield.errors import BusyError, CranfieldError, InputError
from cranfield.features.tasks.checking import CheckedRun
from cranfield.features.tasks.description import KINDS, SharedTask
from cranfield.features.tasks.description_facts import description_facts
from cranfield.features.tasks.page_values import context_of, home_of, run_of, terms_of
from cranfield.features.tasks.run_meta import meta_of, read_meta
from cranfield.features.tasks.scoring import (
    CheckedUpload,
    check_upload,
    is_public,
    leaderboard,
    overview_of,
    public_leaderboard,
    run_sections,
)
from cranfield.features.tasks.store import accept_terms, description_text, task_dates, task_of, team_of
from cranfield.features.tasks.submissions import (
    NewSubmission,
    SubmissionRefusedError,
    accept,
    begin_file,
    check_open,
    drop_files,
    keep_piece,
    receipt,
    submission_of,
)
from cranfield.features.tasks.transfers import (
    CORPUS,
    NOT_YET,
    PackedCorpus,
    corpus_version,
    qrels_text,
    receive_run,
    topics_text,
)
from cranfield.features.tasks.visitors import BEARER, TeamVisitor, is_program
from cranfield.features.tasks.withdrawing import waiting_request, withdraw
from cranfield.formats.files import parse_byte_size
from cranfield.report.blocks import Block, Section, TableBlock, Text, as_sentence
from cranfield.store.connection import DatabaseError
from cranfield.store.store import Store, now
from cranfield.web.access import TooManyError, Visitor, client_address, cookie_name
from cranfield.web.application import REFUSALS, Application, form_fields
from cranfield.web.guard import is_from_this_site
from cranfield.web.language import translatable
from cranfield.web.look.page_text import page_text
from cranfield.web.results import computer_of
from cranfield.web.templates import render_page
from cranfield.web.translated_blocks import translate_cells, translate_value

FOREVER = 10 * 365 * 24 * 3600  # seconds that a cookie lasts; the link decides for how long it is valid
BUSY = 5  # seconds after which a team may try again while another upload of it is under way
ROLE = "team"
PIECE = 1 << 18  # bytes of a file that are written at once: a label waits no longer than for these
TRIES, PAUSE = 120, 0.25  # how often, after how many seconds, an upload tries to write while another program does
Result = TypeVar("Result")


Handler = Callable[[Request, TeamVisitor], Awaitable[Response]]


def routes(app: Application) -> list[Route]:
    """The routes of these pages."""
    pages = TaskPages(app)
    app.closing.append(pages.close)
    get, post = ["GET"], ["POST"]
    return [
        Route("/team/enter/{token}", pages.enter, methods=get),
        Route("/team", pages.team_page(pages.home), methods=get),
        Route("/team/terms", pages.team_page(pages.read_terms), methods=get),
        Route("/team/terms", pages.team_page(pages.terms), methods=post),
        Route("/team/topics.jsonl", pages.team_page(pages.topics), methods=get),
        Route("/team/qrels.txt", pages.team_page(pages.qrels), methods=get),
        Route(f"/team/{CORPUS}", pages.team_page(pages.corpus), methods=get),
        Route("/team/submit", pages.team_page(pages.form), methods=get),
        Route("/team/submit", pages.team_page(pages.submit), methods=post),
        Route("/submit", pages.team_page(pages.submit), methods=post),
        Route("/team/runs/{tag}", pages.team_page(pages.run), methods=get),
        Route("/team/runs/{tag}/receipt.json", pages.team_page(pages.receipt), methods=get),
        Route("/team/runs/{tag}/withdraw", pages.team_page(pages.withdraw), methods=post),
        Route("/organise/task.toml", pages.description, methods=get),
        Route("/leaderboard", pages.public_leaderboard, methods=get),
    ]


def refusal_of(error: Exception) -> tuple[int, str, int]:
    """What is answered to an error: the status, a text, the seconds to wait."""
    if isinstance(error, SubmissionRefusedError):
        return error.status, str(error), error.wait
    if isinstance(error, HTTPException):
        return error.status_code, error.detail, 0
    refusal = next(one for one in REFUSALS if isinstance(error, one.error))
    return refusal.status, refusal.text or str(error), int(refusal.wait or 0)


class TaskPages:
    """The pages, the uploads under way, and the process that checks runs beside the server."""

    def __init__(self, app: Application) -> None:
        self.app = app
        self._uploading: set[str] = set()  # teams
        self._keeping = asyncio.Lock()
        app.worker.run_and_wait(drop_files)
        self._computer = computer_of(app.reader)
        self._corpus = PackedCorpus(computer_of(app.reader))
        self._thread = ThreadPoolExecutor(1, "checking")

    def close(self) -> None:
        """End what is under way."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        self._computer.close()
        self._thread.shutdown()
        self._corpus.close()

    def team_page(self, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        """A page for a team; of programs, errors are JSON."""

        async def answer(request: Request) -> Response:
            program = is_program(request)
            try:
                return await handler(request, await self._team(request))
            except (HTTPException, CranfieldError, TooManyError, DatabaseError) as error:
                if not program and not isinstance(error, SubmissionRefusedError):
                    raise
                response = self._refuse(program, *refusal_of(error))
                if isinstance(error, HTTPException):
                    response.headers.update(error.headers or {})  # such as connection: close
                return response

        return answer

    async def _team(self, request: Request) -> TeamVisitor:
        program = is_program(request)
        bearer = request.headers.get("authorization", "")
        token = bearer[len(BEARER) :].strip() if program else request.cookies.get(cookie_name(request, ROLE), "")
        name = await self.app.access.owner(token, client_address(request), team_of) if token else None
        if name:
            return TeamVisitor(name, Visitor(token, name).form_token(self.app.access.key), program)
        if program:
            raise HTTPException(
                401,
                translatable(
                    "This token is not valid, or has been revoked. A token is the last part of a team's link."
                ),
            )
        raise HTTPException(403, translatable("You need your team's link from the organiser to see this page."))

    def _refuse(self, program: bool, status: int, text: str, wait: int = 0) -> Response:
        headers = {"retry-after": str(wait)} if wait else {}
        if program:
            headers |= {"www-authenticate": "Bearer"} if status == 401 else {}
            error = {"line": None, "found": text, "expected": ""}
            return JSONResponse({"errors": [error], "warnings": []}, status, headers)
        shown = page_text(text).text
        return HTMLResponse(render_page("tasks/told.html", self.app.language, text=shown), status, headers)

    async def enter(self, request: Request) -> Response:
        """Take the token of a link into a cookie."""
        token = request.path_params["token"]
        if not await self.app.access.owner(token, client_address(request), team_of):
            raise HTTPException(
                403, translatable("This link is not valid, or has been revoked. Ask the organiser for a new link.")
            )
        response = HTMLResponse(render_page("enter.html", self.app.language, to="/team"))
        secure = request.url.scheme == "https"
        name = cookie_name(request, ROLE)
        response.set_cookie(name, token, max_age=FOREVER, httponly=True, samesite="strict", secure=secure)
        return response

    def _check_form(self, request: Request, team: TeamVisitor, fields: Mapping[str, str]) -> None:
        """Refuse a form that is not of the team's own page; a program has no forms."""
        own = compare_digest(fields.get("form", "").encode(), team.form.encode()) and is_from_this_site(request)
        if not team.program and not own:
            raise HTTPException(
                403, translatable("This form did not come from your team's pages, so nothing was recorded.")
            )

    async def home(self, request: Request, team: TeamVisitor) -> Response:
        """Dates, files, limits and runs of a team."""
        values = await self.app.reader.run(lambda store: home_of(store, team.name))
        if table := values["runs_table"]:
            values["runs_table"] = translate_cells(self.app.language, table, "state", "kind")
        rows = await self._overview(team) if values["phase"] == "results" else []
        facts = await self.app.reader.run(
            lambda store: description_facts(task_of(store), task_dates(store), self.app.language)
        )
        return await self._page("team", team, here="/team", overview=rows, described=[facts], **values)

    async def _page(self, name: str, team: TeamVisitor, status: int = 200, **values: Any) -> Response:
        """A page for a team."""
        context = await self.app.reader.run(context_of)
        shown = {name: translate_value(self.app.language, value) for name, value in values.items()}
        return HTMLResponse(
            render_page(
                f"tasks/{name}.html",
                self.app.language,
                **{"here": "", "form": team.form, "team": team.name, **context, **shown},
            ),
            status,
        )

    async def _overview(self, team: TeamVisitor) -> Sequence[Block]:
        results = (await self.app.results.get(overview_of, team.name, current=True)).value
        if results is None:
            return [Text(translatable("There are no results yet."))]
        if not results.rows:
            return []
        table = TableBlock("overview", results.caption, results.rows)
        return [table, Text(f"{results.about}."), *map(Text, results.withdrawn), Text(results.trust)]

    async def terms(self, request: Request, team: TeamVisitor) -> Response:
        """Accept the terms: by the form, or by a program that posts accept=yes."""
        fields = await form_fields(request)
        self._check_form(request, team, fields)
        if team.program and fields.get("accept") != "yes":
            raise HTTPException(400, translatable("Nothing was recorded. Post accept=yes to accept the terms."))
        await self.app.worker.run(lambda store: accept_terms(store, team.name, task_of(store).terms))
        return await self.read_terms(request, team) if team.program else RedirectResponse("/team", 303)

    async def read_terms(self, request: Request, team: TeamVisitor) -> Response:
        """The terms for programs, and whether the team has accepted them; a browser goes to the team's page."""
        if not team.program:
            return RedirectResponse("/team", 303)
        return JSONResponse(await self.app.reader.run(lambda store: terms_of(store, team.name)))

    async def qrels(self, request: Request, team: TeamVisitor) -> Response:
        """The qrels, once the results are out."""
        text = await self.app.reader.run(lambda store: qrels_text(store, team.name))
        return Response(text, headers=_as_file("qrels.txt"), media_type="text/plain")

    async def public_leaderboard(self, request: Request) -> Response:
        """The leaderboard of the visitor's team; without a team's link the public one, if the task has one."""
        has_token = is_program(request) or cookie_name(request, ROLE) in request.cookies
        if has_token or not await self.app.reader.run(is_public):
            return await self.team_page(self.leaderboard)(request)
        results = (await self.app.results.get(public_leaderboard, current=True)).value
        blocks = [TableBlock("leaderboard", results.caption, results.rows)] if results.rows else []
        context = await self.app.reader.run(context_of)
        return HTMLResponse(
            render_page("tasks/public.html", self.app.language, **context, public=results, blocks=blocks)
        )

    async def description(self, request: Request) -> Response:
        """The description of the task as the organiser gave it, as a file."""
        await self.app.organiser(request)
        text = await self.app.reader.run(description_text)
        if not text:
            raise HTTPException(404, translatable("This store has no shared task."))
        return Response(text, headers=_as_file("task.toml"), media_type="application/toml")

    async def topics(self, request: Request, team: TeamVisitor) -> Response:
        """The topics, once they are out."""
        lines = await self.app.reader.run(lambda store: topics_text(store, team.name))
        return Response(lines, headers=_as_file("topics.jsonl"), media_type="application/jsonl")

    async def corpus(self, request: Request, team: TeamVisitor) -> Response:
        """The documents, once they are out; a part of the file where one is asked for."""
        version = await self.app.reader.run(lambda store: corpus_version(store, team.name))
        return FileResponse(await self._corpus.file(version), filename=CORPUS, media_type="application/gzip")

    async def form(self, request: Request, team: TeamVisitor) -> Response:
        """The form for a run."""
        return await self._form(team, {}, None)

    async def _form(self, team: TeamVisitor, values: Mapping[str, str], check: CheckedRun | None) -> Response:
        status = 200 if check is None else 422
        is_late, refusal = await self.app.reader.run(lambda store: _submission_state(store, team.name))
        return await self._page(
            "submit", team, status, here="/team/submit", typed=values, found=check, kinds=KINDS, late=is_late,
            refusal=refusal,
        )  # fmt: skip

    async def submit(self, request: Request, team: TeamVisitor) -> Response:
        """Take a run: 201 and a receipt, or 422 and what is wrong with it; nothing of it is kept then."""
        async with self._one_at_a_time(team):
            task = await self.app.worker.run(lambda store: _may_submit(store, team.name))
            parts = await receive_run(request, parse_byte_size(task.size))
            with parts.run:
                at = now()
                self._check_form(request, team, parts.fields)
                return await self._submit(team, task, (parts.fields, parts.run), at)

    @asynccontextmanager
    async def _one_at_a_time(self, team: TeamVisitor) -> AsyncIterator[None]:
        if team.name in self._uploading:
            raise SubmissionRefusedError(
                429, translatable("another upload of your team is in progress; try again later"), BUSY
            )
        self._uploading.add(team.name)
        try:
            yield
        finally:
            self._uploading.discard(team.name)

    async def _submit(
        self, team: TeamVisitor, task: SharedTask, parts: tuple[dict[str, str], IO[bytes]], at: str
    ) -> Response:
        fields, file = parts
        values = {name: value for name, value in fields.items() if name not in ("form", "meta")}
        try:
            meta = read_meta(fields["meta"], task) if "meta" in fields else meta_of(values, task)
            result = await self._check(file, team.name, meta.tag, task.unpacked)
        except InputError as error:
            return await self._wrong(team, values, CheckedRun.from_error(error))
        if result.run.errors:
            return await self._wrong(team, values, result.run)
        async with self._store(file) as upload:
            new = NewSubmission(
                team=team.name,
                run=result.run,
                file=result.file,
                meta=meta,
                upload=upload,
                received=at,
                score=result.score,
            )
            proof = await self._write(lambda store: accept(store, new))
        if team.program:
            return JSONResponse({"receipt": proof, "warnings": list(result.run.warnings)}, 201)
        return RedirectResponse(f"/team/runs/{result.run.tag}?new", 303)

    async def _check(self, file: IO[bytes], team: str, tag: str, most: str) -> CheckedUpload:
        """What was found in an upload: worked out beside the server, one at a time."""

        def check() -> CheckedUpload:
            file.seek(0)
            result: CheckedUpload = self._computer.run(
                check_upload, file.read(), team, tag, most, hear=lambda line: None
            )
            return result

        return await asyncio.get_running_loop().run_in_executor(self._thread, check)

    @asynccontextmanager
    async def _store(self, file: IO[bytes]) -> AsyncIterator[int]:
        """A file kept in the store, a piece at a time, so that labels are recorded in between; until it is accepted it
        is nobody's."""
        upload = await self._write(begin_file)
        try:
            file.seek(0)
            async with self._keeping:
                while piece := file.read(PIECE):
                    await self._write(partial(keep_piece, upload=upload, piece=piece))
            yield upload
        finally:
            await self._write(partial(drop_files, upload=upload))

    async def _write(self, act: Callable[[Store], Result]) -> Result:
        """What is written, once other programs that write let it."""
        for _ in range(TRIES):
            with suppress(BusyError):
                return await self.app.worker.run(act)
            await asyncio.sleep(PAUSE)
        return await self.app.worker.run(act)

    async def _wrong(self, team: TeamVisitor, values: Mapping[str, str], check: CheckedRun) -> Response:
        if team.program:
            return JSONResponse(check.as_json(), 422)
        return await self._form(team, values, check)

    async def run(self, request: Request, team: TeamVisitor) -> Response:
        """A run of the team: its receipt, its results; a form to withdraw it."""
        tag, number = request.path_params["tag"], _round_in(request)
        values = await self.app.reader.run(lambda store: run_of(store, team.name, tag, number, self.app.language))
        sections: Sequence[Section] = ()
        if values["phase"] == "results" and values["one"].state == "taken":
            sections = (await self.app.results.get(run_sections, team.name, tag, number, current=True)).value or ()
        return await self._page("run", team, sections=sections, new="new" in request.query_params, **values)

    async def receipt(self, request: Request, team: TeamVisitor) -> Response:
        """The receipt of a run, as a file."""
        tag, number = request.path_params["tag"], _round_in(request)
        content = await self.app.reader.run(
            lambda store: receipt(store, submission_of(store, team.name, tag, number).number)
        )
        return Response(json.dumps(content, indent=1), headers=_as_file(f"{content['tag']}.receipt.json"),
                        media_type="application/json")  # fmt: skip

    async def withdraw(self, request: Request, team: TeamVisitor) -> Response:
        """Withdraw a run or, after the close, ask the organiser to withdraw it."""
        fields = await form_fields(request)
        self._check_form(request, team, fields)
        tag, reason = request.path_params["tag"], fields.get("reason", "")
        one = await self.app.worker.run(lambda store: withdraw(store, team.name, tag, reason))
        if team.program:
            asked = await self.app.reader.run(lambda store: waiting_request(store, one.number) is not None)
            return JSONResponse(
                {"run": tag, "state": "withdrawal asked" if asked else "withdrawn"}, 202 if asked else 200
            )
        return RedirectResponse("/team", 303)

    async def leaderboard(self, request: Request, team: TeamVisitor) -> Response:
        """The leaderboard, as far as the task shows one."""
        board = await self.app.reader.run(lambda store: leaderboard(store, team.name))
        if board is None:
            raise HTTPException(404, NOT_YET)
        blocks = [TableBlock("leaderboard", board.caption, board.rows)] if board.rows else []
        return await self._page("leaderboard", team, here="/leaderboard", board=board, blocks=blocks)


def _may_submit(store: Store, team: str) -> SharedTask:
    check_open(store, team, now())
    return task_of(store)


def _submission_state(store: Store, team: str) -> tuple[bool, str]:
    """Whether a run of a team would be late now, and why the team cannot submit one; empty if it can."""
    try:
        return check_open(store, team, now()), ""
    except SubmissionRefusedError as refusal:
        return False, as_sentence(str(refusal))


def _as_file(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"'}


def _round_in(request: Request) -> int:
    """The round that a link of a run names, where a later one has a run of that tag as well."""
    number = request.query_params.get("round", "")
    return int(number) if re.fullmatch(r"[0-9]{1,9}", number) else 0
