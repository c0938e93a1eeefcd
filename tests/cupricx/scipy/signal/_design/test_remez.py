"""Filters of the least greatest error against scipy.signal."""

import numpy as np
import pytest

import cupric as cp
import cupricx.scipy.signal as ours

from .comparing import agree, same_error

theirs = pytest.importorskip("scipy.signal")

DESIGNS = [
    ([0, 0.1, 0.2, 0.5], [1, 0], {}),
    ([0, 0.1, 0.13, 0.5], [1, 0], {"weight": [1, 10]}),
    ([0.05, 0.1, 0.2, 0.45], [0, 1], {}),
    ([0, 0.1, 0.15, 0.25, 0.3, 0.5], [0, 1, 0], {}),
    ([0, 0.1, 0.15, 0.25, 0.3, 0.5], [1, 0, 1], {}),
    ([0.05, 0.45], [1], {"type": "hilbert"}),
    ([0.05, 0.5], [1], {"type": "hilbert"}),
    ([0.0, 0.4], [1], {"type": "differentiator"}),
    ([0.05, 0.45], [2], {"type": "differentiator"}),
    ([0.0, 0.2, 0.3, 0.5], [1, 0], {"type": "differentiator"}),
    ([0, 8000, 9000, 24000], [1, 0], {"fs": 48000}),
    ([0, 0.1, 0.2, 0.5], [1, 0], {"grid_density": 40}),
]


@pytest.mark.parametrize("numtaps", [2, 3, 4, 5, 6, 7, 20, 21, 50, 51])
@pytest.mark.parametrize(("bands", "desired", "kwargs"), DESIGNS)
def test_remez(numtaps, bands, desired, kwargs):
    expected = theirs.remez(numtaps, bands, desired, **kwargs)
    agree(ours.remez(numtaps, bands, desired, **kwargs), expected, 1e-6)


@pytest.mark.parametrize("numtaps", [3, 25])
def test_what_a_constant_does_exactly(numtaps):
    h = ours.remez(numtaps, [0.03, 0.2, 0.25, 0.37], [0.5, 0.5]).get()
    expected = np.zeros(numtaps)
    expected[numtaps // 2] = 0.5
    np.testing.assert_allclose(h, expected, atol=1e-15)


def test_bands_that_leave_most_of_the_gain_open():
    """Taps are large then, and so is what is lost beyond the bands."""
    args = (15, [0.06166262, 0.12499713], [1.0])
    made = ours.remez(*args, type="hilbert")
    agree(made, theirs.remez(*args, type="hilbert"), 1e-4)


def test_errors_that_rounding_hides():
    with pytest.raises(ValueError, match="200 taps leave an error"):
        ours.remez(200, [0.05, 0.1, 0.2, 0.45], [1, 0])


def test_arrays_of_the_device():
    bands, desired, kwargs = DESIGNS[1]
    made = ours.remez(31, cp.array(bands), cp.array(desired), weight=cp.array([1, 10]))
    agree(made, theirs.remez(31, bands, desired, **kwargs), 1e-9)


@pytest.mark.parametrize("numtaps", [11, 40, 101, 200])
def test_errors_are_equal_and_alternate(numtaps):
    bands = [0, 0.1, 0.13, 0.5]
    h = ours.remez(numtaps, bands, [1, 0], weight=[1, 5], grid_density=50).get()
    np.testing.assert_array_equal(h, h[::-1])
    f = np.concatenate([np.linspace(0, 0.1, 4000), np.linspace(0.13, 0.5, 12000)])
    t = np.arange(numtaps) - (numtaps - 1) / 2
    gain = np.cos(2 * np.pi * f[:, None] * t) @ h
    error = np.where(f <= 0.1, gain - 1, 5 * gain)
    top = np.abs(error).max()
    runs, last = 0, 0
    for e in error:
        if abs(e) > 0.97 * top and np.sign(e) != last:
            runs, last = runs + 1, np.sign(e)
    assert runs >= (numtaps + 1) // 2 + 1


@pytest.mark.parametrize("maxiter", [-1, 0, 1, 2, 3])
def test_few_exchanges(maxiter):
    h = ours.remez(31, [0, 0.1, 0.2, 0.5], [1, 0], maxiter=maxiter)
    assert h.shape == (31,)
    assert np.all(np.isfinite(h.get()))


BANDS = [0, 0.1, 0.2, 0.5]


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        *(((7, BANDS, [1, 0]), {"weight": [1]}), ((7, [0.05, 0.45], []), {})),
        *(((7, [0.05, 0.45], [2]), {"type": "foo"}), ((7, [0.05, 0.45], [2, 1]), {})),
        *(((7, [0.05, 0.45, 0.4, 0.3], [2, 1]), {}),),
        *(((7, [0.05, 0.45, 0.3], [2, 1]), {}), ((7, [0, 0.1, 0.2, 0.6], [1, 0]), {})),
        *(((7, [-0.1, 0.1, 0.2, 0.5], [1, 0]), {}),),
        *(((n, BANDS, [1, 0]), {}) for n in (0, 1, -3, 7.5)),
        *(((7, BANDS, [1, 0]), {"grid_density": 0}),),
        *(((7, [[0, 0.1], [0.2, 0.5]], [1, 0]), {}), ((7, BANDS, [[1, 0]]), {})),
        *(((7, [0, 0.1, 0.1, 0.5], [1, 0]), {}),),
    ],
)
def test_refusals(args, kwargs):
    assert same_error(ours.remez, theirs.remez, *args, **kwargs)
