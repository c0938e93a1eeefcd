"""Calls with arrays of another device than the current one: that is where they run, and
where all that they allocate is made.

tests/device/test_several_devices.py runs these on two devices of the host, too.
"""

import inspect
import re

import numpy as np
import pytest

import cupric as cp
from cupric import cuda
from cupricx.scipy import ndimage, signal

from ..fuzz import examples

MATRIX = np.eye(3) + 0.1
VECTOR = np.arange(3.0)


class Made(cuda.MemoryHook):
    """Whether memory of device 0 is allocated."""

    on_device_0 = False

    def malloc_postprocess(self, device_id, **told):
        self.on_device_0 |= device_id == 0


def arrays_in(x):
    if isinstance(x, tuple | list):
        for item in x:
            yield from arrays_in(item)
    elif isinstance(x, cp.ndarray):
        yield x


# ---- numbers and lists beside arrays ------------------------------------------------

WITH_NUMBERS = {
    "searchsorted": lambda a, v: cp.searchsorted(v, 1.5),
    "concatenate": lambda a, v: cp.concatenate((a, 3, [4, 5]), None),
    "block": lambda a, v: cp.block([[v, 3], [4, v]]),
    "r_": lambda a, v: cp.r_[v, 3, :4],
    "broadcast_arrays": lambda a, v: cp.broadcast_arrays(v, 3, [1, 2, 3]),
    "where": lambda a, v: cp.add(v, 1, where=np.bool_(True)),
    "where=False": lambda a, v: v.sum(where=False),
    "copyto": lambda a, v: cp.copyto(v, 3, where=np.bool_(True)),
    "dot": lambda a, v: (cp.dot(3, v), cp.vdot(2, v[:1]), cp.outer(v, 2)),
    "einsum": lambda a, v: cp.einsum("ij,->ij", a, 2),
    "cross": lambda a, v: cp.cross(v, [1, 2, 3]),
    "average": lambda a, v: cp.average(a, 0, [1, 2, 3], returned=True),
    "array_equal": lambda a, v: cp.array_equal(v, np.ones(4)),
    "allclose": lambda a, v: cp.allclose(v, [0, 1, 2]),
    "extract": lambda a, v: cp.extract([True, False, True], v),
    "isreal": lambda a, v: (cp.isreal(v), cp.iscomplex(v)),
    "geomspace": lambda a, v: cp.geomspace(v + 1, 8, 3),
    "times": lambda a, v: v.astype("i8").view("m8[s]") == np.timedelta64(1, "s"),
    "structures": lambda a, v: (v.astype("f8,i1") == v.astype("f8,i1"))[::2],
    "packed structures": lambda a, v: v.astype("i1,f8").astype("f8,f8")["f1"],
    "byteswap": lambda a, v: a.T.byteswap(),
    "polynomials": lambda a, v: (cp.polyadd(v, [1, 2]), cp.polyval([1, 2], v)),
    "poly1d": lambda a, v: of_poly1d(cp.poly1d(v)),
    "normal": lambda a, v: cp.random.normal(v, [1, 2, 3]),
    "uniform": lambda a, v: cp.random.default_rng(1).uniform(v, 9),
    "poisson": lambda a, v: cp.random.poisson(v, (2, 3)),
    "integers": lambda a, v: cp.random.default_rng(1).integers(v.astype(int), 9),
    "choice": lambda a, v: cp.random.default_rng(1).choice(a, 2, axis=1),
    "weighted choice": lambda a, v: cp.random.choice(3, 2, p=v / 3),
    "permutation": lambda a, v: cp.random.default_rng(1).permutation(a, axis=1),
    "dirichlet": lambda a, v: cp.random.default_rng(1).dirichlet(v + 1),
    "multinomial": lambda a, v: cp.random.default_rng(1).multinomial(5, v / 3),
    "filters": lambda a, v: of_filters(v.repeat(30)),
    "splines": lambda a, v: of_splines(v.repeat(30)),
    "multivariate": lambda a, v: cp.random.multivariate_normal(v, a @ a.T),
}


