"""Calls of what is no user's function: builtins, `math`, NumPy's and our functions."""

import ast
import builtins
import inspect
import math
import types

import numpy as np

from cupric import _core
from cupric._lib.kernels._translate._expressions import Expressions, fold, weaken
from cupric._lib.kernels._translate._types import (
    PYTHON_BOOL,
    PYTHON_COMPLEX,
    PYTHON_FLOAT,
    PYTHON_INT,
    Scalar,
    join,
    scalar_of,
)
from cupric._lib.kernels._translate._values import (
    Constant,
    Method,
    Value,
    cast,
    type_of,
)

__all__ = [
    "Calls",
]


class Calls(Expressions):
    """Expressions with calls. `translate` of functions is for the class below."""

    def call(self, function, args, keywords):
        """The value of a call."""
        if isinstance(function, Method):
            return self._call_method(function, args, keywords)
        if not isinstance(function, Constant) or not callable(function.value):
            what = function.value if isinstance(function, Constant) else "a number"
            raise TypeError(f"{what!r} cannot be called")
        target = function.value
        known = _BY_CALLABLE.get(target) if _is_hashable(target) else None
        if known is not None:
            return self._call_known(target, known, args, keywords)
        ufunc = _ufunc_of(target)
        if ufunc is not None:
            return self._call_ufunc(ufunc, args, **keywords)
        if isinstance(target, type) and issubclass(target, np.generic):
            return self._cast_to(target, args, keywords)
        python = getattr(target, "_translated", target)
        if isinstance(python, types.MethodType):
            args = (Constant(python.__self__), *args)
            python = python.__func__
        if _is_of_library(python) and _are_constants(args, keywords):
            values = {name: v.value for name, v in keywords.items()}
            return Constant(python(*(a.value for a in args), **values))
        if isinstance(python, types.FunctionType) and not _is_of_library(python):
            return self.call_function(python, args, keywords)
        raise NotImplementedError(
            f"a call of {_title(python)}: what can be called are functions written in "
            "Python, ufuncs, dtypes, the functions of math, and abs, bool, complex, "
            "divmod, float, int, len, max, min, pow and round"
        )

    def call_function(self, function, args, keywords):
        """The value of a call of a function that is translated, too."""
        raise NotImplementedError

    def _call_known(self, target, known, args, keywords):
        compute, translate = known
        if compute and _are_constants(args, keywords):
            values = {name: v.value for name, v in keywords.items()}
            folded = fold(lambda *a: target(*a, **values), args)
            if folded is not None:
                return folded
        try:
            inspect.signature(translate).bind(self, *args, **keywords)
        except TypeError as error:
            raise TypeError(f"{_title(target)}(): {error}") from None
        return translate(self, *args, **keywords)

    def _call_ufunc(self, ufunc, args, dtype=None, **keywords):
        if keywords:
            raise NotImplementedError(
                f"{ufunc.name}(…, {next(iter(keywords))}=…): dtype= is the one "
                "argument by name"
            )
        if len(args) != ufunc.nin:
            raise TypeError(
                f"{ufunc.name}() takes {ufunc.nin} arguments, not {len(args)}"
            )
        if dtype is not None:
            if not isinstance(dtype, Constant):
                raise TypeError("dtype= has to be a constant")
            dtype = np.dtype(dtype.value)
        if ufunc is _core.where:
            test = self.truth(args[0])
            if isinstance(test, bool):
                test = str(test).lower()
            args = (Value(Scalar("?"), test), *args[1:])
        return self.row(ufunc, args, dtype)

    def _cast_to(self, target, args, keywords):
        kind = scalar_of(target)
        if kind is None or keywords or len(args) > 1:
            raise TypeError(f"{target.__name__}() takes one number here")
        if not args:
            return Constant(target())
        if isinstance(args[0], Constant):
            return Constant(target(args[0].value))
        self.scalar(args[0], f"the argument of {target.__name__}()")
        return self.convert(args[0], kind)

    def _call_method(self, method, args, keywords):
        value, name = method.value, method.name
        if keywords or len(args) != (name == "astype"):
            raise TypeError(f"wrong arguments of {name}()")
        if name == "item":
            return weaken(value)
        if name == "astype":
            if not isinstance(args[0], Constant):
                raise TypeError("the dtype of astype() has to be a constant")
            return self.convert(value, scalar_of(args[0].value))
        if name == "is_integer":
            value = self.temporary(value)
            whole = self.row(_core.equal, [value, self.row(_core.trunc, [value])])
            finite = self.row(_core.isfinite, [value])
            return weaken(self.row(_core.logical_and, [whole, finite]))
        if value.type.rank == 0:
            value = self.convert(value, PYTHON_INT) if value.type.weak else value
        return self.weakened(self.row_of(_core.conjugate, value), value.type)


# ---- builtins ------------------------------------------------------------------------


def _abs(self, x):
    return self.arithmetic(_core.absolute, [x])


