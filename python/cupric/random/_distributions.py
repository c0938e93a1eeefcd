"""Distributions whose numbers come from the kernels of `_kernels`, one launch a call.

Parameters that come from the host are checked, as NumPy checks them. Arrays of a device
are not looked at, since that would wait for them: where they are wrong, numbers are
NaN, integers -1.
"""

import numpy as np

import cupric as cp
from cupric import _core
from cupric.random._arguments import float_dtype, read_shape

__all__ = [
    "Distributions",
    "kernels",
]

_TESTS = {
    "> 0": lambda v: (v > 0) | (v != v),  # NaN gives NaN, as in NumPy
    ">= 0": lambda v: (v >= 0) | (v != v),
    "a number > 0": lambda v: v > 0,
    "> 1": lambda v: v > 1,
    "in [0, 1]": lambda v: (v >= 0) & (v <= 1),
    "in (0, 1]": lambda v: (v > 0) & (v <= 1),
    "in [0, 1)": lambda v: (v >= 0) & (v < 1),
    "in [0, 2**63)": lambda v: (v >= 0) & (v < 2.0**63),
    "an integer >= 0": lambda v: (v >= 0) & (v == np.floor(v)),
    "a number": lambda v: v == v,
}

# The parameters of each distribution, and what they must be.
_PARAMETERS = {
    "beta": {"a": "> 0", "b": "> 0"},
    "binomial": {"n": "an integer >= 0", "p": "in [0, 1]"},
    "chisquare": {"df": "> 0"},
    "dirichlet": {"alpha": ">= 0"},
    "f": {"dfnum": "> 0", "dfden": "> 0"},
    "gamma": {"shape": ">= 0", "scale": ">= 0"},
    "geometric": {"p": "in (0, 1]"},
    "hypergeometric": {
        "ngood": "an integer >= 0",
        "nbad": "an integer >= 0",
        "nsample": "an integer >= 0",
    },
    "logseries": {"p": "in [0, 1)"},
    "multinomial": {"n": "an integer >= 0", "pvals": "in [0, 1]"},
    "negative_binomial": {"n": "a number > 0", "p": "in (0, 1]"},
    "noncentral_chisquare": {"df": "> 0", "nonc": ">= 0"},
    "noncentral_f": {"dfnum": "> 0", "dfden": "> 0", "nonc": ">= 0"},
    "poisson": {"lam": "in [0, 2**63)"},
    "standard_t": {"df": "> 0"},
    "vonmises": {"mu": "a number", "kappa": ">= 0"},
    "wald": {"mean": "> 0", "scale": "> 0"},
    "zipf": {"a": "> 1"},
}


def _read(name, values):
    """Parameters as floats and arrays of the device; those of the host are checked."""
    read = []
    for (parameter, wanted), value in zip(
        _PARAMETERS[name].items(), values, strict=True
    ):
        if isinstance(value, _core.ndarray):
            if value.dtype.kind == "c":
                raise TypeError(f"{name}: {parameter} cannot be {value.dtype}")
            read.append(value)
            continue
        if type(value) in (float, int) and _TESTS[wanted](value):
            read.append(float(value))
            continue
        given = np.asarray(value, dtype=np.float64)
        fits = np.asarray(_TESTS[wanted](given))
        if not fits.all():
            wrong = given[~fits].ravel()[0]
            raise ValueError(f"{name}: {parameter} must be {wanted}, not {wrong}")
        read.append(float(given) if given.ndim == 0 else given)
    return read


def _on_device(values):
    return [_core.array(v) if isinstance(v, np.ndarray) else v for v in values]


def _common_shape(size, *shapes):
    """The shape of a result: of parameters that are broadcast, or `size`."""
    common = np.broadcast_shapes(*shapes)
    if size is None:
        return common
    if np.broadcast_shapes(common, size) != size:
        raise ValueError(
            f"parameters of shape {common} do not broadcast to the size {size}"
        )
    return size


def _integer_dtype(given):
    dtype = np.dtype(given)
    if dtype.kind not in "iu":
        raise TypeError(f"Unsupported dtype {dtype!r} for integers")
    return dtype


def kernels():
    """At the first draw: the text of the kernels is read then."""
    from cupric.random import _kernels

    return _kernels


