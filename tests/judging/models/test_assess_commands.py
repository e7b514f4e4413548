"""The commands that ask models: what they say, and what they do not."""

import json
import sys
from pathlib import Path

import pytest

from tests.conftest import Cranfield
from tests.judging.models.stand_in import failed, said, stand_in
from tests.judging.models.test_assess import KEY
from tests.judging.models.test_model_kills import made


@pytest.fixture
def track(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A store with a pool of twelve documents."""
    monkeypatch.chdir(tmp_path)
    made(tmp_path / "t.db")
    return "t.db"


def test_a_run_says_what_came_of_it(track: str, cranfield: Cranfield) -> None:
    words = ["model", "assess", "run", track, "--model", "qwen", "--price", "1,10"]
    with stand_in(lambda sent, before: said("Grade: 1" if before else "Grade: 9")) as server:
        done = cranfield(*words, "--url", server.url, "--limit", "2", "--parallel", "1")
        assert (done.code, done.out.splitlines()[0][:37]) == (0, "Labels of qwen: qwen, prompt basic (7")
        assert "2 calls, 200 tokens in, 20 out, cost 0.0004" in done.out
        assert done.err.splitlines() == [
            "note: 1 document got no label and cannot be judged; --again failed asks again",
            "note: stopped by --limit 2: 10 documents remaining; run the same command again to continue",
        ]
        shown = cranfield(*words, "--url", server.url, "--dry-run")
        assert "10 calls, about" in shown.out
        assert "[user]\nText between tags with the mark" in shown.out
        ahead = json.loads(cranfield(*words, "--url", server.url, "--dry-run", "--format", "json").out)
        assert (ahead["pool"], ahead["calls"], ahead["tokens_out"], ahead["without_text"]) == (1, 10, 100, 0)
        assert ahead["messages"][0]["content"] in shown.out
        table = cranfield(*words, "--url", server.url, "--dry-run", "--format", "csv").out
        assert table.startswith("calls,tokens_in,tokens_out,cost\n10,")
        assert len(server.sent) == 2
        found = json.loads(cranfield(*words, "--url", server.url, "--format", "json").out)
        assert (found["outcomes"], found["calls"], found["cost"]) == ({"ok": 10}, 10, pytest.approx(0.002))
        assert cranfield(*words, "--url", server.url, "--dry-run").out == "Nothing is left to ask.\n"
        nothing = "note: nothing was left to ask; --again failed asks again about what failed\n"
        assert cranfield(*words, "--url", server.url).err == nothing
    why = cranfield("why", track, "q1", "d1")
    assert "answered in call" in why.out


def test_errors_are_one_line_without_the_key(track: str, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["model", "assess", "run", track, "--model", "qwen", "--url"]
    monkeypatch.setenv("CRANFIELD_API_KEY", KEY)
    with stand_in(lambda sent, before: failed(401, f"wrong key {KEY}")) as server:
        done = cranfield(*words, server.url)
        assert (done.code, KEY in done.out + done.err, done.err.count("\n")) == (1, False, 1)
        assert "401" in done.err
    assert cranfield(*words, "http://127.0.0.1:1/v1").err == "error: 127.0.0.1:1: no server answers there\n"
    for url in (f"http://ada:{KEY}@h/v1", f"http://h/v1?key={KEY}", "h:80", "ftp://h", ""):
        done = cranfield(*words, url)
        assert (done.code, done.err.count("\n"), KEY in done.err) == (1, 1, False), url
    assert cranfield(*words[:-1]).code == 2  # no server is asked that nobody named
    for option in (["--parameter", "x"], ["--price", "1"], ["--price", "1,nan"]):
        assert cranfield(*words, "http://127.0.0.1:1/v1", *option).code == 2
    monkeypatch.setitem(sys.modules, "openai", None)
    missing = cranfield(*words, "http://127.0.0.1:1/v1")
    assert missing.err == "error: asking models needs the package openai: pip install 'cranfield[llm]'\n"


def test_batch_files(track: str, cranfield: Cranfield) -> None:
    done = cranfield("model", "assess", "export", track, "batch.jsonl", "--model", "qwen")
    assert done.out == "12 requests written to batch.jsonl\n"
    lines = [json.loads(line) for line in Path("batch.jsonl").read_text().splitlines()]
    body = json.loads(said("Grade: 0").body)
    back = [{"custom_id": line["custom_id"], "response": {"status_code": 200, "body": body}} for line in lines]
    Path("back.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in back))
    assert cranfield("model", "assess", "import", track, "back.jsonl").out == "12 answers: 12 ok\n"
    again = cranfield("model", "assess", "import", track, "back.jsonl")
    assert (again.out, again.err) == ("0 answers\n", "note: 12 answers recorded before, left out\n")


def test_the_table_of_prompts_fits_a_terminal(cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the sources, and without a break within a word."""
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    lines = cranfield("model", "prompts").out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[-1] == "Left out to fit the width: source. --wide shows all."
    assert any(line.startswith("attribution  claim-attribution ") for line in lines)


def test_a_prompt_is_printed_as_a_file(track: str, cranfield: Cranfield) -> None:
    Path("own.toml").write_text(cranfield("model", "prompts", "umbrela").out)
    first, second = (json.loads(cranfield("model", "prompts", name, "--format", "json").out)
                     for name in ("umbrela", "own.toml"))  # fmt: skip
    assert first == second
    scales = {row["prompt"]: row["scale"] for row in json.loads(cranfield("model", "prompts", "--format", "json").out)}
    assert (scales["basic"], scales["umbrela"][:6], scales["support"]) == ("of the collection", "0 = 0,", "of the task")
