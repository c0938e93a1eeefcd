"""The kernels of _kernels.cuh, and how they are called."""

import functools
import math

import numpy as np

from cupric import _core
from cupric._lib.kernels._library import Library

__all__ = [
    "fill",
    "fill_dirichlet",
    "fill_multinomial",
    "fill_order",
]

_library = Library(__file__, options=("-fmad=false",))
_enum, _struct = _library.enum, _library.struct
_plan, _RUN = _struct.fill_plan, _enum.RUN  # found once: a small call takes 5 us

# Below so many elements a thread of a GPU takes so many, else MOST_EACH: what
# parameters make is made once for all of them, and the largest GPU still has enough
# threads.
_EACH = ((1 << 20, 2), (1 << 21, 4))
_FLOAT, _INT = np.dtype(np.float64), np.dtype(np.int64)


def _declare(name, stored, *parameters):
    """The kernel of a distribution, whose numbers are of either of two dtypes, and the
    distribution's number."""
    number = getattr(_enum, f"DISTRIBUTION_{name.upper()}")

    def example(xp):
        rng = xp.random.default_rng(1)
        draw = getattr(rng, name)
        given = [parameters]
        if parameters:
            last = xp.full((3, 1), float(parameters[-1]))
            given.append((*parameters[:-1], last))
        return [
            draw(*values, size=(3, 100), dtype=letter)
            for letter in stored.split()
            for values in given
        ]

    kernel = _library.kernel(
        "distribution_fill<Y, D>",
        blocks=True,
        threads="RUN",
        ships=f"{stored.split()[1]}({number})",
        example=example,
    )
    return kernel, number


_kernels = {
    "beta": _declare("beta", "f d", 0.5, 3),
    "binomial": _declare("binomial", "i l", 100, 0.3),
    "chisquare": _declare("chisquare", "f d", 3),
    "f": _declare("f", "f d", 3, 5),
    "gamma": _declare("gamma", "f d", 2, 3),
    "geometric": _declare("geometric", "i l", 0.1),
    "hypergeometric": _declare("hypergeometric", "i l", 100, 200, 50),
    "logseries": _declare("logseries", "i l", 0.9),
    "negative_binomial": _declare("negative_binomial", "i l", 5, 0.3),
    "noncentral_chisquare": _declare("noncentral_chisquare", "f d", 3, 2),
    "noncentral_f": _declare("noncentral_f", "f d", 3, 5, 2),
    "poisson": _declare("poisson", "i l", 20),
    "standard_t": _declare("standard_t", "f d", 5),
    "vonmises": _declare("vonmises", "f d", 1, 2),
    "wald": _declare("wald", "f d", 1, 2),
    "zipf": _declare("zipf", "i l", 2.5),
    "gumbel": _declare("gumbel", "f d", 0, 1),
    "laplace": _declare("laplace", "f d", 0, 1),
    "logistic": _declare("logistic", "f d", 0, 1),
    "lognormal": _declare("lognormal", "f d", 0, 1),
    "pareto": _declare("pareto", "f d", 3),
    "power": _declare("power", "f d", 2),
    "rayleigh": _declare("rayleigh", "f d", 1),
    "standard_cauchy": _declare("standard_cauchy", "f d"),
    "triangular": _declare("triangular", "f d", 0, 1, 3),
    "weibull": _declare("weibull", "f d", 2),
}
_dirichlet = _library.kernel(
    "dirichlet_fill<Y>",
    elements="rows",
    ships="d",
    example=lambda xp: xp.random.default_rng(1).dirichlet([0.5, 2, 3], 50),
)
_multinomial = _library.kernel(
    "multinomial_fill<Y>",
    elements="m.rows",
    ships="l",
    example=lambda xp: xp.random.default_rng(1).multinomial(100, [0.2, 0.3, 0.5], 50),
)
_order = _library.kernel(
    "order_fill<Y>",
    elements="n",
    ships="l",
    example=lambda xp: xp.random.default_rng(1).choice(10**8, 50, replace=False),
)


def _read(value, shape):
    """How a kernel reads a parameter: an array, or None, a number, and what element i
    of an array is that is broadcast to `shape`: ``at[i // repeat % period]``. Gives at,
    the number, repeat, period.
    """
    if not isinstance(value, _core.ndarray):
        return None, value, 1, 1
    x = value.astype(np.float64, copy=False)
    own = (1,) * (len(shape) - x.ndim) + x.shape
    axes = [d for d, n in enumerate(own) if n != 1]
    first, end = (axes[0], axes[-1] + 1) if axes else (len(shape), len(shape))
    if own[first:end] != shape[first:end]:  # an axis between is broadcast
        x = _core.broadcast_to(x, shape)
        end = len(shape)
    return _core._contiguous(x), 0.0, math.prod(shape[end:]), max(x.size, 1)


@functools.lru_cache(256)
def _spread(*repeat_and_period):
    """What `_read` gives of three parameters."""
    return _struct.fill_spread(
        repeat=repeat_and_period[:3], period=repeat_and_period[3:]
    )


def _each(n):
    """How many of n elements a thread takes."""
    for most, each in _EACH:
        if n < most:
            return each
    return _enum.MOST_EACH


def fill(name, out, place, parameters):
    """Numbers of a distribution into a contiguous array. Each parameter is a float, or
    an array that broadcasts to it; `place` is (key, counter).
    """
    n = out.size
    if n == 0:
        return
    arrays, numbers, repeat, period = [None] * 3, [1.0] * 3, [1] * 3, [1] * 3
    for k, value in enumerate(parameters):
        if isinstance(value, float):
            numbers[k] = value
        else:
            arrays[k], numbers[k], repeat[k], period[k] = _read(value, out.shape)
    (key, counter), (a, b, c), each = place, numbers, _each(n)
    dtype = out.dtype
    wide = _FLOAT if dtype.kind == "f" else _INT
    narrow = dtype != wide
    p = _plan(key=key, counter=counter, n=n, a=a, b=b, c=c, each=each, narrow=narrow)
    a, b, c = arrays
    s = _spread(*repeat, *period)
    work = -(-n // (_RUN * each))
    kernel, number = _kernels[name]
    kernel[wide, number](out=out, a=a, b=b, c=c, p=p, s=s, work=work)


def fill_dirichlet(out, place, alpha):
    """Rows of a contiguous float64 array; `alpha` is contiguous, of a row's length."""
    k = out.shape[-1]
    rows = out.size // k if k else 0
    if rows:
        key, counter = place
        _dirichlet[out.dtype](
            out=out, rows=rows, key=key, counter=counter, alpha=alpha, k=k
        )


def fill_multinomial(out, place, n, pvals):
    """Rows of a contiguous int64 array; n is a float or an array of counts, `pvals` an
    array of float64.
    """
    shape, k = out.shape[:-1], out.shape[-1]
    rows = math.prod(shape) if k else 0
    if not rows:
        return
    if pvals.ndim > 1:
        pvals = _core.broadcast_to(pvals, out.shape)
    pvals = _core._contiguous(pvals)
    key, counter = place
    counts, number, repeat, period = _read(n, shape)
    m = _struct.multinomial_plan(
        key=key,
        counter=counter,
        rows=rows,
        k=k,
        n=number,
        n_repeat=repeat,
        n_period=period,
        p_rows=pvals.size // k,
    )
    _multinomial[out.dtype](out=out, n=counts, p=pvals, m=m)


def fill_order(out, place, population):
    """The first elements of a random order of ``arange(population)``."""
    if out.size:
        key, counter = place
        _order[out.dtype](
            out=out, n=out.size, key=key, counter=counter, population=population
        )
