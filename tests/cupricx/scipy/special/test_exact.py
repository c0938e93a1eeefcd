"""Special functions against exact values: exact/<family>.json, which `python -m
tests.cupricx.scipy.special.exact <family>` writes of exact/<family>.py."""

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy import special

from .exact import EPS, FOLDER, families, load, relative_errors

LINES = [(f, line) for f, m in families().items() for line in m.FUNCTIONS]
# Rows without exact values: it only gets shorter.
LACKING: set[str] = set()
OTHER = {"D": "F", "d": "f"}  # dtypes of the same kind in single precision


@pytest.fixture(scope="module")
def kept():
    return {family: load(family) for family in families()}


def results(line, arguments):
    with np.errstate(all="ignore"):
        found = getattr(special, line.split()[0])(*map(cp.asarray, arguments))
    return [a.get() for a in (found if isinstance(found, tuple) else (found,))]


def worst(errors, arguments, got, want):
    i = int(np.argmax(errors))
    point = ", ".join(repr(a[i].item()) for a in arguments)
    return f"at ({point}): {got[i]!r}, not {want[i]!r}: off by {errors[i]:.3g}"


@pytest.mark.parametrize(("family", "line"), LINES)
def test_float64(kept, family, line):
    exact, values = families()[family].FUNCTIONS[line], kept[family][line]
    found = results(line, values.arguments)
    assert len(found) == len(values.results)
    for k, (got, want) in enumerate(zip(found, values.results, strict=True)):
        assert got.dtype.char in "dD"
        allowed = exact.bound
        if values.condition is not None:
            allowed = np.maximum(allowed, 8 * EPS * values.condition[k])
        errors = relative_errors(got, want) / allowed
        assert errors.max() <= 1, worst(errors, values.arguments, got, want)


def rounds_to_itself(a):
    if a.dtype.kind == "i":
        return np.ones(len(a), bool)
    with np.errstate(over="ignore"):
        return a.astype(OTHER[a.dtype.char]).astype(a.dtype) == a


def unit_of(dtype, want):
    """A unit in the last place of a result, relative to it."""
    real = np.finfo(dtype).dtype
    size = np.clip(np.abs(want), np.finfo(real).tiny, float(np.finfo(real).max) / 2)
    return np.spacing(size.astype(real)).astype("d") / size


def overflowed(got, rounded):
    """Which results are infinite, as those of numbers that are too large have to be. Of
    a complex one that is infinite in one part the other does not count."""
    same = np.ones(got.shape, bool)
    for a, b in ((got.real, rounded.real), (got.imag, rounded.imag)):
        same &= (a == b) | ~np.isinf(b)
    return np.isinf(rounded) & same


@pytest.mark.parametrize(("family", "line"), LINES)
def test_float32(kept, family, line):
    """At the points that float32 has: there the exact value is that of the same
    number."""
    exact, values = families()[family].FUNCTIONS[line], kept[family][line]
    chosen = np.logical_and.reduce([*map(rounds_to_itself, values.arguments)])
    arguments = [
        a[chosen].astype(OTHER.get(a.dtype.char, a.dtype)) for a in values.arguments
    ]
    if not chosen.any():
        pytest.skip("no point of float32")
    pairs = zip(results(line, arguments), values.results, strict=True)
    for k, (got, want) in enumerate(pairs):
        if got.dtype.char not in "fF":
            pytest.skip("such arguments give float64")
        with np.errstate(all="ignore"):
            rounded = want[chosen].astype(got.dtype)
        errors = relative_errors(got, want[chosen])
        errors[overflowed(got, rounded)] = 0
        allowed = np.maximum(
            exact.single * unit_of(got.dtype, want[chosen]), exact.bound
        )
        if values.condition is not None:
            allowed = np.maximum(allowed, 8 * EPS * values.condition[k][chosen])
        assert (errors / allowed).max() <= 1, worst(
            errors, arguments, got, want[chosen]
        )


@pytest.mark.parametrize("family", families())
def test_what_is_kept_is_of_the_functions(kept, family):
    functions = families()[family].FUNCTIONS
    assert set(kept[family]) == set(functions)
    for line, values in kept[family].items():
        assert len(values.arguments) == len(functions[line].grids), line
        assert 20 <= len(values.arguments[0]) <= 200, line
    size = (FOLDER / f"{family}.json").stat().st_size
    assert size <= 60_000 * len(functions)


def test_every_row_has_exact_values():
    rows = {
        name
        for name in special.__all__
        if getattr(f := getattr(special, name), "_family", None) and f.__name__ == name
    }
    known = {line.split()[0] for _, line in LINES}
    assert rows - known == LACKING
    assert all(isinstance(getattr(special, name), cp.ufunc) for name in known)


def test_errors_are_seen():
    want = np.array([1.0, np.inf, 0.0, 1e-310, 3.0])
    got = np.array([1 + 1e-12, np.inf, 0.0, 1e-310, np.nan])
    errors = relative_errors(got, want)
    assert errors[0] == pytest.approx(1e-12, rel=1e-3)
    assert (errors[1:4] <= EPS).all()
    assert errors[4] == np.inf
    assert relative_errors(np.array([1e-300]), np.array([0.0]))[0] > 1
    single = relative_errors(np.array([1 + 2**-20], "f"), want[:1])
    assert single[0] == 2**-20
    large = np.array([np.inf, -np.inf, 1.0, complex(np.inf, -np.inf)], "F")
    rounded = np.array([complex(np.inf, 1e-7), np.inf, 1.0, np.inf * (1 + 1j)], "F")
    assert list(overflowed(large, rounded)) == [True, False, False, False]
