"""New arrays, of a shape and from data, against NumPy."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cupric as cp

DTYPES = ["?", "i1", "u4", "i8", "f2", "f4", "f8", "c8", "c16"]


def same(got, want, exact=True):
    assert isinstance(got, cp.ndarray)
    assert got.shape == np.shape(want)
    assert got.dtype == np.asarray(want).dtype
    if exact:
        np.testing.assert_array_equal(got.get(), want)
    else:
        np.testing.assert_allclose(got.get(), want, rtol=1e-15, atol=1e-15)


@pytest.mark.parametrize("dtype", DTYPES)
def test_filled(dtype):
    for order in "CF":
        for name in ("zeros", "ones"):
            got = getattr(cp, name)((2, 3), dtype, order)
            same(got, getattr(np, name)((2, 3), dtype, order))
            assert got.flags.f_contiguous == (order == "F")
        same(cp.full((2, 3), 1, dtype, order), np.full((2, 3), 1, dtype))
        for k in (-5, -1, 0, 2, 9):
            same(cp.eye(3, 4, k, dtype, order), np.eye(3, 4, k, dtype))
            same(cp.eye(4, 3, k, dtype, order), np.eye(4, 3, k, dtype))
    same(cp.identity(3, dtype), np.identity(3, dtype))
    same(cp.tri(3, 4, 1, dtype), np.tri(3, 4, 1, dtype))
    same(cp.empty((0, 3), dtype), np.empty((0, 3), dtype))


@pytest.mark.parametrize("value", [1, 2.5, 1j, True, np.float32(3), [1, 2, 3]])
def test_full_takes_the_dtype_of_its_value(value):
    same(cp.full((2, 3), value), np.full((2, 3), value))


@pytest.mark.parametrize("order", ["C", "F", "A", "K"])
def test_like(order):
    base = np.arange(24).reshape(2, 3, 4)
    for a in (
        base,
        base.T,
        base.transpose(1, 0, 2),
        base[:, ::-1],
        np.asfortranarray(base),
    ):
        d = cp.array(a, order="K") if a.base is None else None
        for axes in ((0, 1, 2), (2, 1, 0), (1, 0, 2)):
            d = cp.arange(24).reshape(2, 3, 4).transpose(axes)
            h = base.transpose(axes)
            for name in ("zeros_like", "ones_like", "empty_like"):
                got = getattr(cp, name)(d, order=order)
                assert got.strides == getattr(np, name)(h, order=order).strides
            same(cp.full_like(d, 7, "f4", order), np.full_like(h, 7, "f4", order))
            same(cp.zeros_like(d, shape=(2, 2)), np.zeros((2, 2), int))


@given(
    st.integers(-100, 100) | st.floats(-100, 100),
    st.integers(-100, 100) | st.floats(-100, 100),
    st.integers(0, 60),
    st.booleans(),
)
def test_linspace(start, stop, num, endpoint):
    want, step = np.linspace(start, stop, num, endpoint, retstep=True)
    got, got_step = cp.linspace(start, stop, num, endpoint, retstep=True)
    same(got, want)
    assert got_step == step or (np.isnan(step) and np.isnan(got_step))


def test_linspace_arrays_and_dtypes():
    a, b = np.array([0.0, 1.0]), np.array([5.0, 2.0])
    for axis in (0, 1, -1):
        same(
            cp.linspace(cp.array(a), cp.array(b), 7, axis=axis),
            np.linspace(a, b, 7, axis=axis),
        )
    same(cp.linspace(0, cp.array(b), 4), np.linspace(0, b, 4))
    flat = np.linspace(a, a, 4)
    same(cp.linspace(cp.array(a), cp.array(a), 4), flat)
    same(cp.linspace(0, 10, 4, dtype=int), np.linspace(0, 10, 4, dtype=int))
    same(cp.linspace(0, -10, 4, dtype=int), np.linspace(0, -10, 4, dtype=int))
    same(cp.linspace(0, 1, 4, dtype="f4"), np.linspace(0, 1, 4, dtype="f4"))
    same(cp.linspace(1j, 2, 5), np.linspace(1j, 2, 5))
    same(cp.linspace(0, 5e-324, 3), np.linspace(0, 5e-324, 3))
    with pytest.raises(ValueError, match="non-negative"):
        cp.linspace(0, 1, -1)


def test_log_and_geom():
    same(cp.logspace(0, 3, 7), np.logspace(0, 3, 7), exact=False)
    same(
        cp.logspace(0, 3, 4, base=2, dtype=int), np.logspace(0, 3, 4, base=2, dtype=int)
    )
    same(cp.geomspace(1, 1000, 4), np.geomspace(1, 1000, 4))


def test_vander():
    x = np.array([1, 2, 3, 5])
    same(cp.vander(cp.array(x)), np.vander(x))
    same(cp.vander(cp.array(x), 2, increasing=True), np.vander(x, 2, increasing=True))
    same(cp.vander(cp.array(x, "f4"), 3), np.vander(x.astype("f4"), 3))


def test_from_host_functions():
    same(cp.frombuffer(b"\1\2\3\4", "u1"), np.frombuffer(b"\1\2\3\4", "u1"))
    same(cp.fromiter((i * i for i in range(5)), int), np.arange(5) ** 2)
    same(cp.fromstring("1 2 3", sep=" "), np.array([1.0, 2.0, 3.0]))
    same(
        cp.fromfunction(lambda i, j: i + j, (2, 3)),
        np.fromfunction(lambda i, j: i + j, (2, 3)),
    )
    same(cp.loadtxt(io.StringIO("1 2\n3 4")), np.array([[1.0, 2.0], [3.0, 4.0]]))
    same(
        cp.genfromtxt(io.StringIO("1,\n3,4"), delimiter=","),
        np.array([[1, np.nan], [3, 4]]),
    )


@pytest.mark.parametrize("name", ["ascontiguousarray", "asfortranarray"])
def test_layouts(name):
    a = np.arange(24.0).reshape(2, 3, 4)
    for view in (a, a.T, a[:, ::2], a[0, 0], a[::-1], a[:0]):
        for dtype in (None, "f4"):
            expected = getattr(np, name)(view, dtype)
            for x in (view, cp.array(view), cp.array(view)[...]):
                made = getattr(cp, name)(x, dtype=dtype)
                same(made, expected)
                assert made.flags.c_contiguous == expected.flags.c_contiguous
                assert made.flags.f_contiguous == expected.flags.f_contiguous


def test_subclasses_are_kept_by_asanyarray_alone():
    class Named(cp.ndarray):
        pass

    d = cp.arange(3).view(type=Named)
    assert cp.asanyarray(d) is d
    assert type(cp.asanyarray(d, "f4")) is Named
    for f in (cp.asarray, cp.ascontiguousarray, cp.asfortranarray):
        assert type(f(d)) is type(f(d, "f4")) is cp.ndarray
        f(d)[0] = 7
        assert d[0] == 7  # the memory is shared


@pytest.mark.parametrize(
    "call",
    [
        lambda f: f(),
        lambda f: f([1], "f4", "C", None),
        lambda f: f([1], dtyp="f4"),
        lambda f: f([1], "no dtype"),
    ],
)
def test_what_conversions_refuse(call):
    for name in ("asarray", "asanyarray", "ascontiguousarray", "asfortranarray"):
        with pytest.raises(TypeError):
            call(getattr(cp, name))


def test_asarray_keeps_what_fits():
    d = cp.zeros((2, 3))
    assert cp.asarray(d) is d
    assert cp.asanyarray(d) is d
    assert cp.ascontiguousarray(d) is d
    assert cp.asfortranarray(d).flags.f_contiguous
    assert cp.asarray(d, "f4").dtype == np.float32
    assert cp.asarray(d, copy=True) is not d
    assert cp.asarray(d, order="F").flags.f_contiguous
    with pytest.raises(ValueError, match="Unable to avoid copy"):
        cp.asarray([1, 2], copy=False)
    same(cp.copy(d.T), np.zeros((3, 2)))
    with pytest.raises(ValueError, match="infs or NaNs"):
        cp.asarray_chkfinite([1.0, np.nan])


def test_array_without_copy():
    n, d = np.arange(3), cp.arange(3)
    for obj in (n, [0, 1, 2], (0, 1, 2), range(3)):
        same(cp.array(obj, copy=False), n)
    same(cp.array(n, "f4", copy=False), n.astype("f4"))
    same(cp.array(4.5, copy=False, ndmin=1), np.array([4.5]))
    same(cp.array([d, n], copy=False), np.array([n, n]))
    assert cp.array(d, copy=False) is d
    with pytest.raises(ValueError, match="Unable to avoid copy"):
        cp.array(d, "f4", copy=False)


def test_nested_lists_of_everything():
    parts = [cp.array([1, 2]), np.array([3.5, 4]), [5, cp.array(6)]]
    same(cp.array(parts), np.array([[1, 2], [3.5, 4], [5, 6]]))
    same(cp.array([cp.array(1), 2.5]), np.array([1, 2.5]))
    same(cp.array([[cp.zeros((2, 2), "f4")]]), np.zeros((1, 1, 2, 2), "f4"))
    with pytest.raises(ValueError, match="inhomogeneous"):
        cp.array([cp.zeros(2), cp.zeros(3)])


def test_huge_is_refused():
    for make in (cp.empty, cp.zeros, cp.ones):
        with pytest.raises((MemoryError, ValueError)):
            make((2**40, 2**40))
    with pytest.raises(ValueError, match="negative dimensions"):
        cp.empty(-1)


class Lender:
    """An object of another package that lends a device array."""

    def __init__(self, array):
        self.array = array

    def __cupy_get_ndarray__(self):
        return self.array


def test_foreign_objects():
    d = cp.arange(4)
    same(cp.asarray(Lender(d)), np.arange(4))
    same(cp.concatenate([Lender(d), d]), np.tile(np.arange(4), 2))
    same(d + Lender(d), np.arange(4) * 2)
    with pytest.raises(TypeError, match="not a cupric.ndarray"):
        cp.asarray(Lender(np.arange(4)))


@pytest.mark.parametrize("order", [None, "K", "A", "C", "F"])
def test_lists_of_arrays_in_fortran_order(order):
    n = np.arange(6.0).reshape(3, 2)
    want = np.array([n.T, n.T], order=order)
    got = cp.array([cp.array(n).T, cp.array(n).T], order=order)
    assert got.strides == want.strides
    assert got.tolist() == want.tolist()


def test_an_empty_arange_needs_no_place_for_its_start():
    assert cp.arange(-1, -1, dtype="L").shape == np.arange(-1, -1, dtype="L").shape
    with pytest.raises(OverflowError):
        cp.arange(-1, 1, dtype="L")


@pytest.mark.parametrize(
    "ends", [(0.5, 1), (-0.5, 1), (-1, 1), (2,), (0.5, 2.5), (1, 3)]
)
def test_arange_of_bool(ends):
    assert cp.arange(*ends, dtype="?").tolist() == np.arange(*ends, dtype="?").tolist()


@pytest.mark.parametrize("dtype", "?bBhHiIlLefdFD")
def test_patterns_of_every_dtype(dtype):
    same(cp.linspace(0, 100, 7, dtype=dtype), np.linspace(0, 100, 7, dtype=dtype))
    same(cp.linspace(3, -9, 1, dtype=dtype), np.linspace(3, -9, 1, dtype=dtype))
    for n, m, k in [(3, 4, 0), (4, 3, -1), (3, 4, 2), (2, 3, -9), (2, 3, 9), (0, 3, 0)]:
        same(cp.tri(n, m, k, dtype), np.tri(n, m, k, dtype))
    if dtype != "?":
        same(cp.indices((2, 3, 4), dtype), np.indices((2, 3, 4), dtype))
    x = np.array([0, 1, 3, 7]).astype(dtype)
    for n in (0, 1, 2, 5):
        same(cp.vander(cp.array(x), n), np.vander(x, n))
        same(cp.vander(cp.array(x)[::-1], n, True), np.vander(x[::-1], n, True))


@pytest.mark.parametrize("dtype", "?hfdD")
def test_triangles_of_every_layout(dtype):
    a = np.arange(2 * 5 * 6).reshape(2, 5, 6).astype(dtype)
    given = [a, a[0], a[0].T, a[1, :, ::2], a[1, ::-1], a.transpose(1, 0, 2), a[:, :0]]
    given.append(np.arange(3 * 17 * 19).reshape(3, 17, 19).astype(dtype))
    for x in given:
        y = cp.array(x)
        for k in (-7, -1, 0, 2, 7):
            same(cp.tril(y, k), np.tril(x, k))
            same(cp.triu(y, k), np.triu(x, k))
    same(cp.tril(cp.array(a)[:, ::-1, ::2]), np.tril(a[:, ::-1, ::2]))
    same(cp.triu(cp.array(a)[0].T, 1), np.triu(a[0].T, 1))
    same(cp.tril(cp.array(a)[1, 2]), np.tril(a[1, 2]))


def test_indices_of_many_axes():
    for ndim in range(10):
        shape = (2, 1, 3, 1, 2, 1, 2, 1, 1, 2)[:ndim]
        same(cp.indices(shape), np.indices(shape))


@pytest.mark.parametrize("endpoint", [True, False])
@pytest.mark.parametrize("num", [0, 1, 2, 7])
def test_logspace_and_geomspace_as_numpy(num, endpoint):
    for start, stop, base in ((0, 3, 10.0), (-2.5, 4, 2), (1, 1, 3), (0, 5e-324, 10)):
        for dtype in (None, "f4", "f2", "i8", "i2"):
            if dtype in ("i8", "i2") and start < 0:
                continue
            args = start, stop, num, endpoint, base, dtype
            got, want = cp.logspace(*args), np.logspace(*args)
            assert got.dtype == want.dtype
            np.testing.assert_allclose(got.get(), want, 1e-3 if dtype == "f2" else 1e-6)
    ends = ((1, 1000), (-8, -1.5), (1e-300, 1e300), (2, 2))
    arrays = np.array([1.0, -3.0]), np.array([[2.0], [9.0]])
    for start, stop in (*ends, (1j, 16j), (-1 + 0j, 1 + 0j), (1.0, np.array([2, 4]))):
        for dtype in (None, "f4", "D"):
            if dtype == "f4" and isinstance(start, complex):
                continue
            want = np.geomspace(start, stop, num, endpoint, dtype)
            there = cp.array(stop) if isinstance(stop, np.ndarray) else stop
            got = cp.geomspace(start, there, num, endpoint, dtype)
            assert got.dtype == want.dtype
            np.testing.assert_allclose(got.get(), want, 1e-6, 1e-12)
            if num > 1 and endpoint and dtype is None:
                np.testing.assert_array_equal(got[[0, -1]].get(), want[[0, -1]])
    with np.errstate(all="ignore"):
        want = np.geomspace(abs(arrays[0]), arrays[1], num, endpoint, axis=-1)
        got = cp.geomspace(
            *map(cp.array, (abs(arrays[0]), arrays[1])), num, endpoint, axis=-1
        )
    np.testing.assert_allclose(got.get(), want, 1e-12)


def test_geomspace_from_zero():
    for xp in (np, cp):
        for ends in ((0, 1), (xp.array([1.0, 0.0]), 3), (2, 0.0)):
            with pytest.raises(ValueError, match="cannot include zero"):
                xp.geomspace(*ends)
        with pytest.raises(ValueError, match="non-negative"):
            xp.geomspace(1, 2, -1)


def test_mgrid_from_zero():
    for key in (
        np.s_[0:3, :4],
        np.s_[0:3, 0:0],
        np.s_[:2, 0:3, 0:2:1],
        np.s_[0.0:3, :2],
    ):
        same(cp.mgrid[key], np.mgrid[key])
        for got, want in zip(cp.ogrid[key], np.ogrid[key], strict=True):
            same(got, want)
    for key in (
        np.s_[1:3, :4],
        np.s_[0:4:2, :3],
        np.s_[0:1:3j, 0:2],
        np.s_[0:2.5, 0:2],
    ):
        same(cp.mgrid[key], np.mgrid[key], exact=False)


@pytest.mark.parametrize("indexing", ["xy", "ij"])
@pytest.mark.parametrize("sizes", [(5,), (3, 2), (1, 4), (4, 1), (2, 0), (2, 3, 4, 5)])
def test_meshgrid(sizes, indexing):
    for dtype in "?bhfdDe":
        mine = [cp.arange(2 * n).astype(dtype)[::-2] for n in sizes]
        theirs = [x.get() for x in mine]
        for options in ({}, {"copy": False}, {"sparse": True}):
            made = cp.meshgrid(*mine, indexing=indexing, **options)
            expected = np.meshgrid(*theirs, indexing=indexing, **options)
            for x, y in zip(made, expected, strict=True):
                assert x.dtype == y.dtype
                np.testing.assert_array_equal(x.get(), y, strict=True)
                if not options:
                    assert x.flags.c_contiguous
    mixed = [cp.arange(n).astype(t) for n, t in zip(sizes, "dfil", strict=False)]
    expected = np.meshgrid(*(x.get() for x in mixed), indexing=indexing)
    for x, y in zip(cp.meshgrid(*mixed, indexing=indexing), expected, strict=True):
        np.testing.assert_array_equal(x.get(), y, strict=True)


def test_meshgrid_of_matrices_and_one_vector_twice():
    a = cp.arange(6.0).reshape(2, 3).T
    x = cp.arange(3.0)
    for mine in ([a, x], [x, x, x], [x[1], 2.0]):
        theirs = [x.get() if isinstance(x, cp.ndarray) else x for x in mine]
        for u, v in zip(cp.meshgrid(*mine), np.meshgrid(*theirs), strict=True):
            np.testing.assert_array_equal(u.get(), v, strict=True)
    one, other = cp.meshgrid(x, x)
    one[...] = 7  # memory of its own
    np.testing.assert_array_equal(other.get(), np.meshgrid(x.get(), x.get())[1])
    assert x[0] == 0


@pytest.mark.parametrize("dtype", [None, "f8", "f4", "i8", "i4", "u1", "c8", "?"])
@pytest.mark.parametrize(
    "numbers",
    [
        [1, 2],
        [1.0, 2],
        (1.5, -0.0, 3),
        [True, 1],
        [2**63, 1],
        [1, 2**62],
        [2**53 + 1, 1.0],
        [float("nan"), float("inf"), 1],
        [3e38, 3.5e38],
        [-1, 5],
        [i / 7 for i in range(1000)],
    ],
    ids=lambda numbers: f"{numbers[0]}, {numbers[1]}, …",
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_lists_of_numbers(numbers, dtype):
    """Plain ones are read without NumPy, and are what NumPy makes of them."""
    try:
        want = np.array(numbers, dtype)
    except (OverflowError, ValueError) as error:
        with pytest.raises(type(error)):
            cp.array(numbers, dtype)
        return
    got = cp.array(numbers, dtype)
    assert (got.dtype, got.shape) == (want.dtype, want.shape)
    assert got.get().tobytes() == want.tobytes()


@pytest.mark.parametrize("name", ["ascontiguousarray", "asfortranarray"])
def test_contiguous_arrays_have_an_axis(name):
    """As in NumPy and CuPy; a view where nothing is converted."""
    convert, x = getattr(cp, name), cp.ones(())
    for value in (x, 3.5, cp.ones((2, 3))[1, 2]):
        assert convert(value).shape == (1,)
        assert convert(value, "i4").shape == (1,)
        assert convert(value, dtype="i4").dtype == np.int32
    assert cp.shares_memory(convert(x), x)
    assert x.shape == ()
    y = cp.ones((2, 3), order="C" if name == "ascontiguousarray" else "F")
    assert convert(y) is y
