"""What sparse arrays of all formats do, beside SciPy's."""

import copy
import operator
import pickle
import warnings

import numpy as np
import pytest

import cupric as cp
import cupricx.scipy
from cupricx.scipy import sparse

scipy_sparse = pytest.importorskip("scipy.sparse")
from .objects import CLASSES, DTYPES, SHAPES, check, check_call, dense, pair  # noqa: E402

each_class = pytest.mark.parametrize("name", CLASSES)


def changed(method, *args, **kwargs):
    """What a method that returns nothing makes of a copy."""

    def f(p, a):
        b = a.copy()
        getattr(b, method)(*args, **kwargs)
        return b

    return f


UNARY = {
    "copy": lambda p, a: a.copy(),
    "deepcopy": lambda p, a: copy.deepcopy(a),
    "pickle": lambda p, a: pickle.loads(pickle.dumps(a)),
    "T": lambda p, a: a.T,
    "transpose": lambda p, a: a.transpose((1, 0), copy=True),
    "transpose wrongly": lambda p, a: (
        a.transpose((0, 1)) if "coo" not in str(type(a)) else a
    ),
    "tocsr": lambda p, a: a.tocsr(),
    "tocsc": lambda p, a: a.tocsc(),
    "tocoo": lambda p, a: a.tocoo(),
    "tocsr copy": lambda p, a: a.tocsr(copy=True),
    "asformat": lambda p, a: a.asformat("csc"),
    "no format": lambda p, a: a.asformat("xyz"),
    "toarray": lambda p, a: a.toarray(),
    "todense": lambda p, a: p.xp.asarray(a.todense()),
    "F": lambda p, a: a.toarray("F"),
    "constructor": lambda p, a: type(a)(a),
    "constructor dtype": lambda p, a: type(a)(a, dtype="F"),
    "constructor dense": lambda p, a: type(a)(a.toarray()),
    "constructor shape": lambda p, a: type(a)(a.shape),
    "float32": lambda p, a: a.astype("f4"),
    "bool": lambda p, a: a.astype(bool),
    "complex": lambda p, a: a.astype("D"),
    "unsafe": lambda p, a: a.astype("?", casting="safe"),
    "no dtype": lambda p, a: a.astype("M8[s]"),
    "asfptype": lambda p, a: a._asfptype(),
    "neg": lambda p, a: -a,
    "abs": lambda p, a: abs(a),
    "real": lambda p, a: a.real,
    "imag": lambda p, a: a.imag,
    "conj": lambda p, a: a.conj(),
    "nonzero": lambda p, a: a.nonzero()[0],
    "nonzero columns": lambda p, a: a.nonzero()[1],
    "diagonal": lambda p, a: a.diagonal(),
    "diagonal above": lambda p, a: a.diagonal(1),
    "diagonal below": lambda p, a: a.diagonal(-2),
    "diagonal outside": lambda p, a: a.diagonal(30),
    "trace": lambda p, a: a.trace(),
    "setdiag": changed("setdiag", 5),
    "setdiag outside": changed("setdiag", 5, 30),
    "reshape": lambda p, a: a.reshape((1, -1)),
    "reshape F": lambda p, a: a.reshape((1, -1), order="F"),
    "reshape wrongly": lambda p, a: a.reshape(7, 9),
    "resize": changed("resize", 2, 3),
    "resize larger": changed("resize", (9, 13)),
    "times 2": lambda p, a: a * 2,
    "2.5 times": lambda p, a: 2.5 * a,
    "numpy.float64": lambda p, a: np.float64(2) * a,
    "numpy.float32": lambda p, a: a * np.float32(2),
    "array of no axes": lambda p, a: p.array(3) * a,
    "NumPy's array of no axes": lambda p, a: np.array(3.0) * a,
    "over 2": lambda p, a: a / 2,
    "over numpy.float32": lambda p, a: a / np.float32(2),
    "2 over": lambda p, a: 2 / a,
    "plus 0": lambda p, a: a + 0,
    "plus 1": lambda p, a: a + 1,
    "0 minus": lambda p, a: 0 - a,
    "1 minus": lambda p, a: 1 - a,
    "power": lambda p, a: a.power(2),
    "power dtype": lambda p, a: a.power(2, dtype="f8"),
    "power 0": lambda p, a: a.power(0),
    "power of an array": lambda p, a: a.power(p.array([1, 2])),
    "equal 2": lambda p, a: a == 2,
    "equal 0": lambda p, a: a == 0,
    "not equal NaN": lambda p, a: a != np.nan,
    "equal NaN": lambda p, a: a == np.nan,
    "maximum 0": lambda p, a: a.maximum(0),
    "maximum 1": lambda p, a: a.maximum(1),
    "minimum -1": lambda p, a: a.minimum(-1),
    "len": lambda p, a: len(a),
    "float": lambda p, a: float(a),
    "hash": lambda p, a: hash(a),
    "nnz": lambda p, a: a.nnz,
    "size": lambda p, a: a.size,
    "getnnz": lambda p, a: a._getnnz(),
    "count_nonzero": lambda p, a: int(a.count_nonzero()),
    "matmul 2": lambda p, a: a @ 2,
    "2 matmul": lambda p, a: 2 @ a,
    "sin": lambda p, a: a.sin(),
    "numpy.sin": lambda p, a: np.sin(a),
    "sqrt": lambda p, a: abs(a).sqrt(),
    "numpy.abs": lambda p, a: np.abs(a),
    "numpy.exp": lambda p, a: np.exp(a),
}
REAL = {
    "rint": lambda p, a: a.rint(),
    "round": lambda p, a: round(a),
    "less than 1": lambda p, a: a < 1,
    "greater than 1": lambda p, a: a > 1,
    "at least 0": lambda p, a: a >= 0,
    "1 less than": lambda p, a: np.float64(1) < a,
}
FLOATS_FROM = {"sin", "numpy.sin", "sqrt", "rint", "round"}  # of 8 bits: float16


