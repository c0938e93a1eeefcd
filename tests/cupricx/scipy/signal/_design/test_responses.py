"""Responses of filters against scipy.signal."""

import warnings

import numpy as np
import pytest

import cupric as cp
import cupricx.scipy.signal as ours

from .comparing import agree, near, same_error

theirs = pytest.importorskip("scipy.signal")

FILTERS = [
    ([1, 2, 3], 1),
    ([1, 2, 3], [2, 1]),
    (1, [1.0, -0.5, 0.25]),
    ([1j, 2, 3], [2, 1]),
    ([0.5, 0, 0.25, 1, 2, 3], [1.0, 0.25j]),
]
POINTS = [
    {"worN": 5},
    {"worN": 6, "whole": True},
    {"worN": 5, "include_nyquist": True},
    {"worN": 5, "whole": True, "include_nyquist": True},
    {"worN": 1, "include_nyquist": True},
    {"worN": 7, "fs": 100},
    {"worN": 0},
    {"worN": 1},
    {"worN": None},
    {"worN": np.int32(4)},
    {"worN": np.array(3)},
    {"worN": [0, 1, 2]},
    {"worN": [0.5, 10, 49.5], "fs": 100.0},
    {"worN": [[1.0, 2], [3, 4]]},
    {"worN": 3.5},
    {"worN": []},
]


def real_frequencies(response):
    """SciPy's are complex where coefficients are."""
    return response[0].real, response[1]


@pytest.mark.parametrize(("b", "a"), FILTERS)
@pytest.mark.parametrize("points", POINTS)
def test_freqz(b, a, points):
    expected = real_frequencies(theirs.freqz(b, a, **points))
    agree(ours.freqz(b, a, **points), expected)
    if isinstance(points["worN"], (list, np.ndarray)):
        points = {**points, "worN": cp.array(points["worN"])}
    agree(ours.freqz(cp.array(b), cp.array(a), **points), expected)


@pytest.mark.parametrize("order", [4, 12, 25])
@pytest.mark.parametrize("n", [1000, 100_003])
def test_freqz_of_recursive_filters(order, n):
    b, a = theirs.cheby1(order, 1, 0.4)
    bound = 1e-3 if order > 20 else 1e-9  # polynomials of this order lose so much
    agree(ours.freqz(b, a, n), theirs.freqz(b, a, n), bound)


@pytest.mark.parametrize("taps", [2, 64, 65, 100, 501])
@pytest.mark.parametrize("kind", ["f", "d", "F", "D"])
@pytest.mark.parametrize(
    "points",
    [{}, {"worN": 700}, {"worN": 501, "whole": True}, {"worN": 64}]
    + [{"worN": 600, "include_nyquist": True}, {"worN": 1001, "fs": 44100}],
)
def test_freqz_of_many_taps(taps, kind, points):
    rng = np.random.default_rng(taps)
    b = rng.standard_normal(taps)
    if kind in "FD":
        b = b + 1j * rng.standard_normal(taps)
    b, a = b.astype(kind), np.array([2], kind.lower())
    made = ours.freqz(cp.array(b), cp.array(a), **points)
    expected = theirs.freqz(b, a, **points)
    agree(made, expected, 3e-5 if kind in "fF" else 1e-11)


@pytest.mark.parametrize(
    ("b", "a", "points"),
    [
        ((2, 3, 1), (2,), {}),
        ((2, 3, 1), (2,), {"worN": 4}),
        ((2, 3), (2, 3), {"worN": 3}),
        ((2, 3), (2, 1), {"worN": [1, 2, 3]}),
        ((2, 3, 4), (3, 3, 1), {"worN": 4, "whole": True}),
        ((2, 3, 4), (2, 3, 4), {"worN": 4}),
        ((5, 5, 4), (2, 1, 4), {"worN": 4, "fs": 10}),
        ((2,), (2, 2, 3, 1), {"worN": [0.5]}),
    ],
)
def test_freqz_of_several_filters(b, a, points):
    rng = np.random.default_rng(0)
    b, a = rng.uniform(1, 2, b), rng.uniform(3, 4, a)
    expected = theirs.freqz(b, a, **points)
    agree(ours.freqz(b, a, **points), expected)
    agree(ours.freqz(cp.array(b), cp.array(a), **points), expected)


