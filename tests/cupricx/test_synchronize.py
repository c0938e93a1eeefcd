"""allow_synchronize: what waits for a device is an error, what does not is none."""

import threading

import numpy as np
import pytest

import cupric as cp
import cupricx

pytestmark = pytest.mark.filterwarnings("ignore:allow_synchronize:UserWarning")

X = cp.arange(6.0)
NUMPY = np.empty(6)
EVENT = cp.cuda.Event()
EVENT.record()
WAITS = {
    "get": lambda: X.get(),
    "get into": lambda: X.get(out=NUMPY),
    "item": lambda: X[2].item(),
    "float": lambda: float(X[2]),
    "bool": lambda: bool(X[2]),
    "tolist": lambda: X.tolist(),
    "asnumpy": lambda: cp.asnumpy(X),
    "repr": lambda: repr(X),
    "strided": lambda: X[::2].get(),
    "device": lambda: cp.cuda.Device().synchronize(),
    "stream": lambda: cp.cuda.get_current_stream().synchronize(),
    "event": lambda: EVENT.synchronize(),
    "memory": lambda: X.data.copy_to_host(NUMPY.ctypes.data, 48),
    "memcpy": lambda: cp.cuda.runtime.memcpy(
        NUMPY.ctypes.data, X.data.ptr, 48, cp.cuda.runtime.memcpyDeviceToHost
    ),
    "where": lambda: cp.nonzero(X),
    "digitize": lambda: cp.digitize(X, X),
}
WORKS = {
    "add": lambda: X + 1,
    "sum": lambda: X.sum(),
    "matmul": lambda: X @ X,
    "sort": lambda: cp.sort(X),
    "from the host": lambda: cp.asarray(NUMPY),
    "indices": lambda: X[cp.array([1, 2])],
    "record": lambda: cp.cuda.Event().record(),
}


@pytest.mark.parametrize("name", WAITS)
def test_what_waits(name):
    with cupricx.allow_synchronize(False):
        with pytest.raises(cupricx.DeviceSynchronized, match="allow_synchronize"):
            WAITS[name]()
        with cupricx.allow_synchronize(True):
            WAITS[name]()
        with pytest.raises(RuntimeError):
            WAITS[name]()
    WAITS[name]()


@pytest.mark.parametrize("name", WORKS)
def test_what_does_not_wait(name):
    with cupricx.allow_synchronize(False):
        WORKS[name]()


def test_it_is_a_thread_s_own():
    seen = []
    with cupricx.allow_synchronize(False):
        thread = threading.Thread(target=lambda: seen.append(X.tolist()))
        thread.start()
        thread.join()
    assert seen == [[0, 1, 2, 3, 4, 5]]


def test_after_an_exception_it_is_as_before():
    with pytest.raises(KeyError), cupricx.allow_synchronize(False):
        raise KeyError
    assert X.tolist() == [0, 1, 2, 3, 4, 5]


def test_it_is_deprecated():
    with (
        pytest.warns(UserWarning, match="profiler") as seen,
        cupricx.allow_synchronize(True),
    ):
        pass
    assert seen[0].filename == __file__
    assert "waits" in str(cupricx.DeviceSynchronized())
    assert str(cupricx.DeviceSynchronized("words")) == "words"
