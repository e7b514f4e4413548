"""Names of measures as trec_eval, pytrec_eval and ir_measures write them, by which their scores are told from qrels."""

import re
from collections.abc import Iterable

TREC_EVAL_NAMES = (
    r"num_(?:q|ret|rel|rel_ret|nonrel_judged_ret)|(?:gm_)?(?:map|bpref)|map_cut_\d+|infAP|Rprec(?:_mult_[\d.]+)?"
    r"|recip_rank|iprec_at_recall_[\d.]+|11pt_avg|(?:P|recall|success|relative_P|ndcg_cut)_\d+"
    r"|ndcg(?:_rel)?|Rndcg|set_(?:P|recall|map|F|relative_P)|utility"
)
IR_MEASURES_NAMES = (
    r"(?:AP|nDCG|RR|Rprec|Bpref|ERR|RBP|INST|INSQ|infAP|SetP|SetR|SetF|SetAP|NumRet|NumRel|NumQ|Compat)"
    r"(?:\([^()\s]*\))?(?:@\d+)?"
    r"|(?:P|R|Success|Judged|IPrec|AP|nDCG|RR|ERR|alpha_nDCG|ERR_IA)(?:\([^()\s]*\))?@[\d.]+"
)
MEASURE_NAME = f"{TREC_EVAL_NAMES}|{IR_MEASURES_NAMES}"  # patterns that are compiled at their first use
TREC_EVAL_LINE = rf"({TREC_EVAL_NAMES}|runid)\s*\t\S+\t\S+\s*"
IR_MEASURES_LINE = rf"\S+\t({IR_MEASURES_NAMES})\t-?\d+\.\d+\s*"


def are_measure_names(names: Iterable[object]) -> bool:
    """Whether there are names, and all of them are of measures.

    >>> are_measure_names(["map", "ndcg_cut_10", "nDCG@10"]), are_measure_names(["map", "d1"]), are_measure_names([])
    (True, False, False)
    """
    texts = list(names)
    return bool(texts) and all(isinstance(name, str) and re.fullmatch(MEASURE_NAME, name) for name in texts)


def scores_of(line: str) -> str:
    r"""Which program writes a line of scores such as this one, "" if neither does.

    >>> scores_of("map\tall\t0.25"), scores_of("301\tnDCG@10\t0.5000"), scores_of("1\tmap\t1"), scores_of("1\tP\t0.5")
    ('trec_eval', 'ir_measures', '', '')
    """
    patterns = {"trec_eval": TREC_EVAL_LINE, "ir_measures": IR_MEASURES_LINE}
    return next((program for program, pattern in patterns.items() if re.fullmatch(pattern, line)), "")
