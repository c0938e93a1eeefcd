"""Linear recurrences against loops, and systems against scipy.signal.dlsim."""

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy.signal import _state_space
from cupricx.scipy.signal._state_space import simulate

theirs = pytest.importorskip("scipy.signal")


@pytest.fixture(params=["whole", "cut"])
def rows(request, monkeypatch, device):
    """As they are cut anyway; and on the host in chunks, as on a GPU."""
    if request.param == "cut":
        if device != "host":
            pytest.skip("rows of a GPU are cut anyway")
        monkeypatch.setattr(_state_space._library, "on_host", lambda x: False)
        undecorated = _state_space.recurrence.__wrapped__
        monkeypatch.setattr(_state_space, "recurrence", undecorated)


def recurrence(*args):
    return _state_space.recurrence(*args)


def by_steps(a, w, x0):
    x = np.zeros(w.shape, np.result_type(a, w))
    now = x0
    for k in range(w.shape[-2]):
        x[..., k, :] = now
        now = now @ a.T + w[..., k, :]
    return x


def numbers(shape, dtype="d", seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(dtype)


def matrix(n, dtype="d", radius=0.99):
    a = numbers((n, n), dtype, n)
    return a * (radius / np.abs(np.linalg.eigvals(a)).max())


def agree(made, expected, bound=1e-11):
    assert made.shape == expected.shape
    assert made.dtype == expected.dtype
    scale = np.abs(expected).max(initial=0)
    assert np.abs(made.get() - expected).max(initial=0) <= bound * scale


@pytest.mark.parametrize("dtype", "dD")
@pytest.mark.parametrize("n", [1, 2, 5, 70])
def test_states(rows, n, dtype):
    a = matrix(n, dtype)
    for steps in (0, 1, 2, 31, 32, 33, 64, 65, 66, 1024, 1025, 2049, 5000):
        if n > 5 and steps > 100:
            continue
        w, x0 = numbers((2, steps, n), dtype, 1), numbers((2, n), dtype, 2)
        agree(recurrence(*map(cp.array, (a, w, x0))), by_steps(a, w, x0))
        made = recurrence(*map(cp.array, (a, w)))
        agree(made, by_steps(a, w, np.zeros(n)))


@pytest.mark.parametrize("radius", [0.99999, 1.0, 1.003])
def test_near_and_beyond_the_circle(rows, radius):
    angle = 0.01
    turn = [[np.cos(angle), 1], [0, np.cos(angle)]]
    for a in (np.array(turn) * radius, np.diag([radius, -radius, 0.5])):
        n = len(a)
        w = numbers((9000, n))
        expected = by_steps(a, w, np.ones(n))
        made = recurrence(*map(cp.array, (a, w, np.ones(n)))).get()
        scale = np.maximum.accumulate(np.abs(expected))
        assert (np.abs(made - expected) <= 1e-10 * scale).all()


def test_nothing_grows_of_nothing(rows):
    """Powers are infinite long before the first input comes."""
    w = np.zeros((9000, 2))
    w[-50] = 1
    a = np.array([[4.0, 1], [0, 3]])
    made = recurrence(cp.array(a), cp.array(w)).get()
    np.testing.assert_allclose(made, by_steps(a, w, np.zeros(2)), rtol=1e-12)


def test_nan_from_there_on(rows):
    w = numbers((2, 600, 2))
    w[1, 300] = np.nan
    made = recurrence(cp.array(matrix(2)), cp.array(w)).get()
    assert np.isfinite(made[0]).all()
    assert np.isfinite(made[1, :301]).all()
    assert np.isnan(made[1, 301:]).all()


@pytest.mark.parametrize("steps", [1, 50, 3000])
def test_systems(rows, steps):
    a, b, c, d = matrix(3), numbers((3, 2)), numbers((4, 3)), numbers((4, 2))
    u, x0 = numbers((steps, 2)), numbers(3)
    _, y, x = theirs.dlsim((a, b, c, d, 1.0), u, x0=x0)
    for of in (np.asarray, cp.array):
        made = simulate(*map(of, (a, b, c, d)), cp.array(u), of(x0))
        agree(made[0], y)
        agree(made[1], x)
    made = simulate(a.tolist(), b, c, d, cp.array(u))
    agree(made[0], theirs.dlsim((a, b, c, d, 1.0), u)[1])


def test_several_complex_systems():
    a, b, c, d = matrix(2, "D"), numbers((2, 1)), numbers((1, 2)), numbers((1, 1))
    u = numbers((3, 40, 1))
    y, x = simulate(a, b, c, d, cp.array(u), np.ones(2))
    expected = by_steps(a, u @ b.T, np.ones(2))
    agree(x, expected)
    agree(y, expected @ c.T + u @ d.T)


@pytest.mark.parametrize(
    ("shapes", "match"),
    [
        (((2, 2), (2, 1), (1, 2), (1, 2), (5, 1), None), r"D \(1, 2\)"),
        (((2, 3), (2, 1), (1, 2), (1, 1), (5, 1), None), r"A \(2, 3\)"),
        (((2, 2), (2, 1), (1, 2), (1, 1), (5,), None), r"inputs are \(5,\)"),
        (((2, 2), (2, 1), (1, 2), (1, 1), (5, 2), None), r"1 inputs.*\(5, 2\)"),
        (((2, 2), (2, 1), (1, 2), (1, 1), (5, 1), (3,)), r"2 states.*\(3,\)"),
    ],
)
def test_errors(shapes, match):
    *system, u, x0 = shapes
    with pytest.raises(ValueError, match=match):
        simulate(*map(np.ones, system), cp.ones(u), None if x0 is None else np.ones(x0))
