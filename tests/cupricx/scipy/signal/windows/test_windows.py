"""Windows against scipy.signal.windows."""

import inspect
import warnings

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy import signal
from cupricx.scipy.signal import windows as ours

theirs = pytest.importorskip("scipy.signal.windows")

# Functions, and parameters between the length and `sym`.
CASES = [
    ("barthann", ()),
    ("bartlett", ()),
    ("blackman", ()),
    ("blackmanharris", ()),
    ("bohman", ()),
    ("boxcar", ()),
    ("chebwin", (50,)),
    ("chebwin", (-100.5,)),
    ("cosine", ()),
    ("dpss", (2,)),
    ("dpss", (0.4, 2)),
    ("dpss", (1.5, 3)),
    ("exponential", (None, 3)),
    ("flattop", ()),
    ("gaussian", (2.5,)),
    ("general_cosine", ([0.4, 0.3, 0.2, 0.1],)),
    ("general_cosine", (list(1 / np.arange(1.0, 25)),)),
    ("general_gaussian", (1.5, 3)),
    ("general_hamming", (0.75,)),
    ("hamming", ()),
    ("hann", ()),
    ("kaiser", (8.6,)),
    ("kaiser", (0,)),
    ("lanczos", ()),
    ("nuttall", ()),
    ("parzen", ()),
    ("taylor", ()),
    ("taylor", (6, 40, False)),
    ("triang", ()),
    ("tukey", ()),
    ("tukey", (0.1,)),
    ("tukey", (0,)),
    ("tukey", (1.5,)),
    ("tukey", (0.999,)),
]
LENGTHS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 64, 101, 1000]


def close(actual, expected, bound=1e-14):
    assert isinstance(actual, cp.ndarray)
    assert actual.shape == expected.shape
    assert actual.dtype == expected.dtype
    np.testing.assert_allclose(actual.get(), expected, rtol=0, atol=bound)


def outcome(function, *args, **kwargs):
    try:
        return function(*args, **kwargs)
    except (ValueError, TypeError, IndexError) as error:
        return error


