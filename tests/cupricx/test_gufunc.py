"""GeneralizedUFunc against NumPy's own generalized ufuncs, and by its rules."""

import numpy as np
import pytest

import cupric as cp
from cupricx import GeneralizedUFunc

A = np.random.default_rng(0).integers(-9, 9, (2, 3, 4, 5)).astype("f8")
MATMUL = "(n?,k),(k,m?)->(n?,m?)"


def rowless_matmul(a, b, out=None):
    """Matrices only, as a function that is called once for each sees them."""
    r = cp.matmul(a, b)
    if out is not None:
        out[...] = r
    return r


def vecdot(a, b, out=None):
    r = cp.sum(a * b, axis=-1)
    if out is not None:
        out[...] = r
    return r


KINDS = {
    "looped": {},
    "batched": {"supports_batched": True},
    "out": {"supports_out": True},
    "both": {"supports_batched": True, "supports_out": True},
}
each_kind = pytest.mark.parametrize("kind", KINDS)


def agree(mine, numpy):
    assert isinstance(mine, cp.ndarray)
    assert (mine.dtype, mine.shape) == (numpy.dtype, np.shape(numpy))
    np.testing.assert_allclose(mine.get(), numpy, rtol=1e-14)


MATRICES = [
    ((2, 3), (3, 4)),
    ((5, 2, 3), (3, 4)),
    ((5, 2, 3), (6, 1, 3, 4)),
    ((3,), (3, 4)),
    ((2, 3), (3,)),
    ((3,), (3,)),
    ((5, 2, 3), (3,)),
    ((0, 2, 3), (3, 4)),
    ((2, 0), (0, 4)),
]


@each_kind
@pytest.mark.parametrize(("a", "b"), MATRICES)
def test_matmul(kind, a, b):
    f = GeneralizedUFunc(rowless_matmul, MATMUL, **KINDS[kind])
    x, y = np.arange(np.prod(a)).reshape(a) + 0.5, np.ones(b) * 2
    agree(f(cp.asarray(x), cp.asarray(y)), np.matmul(x, y))


@each_kind
@pytest.mark.parametrize(
    ("a", "b", "axes"),
    [
        ((3, 2), (3, 4), [(1, 0), (0, 1), (0, 1)]),
        ((3, 2), (3, 4), [(1, 0), (0, 1), (1, 0)]),
        ((2, 5, 3), (3, 5, 4), [(0, 2), (0, 2), (0, 2)]),
        ((2, 5, 3), (3, 5, 4), [(0, -1), (0, -1), (-2, 0)]),
        ((2, 5, 3), (3, 4), [(0, 2), (-2, -1), (2, 0)]),
    ],
)
def test_axes(kind, a, b, axes):
    f = GeneralizedUFunc(rowless_matmul, MATMUL, **KINDS[kind])
    x, y = np.arange(np.prod(a)).reshape(a) + 0.5, np.arange(np.prod(b)).reshape(b)
    y = y.astype("f8")
    want = np.matmul(x, y, axes=axes)
    agree(f(cp.asarray(x), cp.asarray(y), axes=axes), want)
    out = cp.empty(want.shape)
    assert f(cp.asarray(x), cp.asarray(y), axes=axes, out=out) is out
    agree(out, want)


@each_kind
@pytest.mark.parametrize(
    "given",
    [
        {},
        {"axis": 1},
        {"axis": -3},
        {"keepdims": True},
        {"axis": 1, "keepdims": True},
        {"axes": [1, 1, ()]},
        {"axes": [(0,), (0,)]},
        {"axes": [2, 2, 0], "keepdims": True},
        {"axes": [2, 2], "keepdims": True},
    ],
)
def test_vecdot(kind, given):
    f = GeneralizedUFunc(vecdot, "(n),(n)->()", **KINDS[kind])
    a, b = A[:, :, :, 0], A[:, :, :, 1]
    agree(f(cp.asarray(a), cp.asarray(b), **given), np.vecdot(a, b, **given))


