"""Recipes: classic collections built right, or not at all."""

import gzip
from pathlib import Path

import pytest

from cranfield.analysis.recipes import build, bundled_recipes, read_recipe
from cranfield.errors import InputError
from cranfield.store.log import assessors
from cranfield.store.names import find_missing_names
from cranfield.store.qrels import qrels_of
from cranfield.store.runs import run_info
from cranfield.store.store import Store
from tests.conftest import Cranfield

RECIPE = """
name = "Tiny"
min_relevant = 2
[grades]
0 = "no"
1 = "hardly"
2 = "yes"
[[corpus]]
path = "docs/tiny.all"
format = "smart"
[[topics]]
path = "tiny.qry"
format = "smart"
ids = "ordinal"
[[qrels]]
path = "tiny.rel"
format = "cranqrel"
assessor = "ada"
kind = "human"
grades = { 1 = 2, 2 = 1, -1 = 0 }
[[runs]]
path = "tiny.run"
"""
FILES = {
    "docs/tiny.all": ".I 1\n.T\nOne\n.W\ntext\n.W\nmore\n.I 2\n.W\nother\n",
    "tiny.qry": ".I 007\n.W\nfirst\n.I 030\n.W\nsecond\n",
    "tiny.rel": "1 1 1\n1 2 -1 \n2 2 2",
    "tiny.run": "1 Q0 1 1 1.0 t\n",
    "tiny.toml": RECIPE,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A recipe and its files."""
    (tmp_path / "docs").mkdir()
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    return tmp_path


def test_a_users_own_recipe(folder: Path) -> None:
    """Ordinal topics, a grade map, an assessor and a run, from files found by name, compressed or not."""
    (folder / "moved").mkdir()
    (folder / "moved" / "tiny.all.gz").write_bytes(gzip.compress((folder / "docs/tiny.all").read_bytes()))
    (folder / "docs/tiny.all").unlink()
    with build(read_recipe(str(folder / "tiny.toml")), folder, folder / "out.db") as store:
        assert [(topic.qid, topic.title) for topic in store.topics()] == [("1", "first"), ("2", "second")]
        assert store.document("1").text == "text\nmore"
        assert qrels_of(store).grade.tolist() == [2, 0, 1]
        assert assessors(store) == {"ada": "human"}
        assert (store.collection.min_relevant, store.counts()["run"]) == (2, 1)


WRONG = [
    (("name =", "nmae ="), "unknown key 'nmae' in a recipe; expected one of name, description"),
    (
        ('path = "tiny.run"', f'path = "{"n" * 256}"'),
        "a path inside the folder, with names of up to 255 bytes",
    ),
    (('path = "tiny.run"', 'path = "/etc/hostname"'), "path is '/etc/hostname'; expected a path inside the folder"),
    (('path = "tiny.run"', 'path = "../tiny.run"'), "path is '../tiny.run'; expected a path inside the folder"),
    (('path = "tiny.run"', 'file = "tiny.run"'), "unknown key 'file' in [[runs]]; expected one of path"),
    (('path = "tiny.run"', ""), "[[runs]] has no path"),
    (('name = "Tiny"', ""), "name is missing; a recipe needs"),
    (("[[corpus]]", "[corpus]"), "corpus is {'path': 'docs/tiny.all', 'format': 'smart'}; expected one or"),
    (("min_relevant = 2", 'min_relevant = "2"'), "min_relevant is '2'; expected a whole number"),
    (("min_relevant = 2", "min_relevant = true"), "min_relevant is True; expected a whole number"),
    (('0 = "no"', "0 = 1"), "grades is {'0': 1, "),
    (('0 = "no"', 'no = "0"'), "grades is {'no': '0', "),
    (('"smart"\n[[topics]]', '"smarter"\n[[topics]]'), "[[corpus]]: format is 'smarter'; expected"),
    (('ids = "ordinal"', 'ids = "ordinary"'), "[[topics]]: ids is 'ordinary'; expected"),
    (('path = "tiny.run"', 'path = "tiny.run"\nids = "ordinal"'), "unknown key 'ids' in [[runs]]"),
    (('ids = "ordinal"', 'sha256 = "00"'), "sha256 is '00'; expected 64 hexadecimal digits"),
    (('kind = "human"', 'kind = "person"'), "[[qrels]]: kind is 'person'; expected \"human\" or"),
    (("1 = 2, 2", '1 = "2", 2'), "[[qrels]]: grades is {'1': '2', "),
    (
        ('ids = "ordinal"', 'field = { body = "x" }'),
        "field is {'body': 'x'}; expected a table that maps our field names",
    ),
    (("1 = 2, 2 = 1", "1 = 3, 2 = 1"), "tiny.rel:1: grade 1, which becomes 3, is not on the scale"),
    (("[grades]", "[[grades"), "not TOML"),
    (('ids = "ordinal"', f'sha256 = "{"0" * 64}"'), "SHA-256 is"),
    (("tiny.run", "lost.run"), "lost.run is missing; a compressed file is also accepted"),
]


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        *(("tiny.toml", *row) for row in WRONG),
        ("tiny.rel", ("1 1 1", "1 1 5"), "tiny.rel:1: "),
        ("tiny.rel", ("2 2 2", "3 2 2"), "tiny.rel: topic '3' is not in the store"),
        ("docs/tiny.all", (".I 2", ".I 1"), "docno '1'"),
    ],
)
def test_a_recipe_that_fails_leaves_no_store(folder: Path, name: str, change: tuple[str, str], message: str) -> None:
    """Whatever is wrong is said in one line, and there is no half-built store."""
    (folder / name).write_text((folder / name).read_text().replace(*change))
    with pytest.raises(InputError) as error:
        build(read_recipe(str(folder / "tiny.toml")), folder, folder / "out.db")
    assert message in str(error.value)
    assert "\n" not in str(error.value)
    assert not list(folder.glob("out.db*"))


@pytest.mark.needs_extra("files")
def test_what_is_empty_or_said_elsewhere_is_told(folder: Path, cranfield: Cranfield) -> None:
    """Documents without a text, a field of another name, a header of a run."""
    recipe = RECIPE.replace(
        'docs/tiny.all"\nformat = "smart"', 'docs/tiny.jsonl"\nformat = "jsonl"\nfield = { text = "story" }'
    )
    (folder / "tiny.toml").write_text(recipe)
    (folder / "docs/tiny.jsonl").write_text('{"_id": "1", "story": "a"}\n{"_id": "2"}\n')
    header = "# ir_metadata.start\n# actor: {team: delta}\n# ir_metadata.end\n"
    (folder / "tiny.run").write_text(header + FILES["tiny.run"])
    output = cranfield("collection", "build", folder / "tiny.toml", folder, folder / "out.db")
    assert (output.code, output.err) == (0, "note: 1 of 2 documents have no text: 2\n")
    with Store.open(folder / "out.db") as store:
        assert store.document("1").text == "a"
        assert run_info(store)["t"].team == "delta"


def test_every_bundled_recipe_is_sound(cranfield: Cranfield) -> None:
    """Each can be read, shown and listed, and says what a recipe should."""
    for name in bundled_recipes():
        recipe = read_recipe(name)
        assert {"name", "description", "citation", "licence", "quirks", "min_relevant"} <= set(recipe.data)
        assert cranfield("collection", "show", name).out.startswith("# ")
    names = [line.split()[0] for line in cranfield("collection", "list").out.splitlines()[1:] if line[0] != " "]
    assert names == ["adi", "cacm", "cisi", "cranfield1400", "lisa", "med", "npl", "time", "workshop"]


def test_cranfield1400(shared: Path, tmp_path: Path) -> None:
    """1,400 documents, 225 topics by their place, 1,837 judgments that join, codes turned round."""
    with build(read_recipe("cranfield1400"), shared / "cranfield1400", tmp_path / "c.db") as store:
        counts = store.counts()
        assert (counts["document"], counts["topic"], counts["qrels"]) == (1400, 225, 1837)
        assert [topic.qid for topic in store.topics()] == [str(number) for number in range(1, 226)]
        qrels = qrels_of(store)
        grades = {grade: int((qrels.grade == grade).sum()) for grade in range(5)}
        assert grades == {0: 225, 1: 363, 2: 734, 3: 387, 4: 128}
        assert store.document("471").text == store.document("995").text == ""
        assert len(store.document("576").text) > 1000


@pytest.mark.parametrize(
    ("name", "judged", "docno", "title", "text"),
    [
        ("cacm", 52, "46", "Multiprogramming STRETCH: Feasibility Considerations", "The tendency towards"),
        pytest.param("npl", 93, "11429", "", "pattern detection and recognition", marks=pytest.mark.daily),
        pytest.param("cisi", 76, "2", "Use Made of Technical Libraries", "This report is an", marks=pytest.mark.daily),
        ("lisa", 35, "2001", "MICROFILM IN THE ELECTRONIC OFFICE.", "THE RESULTS OF A SURVEY"),
    ],
)
def test_classic_collections(
    shared: Path, tmp_path: Path, name: str, *, judged: int, docno: str, title: str, text: str
) -> None:
    """The counts of the recipe, which the build checks; each judgment is of a topic and a document that is there."""
    with build(read_recipe(name), shared / name, tmp_path / "c.db") as store:
        assert len(qrels_of(store).judged_topics) == judged
        document = store.document(docno)
        assert document.title == title
        assert document.text.startswith(text)


def of_time(number: int) -> str:
    head = f"*TEXT {number * 3 + 14:03d} 01/{number % 28 + 1:02d}/63 PAGE 0{number % 90 + 10}"
    return f"{head}\n\nARTICLE {number}\n\nENDS .\n\n"


CLASSICS = {
    "time": {
        "TIME.ALL": "".join(map(of_time, range(1, 424))) + "*STOP\n\n",
        "TIME.QUE": "".join(f"*FIND {n:6}\n\n REQUEST {n} ON\n\nTHE WORLD .\n\n" for n in range(1, 84)) + "*STOP\n",
        "TIME.REL": "1  268 288\n\n2  \n\n"
        + "\n\n".join(f"{n}  {n + 342 - 2 * (n in (34, 35))}" for n in range(3, 84)),
    },
    "med": {
        "MED.ALL": "".join(f".I {n}\n.W\ntext {n} .\n" for n in range(1, 1034)),
        "MED.QRY": "".join(f".I {n}\n.W\n request {n}\n" for n in range(1, 31)),
        "MED.REL": "".join(f"{n % 30 + 1} 0 {n} 1\n" for n in range(1, 697)),
    },
    "adi": {
        "ADI.ALL": "".join(f".I {n}\n.T\ntitle {n}\n.A\nA. UTHOR\n.W\ntext {n} .\n" for n in range(1, 83)),
        "ADI.QRY": "".join(f".I {n}\n.W\nRequest {n}?\n" for n in range(1, 36)),
        "ADI.REL": "".join(f"{n % 35 + 1}   {n % 82 + 1}   0   0.000000   \n" for n in range(170)),
    },
}  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize("name", CLASSICS)
def test_recipes_of_files_that_are_not_here(name: str, tmp_path: Path) -> None:
    """Small files in these formats, of the right number of records: the original files are not to be had."""
    for file, text in CLASSICS[name].items():
        (tmp_path / file).write_text(text)
    with build(read_recipe(name), tmp_path, tmp_path / "c.db") as store:
        qrels = qrels_of(store)
        assert not find_missing_names(store)
        assert {int(docno) for docno in qrels.docnos.names[qrels.document]} <= set(range(1, 1034))
        if name == "time":
            places = {number: store.document(number).text[8:11] for number in ("375", "378", "425")}
            assert places == {"375": "375", "378": "376", "425": "423"}
            assert store.topics()[82][:2] == ("83", "REQUEST 83 ON THE WORLD .")
            assert len(qrels.judged_topics) == 82


def test_an_article_that_is_missing_is_noticed(tmp_path: Path) -> None:
    """Else the judgments would be about others; what they name beyond the corpus does not count."""
    for file, text in CLASSICS["time"].items():
        (tmp_path / file).write_text(text.replace(of_time(7), ""))
    with pytest.raises(InputError, match="422 documents where the recipe of TIME says 423"):
        build(read_recipe("time"), tmp_path, tmp_path / "c.db")


BLOCKS = """name = "Tiny"
[grades]
0 = "not"
1 = "relevant"
[counts]
documents = 2
judgments = 3
[[corpus]]
path = "docs"
[corpus.blocks]
start = 'DOC (\\d+)'
end = '--'
paragraph_title = true
repeated = ["1"]
outside = 1
[[topics]]
path = "topics"
ids = "ordinal"
blocks = { start = '#(\\d+)' }
[[qrels]]
path = "pairs"
lists = "counted"
ids = "unpadded"
"""


def of_blocks(folder: Path, recipe: str = BLOCKS, **files: str) -> Path:
    texts = {
        "docs": "DOC 1\na title\n\nlift\n--\nstray\n--\nDOC 1\na title\n\nlift\n--\n\nDOC 2\ndrag --\n",
        "topics": "#7\nlift\nof wings\n#9\ndrag\n",
        "pairs": "01 2 1\n 002\n2 1 2\n",
    }
    for name, text in {**texts, **files}.items():
        (folder / name).write_text(text)
    (folder / "tiny.toml").write_text(recipe)
    return folder / "tiny.toml"


def test_blocks(tmp_path: Path) -> None:
    """Ids, titles, repeated blocks, text outside; topics without an end; lists with their lengths and padded ids."""
    with build(read_recipe(str(of_blocks(tmp_path))), tmp_path, tmp_path / "c.db") as store:
        assert [document[:3] for document in store.documents()] == [("1", "a title", "lift"), ("2", "drag", "")]
        assert [topic[:2] for topic in store.topics()] == [("1", "lift of wings"), ("2", "drag")]
        qrels = qrels_of(store)
        assert qrels.docnos.names[qrels.document].tolist() == ["1", "2", "2"]


@pytest.mark.parametrize(
    ("recipe", "files", "message"),
    [
        (BLOCKS.replace("outside = 1", "outside = 0"), {}, "docs:6: found 1 line of text outside blocks; expected"),
        (BLOCKS.replace('["1"]', '["1", "5"]'), {}, "docs: the file lacks a block '5', which the recipe skips"),
        (BLOCKS, {"docs": "DOC 1\nlift\n"}, "docs:1: a block without an end"),
        (BLOCKS, {"pairs": "1 2 1\n"}, "pairs:1: the list of topic 1 contains 1 docno; expected '2'"),
        (BLOCKS.replace("documents = 2", "documents = 3"), {}, "2 documents where the recipe of Tiny says 3"),
        (BLOCKS.replace("(\\d+)'\nend", "\\d+'\nend"), {}, "start is .*; expected a regular expression with one group"),
        (BLOCKS.replace('path = "docs"', 'path = "docs"\nformat = "smart"'), {}, "defines blocks, so format"),
    ],
)
def test_blocks_that_are_not_as_the_recipe_says_are_refused(
    tmp_path: Path, recipe: str, files: dict[str, str], message: str
) -> None:
    """With the file, and the line where there is one; nothing is built."""
    path = of_blocks(tmp_path, recipe, **files)
    with pytest.raises(InputError, match=message):
        build(read_recipe(str(path)), tmp_path, tmp_path / "c.db")
    assert not (tmp_path / "c.db").exists()
