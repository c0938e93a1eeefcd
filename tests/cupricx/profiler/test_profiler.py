"""cupricx.profiler: times of functions, ranges; and the tools beside it."""

import sys

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
    line = result.to_str(show_gpu=True)
    assert line.startswith("added")
    assert "CPU:" in line
    assert "GPU-0:" in line
    assert "\n" not in line
    assert "GPU-0:" not in result.to_str()


def test_benchmark_ends_in_time():
    result = profiler.benchmark(lambda: None, max_duration=0.01, n_repeat=10**9)
    assert result.cpu_times.size >= 1


def test_benchmark_is_a_table():
    """Of times that are given: what is printed is computed from them."""
    result = profiler.benchmark(len, ("abc",), n_repeat=4, name="four")
    result.cpu_times[:] = [3e-6, 1e-6, 2e-6, 14e-6]
    result.gpu_times[:] = [[2.5, 0.5, 0.3, 0.99951e-3]]
    expected = [
        "four: 4 calls",
        "             CPU     GPU-0",
        "mean     5.00 us    825 ms",
        "median   2.50 us    400 ms",
        "min      1.00 us   1.00 ms",
        "max      14.0 us    2.50 s",
    ]
    assert str(result).splitlines() == expected
    assert repr(result) == str(result)
    result.cpu_times[:] = 12.3e-9
    assert str(result).splitlines()[2].split()[:3] == ["mean", "12.3", "ns"]


def test_benchmark_of_one_call_and_of_none():
    one = str(profiler.benchmark(len, ("abc",), n_repeat=1, name="one"))
    assert one.startswith("one: 1 call\n")
    assert (
        str(profiler.benchmark(len, ("abc",), n_repeat=0, name="no")) == "no: 0 calls"
    )


@pytest.fixture
def shell(tmp_path, monkeypatch):
    shells = pytest.importorskip("IPython.core.interactiveshell")
    config = pytest.importorskip("traitlets.config").Config()
    config.HistoryManager.enabled = False
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    # The shell puts a module of its own there.
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    shell = shells.InteractiveShell(config=config)
    profiler.load_ipython_extension(shell)
    return shell


def test_gpu_timeit(shell):
    """One statement, called as often as asked for; its names are its own."""
    calls = []
    shell.user_ns.update(cp=cp, calls=calls)
    result = shell.run_line_magic("gpu_timeit", "-n 5 calls.append(cp.ones(3)); y = 1")
    assert len(calls) == 3 + 5
    assert result.gpu_times.shape == (1, 5)
    assert "y" not in shell.user_ns
    assert str(result).startswith("calls.append(cp.ones(3)); y = 1: 5 calls\n")
    quick = shell.run_line_magic("gpu_timeit", "-t 0.001 -n 1000000 calls")
    assert quick.cpu_times.size < 1_000_000


def test_gpu_timeit_of_a_cell(shell):
    """The line sets up, once; the cell's lines are measured."""
    log = []
    shell.user_ns["log"] = log
    cell = "total = start\nfor k in range(3):\n    total += k\nlog.append(total)\n"
    result = shell.run_cell_magic(
        "gpu_timeit", "-n 2 start = 10; log.append('s')", cell
    )
    assert log == ["s"] + [13] * 5
    assert result.name == "total = start"
    with pytest.raises(NameError):
        shell.run_line_magic("gpu_timeit", "not_there")


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
