"""Partial fractions and unique roots against scipy.signal."""

import numpy as np
import pytest

import cupric as cp
import cupricx.scipy.signal as ours

from .comparing import agree, near, same_error

theirs = pytest.importorskip("scipy.signal")

FUNCTIONS = [
    ([5, 3, -2, 7], [-4, 0, 8, 3]),
    ([1], [1, 2, 1]),
    ([1, 2, 3, 4], [1, 2]),
    ([0, 1, 2], [1, 2, 3]),
    ([0, 0], [1, 2, 3]),
    ([], [1, 2, 3]),
    ([1], [2]),
    ([1, 2], [2]),
    (1, 2),
    ([1j, 2], [2, 1]),
    ([1, 2], [1, 3, 2]),
    ([1, 2, 1], [1, 0, 0, 0.5]),
    ([1, 2, 1], [1, 0, 0]),
    ([1, 2, 3, 4, 5, 6], np.poly([0.5, 0.5, 0.5, -0.2, -0.2, 0.9]).tolist()),
    ([1, 2, 3, 4], [1, -3, 3, -1]),
    ([1, 2, 3], np.poly([0.5 + 0.5j, 0.5 - 0.5j] * 2).tolist()),
]


def in_one_order(fractions):
    """Conjugates are as large as each other: which is first is a matter of sorting."""
    r, p, k = fractions
    on_the_host = p.get() if isinstance(p, cp.ndarray) else p
    order = np.lexsort((on_the_host.imag.round(6), on_the_host.real.round(6)))
    return r[order], p[order], k


@pytest.mark.parametrize(("b", "a"), FUNCTIONS)
@pytest.mark.parametrize("name", ["residue", "residuez"])
def test_residues(name, b, a):
    expected = in_one_order(getattr(theirs, name)(b, a))
    agree(in_one_order(getattr(ours, name)(b, a)), expected, 1e-7)
    made = getattr(ours, name)(cp.array(b), cp.array(a))
    agree(in_one_order(made), expected, 1e-7)


def test_leading_zeros():
    agree(ours.residue([1, 2], [0, 0, 2, 1]), theirs.residue([1, 2], [0, 0, 2, 1]))
    b, a = [1, 2], [1, 2, 0, 0]
    agree(ours.residuez(b, a), theirs.residuez(b, a))


@pytest.mark.parametrize("rtype", ["avg", "mean", "min", "minimum", "max", "maximum"])
@pytest.mark.parametrize("tol", [1e-3, 0.2])
def test_what_stands_for_poles_that_are_the_same(rtype, tol):
    b, a = [1.0, 2], np.poly([0.5, 0.5003, 0.6])
    for name in ("residue", "residuez"):
        made = getattr(ours, name)(b, a, tol, rtype)
        agree(made, getattr(theirs, name)(b, a, tol, rtype), 1e-6)


@pytest.mark.parametrize("name", ["residue", "residuez"])
@pytest.mark.parametrize("seed", range(8))
def test_there_and_back(name, seed):
    """Fractions add up to the function, of poles that are there up to three times."""
    rng = np.random.default_rng(seed)
    poles = rng.uniform(-1, 1, 3) + 0.2 * np.arange(3)
    pair = 0.5 * np.exp(1j * rng.uniform(0.5, 2.5))
    a = np.poly([*poles, poles[0], poles[0], pair, pair.conjugate()]).real
    b = rng.standard_normal(rng.integers(1, 12))
    r, p, k = getattr(ours, name)(cp.array(b), cp.array(a), tol=1e-2)
    num, den = getattr(ours, f"inv{name.replace('idue', '')}")(r, p, k, tol=1e-2)
    x = np.exp(1j * np.linspace(0.1, 3, 9)) * 2
    if name == "residuez":
        made = np.polyval(num.get()[::-1], 1 / x) / np.polyval(den.get()[::-1], 1 / x)
        expected = np.polyval(b[::-1], 1 / x) / np.polyval(a[::-1], 1 / x)
    else:
        made = np.polyval(num.get(), x) / np.polyval(den.get(), x)
        expected = np.polyval(b, x) / np.polyval(a, x)
    near(made, expected, 1e-4)