@pytest.mark.parametrize("operation", [*UNARY, *REAL])
def test_of_one(operation):
    f = {**UNARY, **REAL}[operation]
    for name in CLASSES:
        for dtype in DTYPES:
            if operation in REAL and dtype == "F":
                continue
            if operation in FLOATS_FROM and dtype in ("u1", "?"):
                continue
            for shape in SHAPES:
                for messy in (False, True):
                    where = f"{name} {dtype} {shape} {messy}"
                    check_call(f, pair(name, shape, dtype, messy=messy), where=where)


SUMS = {
    f"{method} {axis} {dtype}": lambda p, a, m=method, x=axis, d=dtype: p.xp.asarray(
        getattr(a, m)(axis=x, **({"dtype": d} if d else {}))
    )
    for method in ("sum", "mean")
    for axis in (None, 0, 1, -1, (0, 1), (1,), 2, (), "a", (0, 0), 1.5)
    for dtype in (None, "f8")
}


@pytest.mark.parametrize("operation", SUMS)
def test_sums(operation):
    for name in CLASSES:
        for dtype in ("f8", "f4", "i4", "u1", "F"):
            for shape in SHAPES:
                if dtype == "F" and operation.endswith("f8"):
                    continue
                where = f"{name} {dtype} {shape}"
                check_call(SUMS[operation], pair(name, shape, dtype), where=where)


def test_sums_of_booleans_count_places():
    for name in CLASSES:
        theirs, ours = pair(name, dtype="?", messy=False)
        check(ours.sum(), theirs.sum())
        check(ours.sum(axis=0), np.asarray(theirs.sum(axis=0)))
        twice = sparse.coo_array(([True, True], ([0, 0], [1, 1])))
        assert int(twice.sum()) == 1


def test_sums_into_an_array():
    A = sparse.csr_array(cp.eye(3))
    out = cp.empty(3, "f4")
    assert A.sum(axis=0, out=out) is out
    assert out.tolist() == [1, 1, 1]
    with pytest.raises(ValueError, match="out dimensions do not match"):
        A.sum(axis=0, out=cp.empty(4))


BINARY = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": lambda a, b: a.multiply(b),
    "divide": operator.truediv,
    "maximum": lambda a, b: a.maximum(b),
    "minimum": lambda a, b: a.minimum(b),
    "equal": operator.eq,
    "not equal": operator.ne,
    "less": operator.lt,
    "less or equal": operator.le,
    "greater": operator.gt,
    "star": operator.mul,
}


@pytest.mark.parametrize("operation", BINARY)
def test_of_two_sparse(operation):
    f = BINARY[operation]
    for name in CLASSES:
        for other in ("csr_array", "csc_matrix", "coo_array"):
            for shape in ((5, 5), (1, 1), (3, 1), (0, 0)):
                for dtypes in (("f8", "f8"), ("f4", "i4"), ("i4", "i4")):
                    a = pair(name, shape, dtypes[0], seed=1)
                    b = pair(other, shape, dtypes[1], seed=2)
                    where = f"{name} {other} {shape} {dtypes}"
                    check_call(lambda p, x, y: f(x, y), a, b, where=where)


