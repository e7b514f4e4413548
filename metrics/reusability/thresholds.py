"""How much a left-out unit may lose of its own score, in per cent of that score, before it matters.

Below NOISE the mean loss is within the noise of assessors and topics; from CARE on new systems must be compared with
care. Both are NIST's reading of its own leave-one-out experiments: about 1 % is noise, 6 to 10 % calls for care. TREC-8
ad hoc has 0.8 % and AQUAINT 2005 3.2 %; TREC-8 cross-language has 6.3 % and Terabyte 2004 9.6 %.

Source: Buckley, Dimmick, Soboroff and Voorhees, Bias and the limits of pooling, Information Retrieval 10, 2007.
"""

from __future__ import annotations

NOISE = 1.0
CARE = 6.0
