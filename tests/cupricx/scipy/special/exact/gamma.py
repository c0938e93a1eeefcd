"""Points and exact values of the family gamma."""

import mpmath as mp

from . import REALS, Exact, around, spaced

FUNCTIONS = {
    "psi": Exact(
        mp.digamma,
        [*REALS[::2], *spaced(-20.3, 30.2, 60), *around(1.4616321449683622)],
        condition=True,
        ordinary=[(0.1, 30)],
    ),
}
