"""The language of the pages: catalogues, the template of all texts, and a marked language from right to left."""

import ast
import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from cranfield.errors import CranfieldError
from cranfield.web.application import Application
from cranfield.web.language import Language, find_language
from cranfield.web.results import Worker
from cranfield.web.templates import SCRIPT_TEXT, render_page
from tests.needed_features import EVERY_FEATURE
from tests.web.serving import computing_here
from tests.web.test_on_a_phone import judged_store

extract = pytest.importorskip("babel.messages.extract").extract
catalogue = pytest.importorskip("tests.web.catalogue")
PSEUDO = "ar_XB"
EXTRACTED = {"gettext", "ngettext", "translatable"}  # the functions whose texts translators get


@pytest.fixture(scope="module")
def pseudo(tmp_path_factory: pytest.TempPathFactory) -> Language:
    """A language from right to left in which every text is marked."""
    folder = tmp_path_factory.mktemp("catalogues")
    catalogue.write_pseudo_catalogue(folder, PSEUDO)
    return find_language(PSEUDO, folder)


@pytest.fixture
def app(pseudo: Language, tmp_path: Path) -> Iterator[Application]:
    """An application in that language."""
    judged_store(tmp_path / "s.db")
    worker = Worker.worker_of_store(tmp_path / "s.db")
    with closing(computing_here(Application(worker, language=pseudo))) as app:
        yield app


TEMPLATES = sorted((catalogue.ROOT / "cranfield").rglob("*.html"))
TRANSLATED = re.compile(r"\{% trans\b.*?% endtrans %\}|\b_\(\"[^\"]*\"", re.DOTALL)
NAMES = {"Cranfield", "JSON", "CSV", "topics.jsonl", "corpus.jsonl.gz", "qrels.txt", "u", "Enter", "E"}
NAMES.add('aria-pressed="')  # the beginning of a macro's attribute
PLAIN = re.compile(r"\{#.*?#\}|\{\{.*?\}\}|\{%.*?%\}|<style>.*?</style>|<[a-z/!][^<>]*>", re.DOTALL)
SPOKEN = re.compile(r'\b(?:aria-label|placeholder|title|alt)="([^"{}]*[A-Za-z][^"{}]*)"')
LITERAL = re.compile(r"\"([^\"]*)\"")
WORDS = re.compile(r"[A-Z][a-z]+|[a-z]+ [a-z]+")  # as a literal in an expression


def untranslated_texts(template: str) -> list[str]:
    """The texts of a template that are not looked up in the catalogue, such as those outside {% trans %}.

    >>> untranslated_texts('<p>{% trans %}Yes{% endtrans %} no</p><a title="Go">')
    ['no', 'Go']
    >>> untranslated_texts('{{ _("Yes") if one else "No" }}')
    ['No']
    """
    rest = TRANSLATED.sub("", template)
    texts = [text.strip(" -\n") for text in PLAIN.sub("\0", rest).split("\0")]
    shown = [text for text in texts if re.search("[A-Za-z]", text) and text not in NAMES]
    literals = [text for part in re.findall(r"\{\{.*?\}\}", rest) for text in LITERAL.findall(part)]
    return [*shown, *SPOKEN.findall(rest), *(text for text in literals if WORDS.fullmatch(text))]


@pytest.mark.parametrize("file", TEMPLATES, ids=[file.name for file in TEMPLATES])
def test_templates_look_up_all_texts(file: Path) -> None:
    """Texts, attributes that are read out, and literals in expressions; the names of formats and files stay."""
    assert untranslated_texts(file.read_text("utf-8")) == []


SCRIPT_FILES = [*(catalogue.ROOT / "cranfield/web/pages").glob("*.js"), catalogue.ROOT / "cranfield/report/page.js"]
SENTENCE = re.compile(r"""(?<!tr\()["`]([A-Za-z]+(?: [a-z]+){2,}[^"`]*)["`]""")


@pytest.mark.parametrize("file", SCRIPT_FILES, ids=[file.name for file in SCRIPT_FILES])
def test_scripts_look_up_their_texts(file: Path) -> None:
    """No sentence is outside tr(), and pages give scripts each text that translators get."""
    code = re.sub(r"(?<![:\"'])//.*", "", file.read_text("utf-8"))
    assert SENTENCE.findall(code) == []
    with file.open("rb") as opened:
        extracted = {found[1] for found in extract("javascript", opened, {"tr": None}, options=catalogue.OPTIONS)}
    assert {json.loads(found) for found in SCRIPT_TEXT.findall(file.read_text("utf-8"))} == extracted


def looked_up_in_f_strings(source: str) -> list[str]:
    """The calls of gettext inside f-strings, which Babel finds from Python 3.12 on only.

    >>> looked_up_in_f_strings("f'{gettext(1)} {other(2)}'; gettext(3)")
    ['gettext(1)']
    """
    f_strings = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.JoinedStr))
    calls = (node for one in f_strings for node in ast.walk(one) if isinstance(node, ast.Call))
    return [ast.unparse(call) for call in calls if ast.unparse(call.func).rpartition(".")[2] in EXTRACTED]


def test_no_f_string_looks_up_a_text() -> None:
    """So the template is the same with every Python."""
    files = [file for file in catalogue.source_files() if file.suffix == ".py"]
    found = {file.name: calls for file in files if (calls := looked_up_in_f_strings(file.read_text("utf-8")))}
    assert len(files) > 100
    assert found == {}


@EVERY_FEATURE
def test_the_template_is_up_to_date() -> None:
    """After a text was changed, `python -m tests.web.catalogue` writes it again."""
    assert catalogue.TEMPLATE_FILE.read_bytes() == catalogue.template_text()
    assert catalogue.MESSAGES_FILE.read_bytes() == catalogue.messages_text(catalogue.find_message_texts())


def test_a_page_has_the_language_and_its_direction(app: Application) -> None:
    """The element html has both; texts come from the catalogue, errors of requests too."""
    client = TestClient(app.asgi(["testserver"]))
    page = client.get("/judge").text
    assert '<html lang="ar-XB" dir="rtl" data-texts=' in page
    assert catalogue.marked("Go to the current page") in page
    assert '<html lang="en" dir="ltr">' in render_page("message.html", Language(), text="x", again="")


def test_a_language_without_a_catalogue_is_refused(tmp_path: Path) -> None:
    """The error has the languages that there are; a damaged catalogue is an error as well."""
    catalogue.write_pseudo_catalogue(tmp_path, PSEUDO)
    with pytest.raises(CranfieldError, match=r"'xx' has no catalogue; available: ar_XB, en; add .*xx/LC_MESSAGES"):
        find_language("xx", tmp_path)
    with pytest.raises(CranfieldError, match="has no catalogue"):
        find_language("../x", tmp_path)
    (damaged := tmp_path / "de" / "LC_MESSAGES" / "cranfield.mo").parent.mkdir(parents=True)
    damaged.write_bytes(b"no catalogue")
    with pytest.raises(CranfieldError, match=r"cranfield\.mo: not a compiled catalogue"):
        find_language("de", tmp_path)


def test_values_and_plurals(pseudo: Language) -> None:
    """Values are put into the translated text, and a number chooses its form."""
    assert pseudo.gettext("Go to the current page") == catalogue.marked("Go to the current page")
    assert (
        Language().ngettext("%(num)s label of %(who)s", "%(num)s labels of %(who)s", 2, who="ada") == "2 labels of ada"
    )
    assert Language().gettext("100%% of %(what)s", what="it") == "100% of it"
