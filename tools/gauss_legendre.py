"""Write cuda/include/cupric/special/owens_t_nodes.hpp: nodes and weights of the Gauss-
Legendre rule on [0, 1].

    pip install mpmath
    python -m tools.gauss_legendre
"""

import subprocess
import sys
from pathlib import Path

import mpmath as mp
import numpy as np

from .generated import write

PATH = Path(__file__).parents[1] / "cuda/include/cupric/special/owens_t_nodes.hpp"
SIZES = (12, 18, 26)

HEAD = """\
/* special/owens_t_nodes.hpp: the Gauss-Legendre rules of owens_t.hpp. Written by
 * tools/gauss_legendre.py: change that.
 */
#ifndef CUPRIC_SPECIAL_OWENS_T_NODES_HPP
#define CUPRIC_SPECIAL_OWENS_T_NODES_HPP

#include "cupric/math/words.hpp"

CUPRIC_BEGIN
namespace elementary {

struct quadrature_node {
    double x, weight;
};
"""
TAIL = """
} /* namespace elementary */
CUPRIC_END

#endif
"""


def rule(n):
    """Nodes and weights on [0, 1]."""
    found = []
    for start in np.polynomial.legendre.leggauss(n)[0]:
        x = mp.findroot(lambda t: mp.legendre(n, t), float(start))
        slope = n * (x * mp.legendre(n, x) - mp.legendre(n - 1, x)) / (x * x - 1)
        found.append(((1 + x) / 2, 1 / ((1 - x * x) * slope**2)))
    return found


def text():
    mp.mp.dps = 40
    parts = [HEAD]
    for n in SIZES:
        rows = ",\n".join(
            f"        {{{float(x).hex()}, {float(w).hex()}}}" for x, w in rule(n)
        )
        parts.append(
            f"\nCUPRIC_MATH quadrature_node\nlegendre_{n}(int i)\n{{\n"
            f"    static constexpr quadrature_node nodes[] = {{\n{rows}}};\n"
            "    return nodes[i];\n}\n"
        )
    return "".join(parts) + TAIL


def formatted(source):
    command = ["clang-format", f"--assume-filename={PATH}"]
    run = subprocess.run(
        command, input=source, capture_output=True, text=True, check=True
    )
    return run.stdout


if __name__ == "__main__":
    sys.exit(write([(PATH, formatted(text()))]))