@pytest.mark.parametrize(
    ("b", "a", "kwargs"),
    [
        *(([1], [], {}), ([1], [0, 0], {}), ([1, 2], [1, 2, 1], {"rtype": "foo"})),
        ([[1, 2]], [1, 2, 1], {}),
    ],
)
def test_refusals(b, a, kwargs):
    for name in ("residue", "residuez"):
        assert same_error(getattr(ours, name), getattr(theirs, name), b, a, **kwargs)
    if kwargs == {}:
        assert same_error(ours.residuez, theirs.residuez, [1, 2], [0, 2, 1])


FRACTIONS = [
    ([1, 2], [3, 4], []),
    ([1, 2], [3, 3], [1, 2]),
    ([1], [0.3], [1, 2, 3]),
    ([1j, -1j], [1j, -1j], []),
    ([0, 0], [1, 2], []),
    ([0, 0], [1, 2], [0, 1]),
    ([0, 0], [1, 2], [0, 1, 0]),
    ([0, 0], [1, 2], [0, 0]),
    ([1, -1], [1, 2], []),
    ([1, 2, 3], [1, 1, 2], []),
    ([1, 2], [0, 0.5], []),
    ([1, 2, 3, 4], [0.5, 0.5, 0.5, -0.2], [1, 2]),
]


@pytest.mark.parametrize(("r", "p", "k"), FRACTIONS)
@pytest.mark.parametrize("name", ["invres", "invresz"])
def test_inverses(name, r, p, k):
    expected = getattr(theirs, name)(r, p, k)
    agree(getattr(ours, name)(r, p, k), expected)
    agree(getattr(ours, name)(*map(cp.array, (r, p, k))), expected)


@pytest.mark.parametrize("name", ["invres", "invresz"])
def test_inverses_without_poles(name):
    b, a = getattr(ours, name)([], [], [1.0, 2])
    assert b.get().tolist() == [1, 2]
    assert a.get().tolist() == [1]


def test_what_stands_for_poles_in_inverses():
    """As SciPy's documentation says; SciPy takes the first."""
    for rtype, pole in (("min", 3.0), ("max", 3.0002), ("avg", 3.0001)):
        made = ours.invres([1, 2], [3, 3.0002], [], rtype=rtype)
        agree(made, theirs.invres([1, 2], [pole, pole], []))
    apart = ([1, 2], [3, 3.0002], [], 1e-5)
    agree(ours.invres(*apart), theirs.invres(*apart))


def test_residues_go_with_their_poles():
    """Also where poles that are the same are not neighbours."""
    b, a = ours.invres([1, 2, 3], [1, 5, 1], [])
    agree((b, a), theirs.invres([1, 3, 2], [1, 1, 5], []))


@pytest.mark.parametrize("name", ["invres", "invresz"])
def test_inverses_refuse(name):
    args = ([1, 2], [3, 4], [])
    assert same_error(getattr(ours, name), getattr(theirs, name), *args, rtype="foo")
    with pytest.raises(ValueError, match="2 residues and 1 poles"):
        getattr(ours, name)([1, 2], [3], [])


# ---- unique roots --------------------------------------------------------------------


@pytest.mark.parametrize("rtype", ["avg", "mean", "min", "minimum", "max", "maximum"])
@pytest.mark.parametrize(
    "p",
    [
        *([1, 1.0001, 2], [1j, 1j + 1e-4, 1], [1, 1.0009, 1.0018], [3.0, 1, 2, 1]),
        *([1.0009, 1, 1.0018], [3, 1, 2, 1], np.array([3, 1, 3.0005], np.float32)),
    ],
)
def test_unique_roots(p, rtype):
    agree(ours.unique_roots(p, rtype=rtype), theirs.unique_roots(p, rtype=rtype))
    made = ours.unique_roots(cp.array(p), 0.5, rtype)
    agree(made, theirs.unique_roots(p, 0.5, rtype))


def test_unique_roots_of_none():
    unique, multiplicity = ours.unique_roots([])
    assert unique.shape == multiplicity.shape == (0,)


@pytest.mark.parametrize(
    ("p", "rtype"), [([1, 2], "foo"), ([[1, 2], [1, 2]], "min"), ([1, np.nan], "min")]
)
def test_unique_roots_refuses(p, rtype):
    assert same_error(ours.unique_roots, theirs.unique_roots, p, rtype=rtype)
