"""Distances between images: NumPy in float32, cupric in float16."""

import numpy as np
import pytest

import cupric as cp

from .notebook import Notebook

SIZE = 400  # 10000 in the lesson: a float16 product of that size takes minutes on a CPU


def images(rng):
    """Like handwritten digits: mostly black, 784 pixels between 0 and 1."""
    pixels = rng.random((SIZE, 784))
    return pixels * (rng.random((SIZE, 784)) < 0.19)


@pytest.fixture(scope="module")
def lesson(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mnist")
    rng = np.random.default_rng(7)
    (folder / "data").mkdir()
    np.save(folder / "data" / f"mnist1_{SIZE}.npy", images(rng))
    np.save(folder / "data" / f"mnist2_{SIZE}.npy", images(rng))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        notebook = Notebook("mnist", [("size=10000", f"size={SIZE}")])
        names = list(notebook.source)
        middle = names.index("load cupric")
        notebook.run(*names[:middle])
        notebook.on_cpu = notebook.get("result_ein")
        notebook.run(*names[middle:])
    return notebook


def test_no_errors(lesson):
    assert {n: c.error for n, c in lesson.cells.items() if c.error} == {}


def test_creation(lesson):
    arange, zeros, ones = (lesson[n].result() for n in ("arange", "zeros", "ones"))
    assert repr(arange) == "array([[0, 1],\n       [2, 3]])"
    assert (zeros.dtype, ones.dtype) == (np.float32, np.float16)
    assert (zeros.get() == 0).all()
    assert (ones.get() == 1).all()


def test_float16_distances(lesson):
    result = lesson.get("result_ein")
    assert isinstance(result, cp.ndarray)
    assert result.dtype == np.float16
    assert result.shape == (SIZE, SIZE)
    np.testing.assert_allclose(result.get(), lesson.on_cpu, atol=0.02)


def test_output_is_printed_as_documented(lesson):
    time, *values = lesson["distances cupric"].printed.splitlines()
    assert time.startswith("Exec. time: ")
    assert time.endswith(f" for {SIZE}x{SIZE}")
    shown = [float(v) for v in values[0].strip("[]").split()]
    np.testing.assert_allclose(shown, lesson.on_cpu[0, :5], atol=0.02)


def test_split(lesson):
    parts = lesson["split"].result()
    assert [p.tolist() for p in parts][0] == [
        [0, 1, 2, 3],
        [4, 5, 6, 7],
        [8, 9, 10, 11],
    ]
    on_device = cp.split(cp.asarray(lesson["x"].result()), 3)
    for got, expected in zip(on_device, parts, strict=True):
        np.testing.assert_array_equal(got.get(), expected)


def test_quadratic_form_in_chunks():
    """The last cells, by cupric: the parts give what the whole gives."""
    rng = np.random.default_rng(3)
    x, big_q, c = rng.random(20), rng.random((20, 20)), np.arange(20)
    expected = x @ big_q @ x + c @ x
    x, big_q, c = cp.asarray(x), cp.asarray(big_q), cp.asarray(c)
    whole = x @ big_q @ x + c @ x
    result = x @ big_q
    del big_q
    result = result @ x
    result += c @ x
    del c, x
    assert whole.shape == result.shape == ()
    np.testing.assert_allclose([float(whole), float(result)], expected, rtol=1e-12)
