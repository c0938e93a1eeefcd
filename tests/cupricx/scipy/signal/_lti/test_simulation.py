"""Outputs of systems, and responses to impulses and steps, against scipy.signal."""

import warnings

import numpy as np
import pytest

import cupric as cp
import cupricx
from cupricx.scipy import signal as ours

from .comparing import ALL, MIMO, SISO, agree, inputs_of, numbers, on_device

theirs = pytest.importorskip("scipy.signal")


@pytest.fixture(autouse=True)
def no_conditions():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # badly conditioned coefficients
        yield


def discrete(system, dt=0.1):
    *parts, dt = theirs.cont2discrete(system, dt)
    return (*parts, dt)


# ---- continuous time -----------------------------------------------------------------


@pytest.mark.parametrize("interp", [True, False])
@pytest.mark.parametrize("name", ALL)
def test_lsim(name, interp):
    system = ALL[name]
    for n in (1, 2, 101):
        t = np.linspace(0, 0.05 * n, n) if n > 1 else np.zeros(1)
        u = numbers(n, inputs_of(system))
        expected = theirs.lsim(system, u, t, interp=interp)
        agree(ours.lsim(system, u, t, interp=interp), expected)
        made = ours.lsim(on_device(system), cp.array(u), cp.array(t), interp=interp)
        agree(made, expected)
        if n > 1:
            # The first time is not 0.
            expected = theirs.lsim(system, u, t + 0.3, interp=interp)
            agree(ours.lsim(system, u, cp.array(t + 0.3), interp=interp), expected)


@pytest.mark.parametrize("name", ["ss", "ss, oscillating", "two in, two out"])
def test_lsim_from_a_state(name):
    system = ALL[name]
    n = len(system[0])
    x0, t = numbers(n, seed=1), np.linspace(0.2, 3, 40)
    u = numbers(40, inputs_of(system))
    for given in (u, None, 0, 0.0, np.zeros_like(u)):
        expected = theirs.lsim(system, given, t, x0)
        agree(ours.lsim(system, given, t, x0), expected)
        made = ours.lsim(system, on_device(given), cp.array(t), X0=cp.array(x0))
        agree(made, expected)


@pytest.mark.parametrize("n", [1000, 10**5])
def test_lsim_of_many_steps(n):
    """In pieces at once on a GPU."""
    for name in ("ss, oscillating", "zpk", "two in, two out"):
        t = np.linspace(0, 50, n)
        u = np.cos(np.arange(n * inputs_of(ALL[name]))).reshape(n, -1)
        expected = theirs.lsim(ALL[name], u, t)
        agree(ours.lsim(ALL[name], cp.array(u), cp.array(t)), expected, 1e-9)


def test_lsim_of_vectors_and_lists():
    t = [0.0, 0.5, 1]
    expected = theirs.lsim(SISO["tf"], np.array([1.0, 2, 3]), t)
    agree(ours.lsim(SISO["tf"], [1.0, 2, 3], t), expected)
    agree(ours.lsim(ours.lti(*SISO["tf"]), cp.array([1, 2, 3]), t), expected)


def test_lsim_of_complex_numbers():
    """Where SciPy loses the imaginary part."""
    t, u = np.linspace(0, 2, 20), numbers(20) + 1j * numbers(20, seed=1)
    _, y, x = ours.lsim(SISO["ss"], cp.array(u), t)
    _, real, _ = theirs.lsim(SISO["ss"], u.real, t)
    _, imag, _ = theirs.lsim(SISO["ss"], u.imag, t)
    agree(y, real + 1j * imag)
    assert x.dtype == np.complex128


def test_lsim_of_float32():
    t, u = np.linspace(0, 2, 20), numbers(20).astype("f")
    _, y, _ = ours.lsim(SISO["ss"], cp.array(u), cp.array(t))
    agree(y, theirs.lsim(SISO["ss"], u, t)[1])


def test_integers_are_computed_in_float64():
    """Where SciPy's states are rounded to integers."""
    system = ([[-1, 0], [1, -2]], [[1], [0]], [[0, 1]], [[0]])
    t = np.linspace(0, 3, 30)
    whole = tuple(map(np.array, system))
    exact = tuple(np.array(m, float) for m in system)
    expected = theirs.lsim(exact, np.ones(30), t)
    agree(ours.lsim(whole, np.ones(30), t), expected)


