"""DLPack, in and out: memory is shared, whoever lets go first."""

import ctypes
import gc

import numpy as np
import pytest

import cupric as cp

pytestmark = pytest.mark.only_on("host")

DTYPES = [
    "?",
    "i1",
    "i2",
    "i4",
    "i8",
    "u1",
    "u2",
    "u4",
    "u8",
    "f2",
    "f4",
    "f8",
    "c8",
    "c16",
]


class Producer:
    """Exports a capsule once, in whatever way a test asks for."""

    def __init__(self, array, **options):
        self.array, self.options = array, options

    def __dlpack__(self, **kwargs):
        return self.array.__dlpack__(**self.options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class OldProducer(Producer):
    """From before DLPack 1.0: takes a stream only."""

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()


@pytest.mark.parametrize("dtype", DTYPES)
def test_to_numpy(dtype):
    d = cp.arange(6).astype(dtype).reshape(2, 3)
    a = np.from_dlpack(d)
    assert a.dtype == d.dtype
    np.testing.assert_array_equal(a, d.get())
    a[0, 0] = 1
    assert d[0, 0].get() == 1


@pytest.mark.parametrize("dtype", DTYPES)
def test_from_numpy(dtype):
    a = np.arange(6).astype(dtype).reshape(2, 3)
    d = cp.from_dlpack(a)
    assert d.dtype == a.dtype
    np.testing.assert_array_equal(d.get(), a)
    d[1] = 1
    assert (a[1] == 1).all()


VIEWS = [
    lambda a: a.T,
    lambda a: a[::-1],
    lambda a: a[:, ::-2],
    lambda a: a[1, 1],
    lambda a: a[:0],
    lambda a: a[None, :, None],
]


@pytest.mark.parametrize("view", VIEWS)
def test_layouts(view):
    a = np.arange(12.0).reshape(3, 4)
    d = cp.array(a)
    np.testing.assert_array_equal(np.from_dlpack(view(d)), view(a))
    np.testing.assert_array_equal(cp.from_dlpack(np.asarray(view(a))).get(), view(a))
    np.testing.assert_array_equal(cp.from_dlpack(view(d)).get(), view(a))


def test_bfloat16():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    d = cp.arange(4).astype(ml_dtypes.bfloat16)
    back = cp.from_dlpack(d)
    assert back.dtype == d.dtype
    assert back.tolist() == d.tolist()


@pytest.mark.usefixtures("no_leak")
def test_consumer_outlives_producer():
    d = cp.arange(1000.0)
    a = np.from_dlpack(d)
    del d
    gc.collect()
    junk = [cp.zeros(1000) for _ in range(10)]
    assert a[999] == 999
    del a, junk


def test_producer_outlives_consumer():
    a = np.arange(1000.0)
    d = cp.from_dlpack(a)
    del d
    gc.collect()
    assert a[999] == 999


def test_imported_memory_is_kept():
    d = cp.from_dlpack(np.arange(1000.0))
    gc.collect()
    junk = [np.zeros(1000) for _ in range(10)]
    assert float(d[999]) == 999
    del junk


@pytest.mark.usefixtures("no_leak")
def test_unused_capsules_are_freed():
    d = cp.arange(1000.0)
    for _ in range(1000):
        d.__dlpack__()
        d.__dlpack__(max_version=(1, 0))
        d.toDlpack()
    del d


@pytest.mark.usefixtures("no_leak")
def test_round_trips_are_flat():
    d = cp.arange(10)
    for _ in range(1000):
        d = cp.from_dlpack(np.from_dlpack(d))
    assert d.tolist() == list(range(10))
    del d


def test_capsule_names():
    d = cp.arange(3)
    assert '"dltensor"' in repr(d.__dlpack__())
    assert '"dltensor_versioned"' in repr(d.__dlpack__(max_version=(1, 1)))
    capsule = d.toDlpack()
    assert cp.fromDlpack(capsule).tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match="consumed only once"):
        cp.from_dlpack(capsule)


def test_read_only():
    d = cp.broadcast_to(cp.arange(3), (2, 3))
    a = np.from_dlpack(d)
    assert not a.flags.writeable
    with pytest.raises(BufferError, match="read-only"):
        d.__dlpack__()
    fixed = np.arange(3)
    fixed.flags.writeable = False
    imported = cp.from_dlpack(fixed)
    with pytest.raises(ValueError, match="read-only"):
        imported[0] = 1


