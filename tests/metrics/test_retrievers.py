"""Results of the real LangChain and LlamaIndex, in each way that docs/measure/shapes.md shows."""

from typing import Any

import pytest

import cranfield

pytestmark = pytest.mark.full

TEXTS = {"d1": "wings", "d2": "drag", "d3": "lift"}
VECTORS = {"wings": [1.0, 0.0, 0.0], "drag": [0.0, 1.0, 0.0], "lift": [0.6, 0.0, 0.8], "a wing": [0.8, 0.1, 0.5]}
QUERIES = {"q1": "a wing", "q2": "drag"}
RELEVANT = {"q1": {"d3"}, "q2": {"d2"}}
RANKED = {"q1": ["d3", "d1", "d2"], "q2": ["d2", "d1", "d3"]}
UNSCORED = pytest.mark.filterwarnings("ignore:run 'run'. the lists have no scores")


def means(retrieved: Any) -> list[float]:
    """The scores of what was retrieved, by RR and P@1, as the page has them scored."""
    (row,) = cranfield.evaluate(RELEVANT, retrieved, measures=["RR", "P@1"]).rows()
    return [row["RR"], row["P@1"]]


@pytest.fixture
def langchain_store() -> Any:
    """A vector store of LangChain, whose relevance scores are its similarities."""
    pytest.importorskip("langchain_core", reason="needs langchain-core (pip install 'cranfield[interop]')")
    from langchain_core.documents import Document
    from langchain_core.embeddings import Embeddings
    from langchain_core.vectorstores import InMemoryVectorStore

    class Known(Embeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [VECTORS[text] for text in texts]

        def embed_query(self, text: str) -> list[float]:
            return VECTORS[text]

    class Store(InMemoryVectorStore):
        def _select_relevance_score_fn(self) -> Any:
            return float

    store = Store(Known())
    store.add_documents([Document(text, id=one, metadata={"source": f"of {one}"}) for one, text in TEXTS.items()])
    return store


@UNSCORED
def test_documents_of_langchain(langchain_store: Any) -> None:
    """Of a retriever, and in pairs with scores."""
    retriever = langchain_store.as_retriever(search_kwargs={"k": 2})
    assert means({qid: retriever.invoke(text) for qid, text in QUERIES.items()}) == [1.0, 1.0]
    for search in (
        langchain_store.similarity_search_with_relevance_scores,
        langchain_store.similarity_search_with_score,
    ):
        retrieved = {qid: search(text, k=3) for qid, text in QUERIES.items()}
        assert means(retrieved) == [1.0, 1.0]
        assert [docno for docno, _ in cranfield.metrics.retrieved_run(retrieved)["q1"]] == RANKED["q1"]


def test_distances_of_langchain_are_refused(langchain_store: Any) -> None:
    found = langchain_store.similarity_search_with_score("a wing", k=3)
    with pytest.raises(cranfield.InputError, match="distance"):
        means({"q1": [(document, 1 - score) for document, score in found]})


@UNSCORED
def test_a_field_of_the_metadata_of_langchain(langchain_store: Any) -> None:
    found = {qid: langchain_store.similarity_search(text, k=3) for qid, text in QUERIES.items()}
    assert cranfield.metrics.retrieved_run(found, "source")["q1"] == ["of d3", "of d1", "of d2"]


@pytest.fixture
def llama_index() -> Any:
    """An index of LlamaIndex."""
    core = pytest.importorskip("llama_index.core", reason="needs llama-index-core (pip install 'cranfield[interop]')")
    from llama_index.core.base.embeddings.base import BaseEmbedding
    from llama_index.core.schema import MetadataMode, TextNode

    class Known(BaseEmbedding):
        def _get_text_embedding(self, text: str) -> list[float]:
            return VECTORS[text]

        def _get_query_embedding(self, query: str) -> list[float]:
            return VECTORS[query]

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return VECTORS[query]

    nodes = [
        TextNode(id_=one, text=text, metadata={"source": f"of {one}"}, excluded_embed_metadata_keys=["source"])
        for one, text in TEXTS.items()
    ]
    assert nodes[0].get_content(metadata_mode=MetadataMode.EMBED) == "wings"
    return core.VectorStoreIndex(nodes, embed_model=Known())


@UNSCORED
def test_nodes_of_llama_index(llama_index: Any) -> None:
    """Of a retriever, with scores; and the nodes alone."""
    retriever = llama_index.as_retriever(similarity_top_k=3)
    retrieved = {qid: retriever.retrieve(text) for qid, text in QUERIES.items()}
    assert means(retrieved) == [1.0, 1.0]
    assert [docno for docno, _ in cranfield.metrics.retrieved_run(retrieved)["q1"]] == RANKED["q1"]
    assert [source for source, _ in cranfield.metrics.retrieved_run(retrieved, "source")["q1"]] == [
        "of d3", "of d1", "of d2",
    ]  # fmt: skip
    assert means({qid: [one.node for one in found] for qid, found in retrieved.items()}) == [1.0, 1.0]
