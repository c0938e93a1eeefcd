"""Distributions and their inverses: borders, identities and where the general tests do
not look."""

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy import special

INF, NAN = np.inf, np.nan
P = np.array([0.01, 0.25, 0.5, 0.9, 0.999])


def of(name, *arguments):
    return getattr(special, name)(*map(cp.asarray, arguments)).get()


@pytest.mark.parametrize(
    ("inverse", "function", "before", "after"),
    [
        ("chndtrix", "chndtr", (), (3.0, 2.5)),
        ("ncfdtri", "ncfdtr", (3.0, 7.0, 2.5), ()),
        ("nctdtrit", "nctdtr", (3.0, -1.5), ()),
        ("nctdtrit", "nctdtr", (30.0, 2.5), ()),
        ("btdtria", "betainc", (), (2.5, 0.3)),
        ("bdtrin", "bdtr", (3.0,), (0.3,)),
        ("kolmogi", "kolmogorov", (), ()),
        ("smirnovi", "smirnov", (20.0,), ()),
    ],
)
def test_inverses_lead_back(inverse, function, before, after):
    found = of(inverse, *before, P, *after)
    if inverse == "bdtrin":  # between whole numbers it is the incomplete beta function
        k, q = before[0], after[0]
        back = of("betaincc", k + 1, found - k, q)
    else:
        back = of(function, *before, found, *after)
    np.testing.assert_allclose(back, P, rtol=1e-12)


def test_inverses_in_parameters_that_do_not_exist():
    assert np.isnan(of("stdtridf", [0.1, 0.6, 0.5], [-1.2, -1.0, 0.0])).all()
    assert np.isnan(of("chndtrinc", 1.0, 2.0, [0.99, 0.0])).all()
    assert np.isnan(of("btdtria", [0.0, 1.0, 0.5], 2.0, [0.3, 0.3, 0.0])).all()
    assert of("bdtrik", [0.0, 1.0], 10.0, 0.3).tolist() == [0, 10]


def test_kolmogorov():
    assert of("kolmogorov", [-1.0, 0, 0.01, INF]).tolist() == [1, 1, 1, 0]
    assert of("kolmogi", [0.0, 1]).tolist() == [INF, 0]
    assert np.isnan(of("kolmogi", [-0.1, 1.1, NAN])).all()
    x = np.linspace(0.99, 1.01, 201)  # beside the border of the two series
    assert (np.diff(of("kolmogorov", x)) < 0).all()


def test_smirnov():
    d = np.linspace(0.01, 0.99, 25)
    np.testing.assert_allclose(of("smirnov", 1, d), 1 - d, rtol=1e-15)
    two = np.where(d > 0.5, (1 - d) ** 2, (1 - d) ** 2 + 2 * d * (0.5 - d))
    np.testing.assert_allclose(of("smirnov", 2, d), two, rtol=1e-14)
    assert of("smirnov", 5, [0.0, 1]).tolist() == [1, 0]
    assert np.isnan(of("smirnov", [0.0, -1, 5], [0.3, 0.3, 1.1])).all()
    many = of("smirnov", [1e5, 1e7], 1e-3)
    np.testing.assert_allclose(many, np.exp([-0.2, -20]), rtol=0.01)


def test_owens_t():
    h, a = np.array([0.0, 0.5, 3, 20])[:, None], np.array([0.2, 1, 4, 50])
    value = of("owens_t", h, a)
    np.testing.assert_array_equal(of("owens_t", -h, -a), -value)
    np.testing.assert_allclose(value[0], np.arctan(a) / (2 * np.pi), rtol=1e-15)
    p = of("ndtr", h[:, 0])
    np.testing.assert_allclose(value[:, 1], p * of("ndtr", -h[:, 0]) / 2, rtol=1e-14)
    assert of("owens_t", [0.0, INF], [INF, 1]).tolist() == [0.25, 0]
    assert np.isnan(of("owens_t", [NAN, 1], [1, NAN])).all()


def test_tukeys_lambda():
    x = np.array([-0.9, -0.1, 0, 0.4])
    np.testing.assert_allclose(of("tklmbda", x, 1.0), (x + 1) / 2, rtol=1e-15)
    np.testing.assert_allclose(of("tklmbda", x, 0.0), of("expit", x), rtol=1e-15)
    np.testing.assert_allclose(of("tklmbda", x, 1e-12), of("expit", x), rtol=1e-11)
    for shape in (-3.0, -0.44, 0.3, 5.0, 80.0):
        p = np.array([1e-5, 0.03, 0.3, 0.5])
        x = (p**shape - (1 - p) ** shape) / shape
        np.testing.assert_allclose(
            of("tklmbda", x, shape)[shape > 4 :], p[shape > 4 :], rtol=1e-8
        )
    assert of("tklmbda", [-INF, INF, 2, -2], 1.0).tolist() == [0, 1, 1, 0]


def test_noncentral_distributions():
    x = np.array([0.1, 1, 5, 30])
    np.testing.assert_allclose(
        of("chndtr", x, 3.0, 1e-12), of("gammainc", 1.5, x / 2), rtol=1e-11
    )
    np.testing.assert_array_equal(
        of("ncfdtr", 3.0, 5.0, 0.0, x), of("fdtr", 3.0, 5.0, x)
    )
    np.testing.assert_array_equal(of("nctdtr", 3.0, 0.0, x), of("stdtr", 3.0, x))
    t = np.array([-4.0, -0.5, 0, 0.5, 4])
    for nc in (0.3, 2.5):
        total = of("nctdtr", 5.0, nc, t) + of("nctdtr", 5.0, -nc, -t)
        np.testing.assert_allclose(total, 1, rtol=1e-14)
    # the tail across the noncentrality, where a difference has no digits
    np.testing.assert_allclose(
        of("nctdtr", 19.766101200438516, 2.9457724720854834, -3.6992712170558057),
        3.0834060774352845e-9,
        rtol=1e-13,
    )
    assert of("chndtr", [0.0, INF], 2.0, 1.0).tolist() == [0, 1]
    assert np.isnan(of("chndtr", [-1.0, 1, 1], [2.0, 0, 2], [1.0, 1, -1])).all()