@each_kind
def test_broadcasting(kind):
    f = GeneralizedUFunc(vecdot, "(n),(n)->()", **KINDS[kind])
    a, b = A[0], A[0, :1, 0]
    agree(f(cp.asarray(a), cp.asarray(b)), np.vecdot(a, b))
    with pytest.raises(ValueError, match="broadcast"):
        f(cp.asarray(A[:, :, 0]), cp.asarray(A[0, :2, 0].repeat(2, 0)))


def test_several_outputs():
    f = GeneralizedUFunc(lambda a: (a.min(), a[::-1]), "(n)->(),(n)")
    low, turned = f(cp.asarray(A))
    agree(low, A.min(-1))
    agree(turned, A[..., ::-1])
    low, turned = f(cp.asarray(A), axes=[1, (), 0])
    agree(low, A.min(1))
    agree(turned, np.moveaxis(A[:, ::-1], 1, 0))
    mine = cp.empty((2, 3, 4))
    assert f(cp.asarray(A), out=(mine, None))[0] is mine
    agree(mine, A.min(-1))


@pytest.mark.parametrize("order", ["C", "F", "A", "K"])
@pytest.mark.parametrize("layout", ["C", "F"])
def test_order(order, layout):
    x = cp.asarray(np.asarray(A[0], order=layout))
    y = GeneralizedUFunc(lambda a: a * 2, "(n)->(n)")(x, order=order)
    agree(y, A[0] * 2)
    fortran = order == "F" or (order in "AK" and layout == "F")
    assert y.flags.f_contiguous == fortran
    assert y.flags.c_contiguous != fortran


def test_signature_of_fixed_and_stretched_axes():
    f = GeneralizedUFunc(lambda a, b: a + b, "(3|1),(3)->(3)")
    agree(f(cp.ones((2, 1)), cp.arange(3.0)), 1 + np.arange(3.0) * np.ones((2, 1)))
    with pytest.raises(ValueError, match="axis 3"):
        f(cp.ones(1), cp.ones(4))
    g = GeneralizedUFunc(lambda a, b: a * b, "(n|1),(n|1)->(n)")
    agree(
        g(cp.arange(3.0), cp.full((2, 1), 2.0)), np.arange(3.0) * np.full((2, 1), 2.0)
    )
    agree(g(cp.ones(1), cp.ones(1)), np.ones(1))


@pytest.mark.parametrize(
    "signature",
    ["", "(n)", "(n)->", "(n)(n)->()", "n->n", "(n)->(n", "(n,)->()", "(?)->()"],
)
def test_bad_signatures(signature):
    with pytest.raises(ValueError, match="not a signature"):
        GeneralizedUFunc(vecdot, signature)
    with pytest.raises(TypeError, match="string"):
        GeneralizedUFunc(vecdot, 3)