@pytest.mark.parametrize("operation", BINARY)
def test_of_two_shapes_that_differ(operation):
    a, b = pair("csr_matrix", (5, 7)), pair("csr_matrix", (4, 7))
    check_call(lambda p, x, y: BINARY[operation](x, y), a, b)


@pytest.mark.parametrize("operation", ["multiply", "divide", "less", "maximum", "add"])
def test_with_dense(operation):
    f = BINARY[operation]
    for name in CLASSES:
        a = pair(name, (5, 7), messy=False)
        for shape in ((5, 7), (7,), (5, 1), (1, 7), (1, 1)):
            values = np.arange(1.0, 1 + np.prod(shape)).reshape(shape)
            call = lambda p, x, y: _array(p, f(x, y))  # noqa: E731
            check_call(call, a, dense(values), where=f"{name} {shape}")
            if operation == "add":
                check_call(lambda p, x, y: _array(p, y - x), a, dense(values))
                check_call(lambda p, x, y: _array(p, y + x), a, dense(values))


def _array(p, x):
    return x if p.issparse(x) else p.xp.asarray(x)


@pytest.mark.parametrize(
    "shapes",
    [
        *[((5, 7), s) for s in ((1, 7), (5, 1), (1, 1))],
        *[((1, 7), s) for s in ((5, 7), (5, 1), (1, 1), (4, 3))],
        *[((5, 1), s) for s in ((5, 7), (1, 7))],
        *[((1, 1), s) for s in ((5, 7), (1, 7))],
    ],
)
def test_multiply_broadcasts(shapes):
    for name in CLASSES:
        for other in ("csr_array", "csc_array", "coo_matrix"):
            a, b = pair(name, shapes[0], seed=1), pair(other, shapes[1], seed=2)
            call = lambda p, x, y: x.multiply(y)  # noqa: E731
            check_call(call, a, b, where=f"{name} {other}")
        values = np.arange(1.0, 1 + np.prod(shapes[1])).reshape(shapes[1])
        check_call(lambda p, x, y: _array(p, x.multiply(y)), a, dense(values))


PRODUCTS = {
    "A @ v": lambda p, a, v, V, W: a @ v,
    "A @ column": lambda p, a, v, V, W: a @ v.reshape(-1, 1),
    "A @ V": lambda p, a, v, V, W: a @ V,
    "A.dot(v)": lambda p, a, v, V, W: a.dot(v),
    "A.dot(2)": lambda p, a, v, V, W: a.dot(2),
    "W @ A": lambda p, a, v, V, W: W @ a,
    "w @ A": lambda p, a, v, V, W: W[0] @ a,
    "A * v": lambda p, a, v, V, W: (
        p.xp.asarray(a * v) if isinstance(a, p.spmatrix) else a @ v
    ),
    "W * A": lambda p, a, v, V, W: (
        p.xp.asarray(W * a) if isinstance(a, p.spmatrix) else W @ a
    ),
    "wrong": lambda p, a, v, V, W: a @ V.T,
}


@pytest.mark.parametrize("operation", PRODUCTS)
def test_products_with_dense(operation):
    rng = np.random.default_rng(5)
    for name in CLASSES:
        for dtype in ("f8", "f4", "i4", "F"):
            for shape in ((5, 7), (4, 2), (4, 0), (0, 3), (3, 2)):
                a = pair(name, shape, dtype)
                operands = [
                    dense(rng.integers(-4, 5, s).astype("f8"))
                    for s in (shape[1:], (shape[1], 3), (2, shape[0]))
                ]
                where = f"{name} {dtype} {shape}"
                check_call(PRODUCTS[operation], a, *operands, where=where)


def test_matrices_are_multiplied_by_at_most_two_axes():
    for name in ("csr_array", "csr_matrix", "csc_matrix", "coo_matrix"):
        a = pair(name, (5, 7))
        check_call(lambda p, x, y: x @ y, a, dense(np.ones((2, 7, 3))), where=name)


def test_products_of_sparse():
    for name in CLASSES:
        for other in CLASSES:
            a, b = pair(name, (5, 7), "f4", seed=1), pair(other, (7, 4), "i4", seed=2)
            check_call(lambda p, x, y: x @ y, a, b, where=f"{name} {other}")
            check_call(lambda p, x, y: x.T @ y.T.T.T, a, b)  # shapes do not fit