@pytest.mark.parametrize("dtype", ["f", "d", "F", "D", "i", "u1"])
def test_dtypes(dtype):
    b, a = np.array([1, 1, 0], dtype), np.array([1, 0, 3], dtype)
    for worN in (7, np.array([0.5, 1], "f"), np.array([0.5, 1])):
        expected = real_frequencies(theirs.freqz(b, a, worN))
        agree(ours.freqz(cp.array(b), cp.array(a), worN), expected, 1e-6)


def test_other_dtypes():
    for dtype in ("e", "?"):
        b = np.array([1, 1, 0], dtype)
        w, h = ours.freqz(cp.array(b), 1, 7)
        near(h.get(), theirs.freqz([1, 1, 0], 1, 7)[1], 1e-6)
    w, h = ours.freqz([], [1], 3)
    assert h.get().tolist() == [0, 0, 0]


def test_layouts():
    b, a = np.arange(1.0, 7), np.arange(10.0, 40).reshape(5, 6)
    w = np.linspace(0, 3, 9)
    made = ours.freqz(cp.array(b)[::-2], cp.array(a)[:, 1][::-1], cp.array(w)[::-3])
    agree(made, theirs.freqz(b[::-2], a[:, 1][::-1], w[::-3]))
    made = ours.freqz(cp.array(a)[:, :, None], cp.array(a).T[:5, 1], 8)
    agree(made, theirs.freqz(a[:, :, None], a.T[:5, 1], 8))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_poles_on_the_circle():
    for b, a in (([1], [1, -1]), ([1], [0]), ([0], [0])):
        w, h = ours.freqz(b, a, 2)
        assert not np.isfinite(h.get()[0])


def test_plot_is_called_with_what_is_returned():
    seen = []
    made = ours.freqz([1, 2], 1, 4, plot=lambda w, h: seen.append((w, h)))
    assert seen[0][0] is made[0]
    assert seen[0][1] is made[1]
    made = ours.freqs([1], [1, 2], 4, lambda w, h: seen.append((w, h)))
    assert seen[1][1] is made[1]


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        *((([1, 2], [1]), {"worN": -1}), (([1, 2], [1]), {"fs": [1, 2]})),
        *((([1, 2], [1]), {"fs": None}), (([1, 2], [1]), {"worN": [1j]})),
        *((([1, 2], [1]), {"worN": "a"}), (([[1, 2, 3], [1, 2, 4]], [2, 1]), {})),
        *(((np.ones((2, 3)), np.ones((2, 3))), {"worN": 4}),),
        *(((np.ones((2, 5)), np.ones((2, 1))), {"worN": 4}),),
    ],
)
def test_freqz_refuses(args, kwargs):
    message = same_error(ours.freqz, theirs.freqz, *args, **kwargs)
    if np.ndim(args[0]) == 2:
        assert str(np.shape(args[0])) in message


# ---- sections ------------------------------------------------------------------------


@pytest.mark.parametrize("points", [p for p in POINTS if "include_nyquist" not in p])
@pytest.mark.parametrize("sections", [1, 2, 7])
def test_freqz_sos(points, sections):
    sos = theirs.ellip(2 * sections, 1, 40, 0.4, output="sos")
    expected = theirs.freqz_sos(sos, **points)
    agree(ours.freqz_sos(sos, **points), expected, 1e-10)
    agree(ours.freqz_sos(cp.array(sos), **points), expected, 1e-10)
    agree(ours.sosfreqz(cp.array(sos), **points), expected, 1e-10)


def test_freqz_sos_of_one_section_and_of_other_dtypes():
    agree(
        ours.freqz_sos([1, 2, 3, 1, 0.5, 0.25], 3),
        theirs.freqz_sos([1, 2, 3, 1, 0.5, 0.25], 3),
    )
    sos = np.array([[1, 2, 3, 1, 0.5, 0.25j]])
    w, h = ours.freqz_sos(cp.array(sos), [1, 2.0])
    near(h.get(), theirs.freqz_sos(sos, [1, 2.0])[1])
    assert w.dtype == np.float64
    w, h = ours.freqz_sos(cp.array([[1, 2, 3, 1, 0.5, 0.25]], "f"), 5)
    assert (w.dtype, h.dtype) == (np.float32, np.complex64)


