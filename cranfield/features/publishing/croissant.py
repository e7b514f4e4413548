"""croissant.json: the files and tables as Croissant 1.0 describes them, with the fields for responsible AI.

A table in one file is read from a FileObject, one in several from a FileSet. Grades are an enumeration of their own.
The package mlcroissant validates and reads it in the check.

Source: MLCommons, Croissant format specification 1.0, and Croissant RAI specification 1.0.
"""

import logging
import warnings
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from cranfield.features.publishing.checks import CheckedFolder, CheckResult, FolderCheck
from cranfield.features.publishing.citation import nonempty, orcid_url, reference
from cranfield.features.publishing.datasheet import policy_sentence
from cranfield.features.publishing.hf import PART
from cranfield.features.publishing.identifiers import link
from cranfield.features.publishing.markup import json_text
from cranfield.features.publishing.parts import Target, rows_of_table
from cranfield.features.publishing.publication import CollectionFacts, Publication, PublishedFile
from cranfield.text import counted

PARQUET = "application/x-parquet"
TYPES = {".parquet": PARQUET, ".json": "application/json", ".xml": "application/xml", ".html": "text/html",
         ".gz": "application/gzip", ".tsv": "text/tab-separated-values", ".md": "text/markdown",
         ".yaml": "application/yaml"}  # fmt: skip
KEYS = {"corpus": ["_id"], "queries": ["_id"], "qrels": ["query-id", "corpus-id"], "judgments": ["event"]}
REFERENCES = {"query-id": "queries/_id", "corpus-id": "corpus/_id"}
TABLE_DESCRIPTIONS = {
    "corpus": "The documents.",
    "queries": "The topics, with their descriptions and narratives.",
    "qrels": "The relevance judgments that count, one per topic and document.",
    "judgments": "The judgment log: every decision of every assessor.",
}
DATA_TYPES = {"string": "sc:Text", "bool": "sc:Boolean", "float64": "sc:Float", "float32": "sc:Float"}
CONTEXT: dict[str, Any] = {
    "@language": "en", "@vocab": "https://schema.org/",
    **{name: f"cr:{name}" for name in (
        "citeAs", "column", "equivalentProperty", "extract", "field", "fileProperty", "fileObject", "fileSet", "format",
        "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet", "references",
        "regex", "repeated", "replace", "samplingRate", "separator", "source", "subField", "transform",
    )},
    "conformsTo": "dct:conformsTo", "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/", "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"}, "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"}, "sc": "https://schema.org/",
}  # fmt: skip


def croissant_json(publication: Publication) -> str:
    """The document as text."""
    return json_text(croissant(publication))


def croissant(publication: Publication) -> dict[str, Any]:
    """The document."""
    about = publication.description
    tables = [name for name in TABLE_DESCRIPTIONS if publication.table(name)]
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        **nonempty(
            name=publication.title,
            alternateName=about.name,
            description=about.description or publication.facts.name,
            license=about.licence_url or link(about.licence) or about.licence,
            url=about.url or (f"https://doi.org/{about.doi}" if about.doi else ""),
            sameAs=f"https://doi.org/{about.doi}" if about.doi else "",
            version=about.version,
            datePublished=about.date,
            creator=[nonempty(name=one.name, url=orcid_url(one)) | {"@type": "sc:Person"} for one in about.creators],
            publisher={"@type": "sc:Organization", "name": about.publisher} if about.publisher else {},
            keywords=list(about.keywords),
            inLanguage=list(about.language),
            citeAs=" ".join(about.citations) or reference(about),
            isLiveDataset=False,
        ),
        **_responsible_ai_fields(publication),
        "distribution": [*map(_file_object, publication.files), *(_file_set(publication, name) for name in tables if
                                                                len(publication.table(name)) > 1)],
        "recordSet": [*([_grades(publication.facts)] if "qrels" in tables else []),
                      *(_record_set(publication, name, tables) for name in tables)],
    }  # fmt: skip


def _file_object(file: PublishedFile) -> dict[str, Any]:
    kind = TYPES.get(PurePosixPath(file.path).suffix, "text/plain")
    return {"@type": "cr:FileObject", "@id": file.path, "name": file.path, "contentUrl": file.path,
            "contentSize": f"{file.bytes} B", "encodingFormat": kind, "sha256": file.sha256}  # fmt: skip


def _file_set(publication: Publication, name: str) -> dict[str, Any]:
    folder = PurePosixPath(publication.table(name)[0].path).parent
    return {"@type": "cr:FileSet", "@id": f"{name}-files", "name": f"{name}-files", "encodingFormat": PARQUET,
            "includes": f"{folder}/*.parquet"}  # fmt: skip


def _record_set(publication: Publication, name: str, tables: list[str]) -> dict[str, Any]:
    files = publication.table(name)
    source = {"fileObject": {"@id": files[0].path}} if len(files) == 1 else {"fileSet": {"@id": f"{name}-files"}}
    columns = files[0].columns
    part = publication.facts.texts if name == "corpus" else ""
    keys = [{"@id": f"{name}/{key}"} for key in KEYS.get(name, []) if key in {column.name for column in columns}]
    return {
        "@type": "cr:RecordSet", "@id": name, "name": PART if part else name,
        "description": f"Corpus with {part}: the judged documents." if part else TABLE_DESCRIPTIONS[name],
        **({"key": keys[0] if len(keys) == 1 else keys} if keys else {}),
        "field": [_field(name, column.name, column.dtype, source, tables) for column in columns],
    }  # fmt: skip