def test_errors_of_lsim():
    system, t = SISO["ss"], np.linspace(0, 1, 5)
    for wrap in (np.asarray, cp.array):
        with pytest.raises(ValueError, match="Time steps are not equally spaced"):
            ours.lsim(system, 0, wrap([0, 1.0, 3]))
        with pytest.raises(
            ValueError, match="Initial time must be nonnegative, not -1"
        ):
            ours.lsim(system, 0, wrap([-1.0, 0, 1]))
        with pytest.raises(ValueError, match=r"rank-1 array, its shape is \(2, 2\)"):
            ours.lsim(system, 0, wrap(np.eye(2)))
        with pytest.raises(
            ValueError, match=r"same number of rows .* \(4, 1\), T has 5"
        ):
            ours.lsim(system, wrap(np.ones(4)), t)
        with pytest.raises(
            ValueError, match=r"that many inputs: it has 1, .* \(5, 2\)"
        ):
            ours.lsim(system, wrap(np.ones((5, 2))), t)
        agree(
            ours.lsim(system, wrap(np.zeros(4)), t),
            theirs.lsim(system, np.zeros(4), t),
        )
    with pytest.raises(ValueError, match=r"each of 3 states, its shape is \(2,\)"):
        ours.lsim(system, 0, t, np.ones(2))
    with pytest.raises(IndexError, match="at least one element"):
        ours.lsim(system, 0, [])
    with pytest.raises(AttributeError, match="lsim can only be used with continuous"):
        ours.lsim(ours.dlti([1.0], [1.0, 2]), 0, t)


@pytest.mark.parametrize("name", SISO)
def test_impulse_and_step(name):
    system = SISO[name]
    for function in ("impulse", "step"):
        at, of = getattr(ours, function), getattr(theirs, function)
        agree(at(system), of(system))
        agree(at(on_device(system), N=7), of(system, N=7))
        t = np.linspace(0, 3, 50)
        agree(at(ours.lti(*system), T=cp.array(t)), of(system, T=t))
        agree(at(ours.lti(*system), None, t.tolist()), of(system, None, t))


def test_responses_from_a_state():
    t = np.linspace(0, 3, 50)
    system = SISO["tf of one state"]
    agree(ours.impulse(system, [0.5], t), theirs.impulse(system, [0.5], t))
    system, x0 = SISO["ss"], np.array([1.0, 2, 3])
    agree(ours.step(system, x0, t), theirs.step(system, x0, t))
    agree(ours.step(system, cp.array(x0), cp.array(t)), theirs.step(system, x0, t))
    # SciPy takes the state of an impulse as a column alone.
    expected = theirs.impulse(system, x0[:, None], t)
    agree(ours.impulse(system, x0[:, None], t), expected)
    agree(ours.impulse(system, cp.array(x0), t), expected)


def test_continuous_methods():
    t, u = np.linspace(0, 3, 50), numbers(50)
    for system in SISO.values():
        s, expected = ours.lti(*system), theirs.lti(*system)
        agree(s.output(cp.array(u), t), expected.output(u, t))
        agree(s.impulse(T=t), expected.impulse(T=t))
        agree(s.step(N=20), expected.step(N=20))


def test_discrete_systems_have_no_continuous_responses():
    system = ours.dlti([1.0], [1.0, 2])
    for function in ("impulse", "step"):
        with pytest.raises(AttributeError, match=f"{function} can only be used with"):
            getattr(ours, function)(system)


# ---- discrete time -------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_dlsim(name):
    system = discrete(ALL[name])
    for n in (1, 2, 3, 500):
        u = numbers(n, inputs_of(ALL[name]))
        expected = theirs.dlsim(system, u)
        agree(ours.dlsim(system, u), expected[:2] if len(system) < 5 else expected)
        agree(ours.dlsim(on_device(system), cp.array(u)), expected)


@pytest.mark.parametrize("name", ["tf", "two in, two out"])
def test_dlsim_of_times(name):
    """Inputs between the samples."""
    system = discrete(ALL[name])
    for t in (np.linspace(0, 5, 77), np.sort(np.r_[0, 5 * np.abs(numbers(30))])):
        u = numbers(t.size, inputs_of(ALL[name]))
        expected = theirs.dlsim(system, u, t)
        agree(ours.dlsim(system, u, t), expected)
        agree(ours.dlsim(system, cp.array(u), cp.array(t)), expected)


def test_dlsim_from_a_state():
    system, x0, u = discrete(SISO["ss"]), np.array([1.0, 2, 3]), numbers(40)
    expected = theirs.dlsim(system, u, x0=x0)
    agree(ours.dlsim(system, u, x0=x0), expected)
    agree(ours.dlsim(system, cp.array(u), x0=cp.array(x0)), expected)
    agree(ours.dlsim(system, u.tolist(), None, x0.tolist()), expected)


def test_dlsim_of_many_steps():
    for name in ("ss, oscillating", "tf", "two in, two out"):
        system = discrete(ALL[name], 0.01)
        u = numbers(50000, inputs_of(ALL[name]))
        agree(ours.dlsim(system, cp.array(u)), theirs.dlsim(system, u), 1e-8)


