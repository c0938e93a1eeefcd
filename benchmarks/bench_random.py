"""Draws of every distribution, 10^7 of them and 10^4, beside CuPy on a GPU, beside
NumPy on the host.

A row's parameters choose the algorithm (small shapes and counts are drawn by others
than large ones), so several distributions have two rows. Floats are float64. `share`
counts what has to cross the memory bus: the result, written once.
"""

import numpy as np

from measure import Case, device_kind

BY_NAME = True
SIZES = {"cuda": (10**7, 10**4), "host": (10**6, 10**4)}
QUICK_SIZES = (1000,)
WIDTH = 4  # of a draw of a distribution over vectors

CALLS = (
    "random", "standard_normal", "standard_exponential", "standard_cauchy",
    "uniform -1, 1", "normal 1, 2", "exponential 2", "lognormal 0, 1", "laplace 0, 1",
    "logistic 0, 1", "gumbel 0, 1", "rayleigh 1", "pareto 3", "weibull 2", "power 2",
    "triangular 0, 1, 3", "randint 0, 100",
    "standard_gamma 0.5", "standard_gamma 3", "gamma 3, 2", "beta 0.5, 0.5",
    "beta 2, 3", "chisquare 1", "chisquare 5", "noncentral_chisquare 3, 2", "f 4, 7",
    "noncentral_f 4, 7, 1", "standard_t 5", "vonmises 0, 2", "wald 1, 2",
    "binomial 10, 0.3", "binomial 1000, 0.4", "negative_binomial 5, 0.4",
    "geometric 0.1", "hypergeometric 20, 30, 15", "logseries 0.6", "poisson 3",
    "poisson 100", "zipf 2",
)  # fmt: skip
VECTORS = {
    "dirichlet": ([0.5, 1.0, 2.0, 4.0],),
    "multinomial": (20, [0.1, 0.2, 0.3, 0.4]),
    "multivariate_normal": (np.zeros(WIDTH), np.eye(WIDTH) + 0.5),
}
# NumPy's functions of its own generator; what CuPy and we take for a dtype besides.
PEERS = ("cupric", "numpy", "cupy")


def of(name, arguments, size):
    """`make` of a case: the call of ``random.name(*arguments, size)``."""

    def make(lib):
        function = getattr(lib.xp.random, name)
        if name == "random":
            return lambda: function(size)
        return lambda: function(*arguments, size=size)

    return make


def cases(quick):
    for n in QUICK_SIZES if quick else SIZES[device_kind()]:
        size = f"{n:.0e}".replace("e+0", "e")
        for call in CALLS:
            name, _, rest = call.partition(" ")
            arguments = [float(v) if "." in v else int(v) for v in rest.split(",") if v]
            what = f"random.{name}({rest})"
            make = of(name, arguments, n)
            yield Case(what, size, make, 8 * n, rounds=7, peers=PEERS)
        for name, arguments in VECTORS.items():
            make = of(name, arguments, n // WIDTH)
            what = f"random.{name}, {WIDTH} wide"
            yield Case(what, size, make, 8 * n, rounds=7, peers=PEERS)
