"""cupricx.profiler: times of functions, ranges; and the tools beside it."""

import numpy as np
import pytest

import cupric as cp
import cupricx
from cupricx import profiler


def test_benchmark():
    calls = []
    result = profiler.benchmark(
        lambda a, *, b: calls.append(a + b),
        (cp.ones(3),),
        {"b": 2},
        n_repeat=4,
        n_warmup=3,
        name="added",
    )
    assert len(calls) == 7
    assert result.name == "added"
    assert result.cpu_times.shape == (4,)
    assert result.gpu_times.shape == (1, 4)
    assert (result.cpu_times > 0).all()
    assert (result.gpu_times > 0).all()
    line = str(result)
    assert line.startswith("added")
    assert "CPU:" in line
    assert "GPU-0:" in line
    assert "GPU-0:" not in result.to_str()


def test_benchmark_ends_in_time():
    result = profiler.benchmark(lambda: None, max_duration=0.01, n_repeat=10**9)
    assert result.cpu_times.size >= 1


@pytest.mark.parametrize(
    "wrong",
    [{"func": 3}, {"args": [1]}, {"kwargs": []}, {"n_repeat": 1.5}, {"name": 3}],
)
def test_benchmark_mistakes(wrong):
    with pytest.raises(ValueError):
        profiler.benchmark(**{"func": len, "n_warmup": 0, "n_repeat": 0} | wrong)


def test_ranges():
    with profiler.profile(), profiler.time_range("a", sync=True) as r:
        assert r.message == "a"

    @profiler.time_range(argb_color=0xFF00FF00)
    def double(x):
        """Twice."""
        return 2 * x

    assert double(2) == 4
    assert double.__doc__ == "Twice."
    with pytest.raises(ValueError, match="exclude"):
        profiler.time_range("a", 1, 2)


def test_rsqrt():
    x = np.array([4, 1, 0.25, 0, -1, np.nan, np.inf], "f")
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(cupricx.rsqrt(cp.array(x)).get(), 1 / np.sqrt(x))
    assert cupricx.rsqrt(cp.array([4])).dtype == np.float64
    assert cupricx.rsqrt(cp.array([4], "F")).item() == 0.5


def test_runtime_info():
    text = str(cupricx.get_runtime_info())
    assert np.__version__ in text
    assert "Device 0" in text
    assert "Device 0" not in str(cupricx.get_runtime_info(full=False))
