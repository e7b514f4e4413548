"""What comes back from a page is not trusted: one line says what is wrong and nothing is taken; the rest counts."""

import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

import cranfield
from cranfield.errors import CranfieldError, InputError, StoreError
from cranfield.judging.labels.why import as_document, describe_grounds, explain_grade
from cranfield.judging.planning.assign import assign_topics_to_assessors
from cranfield.judging.planning.progress import progress_of
from cranfield.judging.planning.sections import SECTIONS
from cranfield.store.assignments import assignments, claim_topic, format_timestamp, give_assignment
from cranfield.store.bundles.bundle import MergeCounts, merge_bundle, write_bundle
from cranfield.store.bundles.page import count_bundles
from cranfield.store.bundles.page_log import judged as checked
from cranfield.store.log import append, criteria, current_decisions, read_events
from cranfield.store.store import Store
from cranfield.store.verification import verify
from cranfield.web.offline_page import SCRIPTS, write_page
from cranfield.web.templates import asset_text
from tests.conftest import usually
from tests.files import json_lines
from tests.judging.cases import SECRET_DEPTH, SECRET_RUN, at, given_away, session_of, store_of

pytestmark = pytest.mark.needs_extra("serve")

TEXTS = {"d1": "a\t\U0001f600 tyre", "d2": "</script><script>alert(1)</script>", "d3": "\x1b[31m red \u202e"}
Line = dict[str, Any]


class Download:
    """A page of a store, and what an assessor would download from it."""

    def __init__(self, store: Store, folder: Path, name: str = "ada", **options: Any) -> None:
        self.path, self.html = folder / f"{name}.jsonl", folder / f"{name}.html"
        self.made = write_page(store, self.html, name, **options)
        content = self.html.read_text("utf-8").split('id="work">')[1].split("</script>")[0]
        self.content: dict[str, Any] = json.loads(content)
        self.lines: list[Line] = [json.loads(self.content["header"])]
        self.shown = [one for topic in self.content["topics"] for one in topic["documents"]]
        self._moment = datetime.fromisoformat(self.lines[0]["made"])

    def add(self, kind: str, document: int = 0, **fields: Any) -> Line:
        self._moment += timedelta(milliseconds=1)
        number = len(self.lines)
        about = {"number": number, "event_id": f"{number:032x}", "at": format_timestamp(self._moment), "kind": kind}
        line = about | ({} if kind == "criterion" else {"document": self.shown[document]["id"], "seconds": 0}) | fields
        self.lines.append(line)
        return line

    def write(self, lines: list[Line] | None = None) -> Path:
        self.path.write_text(json_lines(lines or self.lines), "utf-8")
        return self.path


def prepare(path: Path) -> Store:
    """A store whose topic q1 is ada's and whose others are bob's."""
    store = store_of(path=path, texts=TEXTS)
    assign_topics_to_assessors(store, ["ada", "bob"])
    return store


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Download]]:
    """A store, and a download with five lines, that is never imported."""
    folder = tmp_path_factory.mktemp("page")
    with prepare(folder / "t.db") as store:
        yield store, judged(Download(store, folder))


def judged(download: Download) -> Download:
    """A label, which is undone, one with evidence, a criterion, and one that cannot be given."""
    first = download.add("label", grade=1, position=1, document_sha256=download.shown[0]["sha256"])
    download.add("retract", supersedes=first["event_id"])
    text = download.shown[0]["text"]
    download.add("label", grade=2, evidence=[{"start": 0, "end": 3, "quote": text[:3]}], note="why", unsure=True)
    download.add("criterion", topic=download.content["topics"][0]["id"], text="only wings")
    download.add("cannot-judge", 1, reason="unreadable")
    return download


def changed(number: int, **fields: Any) -> Callable[[list[Line]], None]:
    """A line with other fields; one that is None is not there."""

    def change(lines: list[Line]) -> None:
        lines[number].update(fields)
        for name in [name for name, value in fields.items() if value is None]:
            del lines[number][name]

    return change


