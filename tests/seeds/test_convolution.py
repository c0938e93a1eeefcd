"""The GPU lesson: a convolution on the CPU and on the device, results and errors."""

import numpy as np
import pytest

from .notebook import Notebook


@pytest.fixture(scope="module")
def lesson(tmp_path_factory):
    pytest.importorskip("scipy")
    pytest.importorskip("matplotlib")
    figures = tmp_path_factory.mktemp("figures")
    return Notebook("convolution", figures=figures).run()


def test_only_the_documented_errors(lesson):
    failed = [name for name, cell in lesson.cells.items() if cell.error]
    assert failed == ["NumPy arrays on the GPU", "GPU arrays on the CPU"]


def test_image(lesson):
    assert lesson["image"].printed == "(2048, 2048)\n"


def test_figures_are_drawn(lesson):
    assert [f.stat().st_size > 0 for f in sorted(lesson.figures.iterdir())] == [
        True
    ] * 3


def test_numpy_arrays_are_refused(lesson):
    with pytest.raises(TypeError) as info:
        lesson["NumPy arrays on the GPU"].result()
    assert str(info.value) == "Unsupported type <class 'numpy.ndarray'>"


def test_same_result(lesson):
    assert repr(lesson["compare"].result()) == "array(True)"
    result = lesson.get("convolved_image_using_GPU")
    assert result.shape == (2062, 2062)
    assert result.dtype == np.float64
    expected = lesson.get("convolved_image_using_CPU")
    np.testing.assert_allclose(result.get(), expected, rtol=1e-13, atol=1e-16)


def test_scipy_refuses_device_arrays(lesson):
    with pytest.raises(TypeError) as info:
        lesson["GPU arrays on the CPU"].result()
    assert str(info.value) == (
        "Implicit conversion to a NumPy array is not allowed. "
        "Please use `.get()` to construct a NumPy array explicitly."
    )


def test_numpy_routine_runs_on_the_device(lesson):
    import cupric as cp

    result = lesson.get("_")  # of the last %timeit
    assert isinstance(result, cp.ndarray)
    expected = np.convolve(lesson.get("deltas_1d"), lesson.get("gauss_1d"))
    np.testing.assert_allclose(result.get(), expected, rtol=1e-13, atol=1e-16)
