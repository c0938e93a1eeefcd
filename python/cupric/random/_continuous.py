"""Continuous distributions: gamma and those made of it, von Mises, Wald."""

from cupric.random._distributions import Draws, read_parameters

__all__ = [
    "Continuous",
]


class Continuous(Draws):
    """Methods of RandomState and Generator; see `Sampler`."""

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

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> cp.round(rng.standard_gamma(2, 3), 2)
        array([2.44, 3.62, 1.32])
        """
        return self._floats(
            "gamma", size, dtype, read_parameters("gamma", (shape, 1.0)), out
        )

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

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> cp.round(rng.gamma(2, 3, 3), 2)
        array([ 7.32, 10.85,  3.97])
        """
        return self._floats(
            "gamma", size, dtype, read_parameters("gamma", (shape, scale))
        )

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

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> cp.round(rng.beta(2, 3, 3), 2)
        array([0.57, 0.34, 0.23])
        """
        return self._floats("beta", size, dtype, read_parameters("beta", (a, b)))

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

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> cp.round(rng.chisquare(3, 3), 2)
        array([3.66, 5.77, 1.77])
        """
        return self._floats(
            "chisquare", size, dtype, read_parameters("chisquare", (df,))
        )

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

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> cp.round(rng.noncentral_chisquare(3, 1, 3), 2)
        array([ 2.55, 12.7 ,  4.58])
        """
        values = read_parameters("noncentral_chisquare", (df, nonc))
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

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> cp.round(rng.f(3, 4, 3), 2)
        array([2.42, 0.69, 0.38])
        """
        return self._floats("f", size, dtype, read_parameters("f", (dfnum, dfden)))

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

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> cp.round(rng.noncentral_f(3, 4, 1, 3), 2)
        array([0.43, 5.04, 8.37])
        """
        values = read_parameters("noncentral_f", (dfnum, dfden, nonc))
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

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> cp.round(rng.standard_t(5, 3), 2)
        array([-0.54,  1.46,  1.08])
        """
        return self._floats(
            "standard_t", size, dtype, read_parameters("standard_t", (df,))
        )

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

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> cp.round(rng.vonmises(0, 4, 3), 2)
        array([-0.55,  0.13, -1.02])
        """
        return self._floats(
            "vonmises", size, dtype, read_parameters("vonmises", (mu, kappa))
        )

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

        Examples
        --------
        >>> rng = cp.random.default_rng(1)
        >>> cp.round(rng.wald(1, 2, 3), 2)
        array([1.45, 0.46, 1.22])
        """
        return self._floats("wald", size, dtype, read_parameters("wald", (mean, scale)))