def _to(kind):
    def convert(self, x=None):
        if x is None:
            return Constant(_converted(kind))
        found = self.scalar(x, "the argument")
        if kind is PYTHON_BOOL:
            test = self.truth(x)
            return Constant(test) if isinstance(test, bool) else Value(kind, test)
        if found.rank == 3 > kind.rank:
            raise TypeError(f"a number of type {found} cannot become {kind}")
        return self.convert(x, kind)

    return convert


def _converted(kind):
    return {"?": False, "l": 0, "d": 0.0, "D": 0j}[kind.letter]


def _complex(self, real=None, imag=None):
    real = Constant(0.0) if real is None else real
    if imag is None:
        return _to(PYTHON_COMPLEX)(self, real)
    parts = []
    for part in (real, imag):
        if self.scalar(part, "the argument of complex()").rank == 3:
            raise NotImplementedError("complex() of complex parts: write a + 1j * b")
        parts.append(cast(self.convert(part, PYTHON_FLOAT), PYTHON_FLOAT))
    return Value(PYTHON_COMPLEX, f"complex128({', '.join(parts)})")


def _extreme(ufunc, before):
    def translate(self, *args):
        values = self.items(args[0]) if len(args) == 1 else args
        if not values:
            raise ValueError("max() and min() need a value")
        result = values[0]
        for value in values[1:]:
            result = two(self, result, value)
        return result

    def two(self, a, b):
        kinds = [self.scalar(v, "an operand of max() or min()") for v in (a, b)]
        kind = join(*kinds)
        if kind is None:
            letters = "".join(k.letter for k in kinds)
            kind = Scalar(ufunc._resolve(letters)[0])
        a, b = self.temporary(a), self.temporary(b)
        test = self.arithmetic(before, [b, a])  # Python keeps the first of equals
        if isinstance(test, Constant):
            return b if test.value else a
        return self.choice(kind, test.code, b, a)

    return translate


def _pow(self, base, exp, mod=None):
    if mod is not None and not (isinstance(mod, Constant) and mod.value is None):
        raise NotImplementedError("pow() with a modulus: write base ** exp % mod")
    return self.binary(ast.Pow(), base, exp)


def _divmod(self, x, y):
    return self.arithmetic(_core.divmod, [x, y])


def _len(self, x):
    return Constant(len(self.items(x)))


def _round(self, number, ndigits=None):
    kind = self.scalar(number, "the argument of round()")
    if kind.rank == 3 or kind == Scalar("?"):
        raise TypeError(f"a number of type {kind} cannot be rounded by round()")
    if ndigits is None or (isinstance(ndigits, Constant) and ndigits.value is None):
        if kind.rank == 2:
            number = self.row_of(_core.rint, number)
        return self.convert(number, PYTHON_INT)
    if not isinstance(ndigits, Constant):
        raise NotImplementedError("round(): the number of digits has to be a constant")
    digits = int(ndigits.value)
    if kind.rank < 2:
        if digits < 0:
            raise NotImplementedError("round() of integers to tens, hundreds, …")
        return number if kind.rank else self.convert(number, PYTHON_INT)
    scale = Constant(float(10 ** abs(digits)))
    there, back = _core.multiply, _core.divide
    if digits < 0:
        there, back = back, there
    if digits:
        number = self.arithmetic(there, [number, scale])
    number = self.weakened(self.row_of(_core.rint, number), kind)
    return self.arithmetic(back, [number, scale]) if digits else number


# ---- math ----------------------------------------------------------------------------


def _in_double(self, ufunc, args):
    """A row of float64, as a float of Python's."""
    values = []
    for arg in args:
        kind = self.scalar(arg, f"the argument of math.{ufunc.name}()")
        if kind.rank == 3:
            raise TypeError(f"must be real number, not {kind}")
        values.append(self.convert(arg, PYTHON_FLOAT))
    return weaken(self.call_row(ufunc, values, "d" * len(values)))


def _math(ufunc):
    if ufunc.nin == 1:
        return lambda self, x: _in_double(self, ufunc, [x])
    return lambda self, x, y: _in_double(self, ufunc, [x, y])


def _whole(ufunc):
    def translate(self, x):
        if self.scalar(x, "the argument").rank < 2:
            return self.convert(x, PYTHON_INT)
        return self.convert(_in_double(self, ufunc, [x]), PYTHON_INT)

    return translate


def _log(self, x, base=None):
    found = _in_double(self, _core.log, [x])
    if base is None:
        return found
    return self.arithmetic(_core.divide, [found, _in_double(self, _core.log, [base])])


def _hypot(self, *coordinates):
    result = Constant(0.0)
    for k, x in enumerate(coordinates):
        result = _in_double(self, _core.hypot, [result, x]) if k else _fabs(self, x)
    return result


def _fabs(self, x):
    return _in_double(self, _core.fabs, [x])


def _integers(ufunc):
    def translate(self, *integers):
        result = None
        for x in integers:
            if self.scalar(x, "the argument").rank > 1:
                raise TypeError(
                    f"'{type_of(x)}' object cannot be interpreted as an integer"
                )
            x = self.convert(x, PYTHON_INT)
            both = [x, x] if result is None else [result, x]
            result = weaken(self.call_row(ufunc, both, "ll"))
        return result

    return translate


