"""The command that takes pictures of pages and compares them with earlier pictures."""

from pathlib import Path

import pytest

pytest.importorskip("PIL", reason="needs Pillow")
pytest.importorskip("playwright", reason="needs Playwright")
from PIL import Image

from tests.web import pictures
from tests.web.test_on_a_phone import OF_LINKS, OF_ORGANISER


def test_changed_pictures_are_put_beside_the_earlier_ones(tmp_path: Path) -> None:
    """The largest change first; equal pictures are left out."""
    before, after = tmp_path / "before", tmp_path / "after"
    before.mkdir()
    after.mkdir()
    for name, old, new in (("same", "white", "white"), ("other", "white", "black"), ("new", "", "white")):
        for folder, colour in ((before, old), (after, new)):
            if colour:
                Image.new("RGB", (40, 20), colour).save(folder / f"{name}.png")
    small = Image.new("RGB", (40, 20), "white")
    small.paste("black", (0, 0, 8, 10))
    small.save(after / "part.png")
    Image.new("RGB", (40, 20), "white").save(before / "part.png")
    Image.new("RGB", (41, 20), "white").save(before / "wide.png")
    Image.new("RGB", (40, 20), "white").save(after / "wide.png")
    assert pictures.write_changes(before, after) == [
        (1.0, "wide.png"),
        (1.0, "other.png"),
        (1.0, "new.png (new)"),
        (pytest.approx(0.1), "part.png"),
    ]
    assert sorted(path.name for path in (after / "changed").iterdir()) == ["other.png", "part.png", "wide.png"]
    with Image.open(after / "changed" / "part.png") as both:
        assert both.size == (90, 20)


def test_every_page_is_taken() -> None:
    """The tests on a phone visit the same pages; a shared task has its own list."""
    stores = pictures.STORES.values()
    assert {address for one in stores for address in one.organiser} == {*OF_ORGANISER}
    roles = {f"/{role}" for one in stores for role in one.roles}
    assert {f"/{address.split('/')[1].split('?')[0]}" for address in OF_LINKS} == roles


def test_stems_of_pages_differ() -> None:
    stems = [pictures.file_stem(address) for address in (*OF_ORGANISER, *OF_LINKS)]
    assert len({*stems}) == len({*OF_ORGANISER, *OF_LINKS})
