"""Systems and their forms against scipy.signal."""

import copy
import pickle
import warnings

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy import signal as ours

from .comparing import ALL, MIMO, SISO, A, B, C, D, agree, on_device

theirs = pytest.importorskip("scipy.signal")

FORMS = {
    "TransferFunction": ("num", "den"),
    "ZerosPolesGain": ("zeros", "poles", "gain"),
    "StateSpace": ("A", "B", "C", "D"),
}


@pytest.fixture(autouse=True)
def no_conditions():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # badly conditioned coefficients
        yield


def same(made, expected, bound=1e-9):
    assert type(made).__name__ == type(expected).__name__
    assert made.dt == expected.dt
    assert (made.inputs, made.outputs) == (expected.inputs, expected.outputs)
    for form, names in FORMS.items():
        if isinstance(expected, getattr(theirs, form)):
            for name in names:
                agree(getattr(made, name), getattr(expected, name), bound)


def both(system, dt=None):
    options = {} if dt is None else {"dt": dt}
    kind = "lti" if dt is None else "dlti"
    return (
        getattr(ours, kind)(*on_device(system), **options),
        getattr(theirs, kind)(*system, **options),
    )


@pytest.mark.parametrize("dt", [None, 0.1, True])
@pytest.mark.parametrize("name", ALL)
def test_forms(name, dt):
    made, expected = both(ALL[name], dt)
    same(made, expected)
    for to in ("to_tf", "to_ss", "to_zpk"):
        if name in MIMO and to == "to_zpk":
            continue
        same(getattr(made, to)(), getattr(expected, to)())
    for form in FORMS:
        if name in SISO:
            same(getattr(ours, form)(made), getattr(theirs, form)(expected))
    if name in SISO:
        agree(made.poles, expected.poles, 1e-9)
        agree(made.zeros, expected.zeros, 1e-9)


@pytest.mark.parametrize("dt", [None, 0.1, True])
@pytest.mark.parametrize("name", ALL)
def test_repr(name, dt):
    made, expected = both(ALL[name], dt)
    assert repr(made) == repr(expected)


def test_classes_of_a_form():
    for form, system in zip(FORMS, ("tf", "zpk", "ss"), strict=True):
        for dt in (None, 0.5):
            options = {} if dt is None else {"dt": dt}
            made = getattr(ours, form)(*SISO[system], **options)
            same(made, getattr(theirs, form)(*SISO[system], **options))
            assert isinstance(made, ours.lti if dt is None else ours.dlti)
            assert isinstance(made, getattr(ours, form))


def test_several_outputs():
    for of in (([[1, 2], [3, 4]], [1, 2]), ([[1.0, 2, 3]], [2, 1, 1])):
        same(ours.TransferFunction(*of), theirs.TransferFunction(*of))
        same(ours.TransferFunction(*of).to_ss(), theirs.TransferFunction(*of).to_ss())


def test_inputs_of_a_state_space():
    made, expected = both(MIMO["two in, two out"])
    for k in range(2):
        same(made.to_tf(input=k), expected.to_tf(input=k))
    made, expected = both(MIMO["two in, one out"])
    for k in range(2):
        same(made.to_zpk(input=k), expected.to_zpk(input=k))


def test_to_discrete():
    for system in SISO.values():
        made, expected = both(system)
        for method in ("zoh", "foh", "bilinear"):
            same(made.to_discrete(0.2, method), expected.to_discrete(0.2, method), 1e-7)
        made = made.to_discrete(0.2, "gbt", alpha=0.7)
        same(made, expected.to_discrete(0.2, "gbt", alpha=0.7), 1e-7)


def test_attributes_can_be_set():
    made, expected = both(SISO["ss"])
    for name, value in {"A": 2 * A, "B": B, "C": C, "D": D}.items():
        setattr(made, name, cp.array(value))
        setattr(expected, name, value)
        agree(getattr(made, name), value)
    same(made, expected)
    made, expected = both(SISO["tf"])
    made.num, made.den = [3.0, 4], [1, 2, 5]
    expected.num, expected.den = [3.0, 4], [1, 2, 5]
    same(made, expected)
    made, expected = both(SISO["zpk"])
    made.zeros, made.poles, made.gain = [3.0, 4], [1, 2, 5], 7
    expected.zeros, expected.poles, expected.gain = [3.0, 4], [1, 2, 5], 7
    same(made, expected)
    made.dt = 4
    assert made.dt == 4