@pytest.mark.parametrize(
    ("sos", "kwargs"),
    [
        *(([[1, 2, 3, 2, 0.5, 0.25]], {}), ([[1, 2, 3, 1, 0.5]], {})),
        *((np.zeros((0, 6)), {}), ([[1, 2, 3, 1, 0.5, 0.25]], {"worN": -1})),
    ],
)
def test_freqz_sos_refuses(sos, kwargs):
    assert same_error(ours.freqz_sos, theirs.freqz_sos, sos, **kwargs)


# ---- zeros and poles -----------------------------------------------------------------

ROOTS = [
    ([1.0], [0.5], 2),
    ([], [], 2.0),
    ([1j, -1j], [0.5 + 0.25j, 0.5 - 0.25j, 0.1], 3.5),
    (0.25, [0.5], [2]),
]


@pytest.mark.parametrize(("z", "p", "k"), ROOTS)
@pytest.mark.parametrize("points", [p for p in POINTS if "include_nyquist" not in p])
def test_freqz_zpk(z, p, k, points):
    expected = theirs.freqz_zpk(z, p, k, **points)
    agree(ours.freqz_zpk(z, p, k, **points), expected)
    if isinstance(points["worN"], (list, np.ndarray)):
        points = {**points, "worN": cp.array(points["worN"])}
    agree(ours.freqz_zpk(cp.array(z), cp.array(p), k, **points), expected)


def test_a_gain_that_is_complex():
    w, h = ours.freqz_zpk([], [0.5], 1 + 2j, 4)
    near(h.get(), (1 + 2j) * theirs.freqz_zpk([], [0.5], 1, 4)[1])


def test_forms_agree():
    z, p, k = ours.butter(6, 0.3, output="zpk")
    w, h = ours.freqz_zpk(z, p, k, 100)
    near(h.get(), ours.freqz(*ours.butter(6, 0.3), 100)[1].get(), 1e-9)
    near(h.get(), ours.freqz_sos(ours.butter(6, 0.3, output="sos"), 100)[1].get(), 1e-9)


# ---- analog filters ------------------------------------------------------------------

ANALOG = [
    {"worN": n} for n in (None, 3, 0, 1, 200, [1, 2], [0.5, 4.0], [[1, 2.0]], 3.5)
]


@pytest.mark.parametrize("points", [{}, *ANALOG])
@pytest.mark.parametrize(
    ("b", "a"), [([1], [1, 2]), ([1, 0], [1, 8, 25]), ([1j], [1, 2]), ([3], [2])]
)
def test_freqs(b, a, points):
    expected = theirs.freqs(b, a, **points)
    agree(ours.freqs(b, a, **points), expected)
    agree(ours.freqs(cp.array(b), cp.array(a), **points), expected)


@pytest.mark.parametrize("points", [{}, *ANALOG])
@pytest.mark.parametrize(
    ("z", "p", "k"), [([1], [2], 3), ([], [], 3), ([], [-1, -2j], 2)]
)
def test_freqs_zpk(z, p, k, points):
    expected = theirs.freqs_zpk(z, p, k, **points)
    agree(ours.freqs_zpk(z, p, k, **points), expected)
    agree(ours.freqs_zpk(cp.array(z), cp.array(p), k, **points), expected)


@pytest.mark.parametrize("order", [3, 8, 20])
def test_freqs_of_high_orders(order):
    b, a = theirs.bessel(order, 100, analog=True, norm="mag")
    agree(ours.freqs(b, a, 300), theirs.freqs(b, a, 300), 1e-9)


@pytest.mark.parametrize(
    ("num", "den", "kind"),
    [
        *(([1], [1, 8, 25], "ba"), ([1], [1, 8, 25], "zp"), ([1, 0], [1, 0, 0], "ba")),
        *(
            ([1, -1], [1, 0], "ba"),
            ([], [1, 3], "zp"),
            ([], [], "zp"),
            ([3], [2], "ba"),
        ),
        *(([1j], [1j, -1j], "zp"), ([1e6, 2], [-3, -400.0], "zp")),
    ],
)
@pytest.mark.parametrize("N", [0, 1, 5, 200])
def test_findfreqs(num, den, kind, N):
    agree(ours.findfreqs(num, den, N, kind), theirs.findfreqs(num, den, N, kind))
    device = cp.array(num), cp.array(den)
    agree(ours.findfreqs(*device, N, kind=kind), theirs.findfreqs(num, den, N, kind))


@pytest.mark.parametrize("args", [(5, "foo"), (-1, "ba"), (2.5, "ba")])
def test_findfreqs_refuses(args):
    N, kind = args
    assert same_error(ours.findfreqs, theirs.findfreqs, [1], [1, 8], N, kind=kind)