def agree(name, *args, bound=1e-14, **kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = outcome(getattr(theirs, name), *args, **kwargs)
        actual = outcome(getattr(ours, name), *args, **kwargs)
    if isinstance(expected, IndexError):
        # SciPy finds no sign for antisymmetric sequences of two or four points.
        assert name == "dpss"
        assert not isinstance(actual, Exception)
    elif isinstance(expected, Exception):
        assert type(actual) is type(expected), (actual, expected)
    elif isinstance(actual, Exception):
        raise actual
    else:
        close(actual, np.asarray(expected), bound)


@pytest.mark.parametrize("sym", [True, False])
@pytest.mark.parametrize(("name", "args"), CASES, ids=[c[0] for c in CASES])
def test_windows(name, args, sym):
    for m in LENGTHS:
        # Eigenvalues of long sequences are close, to which vectors are sensitive.
        bound = 1e-14 * max(m, 10) if name in ("dpss", "chebwin") else 1e-14
        agree(name, m, *args, sym=sym, bound=bound)


@pytest.mark.parametrize("m", [6, 8, 64, 7, 0, 1, 2])
@pytest.mark.parametrize("sym", [True, False])
def test_kaiser_bessel_derived(m, sym):
    agree("kaiser_bessel_derived", m, 4, sym=sym)


@pytest.mark.parametrize("m", [-1, 2.5])
def test_wrong_lengths(m):
    for name, args in CASES:
        agree(name, m, *args)


def test_whole_floats_are_lengths():
    for name, args in CASES:
        close(getattr(ours, name)(12.0, *args), getattr(ours, name)(12, *args).get())


def test_centre_of_exponential():
    agree("exponential", 9, 2.5, 3, False)
    agree("exponential", 9, 2.5, 3, True)


def test_weights_of_a_device():
    a = cp.array([0.5, 0.25, 0.25], "f")
    close(ours.general_cosine(9, a), theirs.general_cosine(9, a.get()))
    a = cp.arange(40.0)[::2]
    close(ours.general_cosine(9, a), theirs.general_cosine(9, a.get()), 1e-12)
    with pytest.raises(ValueError, match=r"\(2, 2\)"):
        ours.general_cosine(9, cp.eye(2))
    with pytest.raises(ValueError, match=r"\(2, 2\)"):
        ours.general_cosine(9, np.eye(2))


def test_warning_of_chebwin():
    with pytest.warns(UserWarning, match="spectral analysis"):
        ours.chebwin(9, 30)


@pytest.mark.parametrize("norm", [2, "approximate", "subsample", None])
@pytest.mark.parametrize("kmax", [None, 1, 4])
@pytest.mark.parametrize("m", [40, 41])
def test_norms_of_dpss(norm, kmax, m):
    expected = theirs.dpss(m, 3, kmax, norm=norm, return_ratios=True)
    actual = ours.dpss(m, 3, kmax, norm=norm, return_ratios=True)
    close(actual[0], expected[0], 1e-13)
    close(actual[1], np.asarray(expected[1]), 1e-13)


def test_all_of_dpss():
    """As many windows as points are an orthonormal basis. (The signs of the last ones
    are those of sums that vanish.)"""
    v = ours.dpss(30, 4, 30).get()
    np.testing.assert_allclose(v @ v.T, np.eye(30), atol=1e-12)
    np.testing.assert_allclose(abs(v), abs(theirs.dpss(30, 4, 30)), atol=1e-12)
    np.testing.assert_allclose(v[:15], theirs.dpss(30, 4, 15), atol=1e-12)


def test_long_dpss():
    expected = theirs.dpss(20000, 4, 4)
    close(ours.dpss(20000, 4, 4), expected, 1e-10)


@pytest.mark.parametrize(
    "args",
    [(10, 5), (10, 0), (10, -1), (10, 2, 0), (10, 2, 11), (10, 2, 3, True, "max")],
)
def test_errors_of_dpss(args):
    agree("dpss", *args)


# ---- names ---------------------------------------------------------------------------

NAMES = [
    *("barthann", "brthan", "bth", "bartlett", "bart", "brt", "blackman", "black"),
    *("blk", "blackmanharris", "blackharr", "bkh", "bohman", "bman", "bmn", "boxcar"),
    *("box", "ones", "rect", "rectangular", "cosine", "halfcosine", "exponential"),
    *("poisson", "flattop", "flat", "flt", "hamming", "hamm", "ham", "hann", "han"),
    *("lanczos", "sinc", "nuttall", "nutl", "nut", "parzen", "parz", "par", "taylor"),
    *("taylorwin", "triang", "triangle", "tri", "tukey", "tuk"),
]

TUPLES = [
    ("chebwin", 60),
    ("cheb", 60),
    ("dpss", 2),
    ("exponential", None, 2.0),
    ("exponential",),
    ("gaussian", 2),
    ("gauss", 2),
    ("gss", 2),
    ("general cosine", [0.5, 0.3]),
    ("general_cosine", [0.5, 0.3]),
    ("general gaussian", 1.5, 2),
    ("general_gaussian", 1.5, 2),
    ("general gauss", 1.5, 2),
    ("general_gauss", 1.5, 2),
    ("ggs", 1.5, 2),
    ("general hamming", 0.7),
    ("general_hamming", 0.7),
    ("kaiser", 4),
    ("ksr", 4),
    ("kaiser bessel derived", 4),
    ("kbd", 4),
    ("kaiser_bessel_derived", 4),
    ("taylor", 3),
    ("taylor", 3, 25, False),
    ("tukey", 0.3),
    ("hann",),
]


@pytest.mark.parametrize("fftbins", [True, False])
@pytest.mark.parametrize("window", [*NAMES, *TUPLES, 8.6, 4, "8.6"], ids=str)
def test_names(window, fftbins):
    expected = outcome(theirs.get_window, window, 12, fftbins)
    actual = outcome(signal.get_window, window, 12, fftbins)
    if isinstance(expected, Exception):
        assert type(actual) is type(expected), (actual, expected)
    else:
        close(actual, expected)


@pytest.mark.parametrize("fftbins", [True, False])
@pytest.mark.parametrize("window", ["hann_periodic", ("tukey_symmetric", 0.25)])
def test_endings(window, fftbins):
    close(signal.get_window(window, 9, fftbins), theirs.get_window(window, 9, fftbins))


@pytest.mark.parametrize(
    "args",
    [
        ("none", 5),
        ("kaiser", 5),
        (("kaiser",), 5),
        (("hann", 1), 5),
        (("dpss", 1, 2), 5),
        ((1, "kaiser"), 5),
        (None, 5),
        ([1, 2], 5),
        ("hann", 0),
        ("hann", -1),
        ("hann", 2.5),
        ("hann", "3"),
        ("hann", 3, 1),
        ("hann", 3, None),
    ],
    ids=str,
)
def test_errors_of_names(args):
    expected = outcome(theirs.get_window, *args)
    actual = outcome(signal.get_window, *args)
    assert isinstance(expected, Exception)
    assert type(actual) is type(expected), (actual, expected)


@pytest.mark.parametrize("window", [("kaiser", 1, 2), (), ("tukey", 1, 2)])
def test_number_of_parameters(window):
    with pytest.raises(ValueError, match="window"):
        signal.get_window(window, 5)


def test_modules():
    assert signal.windows is ours
    assert signal.get_window is ours.get_window
    assert set(theirs.__all__) == set(ours.__all__)


def test_signatures():
    """SciPy's parameters in their order; of `kaiser_bessel_derived` and `lanczos` CuPy
    takes `sym` by its place, too."""
    for name in theirs.__all__:
        expected = inspect.signature(getattr(theirs, name)).parameters
        actual = inspect.signature(getattr(ours, name)).parameters
        lacking = set(expected) - set(actual)
        assert not lacking, name
        shared = [p for p in actual if p in expected]
        assert shared == list(expected), name
        for p, value in expected.items():
            assert actual[p].default == value.default, (name, p)


def test_devices():
    device = cp.empty(0).device
    for name, args in CASES:
        w = getattr(ours, name)(7, *args, sym=False, xp=cp, device=device)
        assert w.device == device
    assert ours.kaiser_bessel_derived(8, 4, device=device).device == device
    assert signal.get_window(("kaiser", 3), 8, xp=cp, device=device).device == device
