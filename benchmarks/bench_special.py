"""Special functions of 2^24 elements, 10^6 on the host, beside CuPy and PyTorch on a
GPU, those that they have, and SciPy on the host.

The functions are all ufuncs of `cupricx.scipy.special`; their arguments are drawn from
RANGES, or as `ordinary` of tests/cupricx/scipy/special/exact/ has it: what programs
call them with. Others are between 0.1 and 0.9, orders 0 to 4, complex numbers of parts
between these. float64, and float32 where there is such a function.
"""

import contextlib
import importlib
import sys
from pathlib import Path

import numpy as np

from measure import Case, device_kind

sys.path.append(str(Path(__file__).resolve().parents[1]))

BY_NAME = True
SIZES = {"cuda": 1 << 24, "host": 10**6}
QUICK_SIZE = 1000
DRAWN = 1 << 20  # numbers, which are repeated
ORDERS = 5
# By the places of the arguments; of complex numbers, the range of both parts.
RANGES = {
    "betainc betaincc betaincinv betainccinv": [(0.5, 20), (0.5, 20), (0.01, 0.99)],
    "gammainc gammaincc": [(0.5, 30), (0.5, 30)],
    "gammaincinv gammainccinv": [(0.5, 30), (0.01, 0.99)],
    "fdtr fdtrc": [(1, 20), (1, 20), (0.1, 5)],
    "fdtri": [(1, 20), (1, 20), (0.01, 0.99)],
    "gdtr gdtrc": [(0.5, 2), (0.5, 30), (0.5, 30)],
    "bdtr bdtrc": [(0, 20), (20, 40), (0.01, 0.99)],
    "chdtr chdtrc pdtr pdtrc": [(0.5, 30), (0.5, 30)],
    "expn": [(1, 20), (0.1, 20)],
    "exp1 expi loggamma psi rgamma gammaln gamma": [(0.1, 20)],
    "zeta": [(1.1, 20), (0.5, 20)],
    "j0 j1 y0 y1 i0 i1 k0 k1 i0e i1e k0e k1e": [(0.1, 50)],
    "jv jn yv iv kv jve yve ive kve": [(0, 20), (0.1, 50)],
    "yn kn": [(0, 20), (0.1, 50)],
    "erf erfc erfcx erfi dawsn": [(-3, 3)],
    "ndtr log_ndtr": [(-5, 5)],
}
SAME_IN_TORCH = """
erf erfc erfcx expit exp2 i0 i0e i1 i1e log_ndtr logit ndtr ndtri psi digamma entr
erfinv gammainc gammaincc gammaln polygamma xlog1py xlogy zeta
"""
IN_TORCH = {  # torch.special's names
    **{name: name for name in SAME_IN_TORCH.split()},
    **{f"{kind}{order}": f"bessel_{kind}{order}" for kind in "jy" for order in "01"},
    **{f"k{order}": f"modified_bessel_k{order}" for order in "01"},
}


def exact_ranges():
    """{name: ranges} that the families give."""
    found = {}
    with contextlib.suppress(ImportError):  # of mpmath
        exact = importlib.import_module("tests.cupricx.scipy.special.exact")
        for module in exact.families().values():
            for key, line in module.FUNCTIONS.items():
                if line.ordinary:
                    found[key.split()[0]] = line.ordinary
    for names, ranges in RANGES.items():
        found.update(dict.fromkeys(names.split(), ranges))
    return found


def functions():
    import cupric
    from cupricx.scipy import special

    for name in special.__all__:
        f = getattr(special, name)
        if isinstance(f, cupric.ufunc) and f.__name__ == name:
            yield name, f


def signatures(f):
    """The inputs of float64 and of float32, with others as few as can be."""
    inputs = [signature.partition("->")[0] for signature in f.types]
    for letter, others in ("d", "lfFD"), ("f", "ldFD"):
        for letters in reversed(inputs):
            if letter in letters and not set(letters) & set(others) - {"l"}:
                yield letters
                break
    if not any(set(letters) <= set("ldf") for letters in inputs):
        yield inputs[-1]


def drawn(letter, bounds, seed):
    rng = np.random.default_rng(seed)
    low, high = bounds
    if letter == "l":
        return rng.integers(int(low), int(high) + 1, DRAWN)
    x = low + (high - low) * rng.random(DRAWN)
    if letter in "FD":
        x = x + 1j * (low + (high - low) * rng.random(DRAWN))
    return x.astype(letter)


def of(name, letters, ranges, n):
    """`make` of a case."""

    def make(lib):
        function = getattr(lib.special, name)
        arrays = [
            lib.xp.tile(lib.asarray(drawn(*each, seed)), (-(-n // DRAWN),))[:n]
            for seed, each in enumerate(zip(letters, ranges, strict=True))
        ]
        return lambda: function(*arrays)

    return make


def in_torch(name, letters, ranges, n):
    make = of(IN_TORCH[name], letters, ranges, n)

    def with_special(lib):
        lib.special = lib.xp.special
        return make(lib)

    return with_special


def cases(quick):
    n, ranges = QUICK_SIZE if quick else SIZES[device_kind()], exact_ranges()
    for name, f in functions():
        for letters in signatures(f):
            chosen = ranges.get(name, [])
            if len(chosen) != f.nin:
                chosen = [(0, ORDERS - 1) if t == "l" else (0.1, 0.9) for t in letters]
            results = next(t for t in f.types if t.startswith(letters + "->"))
            nbytes = n * sum(np.dtype(t).itemsize for t in results.replace("->", ""))
            text = " and ".join(f"{low:g} to {high:g}" for low, high in chosen)
            size = f"{n:,} {letters}, {text}"
            torch = in_torch(name, letters, chosen, n) if name in IN_TORCH else None
            make = of(name, letters, chosen, n)
            yield Case(f"special.{name}", size, make, nbytes, torch=torch, rounds=3)
