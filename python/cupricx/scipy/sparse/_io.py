"""Sparse arrays in files, as SciPy writes them."""

import numpy as np

from cupric import _core
from cupricx.scipy.sparse._kinds import class_of, issparse, sparray

__all__ = ["load_npz", "save_npz"]

# What is stored of a format besides `data`.
_PARTS = {
    "bsr": ("indices", "indptr"),
    "coo": ("row", "col"),
    "csc": ("indices", "indptr"),
    "csr": ("indices", "indptr"),
    "dia": ("offsets",),
}


def save_npz(file, matrix, compressed=True):
    """Write a sparse array or matrix to a file that SciPy reads as well.

    Parameters
    ----------
    file : str or file-like object
        A name gets the ending ``.npz`` where it has none.
    matrix : sparse array or matrix
        In one of the formats csr, csc, coo, bsr and dia.
    compressed : bool, optional
        Whether the file is compressed.

    Examples
    --------
    >>> import io
    >>> from cupricx.scipy import sparse
    >>> file = io.BytesIO()
    >>> sparse.save_npz(file, sparse.eye_array(3, format="csr"))
    >>> _ = file.seek(0)
    >>> sparse.load_npz(file).nnz
    3
    """
    if not issparse(matrix):
        raise TypeError(
            f"save_npz takes a sparse array of the device, not {type(matrix)}"
        )
    parts = _PARTS.get(matrix.format)
    if parts is None:
        raise NotImplementedError(
            f"Save is not implemented for sparse matrix of format {matrix.format}."
        )
    if matrix.format == "coo" and matrix.ndim != 2:
        arrays = {"coords": np.stack([c.get() for c in matrix.coords])}
    else:
        arrays = {name: getattr(matrix, name).get() for name in parts}
    arrays["format"] = matrix.format.encode("ascii")
    arrays["shape"] = matrix.shape
    arrays["data"] = matrix.data.get()
    if isinstance(matrix, sparray):
        arrays["_is_array"] = True
    (np.savez_compressed if compressed else np.savez)(file, **arrays)


def load_npz(file):
    """Read a sparse array or matrix from a file that `save_npz`, or SciPy's, wrote.

    Parameters
    ----------
    file : str or file-like object

    Returns
    -------
    sparse array or matrix
        On the current device, of the class and format that was written.

    Examples
    --------
    >>> import io
    >>> from cupricx.scipy import sparse
    >>> file = io.BytesIO()
    >>> sparse.save_npz(file, sparse.eye_array(3, format="csr"))
    >>> _ = file.seek(0)
    >>> type(sparse.load_npz(file)).__name__
    'csr_array'
    """
    with np.load(file, allow_pickle=False) as stored:
        if "format" not in stored:
            raise ValueError(
                f"The file {file} does not contain a sparse array or matrix."
            )
        format = stored["format"].item()
        format = format if isinstance(format, str) else format.decode("ascii")
        if format not in _PARTS:
            raise ValueError(f'Unknown format "{format}_matrix"')
        names = _PARTS[format]
        if format == "coo" and "coords" in stored:
            parts = list(stored["coords"])
        else:
            parts = [stored[name] for name in names]
        data, shape = stored["data"], tuple(int(n) for n in stored["shape"])
        cls = class_of(
            format, bool(stored["_is_array"]) if "_is_array" in stored else False
        )
    parts = tuple(np.ascontiguousarray(p) for p in parts)
    if format == "coo":
        return cls((data, parts), shape=shape)
    return cls((_core.array(data), *parts), shape=shape)
