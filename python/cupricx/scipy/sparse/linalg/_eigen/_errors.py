"""What solvers of eigenvalue problems raise, under the names that SciPy's have."""

__all__ = ["ArpackError", "ArpackNoConvergence", "no_convergence"]


class ArpackError(RuntimeError):
    """An iteration for eigenvalues cannot start or go on."""


class ArpackNoConvergence(ArpackError):
    """An iteration for eigenvalues ended before all that were asked for were found.

    Parameters
    ----------
    msg : str
    eigenvalues, eigenvectors : cupric.ndarray
        Those that had converged; vectors are columns.

    Attributes
    ----------
    eigenvalues, eigenvectors : cupric.ndarray
    """

    def __init__(self, msg, eigenvalues, eigenvectors):
        super().__init__(msg)
        self.eigenvalues = eigenvalues
        self.eigenvectors = eigenvectors

    def __reduce__(self):
        return type(self), (self.args[0], self.eigenvalues, self.eigenvectors)


def no_convergence(found, k, maxiter, eigenvalues, eigenvectors):
    return ArpackNoConvergence(
        f"{found} of {k} eigenvalues converged in {maxiter} restarts: more vectors "
        "(ncv), more restarts (maxiter) or a larger tol may help",
        eigenvalues,
        eigenvectors,
    )
