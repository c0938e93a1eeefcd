"""Multivariate distributions: Dirichlet, multinomial, normal."""

import numpy as np

from cupric import _core
from cupric._logic._comparison import allclose
from cupric._manipulation._args import where_it_lives
from cupric.linalg._solve import cholesky, eigh, svd
from cupric.random._arguments import float_dtype, read_shape
from cupric.random._distributions import (
    Draws,
    common_shape,
    kernels,
    on_device,
    read_parameters,
)

__all__ = [
    "Multivariate",
]


class Multivariate(Draws):
    """Methods of RandomState and Generator; see `Sampler`."""

    @where_it_lives
    def dirichlet(self, alpha, size=None, dtype=float):
        """Dirichlet distribution: gamma variates over their sum.

        Parameters
        ----------
        alpha : array_like
            One-dimensional, not negative.
        size : int or tuple of ints, optional
            Of the draws: the result has one axis more, of the length of `alpha`.
        dtype : data-type, optional

        Returns
        -------
        cupric.ndarray

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> cp.round(rng.dirichlet([1, 2, 3]), 2)
        array([0.17, 0.51, 0.32])
        """
        dtype = float_dtype(dtype)
        (alpha,) = on_device(read_parameters("dirichlet", (alpha,)))
        if np.ndim(alpha) != 1:
            error = ValueError if np.ndim(alpha) else TypeError  # as len(alpha) gives
            raise error(f"dirichlet: alpha must have one axis, not {np.ndim(alpha)}")
        alpha = _core._contiguous(alpha, dtype=np.float64)
        out = _core.empty((*(read_shape(size) or ()), alpha.size), np.float64)
        kernels().fill_dirichlet(out, self._bits._next_place(), alpha)
        return out.astype(dtype, copy=False)

    @where_it_lives
    def multivariate_normal(
        self,
        mean,
        cov,
        size=None,
        check_valid="ignore",
        tol=1e-08,
        method="cholesky",
        dtype=float,
    ):
        """Multivariate normal distribution.

        Parameters
        ----------
        mean : array_like
            Of shape (n,).
        cov : array_like
            The covariance, (n, n), symmetric and positive semidefinite.
        size : int or tuple of ints, optional
            Of the draws: the result has one axis more, of length n.
        check_valid : {"ignore", "warn", "raise"}, optional
            What to do where `cov` is not so. Checking waits for the device.
        tol : float, optional
            Tolerance of this check.
        method : {"cholesky", "eigh", "svd"}, optional
            How the root of `cov` is found: the first is the fastest, and needs it
            positive definite.
        dtype : data-type, optional

        Returns
        -------
        cupric.ndarray

        Notes
        -----
        The root and the product with it are a linear algebra library's, so that devices
        agree to rounding, not to the bit.

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> cp.round(rng.multivariate_normal([0, 1], [[1, 0.5], [0.5, 2]]), 2)
        array([0.27, 0.15])
        """
        dtype = float_dtype(dtype)
        mean = _core.asarray(mean, dtype=np.float64)
        cov = _core.asarray(cov, dtype=np.float64)
        if mean.ndim != 1:
            raise ValueError(f"mean must have one axis, not {mean.ndim}")
        if cov.shape != mean.shape * 2:
            raise ValueError(
                f"cov of shape {cov.shape} does not fit a mean of length {mean.size}: "
                f"it must be {mean.shape * 2}"
            )
        if check_valid not in ("ignore", "warn", "raise"):
            raise ValueError(
                f"check_valid must be 'ignore', 'warn' or 'raise', not {check_valid!r}"
            )
        root = _root_of_covariance(cov, method)
        if check_valid != "ignore" and not bool(
            allclose(root.T @ root, cov, rtol=tol, atol=tol)
        ):
            _report_covariance(check_valid)
        shape = (*(read_shape(size) or ()), mean.size)
        x = self.standard_normal(shape) @ root
        x += mean
        return x.astype(dtype, copy=False)

    @where_it_lives
    def multinomial(self, n, pvals, size=None):
        """Multinomial distribution: counts of k outcomes in `n` trials.

        Parameters
        ----------
        n : int or array_like of ints
            Not negative.
        pvals : array_like
            Probabilities along the last axis. What they lack of 1 is added to the last.
        size : int or tuple of ints, optional
            Of the draws: the result has one axis more, of length k.

        Returns
        -------
        cupric.ndarray of int64

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> rng.multinomial(10, [0.2, 0.3, 0.5])
        array([3, 1, 6])
        """
        n, pvals = read_parameters("multinomial", (n, pvals))
        on_host = isinstance(pvals, np.ndarray)
        if on_host and (pvals[..., :-1].sum(-1) > 1 + 1e-12).any():
            raise ValueError("multinomial: the sum of pvals[..., :-1] is above 1")
        n, pvals = on_device((n, pvals))
        if np.ndim(pvals) == 0:
            raise ValueError("multinomial: pvals must have an axis")
        pvals = pvals.astype(np.float64, copy=False)
        shape = common_shape(read_shape(size), np.shape(n), pvals.shape[:-1])
        out = _core.empty((*shape, pvals.shape[-1]), np.int64)
        kernels().fill_multinomial(out, self._bits._next_place(), n, pvals)
        return out


def _root_of_covariance(cov, method):
    """R with R.T @ R = cov."""
    if method == "cholesky":
        return cholesky(cov).T
    if method == "eigh":
        values, vectors = eigh(cov)
        return _core.sqrt(_core.maximum(values, 0))[:, None] * vectors.T
    if method == "svd":
        _, values, vectors = svd(cov)
        return _core.sqrt(values)[:, None] * vectors
    raise ValueError(f"method must be 'cholesky', 'eigh' or 'svd', not {method!r}")


def _report_covariance(how):
    words = "covariance is not symmetric positive-semidefinite."
    if how == "raise":
        raise ValueError(words)
    import warnings

    warnings.warn(words, RuntimeWarning, stacklevel=3)
