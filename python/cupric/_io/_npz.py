"""Arrays in NumPy's .npy and .npz files."""

import numpy as np

from cupric import _core

__all__ = ["load", "save", "savez", "savez_compressed"]


class NpzFile:
    """The arrays of an .npz file, each brought to the device when it is asked for."""

    def __init__(self, npz):
        self.npz = npz

    def __enter__(self):
        self.npz.__enter__()
        return self

    def __exit__(self, *exc):
        self.npz.__exit__(*exc)

    def __getitem__(self, key):
        found = self.npz[key]
        return _core.array(found) if isinstance(found, np.ndarray) else found

    def __getattr__(self, name):
        return getattr(self.npz, name)

    def __contains__(self, key):
        return key in self.npz

    def __iter__(self):
        return iter(self.npz)

    def __len__(self):
        return len(self.npz)

    def keys(self):
        """The names of the arrays."""
        return self.npz.keys()

    def values(self):
        """The arrays."""
        return [self[key] for key in self.npz]

    def items(self):
        """The names and the arrays."""
        return [(key, self[key]) for key in self.npz]

    def close(self):
        """Close the file."""
        self.npz.close()


def load(
    file,
    mmap_mode=None,
    allow_pickle=None,
    fix_imports=True,
    encoding="ASCII",
    *,
    max_header_size=10000,
):
    """Read a file that `save`, `savez` or NumPy wrote.

    Parameters
    ----------
    file : str, path or file object
    mmap_mode : str, optional
        Map the file into host memory first, as `numpy.load` does.
    allow_pickle : bool, optional
        Whether pickled objects may be read; False by default.
    fix_imports : bool, optional
        For pickles of Python 2, as of `numpy.load`.
    encoding : str, optional
        Likewise.
    max_header_size : int, optional
        The longest header that is read, in bytes: long ones take time. With
        `allow_pickle` any is.

    Returns
    -------
    cupric.ndarray or NpzFile

    Raises
    ------
    ValueError, EOFError, OSError
        As `numpy.load` raises them for damaged files.

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO()
    >>> cp.save(file, cp.arange(3))
    >>> cp.load(io.BytesIO(file.getvalue()))
    array([0, 1, 2])
    """
    found = np.load(
        file,
        mmap_mode,
        bool(allow_pickle),
        fix_imports,
        encoding,
        max_header_size=max_header_size,
    )
    if isinstance(found, np.ndarray):
        return _core.array(found)
    if isinstance(found, np.lib.npyio.NpzFile):
        return NpzFile(found)
    return found


def save(file, arr, allow_pickle=None):
    """Write an array as an .npy file.

    Parameters
    ----------
    file : str, path or file object
    arr : array_like
    allow_pickle : bool, optional
        Whether objects may be pickled; True by default.

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO()
    >>> cp.save(file, cp.arange(3))
    >>> file.getvalue()[1:6]
    b'NUMPY'
    """
    allow_pickle = True if allow_pickle is None else allow_pickle
    np.save(file, _core.asnumpy(arr), allow_pickle)


def _on_host(args, kwds):
    return map(_core.asnumpy, args), {k: _core.asnumpy(v) for k, v in kwds.items()}


def savez(file, *args, **kwds):
    """Write several arrays as an .npz file, named by keyword or arr_0, arr_1, …

    Parameters
    ----------
    file : file or path
        Where to.
    *args : array_like
        Arrays that are called arr_0, arr_1, …
    **kwds : array_like
        Arrays, by the names that they get.

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO()
    >>> cp.savez(file, cp.arange(3), y=cp.ones(2))
    >>> cp.load(io.BytesIO(file.getvalue()))["y"]
    array([1., 1.])
    """
    args, kwds = _on_host(args, kwds)
    np.savez(file, *args, **kwds)


def savez_compressed(file, *args, **kwds):
    """As `savez`, compressed.

    Parameters
    ----------
    file : file or path
        Where to.
    *args : array_like
        Arrays that are called arr_0, arr_1, …
    **kwds : array_like
        Arrays, by the names that they get.

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO()
    >>> cp.savez_compressed(file, zeros=cp.zeros(10000))
    >>> len(file.getvalue()) < 1000
    True
    """
    args, kwds = _on_host(args, kwds)
    np.savez_compressed(file, *args, **kwds)