X = cp.ones((2, 3))
BAD = {
    "two ways": (TypeError, {"axis": 0, "axes": [0, 0]}, "only one of"),
    "no list": (TypeError, {"axes": (0, 0)}, "list"),
    "number of axes": (ValueError, {"axes": [0]}, "1 entries"),
    "too many": (ValueError, {"axes": [(0, 1), (0,)]}, "do not fit"),
    "outside": (np.exceptions.AxisError, {"axis": 2}, "out of bounds"),
    "no integer": (TypeError, {"axis": 1.0}, "integer"),
    "dtype and signature": (
        TypeError,
        {"dtype": "f4", "signature": "dd->d"},
        "only one",
    ),
    "order": (ValueError, {"order": "G"}, "order must be"),
    "out": (TypeError, {"out": 3}, "cupric.ndarray"),
    "outs": (ValueError, {"out": (None, None)}, "1 outputs"),
    "shape of out": (ValueError, {"out": cp.empty(3)}, r"\(3,\), the result \(2,\)"),
    "cast": (TypeError, {"out": cp.empty(2, "i4")}, "cannot cast the output"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_calls(name):
    error, given, words = BAD[name]
    with pytest.raises(error, match=words):
        GeneralizedUFunc(vecdot, "(n),(n)->()")(X, X, **given)


def test_bad_arguments():
    f = GeneralizedUFunc(vecdot, "(n),(n)->()")
    with pytest.raises(TypeError, match="takes 2 arrays"):
        f(X)
    with pytest.raises(ValueError, match="axis n .* of length 2 in input 1"):
        f(X, X.T)
    with pytest.raises(ValueError, match="input 1 has 0 dimensions"):
        f(X, 3)
    with pytest.raises(TypeError, match="Unsupported type"):
        f(X, np.ones(3))
    with pytest.raises(ValueError, match="present in some inputs only"):
        GeneralizedUFunc(rowless_matmul, "(n?,k),(n?,k)->()")(X, X[0])
    with pytest.raises(TypeError, match="keepdims"):
        GeneralizedUFunc(rowless_matmul, MATMUL)(X, X.T, keepdims=True)
    with pytest.raises(TypeError, match="one axis that all share"):
        GeneralizedUFunc(rowless_matmul, MATMUL)(X, X.T, axis=0)
    with pytest.raises(ValueError, match="is of no input"):
        GeneralizedUFunc(vecdot, "(n)->(m)")(X)
    with pytest.raises(ValueError, match=r"a result of shape \(3,\)"):
        GeneralizedUFunc(lambda a: a, "(n)->()")(X)
    with pytest.raises(ValueError, match="gave 2 results"):
        GeneralizedUFunc(lambda a: (a, a), "(n)->(n)")(X)


def test_dtypes():
    """Without rows, the common dtype; `dtype` overrides it."""
    f = GeneralizedUFunc(vecdot, "(n),(n)->()")
    i, d = cp.ones(3, "i4"), cp.ones(3, "f4")
    assert f(i, i).dtype == "i4"
    assert f(i, d).dtype == "f8"
    assert f(i, d, dtype="f2").dtype == "f2"


def test_rows_of_signatures():
    seen = []

    def of(name):
        def f(a):
            seen.append((name, a.dtype.char))
            return a.sum()

        return f

    f = GeneralizedUFunc(of("f"), "(n)->()", signatures=["d->d", ("D->D", of("g"))])
    assert f(cp.ones(3, "i4")).dtype == "f8"
    assert f(cp.ones(3, "F")).dtype == "D"
    assert f(cp.ones(3), dtype="D").dtype == "D"
    assert f(cp.ones(3), signature="D->D").dtype == "D"
    assert f(cp.ones(3), signature=(np.complex128,)).dtype == "D"
    assert seen == [("f", "d"), *[("g", "D")] * 4]
    with pytest.raises(TypeError, match="no function for the signature"):
        f(cp.ones(3), signature="f->f")
    with pytest.raises(TypeError, match="no function for results of int8"):
        f(cp.ones(3), dtype="b")
    with pytest.raises(TypeError, match="cannot cast an input"):
        f(cp.ones(3, "D"), dtype="d")
    assert f(cp.ones(3, "D"), dtype="d", casting="unsafe").dtype == "d"
    g = GeneralizedUFunc(of("f"), "(n)->()", signatures=["f->f"])
    with pytest.raises(TypeError, match="no function for inputs of float64"):
        g(cp.ones(3))
    with pytest.raises(ValueError, match="2 outputs|1 inputs"):
        GeneralizedUFunc(of("f"), "(n)->()", signatures=["ff->f"])


def test_fast_call():
    calls = []

    def fast(a, b, out=None):
        calls.append(out)
        return NotImplemented if a.ndim > 1 else "fast"

    f = GeneralizedUFunc(vecdot, "(n),(n)->()", try_fastcall_func=fast)
    assert f(X[0], X[0]) == "fast"
    agree(f(X, X), np.full(2, 3.0))
    assert float(f(X[0], X[0], axis=0)) == 3
    assert calls == [None, None]


def test_names():
    f = GeneralizedUFunc(vecdot, "(n),(n)->()")
    assert (f.__name__, f.nin, f.nout, f.signature) == ("vecdot", 2, 1, "(n),(n)->()")
    assert "vecdot" in repr(f)
    g = GeneralizedUFunc(vecdot, "(n),(n)->()", name="g", doc="words")
    assert (g.__name__, g.__doc__) == ("g", "words")
