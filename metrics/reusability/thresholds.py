"""Bounds of the verdict: what a left-out unit may lose of its own score, in per cent of it, and what must be known.

Below NOISE the mean loss is within the noise of assessors and topics; from CARE on new systems must be compared with
care. Both are NIST's reading of its own leave-one-out experiments: about 1 % is noise, 6 to 10 % calls for care. TREC-8
ad hoc has 0.8 % and AQUAINT 2005 3.2 %; TREC-8 cross-language has 6.3 % and Terabyte 2004 9.6 %.

The loss holds for the pool of the runs that are there. Judged documents from elsewhere stay when a run is left out, and
unjudged ones of the pool count as not relevant. Up to MENTIONED of the judged documents, or of the pool, that is left
aside; above it the verdict says so, and is at best "with care"; above MOST there is none. With a twelfth of the judged
documents of TREC-COVID's round 1 unexplained, because runs are missing, the others seem to lose 1.04 times what they
do, with a third 1.2 times, with half 1.4 times (`python -m benchmarks.unexplained`). A pool of which RICH per cent are
relevant has probably missed relevant documents that no run found, which leave-one-out cannot see.

Source: Buckley, Dimmick, Soboroff and Voorhees, Bias and the limits of pooling, Information Retrieval 10, 2007.
"""

from __future__ import annotations

NOISE = 1.0
CARE = 6.0
MENTIONED = 0.02  # shares: of the judged documents, of the pool, of the topics
MOST = 1 / 3
USUAL, RICH = 6.0, 15.0  # per cent of the judged documents that are relevant
