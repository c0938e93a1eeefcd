"""Calls that NumPy or CuPy warn of, with what they say and where."""

import warnings

import numpy as np
import pytest

import cupric as cp

# x is the module, a a matrix of two rows. Those of NumPy 2 are compared with it.
AS_NUMPY = {
    "row_stack": (lambda x, a: x.row_stack([a, a]), "`row_stack` alias is deprecated"),
    "cross": (
        lambda x, a: x.cross(a[:, :2], a),
        "2-dimensional vectors are deprecated",
    ),
    "cross of both": (
        lambda x, a: x.cross(a[:, :2], a[:, 1:]),
        "2-dimensional vectors",
    ),
    "lengths, no axes": (lambda x, a: x.fft.fftn(a, (2, 2), None), "`axes`"),
    "length of None": (lambda x, a: x.fft.fftn(a, (2, None), (0, 1)), "`s`"),
}
AS_CUPY = {
    "alltrue": (lambda a: cp.alltrue(a, 0), "`all` instead", cp.all),
    "sometrue": (lambda a: cp.sometrue(a, 0), "`any` instead", cp.any),
}


def warned(call):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        made = call()
    return made, [w for w in seen if w.category is DeprecationWarning]


@pytest.mark.parametrize("name", AS_NUMPY)
def test_as_numpy(name):
    call, words = AS_NUMPY[name]
    n = np.arange(6.0).reshape(2, 3)
    got, here = warned(lambda: call(cp, cp.asarray(n)))
    assert len(here) == 1
    try:
        want, there = warned(lambda: call(np, n))
    except (AttributeError, ValueError):
        assert np.lib.NumpyVersion(np.__version__) >= "2.5.0"  # which ended it
        there = []
    else:
        np.testing.assert_allclose(got.get(), want)
    for w in (*here, *there):
        assert words in str(w.message)
    assert here[0].filename == __file__


@pytest.mark.parametrize("name", AS_CUPY)
def test_as_cupy(name):
    call, words, instead = AS_CUPY[name]
    a = cp.arange(6).reshape(2, 3)
    got, (w,) = warned(lambda: call(a))
    assert got.tolist() == instead(a, 0).tolist()
    assert words in str(w.message)
    assert w.filename == __file__


@pytest.mark.parametrize("given", [{"bias": True}, {"ddof": 1}])
def test_corrcoef(given):
    a = cp.arange(6.0).reshape(2, 3) ** 2
    got, (w,) = warned(lambda: cp.corrcoef(a, **given))
    assert got.tolist() == cp.corrcoef(a).tolist()
    assert "no effect" in str(w.message)
    assert w.filename == __file__
    assert warned(lambda: cp.corrcoef(a))[1] == []