def test_copy():
    d = cp.arange(3)
    a = np.from_dlpack(d, copy=True)
    a[0] = 9
    assert d.tolist() == [0, 1, 2]
    e = cp.from_dlpack(d, copy=True)
    e[0] = 9
    assert d.tolist() == [0, 1, 2]
    same = cp.from_dlpack(d, copy=False)
    same[0] = 9
    assert d.tolist() == [9, 1, 2]


def test_own_arrays_share_memory():
    d = cp.arange(24.0).reshape(2, 3, 4)
    for view in (d, d.T, d[:, ::-2], d[:0], d[0, 0, 0]):
        back = cp.from_dlpack(view)
        assert back is not view
        assert back.base is None
        assert (back.shape, back.strides) == (view.shape, view.strides)
        back[...] = 7
        assert (view == 7).all()
    fixed = d[0]
    fixed.flags.writeable = False
    assert not cp.from_dlpack(fixed).flags.writeable
    with pytest.raises(BufferError):
        cp.from_dlpack(cp.zeros(2, "M8[s]"))


def test_old_producers():
    d = cp.arange(3)
    shared = cp.from_dlpack(OldProducer(d))
    shared[0] = 7
    assert d.tolist() == [7, 1, 2]
    copied = cp.from_dlpack(OldProducer(d), copy=True)
    copied[0] = 0
    assert d.tolist() == [7, 1, 2]
    versioned = cp.from_dlpack(Producer(d, max_version=(1, 0)))
    assert versioned.tolist() == [7, 1, 2]


def test_devices():
    d = cp.arange(3)
    assert d.__dlpack_device__() == (1, 0)
    assert cp.from_dlpack(d, device=0).tolist() == [0, 1, 2]
    d.__dlpack__(dl_device=(1, 0))
    with pytest.raises(BufferError, match="cannot export"):
        d.__dlpack__(dl_device=(2, 0))
    with pytest.raises(TypeError, match="tuple of two"):
        d.__dlpack__(dl_device=1)


def test_read_only_without_a_version():
    d = cp.broadcast_to(cp.arange(3), (2, 3))
    with pytest.raises(BufferError, match="read-only"):
        d.toDlpack()
    assert cp.fromDlpack(d.copy().toDlpack()).tolist() == d.tolist()


def misaligned(dtype="f8"):
    item = np.dtype(dtype).itemsize
    raw = np.zeros(4 * item + 1, "u1")
    view = raw[1:].view(dtype)
    view[:] = np.arange(4)
    return view


def test_misaligned_without_a_copy():
    a = misaligned()
    if a.flags.aligned:
        pytest.skip("the allocator gave an odd address")
    with pytest.raises(ValueError, match="aligned"):
        cp.from_dlpack(a, copy=False)
    d = cp.from_dlpack(a)
    assert d.tolist() == [0, 1, 2, 3]
    assert cp.from_dlpack(a, copy=True).tolist() == [0, 1, 2, 3]


def test_device_objects():
    d = cp.arange(3)
    for device in (cp.cuda.Device(0), 0, d.__dlpack_device__(), None):
        same = cp.from_dlpack(d, device=device, copy=False)
        assert same.data.ptr == d.data.ptr
    with pytest.raises(TypeError):
        cp.from_dlpack(d, device="gpu")


def test_stream_arguments():
    d = cp.arange(3)
    for stream in (None, -1, 1, 2):
        d.__dlpack__(stream=stream)
    with pytest.warns(UserWarning, match="stream=0"):
        d.__dlpack__(stream=0)
    with pytest.raises(ValueError, match="stream=-2"):
        d.__dlpack__(stream=-2)
    with pytest.raises(TypeError):
        d.__dlpack__(stream="1")


def test_host_memory_of_any_number():
    """Host memory is one, however many devices the host plays."""
    d = cp.arange(3)
    assert np.from_dlpack(Producer(d, dl_device=(1, 0))).tolist() == [0, 1, 2]
    d.__dlpack__(dl_device=(1, 5), copy=False)


