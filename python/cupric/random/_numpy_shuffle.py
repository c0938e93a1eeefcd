"""NumPy's own shuffle of an array of a device, which would lose elements, is refused.

`numpy.random.shuffle` exchanges x[i] and x[j] by assigning both: of an array of a
device each is a view, so that the second assignment reads what the first has written.
It warns beforehand that elements may be lost. A filter of warnings raises instead.
"""

import re

from cupric import _core

__all__ = [
    "watch",
]

_WORDS = re.compile(r"you are shuffling an? '(\w+)' object")


def _is_array_type(name, cls=_core.ndarray):
    return cls.__name__ == name or any(
        _is_array_type(name, below) for below in cls.__subclasses__()
    )


class _Refusal:
    """In the place of a filter's pattern."""

    def match(self, text):
        found = _WORDS.match(text)
        if found and _is_array_type(found[1]):
            raise TypeError(
                "NumPy's shuffle would lose elements of an array of a device, as x[i] "
                "is a view: use cupric.random.shuffle(x), or shuffle(x) of a "
                "cupric.random.Generator"
            )
        return None


def watch():
    """From now on; `len(x)`, with which NumPy begins, sees to it that it stays so."""
    _core._refuse_shuffle(("error", _Refusal(), UserWarning, None, 0))
