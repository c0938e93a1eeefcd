"""memoize: results kept by arguments, for functions that compile a kernel."""

import functools

from cupric import cuda

__all__ = [
    "clear_memo",
    "memoize",
]

_memos = []  # every function's table


def memoize(for_each_device=False):
    """Decorate a function so that it is called once for each set of arguments.

    Parameters
    ----------
    for_each_device : bool
        Once for each current device, too.

    Returns
    -------
    callable
        The decorator. Arguments must be hashable.

    Examples
    --------
    >>> @cupric.memoize()
    ... def kernel(name):
    ...     print("making", name)
    ...     return cupric.ElementwiseKernel("T x", "T y", "y = 2 * x", name)
    >>> kernel("twice") is kernel("twice")
    making twice
    True
    """

    def decorator(func):
        memo = {}
        _memos.append(memo)

        @functools.wraps(func)
        def inner(*args, **kwargs):
            device = cuda.Device().id if for_each_device else -1
            key = (device, args, frozenset(kwargs.items()))
            if key not in memo:
                memo[key] = func(*args, **kwargs)
            return memo[key]

        return inner

    return decorator


def clear_memo():
    """Forget the results of all functions decorated with `memoize`.

    Examples
    --------
    >>> cupric.clear_memo()
    """
    for memo in _memos:
        memo.clear()
