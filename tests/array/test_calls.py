"""The calls of calls.txt on arrays of many dtypes, layouts and contents: results, what
the array holds after, exceptions and deprecations are NumPy's."""

import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import cupric as cp

DTYPES = "?bLedF"
LAYOUTS = {  # name: shape of what is made, and the view of it that is taken
    "C": ((3, 4), lambda a: a),
    "F": ((4, 3), lambda a: a.T),
    "strided": ((6, 8), lambda a: a[::2, 1::2]),
    "neg": ((3, 4), lambda a: a[::-1, ::-1]),
    "bcast": ((1, 4), None),
    "0d": ((), lambda a: a),
    "1d": ((7,), lambda a: a),
    "1dneg": ((13,), lambda a: a[::-2]),
    "empty1": ((0,), lambda a: a),
    "empty2": ((0, 3), lambda a: a),
    "empty2b": ((3, 0), lambda a: a),
    "3d": ((2, 3, 4), lambda a: a.swapaxes(0, 2)),
    "1x1": ((1, 3, 1), lambda a: a),
    "one": ((1,), lambda a: a),
}
WITH_SPECIAL = ("C", "F", "neg", "1d", "1dneg", "3d")
# Rounded results: the last digits may differ.
ROUNDED = re.compile(
    "linspace|logspace|geomspace|vander|'mean'|'median'|ramp|cumulative|gradient|trapez|"
    "unwrap|interp|angle|sinc|i0|bartlett|blackman|hamming|hanning|kaiser|arange"
)
# Equal elements are in any order, so that which zero comes first is not said.
ORDERED = re.compile(
    "(sort|unique|partition|union1d|setxor1d|setdiff1d|intersect1d|'maximum'|'minimum')"
    "(?!.*stable)"
)
NUMPY = tuple(map(int, np.__version__.split(".")[:2]))
TOLERANCE = {2: 2e-3, 4: 1e-5, 8: 1e-12, 16: 1e-12}  # by the bytes of a real number


def is_installed(fact):
    """Whether `fact` is of NumPy's versions, and that of the one that is installed."""
    if not fact.startswith("numpy"):
        return False
    version = tuple(map(int, re.findall(r"\d+", fact)))
    is_older = version > NUMPY
    return is_older if "<" in fact else not is_older


def calls():
    for line in Path(__file__).with_name("calls.txt").read_text().splitlines():
        call, _, rest = line.partition("  # but ")
        if call and not call.startswith("#"):
            yield call, rest.partition(":")[0].split()


def contents():
    """Arrays to begin with, each with its dtype, layout and whether it is special."""
    rng = np.random.default_rng(0)
    for t in DTYPES:
        for layout, (shape, view) in LAYOUTS.items():
            low, high = (0, 2) if t == "?" else (0, 9) if t == "L" else (-5, 6)
            a = rng.integers(low, high, shape).astype(t)
            yield {t, layout}, a, view
            if t in "edF" and layout in WITH_SPECIAL:
                a = a + np.array(rng.integers(0, 4, shape) / 4).astype(t)
                a.ravel()[:6] = [np.nan, np.inf, -0.0, -np.inf, np.nan, 0.0]
                yield {t, layout, "special"}, a, view


CONTENTS = list(contents())


def on_host(r):
    if isinstance(r, cp.ndarray):
        return r.get()
    if isinstance(r, tuple | list):
        return [on_host(x) for x in r]
    return np.asarray(r) if isinstance(r, np.generic) else r


def outcome(m, call, base, view):
    a = cp.array(base) if m is cp else base.copy()
    a = m.broadcast_to(a, (3, 4)) if view is None else view(a)
    with warnings.catch_warnings(record=True) as seen, np.errstate(all="ignore"):
        warnings.simplefilter("always")
        try:
            r = eval(call, {"m": m, "a": a, "np": np})
            r = [on_host(r), on_host(a)]
        except Exception as error:
            r = error
    deprecated = any(issubclass(w.category, DeprecationWarning) for w in seen)
    return r, deprecated


def same(got, want, call):
    if isinstance(want, list):
        assert isinstance(got, list)
        assert len(got) == len(want)
        for g, w in zip(got, want, strict=True):
            same(g, w, call)
        return
    if not isinstance(want, np.ndarray):
        assert np.array_equal(got, want, equal_nan=isinstance(want, float))
        return
    got = np.asarray(got)
    assert (got.shape, got.dtype) == (want.shape, want.dtype)
    if ROUNDED.search(call) and want.dtype.kind in "fc":
        limit = TOLERANCE[want.real.dtype.itemsize]
        assert np.allclose(got, want, rtol=limit, atol=limit, equal_nan=True)
        return
    assert np.array_equal(got, want, equal_nan=want.dtype.kind in "fc")
    if want.dtype.kind == "f" and not ORDERED.search(call):
        assert not ((np.signbit(got) != np.signbit(want)) & (want == want)).any()


def is_same(got, want, call):
    try:
        same(got, want, call)
    except AssertionError:
        return False
    return True


def is_kind_of(got, want):
    """NumPy's exceptions of its own, such as UFuncTypeError, by what they are."""
    if isinstance(want, np.exceptions.AxisError):
        return isinstance(got, ValueError | IndexError)
    kinds = [t for t in type(want).__mro__ if t.__module__ == "builtins"]
    return isinstance(got, kinds[0])


@pytest.mark.parametrize(("call", "but"), list(calls()), ids=lambda x: str(x)[:60])
def test_call(call, but):
    if "all" in but or any(map(is_installed, but)):
        pytest.skip("a difference that is meant")
    for facts, base, view in CONTENTS:
        if facts.intersection(but):
            continue
        want, warns = outcome(np, call, base, view)
        got, warned = outcome(cp, call, base, view)
        if isinstance(want, Exception) or isinstance(got, Exception):
            agree = is_kind_of(got, want)
        else:
            agree = warned == warns and is_same(got, want, call)
        # Not made for each of 150 000 arrays: printing takes longer than the calls.
        assert agree, f"{call} of {sorted(facts)}: {got!r}, not {want!r}"
