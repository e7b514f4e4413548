"""Pictures of a folder: which are shown, which are not and why, and that no page asks anybody else for any."""

import io
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cranfield.display.layout import fields_of, layout_of
from cranfield.features.documents.conversion.builder import SkipError
from cranfield.features.documents.conversion.files import pack_picture
from cranfield.features.documents.pictures import relative_path
from cranfield.judging.planning.assign import assign_topics_to_assessors
from cranfield.store.pools import add_pool
from cranfield.store.store import Store
from cranfield.text import visible_text
from cranfield.web.offline_page import write_page
from tests.browser import InBrowser
from tests.conftest import Cranfield
from tests.features.documents.test_folders import write
from tests.judging.cases import pool_of
from tests.needed_extras import skip_without
from tests.web.offline import CLOCK, opened
from tests.web.test_in_browser import StoreServer, judging, place

pytestmark = pytest.mark.full

SVG = b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'><image href='http://192.0.2.1/x.png'/></svg>"
SOURCES = {  # what pages name, and what is said of it
    "../pics/a%20b.png?v=1": "",
    "/pics/c.webp": "",
    "http://192.0.2.1/x.png": "outside the folder",
    "//192.0.2.1/x.png": "outside the folder",
    "data:image/png;base64,iVBORw0KGgo=": "outside the folder",
    "file:///etc/passwd": "outside the folder",
    "../../secret.png": "outside the folder",
    "../pics/evil.svg": "no PNG, JPEG, GIF or WebP",
    "../pics/evil.png": "no PNG, JPEG, GIF or WebP",
    "../pics/linked.png": "a link, which is not followed",
    "../out/secret.png": "a link, which is not followed",
    "../pics/none.png": "missing",
}  # fmt: skip
IMAGES = "() => [...document.images].map((one) => [one.naturalWidth, new URL(one.src).pathname.slice(0, 7)])"
WAIT = "() => Promise.all([...document.images].map((one) => one.decode().catch(() => null)))"


