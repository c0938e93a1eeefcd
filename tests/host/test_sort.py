"""sort, argsort and partition of the host device."""

import host_plugin as hp
import numpy as np
import pytest
from host_plugin import KNOWN

import cupric as cp

KTH = 20


def run(host, data, order=None, stable=False, descending=False, kth=-1):
    args = hp.Sort(hp.view(data), None, None, stable, descending, kth)
    if order is not None:
        args.order = order.ctypes.data
    host.call("sort", args, None)


@pytest.fixture(params=[(100,), (5, 40), (3, 4, 1000), (0,), (3, 0)], ids=str)
def shape(request):
    return request.param


def sample(shape, dtype):
    """Data with ties and NaNs; the same in a dtype that NumPy sorts as it should."""
    a = hp.values(np.random.default_rng(0), shape, dtype, 0, 50)
    if a.dtype.kind in "fcV":
        a.ravel()[:7] = np.nan
    return a, a.astype("f") if a.dtype.kind == "V" else a.copy()


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("stable", [False, True])
@pytest.mark.parametrize("dtype", KNOWN, ids=str)
def test_sort(host, dtype, shape, stable, descending):
    a, known = sample(shape, dtype)
    run(host, a, stable=stable, descending=descending)
    expected = np.sort(known, kind="stable")
    expected = expected[..., ::-1] if descending else expected
    np.testing.assert_array_equal(a.astype(known.dtype), expected)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", KNOWN, ids=str)
