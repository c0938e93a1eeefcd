"""Discrete systems that follow continuous ones against scipy.signal."""

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy import signal as ours
from cupricx.scipy.signal._lti import _matrices

from .comparing import ALL, MIMO, SISO, A, B, agree, numbers, on_device

theirs = pytest.importorskip("scipy.signal")

METHODS = {
    "zoh": {},
    "foh": {},
    "bilinear": {},
    "tustin": {},
    "euler": {},
    "forward_diff": {},
    "backward_diff": {},
    "gbt": {"alpha": 0.3},
    "impulse": {},
}


@pytest.mark.filterwarnings("ignore::UserWarning")  # badly conditioned
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ALL)
def test_methods(name, method):
    system, options = ALL[name], METHODS[method]
    if method == "impulse" and name == "zpk, complex":
        pytest.skip("the leading coefficient is that of a rounding error")
    if method == "impulse" and len(system) == 4:
        system = (*system[:3], np.zeros_like(system[3]))
    for dt in (0.1, 2.5):
        expected = theirs.cont2discrete(system, dt, method, **options)
        bound = 1e-7 if len(system) == 3 else 1e-10  # roots
        agree(ours.cont2discrete(system, dt, method, **options), expected, bound)
        made = ours.cont2discrete(on_device(system), dt, method, **options)
        agree(made, expected, bound)


def test_of_a_system():
    for system in SISO.values():
        made = ours.cont2discrete(ours.lti(*on_device(system)), 0.5, "foh")
        expected = theirs.cont2discrete(theirs.lti(*system), 0.5, "foh")
        assert isinstance(made, ours.dlti)
        assert type(made).__name__ == type(expected).__name__
        assert made.dt == 0.5


def test_lists():
    made = ours.cont2discrete(([[1.0]], [[1]], [[1]], [[1]]), 0.1)
    agree(made, theirs.cont2discrete((np.eye(1),) * 4, 0.1))


def test_errors():
    tf = SISO["tf"]
    for message, args in {
        "Unknown transformation method 'x'": (tf, 0.1, "x"),
        "Alpha parameter must be specified": (tf, 0.1, "gbt"),
        "Alpha parameter must be within": (tf, 0.1, "gbt", 1.5),
        "only applicable to strictly proper": (MIMO["two in, two out"], 0.1, "impulse"),
        r"a tuple of 2 \(tf\), 3 \(zpk\), or 4 \(ss\) arrays, not of 1": (tf[:1], 0.1),
        r"do not fit together: A \(2, 3\)": ((A[:2], B, A, B), 0.1),
    }.items():
        with pytest.raises(ValueError, match=message):
            ours.cont2discrete(*args)


@pytest.mark.parametrize("scale", [0, 1e-8, 0.01, 1, 30, 1000])
@pytest.mark.parametrize("n", [0, 1, 2, 7, 30])
def test_exponential(n, scale):
    linalg = pytest.importorskip("scipy.linalg")
    a = numbers(n, n) - 2 * np.eye(n)
    if n:
        a *= scale / np.abs(a).sum(0).max()
    expected = linalg.expm(a)
    made = _matrices.expm(a)
    bound = 1e-13 * max(1, scale) * np.abs(expected).max(initial=0)
    np.testing.assert_allclose(made, expected, rtol=0, atol=bound)
    made = _matrices.expm(1j * a)
    expected = linalg.expm(1j * a)
    np.testing.assert_allclose(
        made,
        expected,
        rtol=0,
        atol=1e-13 * max(1, scale) * np.abs(expected).max(initial=0),
    )


def test_result_is_on_the_device_of_the_arrays(device):
    made = ours.cont2discrete(on_device(SISO["tf"]), 0.1)
    assert made[0].device == cp.cuda.Device()