def picture(kind: str, size: tuple[int, int] = (8, 6), mode: str = "RGB") -> bytes:
    from PIL import Image

    target = io.BytesIO()
    Image.new(mode, size).save(target, kind)
    return target.getvalue()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page that names pictures of every sort, a Word document with one inside, and one picture alone."""
    skip_without("files")
    import docx as word

    where = tmp_path_factory.mktemp("pictures")
    images = "".join(f'<img src="{source}" alt="[{number}]">' for number, source in enumerate(SOURCES))
    folder = write(where / "docs", {
        "shop/page.html": f'<h1>Wheel</h1><p>{images}</p><script>alert(1)</script>'.encode(),
        "pics/a b.png": picture("PNG"), "pics/c.webp": picture("WEBP"), "alone.jpg": picture("JPEG"),
        "pics/evil.svg": SVG, "pics/evil.png": SVG, "note.md": b"---\nimage: pics/c.webp\n---\n# Note\n\noil\n",
    })  # fmt: skip
    document = word.Document()
    document.add_picture(io.BytesIO(picture("GIF")))
    document.add_paragraph("under it")
    document.save(str(folder / "w.docx"))
    write(where, {"secret.png": picture("PNG", (3, 3)), "out/secret.png": picture("PNG", (3, 3))})
    (folder / "pics" / "linked.png").symlink_to(where / "secret.png")
    (folder / "out").symlink_to(where / "out")
    return folder


@pytest.fixture
def store(folder: Path, tmp_path: Path, cranfield: Cranfield) -> Path:
    path = tmp_path / "t.db"
    assert cranfield("init", str(path), "--name", "x", "--show", "image:image").code == 0
    assert cranfield("import", "corpus", str(path), str(folder)).out == "4 documents\n"
    (tmp_path / "topics.tsv").write_text("q1\toil\n")
    cranfield("import", "topics", str(path), str(tmp_path / "topics.tsv"))
    with Store.open(path) as there:
        add_pool(there, pool_of({"q1": ["alone.jpg", "note.md", "shop/page.html", "w.docx"]}))
        assign_topics_to_assessors(there, ["ada"])
    return path


def stored_pictures(store: Path) -> list[str]:
    with Store.open(store) as there:
        return [kind for (kind,) in there.rows("SELECT type FROM picture ORDER BY type")]


def test_a_folder_shows_its_own_pictures(folder: Path, store: Path, cranfield: Cranfield) -> None:
    """By what they are, not by their names; whatever else is named stays its words, and is told."""
    assert stored_pictures(store) == ["gif", "jpeg", "png", "webp"]
    with Store.open(store) as there:
        page = there.document("shop/page.html")
        pictures = [bool(one.picture) for one in layout_of(page.metadata, page.text) if one.kind == "image"]
        assert pictures == [not why for why in SOURCES.values()]
        assert page.text.count("[image: ") == len(SOURCES)
        alone = there.document("alone.jpg")
        assert (alone.text, len(layout_of(alone.metadata, ""))) == ("", 1)
        [field] = fields_of(there.document("note.md").metadata)
        assert (field.value, len(field.picture)) == ("pics/c.webp", 64)
    result = cranfield("import", "corpus", str(store), str(folder))
    assert result.out == "0 documents\n"
    note = " ".join(result.err.split())
    assert "5 pictures not shown, outside the folder: http://192.0.2.1/x.png in shop/page.html, ..." in note
    assert "2 pictures not shown, no PNG, JPEG, GIF or WebP: ../pics/evil.svg in shop/page.html, ..." in note
    assert "1 picture not shown, missing: ../pics/none.png in shop/page.html" in note
    assert "skipped 2 files, shown in other documents: pics/a b.png, ..." in note
    assert cranfield("store", "verify", str(store)).code == 0


def test_a_terminal_says_that_there_is_a_picture(
    store: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("0\n0\n0\n0\nq\n"))
    judged = cranfield("judge", str(store), "--assessor", "ada", "--plain").out
    assert "image: [image: pics/c.webp]" in judged
    assert "This document is a picture; view it in the browser." in judged
    assert "[image: [0]]" in judged


def test_no_pictures_where_none_are_wanted(folder: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    path = tmp_path / "n.db"
    cranfield("init", str(path), "--name", "x")
    without = cranfield("import", "corpus", str(path), str(folder), "--images", "no")
    assert without.out == "3 documents\n"
    assert "pictures not shown" not in without.err
    assert stored_pictures(path) == []


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (picture("PNG", (9000, 5000), "1"), "too large: 9,000 x 5,000 pixels; at most 40,000,000"),
        (picture("PNG") + bytes(4 << 20), "too large: 4,194,380 bytes; at most 4M"),
        (b"\x89PNG\r\n\x1a\n", "no PNG, JPEG, GIF or WebP"),
        (picture("BMP"), "no PNG, JPEG, GIF or WebP"),
    ],
    ids=["pixels", "bytes", "cut", "bmp"],
)
def test_what_is_too_large_or_none(data: bytes, why: str) -> None:
    with pytest.raises(SkipError) as error:
        pack_picture(data)
    assert str(error.value).partition(": ")[0] == why.partition(": ")[0]
    assert "bytes" in why or str(error.value) == why


def test_no_path_leads_out() -> None:
    for source in ("../../x", "%2e%2e/%2e%2e/x", "a/../../../x", "/../x", "x\0y", "", "?", "//h/x", "C:/x"):
        assert relative_path(source, "shop/page.html") in ("", "x"), source
    assert (relative_path("../x", "shop/page.html"), relative_path("../../x", "shop/page.html")) == ("x", "")


def test_fields_of_other_files_name_pictures_of_a_folder(folder: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    store, corpus = str(tmp_path / "j.db"), tmp_path / "corpus.jsonl"
    corpus.write_text(
        '{"_id": "d1", "text": "a", "image": "c.webp"}\n{"_id": "d2", "text": "b", "image": "../x.png"}\n'
    )
    cranfield("init", store, "--name", "x", "--show", "image:image")
    for wrong in ("maybe", str(corpus)):
        assert cranfield("import", "corpus", store, str(corpus), "--images", wrong).code == 2
    assert cranfield("import", "corpus", store, str(corpus), "--images", str(folder / "pics")).out == "2 documents\n"
    with Store.open(store) as there:
        assert [len(fields_of(one.metadata)) for one in there.documents()] == [1, 0]
    assert stored_pictures(Path(store)) == ["webp"]


def test_a_picture_is_what_it_was_and_goes_with_its_documents(
    folder: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    store = str(tmp_path / "t.db")
    cranfield("init", store, "--name", "x")
    cranfield("import", "corpus", store, str(folder))
    with sqlite3.connect(store) as conn:
        conn.execute("UPDATE picture SET data = x'00' WHERE type = 'webp'")
    output = cranfield("store", "verify", store)
    assert (output.code, "is not the one that was imported" in output.err) == (1, True)
    assert cranfield("store", "remove", store, "import", "1").code == 0
    assert stored_pictures(Path(store)) == []


def test_bundles_and_passages_have_them(store: Path, tmp_path: Path, cranfield: Cranfield, monkeypatch: Any) -> None:
    """A bundle is judged as the store would be: its labels are of documents with layout and fields."""
    bundle, passages = tmp_path / "ada.db", tmp_path / "p.db"
    assert cranfield("export", "bundle", str(store), str(bundle), "--assessor", "ada").code == 0
    assert cranfield("passages", "build", str(store), str(passages), "--by", "words").code == 0
    assert (stored_pictures(bundle), stored_pictures(passages)) == (
        ["gif", "jpeg", "png", "webp"],
        ["gif", "png", "webp"],
    )
    monkeypatch.setattr("sys.stdin", io.StringIO("0\n0\n0\n0\nq\n"))
    assert cranfield("judge", str(bundle), "--assessor", "ada", "--plain").code == 0
    assert cranfield("import", "bundle", str(store), str(bundle)).code == 0
    with Store.open(store) as there:
        digests = dict(there.rows("SELECT docno, sha256 FROM document"))
        others = dict(
            there.rows("SELECT docno, document_sha256 FROM judgment_event e JOIN document d ON d.id = e.document")
        )
    assert len(others) == len(digests) == 4
    assert others == digests
    assert cranfield("store", "verify", str(store)).code == 0


@pytest.fixture
def serving(store: Path) -> Iterator[StoreServer]:
    with closing(StoreServer(store, lambda path: None)) as serving:
        yield serving


def pictures_on(page: Any) -> Sequence[Any]:
    page.evaluate(WAIT)
    images: Sequence[Any] = page.evaluate(IMAGES)
    return images


def test_pictures_in_the_browser(in_browser: InBrowser, serving: StoreServer) -> None:
    """For assessor and organiser, from the store alone; without a link there is none."""
    requests: list[str] = []
    base, token = serving.at.base, serving.app.access.start_token
    with_pictures = {"alone.jpg": [8], "note.md": [8], "shop/page.html": [8, 8], "w.docx": [8]}

    def visit(browser: Any) -> list[Any]:
        images: list[Any] = []
        with judging(browser, serving) as page:
            page.on("request", lambda request: requests.append(request.url))
            for number in range(1, 5):
                place(page, number)
                images.append([width for width, path in pictures_on(page) if path == "/image/"])
                page.keyboard.press("1")
            page.get_by_role("heading", name="Everything is done").wait_for()
        with browser.new_context() as context:
            page = context.new_page()
            page.on("request", lambda request: requests.append(request.url))
            page.goto(f"{base}/enter/{token}")
            page.wait_for_url(f"{base}/")
            for docno, widths in with_pictures.items():
                page.goto(f"{base}/look/document?docno={docno}")
                assert [width for width, _ in pictures_on(page)] == widths, docno
            page.goto(f"{base}/look/document?docno=shop/page.html&lines=lines")
            assert pictures_on(page) == []
            assert page.locator("[role=region] h2").count() == 0
            page.get_by_text("Show the formatted text").click()
            page.locator("[role=region] h2").wait_for()
            address = page.locator("img").first.get_attribute("src")
            statuses = [context.request.get(f"{base}{one}") for one in (address, "/image/" + "0" * 64, "/image/..%2fx")]
            assert [one.status for one in statuses] == [200, 404, 404]
            assert statuses[0].headers["content-type"] == "image/png"
            assert "img-src 'self';" in statuses[0].headers["content-security-policy"]
        with browser.new_context() as context:
            assert context.request.get(f"{base}{address}").status == 403
        return images

    assert sorted(in_browser(visit)) == sorted(with_pictures.values())
    assert [url for url in requests if not url.startswith(base)] == []


def test_pictures_on_the_page_without_a_server(in_browser: InBrowser, store: Path, tmp_path: Path) -> None:
    """As far as there is room; and its lines as they are, with a key."""

    def visit(browser: Any, path: Path) -> list[Any]:
        requests, images = list[str](), list[Any]()
        with opened(browser, path, CLOCK) as offline:
            offline.page.on("request", lambda request: requests.append(request.url))
            for number in range(1, 5):
                offline.at("q1", number)
                offline.page.evaluate(WAIT)
                images.append(offline.page.locator("main img").count())
                if offline.page.locator("[formaction=original]").is_visible():
                    offline.page.keyboard.press("o")
                    offline.page.locator("[formaction=original][aria-pressed=true]").wait_for()
                    assert offline.page.locator("#text img, #text h2").count() == 0
                    offline.page.keyboard.press("o")
                    offline.page.locator("[formaction=original][aria-pressed=false]").wait_for()
                offline.judge(["0"], {})
        assert [url for url in requests if not url.startswith(("data:", "blob:"))] == []
        return images

    with Store.open(store) as there:
        pages = [write_page(there, tmp_path / f"{most}.html", "ada", images_limit=most) for most in (1 << 20, 0)]
    assert [one.pictures for one in pages] == [0, 4]
    assert sorted(in_browser(partial(visit, path=tmp_path / f"{1 << 20}.html"))) == [1, 1, 1, 2]
    assert in_browser(partial(visit, path=tmp_path / "0.html")) == [0, 0, 0, 0]
    assert visible_text("[image: [0]]") in (tmp_path / "0.html").read_text("utf-8")


def test_without_scripts(in_browser: InBrowser, serving: StoreServer) -> None:
    """Pictures, layout and the lines as they are need none, and fit a narrow telephone."""

    def visit(browser: Any) -> list[Any]:
        images: list[Any] = []
        size = {"width": 360, "height": 780}
        with browser.new_context(viewport=size, java_script_enabled=False) as context:
            page = context.new_page()
            page.goto(serving.link)
            page.wait_for_url(f"{serving.at.base}/judge")
            for number in range(1, 5):
                page.get_by_text(f"document {number} of").first.wait_for()
                widths = [one.bounding_box()["width"] for one in page.locator("main img").all()]
                images.append((len(widths), page.locator("#text h2, #text .p").count() > 0))
                assert all(width <= size["width"] for width in widths)
                original = page.get_by_role("link", name="Show the lines as they are")
                original.click()
                assert page.locator("#text img, #text h2").count() == 0
                page.get_by_role("link", name="Show the formatted text").click()
                page.locator("button[value='1']").first.click()
        return images

    assert sorted(count for count, _ in in_browser(visit)) == [1, 1, 1, 2]
