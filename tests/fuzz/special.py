"""Lines for the ufuncs of cupricx.scipy.special, by what they are: of how many
arguments, of which dtypes, how exact; and what is expected of them: SciPy's values, but
where mpmath finds those wrong, or cannot tell
(tests/cupricx/scipy/special/operands.py).
"""

import sys
import time
from pathlib import Path

import numpy as np
import scipy.special

import cupric
from cupricx.scipy import special

sys.path.append(str(Path(__file__).resolve().parents[2]))
from tests.cupricx.scipy.special import exact, operands

# By the dtype of the function's last signature: of the first argument, of those beside.
WORDS = {
    "d": ("xfd", "yfd"),
    "l": ("whole", "wholes"),
    "D": ("xc", "yc"),
}
# Of the others SciPy takes minutes for some arguments, or is wrong for many.
FAMILIES = {"special", "gamma", "beta", "errors", "integrals", "convenience", "bessel"}
FAMILIES |= {"elliptic"}
SECONDS = 0.3  # that mpmath may take for a call; what it is asked no more is ours
LEAST = 8192  # units in the last place: as `far_apart` has it


def lines(listed):
    """For the ufuncs of FAMILIES that have none in `listed`."""
    for name in sorted(special.__all__):
        f = getattr(special, name)
        if not has_line(name) or f"special.{name}(" in listed:
            continue
        given = ", ".join(f"{{{k}}}" for k in range(f.nin))
        for letters in _signatures(f):
            words = [WORDS[letter][k > 0] for k, letter in enumerate(letters)]
            yield (
                f"special.{name}({', '.join(words)})  special {_units(name)}"
                f"  np: expected_of({name!r}, {given})\n"
            )


def has_line(name):
    """Not what is no ufunc, and NumPy's ufuncs."""
    return getattr(getattr(special, name), "_family", None) in FAMILIES


def _signatures(f):
    """The last of real inputs, and the last of complex ones, in double precision."""
    inputs = [signature.partition("->")[0] for signature in f.types]
    inputs = [letters for letters in inputs if set(letters) <= set(WORDS)]
    real = [letters for letters in inputs if "D" not in letters]
    return [found[-1] for found in (real, inputs) if found][: 1 + (real != inputs)]


def _units(name):
    """What float64 may be off by, where a family says that it is more than usual."""
    row = getattr(special, name).__name__
    bounds = [
        line.bound
        for family in exact.families().values()
        for key, line in family.FUNCTIONS.items()
        if key.split()[0] == row
    ]
    return int(max([LEAST, *(bound / exact.EPS for bound in bounds)]))


def expected_of(name, *arguments):
    """SciPy's results, with ours where those are wrong or may be."""
    name = getattr(special, name).__name__
    theirs = operands.as_tuple(getattr(scipy.special, name)(*arguments))
    try:
        ours = [
            a.get()
            for a in operands.as_tuple(getattr(special, name)(*map(_ours, arguments)))
        ]
    except TypeError:  # which the program gets, too
        return theirs if len(theirs) > 1 else theirs[0]
    found = tuple(
        _decided(name, arguments, k, *pair)
        for k, pair in enumerate(zip(theirs, ours, strict=True))
    )
    return found if len(found) > 1 else found[0]


def _ours(x):
    return cupric.asarray(x) if isinstance(x, np.ndarray) else x


def _decided(name, arguments, k, theirs, ours):
    if theirs.dtype != ours.dtype or theirs.shape != ours.shape:
        return theirs
    apart = operands.far_apart(ours, theirs, 4096 if ours.dtype.char in "dD" else 4, 0)
    if not np.any(apart):
        return theirs
    result = np.array(theirs)
    given = np.broadcast_arrays(*arguments)
    exactly = list(operands.lines_of(name, [a.dtype.kind for a in given]))
    end = time.monotonic() + SECONDS
    for place in np.argwhere(apart):
        at = tuple(place)
        point = [a[at] for a in given]
        left = end - time.monotonic()
        asked = exactly if left > 0 else []
        verdicts = [
            operands.is_right(e, point, ours[at], k, max(left, 1e-3)) for e in asked
        ]
        if False not in verdicts or True in verdicts:
            result[at] = ours[at]
    return result if result.ndim else result[()]
