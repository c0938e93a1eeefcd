"""The benchmarks run, and their results are drawn up."""

import importlib.util
import json
import random
import subprocess
import sys
import types
import warnings
from pathlib import Path

import numpy as np
import pytest

import cupric

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"
needs_files = pytest.mark.skipif(not BENCHMARKS.is_dir(), reason="they are not here")


def run(*command):
    done = subprocess.run(
        [sys.executable, *map(str, command)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@needs_files
def test_a_run_and_its_page(tmp_path):
    path = tmp_path / "results.json"
    run(
        BENCHMARKS / "run.py", "overhead", "--quick", "-k", "x.T", "--peers", "numpy",
        "--output", path,
    )  # fmt: skip
    result = json.loads(path.read_text())
    (row,) = result["rows"]
    assert row["what"] == "x.T"
    assert row["median_us"].keys() == {"cupric", "numpy"}
    page = run(BENCHMARKS / "table.py", path)
    assert "| `x.T` | 32x32 f32 |" in page
    assert "benchmarks/run.py overhead --quick -k x.T" in page


@needs_files
def test_a_result_takes_what_is_measured_later(tmp_path):
    path = tmp_path / "results.json"

    def measure(*options):
        command = (BENCHMARKS / "run.py", "overhead", "--quick", "--peers", "none")
        run(*command, *options)
        return json.loads(path.read_text())["rows"]

    measure("-k", "x.T", "--output", path)
    # A figure that no measurement gives, since two that are taken may be equal.
    page = json.loads(path.read_text())
    page["rows"][0]["median_us"] = {"cupric": 1e9}
    path.write_text(json.dumps(page))
    both = measure("-k", "x.T", "-k", "shift", "--update", path)
    assert [row["what"] for row in both][:1] == ["x.T"]
    assert len(both) > 1
    assert 0 < both[0]["median_us"]["cupric"] < 1e9
    kept = measure("-k", "x.T", "-k", "shift", "--skip", "shift", "--output", path)
    assert [row["what"] for row in kept] == ["x.T"]


@needs_files
def test_two_builds_beside_each_other(tmp_path):
    tree = Path(cupric.__file__).parents[1]
    path = tmp_path / "rows.json"
    page = run(
        BENCHMARKS / "compare.py", tree, tree, "overhead", "--quick", "-k", "x.T",
        "--turns", "1", "--limit", "1000", "--output", path,
    )  # fmt: skip
    (row,) = json.loads(path.read_text())["rows"]
    assert row["what"] == "x.T"
    assert row["ratio"] == round(row["after_us"] / row["before_us"], 4)
    assert "1 rows, 0 slower by more than" in page


@needs_files
def test_a_row_that_takes_too_long_says_why(tmp_path):
    row = {
        "area": "bandwidth", "what": "x + y", "size": "2^27 f32", "device": "cuda",
        "median_us": {"cupric": 500.0, "cupy": 600.0}, "ratio": {"cupy": 1.2},
        "share": 0.75, "due": 400.0, "limit_us": 375.0, "gb_per_s": 3221.0, "note": "",
    }  # fmt: skip
    met = row | {"what": "x * y", "median_us": {"cupric": 400.0}}
    names = ["cpu", "device", "device_name", "system", "python", "numpy", "cupric"]
    machine = dict.fromkeys(names, "?") | {"cpus": 1, "copy_gb_per_s": 4200.0}
    path = tmp_path / "r.json"
    result = {"date": "today", "command": "run", "machine": machine}
    path.write_text(json.dumps(result | {"rows": [row, met]}))
    specification = importlib.util.spec_from_file_location(
        "table", BENCHMARKS / "table.py"
    )
    table = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(table)
    page = "\n".join(table.page(path, json.loads(path.read_text()), {"x + y": "Rain."}))
    assert (
        "| `x + y` | 2^27 f32 | 500 µs | 400 µs | **no** (1) | 600 µs (1.2) |" in page
    )
    assert "(1) Rain." in page
    assert "| `x * y` | 2^27 f32 | 400 µs | 400 µs | yes |" in page


@needs_files
def test_rows_of_ndimage_by_name_and_size(tmp_path):
    path = tmp_path / "results.json"
    page = run(
        BENCHMARKS / "run.py", "ndimage", "--quick", "-k", "laplace 256", "--peers",
        "numpy", "--output", path,
    )  # fmt: skip
    (row,) = json.loads(path.read_text())["rows"]
    assert row["what"] == "laplace"
    assert row["size"] == "256x256 f32"
    assert "numpy: " in page


@needs_files
def test_every_line_of_the_table_of_calls_is_swept(monkeypatch):
    """Each runs in NumPy and here, on a few elements; what stands for no line goes."""
    monkeypatch.syspath_prepend(BENCHMARKS)
    bench_sweep = importlib.import_module("bench_sweep")
    libraries = importlib.import_module("measure").libraries(("numpy",))
    swept = [c for c in bench_sweep.cases(True) if c.size == "64 f4"]
    assert len(swept) > 600
    for case in swept:
        for lib in libraries:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                case.call(lib).often(1)
    sweep_calls = bench_sweep.sweep_calls
    lines = {row.name for _, row in sweep_calls.rows()}
    assert not sweep_calls.STATEMENTS.keys() - lines


@needs_files
def test_calls_of_mixed_dtypes_and_axes(tmp_path):
    path = tmp_path / "results.json"
    run(
        BENCHMARKS / "run.py", "mixed", "--quick", "--peers", "numpy", "-k", "x // 3",
        "-k", "64 f4", "-k", "64 ?", "--output", path,
    )  # fmt: skip
    result = json.loads(path.read_text())
    assert result["refused"] == []
    assert {row["size"] for row in result["rows"]} >= {
        "64 u1",
        "64 f2",
        "64 f4",
        "64 ?",
    }
    assert all(row["ratio"]["numpy"] > 0 for row in result["rows"])


@needs_files
def test_random_layouts(tmp_path, monkeypatch):
    """A seed gives the same statements, and an array is of the shape that it says."""
    monkeypatch.syspath_prepend(BENCHMARKS)
    bench_layouts = importlib.import_module("bench_layouts")
    first, again = (
        [(case.what, case.size) for case in bench_layouts.cases(False)] for _ in "ab"
    )
    assert first == again
    rng = random.Random(0)
    lib = types.SimpleNamespace(xp=np, asarray=np.asarray)
    for drawn in (bench_layouts.Random(rng) for _ in range(300)):
        for dtype, how, order in drawn.layouts:
            a = drawn.array(lib, np.random.default_rng(0), dtype, how, order)
            assert (a.shape, a.dtype) == (drawn.shape, dtype)
    path = tmp_path / "results.json"
    run(
        BENCHMARKS / "run.py", "layouts", "--quick", "--peers", "numpy", "-k", "xp.a",
        "--rounds", "1", "--output", path,
    )  # fmt: skip
    rows = json.loads(path.read_text())["rows"]
    assert rows
    assert all(row["ratio"]["numpy"] > 0 for row in rows)


@needs_files
def test_a_sweep_and_its_page(tmp_path):
    path = tmp_path / "results.json"
    run(
        BENCHMARKS / "run.py", "sweep", "--quick", "-k", "xp.hypot(x, y) 64 f4",
        "-k", "xp.hypot(x, y) 64 c8", "--peers", "numpy", "--output", path,
    )  # fmt: skip
    result = json.loads(path.read_text())
    assert {row["size"] for row in result["rows"]} == {"64 f4", "64 f4 strided"}
    assert result["refused"] == [["xp.hypot(x, y)", "64 c8"]]
    page = run(BENCHMARKS / "table.py", path)
    assert "| 64 | numpy | 2 |" in page