LATE = format_timestamp(datetime.now(UTC) + timedelta(days=3))
WRONG: dict[str, tuple[Callable[[list[Line]], object], str]] = {
    "another format": (changed(0, format="x"), ":1: not the download of a page; expected"),
    "a newer version": (changed(0, version=2), ":1: the page has version 2; expected 1"),
    "another collection": (changed(0, collection="x"), ":1: a page of another collection, 'x'"),
    "another assessor": (changed(0, assessor="bob"), ":1: this store did not make this page, or its first line"),
    "another page": (changed(0, page="0" * 32), ":1: this store did not make this page"),
    "another order": (changed(0, order="priority"), ":1: this store did not make this page"),
    "no seal": (changed(0, seal=None), ":1: this store did not make this page"),
    "odd values": (changed(0, seed={"a": [1]}, seal=[]), ":1: this store did not make this page"),
    "an unknown document": (changed(1, document="d1"), ":2: document 'd1' is not on this page"),
    "an unknown topic": (changed(4, topic="q1"), ":5: topic 'q1' is not on this page"),
    "off the scale": (changed(1, grade=7), ":2: grade 7 is not on the scale: -1 spam, 0"),
    "no whole grade": (changed(1, grade=1.5), ":2: grade is 1.5; expected a whole number"),
    "true as a grade": (changed(1, grade=True), ":2: grade is True; expected a whole number"),
    "no grade": (changed(1, grade=None), ":2: a label without 'grade'"),
    "somebody speaks for others": (changed(1, assessor="bob"), ":2: a label with the unknown field 'assessor'"),
    "an adjudication": (changed(1, kind="adjudicate"), ":2: kind is 'adjudicate'; expected label, later"),
    "a kind of list": (changed(1, kind=[1]), ":2: kind is [1]; expected label"),
    "in the future": (changed(5, at=LATE), ":6: at is 2"),
    "backwards": (
        changed(3, at="2020-01-01T00:00:00.000+00:00"),
        ":4: at is 2020-01-01T00:00:00.000+00:00, which precedes",
    ),
    "no time": (changed(3, at="yesterday"), ":4: at is 'yesterday'; expected a time in UTC such as"),
    "another zone": (changed(3, at="2999-01-01T00:00:00.000+02:00"), ":4: at is '2999-01-01T00:00:00.000+02:00'"),
    "an id twice": (changed(3, event_id=f"{1:032x}"), ":4: duplicate event_id, first on line 2"),
    "an odd id": (changed(3, event_id="x outweighed"), ":4: event_id is 'x outweighed'; expected 32 hexadecimal"),
    "a line is missing": (lambda lines: lines.pop(2), ":3: number is 3; expected 2"),
    "lines change places": (lambda lines: lines.insert(1, lines.pop(2)), ":2: number is 2; expected 1"),
    "undone in advance": (changed(2, supersedes=f"{3:032x}"), ":3: supersedes is '000"),
    "another's decision undone": (changed(2, supersedes="label-of-bob"), ":3: supersedes is 'label-of-bob'"),
    "the undoing of another pair": (changed(5, supersedes=f"{2:032x}"), ":6: it retracts an event"),
    "a redo of something else": (changed(3, supersedes=f"{2:032x}", grade=0), ":4: it does not state which"),
    "evidence elsewhere": (
        changed(3, evidence=[{"start": 1, "end": 4, "quote": "zzz"}]),
        ":4: the evidence 'zzz' is not at character 1",
    ),
    "no evidence": (changed(3, evidence=[0]), ':4: evidence is [0]; expected a list of {"start"'),
    "another text": (changed(1, document_sha256="0"), ":2: the text of "),
    "negative seconds": (changed(1, seconds=-1), ":2: seconds is -1; expected a number of seconds"),
    "a long note": (changed(3, note="x" * usually(1_000_001, 5_000_000)), ":4: note is 'xxx"),
    "no reason": (changed(5, reason=""), ":6: reason is ''; expected a text of 1 to 1,000,000 characters"),
    "no object": (lambda lines: lines.append([1]), ":7: a JSON list; expected one object per line"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize(("edit", "message"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_told_and_nothing_is_taken(
    there: tuple[Store, Download], edit: Callable[[list[Line]], object], message: str
) -> None:
    """Each edit of the file is one line that names the file, its line, what was found and what would be right."""
    store, download = there
    lines = json.loads(json.dumps(download.lines))
    edit(lines)
    with pytest.raises(InputError) as refusal:
        merge_bundle(store, download.write(lines))
    assert str(refusal.value).startswith(f"{download.path}{message}")
    assert not read_events(store)
    assert not criteria(store, "q1", "ada")


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: data[:-20], ":6: not JSON"),
        (lambda data: data + b'{"number":', ":7: not JSON"),
        (lambda data: data.replace(b"why", b"wh\0"), ":4: not JSON"),
        (lambda data: data.replace(b"why", b"\xff"), ": not UTF-8: b'\\xff'"),
        (lambda data: data.decode().encode("utf-16"), ": not a store"),
    ],
    ids=["cut", "cut while written", "NUL", "not UTF-8", "UTF-16"],
)
def test_damaged_files(there: tuple[Store, Download], damage: Callable[[bytes], bytes], message: str) -> None:
    """A file that is cut off or no text says so; nothing is taken."""
    store, download = there
    path = download.write()
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(CranfieldError) as refusal:
        merge_bundle(store, path)
    assert str(refusal.value).startswith(f"{path}{message}")
    assert not read_events(store)


def test_other_line_ends(there: tuple[Store, Download]) -> None:
    """A byte order mark, CRLF and empty lines, as editors and mail programs leave them, do no harm."""
    store, download = there
    path = download.write()
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n\r\n"))
    assert len(checked(store, path).new) == 4


def test_any_other_change_is_refused_or_harmless(there: tuple[Store, Download]) -> None:
    """Bytes changed at random: an error of ours, or what ada might have said."""
    store, download = there
    data, random = download.write().read_bytes(), Random(7)
    for _ in range(usually(40, 2000)):
        place, byte = random.randrange(len(data)), random.randrange(256)
        download.path.write_bytes(data[:place] + bytes([byte]) + data[place + 1 :])
        try:
            with store.writing():
                merge_bundle(store, download.path)
                assert {event.assessor for event in read_events(store)} == {"ada"}
                raise InputError("taken back")
        except CranfieldError:
            assert not read_events(store)


def test_the_page_itself_is_not_a_download(there: tuple[Store, Download]) -> None:
    """The error says what to import."""
    store, download = there
    with pytest.raises(CranfieldError, match="the page itself; expected the file that its Download button saves"):
        merge_bundle(store, download.html)


def test_a_page_tells_nothing(there: tuple[Store, Download]) -> None:
    """No docno, run, rank, URL, other assessor or other topic is in the source; no text of a document ends a script."""
    _, download = there
    source = download.html.read_text("utf-8")
    secrets = (SECRET_RUN, str(SECRET_DEPTH), "secret.example", "bob", "text of d4", "title of q2", '"d1"', '"d2"')
    assert given_away([source], secrets) == set()
    assert "alert(1)</script>" not in source
    assert source.count("<script") == source.count("</script>")
    assert not {"\x1b", "\u202e"} & set(source)


def back(store: Store, download: Download) -> MergeCounts:
    return merge_bundle(store, download.write())


def test_brought_back(tmp_path: Path) -> None:
    """A label counts; its evidence is at its stored place; the log and `explain_grade` name the page."""
    with prepare(tmp_path / "t.db") as store:
        download = Download(store, tmp_path)
        place = next(n for n, one in enumerate(download.shown) if one["sha256"] and "tyre" in one["text"])
        text = download.shown[place]["text"]
        start = len(text[: text.index("tyre")].encode("utf-16-le")) // 2
        download.add("label", place, grade=2, evidence=[{"start": start, "end": start + 4, "quote": "tyre"}])
        assert back(store, download) == ("ada", 1, 0, 0, True)
        (event,) = read_events(store)
        assert (event.input, event.order_policy, event.pool) == ("page", "hash", 1)
        assert json.loads(event.evidence or "") == [{"start": 4, "end": 8, "quote": "tyre"}]
        assert verify(store).events == 1
        reasons = as_document(explain_grade(store, event.qid, event.docno))
        assert (reasons["grade"], reasons["events"][0]["input"]) == (2, "page")
        assert "judged it on an offline page" in list(
            describe_grounds(explain_grade(store, event.qid, event.docno), event)
        )
        work = next(row for row in SECTIONS["work"](progress_of(store)) if row["assessor"] == "ada")
        assert work["judged"] == 1


def test_again_and_later_adds_only_what_is_new(tmp_path: Path) -> None:
    """The same file is harmless, a later one adds the rest; two copies of a page can both come back."""
    with prepare(tmp_path / "t.db") as store:
        download = judged(Download(store, tmp_path))
        copy = [*download.lines]
        assert back(store, download)[:4] == ("ada", 4, 0, 0)
        assert back(store, download)[:4] == ("ada", 0, 4, 0)
        download.add("label", 2, grade=0)
        assert back(store, download)[:4] == ("ada", 1, 4, 0)
        assert len(criteria(store, "q1", "ada")) == 1
        download.lines = copy
        download.add("label", 2, grade=1, event_id="f" * 32)
        assert back(store, download)[:3] == ("ada", 1, 4)
        assert verify(store).events == 6
        changed(1, grade=0)(download.lines)
        with pytest.raises(InputError, match=":2: it differs from the event with the same id in this store"):
            back(store, download)


def test_a_newer_decision_here_counts(tmp_path: Path) -> None:
    """What she decided here after she did on the page stays, and is reported as with a bundle."""
    with prepare(tmp_path / "t.db") as store:
        download = Download(store, tmp_path)
        download.add("label", 0, grade=0)
        session = session_of(store, order="hash")
        at(session).grade(2)
        docno = read_events(store)[0].docno
        assert back(store, download).outdated == 1
        assert current_decisions(store, "ada")["q1", docno].grade == 2
        assert (session.refresh().can_redo, session.pair == ("q1", docno)) == (False, False)  # it is not asked again
        assert verify(store).events == 3


def test_earlier_work_is_in_the_page(tmp_path: Path) -> None:
    """A label given before can be undone in the page; `limit` counts what is to be judged."""
    with prepare(tmp_path / "t.db") as store:
        session = session_of(store, order="hash", ids=lambda: "a" * 32)
        at(session).grade(0)
        download = Download(store, tmp_path, limit=1)
        assert (download.made.documents, download.made.events, len(download.shown)) == (1, 1, 2)
        assert [(one["grade"], one["seconds"], "unsure" in one) for one in download.content["past"]] == [
            (0, 0.0, False)
        ]
        download.add("retract", supersedes="a" * 32)
        assert back(store, download).new == 1
        assert not current_decisions(store, "ada")


def test_what_left_the_house_does_not_lapse(tmp_path: Path) -> None:
    """A claim whose page was made is not claimed by others; given away, its labels still come back."""
    with store_of(path=tmp_path / "t.db") as store:
        assign_topics_to_assessors(store, [], lease=60)
        assert claim_topic(store, "ada") == "q1"
        download = Download(store, tmp_path)
        download.add("label", grade=1)
        assert count_bundles(store, "ada") == 1
        assert [one.lease for one in assignments(store) if one.assessor == "ada"] == [None]
        assert claim_topic(store, "bob", datetime.now(UTC) + timedelta(days=9)) == "q2"
        give_assignment(store, "q1", "first", "bob")
        assert back(store, download).new == 1


def test_second_showings(tmp_path: Path) -> None:
    """A document that is shown twice is two documents of the page; the second label is kept as the second."""
    docnos = [f"d{number:02}" for number in range(14)]
    with store_of({"q1": docnos}, tmp_path / "t.db") as store:
        assign_topics_to_assessors(store, ["ada"], repeats=1)
        download = Download(store, tmp_path)
        hashes = [one["sha256"] for one in download.shown]
        twice = next(place for place, one in enumerate(hashes) if hashes.index(one) < place)
        download.add("label", hashes.index(hashes[twice]), grade=1)
        download.add("label", twice, grade=2)
        back(store, download)
        assert [(event.assessor, event.grade) for event in read_events(store)] == [("ada", 1), ("ada (repeat)", 2)]
        assert "(repeat)" not in download.html.read_text()


def test_a_store_restored_from_before_the_page(tmp_path: Path) -> None:
    """It does not know the page, but its key does: the work is taken, with a remark."""
    with prepare(tmp_path / "t.db") as store:
        Download(store, tmp_path, "bob")  # the key is made
        (tmp_path / "old.db").write_bytes((tmp_path / "t.db").read_bytes())
        download = Download(store, tmp_path)
        download.add("label", grade=1)
    with Store.open(tmp_path / "old.db") as old:
        assert back(old, download) == ("ada", 1, 0, 0, False)
        append(old)
        assert verify(old).events == 1


def test_no_page_of_a_bundle(tmp_path: Path) -> None:
    """What came back from it could not come home with the bundle."""
    with prepare(tmp_path / "t.db") as store:
        write_bundle(store, tmp_path / "ada.db", "ada")
    with (
        Store.open(tmp_path / "ada.db") as bundle,
        pytest.raises(StoreError, match="this is a bundle; export the page"),
    ):
        write_page(bundle, tmp_path / "ada.html", "ada")


def test_in_python(tmp_path: Path) -> None:
    """The functions of the commands give one row each."""
    with prepare(tmp_path / "t.db"):
        pass
    out = cranfield.judging.export_page(tmp_path / "t.db", tmp_path / "ada.html", "ada", topics=["q1"], limit=2)
    assert out.rows() == [{"topics": 1, "documents": 2, "repeats": 0, "events": 0, "earlier": 0, "pictures": 0}]
    page = (tmp_path / "ada.html").read_text("utf-8")
    header = json.loads(page.split('id="work">')[1].split("</script>")[0])["header"]
    (tmp_path / "ada.jsonl").write_text(header + "\n", "utf-8")
    merge = cranfield.judging.import_bundle(tmp_path / "t.db", tmp_path / "ada.jsonl")
    assert merge.rows()[0] == MergeCounts("ada", 0, 0, 0, True)._asdict()


def test_no_script_declares_a_name_of_another() -> None:
    """They share one scope on the page: a constant that two declare would stop them all."""
    scripts = "".join(asset_text(f"{name}.js") for name in SCRIPTS)
    names = re.findall(r"^(?:const|let|class) (\w+)", scripts, re.MULTILINE)
    assert len(names) == len(set(names)) > 20
