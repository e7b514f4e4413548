"""The page on translating: its commands are run in order, and the server then shows the new language."""

import re
import shlex
import shutil
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.docs.programs import ROOT, program_environment, start_program, text_of_page

pytest.importorskip("babel")
pytestmark = [pytest.mark.full, pytest.mark.needs_extra("serve")]
COMMANDS = re.findall(r"^ *```sh\n *(.*)\n *```$", text_of_page("translating.md"), re.MULTILINE)
TEMPLATE = Path("cranfield/web/catalogues/cranfield.pot")


def test_the_five_steps(tmp_path: Path) -> None:
    """Each command ends well; a text that was translated in step 3 is on the page, in the language of step 5."""
    (tmp_path / TEMPLATE).parent.mkdir(parents=True)
    shutil.copy(ROOT / TEMPLATE, tmp_path / TEMPLATE)
    install, init, compile_catalogue, serve, update = COMMANDS
    assert install == "pip install babel"
    _run_babel(tmp_path, init)
    file = tmp_path / "catalogues" / "de" / "LC_MESSAGES" / "cranfield.po"
    text = file.read_text("utf-8")
    english = 'msgid "Set up a collection"\nmsgstr ""'
    assert english in text
    file.write_text(text.replace(english, 'msgid "Set up a collection"\nmsgstr "Sammlung anlegen"'), "utf-8")
    _run_babel(tmp_path, compile_catalogue)
    program, *words = shlex.split(serve)
    assert program == "cranfield"
    with start_program(tmp_path, "-m", "cranfield", *words, "--port", "0", "--no-open") as server:
        assert server.stdout is not None
        link = urlsplit(server.stdout.readline().split()[-1])
        assert link.netloc
        page = _page_after(link.netloc, link.path)
    assert '<html lang="de" dir="ltr"' in page
    assert "<h1>Sammlung anlegen</h1>" in page
    assert "Name of the collection" in page  # without a translation it is English
    _run_babel(tmp_path, update)
    assert "Sammlung anlegen" in file.read_text("utf-8")


def _run_babel(folder: Path, command: str) -> None:
    program, *words = shlex.split(command)
    assert program == "pybabel"
    babel = [sys.executable, "-m", "babel.messages.frontend", *words]
    done = subprocess.run(babel, cwd=folder, env=program_environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def _page_after(host: str, link: str) -> str:
    connection = HTTPConnection(host, timeout=30)
    connection.request("GET", link)
    answer = connection.getresponse()
    answer.read()
    cookie = (answer.getheader("set-cookie") or "").partition(";")[0]
    connection.request("GET", "/", headers={"cookie": cookie})
    page = connection.getresponse().read().decode()
    connection.close()
    return page