def _field(table: str, name: str, dtype: str, source: dict[str, Any], tables: list[str]) -> dict[str, Any]:
    to = REFERENCES.get(name, "") if table == "qrels" else ""
    field = {
        "@type": "cr:Field", "@id": f"{table}/{name}", "name": f"{table}/{name}",
        "dataType": DATA_TYPES.get(dtype, "sc:Integer"), "source": {**source, "extract": {"column": name}},
    }  # fmt: skip
    return field | ({"references": {"field": {"@id": to}}} if to.partition("/")[0] in tables else {})


def _grades(facts: CollectionFacts) -> dict[str, Any]:
    fields = {"grade": "sc:Integer", "meaning": "sc:Text"}
    return {
        "@type": "cr:RecordSet", "@id": "grades", "name": "grades", "dataType": "sc:Enumeration",
        "description": f"The grades of the judgments. Grades of {facts.min_relevant} or more are relevant.",
        "key": {"@id": "grades/grade"},
        "field": [
            {"@type": "cr:Field", "@id": f"grades/{name}", "name": f"grades/{name}", "dataType": kind}
            for name, kind in fields.items()
        ],
        "data": [{"grades/grade": grade, "grades/meaning": text} for grade, text in sorted(facts.grades.items())],
    }  # fmt: skip


def _responsible_ai_fields(publication: Publication) -> dict[str, Any]:
    about, facts = publication.description, publication.facts
    models = [name for one in facts.assessors for name in one.names]
    pool = facts.pool
    pooled = f"Pooled by {pool.method} from {counted(pool.runs, 'run')}." if pool else ""
    rule = policy_sentence(*facts.policy) if facts.policy else ""
    people = [f"{counted(one.assessors, 'assessor')} of kind {one.kind}" for one in facts.assessors]
    fields = {
        "dataCollection": " ".join(filter(None, [about.acquisition or about.sampling, about.topic_source])),
        "dataCollectionTimeframe": [about.period] if about.period else [],
        "dataAnnotationProtocol": " ".join(filter(None, [about.labelling, pooled, rule, facts.guidelines])),
        "annotationsPerItem": f"1; {facts.second_labels} of {counted(facts.judgments, 'judgment')} have more",
        "dataAnnotationAnalysis": [
            f"{one.coefficient} {one.value:.3f} ({one.whose})" for one in facts.agreement if one.value is not None
        ],
        "annotatorDemographics": [about.assessors, *people] if about.assessors else people,
        "machineAnnotationTools": [
            f"{name}: {facts.prompts[name]}" if name in facts.prompts else name for name in models
        ],
        "dataBiases": [facts.reusability.headline] if facts.reusability and facts.reusability.headline else [],
        "dataLimitations": [about.unsuitable_for] if about.unsuitable_for else [],
        "dataUseCases": [about.suitable_for] if about.suitable_for else [],
        "personalSensitiveInformation": [about.sensitive] if about.sensitive else [],
        "dataPreprocessingProtocol": [about.preprocessing] if about.preprocessing else [],
        "dataReleaseMaintenancePlan": about.maintenance,
    }
    return {f"rai:{name}": value for name, value in fields.items() if value}


CROISSANT = Target("croissant", "metadata of Croissant 1.0")


FILE = "croissant.json"
MOST = 100_000  # rows of a table that are read in this way


def check_croissant(folder: CheckedFolder) -> Iterator[CheckResult]:
    import mlcroissant

    logging.getLogger("absl").setLevel(logging.ERROR)  # its warnings are among the findings
    path = folder.payload.root / FILE
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            dataset = mlcroissant.Dataset(jsonld=str(path))
            report = " ".join(dataset.metadata.ctx.issues.report().split())
            if report:
                yield CheckResult(
                    "skipped" if folder.declaration.options.get("draft") else "wrong",
                    f"mlcroissant: {report:.200}",
                    FILE,
                )
            yield from _read(folder, dataset)
        except (mlcroissant.ValidationError, mlcroissant.GenerationError, ValueError) as error:
            yield CheckResult("wrong", f"mlcroissant: {error}".splitlines()[0], FILE)


def _read(folder: CheckedFolder, dataset: Any) -> Iterator[CheckResult]:
    for table in folder.tables:
        rows = rows_of_table(folder.files, table)
        if rows > MOST:
            yield CheckResult("skipped", f"{table}: not read by mlcroissant, because it has more than {MOST:,} rows")
            continue
        number = sum(1 for _ in dataset.records(table))
        yield CheckResult(
            "ok" if number == rows else "wrong", f"mlcroissant reads {number} of {rows} rows of {table}", FILE
        )


CROISSANT_CHECK = FolderCheck("croissant", check_croissant, needs="mlcroissant", of=FILE)
