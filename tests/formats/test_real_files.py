"""Every file of the real collections is read, with known counts, or refused with its line."""

from collections import Counter
from collections.abc import Callable
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from cranfield.errors import InputError
from cranfield.formats import Topic, read_corpus, read_preferences, read_qrels, read_runs, read_topics
from tests.conftest import usually
from tests.real import covid

READ: dict[str, Callable[..., Any]] = {
    "corpus": lambda path: list(read_corpus(path)),
    "topics": read_topics,
    "qrels": read_qrels,
    "preferences": read_preferences,
    "documents as topics": lambda path: read_topics(path, names={"title": ""}),
    "run": read_runs,
}

# What each file is, and how many documents, topics, judgments or lines it has.
LOADED = {
    "beir-dbpedia50/corpus.jsonl.gz": ("corpus", 5000),
    "beir-dbpedia50/queries.jsonl": ("topics", 50),
    "beir-dbpedia50/qrels/test.tsv": ("qrels", 3709),
    "cisi/CISI.ALL.gz": ("corpus", 1460),
    "cisi/CISI.QRY": ("topics", 112),
    "cacm/cacm.all": ("corpus", 3204),
    "cacm/qrels.text": ("qrels", 796),
    "cacm/query.text": ("topics", 64),
    "cisi/CISI.REL": ("qrels", 3114),
    "cranfield1400/smart/cran.all.1400.gz": ("corpus", 1400),
    "cranfield1400/smart/cran.qry": ("topics", 225),
    "cranfield1400/smart/cranqrel": ("qrels", 1837),
    "cranfield1400/trec-xml/cran.all.1400.xml.gz": ("corpus", 1400),
    "cranfield1400/trec-xml/cran.qry.xml": ("topics", 225),
    "cranfield1400/trec-xml/cranqrel.trec.txt": ("qrels", 1837),
    "llmjudge/human.dev.qrels.txt.gz": ("qrels", 7263),
    "llmjudge/human.test.qrels.txt.gz": ("qrels", 4423),
    "llmjudge/labels/*.txt.gz": ("qrels", 4423),
    "llmjudge/queries.tsv": ("topics", 50),
    "robust03/qrels.robust03.txt.gz": ("qrels", 128_796),
    "robust03/runs/input.NLPR03vb10.gz": ("run", 1004),
    "robust03/runs/input.humR03dc.gz": ("run", 10_000),
    "robust03/runs/input.uic0301.gz": ("run", 99_969),
    "robust03/runs/*": ("run", 100_000),
    "robust03/topics.robust04.txt": ("topics", 250),
    "topic-formats/qrels.dl19-passage.txt.gz": ("qrels", 9260),
    "topic-formats/qrels.web.101-150.txt.gz": ("qrels", 19_381),
    "topic-formats/topics.adhoc.301-350.txt": ("topics", 50),
    "topic-formats/topics.adhoc.51-100.txt": ("topics", 50),
    "topic-formats/topics.backgroundlinking19.txt": ("documents as topics", 60),
    "topic-formats/topics.clef06fr.mono.fr.txt": ("topics", 49),
    "topic-formats/topics.core17.txt": ("topics", 50),
    "topic-formats/topics.covid-round1-udel.xml": ("topics", 30),
    "topic-formats/topics.covid-round5.xml": ("topics", 50),
    "topic-formats/topics.dl19-passage.txt": ("topics", 43),
    "topic-formats/topics.dl20.txt": ("topics", 200),
    "topic-formats/topics.microblog2012.txt": ("topics", 60),
    "topic-formats/topics.ntcir8zh.eval.txt": ("topics", 73),
    "topic-formats/topics.rag24.test.txt": ("topics", 301),
    "topic-formats/topics.terabyte05.751-800.txt": ("topics", 50),
    "topic-formats/topics.trec02ar-ar.txt": ("topics", 50),
    "topic-formats/topics.web.101-150.txt": ("topics", 50),
    "topic-formats/topics.web.201-250.txt": ("topics", 50),
    "trec_eval/302/qrels": ("qrels", 1061),
    "trec_eval/302/run": ("run", 500),
    "trec_eval/comment/qrels": ("qrels", 5890),
    "trec_eval/comment/run": ("run", 30_100),
    "trec_eval/prefs/qrels": ("preferences", 164),
    "trec_eval/prefs/run": ("run", 480),
    "trec_eval/qrels_jg/qrels": ("qrels", 3733),  # groups of judges cannot be told from subtopics: a note says so
    "trec_eval/trunc/run": ("run", 584),
    "trec_eval/*/run": ("run", 1500),
    "treccovid-r1/qrels-rnd1.txt.gz": ("qrels", 8691),
    "treccovid-r1/topics.covid-round1.xml": ("topics", 30),
    "treccovid-r2/qrels.covid-round1.txt.xz": ("qrels", 8691),
    "treccovid-r2/qrels.covid-round2-cumulative.txt.xz": ("qrels", 20_728),
    "treccovid-r2/qrels.covid-round2.txt.xz": ("qrels", 12_037),
    "treccovid-r2/runs/run1.xz": ("run", 31_575),
    "treccovid-r4/qrels.covid-round3-cumulative.txt.xz": ("qrels", 33_068),
    "treccovid-r4/qrels.covid-round4-cumulative.txt.xz": ("qrels", 46_203),
    "treccovid-r4/qrels.covid-round4.txt.xz": ("qrels", 13_262),
    "treccovid-r4/runs/uab.run1.xz": ("run", 24_971),
}
REFUSED = {
    "cisi/CISI.BLN": ("topics", "1: 1 column; expected 2: id, tab, text"),
    "cranfield1400/smart/cranqrel.readme": ("qrels", "1: 9 columns; qrels have 4: qid iteration docno grade"),
}
LOADED_AFTER_REFUSED = {"trec_eval/*/qrels": ("qrels", 3681)}
LIKE_OTHERS = "robust03/runs/*"
MANY_RUNS = "treccovid-r1/runs/*"
READ_ELSEWHERE = (MANY_RUNS, "treccovid-r2/runs/*", "treccovid-r4/runs/*", "clef-tar-2017/CD*")
ABOUT_THE_DATA = (
    "*README", "cacm/cite.info", "cacm/common_words", "lisa/LISA*", "npl/*",  # in formats of their own
    "*SOURCE.txt", "*QUIRKS.md", "*meta.json", "*expected*.txt", "*published*.tsv", "*teams.tsv", "*leaderboard.csv",
    "*docids.round*", "texts/*.jsonl",
)  # fmt: skip

