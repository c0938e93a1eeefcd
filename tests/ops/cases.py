"""Arrays for differential tests: a NumPy array and the same on the device, of the same
layout, with the values that go wrong (NaN, infinities, extremes) among the others."""

import numpy as np
from hypothesis import strategies as st

import cupric

INTS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
FLOATS = ["float16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
REAL = ["bool", *INTS, *FLOATS]
NUMERIC = [*REAL, *COMPLEX]

# From an array of one more row and column to the layout's view of it.
LAYOUTS = {
    "c": lambda x: x,
    "transposed": lambda x: x.T,
    "strided": lambda x: x[..., ::2] if x.ndim else x,
    "reversed": lambda x: x[::-1] if x.ndim else x,
    "offset": lambda x: x[1:] if x.ndim and x.shape[0] else x,
    "newaxis": lambda x: x[..., None],
}


def fill(shape, dtype, seed, special):
    """Random values of every kind, the special ones where they exist."""
    rng = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.random(shape) < 0.5
    if dtype.kind in "iu":
        top = np.iinfo(dtype)
        low, high = (top.min, top.max) if special else (max(top.min, -9), 9)
        return rng.integers(low, high, shape, dtype=dtype, endpoint=True)
    x = np.asarray(rng.standard_normal(shape) * 4).astype(dtype)
    if dtype.kind == "c":
        x = x + (1j * rng.standard_normal(shape)).astype(dtype)
    if special and x.size:
        where = rng.random(shape) < 0.1
        x = np.where(where, rng.choice([np.nan, np.inf, -np.inf, -0.0], shape), x)
    return np.asarray(x, dtype)


SHAPES = st.one_of(
    st.lists(st.integers(0, 5), max_size=4).map(tuple),
    st.sampled_from([(), (1,), (2049,), (3, 700), (700, 3), (0, 3), (3, 0), (1, 1, 9)]),
)


@st.composite
def pairs(draw, dtypes=NUMERIC, special=True, shapes=SHAPES):
    """(NumPy array, device array): equal in values, shape and layout."""
    shape = draw(shapes)
    seed = draw(st.integers(0, 2**32 - 1))
    x = fill(
        shape, draw(st.sampled_from(dtypes)), seed, special and draw(st.booleans())
    )
    layout = LAYOUTS[draw(st.sampled_from(list(LAYOUTS)))]
    return layout(x), layout(cupric.array(x))


def axes_of(ndim):
    """None, an int, or a tuple of distinct ints; negative ones too."""
    one = st.integers(-ndim, ndim - 1) if ndim else st.nothing()
    several = st.lists(st.integers(0, ndim - 1), unique=True).map(tuple)
    return st.one_of(st.none(), one, several) if ndim else st.just(None)


def outcome(f, *args, **kwargs):
    """The result of a call, or the class of its exception."""
    with np.errstate(all="ignore"):
        try:
            return f(*args, **kwargs)
        except Exception as e:
            return type(e)


def is_a(error, expected):
    """Whether the exceptions match: subclasses on NumPy's side have no counterpart."""
    return isinstance(error, type) and issubclass(expected, error)


def assert_same(got, expected, rtol=None):
    """A device result against NumPy's: class of error, dtype, shape and values."""
    if isinstance(expected, type) and issubclass(expected, Exception):
        assert isinstance(got, type), f"no {expected.__name__} but a result"
        assert is_a(got, expected), f"{got} in place of {expected}"
        return
    assert isinstance(got, cupric.ndarray), f"{got} in place of {expected!r}"
    expected = np.asarray(expected)
    assert got.dtype == expected.dtype
    assert got.shape == expected.shape
    if rtol is None or expected.dtype.kind not in "fc":
        np.testing.assert_array_equal(got.get(), expected)
        return
    scale = rtol if expected.dtype.itemsize > 2 else max(rtol, 2e-3)
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(got.get(), expected, rtol=scale, atol=scale)
