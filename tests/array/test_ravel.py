"""ravel and flatten: the order of elements, and when the result is a view."""

import numpy as np
import pytest

import cupric as cp

VIEWS = {
    "dense": lambda a: a,
    "vector": lambda a: a.reshape(-1),
    "every second": lambda a: a.reshape(-1)[::2],
    "backwards": lambda a: a.reshape(-1)[::-1],
    "transposed": lambda a: a.T,
    "permuted": lambda a: a.transpose(1, 0, 2),
    "rotated": lambda a: a.transpose(2, 0, 1),
    "negative rows": lambda a: a[::-1],
    "negative columns": lambda a: a[:, :, ::-1],
    "negative transposed": lambda a: a[:, ::-1].T,
    "all negative": lambda a: a[::-1, ::-1, ::-1],
    "stepped": lambda a: a[:, ::2, 1:],
    "stepped rows": lambda a: a[..., ::2].transpose(1, 0, 2),
    "column": lambda a: a[:, 0, :1],
    "short axes": lambda a: a[:1, :, :1],
    "one element": lambda a: a[1, 2, 3],
    "empty": lambda a: a[:0],
    "empty column": lambda a: a[:, 1:1].T,
}
STRETCHED = {
    "rows": lambda x, a: x.broadcast_to(a[0], (2, 3, 4)),
    "middle": lambda x, a: x.broadcast_to(a[:, :1], (2, 5, 4)),
    "middle, rotated": lambda x, a: x.broadcast_to(a[:, :1], (2, 5, 4)).transpose(
        1, 2, 0
    ),
    "middle, reversed": lambda x, a: x.broadcast_to(a[:, :1], (2, 5, 4)).T,
    "last, negative": lambda x, a: x.broadcast_to(a[::-1, :, :1], (2, 3, 3)),
    "last, swapped": lambda x, a: x.broadcast_to(a[..., :1], (2, 3, 5)).swapaxes(0, 2),
    "length one": lambda x, a: x.broadcast_to(a[0, 0], (1, 4)),
}


def bases():
    n = np.arange(24.0).reshape(2, 3, 4)
    return n, cp.array(n)


def pairs():
    n, c = bases()
    for name, view in VIEWS.items():
        yield name, view(n), view(c)
    for name, view in STRETCHED.items():
        yield "stretched " + name, view(np, n), view(cp, c)


PAIRS = list(VIEWS) + ["stretched " + name for name in STRETCHED]


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("order", "CFAK")
def test_order_and_flags(name, order):
    expected, a = {k: (n, c) for k, n, c in pairs()}[name]
    for method in ("ravel", "flatten"):
        want, got = getattr(expected, method)(order), getattr(a, method)(order)
        assert got.tolist() == want.tolist()
        assert got.strides == want.strides
        for flag in ("c_contiguous", "f_contiguous", "owndata"):
            assert getattr(got.flags, flag) == getattr(want.flags, flag), flag
        assert (got.base is None) == (want.base is None)
    assert cp.ravel(a, order).tolist() == np.ravel(expected, order).tolist()


@pytest.mark.parametrize("name", PAIRS)
def test_copy_keeps_the_order_of_axes(name):
    expected, a = {k: (n, c) for k, n, c in pairs()}[name]
    for order in "CFAK":
        want, got = expected.copy(order), a.copy(order)
        assert got.tolist() == want.tolist()
        assert got.strides == want.strides


def test_strides_of_new_empty_arrays():
    for shape in [(0,), (0, 3), (3, 0), (2, 0, 3)]:
        for order in "CF":
            expected = np.zeros(shape, order=order)
            a = cp.zeros(shape, order=order)
            assert a.strides == expected.strides
            assert (a + 1).strides == (expected + 1).strides
            assert a[None].strides == expected[None].strides
    for to in "fdD":  # views to a larger itemsize
        n = np.zeros((0, 3, 8), "e")
        assert cp.array(n).view(to).shape == n.view(to).shape
        n = np.zeros((2, 3, 0), "e")
        assert cp.array(n).view(to).shape == n.view(to).shape
    with pytest.raises(ValueError, match="divisor"):
        cp.zeros((0, 3), "e").view("d")


def test_writing_to_a_strided_array_flattened():
    x = cp.arange(6)
    for order in "CFAK":
        flat = x[::2].ravel(order)
        assert flat.flags.c_contiguous
        assert flat.flags.owndata
        flat[...] = -1
    assert x.tolist() == list(range(6))


def test_kernel_reads_a_strided_array_flattened():
    kernel = cp.ElementwiseKernel("raw T x", "T y", "y = x[i];", "read_flat")
    x = cp.arange(12.0)[::3]
    assert kernel(x.ravel(), size=4).tolist() == [0, 3, 6, 9]
