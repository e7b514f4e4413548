"""Data frames of other libraries, by narwhals, which is needed only here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.errors import InputError
from cranfield.extras import require_extra

if TYPE_CHECKING:
    from pandas import DataFrame


def convert_frame(frame: DataFrame, library: str) -> Any:
    """Convert a frame of pandas to one of another library; the levels of an index become columns.

    >>> import pandas as pd
    >>> convert_frame(pd.DataFrame({"AP": [0.5]}, index=pd.Index(["a"], name="run")), "pyarrow").to_pylist()
    [{'run': 'a', 'AP': 0.5}]
    >>> convert_frame(pd.DataFrame({"AP": [0.5]}), "nothing")
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: library is 'nothing'; expected a library that narwhals supports, such as polars or
    pyarrow
    """
    import pandas as pd

    if not isinstance(frame.index, pd.RangeIndex):
        frame = frame.reset_index()
    require_extra("frames", "a frame of another library")
    import narwhals as nw

    columns = {str(name): frame[name].tolist() for name in frame}
    try:
        return nw.from_dict(columns, backend=library).to_native()  # type: ignore[arg-type]
    except ModuleNotFoundError as error:
        raise InputError(f"{error.name or library} is not installed; `pip install {library}` installs it") from error
    except (TypeError, ValueError, AssertionError) as error:  # older versions of narwhals assert
        if mixed := next((name for name, cells in columns.items() if len({*map(type, cells)}) > 1), ""):
            raise InputError(
                f"the column {mixed!r} contains cells of several types, but {library} needs one type per column"
            ) from error
        right = "expected a library that narwhals supports, such as polars or pyarrow"
        raise InputError(f"library is {library!r}; {right}") from error
