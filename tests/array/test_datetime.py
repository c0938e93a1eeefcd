"""Times: eight bytes that are moved, viewed and compared for equality."""

import io

import numpy as np
import pytest

import cupric as cp


def check_same(got, expected):
    """By value: bytes between the fields of a structure mean nothing."""
    got = got.get()
    assert got.dtype == expected.dtype
    assert got.shape == expected.shape
    assert str(got) == str(expected)


UNITS = ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"]
TIMES = [
    np.array(["2020-01-01", "NaT", "1969-12-31T23:59:59", "2021-02-03"], "M8[s]"),
    np.array([5, -3, "NaT", 0], "m8[ms]"),
]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("kind", ["M8", "m8"])
def test_units(device, kind, unit):
    x = np.arange(-3, 3).astype(f"{kind}[{unit}]")
    got = cp.asarray(x)
    assert got.dtype == x.dtype
    assert got.itemsize == 8
    np.testing.assert_array_equal(got.get(), x)
    np.testing.assert_array_equal(got.view("i8").get(), np.arange(-3, 3))
    assert got.tolist() == x.tolist()
    assert got.item(1) == x.item(1)


def test_made_from(device):
    for given, dtype in [
        ("2020-01-01", "M8[D]"),
        (["2020", "2021"], "M8[Y]"),
        ([5, 6], "m8[s]"),
        (7, "m8[3h]"),
        (np.datetime64("2020-01-01T10"), None),
        ([np.timedelta64(3, "m")], None),
        (np.array(["2020-01"], "M8[M]"), "M8[D]"),
    ]:
        check_same(cp.array(given, dtype=dtype), np.array(given, dtype=dtype))
    assert cp.empty_like(cp.zeros(3, "M8[s]")).dtype == "M8[s]"


def test_view_and_back(device):
    x = cp.arange(4)
    times = x.view("M8[s]")
    times[1] = "2020-01-01"
    assert int(x[1]) == 1577836800
    assert times.view("i8").base is x


def test_values_written(device):
    x, want = cp.zeros(4, "M8[s]"), np.zeros(4, "M8[s]")
    for a in (x, want):
        a[0] = "2020-01-01"
        a[1] = np.datetime64("2000", "Y")
        a[2:] = ["NaT", "2001-01-01"]
    np.testing.assert_array_equal(x.get(), want)


def test_compared_with_scalars(device):
    x = cp.asarray(TIMES[0])
    for other in ("2020-01-01", np.datetime64("2020-01-01"), np.datetime64("NaT")):
        np.testing.assert_array_equal((x == other).get(), TIMES[0] == other)
        np.testing.assert_array_equal((x != other).get(), TIMES[0] != other)


def test_compared_in_other_units(device):
    x = TIMES[0]
    got = cp.asarray(x) == cp.asarray(x.astype("M8[ms]"))
    np.testing.assert_array_equal(got.get(), x == x.astype("M8[ms]"))
    with pytest.raises(TypeError, match="cannot be compared"):
        cp.asarray(x) == cp.zeros(4, "m8[s]")  # noqa: B015


@pytest.mark.parametrize(
    ("old", "new"),
    [("s", "ms"), ("ms", "D"), ("Y", "M"), ("M", "Y"), ("W", "D"), ("3h", "7m")],
)
@pytest.mark.parametrize("kind", ["M8", "m8"])
def test_units_converted(device, kind, old, new):
    x = np.array([-1500, -1, "NaT", 0, 25, 10**6]).astype(f"{kind}[{old}]")
    got = cp.asarray(x).astype(f"{kind}[{new}]")
    check_same(got, x.astype(f"{kind}[{new}]"))


def test_conversion_refused(device):
    with pytest.raises(TypeError, match=r"x\.view\('int64'\)"):
        cp.zeros(3, "M8[s]").astype("f8")
    with pytest.raises(TypeError, match="cannot convert"):
        cp.zeros(3, "M8[M]").astype("M8[D]")
    with pytest.raises(TypeError, match="rule 'safe'"):
        cp.zeros(3, "M8[ms]").astype("M8[s]", casting="safe")


def test_files(device):
    f = io.BytesIO()
    cp.save(f, cp.asarray(TIMES[0]))
    f.seek(0)
    np.testing.assert_array_equal(cp.load(f).get(), TIMES[0])


def test_dlpack_has_no_name_for_them(device):
    with pytest.raises(BufferError, match=r"x\.view\('int64'\)"):
        cp.zeros(3, "M8[s]").__dlpack__()


def test_compared_with_the_scalar_first(device):
    x = cp.asarray(TIMES[0])
    for text in ("2020-01-01", "NaT", "2020", "2021-02"):
        other = np.datetime64(text)
        np.testing.assert_array_equal((other == x).get(), other == TIMES[0])
        np.testing.assert_array_equal((other != x).get(), other != TIMES[0])
        np.testing.assert_array_equal(cp.equal(x, other).get(), TIMES[0] == other)


@pytest.mark.parametrize("text", ["2020-01-01", "NaT", "2020-01-01T00:00:00.5"])
def test_where_takes_scalars(device, text):
    other, mask = np.datetime64(text), [True, False, False, True]
    x, chosen = cp.asarray(TIMES[0]), cp.asarray(mask)
    check_same(cp.where(chosen, x, other), np.where(mask, TIMES[0], other))
    check_same(cp.where(chosen, other, x), np.where(mask, other, TIMES[0]))
    check_same(cp.where(chosen, other, other), np.where(mask, other, other))
    with pytest.raises(TypeError):
        cp.where(chosen, cp.arange(4.0), other)


def test_scalars_do_not_compute(device):
    x, one = cp.asarray(TIMES[1]), np.timedelta64(1, "s")
    for operation in (cp.add, cp.less, cp.maximum):
        with pytest.raises(TypeError, match="timedelta64"):
            operation(x, one)
    with pytest.raises(TypeError):
        one + x


@pytest.mark.parametrize("name", ["equal", "not_equal"])
def test_comparison_into_an_array(device, name):
    n = TIMES[0]
    x, mask = cp.asarray(n), np.array([True, False, True, False])
    f, g = getattr(np, name), getattr(cp, name)
    for dtype in "?ld":
        want, got = np.full((2, 4), 7, dtype), cp.full((2, 4), 7, dtype)
        f(n, n[::-1], out=want, where=mask)
        assert g(x, x[::-1], out=got, where=cp.asarray(mask)) is got
        np.testing.assert_array_equal(got.get(), want)
        f(n, n[::-1], want)
        g(x, x[::-1], got)
        np.testing.assert_array_equal(got.get(), want)
    for a, e, m in ((n, f, np), (x, g, cp)):
        with pytest.raises(TypeError, match=f"Cannot cast ufunc '{name}' output"):
            e(a, a, out=a.copy())
        with pytest.raises(TypeError, match="Cannot cast"):
            e(a, a, out=m.zeros(4, "l"), casting="no")
        with pytest.raises(ValueError, match="broadcast"):
            e(a, a, out=m.zeros(3, "?"))


def test_comparison_of_structures_into_an_array(device):
    x = cp.asarray(np.array([(1, 2.0), (3, 4.0)], "i4,f8"))
    out = cp.ones(2, "l")
    assert cp.equal(x, x[::-1], out=out) is out
    assert out.tolist() == [0, 0]
    assert cp.not_equal(x, x[:1], out=out, where=cp.array([False, True])) is out
    assert out.tolist() == [0, 1]
