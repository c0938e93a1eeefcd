"""What a failed factorisation does: raise, or leave NaNs."""

import contextvars

import numpy as np

from cupric import _core

__all__ = [
    "errstate",
    "geterr",
    "raises",
    "run",
    "seterr",
]

_linalg = contextvars.ContextVar("linalg", default="raise")


def geterr():
    """How errors of linear algebra are handled.

    Returns
    -------
    dict of str
        "linalg": what `seterr` was given, "raise" to begin with. The others are always
        "ignore".

    Examples
    --------
    >>> import cupricx
    >>> cupricx.geterr()["linalg"]
    'raise'
    """
    ignored = dict.fromkeys(("divide", "over", "under", "invalid"), "ignore")
    return {**ignored, "linalg": _linalg.get()}


def raises():
    """Whether what fails for a matrix raises an error."""
    return _linalg.get() == "raise"


def seterr(*, divide=None, over=None, under=None, invalid=None, linalg=None):
    """Set how errors of linear algebra are handled, in this thread or task.

    Parameters
    ----------
    divide, over, under, invalid : {'ignore'}, optional
        Devices do not tell: nothing else can be asked for.
    linalg : {'raise', 'ignore'}, optional
        What becomes of singular matrices and of factorisations that fail: a
        `numpy.linalg.LinAlgError`, or a result of NaNs for each such matrix of a stack.

    Returns
    -------
    dict of str
        What was set before.

    Raises
    ------
    NotImplementedError
        Divisions by zero and their like cannot be reported.

    Examples
    --------
    >>> import cupricx
    >>> before = cupricx.seterr(linalg="ignore")
    >>> bool(cp.isnan(cp.linalg.inv(cp.zeros((1, 1)))[0, 0]))
    True
    >>> _ = cupricx.seterr(**before)
    """
    floats = {"divide": divide, "over": over, "under": under, "invalid": invalid}
    for name, what in floats.items():
        if what not in (None, "ignore"):
            raise NotImplementedError(
                f"{name}={what!r}: what happens in a device's arithmetic is not "
                "reported; look for the values, as with cupric.isfinite"
            )
    if linalg not in (None, "raise", "ignore"):
        raise NotImplementedError(f"linalg must be 'raise' or 'ignore', not {linalg!r}")
    before = geterr()
    if linalg is not None:
        _linalg.set(linalg)
    return before


class errstate:
    """`seterr` for a `with` block.

    Parameters
    ----------
    divide, over, under, invalid : {'ignore'}, optional
        Devices do not tell: nothing else can be asked for.
    linalg : {'raise', 'ignore'}, optional
        What becomes of singular matrices and of factorisations that fail in the block.

    Examples
    --------
    >>> import cupricx
    >>> with cupricx.errstate(linalg="ignore"):
    ...     cp.linalg.inv(cp.zeros((2, 2)))
    array([[nan, nan],
           [nan, nan]])
    """

    def __init__(
        self, *, divide=None, over=None, under=None, invalid=None, linalg=None
    ):
        self._wanted = {
            "divide": divide,
            "over": over,
            "under": under,
            "invalid": invalid,
            "linalg": linalg,
        }

    def __enter__(self):
        self._before = seterr(**self._wanted)

    def __exit__(self, *_):
        seterr(**self._before)


def run(kind, flag, *arrays):
    """`_core._linalg`, and what is set for matrices that it fails for."""
    try:
        return _core._linalg(kind, flag, *arrays)
    except np.linalg.LinAlgError:
        if raises():
            raise
    return _run_each(kind, flag, arrays)


def _run_each(kind, flag, arrays):
    """The results for each matrix of a stack by itself."""
    batch = arrays[0].shape[:-2]
    stacks = [a.reshape(-1, *a.shape[-2:]) for a in arrays]
    m, n = arrays[0].shape[-2:]
    with arrays[0].device:
        harmless = _core.array(np.eye(m, n, dtype=arrays[0].dtype))
        shapes = _core._linalg(kind, flag, harmless, *(s[0] for s in stacks[1:]))
        results = [_core.empty((len(stacks[0]), *r.shape), r.dtype) for r in shapes]
        for i in range(len(stacks[0])):
            try:
                made = _core._linalg(kind, flag, *(s[i] for s in stacks))
            except np.linalg.LinAlgError:
                made = [np.nan] * len(results)
            for r, value in zip(results, made, strict=True):
                r[i] = value
    return tuple(r.reshape(*batch, *r.shape[1:]) for r in results)
