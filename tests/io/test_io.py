"""Files and text: NumPy's, byte for byte."""

import io

import numpy as np
import pytest

import cupric as cp


@pytest.mark.parametrize("dtype", ["?", "i4", "f2", "f8", "c8"])
def test_save_and_load(tmp_path, dtype):
    d = cp.arange(6).reshape(2, 3).astype(dtype)
    path = tmp_path / "a.npy"
    cp.save(path, d)
    np.testing.assert_array_equal(np.load(path), d.get())
    back = cp.load(path)
    assert isinstance(back, cp.ndarray)
    assert back.dtype == d.dtype
    np.testing.assert_array_equal(back.get(), d.get())
    np.testing.assert_array_equal(cp.load(path, mmap_mode="r").get(), d.get())


@pytest.mark.parametrize("name", ["savez", "savez_compressed"])
def test_archives(tmp_path, name):
    path = tmp_path / "a.npz"
    getattr(cp, name)(path, cp.arange(3), b=cp.ones((2, 2)))
    with cp.load(path) as npz:
        assert sorted(npz) == ["arr_0", "b"]
        assert "b" in npz
        assert len(npz) == 2
        assert isinstance(npz["b"], cp.ndarray)
        assert npz["arr_0"].tolist() == [0, 1, 2]
        assert {k: v.shape for k, v in npz.items()} == {"arr_0": (3,), "b": (2, 2)}
        with pytest.raises(KeyError):
            npz["c"]


def test_damaged_files(tmp_path):
    path = tmp_path / "a.npy"
    cp.save(path, cp.arange(100))
    good = path.read_bytes()
    for bad in (
        b"",
        good[:5],
        good[:40],
        good[:-7],
        b"\x93NUMPY\x09" + good[7:],
        b"junk" * 9,
    ):
        path.write_bytes(bad)
        with pytest.raises(Exception) as want:
            np.load(path)
        with pytest.raises(want.type) as got:
            cp.load(path)
        assert str(got.value) == str(want.value)
    with pytest.raises(FileNotFoundError):
        cp.load(tmp_path / "none.npy")


def test_objects_need_permission(tmp_path):
    np.save(tmp_path / "o.npy", np.array([None]), allow_pickle=True)
    with pytest.raises(ValueError, match="allow_pickle"):
        cp.load(tmp_path / "o.npy")


def test_savetxt():
    a = np.arange(6.0).reshape(2, 3)
    want, got = io.StringIO(), io.StringIO()
    np.savetxt(want, a, fmt="%.2f")
    cp.savetxt(got, cp.array(a), fmt="%.2f")
    assert got.getvalue() == want.getvalue()


TEXTS = [
    np.arange(3),
    np.arange(5000),
    np.arange(5000, dtype="i4"),
    np.arange(12000.0).reshape(3, 4, 1000),
    np.arange(12000).reshape(1000, 12) * 1e-7,
    np.linspace(0, 1, 20000).reshape(100, 200),
    np.array([]),
    np.zeros((0, 3)),
    np.array(1.5),
    np.array([True, False]),
    np.array([1 + 2j, np.nan]),
    np.zeros((2000, 1), "f4"),
    np.array([1e300, 1e-300] * 1000),
    np.arange(8, dtype="u1").reshape(2, 2, 2),
]


@pytest.mark.parametrize("a", TEXTS, ids=range(len(TEXTS)))
def test_text(a):
    d = cp.array(a)
    assert str(d) == str(a)
    assert repr(d) == repr(a)
    assert cp.array_str(d, precision=2) == np.array_str(a, precision=2)
    assert cp.array_repr(d, 40, 3, True) == np.array_repr(a, 40, 3, True)
    assert cp.array2string(d, separator=", ") == np.array2string(a, separator=", ")
    kwargs = {"threshold": 5, "edgeitems": 1}
    assert cp.array2string(d, **kwargs) == np.array2string(a, **kwargs)


def test_print_options():
    a = np.arange(100.0) / 3
    with cp.printoptions(threshold=10, precision=2, edgeitems=2):
        assert repr(cp.array(a)) == repr(a)
        assert cp.get_printoptions()["precision"] == 2


def test_summary_is_small():
    d = cp.zeros((3000, 3000))
    shown = []
    from cupric._io import _text as text

    original = text._shown

    def record(a, edge):
        shown.append(original(a, edge))
        return shown[-1]

    text._shown = record
    try:
        repr(d)
    finally:
        text._shown = original
    assert shown[0].size == 49


def test_format_float():
    d = cp.array(0.1)
    assert cp.format_float_positional(d) == "0.1"
    assert cp.format_float_scientific(d) == np.format_float_scientific(0.1)


@pytest.mark.parametrize("suffix", [".npy", ".npz"])
def test_load_of_a_long_header(tmp_path, suffix):
    path = tmp_path / f"long{suffix}"
    dtype = [(f"a_field_of_a_long_name_{i:04d}", "i4") for i in range(500)]
    a = np.zeros(2, dtype)
    np.save(path, a) if suffix == ".npy" else np.savez(path, a)

    def loaded(**options):
        found = cp.load(path, **options)
        return found if suffix == ".npy" else found["arr_0"]

    with pytest.raises(ValueError, match="max_header_size"):
        loaded()
    for options in ({"max_header_size": 100_000}, {"allow_pickle": True}):
        assert loaded(**options).shape == (2,)
