"""What the array API standard asks of the package: its inspection functions.

https://data-apis.org/array-api/2024.12; see docs/array_api.md.
"""

import numpy as np

from cupric import _core
from cupric.cuda.runtime import getDeviceCount

__all__ = ["Inspection", "__array_api_version__", "__array_namespace_info__"]

__array_api_version__ = "2024.12"

_KINDS = {
    "bool": ["bool"],
    "signed integer": ["int8", "int16", "int32", "int64"],
    "unsigned integer": ["uint8", "uint16", "uint32", "uint64"],
    "real floating": ["float32", "float64"],
    "complex floating": ["complex64", "complex128"],
}
_KINDS["integral"] = _KINDS["signed integer"] + _KINDS["unsigned integer"]
_KINDS["numeric"] = (
    _KINDS["integral"] + _KINDS["real floating"] + _KINDS["complex floating"]
)
_EVERY = (*_KINDS["bool"], *_KINDS["numeric"])
_DEFAULTS = {
    "real floating": "float64",
    "complex floating": "complex128",
    "integral": "int64",
    "indexing": "int64",
}


def __array_namespace_info__():
    """What the package can do, as the array API standard asks for it.

    Returns
    -------
    Inspection

    Examples
    --------
    >>> cp.__array_namespace_info__().default_dtypes()["integral"]
    dtype('int64')
    """
    return Inspection()


class Inspection:
    """What `cupric.__array_namespace_info__` returns."""

    def capabilities(self):
        """What the standard leaves open.

        Returns
        -------
        dict
            "boolean indexing" and "data-dependent shapes" are true; "max dimensions" is
            the number of axes that an array can have.
        """
        return {
            "boolean indexing": True,
            "data-dependent shapes": True,
            "max dimensions": _core.MAXDIMS,
        }

    def default_device(self):
        """Where arrays are made for which no device is named: the current device.

        Returns
        -------
        cupric.cuda.Device
        """
        return _core.Device()

    def devices(self):
        """All devices.

        Returns
        -------
        list of cupric.cuda.Device
        """
        return [_core.Device(i) for i in range(getDeviceCount())]

    def default_dtypes(self, *, device=None):
        """The dtypes of new arrays for which none is named.

        Parameters
        ----------
        device : cupric.cuda.Device or int, optional
            Makes no difference.

        Returns
        -------
        dict
            A dtype for each of "real floating", "complex floating", "integral" and
            "indexing".
        """
        _check_device(device)
        return {kind: np.dtype(name) for kind, name in _DEFAULTS.items()}

    def dtypes(self, *, device=None, kind=None):
        """The dtypes of the standard, by name. (There are others: float16, for one.)

        Parameters
        ----------
        device : cupric.cuda.Device or int, optional
            Makes no difference.
        kind : str or tuple of str, optional
            Only those of a kind: "bool", "signed integer", "unsigned integer",
            "integral", "real floating", "complex floating", "numeric".

        Returns
        -------
        dict
        """
        _check_device(device)
        if kind is None:
            return {name: np.dtype(name) for name in _EVERY}
        wanted = set()
        for k in kind if isinstance(kind, tuple) else (kind,):
            if not isinstance(k, str) or k not in _KINDS:
                known = ", ".join(map(repr, _KINDS))
                raise ValueError(f"kind={k!r} is none of {known}")
            wanted.update(_KINDS[k])
        return {name: np.dtype(name) for name in _EVERY if name in wanted}


def _check_device(device):
    with _core.Device(device):  # raises where there is none
        pass
