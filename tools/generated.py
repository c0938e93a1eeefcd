"""Files that are written by a tool, and kept in the repository."""

import sys

from . import ROOT

__all__ = ["write"]


def write(files):
    """Write the (path, text) that are not up to date, and print which these are; with
    --check only print them.

    Returns
    -------
    int
        The exit status: 1 with --check, where there are some.
    """
    check = "--check" in sys.argv
    stale = [
        (path, text)
        for path, text in files
        if not path.exists() or path.read_text() != text
    ]
    for path, text in stale:
        print(path.relative_to(ROOT))
        if not check:
            path.write_text(text)
    return 1 if stale and check else 0
