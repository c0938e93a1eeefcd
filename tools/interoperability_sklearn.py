"""A plugin for pytest: scikit-learn's tests of other arrays than NumPy's, with cupric's
under their own name instead of CuPy's.
"""

from sklearn.utils import _array_api

_theirs = _array_api.yield_namespaces


def yield_namespaces(include_numpy_namespaces=True):
    for name in _theirs(include_numpy_namespaces):
        yield "cupric" if name == "cupy" else name


_array_api.yield_namespaces = yield_namespaces
