"""Conversions to and from state spaces against scipy.signal."""

import warnings

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy import signal as ours

from .comparing import ALL, MIMO, SISO, A, B, C, D, agree, on_device

theirs = pytest.importorskip("scipy.signal")

GIVEN = [
    {"A": A, "B": B, "C": C, "D": D},
    {"A": A, "B": B, "C": C},
    {"A": A, "D": D},
    {"B": B, "C": C},
    {"B": B, "D": D},
    {"C": C, "D": D},
    {"A": A, "C": C, "D": D},
    {"A": 5, "B": 1, "C": 2, "D": 3},
    {"A": A, "B": B[:, :1], "C": C[0], "D": 1},
    {"A": np.array([[1, 2], [3, 4]]), "B": np.array([[1], [2]]), "D": np.array([[1]])},
    {"A": np.zeros((0, 0)), "B": np.zeros((0, 1)), "C": np.zeros((1, 0)), "D": [[1]]},
    {"A": [], "B": [], "C": [], "D": [5]},
]


@pytest.mark.parametrize("given", GIVEN, ids=lambda g: "".join(g))
def test_abcd_normalize(given):
    expected = theirs.abcd_normalize(**given)
    agree(ours.abcd_normalize(**given), expected)
    agree(ours.abcd_normalize(**{k: on_device(m) for k, m in given.items()}), expected)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "Dimension n is undefined"),
        ({"D": D}, "Dimension n is undefined"),
        ({"A": A, "C": C}, "Dimension p is undefined"),
        ({"A": A, "B": B}, "Dimension q is undefined"),
        ({"A": A[:2], "B": B, "C": C}, r"A has shape \(2, 3\) but should be \(2, 2\)"),
        ({"A": A, "B": B[:2], "C": C}, r"B has shape \(2, 2\) but should be \(3, 2\)"),
        ({"A": A, "B": B, "C": B}, r"C has shape \(3, 2\) but should be \(3, 3\)"),
        (
            {"A": A, "B": B, "C": C, "D": A},
            r"D has shape \(3, 3\) but should be \(2, 2\)",
        ),
    ],
)
def test_matrices_that_do_not_fit(given, message):
    with pytest.raises(ValueError, match="Dimension|Parameter"):
        theirs.abcd_normalize(**given)
    with pytest.raises(ValueError, match=message):
        ours.abcd_normalize(**given)


FUNCTIONS = [
    ([1, 3, 3], [1, 2, 1]),
    ([2.0, 4], [2, 4, 6, 8]),
    ([3.0], [2]),
    ([[1, 2, 3], [4, 5, 6]], [1, 2, 7]),
    ([[3], [4]], [2]),
    ([1, 2j], [1, 0, 3]),
    ([1, 2], [0, 0, 2, 1]),
]


@pytest.mark.parametrize("of", FUNCTIONS, ids=str)
def test_tf2ss(of):
    expected = theirs.tf2ss(*of)
    agree(ours.tf2ss(*of), expected)
    agree(ours.tf2ss(*map(cp.array, of)), expected)


def test_tf2ss_of_an_improper_function():
    with pytest.raises(ValueError, match="Improper transfer function.*3 and 2"):
        ours.tf2ss([1, 2, 3], [1, 2])


@pytest.mark.parametrize("name", [n for n in ALL if len(ALL[n]) == 4])
def test_ss2tf_and_ss2zpk(name):
    system = ALL[name]
    for k in range(system[1].shape[1]):
        expected = theirs.ss2tf(*system, k)
        agree(ours.ss2tf(*system, k), expected)
        agree(ours.ss2tf(*on_device(system), input=k), expected)
        if system[2].shape[0] == 1:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                expected = theirs.ss2zpk(*system, k)
                agree(ours.ss2zpk(*on_device(system), k), expected, 1e-8)


def test_ss2tf_of_no_such_input():
    with pytest.raises(ValueError, match="input specified: input=2 of 2"):
        ours.ss2tf(*MIMO["two in, two out"], input=2)


def test_ss2tf_without_states():
    expected = theirs.ss2tf([], [], [], [5])
    agree(ours.ss2tf([], [], [], [5]), expected)


@pytest.mark.parametrize("name", [n for n in SISO if len(SISO[n]) == 3])
def test_zpk2ss(name):
    expected = theirs.zpk2ss(*SISO[name])
    agree(ours.zpk2ss(*SISO[name]), expected)
    agree(ours.zpk2ss(*on_device(SISO[name])), expected)