FIRST_TOPICS = {
    "cacm/query.text": Topic(
        "1",
        "What articles exist which deal with TSS (Time Sharing System), an operating system for IBM computers?",
        metadata={"note": " 1. Richard Alexander, Comp Serv, Langmuir Lab (TSS)\n "},
    ),
    "beir-dbpedia50/queries.jsonl": Topic("SemSearch_ES-2", "B. F. Skinner"),
    "cranfield1400/smart/cran.qry": Topic(
        "001",
        "what similarity laws must be obeyed when constructing aeroelastic models of heated high speed aircraft .",
    ),
    "cranfield1400/trec-xml/cran.qry.xml": Topic(
        "1", "what similarity laws must be obeyed when constructing aeroelastic models of heated high speed aircraft ."
    ),
    "llmjudge/queries.tsv": Topic("q18", "dog age by teeth"),
    "topic-formats/topics.clef06fr.mono.fr.txt": Topic("301-AH", "Les Produits Nestlé"),
    "topic-formats/topics.covid-round1-udel.xml": Topic("1", "coronavirus origin origin COVID-19"),
    "topic-formats/topics.dl19-passage.txt": Topic("156493", "do goldfish grow"),
    "topic-formats/topics.dl20.txt": Topic("1030303", "who is aziz hashim"),
    "topic-formats/topics.microblog2012.txt": Topic(
        "MB051",
        "British Government cuts",
        metadata={"querytime": "Tue Feb 08 23:56:46 +0000 2011", "querytweettime": "35124912364457984"},
    ),
    "topic-formats/topics.ntcir8zh.eval.txt": Topic("ACLIA2-CS-0002", "《千里走单骑》和张艺谋是什么关系？"),  # noqa: RUF001
    "topic-formats/topics.rag24.test.txt": Topic(
        "2024-145979", "what is vicarious trauma and how can it be coped with?"
    ),
}
# Longer first topics: qid, title, and how description and narrative start and end.
FIRST_LONG_TOPICS = {
    "cisi/CISI.QRY": ("1", "What problems and concerns", ("", ""), ("", "")),
    "robust03/topics.robust04.txt": (
        "301", "International Organized Crime", ("Identify organizations", "involved."),
        ("A relevant document must", "would not be relevant."),
    ),
    "topic-formats/topics.adhoc.301-350.txt": (
        "301", "International Organized Crime", ("Identify organizations", "involved."),
        ("A relevant document must", "would not be relevant."),
    ),
    "topic-formats/topics.adhoc.51-100.txt": (
        "051", "Airbus Subsidies", ("Document will discuss", "subsidies."), ("A relevant document will", "to Airbus."),
    ),
    "topic-formats/topics.core17.txt": (
        "307", "New Hydroelectric Projects", ("Identify hydroelectric", "desirable."),
        ("Relevant documents would", "drop a proposed plan."),
    ),
    "topic-formats/topics.covid-round5.xml": (
        "1", "coronavirus origin", ("what is the origin of COVID-19", "COVID-19"),
        ("seeking range", "transmission into humans"),
    ),
    "topic-formats/topics.terabyte05.751-800.txt": (
        "751", "Scrabble Players", ("Give information on Scrabble", "it has been."),
        ("Give information on the social", "are not relevant."),
    ),
    "topic-formats/topics.trec02ar-ar.txt": (
        "AR26", "مجلس المقاومة الوطني الكردستاني", ("كيف ينظر", "للاكراد؟"), ("الموضوع يتضمن", "للاستقلال ."),
    ),
    "topic-formats/topics.web.101-150.txt": (
        "101", "ritz carlton lake las vegas", ("Find information about", "Lake Las Vegas."), ("", ""),
    ),
    "topic-formats/topics.web.201-250.txt": ("201", "raspberry pi", ("What is a", "raspberry pi?"), ("", "")),
    "treccovid-r1/topics.covid-round1.xml": (
        "1", "coronavirus origin", ("what is the origin of COVID-19", "COVID-19"),
        ("seeking range", "transmission into humans"),
    ),
}  # fmt: skip