class Tensor(ctypes.Structure):
    """DLManagedTensor, as other libraries fill it."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32 * 2),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    ]


def capsule_of(a, shape, strides, **fields):
    """A capsule over NumPy's memory, and what has to live as long."""
    longs = ctypes.c_int64 * len(shape)
    keep = longs(*shape), longs(*strides) if strides is not None else None
    t = Tensor(a.ctypes.data, (1, 0), len(shape), 2, 64, 1)
    t.shape = ctypes.cast(keep[0], ctypes.POINTER(ctypes.c_int64))
    if strides is not None:
        t.strides = ctypes.cast(keep[1], ctypes.POINTER(ctypes.c_int64))
    for name, value in fields.items():
        setattr(t, name, value)
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return new(ctypes.addressof(t), b"dltensor", None), (t, keep, a)


def test_foreign_layouts():
    a = np.arange(24.0)
    rows = (2, 3), (3, 1)
    for shape, strides, expected in (
        (*rows, a[:6].reshape(2, 3)),
        ((4,), None, a[:4]),
        ((), (), a[0]),
        ((1, 3), (2**62, 2), a[:6:2].reshape(1, 3)),
        ((3, 4), (0, 1), np.broadcast_to(a[:4], (3, 4))),
        ((0, 5), (2**62, 2**62), np.empty((0, 5))),
    ):
        capsule, keep = capsule_of(a, shape, strides)
        np.testing.assert_array_equal(cp.from_dlpack(capsule).get(), expected)
        del keep
    capsule, keep = capsule_of(a, (3,), (-1,), byte_offset=16)
    assert cp.from_dlpack(capsule).tolist() == [2, 1, 0]


DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


@pytest.mark.parametrize("byte_offset", [0, 4])
@pytest.mark.parametrize("copy", [None, True])
@pytest.mark.parametrize("n", [3, 0])
def test_deleters_are_called_once(byte_offset, copy, n):
    """That of memory which cannot be used in place, too: a capsule need not do so."""
    calls = []
    deleter = DELETER(calls.append)
    a = np.arange(4.0)
    fields = {"deleter": ctypes.cast(deleter, ctypes.c_void_p).value}
    capsule, keep = capsule_of(a, (n,), None, byte_offset=byte_offset, **fields)
    x = cp.from_dlpack(capsule, copy=copy)
    with pytest.raises(ValueError, match="only once"):
        cp.from_dlpack(capsule)
    del capsule
    x.get()
    is_copied = bool(n) and byte_offset or copy
    assert len(calls) == bool(is_copied)
    del x
    assert calls == [ctypes.addressof(keep[0])]


def test_a_refused_copy_leaves_the_capsule():
    calls = []
    deleter = DELETER(calls.append)
    fields = {"deleter": ctypes.cast(deleter, ctypes.c_void_p).value}
    capsule, keep = capsule_of(np.arange(4.0), (3,), None, byte_offset=4, **fields)
    with pytest.raises(ValueError, match="Unable to avoid copy"):
        cp.from_dlpack(capsule, copy=False)
    assert calls == []
    cp.from_dlpack(capsule)
    assert len(calls) == 1
    del keep


@pytest.mark.parametrize(
    ("shape", "strides", "error"),
    [
        ((2,), (2**60,), BufferError),
        ((2,), (-(2**60),), BufferError),
        ((2**40, 2), (2**21, 1), BufferError),
        ((2**31, 2**32), (0, 0), ValueError),
        ((-1,), (1,), ValueError),
    ],
)
def test_layouts_beyond_memory(shape, strides, error):
    capsule, keep = capsule_of(np.zeros(4), shape, strides)
    with pytest.raises(error):
        cp.from_dlpack(capsule)
    del keep


@pytest.mark.parametrize(
    "fields",
    [{"data": None}, {"bits": 48}, {"lanes": 2}, {"code": 9}, {"device": (7, 0)}],
)
def test_tensors_that_are_none(fields):
    capsule, keep = capsule_of(np.zeros(4), (4,), None, **fields)
    with pytest.raises(BufferError):
        cp.from_dlpack(capsule)
    del keep


def test_not_a_producer():
    with pytest.raises(TypeError, match="__dlpack__"):
        cp.from_dlpack([1, 2])


def test_unsupported_types():
    # float128 has no DLPack export in NumPy, strings neither.
    with pytest.raises(BufferError):
        cp.from_dlpack(np.array(["a"]))


def test_torch():
    torch = pytest.importorskip("torch")
    d = cp.arange(6.0).reshape(2, 3)
    t = torch.from_dlpack(d)
    t[0, 0] = 5
    assert float(d[0, 0]) == 5
    back = cp.from_dlpack(t)
    back[0, 1] = 6
    assert float(t[0, 1]) == 6