class Distributions:
    """Methods of RandomState and Generator; see `Sampler`."""

    def _floats(self, name, size, dtype, values, out=None):
        dtype = float_dtype(dtype)
        made_as = np.dtype(np.float32) if dtype.itemsize < 4 else dtype
        return self._draw(name, size, dtype, made_as, values, out)

    def _counts(self, name, size, dtype, values):
        dtype = _integer_dtype(dtype)
        made_as = dtype if dtype.char in "il" else np.dtype(np.int64)
        return self._draw(name, size, dtype, made_as, values)

    def _draw(self, name, size, dtype, made_as, values, out=None):
        values = _on_device(values)
        shape = read_shape(size)
        if out is not None:
            if shape is not None and shape != out.shape:
                raise ValueError("size must match out.shape when used together")
            if (
                out.dtype != dtype
                or not out.flags.c_contiguous
                or not out.flags.writeable
            ):
                raise ValueError(
                    "out must be a writeable C-contiguous array of the dtype asked"
                )
            shape = out.shape
        arrays = [v.shape for v in values if isinstance(v, _core.ndarray)]
        if arrays:
            shape = _common_shape(shape, *arrays)
        elif shape is None:
            shape = ()
        direct = out is not None and made_as is dtype
        made = out if direct else _core.empty(shape, made_as)
        kernels().fill(name, made, self._bits._next_place(), values)
        if out is None:
            return made.astype(dtype, copy=False)
        if not direct:
            out[...] = made
        return out

    def standard_gamma(self, shape, size=None, dtype=float, out=None):
        """Gamma distribution of scale 1.

        Parameters
        ----------
        shape : float or array_like
            Its parameter, not negative.
        size : int or tuple of ints, optional
            By default that of the parameters.
        dtype : data-type, optional
            A real floating-point one.
        out : cupric.ndarray, optional
            C-contiguous, of `dtype`; receives the numbers.

        Returns
        -------
        cupric.ndarray

        References
        ----------
        G. Marsaglia, W. W. Tsang, "A simple method for generating gamma variables", ACM
        Transactions on Mathematical Software 26 (2000).
        """
        return self._floats("gamma", size, dtype, _read("gamma", (shape, 1.0)), out)

    def gamma(self, shape, scale=1.0, size=None, dtype=float):
        """Gamma distribution; see `standard_gamma`.

        Parameters
        ----------
        shape, scale : float or array_like
            Not negative.
        size : int or tuple of ints, optional
        dtype : data-type, optional

        Returns
        -------
        cupric.ndarray
        """
        return self._floats("gamma", size, dtype, _read("gamma", (shape, scale)))

    def beta(self, a, b, size=None, dtype=float):
        """Beta distribution, by two gamma variates.

        Parameters
        ----------
        a, b : float or array_like
            Positive.
        size : int or tuple of ints, optional
        dtype : data-type, optional

        Returns
        -------
        cupric.ndarray
        """
        return self._floats("beta", size, dtype, _read("beta", (a, b)))

    def chisquare(self, df, size=None, dtype=float):
        """Chi-square distribution of `df` degrees of freedom, as a gamma distribution.

        Parameters
        ----------
        df : float or array_like
            Positive.
        size : int or tuple of ints, optional
        dtype : data-type, optional

        Returns
        -------
        cupric.ndarray
        """
        return self._floats("chisquare", size, dtype, _read("chisquare", (df,)))

    def noncentral_chisquare(self, df, nonc, size=None, dtype=float):
        """Noncentral chi-square distribution.

        Parameters
        ----------
        df : float or array_like
            Degrees of freedom, positive.
        nonc : float or array_like
            Noncentrality, not negative.
        size : int or tuple of ints, optional
        dtype : data-type, optional

        Returns
        -------
        cupric.ndarray
        """
        values = _read("noncentral_chisquare", (df, nonc))
        return self._floats("noncentral_chisquare", size, dtype, values)

    def f(self, dfnum, dfden, size=None, dtype=float):
        """F distribution: the ratio of two chi-square variates over their degrees.

        Parameters
        ----------
        dfnum, dfden : float or array_like
            Degrees of freedom, positive.
        size : int or tuple of ints, optional
        dtype : data-type, optional

        Returns
        -------
        cupric.ndarray
        """
        return self._floats("f", size, dtype, _read("f", (dfnum, dfden)))

    def noncentral_f(self, dfnum, dfden, nonc, size=None, dtype=float):
        """Noncentral F distribution.

        Parameters
        ----------
        dfnum, dfden : float or array_like
            Degrees of freedom, positive.
        nonc : float or array_like
            Noncentrality of the numerator, not negative.
        size : int or tuple of ints, optional
        dtype : data-type, optional

        Returns
        -------
        cupric.ndarray
        """
        values = _read("noncentral_f", (dfnum, dfden, nonc))
        return self._floats("noncentral_f", size, dtype, values)

    def standard_t(self, df, size=None, dtype=float):
        """Student's t distribution of `df` degrees of freedom.

        Parameters
        ----------
        df : float or array_like
            Positive.
        size : int or tuple of ints, optional
        dtype : data-type, optional

        Returns
        -------
        cupric.ndarray
        """
        return self._floats("standard_t", size, dtype, _read("standard_t", (df,)))

    def vonmises(self, mu, kappa, size=None, dtype=float):
        """Von Mises distribution, on [-pi, pi].

        Parameters
        ----------
        mu : float or array_like
            The mode.
        kappa : float or array_like
            The concentration, not negative.
        size : int or tuple of ints, optional
        dtype : data-type, optional

        Returns
        -------
        cupric.ndarray

        References
        ----------
        D. J. Best, N. I. Fisher, "Efficient simulation of the von Mises distribution",
        Applied Statistics 28 (1979).
        """
        return self._floats("vonmises", size, dtype, _read("vonmises", (mu, kappa)))

    def wald(self, mean, scale, size=None, dtype=float):
        """Wald, or inverse Gaussian, distribution.

        Parameters
        ----------
        mean, scale : float or array_like
            Positive.
        size : int or tuple of ints, optional
        dtype : data-type, optional

        Returns
        -------
        cupric.ndarray

        References
        ----------
        J. R. Michael, W. R. Schucany, R. W. Haas, "Generating random variates using
        transformations with multiple roots", The American Statistician 30 (1976).
        """
        return self._floats("wald", size, dtype, _read("wald", (mean, scale)))

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
        """
        dtype = float_dtype(dtype)
        (alpha,) = _on_device(_read("dirichlet", (alpha,)))
        if np.ndim(alpha) != 1:
            raise ValueError(
                f"dirichlet: alpha must have one axis, not {np.ndim(alpha)}"
            )
        alpha = cp.ascontiguousarray(alpha, dtype=np.float64)
        out = _core.empty((*(read_shape(size) or ()), alpha.size), np.float64)
        kernels().fill_dirichlet(out, self._bits._next_place(), alpha)
        return out.astype(dtype, copy=False)

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
            What to do where `cov` is not so. Looking waits for the device.
        tol : float, optional
            How far off it may be.
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
        """
        dtype = float_dtype(dtype)
        mean = cp.asarray(mean, dtype=np.float64)
        cov = cp.asarray(cov, dtype=np.float64)
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
            cp.allclose(root.T @ root, cov, rtol=tol, atol=tol)
        ):
            _complain(check_valid)
        shape = (*(read_shape(size) or ()), mean.size)
        x = self.standard_normal(shape) @ root
        x += mean
        return x.astype(dtype, copy=False)

    def binomial(self, n, p, size=None, dtype=int):
        """Binomial distribution: the successes of `n` trials.

        Parameters
        ----------
        n : int or array_like of ints
            Not negative; exact up to 2**53.
        p : float or array_like
            The probability of success.
        size : int or tuple of ints, optional
            By default that of the parameters.
        dtype : data-type, optional
            An integer one.

        Returns
        -------
        cupric.ndarray

        References
        ----------
        W. Hörmann, "The generation of binomial random variates", Journal of Statistical
        Computation and Simulation 46 (1993): where n p is 10 or more.
        """
        return self._counts("binomial", size, dtype, _read("binomial", (n, p)))

    def negative_binomial(self, n, p, size=None, dtype=int):
        """Negative binomial distribution: the failures before `n` successes.

        Parameters
        ----------
        n : float or array_like
            Positive.
        p : float or array_like
            The probability of success, positive.
        size : int or tuple of ints, optional
        dtype : data-type, optional

        Returns
        -------
        cupric.ndarray
        """
        values = _read("negative_binomial", (n, p))
        return self._counts("negative_binomial", size, dtype, values)

    def geometric(self, p, size=None, dtype=int):
        """Geometric distribution: the trials up to the first success.

        Parameters
        ----------
        p : float or array_like
            The probability of success, positive.
        size : int or tuple of ints, optional
        dtype : data-type, optional

        Returns
        -------
        cupric.ndarray
            Of at least 1; what int64 cannot hold is its largest number.
        """
        return self._counts("geometric", size, dtype, _read("geometric", (p,)))

    def hypergeometric(self, ngood, nbad, nsample, size=None, dtype=int):
        """Hypergeometric distribution: the good ones in a sample without replacement.

        Parameters
        ----------
        ngood, nbad, nsample : int or array_like of ints
            Not negative; the sample at most the sum of the others.
        size : int or tuple of ints, optional
        dtype : data-type, optional

        Returns
        -------
        cupric.ndarray

        References
        ----------
        E. Stadlober, "The ratio of uniforms approach for generating discrete random
        variates", Journal of Computational and Applied Mathematics 31 (1990).
        """
        values = _read("hypergeometric", (ngood, nbad, nsample))
        if not any(isinstance(v, _core.ndarray) for v in values):
            good, bad, sample = values
            if np.any(np.add(good, bad) < sample):
                raise ValueError("hypergeometric: ngood + nbad < nsample")
        return self._counts("hypergeometric", size, dtype, values)

    def logseries(self, p, size=None, dtype=int):
        """Logarithmic series distribution.

        Parameters
        ----------
        p : float or array_like
            At least 0, below 1.
        size : int or tuple of ints, optional
        dtype : data-type, optional

        Returns
        -------
        cupric.ndarray

        References
        ----------
        A. W. Kemp, "Efficient generation of logarithmically distributed pseudo-random
        variables", Applied Statistics 30 (1981).
        """
        return self._counts("logseries", size, dtype, _read("logseries", (p,)))

    def poisson(self, lam=1.0, size=None, dtype=int):
        """Poisson distribution.

        Parameters
        ----------
        lam : float or array_like, optional
            The mean, at least 0, below 2**63.
        size : int or tuple of ints, optional
        dtype : data-type, optional

        Returns
        -------
        cupric.ndarray

        References
        ----------
        W. Hörmann, "The transformed rejection method for generating Poisson random
        variables", Insurance: Mathematics and Economics 12 (1993): where the mean is 10
        or more.
        """
        return self._counts("poisson", size, dtype, _read("poisson", (lam,)))

    def zipf(self, a, size=None, dtype=int):
        """Zipf distribution: probabilities that go by ``k**-a``, of k below 2**63.

        Parameters
        ----------
        a : float or array_like
            Above 1.
        size : int or tuple of ints, optional
        dtype : data-type, optional

        Returns
        -------
        cupric.ndarray

        References
        ----------
        L. Devroye, "Non-Uniform Random Variate Generation" (1986), chapter X.6.
        """
        return self._counts("zipf", size, dtype, _read("zipf", (a,)))

    def multinomial(self, n, pvals, size=None):
        """Multinomial distribution: how often each of k values comes in `n` trials.

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
        """
        n, pvals = _read("multinomial", (n, pvals))
        on_host = isinstance(pvals, np.ndarray)
        if on_host and (pvals[..., :-1].sum(-1) > 1 + 1e-12).any():
            raise ValueError("multinomial: the sum of pvals[..., :-1] is above 1")
        n, pvals = _on_device((n, pvals))
        if np.ndim(pvals) == 0:
            raise ValueError("multinomial: pvals must have an axis")
        pvals = pvals.astype(np.float64, copy=False)
        shape = _common_shape(read_shape(size), np.shape(n), pvals.shape[:-1])
        out = _core.empty((*shape, pvals.shape[-1]), np.int64)
        kernels().fill_multinomial(out, self._bits._next_place(), n, pvals)
        return out


def _root_of_covariance(cov, method):
    """R with R.T @ R = cov."""
    if method == "cholesky":
        return cp.linalg.cholesky(cov).T
    if method == "eigh":
        values, vectors = cp.linalg.eigh(cov)
        return cp.sqrt(cp.maximum(values, 0))[:, None] * vectors.T
    if method == "svd":
        _, values, vectors = cp.linalg.svd(cov)
        return cp.sqrt(values)[:, None] * vectors
    raise ValueError(f"method must be 'cholesky', 'eigh' or 'svd', not {method!r}")


def _complain(how):
    words = "covariance is not symmetric positive-semidefinite."
    if how == "raise":
        raise ValueError(words)
    import warnings

    warnings.warn(words, RuntimeWarning, stacklevel=3)