def files(shared: Path) -> list[str]:
    return sorted(path.relative_to(shared).as_posix() for path in shared.rglob("*") if path.is_file())


def expectation(file: str, table: dict[str, tuple[str, Any]]) -> tuple[str, Any] | None:
    """What the first pattern that fits the file says."""
    return next((value for pattern, value in table.items() if fnmatch(file, pattern)), None)


def test_every_file_is_accounted_for(shared: Path) -> None:
    """No file of a collection known here is without an expectation, and no expectation without a file."""
    patterns = [*LOADED, *REFUSED, *LOADED_AFTER_REFUSED, *ABOUT_THE_DATA, *READ_ELSEWHERE]
    folders = {pattern.split("/")[0] for pattern in patterns}
    there = [file for file in files(shared) if file.split("/")[0] in folders]
    unknown = [file for file in there if not any(fnmatch(file, pattern) for pattern in patterns)]
    idle = [pattern for pattern in patterns if not any(fnmatch(file, pattern) for file in there)]
    assert (unknown, idle) == ([], [])


def test_every_file_has_what_it_is_known_to_have(shared: Path) -> None:
    """The counts are those of SOURCE.txt and QUIRKS.md."""
    table = LOADED | {file: ("refused", None) for file in REFUSED if file not in LOADED} | LOADED_AFTER_REFUSED
    for at, file in enumerate(files(shared)):
        kind, count = expectation(file, table) or ("none", 0)
        if fnmatch(file, LIKE_OTHERS) and at % usually(6, 1):
            continue
        if kind in READ:
            assert (file, len(READ[kind](shared / file))) == (file, count)


@pytest.mark.parametrize("file", REFUSED)
def test_what_cannot_be_used_is_refused_with_its_line(shared: Path, file: str) -> None:
    """The message is one line: file, line, what was found, what is right."""
    kind, message = REFUSED[file]
    with pytest.raises(InputError) as error:
        READ[kind](shared / file)
    assert str(error.value) == f"{shared / file}:{message}"


@pytest.mark.daily
def test_texts_about_the_data_are_refused_as_runs_and_qrels(shared: Path) -> None:
    """Whatever is no run and no qrels is refused with a line, or as empty."""
    for file in files(shared):
        if any(fnmatch(file, pattern) for pattern in ABOUT_THE_DATA):
            for kind in ("run", "qrels"):
                with pytest.raises(InputError) as error:
                    READ[kind](shared / file)
                assert error.value.line or "empty" in error.value.message
                assert "\n" not in str(error.value)