def _ldexp(self, x, i):
    x = self.convert(x, PYTHON_FLOAT)
    return weaken(self.call_row(_core.ldexp, [x, self.convert(i, PYTHON_INT)], "dl"))


# By the name of the row, where it is another.
_MATH = dict.fromkeys(
    ["sqrt", "cbrt", "exp", "exp2", "expm1", "log2", "log10", "log1p", "sin", "cos"]
    + ["tan", "sinh", "cosh", "tanh", "fabs", "copysign", "fmod", "isnan", "isinf"]
    + ["isfinite", "modf", "frexp", "nextafter"]
)
_MATH |= {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2"}
_MATH |= {"asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh", "pow": "power"}
_MATH |= {"degrees": "rad2deg", "radians": "deg2rad"}
_MATH_SPECIAL = {"erf": "erf", "erfc": "erfc", "gamma": "gamma", "lgamma": "gammaln"}

# Of a callable: whether Python's own result of constants will do, and the translation.
_BY_CALLABLE = {
    builtins.abs: (True, _abs),
    builtins.bool: (True, _to(PYTHON_BOOL)),
    builtins.int: (True, _to(PYTHON_INT)),
    builtins.float: (True, _to(PYTHON_FLOAT)),
    builtins.complex: (True, _complex),
    builtins.max: (True, _extreme(_core.maximum, _core.greater)),
    builtins.min: (True, _extreme(_core.minimum, _core.less)),
    builtins.pow: (True, _pow),
    builtins.divmod: (True, _divmod),
    builtins.len: (True, _len),
    builtins.round: (True, _round),
    math.floor: (True, _whole(_core.floor)),
    math.ceil: (True, _whole(_core.ceil)),
    math.trunc: (True, _whole(_core.trunc)),
    math.log: (True, _log),
    math.hypot: (True, _hypot),
    math.gcd: (True, _integers(_core.gcd)),
    math.lcm: (True, _integers(_core.lcm)),
    math.ldexp: (True, _ldexp),
}
for _name, _row in _MATH.items():
    if hasattr(math, _name):  # cbrt and exp2 are of Python 3.11
        _BY_CALLABLE[getattr(math, _name)] = (
            True,
            _math(getattr(_core, _row or _name)),
        )
for _name, _row in _MATH_SPECIAL.items():
    _BY_CALLABLE[getattr(math, _name)] = (True, _math(getattr(_core.special, _row)))


def _real_part(self, x):
    return self.attribute(x, "real") if isinstance(x, Value) else Constant(x.value.real)


def _imaginary_part(self, x):
    return self.attribute(x, "imag") if isinstance(x, Value) else Constant(x.value.imag)


def _clip(self, a, a_min=None, a_max=None, *, min=None, max=None):
    limits = [(_core.maximum, a_min, min), (_core.minimum, a_max, max)]
    for ufunc, given, named in limits:
        if given is not None and named is not None:
            raise TypeError("clip() takes a_min and a_max, or min= and max=")
        limit = named if given is None else given
        if limit is not None and not _is_none(limit):
            a = self.row(ufunc, [a, limit])
    return a


def _is_none(value):
    return isinstance(value, Constant) and value.value is None


_BY_CALLABLE[np.clip] = (False, _clip)
_BY_CALLABLE[_core.clip] = (False, _clip)
_BY_CALLABLE[np.real] = (False, _real_part)
_BY_CALLABLE[np.imag] = (False, _imaginary_part)

# Functions of NumPy's that are rows here, though no ufuncs there.
_ROWS = ("where", "sinc", "i0", "angle")


def _ufunc_of(target):
    """The row of a ufunc of ours, NumPy's or SciPy's; None where there is none."""
    if isinstance(target, _core.ufunc):
        return target
    name = getattr(target, "__name__", "")
    if isinstance(target, np.ufunc):
        for holder in (_core, _core.special, _our_package()):
            found = getattr(holder, name, None)
            if isinstance(found, _core.ufunc):
                return found
        raise NotImplementedError(f"there is no ufunc '{name}' for devices")
    if name in _ROWS and target in (getattr(np, name), getattr(_our_package(), name)):
        return getattr(_core, name)
    return None


def _our_package():
    import cupric as cp

    return cp


def _is_of_library(target):
    """Whether a callable is one that gives the same for the same constants."""
    module = getattr(target, "__module__", None) or ""
    top = module.partition(".")[0]
    if top == "builtins":
        return target in (tuple, range, str, isinstance, sum, getattr, hasattr)
    is_random = "random" in module.split(".")
    return not is_random and top in ("numpy", "cupric", "math", "cmath", "ml_dtypes")


def _are_constants(args, keywords):
    return all(isinstance(v, Constant) for v in (*args, *keywords.values()))


def _is_hashable(value):
    return type(value).__hash__ is not None


def _title(function):
    module = getattr(function, "__module__", None)
    name = getattr(function, "__name__", repr(function))
    return name if module in (None, "builtins", "__main__") else f"{module}.{name}"
