"""The extras: optional packages, and the capabilities that need them.

>>> [name for name, extra in EXTRAS.items() if "jinja2" in extra.packages]
['serve', 'report']
"""

from collections.abc import Mapping
from importlib.util import find_spec
from typing import NamedTuple

from cranfield.errors import InputError, Path


class Extra(NamedTuple):
    """An extra of pyproject.toml: its packages, by the modules that they install, and the capabilities that need it."""

    packages: Mapping[str, str]
    capabilities: str
    is_in_all: bool = True


EXTRAS: Mapping[str, Extra] = {
    "arrow": Extra(
        {"pyarrow": "pyarrow"},
        "Parquet, zstd and lz4 files, published data, interaction logs in JSON lines, fast reading of large files",
    ),
    "search": Extra(
        {"bm25s": "bm25s", "Stemmer": "PyStemmer", "sklearn": "scikit-learn"},
        "`search`, `demo`, the search page, active learning",
    ),
    "plot": Extra({"matplotlib": "matplotlib"}, "`--plot` and `.plot()`"),
    "serve": Extra(
        {
            "starlette": "starlette",
            "uvicorn": "uvicorn",
            "h11": "uvicorn",
            "python_multipart": "python-multipart",
            "jinja2": "jinja2",
            "markupsafe": "jinja2",
        },
        "`serve`, `assessor invite`, `task release`, offline judging pages",
    ),
    "report": Extra(
        {"jinja2": "jinja2", "markupsafe": "jinja2"}, "`report`, `publish build`, task results and archives"
    ),
    "terminal": Extra({"textual": "textual"}, "full-screen judging (`--plain` works without it)"),
    "files": Extra(
        {
            "selectolax": "selectolax",
            "pypdfium2": "pypdfium2",
            "docx": "python-docx",
            "sentencex": "sentencex",
            "PIL": "pillow",
            "yaml": "PyYAML",
        },
        "HTML, PDF and Word corpora, pictures, passages by sentences, YAML headers and cards",
    ),
    "llm": Extra({"openai": "openai"}, "labels and answers by language models"),
    "submit": Extra({"httpx2": "httpx2"}, "`submit`"),
    "frames": Extra({"narwhals": "narwhals"}, "`.to_frame()`: tables as data frames of polars and other libraries"),
    "cluster": Extra(
        {"distributed": "dask", "dask": "dask", "fsspec": "fsspec"}, "`--cluster`, runs in object storage", False
    ),
    "interop": Extra(
        {"ir_datasets": "ir_datasets", "ir_measures": "ir_measures"},
        "corpora from ir_datasets, measures for ir_measures",
        False,
    ),
}


class MissingExtraError(InputError):
    """A capability needs an extra that is not installed; `extra` is its name."""

    def __init__(self, extra: str, what: str, package: str, path: Path | None = None, instead: str = "") -> None:
        needs = "need" if what.endswith("s") and not what.startswith(("a ", "an ", "`")) else "needs"
        remedy = f"; {instead}" if instead else ""
        super().__init__(f"{what} {needs} {package}: pip install 'cranfield[{extra}]'{remedy}", path)
        self.extra = extra

    def __reduce__(self) -> tuple[type, tuple[str, Path | None]]:
        return InputError, (self.message, self.path)


def require_extra(extra: str, what: str, *modules: str, path: Path | None = None, instead: str = "") -> None:
    """Raise MissingExtraError if an extra is not installed, before any work starts.

    Parameters
    ----------
    extra : str
        A name of EXTRAS.
    what : str
        The capability, such as "a plot".
    *modules : str
        The modules that the capability needs; by default all of the extra.
    path : path, optional
        The file that needs it.
    instead : str, optional
        What works without the extra.

    Examples
    --------
    >>> str(MissingExtraError("plot", "a plot", "matplotlib"))
    "a plot needs matplotlib: pip install 'cranfield[plot]'"
    >>> str(MissingExtraError("serve", "the pages", "jinja2"))
    "the pages need jinja2: pip install 'cranfield[serve]'"
    """
    if missing := missing_packages(extra, *modules):
        raise MissingExtraError(extra, what, missing[0], path, instead)


def missing_packages(extra: str, *modules: str) -> list[str]:
    """The packages of an extra that are not installed, in the order of EXTRAS.

    >>> EXTRAS["plot"].packages
    {'matplotlib': 'matplotlib'}
    """
    packages = EXTRAS[extra].packages
    return list(dict.fromkeys(packages[module] for module in modules or packages if not is_installed(module)))


def find_extra(module: str) -> str | None:
    """The smallest extra with a package that installs a module: several have jinja2.

    >>> find_extra("jinja2"), find_extra("numpy")
    ('report', None)
    """
    extras = [name for name, extra in EXTRAS.items() if module in extra.packages]
    return min(extras, key=lambda name: len(EXTRAS[name].packages), default=None)


def is_installed(module: str) -> bool:
    """Whether a module can be imported; a module whose place in `sys.modules` is None cannot.

    >>> is_installed("numpy"), is_installed("no_such_module")
    (True, False)
    """
    try:
        return find_spec(module) is not None
    except ValueError:  # its __spec__ is None, as that of a stand-in may be
        return True