def test_all_runs_of_treccovid_are_read_in_one_call(shared: Path) -> None:
    """143 runs share one vocabulary of topics, in byte order, and one of documents."""
    runs, numbers = covid(shared).runs, list[int]()
    assert (len(runs.tags), len(runs)) == (143, 3_509_493)
    read_runs(sorted(shared.glob(MANY_RUNS))[:9], progress=numbers.append)
    assert sum(numbers) == 9
    assert runs.topics.names.tolist() == sorted(map(str, range(1, 31)))
    assert len(runs.docnos.names) == 46_316


def test_every_candidate_of_a_review_is_judged(shared: Path) -> None:
    """12 topics, each with documents and judgments of its own; one judged document has no text."""
    missing = {}
    for path in sorted((shared / "clef-tar-2017").glob("*.qrels.gz")):
        qid = path.name.split(".")[0]
        qrels = read_qrels(path)
        assert [topic.qid for topic in read_topics(path.with_name(f"{qid}.topic.json"))] == [qid]
        texts = {document.docno for document in read_corpus(path.with_name(f"{qid}.docs.jsonl.gz"))}
        judged = set(qrels.docnos.names[qrels.document].tolist())
        assert texts <= judged
        missing[qid] = len(judged - texts)
    assert (len(missing), {qid: count for qid, count in missing.items() if count}) == (12, {"CD010386": 1})


def test_robust_runs_are_called_by_their_tags(shared: Path) -> None:
    """The tag is that of the lines, which here is the file's name without its "input."."""
    paths = sorted(shared.glob("robust03/runs/*"))
    assert list(read_runs(paths[:3]).tags) == ["InexpC2", "MU03rob01", "NLPR03vb10"]


@pytest.mark.parametrize("file", FIRST_TOPICS)
def test_the_first_topic(shared: Path, file: str) -> None:
    """The first topic of every file is what a reader sees there."""
    assert read_topics(shared / file)[0] == FIRST_TOPICS[file]


@pytest.mark.parametrize("file", FIRST_LONG_TOPICS)
def test_the_first_long_topic(shared: Path, file: str) -> None:
    """Labels are gone, and nothing of the next field is in the text."""
    first = read_topics(shared / file)[0]
    qid, title, description, narrative = FIRST_LONG_TOPICS[file]
    assert first.qid == qid
    assert first.title.startswith(title)
    assert (title != "") == (first.title != "")
    for text, (start, end) in ((first.description, description), (first.narrative, narrative)):
        assert text.startswith(start)
        assert text.endswith(end)
        assert bool(text) == bool(start)


def test_every_topics_file_has_a_checked_first_topic(shared: Path) -> None:
    """No file of topics is only counted."""
    topics = {file for file in files(shared) if (expectation(file, LOADED) or ("",))[0] == "topics"}
    assert topics == {*FIRST_TOPICS, *FIRST_LONG_TOPICS}


def test_further_fields_of_topics_are_metadata(shared: Path) -> None:
    """The oldest topics have concepts and factors, background linking has a document, the web track subtopics."""
    oldest, second = read_topics(shared / "topic-formats/topics.adhoc.51-100.txt")[:2]
    assert set(oldest.metadata) == {"head", "dom", "smry", "con"}
    assert oldest.metadata["dom"] == "International Economics"
    assert str(oldest.metadata["con"]).startswith("1. Airbus Industrie\n")
    assert second.metadata["fac"] == "Nationality:  South Africa"
    linking = READ["documents as topics"](shared / "topic-formats/topics.backgroundlinking19.txt")[0]
    assert linking.metadata["docid"] == "96ab542e-6a07-11e6-ba32-5a4bf5aad4fa"
    assert str(linking.metadata["url"]).endswith("_story.html")
    web = read_topics(shared / "topic-formats/topics.web.101-150.txt")[0]
    assert web.metadata["type"] == "faceted"
    subtopics = web.metadata["subtopics"]
    assert isinstance(subtopics, list)
    assert subtopics[1] == {
        "number": "2",
        "type": "nav",
        "text": "Find a site where I can determine room price and availability.",
    }


