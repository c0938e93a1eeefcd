"""Transfer functions, zeros and poles, second-order sections against scipy.signal."""

import numpy as np
import pytest

import cupric as cp
import cupricx.scipy.signal as ours

from .comparing import agree, near, same_error, same_roots

theirs = pytest.importorskip("scipy.signal")

POLYNOMIALS = [
    ([1, 2], [2, 1]),
    ([3.0], [2.0]),
    ([3, 1j], [2, 1, 5]),
    ([1, 2, 0], [2, 1, 0]),
    ([1.0, -2, 3, 0.5], [4.0, 3, 2, 1, 0.25]),
    (1, 2),
    (np.array([1, 2], np.float32), np.array([2, 1, 5], np.float32)),
]
ROOTS = [
    ([1.0], [2.0, 3], 4),
    ([], [], 4),
    ([], [0.5], 0.25),
    ([1j, -1j], [2 + 1j, 2 - 1j], 4.0),
    ([1j, -1j], [2 + 1j, 2 - 1j, 0.5], 4.0),
    ([-1.0, -1, -1, -1], [0.5j, -0.5j, 0.3, 0.2], 0.1),
    ([0.1, 0.2j, -0.2j, 0.2, 0.6], [0.5j, -0.5j, 0.3, 0.2, 0.35], 3.0),
]


def sections_or_none(*args, **kwargs):
    """SciPy's, which fails where a real zero is wanted and none is left."""
    try:
        return theirs.zpk2sos(*args, **kwargs)
    except IndexError:
        return None


def on_device(x):
    return cp.array(x) if isinstance(x, (list, np.ndarray)) else x


@pytest.mark.parametrize(("b", "a"), POLYNOMIALS)
@pytest.mark.parametrize("name", ["normalize", "tf2zpk"])
def test_of_a_transfer_function(name, b, a):
    expected = getattr(theirs, name)(b, a)
    agree(getattr(ours, name)(b, a), expected)
    agree(getattr(ours, name)(on_device(b), on_device(a)), expected)


def test_normalize_leaves_out_leading_zeros_of_the_denominator():
    agree(ours.normalize([1, 2], [0, 0, 2, 1]), theirs.normalize([1, 2], [0, 0, 2, 1]))


@pytest.mark.parametrize(
    "b",
    [
        *([0, 1, 2], [0, 0, 2], [0, 0, 0], [0.0], [1e-15], [1e-15, 1, 2], [0j, 1, 1j]),
        *([1.5e-14, 2, 1], [[0, 2], [0, 4]], [[0, 2], [0, 0]]),
    ],
)
def test_leading_coefficients_that_should_be_zero(b):
    with pytest.warns(theirs.BadCoefficients):
        expected = theirs.normalize(b, [2, 1])
    with pytest.warns(ours.BadCoefficients, match="Badly conditioned"):
        agree(ours.normalize(b, [2, 1]), expected)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "b", [[1e-13, 1, 2], [2.1e-14, 2, 1], [[0, 2, 1], [1, 2, 3]], [[1, 2], [3, 4]], []]
)
def test_leading_coefficients_that_stay(b):
    agree(ours.normalize(b, [2, 1]), theirs.normalize(b, [2, 1]))


def test_bad_coefficients_are_a_warning_of_users():
    assert issubclass(ours.BadCoefficients, UserWarning)


@pytest.mark.parametrize(
    ("b", "a"),
    [
        *(([1, 2], [0, 0]), ([1, 2], []), ([1, 2], [[2, 1]])),
        ([[[1, 2], [3, 4]]], [2, 1]),
    ],
)
def test_normalize_refuses(b, a):
    assert same_error(ours.normalize, theirs.normalize, b, a)


@pytest.mark.parametrize(("z", "p", "k"), ROOTS)
def test_zpk2tf(z, p, k):
    agree(ours.zpk2tf(z, p, k), theirs.zpk2tf(z, p, k))
    device = [on_device(np.array(v)) for v in (z, p)]
    agree(ours.zpk2tf(*device, k), theirs.zpk2tf(*map(np.array, (z, p)), k))


@pytest.mark.parametrize(
    ("z", "p", "k"),
    [
        *((1.0, 2.0, 4), ([1j, -1j], [2 + 1j, 2 - 1.1j], 4), ([1j], [2.0, 3], 4j)),
        ([[1.0, 2], [3, 4]], [2.0, 3], 4),
        (np.array([1], np.float32), np.array([2, 3], np.float32), 4),
    ],
)
def test_zpk2tf_of_all_sorts(z, p, k):
    agree(ours.zpk2tf(z, p, k), theirs.zpk2tf(z, p, k))


def test_zpk2tf_of_gains_for_each_row():
    b, a = ours.zpk2tf([[1.0, 2], [3, 4]], [2.0, 3], [2.0, 5])
    assert b.get().tolist() == [[2, -6, 4], [5, -35, 60]]
    assert a.get().tolist() == [1, -5, 6]


@pytest.mark.parametrize("pairing", [None, "nearest", "keep_odd", "minimal"])
@pytest.mark.parametrize("analog", [False, True])
@pytest.mark.parametrize(("z", "p", "k"), ROOTS)
def test_zpk2sos(z, p, k, pairing, analog):
    if analog and pairing in ("nearest", "keep_odd"):
        same_error(ours.zpk2sos, theirs.zpk2sos, z, p, k, pairing, analog=analog)
        return
    expected = sections_or_none(z, p, k, pairing, analog=analog)
    made = ours.zpk2sos(z, p, k, pairing, analog=analog)
    if expected is not None:
        agree(made, expected)
    made = ours.zpk2sos(cp.array(z), cp.array(p), k, pairing, analog=analog)
    if expected is not None:
        agree(made, expected)


