"""Whether a kernel failed for a matrix of a stack."""

import numpy as np

from cupric._lib.kernels._word import call_with_word
from cupric.linalg._errors import raises

__all__ = ["checked"]


def checked(message, function, a, *args):
    """``function(a, *args, address)``, whose kernels write to the word at `address`
    where they fail; one look at it for the whole stack, or none where errors are
    ignored: see `cupric._lib.kernels._word`.

    Raises
    ------
    numpy.linalg.LinAlgError
        The word was written to.
    """
    result, failed = call_with_word(function, a, *args, reads=raises())
    if failed:
        raise np.linalg.LinAlgError(message)
    return result