def test_in_place():
    for name in CLASSES:
        for dtype in ("f8", "F"):
            theirs, ours = pair(name, dtype=dtype)
            before = ours.data
            theirs *= 3
            ours *= 3
            assert ours.data is before
            theirs /= 2
            ours /= 2
            check(ours, theirs)
    A = sparse.csr_array(cp.eye(2))
    B = A
    B += A
    assert B is not A
    assert B.sum() == 4
    x = cp.ones((2, 2))
    x += A
    assert x.tolist() == [[2, 1], [1, 2]]


# ---- what it is ----------------------------------------------------------------------


@each_class
def test_repr_and_str(name):
    for shape in SHAPES:
        theirs, ours = pair(name, shape)
        assert repr(ours) == repr(theirs)
        assert str(ours) == str(theirs)
    theirs, ours = pair(name, (30, 30), seed=3)
    assert str(ours) == str(theirs)  # more than maxprint
    theirs.maxprint = ours.maxprint = 5
    assert str(ours) == str(theirs)


@each_class
def test_kinds(name):
    A = getattr(sparse, name)((2, 3))
    assert sparse.issparse(A)
    assert sparse.isspmatrix(A) == name.endswith("matrix")
    assert isinstance(A, sparse.sparray) == name.endswith("array")
    for format in ("csr", "csc", "coo"):
        is_format = getattr(sparse, f"isspmatrix_{format}")
        assert is_format(A) == (name == f"{format}_matrix")
    assert not scipy_sparse.issparse(A)
    assert A.ndim == 2
    assert (A.shape, A.dtype, A.format) == ((2, 3), np.float64, name[:3])
    assert not sparse.issparse(A.get())
    assert not sparse.issparse(cp.eye(2))
    assert type(A)[np.int8].__origin__ is type(A)


@each_class
def test_truth_value(name):
    cls = getattr(sparse, name)
    assert bool(cls(cp.ones((1, 1))))
    assert not bool(cls((1, 1)))
    with pytest.raises(ValueError, match="ambiguous"):
        bool(cls((2, 1)))


def test_bases_are_no_classes_to_use():
    from cupricx.scipy.sparse._base import sparse_base

    with pytest.raises(ValueError, match="not intended"):
        sparse_base((2, 2))


@each_class
def test_a_subclass_stays_one(name):
    cls = getattr(sparse, name)
    sub = type("Sub", (cls,), {})
    A = sub(cp.eye(3))
    assert type(A * 2 if name.endswith("array") else A.copy()) is sub
    assert type(A.T.T) is cls or type(A.T.T) is sub
    assert type(sparse.csr_array(cp.eye(2)).asformat("coo")) is sparse.coo_array


def test_methods_of_matrices():
    theirs, ours = pair("csr_matrix", (4, 4), "i4")
    for method in ("getH", "asfptype", "getformat", "getmaxprint", "get_shape"):
        check(getattr(ours, method)(), getattr(theirs, method)())
    assert ours.getnnz() == theirs.getnnz()
    for axis in (0, 1, -1):
        assert ours.getnnz(axis).tolist() == theirs.getnnz(axis).tolist()
    ours.shape = theirs.shape = (2, 8)
    check(ours, theirs)
    ours.set_shape((16, 1))
    theirs.set_shape((16, 1))
    check(ours, theirs)
    with pytest.raises(ValueError, match="reshape"):
        ours.set_shape((3, 3))
    with pytest.warns(DeprecationWarning, match="toarray"):
        assert ours.A.shape == (16, 1)
    with pytest.warns(DeprecationWarning, match="conjugate"):
        assert ours.H.shape == (1, 16)


def test_power_of_matrices():
    theirs, ours = pair("csr_matrix", (4, 4), "f8")
    check(ours**3, theirs**3)
    check(ours**0, theirs**0)
    array = sparse.csr_array(ours)
    check(array**2, scipy_sparse.csr_array(theirs) ** 2)


# ---- operands that are no sparse arrays of a device ----------------------------------


def refused(pattern):
    return pytest.raises(TypeError, match=pattern)


@each_class
def test_operands_of_the_host_are_refused(name):
    A = getattr(sparse, name)(cp.eye(3))
    for x in (np.ones(3), np.ones((3, 3))):
        for f in (operator.add, operator.sub, operator.mul, operator.matmul):
            with refused("cupric.asarray"):
                f(A, x)
            with refused("cupric.asarray"):
                f(x, A)
        with refused("cupric.asarray"):
            A.multiply(x)
        with refused("cupric.asarray"):
            x == A  # noqa: B015
    theirs = getattr(scipy_sparse, name)(np.eye(3))
    for f in (operator.add, operator.matmul):
        with refused(f"cupricx.scipy.sparse.{name}"):
            f(A, theirs)
        with pytest.raises(TypeError):
            f(theirs, A)
    with refused("cupric.asarray"):
        A @ [1, 2, 3]
    with refused("unsupported operand"):
        A @ object()
    with refused("cupric.ndarray"):
        A.toarray(out=object())
    with refused("cupric.asarray"):
        A.toarray(out=np.empty((3, 3)))


