"""online clicks models.

JSON: [{"model", "what", "fitted_by", "source"}].
"""

from __future__ import annotations

from cranfield.cli.options import Format, Output
from cranfield.cli.tables import Display, TableFormat, emit


def models(format: Format = TableFormat.table, output: Output = None) -> None:
    """List the click models.

    Those fitted by EM are fitted exactly, but for dbn-pyclick and ccm-pyclick. Those fitted by counts are the simplest;
    dcm and sdbn take the last click for the end of reading, dcm-em and sdbn-em do not.

    Example: cranfield online clicks models
    """
    from cranfield.online.click_models.table import CLICK_MODELS

    rows = [
        {"model": model.name, "what": model.summary, "fitted_by": model.fitted_by,
         "source": model.source}
        for model in CLICK_MODELS.values()
    ]  # fmt: skip
    emit(rows, format, output, display=Display(heads={"fitted_by": "fitted by"}))
