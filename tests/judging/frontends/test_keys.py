"""Key files: what they may say, and that nothing acts otherwise than it says."""

from pathlib import Path

import pytest

from cranfield.errors import InputError
from cranfield.judging.frontends.keys import COMMANDS, DEFAULT, read_keys


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "keys.toml"
    path.write_text(text, "utf-8")
    return path


def test_a_key_file_changes_what_it_names(tmp_path: Path) -> None:
    """The other commands keep their keys; two may change places."""
    keys = read_keys(write(tmp_path, 'undo = "s"\nlater = "u"\nhelp = "é"\n'))
    assert (keys["undo"], keys["later"], keys["help"], keys["note"]) == ("s", "u", "é", "n")


def test_the_keys_of_the_table_do_not_collide() -> None:
    """Every command has a key of its own, none of them a digit."""
    assert len(set(DEFAULT.values())) == len(COMMANDS)
    assert not any(key.isdigit() for key in DEFAULT.values())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('undo = "s"', "later and undo have the same key 's'; expected a different key for each command"),
        ('undo = "z"\nredo = "z"', "undo and redo have the same key 'z'"),
        ('grade = "g"', "'grade' is not a command"),
        ('undo = "1"', "undo has the key '1'"),
        ('undo = "²"', "undo has the key '²'"),
        ('undo = "-"', "undo has the key '-'"),
        ('undo = " "', "undo has the key ' '"),
        ('undo = "ctrl+z"', "undo has the key 'ctrl\\+z'"),
        ('undo = ""', "undo has the key ''"),
        ("undo = 1", "undo has the key 1"),
        ('undo = "\\u001b"', r"undo has the key '\\x1b'"),
        ("undo", "not TOML: "),
    ],
)
def test_what_is_wrong_is_refused_with_the_file(tmp_path: Path, text: str, message: str) -> None:
    """One line that names the file, what was found and what would be right."""
    path = write(tmp_path, text)
    with pytest.raises(InputError, match=message) as error:
        read_keys(path)
    assert str(error.value).startswith(f"{path}: ")
    assert "\n" not in str(error.value)
