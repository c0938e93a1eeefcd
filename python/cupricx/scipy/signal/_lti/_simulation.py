"""Responses of systems in state space: linear recurrences of their states."""

import math

import numpy as np

from cupric import _core
from cupric.cuda import Device
from cupricx.scipy.signal._lti._discretize import held, ramped
from cupricx.scipy.signal._lti._matrices import expm, float_matrix
from cupricx.scipy.signal._state_space import recurrence, simulate

__all__ = [
    "continuous",
    "continuous_impulse",
    "continuous_step",
    "discrete",
    "discrete_impulse",
    "discrete_step",
]


def _device_of(device, *arrays):
    """Where the first of the arrays lies that a device has, or else the system."""
    for x in arrays:
        if isinstance(x, _core.ndarray):
            return x.device
    return Device() if device is None else device


def _matrices(parts):
    return [float_matrix(m) for m in parts]


def _on_device(x):
    """An array of the current device; host's, too."""
    return x if isinstance(x, _core.ndarray) else _core.array(np.asarray(x))


# ---- continuous time -----------------------------------------------------------------


def _times(T):
    """Times as an array of the device, the first of them, and the step."""
    t = T if isinstance(T, _core.ndarray) else np.asarray(T)
    if t.ndim == 0:
        t = t.reshape(1)
    if t.ndim != 1:
        raise ValueError(f"T must be a rank-1 array, its shape is {t.shape}")
    n = t.size
    if n == 0:
        raise IndexError("T must have at least one element")
    if n == 1:
        return _on_device(t), float(t[0]), 0.0
    steps = t[1:] - t[:-1]
    near = abs(steps - steps[0]) <= 1e-8 + 1e-5 * abs(steps[0])  # as allclose
    if isinstance(t, _core.ndarray):
        facts = _core.concatenate([t[:2].astype(float), near.all().reshape(1) * 1.0])
        first, second, even = facts.get().tolist()
    else:
        first, second, even = float(t[0]), float(t[1]), near.all()
    if not even:
        raise ValueError("Time steps are not equally spaced.")
    return _on_device(t), first, second - first


def _inputs(U, steps, inputs):
    """Inputs as an array of (steps, inputs); None where they are all zero."""
    if U is None:
        return None
    if not isinstance(U, _core.ndarray):
        U = np.asarray(U)
        if not U.any():
            return None
    if U.ndim == 0:
        U = U.reshape(1)
    if U.ndim == 1:
        U = U.reshape(1, -1) if steps == 1 else U[:, None]
    fault = None
    if U.shape[0] != steps:
        fault = (
            "U must have the same number of rows as elements in T: its shape is "
            f"{U.shape}, T has {steps} elements"
        )
    elif U.ndim != 2 or U.shape[1] != inputs:
        fault = (
            f"System does not define that many inputs: it has {inputs}, U is of shape "
            f"{U.shape}"
        )
    if fault is None:
        return _on_device(U)
    if isinstance(U, _core.ndarray) and not bool(U.any()):
        return None
    raise ValueError(fault)


def _start(X0, first, a):
    """The state at the first time, from that at 0."""
    if first < 0:
        raise ValueError(f"Initial time must be nonnegative, not {first}")
    if X0 is None:
        return None
    x = _on_device(X0)
    x = x.reshape(-1).astype(np.result_type(x.dtype, a.dtype), copy=False)
    if x.size != a.shape[0]:
        raise ValueError(
            f"X0 must have an element for each of {a.shape[0]} states, its shape is "
            f"{np.shape(X0)}"
        )
    return x if first == 0 else _core.matmul(_core.array(expm(a * first)), x)


def continuous(parts, device, U, T, X0=None, interp=True):
    """T, the output and the states; `parts` are A, B, C, D of the host."""
    a, b, c, d = _matrices(parts)
    with _device_of(device, U, T, X0):
        t, first, dt = _times(T)
        n = t.size
        u = _inputs(U, n, b.shape[1])
        x0 = _start(X0, first, a)
        dtype = np.result_type(a, b, c, d, *(v.dtype for v in (u, x0) if v is not None))
        ad, driven = _driven(a, b, u, n, dt, interp, dtype)
        x = recurrence(_core.array(ad), driven, x0)
        y = _core.matmul(x, _core.array(c.T.astype(dtype)))
        if u is not None:
            y += _core.matmul(u.astype(dtype), _core.array(d.T.astype(dtype)))
        return t, y.squeeze(), x.squeeze()


def _driven(a, b, u, n, dt, interp, dtype):
    """The matrix of a step, and what inputs add to the states in each."""
    if u is None:
        return expm(a * dt), _core.zeros((n, a.shape[0]), dtype)
    u = u.astype(dtype, copy=False)
    if not interp:
        ad, bd = held(a, b, dt)
        return ad, _core.matmul(u, _core.array(bd.T.astype(dtype)))
    ad, bd, slope = ramped(a, b, dt)
    made = _core.matmul(u, _core.array((bd - slope).T.astype(dtype)))
    made[:-1] += _core.matmul(u[1:], _core.array(slope.T.astype(dtype)))
    return ad, made


