"""Responses of systems at frequencies against scipy.signal."""

import warnings

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy import signal as ours

from .comparing import MIMO, SISO, agree, numbers, on_device

theirs = pytest.importorskip("scipy.signal")


@pytest.fixture(autouse=True)
def no_conditions():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # badly conditioned coefficients
        yield


W = np.sort(np.abs(numbers(30)))


@pytest.mark.parametrize("function", ["freqresp", "bode"])
@pytest.mark.parametrize("name", SISO)
def test_continuous(name, function):
    system = SISO[name]
    at, of = getattr(ours, function), getattr(theirs, function)
    agree(at(system, W), of(system, W), 1e-9)
    agree(at(on_device(system), w=cp.array(W)), of(system, w=W), 1e-9)
    s, expected = ours.lti(*system), theirs.lti(*system)
    agree(at(s, W.tolist()), of(expected, W), 1e-9)
    agree(getattr(s, function)(W), getattr(expected, function)(W), 1e-9)


@pytest.mark.parametrize("function", ["freqresp", "bode"])
@pytest.mark.parametrize("name", SISO)
def test_frequencies_of_interest(name, function):
    """By default, and by number."""
    system = SISO[name]
    at, of = getattr(ours, function), getattr(theirs, function)
    agree(at(system), of(system), 1e-9)
    agree(at(system, n=17), of(system, n=17), 1e-9)
    agree(at(system, 9), of(system, 9), 1e-9)


def test_integrators_and_constants():
    for system in (([1.0], [1.0, 0]), ([1.0, 0], [1.0, 2]), ([2.0], [1.0, 0, 0])):
        agree(ours.freqresp(system, n=20), theirs.freqresp(system, n=20))
    agree(ours.freqresp(([3.0], [2.0]), n=20), theirs.freqresp(([3.0], [2.0]), n=20))


@pytest.mark.parametrize("name", SISO)
def test_discrete(name):
    *parts, dt = theirs.cont2discrete(SISO[name], 0.3)
    system = (*parts, dt)
    for options in ({}, {"n": 33}, {"n": 20, "whole": True}, {"w": W}, {"w": 5}):
        expected = theirs.dfreqresp(system, **options)
        agree(ours.dfreqresp(system, **options), expected, 1e-9)
        made = ours.dlti(*on_device(tuple(parts)), dt=dt).freqresp(
            **{k: on_device(v) for k, v in options.items()}
        )
        agree(made, expected, 1e-9)
    for options in ({}, {"n": 33}, {"w": W}):
        expected = theirs.dbode(system, **options)
        agree(ours.dbode(system, **options), expected, 1e-8)
        agree(ours.dlti(*parts, dt=dt).bode(**options), expected, 1e-8)


def test_errors():
    system = MIMO["two in, two out"]
    with pytest.raises(ValueError, match=r"freqresp\(\) requires a SISO .* 2 outputs"):
        ours.freqresp(system)
    with pytest.raises(ValueError, match="dfreqresp requires a SISO"):
        ours.dfreqresp((*system, 0.1))
    for function in (ours.freqresp, ours.bode):
        with pytest.raises(AttributeError, match="freqresp can only be used with cont"):
            function(ours.dlti([1.0], [1.0, 2]))
    for function in (ours.dfreqresp, ours.dbode):
        with pytest.raises(
            AttributeError, match="dfreqresp can only be used with disc"
        ):
            function(ours.lti([1.0], [1.0, 2]))
