"""A page of notes on CuPy: a kernel, conversions, exchange, processes, devices."""

import multiprocessing

import numpy as np
import pytest

import cupric as cp

from .notebook import Notebook


@pytest.fixture(scope="module")
def notes():
    notebook = Notebook("notes")
    return notebook.run(*[n for n in notebook.source if "torch" not in n])


def test_no_errors(notes):
    assert {n: c.error for n, c in notes.cells.items() if c.error} == {}


def test_sum(notes):
    assert notes["sum"].printed == "[[0. 1. 2.]\n [3. 4. 5.]] [ 3. 12.]\n"


def test_kernel(notes):
    result = notes["kernel"].result()
    assert repr(result) == (
        "array([[ 0.,  2.,  4.],\n       [ 0.,  4., 10.]], dtype=float32)"
    )


def test_conversion(notes):
    for name in ("numpy_data", "data1", "data2_np"):
        assert type(notes.get(name)) is np.ndarray
    for name in ("cupy_data", "data1_cp", "data2"):
        assert isinstance(notes.get(name), cp.ndarray)
    assert notes.get("numpy_data").tolist() == [[0, 1, 2], [3, 4, 5]]
    assert notes.get("data1_cp").tolist() == notes.get("data2_np").tolist()


def test_torch_both_ways():
    pytest.importorskip("torch")
    notebook = Notebook("notes").run("torch", "torch and numpy")
    assert {n: c.error for n, c in notebook.cells.items() if c.error} == {}
    for name in ("cupy_data", "tensor_data", "numpy_data"):
        assert notebook.get(name).tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.only_on("host")
def test_dlpack_capsules_both_ways():
    from cupric.core.dlpack import fromDlpack, toDlpack

    numpy_data = np.arange(6).reshape(2, 3)
    from_numpy = fromDlpack(numpy_data.__dlpack__())
    assert from_numpy.tolist() == numpy_data.tolist()
    again = fromDlpack(toDlpack(from_numpy))
    again[0, 0] = 9
    assert numpy_data[0, 0] == from_numpy[0, 0] == 9  # one memory


def squares(n):
    return (cp.arange(n) ** 2).sum().item()


@pytest.mark.only_on("host")
def test_pool_of_processes():
    assert squares(10) == 285  # the parent has used the device before it forks
    context = multiprocessing.get_context("fork")
    with context.Pool(processes=3) as worker_pool_global:
        assert worker_pool_global.map(squares, range(1, 9)) == [
            squares(n) for n in range(1, 9)
        ]
