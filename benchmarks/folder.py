"""The import of a folder of 5,000 files: 3,000 pages, 1,100 texts, 300 each of Markdown, PDF and Word.

    python -m benchmarks.folder [FOLDER]

The files are made from words of Debian's documentation, if there is none of the folder yet. Printed: seconds
by the clock and of CPU, the largest memory of program and converter, and what importing them once more adds.
"""

import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

NUMBERS = {"html": 3000, "txt": 1100, "md": 300, "pdf": 300, "docx": 300}


def words() -> list[str]:
    """Words of texts that every Debian has."""
    texts = sorted(Path("/usr/share/common-licenses").glob("*"))
    return " ".join(path.read_text("utf-8", "replace") for path in texts if path.is_file()).split()


def paragraphs(source: random.Random, vocabulary: list[str], number: int) -> Iterator[str]:
    for _ in range(number):
        start = source.randrange(len(vocabulary) - 150)
        yield " ".join(vocabulary[start : start + source.randrange(40, 150)])


def page(title: str, texts: list[str]) -> str:
    rows = "".join(f"<tr><td>{number}</td><td>{len(text)}</td></tr>" for number, text in enumerate(texts))
    body = "".join(f"<div><p>{escape(text)}</p></div>" for text in texts)
    return f"<!doctype html><title>{title}</title><nav>Home</nav><h1>{title}</h1>{body}<table>{rows}</table>"


def escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def pdf(texts: list[str]) -> bytes:
    """A PDF of one page, with a font that every reader has."""
    lines = [line for text in texts for line in (text[at : at + 90] for at in range(0, len(text), 90))]
    plain = (line.encode("ascii", "replace").translate(None, b"()\\").decode() for line in lines[:70])
    operators = "\n".join(f"({line}) Tj T*" for line in plain)
    content = f"BT /F1 9 Tf 11 TL 40 780 Td\n{operators}\nET".encode()
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(content), content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    file, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(file))
        file += b"%d 0 obj%s\nendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(file))
    return file + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + end


def word(path: Path, title: str, texts: list[str]) -> None:
    import docx

    document = docx.Document()
    document.add_heading(title, 1)
    for text in texts:
        document.add_paragraph(text)
    document.save(str(path))


def make(folder: Path) -> None:
    source, vocabulary = random.Random(37), words()
    for kind, number in NUMBERS.items():
        (folder / kind).mkdir(parents=True)
        for at in range(number):
            texts, title = [*paragraphs(source, vocabulary, source.randrange(3, 25))], f"Document {at}"
            path = folder / kind / f"{at}.{kind}"
            if kind == "docx":
                word(path, title, texts)
            elif kind == "pdf":
                path.write_bytes(pdf(texts))
            else:
                path.write_text(page(title, texts) if kind == "html" else "\n\n".join([f"# {title}", *texts]), "utf-8")


def run(*command: str) -> tuple[float, str]:
    start = time.perf_counter()
    process = subprocess.run([sys.executable, "-m", "cranfield", *command], capture_output=True, text=True, check=True)
    return time.perf_counter() - start, (process.stdout + process.stderr).strip()


def used() -> float:
    """Seconds of CPU that all programs took until now."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    with TemporaryDirectory() as place:
        folder = Path(sys.argv[1] if len(sys.argv) > 1 else os.path.join(place, "documents"))
        if not folder.is_dir():
            make(folder)
        store = os.path.join(place, "track.db")
        run("init", store, "--name", "folder")
        for _ in range(2):
            before = used()
            seconds, output = run("import", "corpus", store, str(folder))
            most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
            cpu, what = used() - before, output.splitlines()[0]
            print(f"{seconds:.1f} s, {cpu:.1f} of CPU, at most {most:.0f} MB in one process; {what}")


if __name__ == "__main__":
    main()
