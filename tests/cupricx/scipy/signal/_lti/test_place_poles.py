"""Feedback that places poles, against scipy.signal and by what it has to do."""

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy import signal as ours

from .comparing import agree, numbers

theirs = pytest.importorskip("scipy.signal")

A = np.array([[1.0, 2, 0], [0, 1, 3], [2, 0, 1]])
B = np.array([[1.0, 0], [0, 1], [1, 1]])
REAL, COMPLEX = [-1, -2, -3], [-1, -2 + 1j, -2 - 1j]


def check(a, b, poles, method="YT", **options):
    expected = theirs.place_poles(a, b, poles, method, **options)
    found = ours.place_poles(cp.array(a), cp.array(b), poles, method, **options)
    gain = found.gain_matrix
    assert isinstance(gain, cp.ndarray)
    assert gain.shape == expected.gain_matrix.shape
    assert gain.dtype == np.float64
    agree(found.requested_poles, expected.requested_poles)
    agree(found.computed_poles, expected.computed_poles, 1e-6)
    vectors = found.X.get()
    closed = a - b @ gain.get()
    np.testing.assert_allclose(
        closed @ vectors, vectors * expected.requested_poles, atol=1e-7
    )
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=0), 1)
    return found, expected


@pytest.mark.parametrize("poles", [REAL, COMPLEX], ids=["real", "complex"])
def test_one_input(poles):
    """For which there is one gain."""
    found, expected = check(A, B[:, :1], poles)
    agree(found.gain_matrix, expected.gain_matrix)
    assert (found.rtol, found.nb_iter) == (expected.rtol, expected.nb_iter) == (0, 0)


@pytest.mark.parametrize("poles", [REAL, COMPLEX], ids=["real", "complex"])
def test_an_input_for_each_state(poles):
    for b in (np.eye(3), numbers(3, 3)):
        found, expected = check(A, b, poles)
        agree(found.gain_matrix, expected.gain_matrix)
        assert np.isnan([found.rtol, found.nb_iter]).all()


@pytest.mark.parametrize("method", ["YT", "KNV0"])
@pytest.mark.parametrize("n", [2, 3, 5, 8])
@pytest.mark.parametrize("m", [2, 3])
def test_several_inputs(n, m, method):
    """Eigenvectors as far from each other as SciPy's."""
    a, b = numbers(n, n, seed=n), numbers(n, min(m, n), seed=m)
    poles = -np.arange(1.0, n + 1)
    found, expected = check(a, b, poles, method, maxiter=100)
    ratio = np.linalg.cond(found.X.get()) / np.linalg.cond(expected.X)
    assert ratio < 1.2
    if method == "YT" and n > 2:
        poles = np.array([*poles[:-2], -1 + 2j, -1 - 2j])
        found, expected = check(a, b, poles, maxiter=100)
        ratio = np.linalg.cond(found.X.get()) / np.linalg.cond(expected.X)
        assert ratio < 1.2


def test_repeated_poles():
    check(A, B, [-1, -1, -2])


def test_convergence():
    with pytest.warns(UserWarning, match="Convergence was not reached") as said:
        ours.place_poles(A, B, REAL, rtol=1e-12, maxiter=1)
    assert said[0].filename == __file__
    assert ours.place_poles(A, B, REAL, rtol=-1, maxiter=3).nb_iter == 3


def test_errors():
    for message, args in {
        "Complex poles are not supported by KNV0": (A, B, COMPLEX, "KNV0"),
        "must come with their conjugates": (A, B, [-1, -2 + 1j, -2]),
        "number of poles is 2 but you should provide 3": (A, B, [-1, -2]),
        "maximum number of poles is 3 but you asked for 4": (A, B, [1, 2, 3, 4]),
        r"repeated more than rank\(B\) times": (A, B, [-1, -1, -1]),
        "must be one of 'YT' or 'KNV0'": (A, B, REAL, "x"),
        "rtol can not be greater than 1": (A, B, REAL, "YT", 2),
        "maxiter must be at least equal to 1": (A, B, REAL, "YT", 0.1, 0),
        "A must be square": (A[:2], B, REAL),
        "Poles must be a 1D array like": (A, B, [REAL]),
        "must be 2-D arrays": (A, B[:, 0], REAL),
        "can't be placed": (np.eye(2), np.eye(2, 1), [-1, -2]),
    }.items():
        with pytest.raises(ValueError, match=".*"):
            theirs.place_poles(*map(np.array, args[:3]), *args[3:])
        with pytest.raises(ValueError, match=message):
            ours.place_poles(*args)
    with pytest.raises(np.linalg.LinAlgError, match=r"A of shape \(3, 3\), B of"):
        ours.place_poles(A, B[:2], REAL)
