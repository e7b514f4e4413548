"""Names of measures as MTEB, Anserini, BEIR, sentence-transformers and CAsT write them."""

import pytest

from cranfield.errors import MeasureError
from cranfield.metrics.notation import parse
from cranfield.text import measures_in


@pytest.mark.parametrize(("name", "ours"), [
    ("ndcg_at_10", "nDCG@10"), ("mrr_at_10", "RR@10"), ("hit_rate_at_1", "Success@1"), ("map_at_100", "AP@100"),
    ("recall_at_100", "R@100"), ("precision_at_5", "P@5"), ("hit@10", "Success@10"), ("hit_rate@10", "Success@10"),
    ("NDCG@10", "nDCG@10"), ("Recall@100", "R@100"), ("MAP@100", "AP@100"), ("mrr_cut_10", "RR@10"),
    ("judged.20", "Judged@20"), ("judged_20", "Judged@20"), ("R_cap@10", "R_cap@10"), ("recall_cap@10", "R_cap@10"),
    ("iprec_at_recall_0.10", "IPrec@0.1"), ("success.5", "Success@5"), ("map_cut.100", "AP@100"),
])  # fmt: skip
def test_names_of_other_tools_are_read(name: str, ours: str) -> None:
    assert str(parse(name)) == ours


def test_a_list_of_cutoffs_is_a_measure_each() -> None:
    assert [str(parse(name)) for name in measures_in("ndcg_cut.10,20,nDCG@10,20,P@5,10")] == [
        "nDCG@10", "nDCG@20", "nDCG@10", "nDCG@20", "P@5", "P@10"
    ]  # fmt: skip
    assert measures_in("AP,10") == ["AP", "10"]


@pytest.mark.parametrize(("name", "answer"), [
    ("ndcg-l3", r'nDCG has no option rel .* nDCG\(gains="1=0,2=0"\) counts only grades of at least 3$'),
    ("ndcg-l2", r'nDCG has no option rel .* nDCG\(gains="1=0"\) counts only grades of at least 2$'),
    ("F1", r"did you mean F\?$"), ("F1@10", r"did you mean F@10\?$"), ("NERR8@5", r"did you mean nERR@5\?$"),
    ("auc", "available: AP"),
    ("accuracy@10", r"did you mean Success@10\?"), ("p-MRR", r"cranfield\.metrics\.p_mrr"),
])  # fmt: skip
def test_other_names_are_answered(name: str, answer: str) -> None:
    with pytest.raises(MeasureError, match=answer):
        parse(name).complete()