def of_poly1d(p):
    many = (p + [1, 2], p * p, p**0, p**2, -p, p.deriv(), p.integ(), p(p), p / 2)
    p[5] = 1
    return (*(q.coeffs for q in many), p.coeffs, p[9], p(2), p.roots)


def of_filters(x):
    low, sos = ([0.5], [1.0, -0.5]), [[0.5, 0, 0, 1, -0.5, 0]]
    yield signal.lfilter(*low, x, zi=x[:1])
    yield signal.lfilter(np.ones(12), [1.0], x, zi=x[:11])
    yield signal.lfilter([1.0], x[60:72], x)
    yield from (signal.lfilter_zi(x[60:], [1.0]), signal.lfiltic(*low, x))
    yield from (signal.deconvolve(x, low[1]), signal.deconvolve(x, np.ones(99)))
    yield from (signal.sosfilt(sos, x), signal.sosfiltfilt(sos, x))
    yield from (signal.filtfilt(*low, x), signal.filtfilt(*low, x, method="gust"))


def of_splines(x):
    image = x[:, None] + x
    yield from (signal.symiirorder1(x, 0.3, 0.4), signal.symiirorder2(image, 0.3, 0.4))
    yield from (signal.cspline1d(x), signal.cspline1d(x, 2.0), signal.qspline1d(x))
    yield from (signal.cspline2d(image), signal.cspline2d(image, 1.0))
    yield from (signal.qspline2d(image), signal.spline_filter(image))
    yield from (signal.sepfir2d(image, [1.0], [1, 2.0, 1]), signal.gauss_spline(x, 3))
    yield from (signal.cspline1d_eval(x, [0.5, 2]), signal.qspline1d_eval(x, 2.5))


@pytest.mark.parametrize("name", WITH_NUMBERS)
def test_numbers_go_where_the_arrays_are(other, name):
    with other:
        a, v = cp.array(MATRIX), cp.array(VECTOR)
    with Made() as made:
        result = WITH_NUMBERS[name](a, v)
        result = list(result) if inspect.isgenerator(result) else result
    assert {r.device for r in arrays_in(result)} <= {other}
    assert not made.on_device_0


def test_a_structure_of_another_device(other):
    """Of which a replayed call asks the elements alone."""
    around = ndimage.generate_binary_structure(2, 1)
    with other:
        a = cp.zeros((5, 5), bool)
        a[2, 2] = True
    grown = ndimage.binary_dilation(a, around)
    assert grown.device == other
    assert int(grown.sum()) == 5


# ---- every call ----------------------------------------------------------------------

# What copies to the current device, and what is read before an array is.
OF_THE_CURRENT = re.compile(r"\b(as\w*array\w*|copy|require)\(")
READ_BEFORE = re.compile(r"np\.(timedelta|datetime)64\(")


class Elsewhere:
    """The package, whose arrays of lists and numbers are on another device."""

    def __init__(self, device):
        self.device = device

    def __getattr__(self, name):
        return getattr(cp, name)

    def array(self, *args, **kwargs):
        with self.device:
            return cp.array(*args, **kwargs)

    def ones(self, *args, **kwargs):
        with self.device:
            return cp.ones(*args, **kwargs)


def what_differs(example, other):
    """Where arrays lie on the other device, not on the current one."""
    here = example.arrays()
    example.run(here)
    with other:
        there = example.arrays()
    there["xp"] = Elsewhere(other)
    with Made() as made:
        example.run(there)
    source = example.call.source
    place = cuda.Device(0) if OF_THE_CURRENT.search(source) else other
    devices = {x.device for x in arrays_in(there.get(example.call.target))}
    if not devices <= {place}:
        return f"results are on {devices}"
    if example.contents(here) != example.contents(there):
        return "values differ"
    if made.on_device_0 and place == other and not READ_BEFORE.search(source):
        return "arrays are made on device 0"
    return ""


@pytest.mark.filterwarnings("ignore")
def test_every_call_runs_where_its_arrays_are(other):
    failures = []
    for line, example in examples.every().items():
        if all(step.data is None for step in example.steps):
            continue  # of no array
        try:
            found = what_differs(example, other)
        except Exception as error:
            found = repr(error)
        if found:
            failures.append(f"{line}: {example.call.source}: {found}")
    assert failures == []