@each_class
def test_it_is_not_converted_on_its_own(name):
    A = getattr(sparse, name)(cp.eye(3))
    for f in (np.asarray, np.round, cp.asarray, cp.array, cp.zeros_like, cp.real):
        with refused(r"toarray\(\)"):
            f(A)
    for f in (cp.sqrt, cp.sum, cp.abs, cp.sort, cp.fft.fft, cp.linalg.norm, cp.max):
        with pytest.raises(TypeError):
            f(A)
    for f in (cp.add, cp.dot, cp.matmul, cp.tensordot, cp.linalg.solve):
        with pytest.raises(TypeError):
            f(A, A)
        with pytest.raises(TypeError):
            f(cp.eye(3), A)
    with pytest.raises(TypeError):
        np.add.reduce(A)


@each_class
def test_arrays_leave_operators_to_it(name):
    A = getattr(sparse, name)(cp.eye(3) * 2)
    x = cp.arange(3.0)
    assert (x @ A).tolist() == [0, 2, 4]
    assert (cp.eye(3) @ A).tolist() == (cp.eye(3) * 2).tolist()
    assert isinstance(cp.ones((3, 3)) + A, cp.ndarray)
    assert (x == A).shape == (3, 3)
    assert ((x < A) == (x < A.toarray())).all()
    product = cp.ones((3, 3)) * A
    assert sparse.issparse(product) == name.endswith("array")
    for two in (2, 2.0, np.float64(2), np.array(2), cp.array(2)):
        check(two * A, (A.get() * 2), where=str(type(two)))
    assert (np.matmul(A, x)).tolist() == [0, 2, 4]
    check(np.multiply(3, A), 3 * A.get())
    check(np.add(A, A), A.get() + A.get())


def test_copies_on_the_host():
    for name in CLASSES:
        theirs, ours = pair(name)
        for copied in (ours.get(), cp.asnumpy(ours), ours.get(cp.cuda.Stream())):
            assert type(copied) is type(theirs)
            check(ours, copied, stored=True)
            assert (copied != theirs).nnz == 0
        with pytest.raises(TypeError):
            cp.asnumpy(ours, out=np.empty(ours.shape))


def test_module_of_arrays():
    A = sparse.csr_array((2, 2))
    assert cp.get_array_module(A) is cp
    assert cp.get_array_module(1, A) is cp
    assert cp.get_array_module(A.get()) is np
    assert cupricx.scipy.get_array_module(A) is cupricx.scipy
    assert cupricx.scipy.get_array_module(A.get()).__name__ == "scipy"


def test_numpys_functions_of_methods():
    A = sparse.csr_array(cp.eye(3))
    assert float(np.sum(A)) == 3
    assert float(np.max(A)) == 1
    assert np.mean(A, axis=0).tolist() == [1 / 3] * 3


def test_warnings_are_scipys():
    assert issubclass(sparse.SparseEfficiencyWarning, sparse.SparseWarning)
    A = sparse.csr_array(cp.eye(2))
    with pytest.warns(sparse.SparseEfficiencyWarning, match="Try using !="):
        A == 0  # noqa: B015
    with pytest.warns(sparse.SparseEfficiencyWarning, match="dense") as caught:
        A.maximum(1)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        A != 0  # noqa: B015
        A > A.T  # noqa: B015


def test_float16():
    dense16 = (np.eye(4) * 3).astype("f2")
    for name in CLASSES:
        A = getattr(sparse, name)(dense16)
        assert A.dtype == np.float16
        assert A.toarray().dtype == np.float16
        assert (A @ cp.ones(4, "f2")).dtype == np.float16
        assert (A @ cp.ones(4, "f2")).tolist() == [3] * 4
        assert A.sum(axis=0).dtype == np.float16
        assert A.mean().dtype == np.float16
        assert (A * 2).dtype == np.float16
        assert (A @ A.T).toarray().tolist() == (dense16 @ dense16).tolist()
    large = sparse.csr_array(cp.full((1, 100), 60000, "f2"))
    assert float(large.mean()) == 60000  # whose sum no float16 holds
