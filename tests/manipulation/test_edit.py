"""Elements taken out and repeated, against NumPy, with indices on both sides."""

import numpy as np
import pytest

import cupric as cp

X = np.arange(60).reshape(5, 12) * 7 % 11
INDICES = [
    *(0, -1, 3, 12, -13, True, 2.0, np.uint64(3)),
    *(slice(2, 4), slice(None, None, 2), slice(8, 2, -3), slice(3, 3)),
    slice(None, None, -1),
    *([], [1, 1, -1], [1.5], [0, 99], list(range(12)), [[1, 2], [3, 4]]),
    [0, 2, 4, 6, 8, 10, 11, 1, 3, -1],
    *(np.array([True, False] * 6), np.array([True]), np.array([3], "u1")),
    *(np.array([], bool), np.array([-13, 2**40])),
]


def same(function, *arguments):
    """Whether a function of the package does what it does of NumPy."""
    results = []
    for xp in (np, cp):
        try:
            r = function(xp, *arguments)
            results.append(r.get() if xp is cp else r)
        except (IndexError, TypeError, ValueError) as error:
            results.append(type(error))
    mine, other = results[1], results[0]
    if isinstance(other, type):
        assert mine is other
    else:
        assert mine.dtype == other.dtype
        np.testing.assert_array_equal(mine, other)


@pytest.mark.parametrize("indices", INDICES, ids=repr)
@pytest.mark.parametrize("axis", [0, 1, None])
def test_delete(indices, axis):
    for a in (X, X[:0], X[:, ::2], X.T):
        same(lambda xp, a: xp.delete(xp.asarray(a), indices, axis), a)
        if isinstance(indices, list | np.ndarray) and np.size(indices):
            same(lambda xp, a: xp.delete(xp.asarray(a), xp.asarray(indices), axis), a)


def test_what_is_deleted_leaves_a_new_array():
    x = cp.arange(5)
    for indices in ([], slice(0, 0), cp.array([False] * 5)):
        cp.delete(x, indices)[...] = 9
    assert x.tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("shape", [0, 1, 5, (2, 3), (7, 4), ()], ids=repr)
def test_resize(shape):
    for a in (X[0, :5], X[:0], X[:, ::2], np.array(3)):
        same(lambda xp, a: xp.resize(xp.asarray(a), shape), a)


def test_resized_memory_is_new():
    for n, shape in ((5, 5), (5, 3), (1, 4), (6, (2, 3))):
        x = cp.arange(n)
        got = cp.resize(x, shape)
        got.ravel()[-1:] = 99
        assert x.tolist() == list(range(n))
        assert got.ravel().tolist().count(99) == 1


def test_resize_to_many_copies():
    """Which are no list of as many arrays."""
    got = cp.resize(cp.arange(3), 3 * 10**6 + 1)
    assert (got[:-1].reshape(-1, 3) == cp.arange(3)).all()
    assert int(got[-1]) == 0


@pytest.mark.parametrize("trim", ["f", "b", "fb"])
def test_trim_zeros(trim):
    for values in ([0, 0, 1, 2, 0], [0, 0], [1], [0], [], [1, 0], [0, 1, 0, 0]):
        for dtype in ("l", "f", "?"):
            a = np.array(values, dtype)
            same(lambda xp, a: xp.trim_zeros(xp.asarray(a), trim), a)
    b = np.zeros((4, 5, 3))
    for _ in range(2):
        for axis in (None, 0, (0, 2), -1):
            same(lambda xp, a, axis: xp.trim_zeros(xp.asarray(a), trim, axis), b, axis)
        b[1:3, 2, 1] = np.nan


@pytest.mark.parametrize("dtype", "bBhHiIlLefdFD")
def test_ediff1d_with_ends(dtype):
    rng = np.random.default_rng(0)
    a = (rng.random((5, 8)) * 90).astype(dtype)
    many = np.resize(a, 10000)
    ends = [0, 7, True, np.int8(3), [1, 2], a[:2, 1:5], a[0, ::-3], a[:0]]
    if dtype in "BHIL":
        ends[:5] = [True, np.uint8(7), [True]]
    wide = (
        "F"
        if dtype in "FD"
        else "f"
        if dtype in "efd"
        else "L"
        if dtype in "BHIL"
        else "l"
    )
    for x in (a, a[:, ::-2], a.T, a[0, :1], a[:0], a[0, 0], many, many[::3]):
        for end in ends:
            given = cp.array(end) if isinstance(end, np.ndarray) else end
            for ours, theirs in [
                ({"to_end": given}, {"to_end": end}),
                ({"to_begin": given}, {"to_begin": end}),
                (
                    {"to_begin": given, "to_end": cp.array(a[3].astype(wide))},
                    {"to_begin": end, "to_end": a[3].astype(wide)},
                ),
            ]:
                here = cp.ediff1d(cp.array(x), **ours)
                there = np.ediff1d(x, **theirs)
                assert (here.dtype, here.shape) == (there.dtype, there.shape)
                np.testing.assert_array_equal(here.get(), there)


def test_ediff1d_with_wrong_ends():
    for xp in (cp, np):
        x = xp.arange(4)
        for wrong in (0.5, 1j, xp.ones(2), 2**70):
            for name in ("to_begin", "to_end"):
                with pytest.raises(TypeError, match=f"dtype of `{name}` must be"):
                    xp.ediff1d(x, **{name: wrong})
        with pytest.raises(TypeError):
            xp.ediff1d(x > 2, to_end=True)
        with pytest.raises(TypeError, match="dtype of `to_end` must be"):
            xp.ediff1d(x.astype("B"), to_end=1)
    assert cp.ediff1d(cp.arange(3, dtype="b"), 300).tolist() == [1, 1, 44]
    assert cp.ediff1d(cp.arange(3, dtype="f"), 1e300).tolist() == [1, 1, np.inf]