# ---- group delay ---------------------------------------------------------------------


@pytest.mark.parametrize("points", [p for p in POINTS if "include_nyquist" not in p])
@pytest.mark.parametrize(
    ("b", "a"),
    [([1, 2], [1]), ([1, 2.0, 5], [1, 0.5]), ([1, 2j], [1, 0.25j, 0.1]), ([3], [2])],
)
def test_group_delay(b, a, points):
    points = {"w" if k == "worN" else k: v for k, v in points.items()}
    expected = real_frequencies(theirs.group_delay((b, a), **points))
    agree(ours.group_delay((b, a), **points), expected, 1e-11)
    agree(ours.group_delay((cp.array(b), cp.array(a)), **points), expected, 1e-11)


@pytest.mark.parametrize("order", [3, 8, 14])
def test_group_delay_of_high_orders(order):
    system = theirs.bessel(order, 0.4, norm="delay")
    w = np.linspace(0, 1.5, 300)  # beyond, all but nothing is left of a response
    agree(ours.group_delay(system, w), theirs.group_delay(system, w), 1e-8)


@pytest.mark.parametrize(
    ("system", "w"),
    [
        *((([1, -1], [1]), 4), (([1, -1], [1]), [0.0, 0]), (([1], [1, -1]), [0.0, 1])),
        *((([0], [1, 0.5]), 2), (([1, -1], [1]), 5000)),
    ],
)
def test_singular_group_delay(system, w):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = theirs.group_delay(system, w)
    with pytest.warns(UserWarning, match=r"singular at frequencies \[0.000"):
        agree(ours.group_delay(system, w), expected)


@pytest.mark.parametrize("eps", [1e-12, 1e-14, 1e-15])
def test_nearly_singular_group_delay(eps):
    system = ([1, -1 - eps], [1])
    with warnings.catch_warnings(record=True) as theirs_said:
        warnings.simplefilter("always")
        expected = theirs.group_delay(system, [0.0])
    with warnings.catch_warnings(record=True) as ours_said:
        warnings.simplefilter("always")
        agree(ours.group_delay(system, [0.0]), expected)
    assert [str(w.message) for w in ours_said] == [str(w.message) for w in theirs_said]


@pytest.mark.filterwarnings("error")
def test_regular_group_delay_does_not_warn():
    ours.group_delay(([1, 2], [1]))


@pytest.mark.parametrize(
    ("system", "kwargs"),
    [
        *((([1, 2], [1], 3), {}), (([[1, 2]], [1]), {}), (([1, 2], [1]), {"w": -1})),
        (([1, 2], [1]), {"fs": None}),
    ],
)
def test_group_delay_refuses(system, kwargs):
    assert same_error(ours.group_delay, theirs.group_delay, system, **kwargs)


def test_results_are_where_arguments_are():
    device = cp.cuda.Device(cp.cuda.runtime.getDeviceCount() - 1)
    with device:
        c = cp.array([1.0, 2.0])
        many, several = cp.ones(100), cp.ones((2, 3, 1))
        sos = cp.array([[1.0, 2, 1, 1, 0.5, 0.25]])
    for made in (
        *(ours.freqz(c, 1, 4), ours.freqs([1], c, 4), ours.freqz_zpk([], c, 1, 4)),
        *(ours.freqz([1, 2], 1, c), ours.group_delay((c, [1]), 4)),
        *(ours.freqz(many, 1, 200), ours.freqz(several, [1, 2], 4)),
        *(ours.freqz(several, [[1], [2]], c[:1]), ours.freqz_sos(sos, 3)),
        *(ours.freqz_sos([[1, 2, 1, 1, 0.5, 0.25]], c), ours.freqs_zpk([], c, 1, 3)),
        *(ours.group_delay(([1, 2], [1]), c), ours.freqs([1], [1, 2], c)),
    ):
        assert made[0].device == made[1].device == device


def test_many_taps_and_a_denominator_that_is_complex():
    b = np.linspace(1, 2, 80)
    agree(ours.freqz(b, [2j], 100), real_frequencies(theirs.freqz(b, [2j], 100)), 1e-11)
    agree(
        ours.freqz(b * 1j, 2, 90), real_frequencies(theirs.freqz(b * 1j, 2, 90)), 1e-11
    )
