"""Which paths lead to a partitioned data set of runs."""

import os
import pathlib
import re

from cranfield.errors import Path

BLOCK = "qid_block="  # the folders of a data set, each a block of topics
URL = re.compile(r"([a-z][a-z0-9+]+):/+(.+)")  # a path that was one has lost a slash


def is_partitioned(path: Path) -> bool:
    """Whether this is a URL or a folder of blocks, and not a file or a folder of files.

    >>> is_partitioned("s3://bucket/runs"), is_partitioned("a.run")
    (True, False)
    """
    return bool(URL.fullmatch(os.fspath(path))) or any(pathlib.Path(path).glob(f"{BLOCK}*"))