def test_cranfield_documents_keep_their_doubled_parts(shared: Path) -> None:
    """576 and 578 have a second .W, which continues the first; 471 and 995 are empty."""
    documents = {d.docno: d for d in read_corpus(shared / "cranfield1400/smart/cran.all.1400.gz")}
    assert list(documents) == [str(number) for number in range(1, 1401)]
    assert documents["576"].text.startswith("viscous and inviscid stagnation flow")
    assert "adjustable\n gas model" in documents["576"].text
    assert documents["576"].text.endswith("resulting\nblades is included .")
    assert [docno for docno, d in documents.items() if not (d.title or d.text or d.metadata)] == ["471", "995"]
    assert documents["1"].metadata == {"author": "brenckman,m.", "bibliography": "j. ae. scs. 25, 1958, 324."}


def test_both_versions_of_cranfield_have_the_same_texts(shared: Path) -> None:
    """The XML version equals the original in 1397 documents; the other three have doubled parts."""
    smart = read_corpus(shared / "cranfield1400/smart/cran.all.1400.gz")
    xml = read_corpus(shared / "cranfield1400/trec-xml/cran.all.1400.xml.gz")
    differing = [a.docno for a, b in zip(smart, xml, strict=True) if a.text.strip() != b.text]
    assert differing == ["240", "576", "578"]


def test_cisi_has_further_parts(shared: Path) -> None:
    """One document has keywords and categories; 55 topics have a title, author and source of their own."""
    documents = list(read_corpus(shared / "cisi/CISI.ALL.gz"))
    assert [d.docno for d in documents if "keywords" in d.metadata] == ["321"]
    topics = read_topics(shared / "cisi/CISI.QRY")
    assert sum("bibliography" in topic.metadata for topic in topics) == 55
    assert topics[57].title == "Directions in Library Networking"
    assert topics[57].description.startswith("    Bibliographic control")


def test_a_beir_folder_is_read_whole(shared: Path) -> None:
    """A folder gives corpus, topics and qrels; ids with commas and angle brackets are kept."""
    folder = shared / "beir-dbpedia50"
    documents = {document.docno for document in read_corpus(folder)}
    qrels = read_qrels(folder)
    assert (len(documents), len(read_topics(folder)), len(qrels), len(qrels.qids)) == (5000, 50, 3709, 40)
    assert set(qrels.docnos.names) <= documents
    assert "<dbpedia:Ancient_Roman_architecture>" in documents


@pytest.mark.parametrize(
    ("file", "grades"),
    [
        ("robust03/qrels.robust03.txt.gz", {0: 122_722, 1: 5667, 2: 407}),
        ("topic-formats/qrels.web.101-150.txt.gz", {-2: 1019, 0: 15_205, 1: 2038, 2: 711, 3: 408}),
        ("beir-dbpedia50/qrels/test.tsv", {0: 2829, 1: 614, 2: 266}),
        ("cranfield1400/smart/cranqrel", {1: 128, 2: 387, 3: 734, 4: 363, -1: 225}),
        ("cranfield1400/trec-xml/cranqrel.trec.txt", {1: 1611, 0: 225, 3: 1}),
        ("llmjudge/labels/RMITIR-llama70B.txt.gz", {0: 2154, 1: 243, 2: 1581, 3: 443, 5: 2}),
        ("llmjudge/labels/h2oloo-zeroshot2.txt.gz", {0: 2920, 1: 771, 2: 476, 3: 255, 10: 1}),
    ],
)
def test_grades_are_read_as_they_are(shared: Path, file: str, grades: dict[int, int]) -> None:
    """Negative grades and grades outside the scale are the file's, and stay."""
    assert Counter(read_qrels(shared / file).grade.tolist()) == grades


def test_the_iteration_is_kept(shared: Path) -> None:
    """TREC-COVID's second column is the judging round."""
    iteration = read_qrels(shared / "treccovid-r1/qrels-rnd1.txt.gz").iteration
    assert iteration is not None
    assert Counter(iteration.tolist()) == {"0.5": 2627, "1": 6064}


def test_columns_after_the_tag_are_passed_over(shared: Path) -> None:
    """As trec_eval does; only the six columns count."""
    runs = read_runs(shared / "trec_eval/trunc/run")
    assert runs.tags == ("STANDARD",)
    assert "FBIS3-27619" in runs.docnos.names
