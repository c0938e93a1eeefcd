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


def test_names_that_numpy_removed():
    """Each is what it was, and warns where it is asked for."""
    from cupric._deprecated import ALIASES

    for name, (meant, instead) in ALIASES.items():
        assert name not in cp.__all__
        got, (w,) = warned(lambda name=name: getattr(cp, name))
        assert got is meant
        assert f"`cupric.{name}`" in str(w.message)
        assert str(w.message).endswith(f"use {instead}")
        assert w.filename == __file__
        word, _, rest = instead.partition(".")
        if word == "cupric" and rest.isidentifier():
            assert hasattr(cp, rest)
    assert (cp.float_, cp.singlecomplex) == (np.float64, np.complex64)
    assert (cp.NINF, str(cp.NZERO), str(cp.PZERO)) == (-np.inf, "-0.0", "0.0")


def test_names_that_only_raise():
    for name in ("disp", "find_common_type", "get_array_wrap", "safe_eval"):
        with pytest.raises(AttributeError, match=f"`cupric.{name}` was removed.*: use"):
            getattr(cp, name)
    with pytest.raises(AttributeError, match="'cupric' has no attribute 'no_such'"):
        _ = cp.no_such
    with pytest.raises(ImportError):
        from cupric import no_such_name  # noqa: F401


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_removed_functions():
    a = np.arange(6).reshape(2, 3)
    x = cp.asarray(a)
    for dtype in ("f4", "i4", "c8"):
        made = cp.asfarray(x, dtype)
        assert made.dtype == ("f8" if dtype == "i4" else dtype)
        assert made.tolist() == a.tolist()
    for view in (x, x[::-1], x[:, ::-2], x[:0], x.T[1:]):
        low, high = cp.byte_bounds(view)
        theirs = np.lib.array_utils.byte_bounds(np.empty((2, 3), a.dtype))
        assert high - low <= theirs[1] - theirs[0]
        assert view.size == 0 or low >= x.data.ptr
    assert cp.byte_bounds(x[::-1]) == (x.data.ptr, x.data.ptr + x.nbytes)
    assert cp.byte_bounds(x[1:, ::-2]) == (x.data.ptr + 24, x.data.ptr + 48)
    assert cp.in1d(x, [1, 4]).tolist() == [False, True, False, False, True, False]
    assert cp.in1d(x, x[0], invert=True).tolist() == [False] * 3 + [True] * 3
    assert float(cp.trapz(x[0])) == 2.0
    assert cp.product(x, axis=0).tolist() == cp.prod(x, axis=0).tolist()
    assert cp.cumproduct(x).tolist() == cp.cumprod(x).tolist()
    assert cp.round_(cp.asarray(1.26), 1) == 1.3


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_removed_functions_of_types():
    assert cp.obj2sctype("f4") is np.float32
    assert cp.obj2sctype(np.int8) is np.int8
    assert cp.obj2sctype(cp.zeros(1, "c8")) is np.complex64
    assert cp.obj2sctype("no such", 7) == 7
    assert [
        cp.issctype(t) for t in (np.int32, np.dtype("f8"), int, "f4", 1, object)
    ] == [*(True, True, True, False, False, False)]
    assert cp.issubclass_(np.int8, np.integer)
    assert not cp.issubclass_("f4", np.integer)
    assert cp.issubsctype("i8", int)
    assert cp.issubsctype(cp.zeros(1), np.floating)
    assert not cp.issubsctype("f4", np.integer)
    assert cp.sctype2char(np.float32) == "f"
    assert cp.sctype2char(cp.zeros(1, "i2")) == "h"
    with pytest.raises(ValueError, match="no scalar type"):
        cp.sctype2char("no such")


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_who(capsys):
    cp.who({"x": cp.ones((2, 3)), "n": np.ones(4, "i2"), "not": 1})
    assert capsys.readouterr().out == (
        "Name    Shape    Bytes    Type\n"
        "x       2 x 3    48       float64\n"
        "n       4        8        int16\n"
    )
