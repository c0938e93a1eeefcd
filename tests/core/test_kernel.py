"""create_ufunc: ufuncs that programs make."""

import numpy as np
import pytest

import cupric as cp
from cupric.core import create_ufunc


@pytest.fixture(scope="module")
def mix():
    return create_ufunc(
        "mix",
        ("bb->b", "qq->q", ("dd->d", "out0 = twice(in0) + in1 / 4"), "DD->D"),
        "out0 = twice(in0) + in1",
        preamble="template <class T> __device__ T twice(T x) { return x + x; }",
        doc="Twice the first.",
    )


def test_what_it_says(mix):
    assert (mix.name, mix.nin, mix.nout, mix.nargs) == ("mix", 2, 1, 3)
    assert mix.types == ["bb->b", "qq->q", "dd->d", "DD->D"]
    assert mix.__doc__ == "Twice the first."
    assert repr(mix) == "<ufunc 'mix'>"


@pytest.mark.parametrize(
    ("x", "y", "dtype", "due"),
    [
        (np.array([1, 2], "b"), np.array([3, 4], "b"), "b", [5, 8]),
        (np.array([1, 2], "b"), np.array([3, 4], "i"), "q", [5, 8]),
        (np.array([1, 2], "b"), 3, "b", [5, 7]),
        (np.array([1, 2], "b"), 300, "q", [302, 304]),
        (np.array([1, 2], "q"), 2.0, "d", [2.5, 4.5]),
        (np.array([[1], [2]], "f"), np.array([4, 8], "f"), "d", [[3, 4], [5, 6]]),
        (np.array([1, 2], "q"), 1j, "D", [2 + 1j, 4 + 1j]),
        (2, 3, "b", 7),
    ],
)
def test_signatures(mix, x, y, dtype, due):
    got = mix(*(cp.asarray(v) if isinstance(v, np.ndarray) else v for v in (x, y)))
    assert got.dtype == dtype
    assert got.tolist() == due


def test_dtype_and_outputs(mix):
    x = cp.arange(3)
    assert mix(x, x, dtype="d").tolist() == [0, 2.25, 4.5]
    out = cp.zeros(3, "f")
    assert mix(x, x, out) is out
    assert out.tolist() == [0, 3, 6]
    assert mix(x, x, out=out) is out
    with pytest.raises(TypeError, match="could not be coerced"):
        mix(x, 1.5, out=cp.zeros(3, "i"))
    assert mix(x, 2.0, out=cp.zeros(3, "i"), casting="unsafe").tolist() == [0, 2, 4]


def test_two_outputs():
    split = create_ufunc(
        "split", ("dd->dq",), "out0 = in0 / in1; out1 = out1_type(in0)"
    )
    a, b = split(cp.arange(3.0), 2.0)
    assert a.tolist() == [0, 0.5, 1]
    assert b.dtype == "q"
    assert b.tolist() == [0, 1, 2]


def test_mistakes(mix):
    with pytest.raises(TypeError, match="takes 2 inputs"):
        mix(cp.ones(2))
    with pytest.raises(TypeError, match="Wrong type"):
        create_ufunc("f", ("b->b",), "out0 = in0")(cp.ones(2))
    with pytest.raises(TypeError, match="Wrong type"):
        mix(cp.ones(2), 1, dtype="e")
