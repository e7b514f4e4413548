"""The measures of ir_measures by its names, and its Qrel and ScoredDoc, for programs that change only their import."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.metrics.notation import parse


class Qrel(NamedTuple):
    """A judgment, as ir_measures has it."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str = "0"


class ScoredDoc(NamedTuple):
    """A document of a run, as ir_measures has it."""

    query_id: str
    doc_id: str
    score: float


class NamedMeasure:
    """A measure in the notation of ir_measures, with its options and defaults.

    >>> nDCG = NamedMeasure("nDCG")
    >>> nDCG(dcg="exp-log2")@10, NamedMeasure("P")(rel=2)@5 == NamedMeasure("P")(rel=2, cutoff=5)
    (nDCG(dcg='exp-log2')@10, True)
    >>> nDCG(beta=2)
    Traceback (most recent call last):
    cranfield.errors.MeasureError: nDCG has no option 'beta'; available: gains, base, discount
    """

    def __init__(self, name: str, options: dict[str, Any] | None = None, at: Any = None) -> None:
        self.NAME, self.options, self.at = name, options or {}, at
        parse(self)

    def __call__(self, **options: Any) -> NamedMeasure:
        at = options.pop("cutoff", self.at)
        return NamedMeasure(self.NAME, {**self.options, **options}, at)

    def __matmul__(self, at: Any) -> NamedMeasure:
        return NamedMeasure(self.NAME, self.options, at)

    def __str__(self) -> str:
        options = ",".join(f"{name}={value!r}" for name, value in sorted(self.options.items()))
        return self.NAME + (f"({options})" if options else "") + ("" if self.at is None else f"@{self.at}")

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other) if isinstance(other, NamedMeasure) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))


def read_trec_qrels(file: Any) -> Iterator[Qrel]:
    r"""ir_measures.read_trec_qrels: the judgments in a file, an open file, or a text of several lines.

    >>> list(read_trec_qrels("q1 0 d1 1\nq1 0 d2 0\n"))[0]
    Qrel(query_id='q1', doc_id='d1', relevance=1, iteration='0')
    """
    for number, (query_id, iteration, doc_id, relevance) in _read_rows(file, 4):
        try:
            yield Qrel(query_id, doc_id, int(relevance), iteration)
        except ValueError:
            found = f"relevance is {relevance!r:.40}; expected a whole number"
            raise InputError(found, _path_of(file), number) from None


def read_trec_run(file: Any) -> Iterator[ScoredDoc]:
    r"""ir_measures.read_trec_run: the documents of a run in a file, an open file, or a text of several lines.

    >>> list(read_trec_run("q1 Q0 d1 1 2.5 tag\n"))
    [ScoredDoc(query_id='q1', doc_id='d1', score=2.5)]
    """
    for number, (query_id, _, doc_id, _, score, _) in _read_rows(file, 6):
        try:
            yield ScoredDoc(query_id, doc_id, float(score))
        except ValueError:
            raise InputError(f"score is {score!r:.40}; expected a number", _path_of(file), number) from None


def _read_rows(file: Any, columns: int) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(_read_lines(file), 1):
        cells = line.split()
        if cells and len(cells) != columns:
            raise InputError(f"{len(cells)} columns; expected {columns}", _path_of(file), number)
        if cells:
            yield number, cells


def _read_lines(file: Any) -> Iterator[str]:
    if hasattr(file, "read"):
        yield from file
    elif isinstance(file, str) and "\n" in file:
        yield from file.splitlines()
    elif isinstance(file, str | PathLike):
        from cranfield.formats.files import read_text

        yield from read_text(file).splitlines()
    else:
        raise InputError(f"file is {file!r:.60}; expected a path, an open file or a text of several lines")


def _path_of(file: Any) -> str | PathLike[str] | None:
    return file if isinstance(file, PathLike) or (isinstance(file, str) and "\n" not in file) else None


AP, nDCG, RR, P, R = (NamedMeasure(name) for name in ("AP", "nDCG", "RR", "P", "R"))  # noqa: N816
MAP, NDCG, MRR, Precision, Recall = (NamedMeasure(name) for name in ("AP", "nDCG", "RR", "P", "R"))
Rprec, Bpref, infAP, ERR, RBP = (NamedMeasure(name) for name in ("Rprec", "Bpref", "infAP", "ERR", "RBP"))  # noqa: N816
RPrec, BPref = NamedMeasure("Rprec"), NamedMeasure("Bpref")
IPrec, Success, Judged, Accuracy = (NamedMeasure(name) for name in ("IPrec", "Success", "Judged", "Accuracy"))
NumQ, NumRel, NumRet, NumRelRet = (NamedMeasure(name) for name in ("NumQ", "NumRel", "NumRet", "NumRelRet"))
SetP, SetR, SetF, SetAP, SetRelP = (NamedMeasure(name) for name in ("SetP", "SetR", "SetF", "SetAP", "SetRelP"))
SDCG, Compat, BPM, INST, INSQ = (NamedMeasure(name) for name in ("SDCG", "Compat", "BPM", "INST", "INSQ"))
alpha_nDCG, alpha_DCG, StRecall = (NamedMeasure(name) for name in ("alpha_nDCG", "alpha_DCG", "StRecall"))  # noqa: N816
ERR_IA, nERR_IA, AP_IA, P_IA = (NamedMeasure(name) for name in ("ERR_IA", "nERR_IA", "AP_IA", "P_IA"))  # noqa: N816
NRBP, nNRBP, MAP_IA = (NamedMeasure(name) for name in ("NRBP", "nNRBP", "AP_IA"))  # noqa: N816