def test_attributes_are_arrays_of_the_device():
    made = ours.lti(*on_device(SISO["ss"]))
    assert isinstance(made.A, cp.ndarray)
    assert made.A is made.A
    assert made.A.device == cp.cuda.Device()
    assert ours.lti(*SISO["ss"]).to_tf().num.device == cp.cuda.Device()


def test_copies():
    for system in SISO.values():
        made, expected = both(system, 0.1)
        same(copy.deepcopy(made), expected)
        same(pickle.loads(pickle.dumps(made)), expected)
        again = made._form(made)
        same(again, expected)
        assert again is not made


OPERANDS = (2, 0.5, 1j, np.float64(3), np.int32(2))


@pytest.mark.parametrize("name", ["ss", "two in, two out"])
@pytest.mark.parametrize("dt", [None, 0.5])
def test_arithmetic(name, dt):
    made, expected = both(ALL[name], dt)
    other, other_expected = both(tuple(m + 0.1 for m in ALL[name]), dt)
    same(made * other, expected * other_expected)
    same(made + other, expected + other_expected)
    same(made - other, expected - other_expected)
    same(-made, -expected)
    for x in OPERANDS:
        same(made * x, expected * x)
        same(x * made, x * expected)
        same(made / x, expected / x)
    shape = ALL[name][3].shape
    m = np.arange(1.0, 1 + shape[0] * shape[1]).reshape(shape)
    for x in (m, cp.array(m)):
        same(made + x, expected + m)
        same(x + made, m + expected)
        same(made - x, expected - m)
        same(x - made, m - expected)
        same(made * x, expected * m)
        same(x * made, m * expected)
    if name == "ss":
        same(made + 1, expected + 1)
        same(1 - made, 1 - expected)


def test_integers_stay_so():
    system = (np.array([[0, 1], [0, 0]]), np.eye(2, 1, dtype=int))
    system = (*system, np.eye(1, 2, dtype=int), np.zeros((1, 1), int))
    made, expected = both(system)
    same(made, expected)
    same(made * 2, expected * 2)
    same(made + made, expected + expected)


def test_arithmetic_that_is_none():
    s = ours.StateSpace(1, 1, 1, 1)
    slow, fast = ours.StateSpace(1, 1, 1, 1, dt=2), ours.StateSpace(1, 1, 1, 1, dt=1)
    with pytest.raises(TypeError, match="Cannot multiply systems with different `dt`"):
        slow * fast
    with pytest.raises(TypeError, match="Cannot add systems with different `dt`"):
        slow + fast
    with pytest.raises(TypeError, match="Cannot add"):
        s + fast
    with pytest.raises(TypeError, match="unsupported operand"):
        s * fast
    for other in ("a", None, [1]):
        with pytest.raises(TypeError):
            s * other
        with pytest.raises(TypeError, match="unsupported operand"):
            s + other
        with pytest.raises(TypeError, match="unsupported operand"):
            s - other
        with pytest.raises(TypeError, match="unsupported operand"):
            s / other
    with pytest.raises(TypeError, match="unsupported operand"):
        s / s
    with pytest.raises(ValueError, match="by non-scalar numpy arrays"):
        s / np.ones(2)
    with pytest.raises(ValueError, match=r"dimensions \(\(1, 1\) and \(2, 2\)\)"):
        s + np.ones((2, 2))


def test_errors():
    for kind in (ours.lti, ours.dlti):
        for count in (0, 1, 5):
            with pytest.raises(ValueError, match=f"{kind.__name__}` or have 2, 3 or 4"):
                kind(*[1] * count)
    s = ours.lti([1.0], [1.0, 2])
    with pytest.raises(ValueError, match="instance of `lti` or have 2, 3 or 4"):
        ours.lti(s)
    with pytest.raises(TypeError, match="unexpected keyword argument 'dt'"):
        ours.lti([1.0], [1.0, 2], dt=1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'foo'"):
        ours.dlti([1.0], [1.0, 2], foo=1)
    with pytest.raises(TypeError, match="not 3 arguments"):
        ours.TransferFunction(1, 2, 3)
    with pytest.raises(ValueError, match="not 2"):
        ours.ZerosPolesGain(1, 2)
    with pytest.raises(ValueError, match="Dimension q is undefined"):
        ours.StateSpace(1, 2)
    with pytest.raises(AttributeError):
        ours.dlti([1.0], [1.0, 2]).to_discrete(0.1)
