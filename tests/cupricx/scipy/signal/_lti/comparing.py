"""What tests of systems share: systems, and comparison with SciPy's results."""

import numpy as np

import cupric as cp

A = np.array([[-1.0, 0.5, 0], [0.2, -2, 1], [0, -0.3, -0.5]])
B = np.array([[1.0, 2], [0, 1], [-1, 0]])
C = np.array([[1.0, 2, 0], [0, 3, 4]])
D = np.array([[0.5, 0], [0, 1]])

# By the number of inputs and outputs: 1 and 1, 1 and 2, 2 and 1, 2 and 2.
SISO = {
    "tf": (np.array([1.0, 2]), np.array([1.0, 2, 3])),
    "tf of one state": (np.array([3.0]), np.array([2.0, 1])),
    "zpk": (np.array([1.0]), np.array([-2.0, -3, -4]), 5.0),
    "zpk, complex": (np.zeros(0), np.array([-1 + 2j, -1 - 2j]), 2.0),
    "ss": (A, B[:, :1], C[:1], D[:1, :1]),
    "ss, oscillating": (
        np.array([[0, 1.0], [-4, 0]]),
        np.array([[0], [1.0]]),
        np.eye(1, 2),
        np.zeros((1, 1)),
    ),
}
MIMO = {
    "one in, two out": (A, B[:, :1], C, D[:, :1]),
    "two in, one out": (A, B, C[:1], D[:1]),
    "two in, two out": (A, B, C, D),
}
ALL = {**SISO, **MIMO}


def inputs_of(system):
    return system[1].shape[1] if len(system) == 4 else 1


def on_device(value):
    """NumPy arrays, also those in tuples, as arrays of the device."""
    if isinstance(value, tuple):
        return tuple(map(on_device, value))
    return cp.array(value) if isinstance(value, np.ndarray) else value


def numbers(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape)


def agree(made, expected, bound=1e-10):
    """Arrays of the device of the same dtype and shape, by the size of the greatest
    element; and tuples of them."""
    if isinstance(expected, (tuple, list)):
        assert len(made) == len(expected)
        for m, e in zip(made, expected, strict=True):
            agree(m, e, bound)
        return
    if isinstance(expected, np.ndarray) and expected.ndim:
        assert isinstance(made, cp.ndarray)
    if isinstance(made, cp.ndarray):
        made = made.get()
    made, expected = np.asarray(made), np.asarray(expected)
    assert made.shape == expected.shape
    assert made.dtype == expected.dtype
    scale = np.abs(expected).max(initial=1e-300)
    np.testing.assert_allclose(made, expected, rtol=0, atol=bound * scale)
