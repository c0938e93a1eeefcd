"""can_cast, result_type and broadcast_shapes beside NumPy's."""

import itertools

import numpy as np
import pytest

import cupric as cp

DTYPES = [*map(np.dtype, "?bBhHiIlLqQefdFD"), np.dtype("M8[s]"), np.dtype(">f4")]
OTHERS = ["M8[ms]", "m8[s]", "S3", [("a", "f4")], np.float32, np.int64, float, "f2"]
RULES = ["no", "equiv", "safe", "same_kind", "unsafe"]


@pytest.mark.parametrize("rule", RULES)
def test_can_cast(rule):
    for a, b in itertools.product(DTYPES, [*DTYPES, *OTHERS]):
        expected = np.can_cast(a, b, rule)
        assert cp.can_cast(a, b, rule) is expected, (a, b)
        assert cp.can_cast(from_=a, to=b, casting=rule) is expected
        if a.isnative:
            assert cp.can_cast(cp.zeros(1, a), b, rule) is expected
    assert cp.can_cast("i4", "f4") is False


def test_what_can_cast_refuses():
    for error, args in [
        (ValueError, ("f4", "f8", "never")),
        (ValueError, (np.dtype("f4"), np.dtype("f8"), "never")),
        (TypeError, (np.dtype("f4"),)),
        (TypeError, (3, "f4")),
        (TypeError, ("f4", "f8", 3)),
    ]:
        with pytest.raises(error):
            cp.can_cast(*args)


def test_result_type():
    numbers = [t for t in DTYPES if t.kind != "M"]
    for a, b in itertools.product(numbers, [*numbers, np.float32, np.int8, float]):
        expected = np.result_type(a, b)
        found = cp.result_type(a, b)
        assert found == expected, (a, b)
        assert isinstance(found, np.dtype)
        if a.isnative:
            assert cp.result_type(cp.zeros(1, a), b) == expected
            assert cp.result_type(cp.zeros(1, a)) == a
    for triple in itertools.product("?bBhHiIlLefdFD", repeat=3):
        triple = [np.dtype(t) for t in triple]
        assert cp.result_type(*triple) == np.result_type(*triple)
    for args in [(np.dtype("f4"), 1), (np.dtype("i2"), 2.0), ("i1", "f2"), (1, 2.5)]:
        assert cp.result_type(*args) == np.result_type(*args)
    assert cp.result_type(cp.zeros(2, "i1"), 1j) == np.complex128
    for times in (("M8[s]", "M8[ms]"), ("m8[s]", "m8[h]")):
        times = [np.dtype(t) for t in times]
        assert cp.result_type(*times) == np.result_type(*times)


def test_what_result_type_refuses():
    for args in [(), (np.dtype("f4"), np.dtype("M8[s]"))]:
        with pytest.raises((TypeError, ValueError)) as expected:
            np.result_type(*args)
        with pytest.raises(expected.type):
            cp.result_type(*args)


def test_bfloat16_promotes_as_ml_dtypes_has_it():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    for other in "?bhfeFd":
        pair = np.dtype(ml_dtypes.bfloat16), np.dtype(other)
        assert cp.can_cast(*pair) is np.can_cast(*pair)
        try:
            expected = np.result_type(*pair)
        except TypeError:
            with pytest.raises(TypeError):
                cp.result_type(*pair)
        else:
            assert cp.result_type(*pair) == expected


@pytest.mark.parametrize(
    "shapes",
    [
        (),
        ((),),
        (3, 1),
        (5,),
        ((3, 1), (2,)),
        ((1, 4, 1), (3, 1, 2), (1,)),
        ((0,), (1,)),
        ([2, 1], (1, 3)),
        ((np.int64(3), 1), 3),
        ((1,) * 32, (2,)),
    ],
)
def test_broadcast_shapes(shapes):
    found = cp.broadcast_shapes(*shapes)
    assert found == np.broadcast_shapes(*shapes)
    assert type(found) is tuple
    assert all(type(n) is int for n in found)


@pytest.mark.parametrize("shapes", [((2,), (3,)), ((0,), (3,)), ((-1,),), (("a",),)])
def test_shapes_that_do_not_broadcast(shapes):
    with pytest.raises((ValueError, TypeError)) as expected:
        np.broadcast_shapes(*shapes)
    with pytest.raises(expected.type):
        cp.broadcast_shapes(*shapes)
