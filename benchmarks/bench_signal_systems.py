"""Peaks and linear systems beside CuPy on a GPU, beside SciPy on the host.

`share` counts a signal that is read once.
"""

import numpy as np

from measure import Case

BY_NAME = True
LONG, SHORT, STEPS = 10**7, 10**6, 10**4
QUICK_LONG, QUICK_SHORT, QUICK_STEPS = 10**4, 10**3, 100
CONDITIONS = {
    "height": {"height": 1.0},
    "distance": {"distance": 10},
    "distance of 1000": {"distance": 1000},
    "prominence": {"prominence": 1.0},
    "distance and prominence": {"distance": 10, "prominence": 1.0},
    "width": {"width": 2.0},
}
# An oscillator that is damped, and one behind a low-pass.
SYSTEM = ([1.0], [1.0, 0.2, 4.0])
MATRICES = (
    [[-1.0, 0.5, 0.0], [0.2, -2.0, 1.0], [0.0, -0.3, -0.5]],
    [[1.0, 2.0], [0.0, 1.0], [-1.0, 0.0]],
)
WIDTHS = range(1, 20)


def noise(lib, n, dtype=np.float64):
    return lib.asarray(np.random.default_rng(0).standard_normal(n).astype(dtype))


def peaks(n, dtype, options, walk=False):
    """`make` of a case."""

    def make(lib):
        x = noise(lib, n, dtype)
        if walk:
            x = x.cumsum()
        return lambda: lib.signal.find_peaks(x, **options)

    return make


def of_signal(n, call):
    def make(lib):
        x = noise(lib, n)
        return lambda: call(lib.signal, x)

    return make


def simulated(steps):
    def make(lib):
        t = lib.asarray(np.linspace(0, 100, steps))
        u = noise(lib, steps)
        system = lib.signal.lti(*SYSTEM)
        return lambda: lib.signal.lsim(system, u, t)

    return make


def sampled(steps):
    def make(lib):
        u = noise(lib, steps)
        num, den, dt = lib.signal.cont2discrete(SYSTEM, 0.1)
        system = lib.signal.dlti(num, den, dt=dt)
        return lambda: lib.signal.dlsim(system, u)

    return make


def placed(lib):
    a, b = (lib.asarray(np.array(m)) for m in MATRICES)
    poles = lib.asarray(np.array([-1.0, -2.0, -3.0]))
    return lambda: lib.signal.place_poles(a, b, poles)


def of_system(call):
    def make(lib):
        return lambda: call(lib.signal)

    return make


def cases(quick):
    long, short, steps = (
        (QUICK_LONG, QUICK_SHORT, QUICK_STEPS) if quick else (LONG, SHORT, STEPS)
    )
    for what, options in CONDITIONS.items():
        make = peaks(short, np.float64, options)
        yield Case(f"find_peaks, {what}", f"{short} d", make, 8 * short)
    height = CONDITIONS["height"]
    make = peaks(long, np.float32, height)
    yield Case("find_peaks, height", f"{long} f", make, 4 * long)
    make = peaks(short, np.float64, CONDITIONS["prominence"], walk=True)
    yield Case("find_peaks, prominence of a walk", f"{short} d", make, 8 * short)
    for order in (1, 10):
        make = of_signal(short, lambda signal, x, k=order: signal.argrelmax(x, order=k))
        yield Case(f"argrelmax, order {order}", f"{short} d", make, 8 * short)
    n = steps * 2
    make = of_signal(n, lambda signal, x: signal.find_peaks_cwt(x, np.array(WIDTHS)))
    yield Case("find_peaks_cwt, 19 widths", f"{n} d", make, 8 * n)
    yield Case("lsim, order 2", f"{steps} d", simulated(steps), 16 * steps)
    yield Case("dlsim, order 2", f"{steps} d", sampled(steps), 16 * steps)
    yield Case("place_poles", "3 states, 2 inputs", placed, 0)
    for what, call in {
        "impulse": lambda signal: signal.impulse(SYSTEM),
        "step": lambda signal: signal.step(SYSTEM),
        "bode": lambda signal: signal.bode(SYSTEM),
        "cont2discrete": lambda signal: signal.cont2discrete(SYSTEM, 0.1),
        "tf2ss": lambda signal: signal.tf2ss(*SYSTEM),
    }.items():
        yield Case(what, "order 2", of_system(call), 0)
