"""take, put, choose, select, place, … and what makes indices, against NumPy."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cupric as cp


def same(got, want):
    if isinstance(want, tuple | list):
        assert len(got) == len(want)
        for g, w in zip(got, want, strict=True):
            same(g, w)
        return
    assert isinstance(got, cp.ndarray)
    assert got.shape == np.shape(want)
    assert got.dtype == np.asarray(want).dtype
    np.testing.assert_array_equal(got.get(), want)


def make(shape, dtype="i8"):
    a = ((np.arange(int(np.prod(shape))) * 7 + 3) % 11).astype(dtype).reshape(shape)
    return a, cp.array(a)


@pytest.mark.parametrize("axis", [None, 0, 1, -1])
@pytest.mark.parametrize("indices", [1, [0, 1], [[1, -1], [0, 0]], []])
def test_take(indices, axis):
    a, d = make((3, 4))
    index = np.array(indices, int)
    same(cp.take(d, cp.array(index), axis), np.take(a, index, axis))
    same(cp.take(d.T, index, axis), np.take(a.T, index, axis))
    same(d.take(indices, axis), np.take(a, index, axis))
    want = np.take(a, index, axis)
    out = cp.empty(want.shape, a.dtype)
    assert cp.take(d, index, axis, out) is out
    same(out, want)


def test_take_errors():
    d = cp.arange(6).reshape(2, 3)
    with pytest.raises(IndexError, match="non-empty take from an empty axes"):
        cp.take(cp.zeros((0, 2)), [0], 0)
    with pytest.raises(np.exceptions.AxisError):
        cp.take(d, [0], 2)
    with pytest.raises(TypeError):
        cp.take(d, 1.5)
    with pytest.raises(ValueError, match="does not match"):
        cp.take(d, [0, 1], 0, cp.zeros((3, 3), int))
    assert cp.take(d, [7], 0).tolist() == [[3, 4, 5]]


def test_take_overlapping_out():
    a, d = make((5,))
    cp.take(d, [4, 3, 2, 1, 0], out=d)
    same(d, a[::-1])


@given(st.data())
def test_along_axis(data):
    shape = tuple(data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=3)))
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    a, d = make(shape)
    part = list(shape)
    part[axis] = data.draw(st.integers(0, 4))
    n = shape[axis]
    for i in range(len(part)):
        if i != axis % len(part) and data.draw(st.integers(0, 3)) == 0:
            part[i] = 1
    index = np.array(
        data.draw(
            st.lists(
                st.integers(-n, n - 1),
                min_size=int(np.prod(part)),
                max_size=int(np.prod(part)),
            )
        ),
        int,
    ).reshape(part)
    want = np.take_along_axis(a, index, axis)
    same(cp.take_along_axis(d, cp.array(index), axis), want)
    value = np.arange(want.size).reshape(want.shape) + 100
    np.put_along_axis(a, index, value, axis)
    cp.put_along_axis(d, cp.array(index), cp.array(value), axis)
    same(d, a)


def test_along_no_axis():
    a, d = make((3, 4))
    same(
        cp.take_along_axis(d.T, cp.array([1, 5]), None),
        np.take_along_axis(a.T, np.array([1, 5]), None),
    )
    np.put_along_axis(a, np.array([1, 5]), 50, None)
    cp.put_along_axis(d, cp.array([1, 5]), 50, None)
    same(d, a)


def test_put_as_a_method_has_its_names_of_parameters():
    a, d = np.arange(4), cp.arange(4)
    a.put(indices=np.array([1, 5]), values=[7, 8], mode="clip")
    d.put(indices=cp.array([1, 5]), values=cp.array([7, 8]), mode="clip")
    np.testing.assert_array_equal(d.get(), a)


@pytest.mark.parametrize("values", [5, [1, 2], [1, 2, 3, 4, 5, 6, 7], 2.5])
def test_put(values):
    for transposed in (False, True):
        a, d = make((3, 4))
        index = [0, 5, -1, 2]
        v = values if np.ndim(values) == 0 else cp.array(values)
        np.put(a.T if transposed else a, index, values)
        if transposed:
            # NumPy puts into a copy of a transposed array back, too.
            cp.put(d.T, index, v)
        else:
            cp.put(d, index, v)
        same(d, a)


def test_put_modes():
    a, d = make((5,))
    np.put(a, [7, -9], [1, 2], mode="wrap")
    cp.put(d, [7, -9], cp.array([1, 2]))
    same(d, a)
    np.put(a, [7, -9], [3, 4], mode="clip")
    cp.put(d, [7, -9], cp.array([3, 4]), mode="clip")
    same(d, a)
    with pytest.raises(IndexError):
        cp.put(d, [7], 1, mode="raise")
    with pytest.raises(ValueError, match="mode must be"):
        cp.put(d, [0], 1, mode="x")
    with pytest.raises(ValueError, match="read-only"):
        cp.put(cp.broadcast_to(d, (2, 5)), [0], 1)
    same(d, a)


def test_choose():
    choices = [make((3, 4), t) for t in ("i4", "f4", "i8")]
    which = np.array([[0], [2], [1]])
    args = [c for c, _ in choices], [c for _, c in choices]
    same(cp.choose(cp.array(which), args[1]), np.choose(which, args[0]))
    for mode in ("wrap", "clip"):
        want = np.choose(which * 3 - 2, args[0], mode=mode)
        same(cp.choose(cp.array(which * 3 - 2), args[1], mode=mode), want)
    with pytest.raises(ValueError, match="invalid entry in choice array"):
        cp.choose(cp.array(which + 1), args[1])
    out = cp.zeros((3, 4))
    assert cp.array(which).choose(args[1], out=out) is out


def test_compress_extract_place():
    a, d = make((3, 4))
    condition = np.array([True, False, True])
    same(cp.compress(cp.array(condition), d, 0), np.compress(condition, a, 0))
    same(cp.compress([1, 0, 1], d, 1), np.compress(condition, a, 1))
    same(cp.compress(cp.array(condition), d), np.compress(condition, a))
    same(cp.extract(d > 3, d), np.extract(a > 3, a))
    np.place(a, a > 3, [1, 2, 3])
    cp.place(d, d > 3, cp.array([1, 2, 3]))
    same(d, a)
    with pytest.raises(ValueError, match="same size"):
        cp.place(d, d[0] > 3, 1)
    with pytest.raises(ValueError, match="empty array"):
        cp.place(d, d >= 0, cp.array([], int))


def test_putmask():
    for values in (5, [1, 2, 3], np.arange(12).reshape(3, 4)):
        a, d = make((3, 4))
        np.putmask(a, a > 3, values)
        cp.putmask(d, d > 3, values if np.ndim(values) == 0 else cp.array(values))
        same(d, a)
    with pytest.raises(ValueError, match="same size"):
        cp.putmask(d, cp.array([True]), 1)
    with pytest.raises(TypeError, match="Cannot cast"):
        cp.putmask(d, d > 3, cp.zeros((3, 4)))


def test_select():
    a, d = make((3, 4))
    for default in (0, 7, 1.5):
        want = np.select([a < 3, a > 8], [a, a * 10], default)
        same(cp.select([d < 3, d > 8], [d, d * 10], default), want)
    with pytest.raises(ValueError, match="same length"):
        cp.select([d < 3], [d, d])
    with pytest.raises(ValueError, match="not possible"):
        cp.select([], [])


def test_where():
    a, d = make((3, 4))
    same(cp.where(d > 3), np.where(a > 3))
    for x, y in ((a, 0), (1.5, a), (a, a.astype("f4")), (1, 0), (a[:1], a[:, :1])):
        dx, dy = (cp.array(v) if isinstance(v, np.ndarray) else v for v in (x, y))
        same(cp.where(d > 3, dx, dy), np.where(a > 3, x, y))
        same(cp.where(d, dx, dy), np.where(a, x, y))
    with pytest.raises(ValueError, match="both 'x' and 'y'"):
        cp.where(d, 1)


@pytest.mark.parametrize("shape", [(3, 4), (4, 3), (7, 2), (3, 3, 3), (0, 3)])
@pytest.mark.parametrize("wrap", [False, True])
def test_fill_diagonal(shape, wrap):
    for value in (9, [1, 2]):
        a, d = make(shape)
        np.fill_diagonal(a, value, wrap)
        cp.fill_diagonal(d, value if np.ndim(value) == 0 else cp.array(value), wrap)
        same(d, a)


def test_diagonal_is_a_view():
    a, d = make((3, 4))
    same(cp.diagonal(d, 1), np.diagonal(a, 1))
    cp.diagonal(d)[:] = 0
    np.fill_diagonal(a, 0)
    same(d, a)


def test_index_makers():
    same(cp.indices((2, 3)), np.indices((2, 3)))
    same(cp.indices((2, 3), "i4"), np.indices((2, 3), "i4"))
    same(cp.ix_([0, 1], [True, False, True]), np.ix_([0, 1], [True, False, True]))
    same(cp.ix_(cp.array([0, 1]), []), np.ix_([0, 1], []))
    same(cp.tril_indices(3, 1, 4), np.tril_indices(3, 1, 4))
    same(cp.triu_indices(3), np.triu_indices(3))
    a, d = make((3, 4))
    same(cp.tril_indices_from(d), np.tril_indices_from(a))
    same(cp.triu_indices_from(d, 1), np.triu_indices_from(a, 1))
    same(cp.diag_indices(3, 3), np.diag_indices(3, 3))
    same(cp.mask_indices(3, cp.triu), np.mask_indices(3, np.triu))
    with pytest.raises(ValueError, match="1 dimensional"):
        cp.ix_([[1]])


JOINERS = [
    lambda m, a: m.r_[a, 0, 0, a],
    lambda m, a: m.r_[1:5],
    lambda m, a: m.r_[0:1:5j],
    lambda m, a: m.r_[1:4, 0, 4],
    lambda m, a: m.r_["0,2", a, a],
    lambda m, a: m.r_["-1", a, a],
    lambda m, a: m.r_["0,2,0", a, a],
    lambda m, a: m.r_["1,2,0", a, a],
    lambda m, a: m.c_[a, a],
    lambda m, a: m.c_[a, 2 * a, a],
    lambda m, a: m.mgrid[0:3, 0:2],
    lambda m, a: m.mgrid[0:3],
    lambda m, a: m.mgrid[-1:1:5j, 0:2],
    lambda m, a: m.ogrid[0:3, 0:2],
    lambda m, a: m.ogrid[0:3:2],
]


@pytest.mark.parametrize("call", JOINERS)
def test_joiners(call):
    a, d = make((3,))
    same(call(cp, d), call(np, a))


@given(st.data())
def test_ravel_and_unravel(data):
    dims = tuple(data.draw(st.lists(st.integers(1, 5), min_size=1, max_size=3)))
    order = data.draw(st.sampled_from("CF"))
    flat = np.arange(int(np.prod(dims)))
    want = np.unravel_index(flat, dims, order)
    got = cp.unravel_index(cp.array(flat), dims, order)
    same(got, want)
    same(cp.ravel_multi_index(got, dims, order=order), flat)
    off = tuple(x * 3 - 4 for x in want)
    for mode in ("wrap", "clip"):
        same(
            cp.ravel_multi_index(tuple(map(cp.array, off)), dims, mode, order),
            np.ravel_multi_index(off, dims, mode, order),
        )


def test_unravel_errors():
    with pytest.raises(ValueError, match="out of bounds"):
        cp.unravel_index(cp.array([6]), (2, 3))
    with pytest.raises(TypeError):
        cp.unravel_index(cp.array([1.5]), (2, 3))
    with pytest.raises(ValueError, match="invalid entry in coordinates"):
        cp.ravel_multi_index((cp.array([2]),), (2,), "raise")


def test_flat():
    for transposed in (False, True):
        a, d = make((3, 4))
        if transposed:
            a, d = a.T, d.T
        assert len(d.flat) == a.size
        assert [int(x) for x in d.flat] == list(a.flat)
        for key in (3, slice(2, None, 3), [0, 5], -1):
            same(d.flat[key], a.flat[key])
        a.flat[[1, 2]], d.flat[[1, 2]] = 50, 50
        a.flat[3:6], d.flat[3:6] = [7, 8], cp.array([7, 8])
        a.flat[0], d.flat[0] = 99, 99
        same(d, a)
        d.flat = 1
        assert (d.get() == 1).all()
    with pytest.raises(IndexError):
        d.flat[100]
    with pytest.raises(IndexError):
        d.flat[100] = 1


@pytest.mark.parametrize("axis", [(), (0, 1), (0, 1, 2), [0], "x", 1.5])
def test_axis_must_be_one(axis):
    d = cp.zeros((2, 2, 2))
    for call in (
        lambda: cp.take(d, [0], axis),
        lambda: cp.take_along_axis(d, d.astype(int), axis),
        lambda: cp.concatenate((d, d), axis),
        lambda: d.swapaxes(axis, 0),
        lambda: d.diagonal(0, axis, 0),
    ):
        with pytest.raises(TypeError):
            call()


@pytest.mark.parametrize("index", [[[0], [7]], [[-4], [0]]])
def test_check_along_axis(monkeypatch, index):
    monkeypatch.setenv("CUPRIC_CHECK", "1")
    x, where = cp.arange(6).reshape(2, 3), cp.array(index)
    with pytest.raises(IndexError, match="out of bounds for axis 1 with size 3"):
        cp.take_along_axis(x, where, 1)
    with pytest.raises(IndexError, match="out of bounds for axis 1 with size 3"):
        cp.put_along_axis(x, where, 9, 1)
    with pytest.raises(IndexError, match="out of bounds"):
        cp.put_along_axis(x, where.ravel() * 3, 9, None)
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]


def overlaps():
    """Stores into an array by a mask that is another view of it."""

    def bits(m):
        return m.array([True, False, True, True, False, False])

    def by_setitem(m):
        x = bits(m)
        x[::-1][x] = False
        return x

    def by_copyto(m):
        x = bits(m)
        m.copyto(x[::-1], False, where=x)
        return x

    def by_putmask(m):
        x = bits(m)
        m.putmask(x[::-1], x, x)
        return x

    def by_itself(m):
        x = bits(m)
        x[x] = False
        return x

    return [by_setitem, by_copyto, by_putmask, by_itself]


@pytest.mark.parametrize("store", overlaps(), ids=lambda f: f.__name__)
def test_masks_that_overlap_what_is_stored_to(store):
    np.testing.assert_array_equal(store(cp).get(), store(np))


def test_putmask_converts_arrays_safely_only():
    a, mask = cp.zeros(2, "f"), cp.ones(2, bool)
    with pytest.raises(TypeError, match="'safe'"):
        cp.putmask(a, mask, cp.ones(2))
    cp.putmask(a, mask, [1.5, 2])
    assert a.tolist() == [1.5, 2]


def test_empty_axes():
    """An error where there would be elements, and only there."""
    for xp in (np, cp):
        assert xp.take(xp.zeros((0, 0, 3)), 0, axis=1).shape == (0, 3)
        assert xp.zeros((0, 0)).compress([True], axis=1).shape == (0, 1)
        with pytest.raises(IndexError, match="empty ax"):
            xp.take(xp.zeros((2, 0)), 0, axis=1)
        with pytest.raises(IndexError, match="empty array"):
            xp.put(xp.zeros(0), 0, xp.zeros(0))


def test_checked_indices_write_nothing(monkeypatch):
    monkeypatch.setenv("CUPRIC_CHECK", "1")
    x = cp.arange(6).reshape(2, 3)
    before = x.tolist()
    for call in (
        lambda: cp.add.at(x, cp.array([0, 2]), 1),
        lambda: cp.add.at(x, (cp.array([0, 1]), cp.array([0, 3])), 1),
        lambda: cp.maximum.at(x[0], cp.array([0, -4]), 9),
        lambda: cp.negative.at(x.T, cp.array([0, 5])),
        lambda: cp.put_along_axis(x, cp.array([[0, 3]]), 7, 1),
        lambda: cp.put_along_axis(x, cp.array([0, 6]), 7, None),
        lambda: cp.take_along_axis(x, cp.array([[0, 3]]), 1),
    ):
        with pytest.raises(IndexError, match="out of bounds"):
            call()
        assert x.tolist() == before


def test_choose_gives_c_order():
    which, choices = np.array([[0, 1], [1, 0]]), np.asfortranarray([[1, 2], [3, 4]])
    r = cp.choose(cp.array(which), [cp.array(choices, order="F")] * 2)
    assert r.flags.c_contiguous
    assert r.tolist() == [[1, 2], [3, 4]]


def test_numbers_in_select_adapt():
    for choices in ([np.array([1], "b"), 3], [3.5, np.array([1], "f")], [2, 3]):
        there = np.select([np.array([True, False])] * 2, choices)
        devised = [cp.array(c) if isinstance(c, np.ndarray) else c for c in choices]
        here = cp.select([cp.array([True, False])] * 2, devised)
        assert here.dtype == there.dtype
        assert here.tolist() == there.tolist()


def test_place_converts_arrays_safely_only():
    a, mask = cp.array([1, 2]), cp.array([True, False])
    with pytest.raises(TypeError, match="according to the rule 'safe'"):
        cp.place(a, mask, cp.ones(2))
    assert a.tolist() == [1, 2]


def test_fill_diagonal_of_nothing_checks_the_number():
    for shape, dtype, value in [((0, 0), "l", np.inf), ((0, 3), "e", 1j)]:
        for xp in (np, cp):
            with pytest.raises((OverflowError, TypeError)):
                xp.fill_diagonal(xp.zeros(shape, dtype), value)
            xp.fill_diagonal(xp.zeros(shape, dtype), 1)


def test_flat_out_of_range():
    for key in (7, -6, [1, 9], np.array([-6]), None, True):
        for x in (np, cp):
            if x is np and key is True:
                continue  # deprecated there
            flat = x.arange(5).flat
            with pytest.raises(IndexError):
                flat[key]
            with pytest.raises(IndexError):
                flat[key] = 1
    assert cp.arange(5).flat[()].tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("dtype", "bBhilQ")
@pytest.mark.parametrize("n", [3, 100, 128, 200])
def test_bounds_of_indices_of_every_width(dtype, n):
    """Looked at as unsigned numbers, among which no negative one may pass."""
    most = min(n, np.iinfo(dtype).max + 1) - 1
    good = [0, most]
    got = cp.unravel_index(cp.array(good, dtype), (n,))
    np.testing.assert_array_equal(cp.asnumpy(got[0]), good)
    for bad in (-1, np.iinfo(dtype).min, n):
        if np.iinfo(dtype).min <= bad <= np.iinfo(dtype).max and bad not in range(n):
            with pytest.raises(ValueError, match="out of bounds"):
                cp.unravel_index(cp.array([0, bad], dtype), (n,))


def test_unravel_index_does_not_alias_and_needs_an_axis():
    i = cp.arange(3)
    cp.unravel_index(i, (3,))[0][:] = 7
    assert i.tolist() == [0, 1, 2]
    for xp in (np, cp):
        with pytest.raises(ValueError, match="0d"):
            xp.unravel_index(xp.arange(1), ())


@pytest.mark.parametrize("dtype", ["?", "i1", "f2", "f4", "i8", "F", "D"])
def test_select_takes_any_number_of_cases(dtype):
    """More than a launch takes, of any layout, with numbers between them."""
    rng = np.random.default_rng(3)
    for shape in ((), (5,), (3, 7), (2, 3, 5), (2, 1, 3, 4), (2, 2, 3, 2, 2), (0, 3)):
        for count in (1, 2, 8, 9, 19):
            conditions = [rng.random(shape) < 0.2 for _ in range(count)]
            choices = [rng.integers(0, 99, shape).astype(dtype) for _ in range(count)]
            conditions[-1] = conditions[-1][..., ::-1] if shape else conditions[-1]
            choices[0] = choices[0].T.copy().T
            here = [cp.array(c) for c in conditions], [cp.array(c) for c in choices]
            same(cp.select(*here), np.select(conditions, choices))
            if shape:
                choices[-1], here[1][-1] = choices[-1][:1], here[1][-1][:1]
            choices[count // 2] = here[1][count // 2] = 1
            if count > 1:  # NumPy's has the dtype of the default's, too
                want = np.select(conditions, choices, np.array(0, dtype)[()])
                same(cp.select(*here, np.array(0, dtype)[()]), want)
                same(cp.select(*here, cp.array(0, dtype)), want)


def test_select_of_numbers_that_wrap():
    conditions, a = [np.array([True, False])] * 2, np.array([1, 2], "u1")
    here = [cp.array(conditions[0])] * 2, [cp.array(a), cp.array(a)]
    assert cp.select(*here, 300).tolist() == np.select(conditions, [a, a], 300).tolist()
    assert cp.select(here[0], [here[1][0], 5], -1).tolist() == [1, 255]
    with pytest.raises(OverflowError):
        cp.select(here[0], [here[1][0], 300])


def test_choose_takes_any_number_of_arrays():
    rng = np.random.default_rng(4)
    for shape in ((), (5,), (3, 7), (2, 3, 5), (2, 2, 3, 2, 2), (0, 3)):
        for n in (1, 3, 8, 9, 20):
            choices = [rng.integers(0, 99, shape) for _ in range(n)]
            choices[-1] = choices[-1].T.copy().T
            choices[n // 2] = choices[n // 2][..., :1] if shape else choices[n // 2]
            here = [cp.array(c) for c in choices]
            for dtype in ("i1", "i4", "i8"):
                which = rng.integers(-2 * n, 3 * n, shape).astype(dtype)
                for mode in ("wrap", "clip"):
                    want = np.choose(which, choices, mode=mode)
                    same(cp.choose(cp.array(which), here, mode=mode), want)
                same(
                    cp.choose(cp.array(which % n), here), np.choose(which % n, choices)
                )
                for wrong in (-1, n):
                    there = cp.array(which % n)
                    there[...] = wrong
                    if there.size:
                        with pytest.raises(ValueError, match="invalid entry"):
                            cp.choose(there, here)


@pytest.mark.parametrize("order", ["C", "F"])
def test_places_in_arrays_of_many_axes(order):
    """More axes than a launch takes; indices of any layout and dtype."""
    rng = np.random.default_rng(5)
    for dims in ((7,), (2, 3, 4), (2, 1, 3, 2, 2), (2,) * 8, (2,) * 9, (1, 5, 1)):
        flat = rng.integers(0, math.prod(dims), (3, 4))
        for dtype in ("u1", "i4", "i8", "u8"):
            if dtype == "u1" and math.prod(dims) > 256:
                continue
            for view in (flat, flat.T, flat[:, ::2], flat[:1].repeat(2, 0)):
                want = np.unravel_index(view, dims, order)
                got = cp.unravel_index(cp.array(view, dtype), dims, order)
                same(got, want)
                there = [cp.array(x, dtype) for x in want]
                same(cp.ravel_multi_index(there, dims, "raise", order), view)
        places = [rng.integers(-9, 9, (3, 1) if i else (4,)) for i in range(len(dims))]
        there = [cp.array(x) for x in places]
        modes = tuple(("wrap", "clip")[i % 2] for i in range(len(dims)))
        want = np.ravel_multi_index(places, dims, modes, order)
        same(cp.ravel_multi_index(there, dims, modes, order), want)
        there[-1][0] = dims[-1]
        modes = (*modes[:-1], "raise")
        with pytest.raises(ValueError, match="invalid entry in coordinates"):
            cp.ravel_multi_index(there, dims, modes, order)


def test_places_of_triangles():
    for n in (0, 1, 2, 5, 40):
        for m in (None, 0, 1, 3, 9):
            for k in range(-6, 11):
                same(cp.tril_indices(n, k, m), np.tril_indices(n, k, m))
                same(cp.triu_indices(n, k, m), np.triu_indices(n, k, m))


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0, 3), (2, 0), (2, 3, 4)])
@pytest.mark.parametrize("times", [0, 1, 3, True, [2]])
def test_repeat_by_one_number(shape, times):
    a, d = make(shape)
    for axis in (None, *range(-len(shape), len(shape))):
        same(d.repeat(times, axis), a.repeat(times, axis))
        same(d.T.repeat(times, axis), a.T.repeat(times, axis))


def test_repeat_of_too_many():
    with pytest.raises(ValueError, match="too big"):
        cp.zeros((3, 4)).repeat(2**62, 0)


def test_putmask_of_numbers_and_of_arrays_alike():
    a, d = make((3, 4), "f4")
    for values in (7, 2.5, a[::-1] * 2):
        np.putmask(a, a > 3, values)
        cp.putmask(d, d > 3, cp.array(values) if np.ndim(values) else values)
        same(d, a)
    with pytest.raises(ValueError, match="read-only"):
        cp.putmask(cp.broadcast_to(d, (2, 3, 4)), cp.ones((2, 3, 4), bool), 1)


@pytest.mark.parametrize("dtype", ["?", "i4", "f4", "c16"])
@pytest.mark.parametrize("mask_dtype", ["?", "i1", "f4"])
@pytest.mark.parametrize("shape", [0, 5, 7, 8, 9, 1000, (3, 70)])
def test_place_cycles_through_few_values(shape, mask_dtype, dtype):
    """Masks of any density, in lengths about those of the groups that are looked at
    together; arrays with a flat view and without."""
    rng = np.random.default_rng(1)
    for share in (0, 0.1, 0.5, 0.9, 1):
        mask = (rng.random(shape) < share).astype(mask_dtype)
        a = (rng.random(shape) * 50).astype(dtype)
        for values in ([1, 2], [3], list(range(1200)), a[..., :1].ravel(), 4):
            if np.size(values) == 0:
                continue
            given = values.tolist() if isinstance(values, np.ndarray) else values
            want, got = a.copy(), cp.array(a)
            apart = cp.array(np.repeat(a, 2, -1))[..., ::2]
            np.place(want, mask, given)
            cp.place(got, cp.array(mask), given)
            cp.place(apart, cp.array(mask), cp.array(given, dtype))
            assert got.get().tobytes() == want.tobytes()
            assert apart.get().tobytes() == want.tobytes()
            assert (cp.flatnonzero(cp.array(mask)).get() == np.flatnonzero(mask)).all()


def test_place_in_what_is_read_only():
    a = cp.broadcast_to(cp.zeros(1), 3)
    with pytest.raises(ValueError, match="read-only"):
        cp.place(a, cp.ones(3, bool), [1])


def test_order_may_be_none():
    flat = cp.array([5, 1])
    places = cp.unravel_index(flat, (2, 3), order=None)
    for p, expected in zip(places, np.unravel_index([5, 1], (2, 3)), strict=True):
        np.testing.assert_array_equal(p.get(), expected)
    assert cp.ravel_multi_index(places, (2, 3), order=None).tolist() == [5, 1]
