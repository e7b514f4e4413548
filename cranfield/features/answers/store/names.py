"""Answers with the names of documents and topics that a store has."""

from collections.abc import Mapping
from os import fspath

from cranfield.features.answers.formats.answers import Answer, Answers
from cranfield.features.answers.formats.answers import Place as AnswerPlace
from cranfield.store.names import NameMatcher, Place


def with_names(matcher: NameMatcher, found: Answers) -> list[Answer]:
    """The answers of files, with the names of the store."""
    label = fspath(found.places[0].path) if len({place.path for place in found.places}) == 1 else "these files"
    pairs = list(zip(found.answers, found.places, strict=True))[::-1]
    cited = {docno: at for answer, at in pairs for docno in answer.documents}
    asked = {answer.qid: at for answer, at in pairs}
    docnos, qids = _answered(matcher, "document", cited, label), _answered(matcher, "topic", asked, label)
    return [_renamed(answer, docnos, qids) for answer in found.answers]


def _answered(matcher: NameMatcher, table: str, first: Mapping[str, AnswerPlace], label: str) -> Mapping[str, str]:
    place = Place(label, lambda name: first[name].path, lambda name: first[name].line)
    return matcher.names_of(table, sorted(first), place)


def _renamed(answer: Answer, docnos: Mapping[str, str], qids: Mapping[str, str]) -> Answer:
    if not docnos:
        return answer._replace(qid=qids.get(answer.qid, answer.qid))
    cited = [{docnos.get(docno, docno): sure for docno, sure in each.citations.items()} for each in answer.sentences]
    sentences = [each._replace(citations=named) for each, named in zip(answer.sentences, cited, strict=True)]
    documents = [docnos.get(docno, docno) for docno in answer.documents]
    return answer._replace(qid=qids.get(answer.qid, answer.qid), sentences=sentences, documents=documents)
