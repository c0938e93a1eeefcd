"""Functions that run where their arguments live: `where_it_lives`."""

import copy
import inspect
import pickle
import warnings
import weakref

import numpy as np
import pytest

import cupric as cp
from cupric._manipulation._args import where_it_lives


def test_it_looks_like_the_function():
    f = cp.hstack
    assert (f.__name__, f.__module__) == ("hstack", "cupric._manipulation._join")
    assert f.__doc__.startswith("Arrays joined")
    assert [*inspect.signature(f).parameters] == ["tup", "dtype", "casting"]
    assert inspect.isroutine(f)
    assert pickle.loads(pickle.dumps(f)) is copy.deepcopy(f) is f
    assert weakref.ref(f)() is f
    assert repr(f).startswith("<function hstack")


def test_arguments_and_errors():
    @where_it_lives
    def given(*args, **kwargs):
        return args, kwargs

    assert given() == ((), {})
    assert given(1, [2], b=3) == ((1, [2]), {"b": 3})
    with pytest.raises(TypeError, match="unexpected keyword"):
        cp.dstack([cp.ones(2)], nothing=1)


def test_as_a_method():
    class Holder:
        @where_it_lives
        def both(self, x):
            return self, x

    holder = Holder()
    assert holder.both(3) == (holder, 3)
    assert Holder.both(holder, 4) == (holder, 4)


@pytest.mark.parametrize(
    "call",
    [
        lambda: cp.histogram(cp.array([True, False])),
        lambda: cp.cov(cp.ones(1)),
        lambda: cp.corrcoef(cp.arange(6.0).reshape(2, 3), bias=True),
        lambda: cp.polyfit(cp.ones(4), cp.ones(4), 2),
        lambda: cp.histogram(cp.arange(3000.0) % 7, bins="stone"),
    ],
)
def test_warnings_are_the_callers(call):
    with np.errstate(all="ignore"), warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        call()
    assert seen[0].filename == __file__