def _response_times(a, n):
    """n times, up to 7 time constants of the slowest mode."""
    slowest = abs(np.linalg.eigvals(a).real).min() if a.size else 0.0
    return np.linspace(0.0, 7.0 / (slowest if slowest else 1.0), n)


def _response(parts, device, X0, T, N):
    """T, and the device of a response."""
    if T is None:
        T = _response_times(float_matrix(parts[0]), 100 if N is None else N)
    return T, _device_of(device, T, X0)


def continuous_impulse(parts, device, X0=None, T=None, N=None):
    """T and the output, of an impulse: the state is B then."""
    T, device = _response(parts, device, X0, T, N)
    b = float_matrix(parts[1])
    with device:
        start = _core.array(np.ascontiguousarray(b).squeeze())
        if X0 is not None:
            start = start + _on_device(X0).reshape(start.shape)
        return continuous(parts, device, None, T, start, interp=False)[:2]


def continuous_step(parts, device, X0=None, T=None, N=None):
    """T and the output, where the input is 1."""
    T, device = _response(parts, device, X0, T, N)
    shape = T.shape if isinstance(T, _core.ndarray) else np.shape(T)
    with device:
        u = _core.empty(shape)
        u.fill(1)
        return continuous(parts, device, u, T, X0, interp=False)[:2]


# ---- discrete time -------------------------------------------------------------------


def _columns(u):
    u = _on_device(u)
    return u.reshape(-1, 1) if u.ndim < 2 else u


def _increasing(t):
    """Times, of one axis, and the last of them."""
    t = t if isinstance(t, _core.ndarray) else np.asarray(t)
    t = t.reshape(-1).astype(np.float64, copy=False)
    if t.size == 0:
        raise IndexError("t must have at least one element")
    increases = (t[1:] > t[:-1]).all()
    if isinstance(t, _core.ndarray):
        facts = _core.concatenate([t[-1:], increases.reshape(1) * 1.0])
        last, increases = facts.get().tolist()
    else:
        last = float(t[-1])
    if not increases:
        raise ValueError("t must be strictly increasing")
    return t, last


def _sampled(u, t, at):
    """u, of (times, inputs), interpolated linearly, also from the ends outwards."""
    if t.size != u.shape[0]:
        raise ValueError(
            f"u and t must be equal in length: {u.shape[0]} rows, {t.size} times"
        )
    t, at = _on_device(t), _on_device(at)
    if t.size == 1:
        return u[_core.zeros(at.size, np.int64)]
    after = _core.searchsorted(t, at).clip(1, t.size - 1)
    before = after - 1
    begin = u[before]
    slope = (u[after] - begin) / (t[after] - t[before])[:, None]
    return slope * (at - t[before])[:, None] + begin


def discrete(parts, dt, device, u, t=None, x0=None):
    """The times, the output and the states."""
    with _device_of(device, u, t, x0):
        u = _columns(u)
        if t is None:
            samples, stop = u.shape[0], (u.shape[0] - 1) * dt
        else:
            t, stop = _increasing(t)
            samples = math.floor(stop / dt) + 1
        if samples < 1:
            raise IndexError(f"there is no sample: u of shape {u.shape}, up to {stop}")
        times = np.linspace(0.0, stop, num=samples)
        if t is not None:
            u = _sampled(u, t, times)
        if x0 is not None:
            x0 = _on_device(x0).reshape(-1)
        y, x = simulate(*_matrices(parts), u, x0)
        return _on_device(times), y, x


def _discrete_responses(parts, dt, device, x0, t, n, is_impulse):
    """The times, and the output of 1 at each input, once or always."""
    n = 100 if n is None else n
    if t is None:
        t = np.linspace(0, n * dt, n, endpoint=False)
    inputs = np.shape(parts[1])[1]
    with _device_of(device, t, x0):
        t, stop = _increasing(t)
        length, samples = t.size, math.floor(stop / dt) + 1
        times = np.linspace(0.0, stop, num=samples)
        u = _core.zeros((inputs, length, inputs))
        for i in range(inputs):
            u[i, : 1 if is_impulse else length, i] = 1
        # Side by side they are columns, all of which are interpolated at once.
        u = u.transpose(1, 0, 2).reshape(length, inputs * inputs)
        u = _sampled(u, t, times).reshape(samples, inputs, inputs)
        x0 = None if x0 is None else _on_device(x0).reshape(-1)
        y, _ = simulate(*_matrices(parts), u.transpose(1, 0, 2), x0)
        return _on_device(times), tuple(y)


def discrete_impulse(parts, dt, device, x0=None, t=None, n=None):
    return _discrete_responses(parts, dt, device, x0, t, n, True)


def discrete_step(parts, dt, device, x0=None, t=None, n=None):
    return _discrete_responses(parts, dt, device, x0, t, n, False)
