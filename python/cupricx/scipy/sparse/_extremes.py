"""Extremes of sparse arrays, and where they are: implicit zeros count, too."""

import math

import numpy as np

from cupric import _core
from cupricx.scipy.sparse import _reductions
from cupricx.scipy.sparse._kinds import spmatrix
from cupricx.scipy.sparse._types import canonical_axes

__all__ = ["Extremes"]


# The function of two values, and the reduction of an array, by kind.
_KINDS = {
    "max": (_core.maximum, _core.max),
    "min": (_core.minimum, _core.min),
    "nanmax": (_core.fmax, _core.fmax.reduce),
    "nanmin": (_core.fmin, _core.fmin.reduce),
}


class Extremes:
    """`max`, `argmax` and the like, of formats that have `tocsr` and `tocsc`."""

    def max(self, axis=None, out=None, *, explicit=False):
        """Greatest element over given axes.

        Parameters
        ----------
        axis : int or tuple of int, optional
            0 for that of each column, 1 for that of each row; None for all.
        out : None
            For the interface of NumPy's only.
        explicit : bool
            Whether stored elements count only, instead of all.

        Returns
        -------
        coo_array or coo_matrix
            cupric.ndarray without axes where `axis` is None. NaN where there is one.

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.array([[-1, 0], [-2, -3]]))
        >>> A.max(axis=1).toarray(), A.max(axis=1, explicit=True).toarray()
        (array([ 0, -2]), array([-1, -2]))
        """
        return self._extreme("max", axis, out, explicit)

    def min(self, axis=None, out=None, *, explicit=False):
        """Least element over given axes.

        Parameters
        ----------
        axis : int or tuple of int, optional
            0 for that of each column, 1 for that of each row; None for all.
        out : None
            For the interface of NumPy's only.
        explicit : bool
            Whether stored elements count only, instead of all.

        Returns
        -------
        coo_array or coo_matrix
            cupric.ndarray without axes where `axis` is None. NaN where there is one.

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.array([[1, 0], [2, 3]]))
        >>> A.min(), A.min(axis=1).toarray()
        (array(0), array([0, 2]))
        """
        return self._extreme("min", axis, out, explicit)

    def nanmax(self, axis=None, out=None, *, explicit=False):
        """Greatest element over given axes, of those that are no NaN.

        Parameters
        ----------
        axis : int or tuple of int, optional
            0 for that of each column, 1 for that of each row; None for all.
        out : None
            For the interface of NumPy's only.
        explicit : bool
            Whether stored elements count only, instead of all.

        Returns
        -------
        coo_array or coo_matrix
            cupric.ndarray without axes where `axis` is None.

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.array([[cupric.nan, 0], [2, 3]]))
        >>> A.nanmax()
        array(3.)
        """
        return self._extreme("nanmax", axis, out, explicit)

    def nanmin(self, axis=None, out=None, *, explicit=False):
        """Least element over given axes, of those that are no NaN.

        Parameters
        ----------
        axis : int or tuple of int, optional
            0 for that of each column, 1 for that of each row; None for all.
        out : None
            For the interface of NumPy's only.
        explicit : bool
            Whether stored elements count only, instead of all.

        Returns
        -------
        coo_array or coo_matrix
            cupric.ndarray without axes where `axis` is None.

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.array([[cupric.nan, 1], [2, 3]]))
        >>> A.nanmin()
        array(1.)
        """
        return self._extreme("nanmin", axis, out, explicit)

    def argmax(self, axis=None, out=None, *, explicit=False):
        """Where the greatest element is, over given axes: the first of them.

        Parameters
        ----------
        axis : int or tuple of int, optional
            0 for that of each column, 1 for that of each row; None for its place in the
            array as one row.
        out : None
            For the interface of NumPy's only.
        explicit : bool
            Whether stored elements count only, instead of all.

        Returns
        -------
        cupric.ndarray
            Of int64. Of a matrix, with two axes where `axis` is given.

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.array([[0, 1], [-2, -3]]))
        >>> A.argmax(axis=1), A.argmax()
        (array([1, 0]), array(1))
        """
        return self._arg_extreme("max", axis, out, explicit)

    def argmin(self, axis=None, out=None, *, explicit=False):
        """Where the least element is, over given axes: the first of them.

        Parameters
        ----------
        axis : int or tuple of int, optional
            0 for that of each column, 1 for that of each row; None for its place in the
            array as one row.
        out : None
            For the interface of NumPy's only.
        explicit : bool
            Whether stored elements count only, instead of all.

        Returns
        -------
        cupric.ndarray
            Of int64. Of a matrix, with two axes where `axis` is given.

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.array([[1, 0], [2, 3]]))
        >>> A.argmin(axis=1)
        array([1, 0])
        """
        return self._arg_extreme("min", axis, out, explicit)

    def _extreme(self, kind, axis, out, explicit):
        if out is not None:
            raise ValueError("Sparse min/max does not support an 'out' parameter.")
        axes = canonical_axes(axis, self.ndim)
        lengths = self._shape if axes is None else [self._shape[a] for a in axes]
        if 0 in lengths:
            raise ValueError("zero-size array to reduction operation")
        if axes is None:
            return self._extreme_of_all(kind, explicit)
        A, shape = self._along(axes)
        values = _reductions.extreme(kind, *A._triple, A._minors, explicit)
        coo = self._class_of("coo")
        if isinstance(self, spmatrix):
            shape = (1, -1) if axes == (0,) else (-1, 1)
        return coo(values.reshape(shape))

    def _extreme_of_all(self, kind, explicit):
        pair, reduce = _KINDS[kind]
        data = self._deduped_data()
        zero = _core.zeros((), self.dtype, device=self.device)
        if data.size == 0:
            return zero
        value = reduce(data)
        if explicit or data.size == math.prod(self._shape):
            return value
        return pair(zero, value)

    def _arg_extreme(self, kind, axis, out, explicit):
        if out is not None:
            raise ValueError(f"Sparse arg{kind} does not support an 'out' parameter.")
        axes = canonical_axes(axis, self.ndim)
        if axes is None:
            if 0 in self._shape:
                raise ValueError(f"Cannot apply arg{kind} to an empty matrix.")
            if explicit and self.nnz == 0:
                raise ValueError(
                    f"Cannot apply arg{kind} to zero matrix when explicit=True."
                )
            A = self.tocoo().reshape(1, -1).tocsr()
            found = _reductions.arg_extreme(kind, *A._triple, A._minors, explicit)
            return found.reshape(())
        if any(self._shape[a] == 0 for a in axes):
            raise ValueError(f"Cannot apply arg{kind} along a zero-sized dimension.")
        A, shape = self._along(axes)
        found = _reductions.arg_extreme(kind, *A._triple, A._minors, explicit)
        if isinstance(self, spmatrix):
            shape = (1, -1) if axes == (0,) else (-1, 1)
        return found.astype(np.int64, copy=False).reshape(shape)

    def _along(self, axes):
        """A compressed matrix, without duplicates, of which each row or column is what
        is reduced to one element, and the shape of the result."""
        kept = [a for a in range(self.ndim) if a not in axes]
        shape = tuple(self._shape[a] for a in kept)
        if self.ndim == 2:
            A = self.tocsc() if axes == (0,) else self.tocsr()
        else:
            n = math.prod(shape)
            A = self.tocoo().transpose((*kept, *axes)).reshape(n, -1).tocsr()
        A.sum_duplicates()
        return A, shape