def test_integer_roots_have_a_polynomial_of_float64():
    b, a = ours.zpk2tf([1], [2, 3], 4)
    assert (b.dtype, a.dtype) == (np.float64, np.float64)
    assert a.get().tolist() == [1, -5, 6]


@pytest.mark.parametrize("seed", range(120))
@pytest.mark.parametrize("pairing", ["nearest", "keep_odd", "minimal"])
def test_zpk2sos_of_many(seed, pairing):
    """Real ones and pairs, in any numbers."""
    rng = np.random.default_rng(seed)

    def roots(pairs, reals):
        c = rng.uniform(0.1, 1, pairs) * np.exp(1j * rng.uniform(0.1, 3, pairs))
        return rng.permutation(np.concatenate([c, c.conj(), rng.uniform(-1, 1, reals)]))

    pairs, reals = rng.integers(0, 4, 2)
    p = roots(pairs, reals)
    z = roots(*divmod(len(p), 2)) if seed % 2 else roots(*rng.integers(0, 3, 2))
    if pairing == "minimal" and len(z) > len(p):
        z, p = p, z
    sos = ours.zpk2sos(z, p, 2.0, pairing)
    expected = sections_or_none(z, p, 2.0, pairing)
    if expected is not None:
        agree(sos, expected)
    w = np.exp(1j * np.linspace(0, 3, 7))
    rows = sos.get()
    made = np.prod([np.polyval(r[:3], w) / np.polyval(r[3:], w) for r in rows], axis=0)
    response = 2 * np.prod(w[:, None] - z, 1) / np.prod(w[:, None] - p, 1)
    if pairing != "minimal":  # zeros and poles at the origin turn the phase
        made, response = np.abs(made), np.abs(response)
    near(made, response, 1e-10)


@pytest.mark.parametrize(
    ("z", "p", "k", "kwargs"),
    [
        ([1j], [0.5], 3, {}),
        ([0.5], [1 + 1j, 1 - 1.1j], 3, {}),
        ([0.5], [0.5], 3j, {}),
        ([0.5], [0.5], 3, {"pairing": "foo"}),
        ([1, 2], [0.5], 3, {"pairing": "minimal"}),
        ([1, 2], [0.5], 3, {"analog": True}),
        ([0.5], [0.5], 3, {"pairing": "nearest", "analog": True}),
    ],
)
def test_zpk2sos_refuses(z, p, k, kwargs):
    assert same_error(ours.zpk2sos, theirs.zpk2sos, z, p, k, **kwargs)


def test_messages_have_the_numbers():
    with pytest.raises(ValueError, match="2 zeros") as error:
        ours.zpk2sos([1, 2], [0.5], 1, "minimal")
    assert "1 poles" in str(error.value)
    with pytest.raises(ValueError, match=r"shape \(1, 2\)|\(1, 2\)"):
        ours.normalize([1.0], [[1, 2]])
    with pytest.raises(ValueError, match=r"not \(2, 5\)"):
        ours.sos2tf(cp.ones((2, 5)))
    with pytest.raises(ValueError, match=r"not \(6,\)"):
        ours.sos2zpk(cp.ones(6))


@pytest.mark.parametrize(("b", "a"), [*POLYNOMIALS[:2], *POLYNOMIALS[4:6]])
@pytest.mark.parametrize("pairing", [None, "keep_odd", "minimal"])
def test_tf2sos(b, a, pairing):
    made, expected = (
        ours.tf2sos(b, a, pairing),
        sections_or_none(*theirs.tf2zpk(b, a), pairing),
    )
    if expected is not None:
        agree(made, expected)
    roots = ours.tf2zpk(b, a)
    assert cp.array_equal(made, ours.zpk2sos(*roots, pairing))


def test_tf2sos_of_an_analog_filter():
    system = [1, 2, 3], [1, 5, 6, 7]
    agree(ours.tf2sos(*system, analog=True), theirs.tf2sos(*system, analog=True))


SECTIONS = [
    [[1, 2, 3, 1, 5, 6]],
    [[1, 2, 3, 1, 5, 6], [1, 0, 0, 1, 2, 0]],
    [[1, 2, 3, 2, 5, 1], [0.5, 0.25, 0, 1, -0.3, 0.2]],
    [[1, 2, 3, 1, 5, 1j]],
    np.zeros((0, 6)),
]


@pytest.mark.parametrize("sos", SECTIONS)
def test_sos2tf(sos):
    agree(ours.sos2tf(sos), theirs.sos2tf(sos))
    agree(ours.sos2tf(cp.array(sos)), theirs.sos2tf(np.array(sos)))


@pytest.mark.parametrize("sos", SECTIONS[:4])
def test_sos2zpk(sos):
    agree(ours.sos2zpk(sos), theirs.sos2zpk(sos))
    agree(ours.sos2zpk(cp.array(sos)), theirs.sos2zpk(np.array(sos)))


@pytest.mark.parametrize("order", [1, 2, 7, 20, 25])
def test_there_and_back(order):
    z, p, k = theirs.cheby2(order, 40, 0.3, output="zpk")
    sos = ours.zpk2sos(z, p, k)
    zeros, poles, gain = ours.sos2zpk(sos)
    extra = np.zeros(order % 2)
    same_roots(zeros, np.concatenate([z, extra]), 1e-6)
    same_roots(poles, np.concatenate([p, extra]), 1e-7)
    assert float(gain) == pytest.approx(float(k), rel=1e-12)