def test_time_that_is_not_known():
    system = ours.dlti(*discrete(SISO["tf"])[:2])
    expected = theirs.dlti(*discrete(SISO["tf"])[:2])
    assert system.dt is expected.dt is True
    agree(ours.dlsim(system, [1.0, 2, 3]), theirs.dlsim(expected, [1.0, 2, 3]))


def test_errors_of_dlsim():
    system = discrete(SISO["ss"])
    with pytest.raises(ValueError, match="the system has 1 inputs"):
        ours.dlsim(system, np.ones((4, 2)))
    with pytest.raises(ValueError, match="3 rows, 2 times"):
        ours.dlsim(system, np.ones(3), [0, 1])
    with pytest.raises(IndexError, match=r"there is no sample: u of shape \(2, 1\)"):
        ours.dlsim(system, np.ones(2), [-2, -1])
    with pytest.raises(IndexError, match="there is no sample"):
        ours.dlsim(system, np.ones(0))
    with pytest.raises(IndexError, match="t must have at least one element"):
        ours.dlsim(system, np.ones(0), [])
    with pytest.raises(ValueError, match="3 states"):
        ours.dlsim(system, np.ones(2), x0=[1, 2])
    for function in ("dimpulse", "dstep"):
        with pytest.raises(AttributeError, match=f"{function} can only be used with"):
            getattr(ours, function)(ours.lti([1.0], [1.0, 2]))
    with pytest.raises(AttributeError, match="dlsim can only be used with discrete"):
        ours.dlsim(ours.lti([1.0], [1.0, 2]), [1])


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("function", ["dimpulse", "dstep"])
def test_discrete_responses(name, function):
    system = discrete(ALL[name])
    at, of = getattr(ours, function), getattr(theirs, function)
    agree(at(system), of(system))
    agree(at(on_device(system), n=5), of(system, n=5))
    t = np.linspace(0, 2, 21)
    agree(at(system, t=t), of(system, t=t))
    agree(at(system, t=cp.array(t)), of(system, t=t))
    if len(system) == 5:
        x0 = numbers(len(system[0]))
        agree(at(system, x0, n=9), of(system, x0, n=9))


def test_discrete_methods():
    for system in SISO.values():
        *parts, dt = discrete(system)
        s, expected = ours.dlti(*parts, dt=dt), theirs.dlti(*parts, dt=dt)
        u, t = numbers(30), np.linspace(0, 2.9, 30)
        agree(s.output(cp.array(u), t), expected.output(u, t))
        agree(s.impulse(n=11), expected.impulse(n=11))
        agree(s.step(t=t), expected.step(t=t))


def test_systems_of_several_inputs_and_outputs_agree_with_their_parts():
    system = discrete(MIMO["two in, two out"])
    _, both = ours.dimpulse(system, n=20)
    a, b, c, d, dt = system
    for i in range(2):
        _, (one,) = ours.dimpulse((a, b[:, i : i + 1], c, d[:, i : i + 1], dt), n=20)
        agree(both[i], one.get())


def test_nothing_waits():
    """Where times are the host's."""
    t, u = np.linspace(0, 1, 50), cp.array(numbers(50))
    system, sampled = ours.lti(*SISO["ss"]), ours.dlti(*SISO["tf"], dt=0.1)
    with cupricx.allow_synchronize(False):
        ours.lsim(system, u, t)
        ours.lsim(system, u, t, cp.ones(3))
        ours.impulse(system)
        ours.step(system, T=t)
        ours.dlsim(sampled, u)
        ours.dlsim(sampled, u, t)
        ours.dimpulse(sampled)
        ours.dstep(sampled, t=t)


def test_times_of_inputs():
    """From before 0, from later on, and up to between samples."""
    system = discrete(SISO["tf"])
    for t in ([-0.1, 0, 0.1], [0.1, 0.2, 0.3], [0, 0.1, 0.25], [0.3, 0.4, 2]):
        expected = theirs.dlsim(system, [1.0, 3, 2], t)
        agree(ours.dlsim(system, [1.0, 3, 2], t), expected)
        agree(ours.dlsim(system, cp.array([1.0, 3, 2]), cp.array(t)), expected)
    for wrap in (np.array, cp.array):
        for t in ([0, 0.2, 0.1], [0.0, 0, 1]):
            with pytest.raises(ValueError, match="Expect x"):
                theirs.dlsim(system, [1.0, 3, 2], t)
            with pytest.raises(ValueError, match="t must be strictly increasing"):
                ours.dlsim(system, [1.0, 3, 2], wrap(t))
