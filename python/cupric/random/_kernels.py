"""The kernels of _kernels.cuh, and how they are called."""

import numpy as np

import cupric as cp
from cupric import _core
from cupric._lib import Library

__all__ = [
    "fill",
    "fill_dirichlet",
    "fill_multinomial",
    "fill_order",
]

_library = Library(__file__, "_kernels.cuh", options=("-fmad=false",))

_RUN = 128  # as in _stream.cuh

# From so many elements on, a thread of a GPU takes so many: what parameters make is
# made once for all of them, and the largest GPU still has enough threads.
_EACH = ((1 << 21, 8), (1 << 20, 4), (0, 2))


def _declare(name, stored, *parameters):
    """The kernel of a distribution, whose numbers are of either of two dtypes."""

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

    wide = stored.split()[1]
    return _library.kernel(f"{name}_fill<Y>", ships=wide, example=example)


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
    ships="d",
    example=lambda xp: xp.random.default_rng(1).dirichlet([0.5, 2, 3], 50),
)
_multinomial = _library.kernel(
    "multinomial_fill<Y>",
    ships="l",
    example=lambda xp: xp.random.default_rng(1).multinomial(100, [0.2, 0.3, 0.5], 50),
)
_order = _library.kernel(
    "order_fill<Y>",
    ships="l",
    example=lambda xp: xp.random.default_rng(1).choice(10**8, 50, replace=False),
)


def _spread(x, shape):
    """How a kernel reads an array of float64 that is broadcast to `shape`: element i is
    ``at[i // repeat % period]``. Gives at, a number that is not used, repeat, period.
    """
    own = (1,) * (len(shape) - x.ndim) + x.shape
    axes = [d for d, n in enumerate(own) if n != 1]
    first, end = (axes[0], axes[-1] + 1) if axes else (len(shape), len(shape))
    if own[first:end] != shape[first:end]:  # an axis between is broadcast
        x = cp.broadcast_to(x, shape)
        end = len(shape)
    return _core._contiguous(x), 0.0, _product(shape[end:]), max(x.size, 1)


def _product(shape):
    n = 1
    for m in shape:
        n *= m
    return n


_NUMBER_1 = (None, 1.0, 1, 1)


def _parameter(value, shape):
    if isinstance(value, _core.ndarray):
        return _spread(value.astype(np.float64, copy=False), shape)
    return (None, value, 1, 1)


def fill(name, out, place, parameters):
    """Numbers of a distribution into a contiguous array. Each parameter is a float, or
    an array that broadcasts to it; `place` is (key, counter).
    """
    n = out.size
    if n == 0:
        return
    each = next(each for least, each in _EACH if n >= least)
    wide = np.dtype(np.float64 if out.dtype.kind == "f" else np.int64)
    args = [out, out.dtype != wide, n, *place, each]
    for value in parameters:
        args += _parameter(value, out.shape)
    for _ in range(len(parameters), 3):
        args += _NUMBER_1
    _kernels[name][wide].blocks(-(-n // (_RUN * each)), _RUN, tuple(args))


def fill_dirichlet(out, place, alpha):
    """Rows of a contiguous float64 array; `alpha` is contiguous, of a row's length."""
    k = out.shape[-1]
    rows = out.size // k if k else 0
    if rows:
        _dirichlet[out.dtype].elements(rows, (out, rows, *place, alpha, k))


def fill_multinomial(out, place, n, pvals):
    """Rows of a contiguous int64 array; n is a float or an array of counts, `pvals` an
    array of float64.
    """
    shape, k = out.shape[:-1], out.shape[-1]
    rows = _product(shape) if k else 0
    if not rows:
        return
    if pvals.ndim > 1:
        pvals = cp.broadcast_to(pvals, out.shape)
    pvals = _core._contiguous(pvals)
    args = [out, rows, *place, *_parameter(n, shape)]
    _multinomial[out.dtype].elements(rows, (*args, pvals, pvals.size // k, k))


def fill_order(out, place, population):
    """The first elements of a random order of ``arange(population)``."""
    if out.size:
        _order[out.dtype].elements(out.size, (out, out.size, *place, population))
