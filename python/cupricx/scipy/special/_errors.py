"""SciPy's handling of errors of special functions, by which nothing happens here."""

import contextvars

__all__ = [
    "SpecialFunctionError",
    "SpecialFunctionWarning",
    "errstate",
    "geterr",
    "seterr",
]

_CATEGORIES = {
    "singular": "ignore",
    "underflow": "ignore",
    "overflow": "ignore",
    "slow": "ignore",
    "loss": "ignore",
    "no_result": "ignore",
    "domain": "ignore",
    "arg": "ignore",
    "other": "ignore",
    "memory": "raise",
}
_ACTIONS = ("ignore", "warn", "raise")
_state = contextvars.ContextVar("special function errors", default=_CATEGORIES)


class SpecialFunctionWarning(Warning):
    """Warning of SciPy's special functions; those of a device emit none."""


class SpecialFunctionError(Exception):
    """Exception of SciPy's special functions; those of a device raise none."""


def geterr():
    """What is to happen on errors of special functions, by category.

    Functions of a device do not stop for an element: a result that does not exist is
    NaN or infinite. What is set is kept, so that programs written for SciPy run.

    Returns
    -------
    dict

    Examples
    --------
    >>> from cupricx.scipy.special import geterr
    >>> geterr()["singular"]
    'ignore'
    """
    return dict(_state.get())


def seterr(**kwargs):
    """Set what is to happen on errors of special functions; no function looks at it.

    Parameters
    ----------
    **kwargs : {'ignore', 'warn', 'raise'}
        By category: ``all``, ``singular``, ``underflow``, ``overflow``, ``slow``,
        ``loss``, ``no_result``, ``domain``, ``arg``, ``other`` or ``memory``.

    Returns
    -------
    dict
        What was set before.

    Examples
    --------
    >>> from cupricx.scipy.special import seterr
    >>> before = seterr(singular="warn")
    >>> seterr(**before)["singular"]
    'warn'
    """
    before = geterr()
    after = dict(before)
    changes = dict(kwargs)
    if "all" in changes:
        action = changes.pop("all")
        changes = {**dict.fromkeys(_CATEGORIES, action), **changes}
    for category, action in changes.items():
        if category not in _CATEGORIES:
            raise ValueError(
                f"{category!r} is no category of errors; they are "
                f"{', '.join(_CATEGORIES)}"
            )
        if action not in _ACTIONS:
            raise ValueError(
                f"{action!r} is no action; give one of {', '.join(_ACTIONS)}"
            )
        after[category] = action
    _state.set(after)
    return before


class errstate:
    """Context in which errors of special functions are handled as given; see `seterr`.

    Parameters
    ----------
    **kwargs : {'ignore', 'warn', 'raise'}
        As those of `seterr`.

    Examples
    --------
    >>> from cupricx.scipy import special
    >>> with special.errstate(all="raise"):
    ...     special.gammaln(0.0)
    array(inf)
    """

    def __init__(self, **kwargs):
        self.kwargs = kwargs

    def __enter__(self):
        self.before = seterr(**self.kwargs)

    def __exit__(self, *exception):
        seterr(**self.before)
