"""Stacks of 10^5 small matrices: numpy.linalg's factorisations, beside CuPy and PyTorch
on a GPU, beside NumPy on the host.

`share` counts what has to cross the memory bus: the matrices read and the results
written, once each.
"""

import importlib

import numpy as np

from measure import Case, device_kind

BY_NAME = True
STACK = {"cuda": 10**5, "host": 10**3}
QUICK_STACK = 100
DRAWN = 1000
SIZES = (2, 4, 8, 16, 32)
DTYPES = (np.float32, np.float64)

# How many matrices are written for each that is read, without vectors; and the kind of
# matrix: "any" ones, "positive" definite or "symmetric" ones.
CALLS = {
    "solve": ("any", 0),
    "inv": ("any", 1),
    "det": ("any", 0),
    "slogdet": ("any", 0),
    "cholesky": ("positive", 1),
    "qr": ("any", 2),
    "eigh": ("symmetric", 1),
    "eigvalsh": ("symmetric", 0),
    "svd": ("any", 2),
    "svdvals": ("any", 0),
    "pinv": ("any", 1),
    "matrix_power": ("any", 1),
}
RAISING = ("solve", "inv", "cholesky")


def matrices(kind, stack, n, dtype):
    """A stack in which every DRAWN-th matrix is the same, as drawing them all takes
    longer than what is measured."""
    a = np.random.default_rng(0).standard_normal((min(stack, DRAWN), n, n))
    if kind != "any":
        a = a + a.swapaxes(1, 2)
    if kind == "positive":
        a += 8 * n * np.eye(n)
    return np.tile(a.astype(dtype), (-(-stack // DRAWN), 1, 1))[:stack]


SETTINGS = {"cupric": "cupricx", "cupy": "cupyx"}


def set_errors(lib, what):
    """What becomes of a singular matrix, from here on, where that can be chosen."""
    if lib.name in SETTINGS:
        importlib.import_module(SETTINGS[lib.name]).seterr(linalg=what)


def of(name, kind, stack, n, dtype):
    """`make` of a case: the call of ``linalg.name``, which raises LinAlgError: CuPy,
    too, then looks at what its libraries report."""

    def make(lib):
        set_errors(lib, "raise")
        a = lib.asarray(matrices(kind, stack, n, dtype))
        if name.startswith("solve"):
            b = lib.asarray(matrices("any", stack, n, dtype)[:, :, :1])
            solve = getattr(lib.xp.linalg, name)
            return lambda: solve(a, b)
        if name == "matrix_power":
            return lambda: lib.xp.linalg.matrix_power(a, 3)
        if name == "svdvals" and lib.name != "torch":
            return lambda: lib.xp.linalg.svd(a, compute_uv=False)
        function = getattr(lib.xp.linalg, name)
        return lambda: function(a)

    return make


def unchecked(name, kind, stack, n, dtype):
    """The same where no singular matrix is to be raised, as is CuPy's default: the host
    does not wait for the device."""

    def make(lib):
        function = f"{name}_ex" if lib.name == "torch" else name
        call = of(function, kind, stack, n, dtype)(lib)
        set_errors(lib, "ignore")
        return call

    return make


def cases(quick):
    stack = QUICK_STACK if quick else STACK[device_kind()]
    for name, (kind, written) in CALLS.items():
        for dtype in DTYPES:
            for n in SIZES:
                make = of(name, kind, stack, n, dtype)
                size = f"{stack} x {n} x {n} {np.dtype(dtype).name}"
                nbytes = stack * n * n * np.dtype(dtype).itemsize * (1 + written)
                yield Case(f"linalg.{name}", size, make, nbytes, torch=make, rounds=5)
                if name in RAISING and device_kind() == "cuda":
                    make = unchecked(name, kind, stack, n, dtype)
                    what = f"linalg.{name}, errors ignored"
                    yield Case(what, size, make, nbytes, torch=make, rounds=5)
