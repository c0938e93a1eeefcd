"""Discrete distributions: binomial, Poisson and others of counts."""

import numpy as np

from cupric import _core
from cupric.random._distributions import Draws, read_parameters

__all__ = [
    "Discrete",
]

_MOST_POISSON = 2.0**63 - 10 * 2.0**31.5  # ten standard deviations below 2**63


class Discrete(Draws):
    """Methods of RandomState and Generator; see `Sampler`."""

    def binomial(self, n, p, size=None, dtype=int):
        """Binomial distribution: successes in `n` trials.

        Parameters
        ----------
        n : int or array_like of ints
            Not negative, below 2**63; exact up to 2**53.
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

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> rng.binomial(10, 0.3, 5)
        array([4, 1, 3, 5, 3])
        """
        return self._counts(
            "binomial", size, dtype, read_parameters("binomial", (n, p))
        )

    def negative_binomial(self, n, p, size=None, dtype=int):
        """Negative binomial distribution: failures before `n` successes.

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

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> rng.negative_binomial(3, 0.4, 5)
        array([12,  6,  7,  3,  2])
        """
        values = read_parameters("negative_binomial", (n, p))
        if not any(isinstance(v, _core.ndarray) for v in values):
            _check_failures(*values)
        return self._counts("negative_binomial", size, dtype, values)

    def geometric(self, p, size=None, dtype=int):
        """Geometric distribution: trials up to and including the first success.

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

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> rng.geometric(0.3, 5)
        array([1, 7, 2, 1, 2])
        """
        return self._counts(
            "geometric", size, dtype, read_parameters("geometric", (p,))
        )

    def hypergeometric(self, ngood, nbad, nsample, size=None, dtype=int):
        """Hypergeometric distribution: good items in a sample without replacement.

        Parameters
        ----------
        ngood, nbad, nsample : int or array_like of ints
            Not negative, below 2**63; the sample at most the sum of the others.
        size : int or tuple of ints, optional
        dtype : data-type, optional

        Returns
        -------
        cupric.ndarray

        References
        ----------
        E. Stadlober, "The ratio of uniforms approach for generating discrete random
        variates", Journal of Computational and Applied Mathematics 31 (1990).

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> rng.hypergeometric(5, 6, 4, 5)
        array([1, 2, 1, 3, 1])
        """
        values = read_parameters("hypergeometric", (ngood, nbad, nsample))
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

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> rng.logseries(0.6, 5)
        array([1, 3, 1, 1, 1])
        """
        return self._counts(
            "logseries", size, dtype, read_parameters("logseries", (p,))
        )

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

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> rng.poisson(4, 5)
        array([5, 1, 5, 6, 4])
        """
        return self._counts("poisson", size, dtype, read_parameters("poisson", (lam,)))

    def zipf(self, a, size=None, dtype=int):
        """Zipf distribution: probabilities proportional to ``k**-a``, k < 2**63.

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

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> rng.zipf(2.5, 5)
        array([1, 1, 1, 1, 1])
        """
        return self._counts("zipf", size, dtype, read_parameters("zipf", (a,)))


def _check_failures(n, p):
    """Of a negative binomial distribution: that int64 holds those of ten standard
    deviations above the mean that NumPy, too, takes for the most."""
    with np.errstate(over="ignore"):
        most = np.multiply(np.divide(np.subtract(1, p), p), n + 10 * np.sqrt(n))
    if np.any(most > _MOST_POISSON):
        raise ValueError(
            "negative_binomial: n is too large or p too small: the failures, of mean "
            "n * (1 - p) / p, must be below 2**63"
        )