@pytest.mark.parametrize("n", range(1, 10))
def test_rows_of_a_few_elements(host, n, dtype, descending):
    a, known = sample((60, n), dtype)
    if a.dtype.kind in "fcV":
        a.ravel()[50:60] = known.ravel()[50:60] = [np.inf, -np.inf, -0.0, 0.0, -1] * 2
    elif a.dtype.kind in "iu":
        ends = np.iinfo(dtype).min, np.iinfo(dtype).max
        a.ravel()[50:60] = known.ravel()[50:60] = ends * 5
    parts = a.copy()
    expected = np.sort(known, axis=1)[:, :: -1 if descending else 1]
    run(host, a, descending=descending)
    np.testing.assert_array_equal(a.astype(known.dtype), expected)
    run(host, parts, descending=descending, kth=n // 2)
    kth = parts.astype(known.dtype)[:, n // 2]
    np.testing.assert_array_equal(kth, expected[:, n // 2])


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", KNOWN, ids=str)
def test_stable_argsort(host, dtype, shape, descending):
    a, known = sample(shape, dtype)
    order = np.empty(shape, "l")
    run(host, a, order, stable=True, descending=descending)
    if descending:
        turned = np.argsort(known[..., ::-1], stable=True)[..., ::-1]
        expected = shape[-1] - 1 - turned
    else:
        expected = np.argsort(known, stable=True)
    assert (order == expected).all()
    np.testing.assert_array_equal(a.astype(known.dtype), known)  # as it was


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", KNOWN, ids=str)
def test_partition(host, dtype, descending):
    a, known = sample((3, 100), dtype)
    expected = np.sort(known, kind="stable")
    expected = (expected[..., ::-1] if descending else expected)[..., KTH]
    order = np.empty(a.shape, "l")
    run(host, a, order, descending=descending, kth=KTH)
    taken = np.take_along_axis(known, order, -1)[..., KTH]
    np.testing.assert_array_equal(taken, expected)
    run(host, a, descending=descending, kth=KTH)
    np.testing.assert_array_equal(a.astype(known.dtype)[..., KTH], expected)


@pytest.mark.parametrize("dtype", [t for t in KNOWN if t.itemsize == 2], ids=str)
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast")
def test_every_value_of_16_bits(host, dtype):
    rng = np.random.default_rng(1)
    bits = rng.permutation(np.arange(1 << 16).astype("H"))
    known = bits.view(dtype).astype("d")
    a = bits.view(dtype).copy()
    run(host, a)
    np.testing.assert_array_equal(a.astype("d"), np.sort(known, kind="stable"))
    np.testing.assert_array_equal(np.sort(a.view("H")), np.arange(1 << 16))
    order = np.empty(bits.shape, "l")
    run(host, bits.view(dtype), order, stable=True)
    np.testing.assert_array_equal(order, np.argsort(known, stable=True))
    a = bits.view(dtype).copy()
    run(host, a, descending=True)
    np.testing.assert_array_equal(a.astype("d"), np.sort(known, kind="stable")[::-1])


@pytest.mark.parametrize("dtype", [*"?bBhHiIlLefdFD"])
def test_orders_of_short_rows(dtype):
    """Of every length at which another way may be taken, with many equal elements, the
    least and the greatest ones."""
    rng = np.random.default_rng(3)
    for n in range(1, 260):
        a = rng.integers(-9, 9, (3, n)).astype(dtype)
        few = rng.integers(0, n, 4)
        if np.dtype(dtype).kind in "fc":
            a[0, few] = [np.nan, np.inf, -np.inf, -0.0]
        elif dtype != "?":
            least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
            a[0, few] = [least, most, most, least]
        got = cp.argsort(cp.array(a), axis=1, kind="stable")
        np.testing.assert_array_equal(got.get(), np.argsort(a, axis=1, kind="stable"))


@pytest.mark.parametrize("dtype", ["l", "L", "d", "F", "D"])
def test_orders_of_short_rows_of_long_ranks(dtype):
    """With elements that differ in few bits, less than from others, and with
    one that is far from all."""
    rng = np.random.default_rng(8)
    for n in [*range(1, 34), 48, 49, 63, 64, 65, 96, 127, 128, 129, 192]:
        low = rng.integers(0, 9, (6, n))
        a = low.astype(dtype)
        a[1] = low[1] + (np.array(1 << 50) * (low[2] > 4)).astype(dtype)
        a[2] = rng.permutation(n)
        a[2, n // 2] = 1 << 62
        a[3] = np.arange(n)[::-1]
        a[3, -1] = 1 << 62
        a[4] = rng.integers(0, 1 << 62, n)
        a[5] = a[4] + (low[5] - 4).astype(dtype)
        if dtype in "FD":
            a.imag = low[::-1]
        x = cp.asarray(a)
        for ours, theirs in ((x, a), (x[:, ::-1], a[:, ::-1]), (-x, -a)):
            got = cp.argsort(ours, axis=1, kind="stable").get()
            np.testing.assert_array_equal(
                got, np.argsort(theirs, axis=1, kind="stable")
            )


@pytest.mark.parametrize("dtype", [*"?bBhHiIlLefdFD"])
def test_partitions_of_short_rows(dtype):
    rng = np.random.default_rng(9)
    for n in (1, 2, 3, 8, 9, 16, 17, 63, 64, 65, 192, 193, 300):
        a = rng.integers(0, 50, (4, n)).astype(dtype)
        x = cp.asarray(a)
        for k in {0, min(1, n - 1), n // 2, n - 1}:
            order = cp.argpartition(x, k, axis=1).get()
            np.testing.assert_array_equal(np.sort(order, 1), [np.arange(n)] * 4)
            taken = np.take_along_axis(a, order, 1)
            np.testing.assert_array_equal(taken[:, k], np.sort(a, 1)[:, k])
            assert (taken[:, :k] <= taken[:, k : k + 1]).all()
            assert (taken[:, k:] >= taken[:, k : k + 1]).all()


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", ["b", "B", "h", "H"])
def test_short_rows_of_short_integers(host, dtype, descending):
    rng = np.random.default_rng(10)
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    lengths = [*range(1, 36), 63, 64, 65, 100, 254, 255, 256, 257, 1023, 1024, 1025]
    for n in lengths:
        a = rng.integers(least, most, (5, n), dtype, endpoint=True)
        a[1] = least
        a[2] = rng.choice([least, most, 0, 7], n)
        a[3] = np.sort(a[3])[::-1]
        expected = np.sort(a, 1)[:, :: -1 if descending else 1]
        given = a.copy()
        run(host, given, descending=descending)
        np.testing.assert_array_equal(given, expected)
        for kth in {0, min(2, n - 1), n // 2, n - 1}:
            given = a.copy()
            run(host, given, descending=descending, kth=kth)
            np.testing.assert_array_equal(given[:, kth], expected[:, kth])
            np.testing.assert_array_equal(
                np.sort(given[:, :kth], 1), np.sort(expected[:, :kth], 1)
            )
        x = cp.asarray(a)
        np.testing.assert_array_equal(cp.sort(x, axis=1).get(), np.sort(a, 1))
        np.testing.assert_array_equal(cp.sort(x[:, ::-1]).get(), np.sort(a, 1))
        np.testing.assert_array_equal(cp.median(x, axis=1).get(), np.median(a, 1))
