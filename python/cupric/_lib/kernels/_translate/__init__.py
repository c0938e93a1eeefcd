"""Python functions translated to C++ that both devices compile.

`translate` takes a function and the types of its arguments. From the bottom up:
`_source` finds a function's syntax tree; `_types` are the types of expressions, dtypes
and Python's own numbers; `_values`, what an expression becomes; `_program` is the C++
in the making; `_expressions`, `_calls` and `_statements` translate one function, each
class on the one before; `_function` adds parameters, results and calls.

Values have the dtypes that NumPy's scalars and Python's numbers have in the same
function (NEP 50), and operators are rows of the operation tables. Where Python raises
an error as the function runs, by a division by zero for example, the value is what the
row gives.
"""

from cupric._lib.kernels._translate._function import Translation, translate
from cupric._lib.kernels._translate._types import (
    Scalar,
    Tuple,
    scalar_of,
    type_of_constant,
)
from cupric._lib.kernels._translate._values import Constant

__all__ = [
    "Constant",
    "Scalar",
    "Translation",
    "Tuple",
    "scalar_of",
    "translate",
    "type_of_constant",
]
