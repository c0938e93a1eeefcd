"""Python functions of single elements, as functions of arrays."""

import inspect
import linecache
import types

import numpy as np

from cupric import _core
from cupric._lib.kernels._translate import (
    Constant,
    Scalar,
    scalar_of,
    translate,
    type_of_constant,
)

__all__ = [
    "vectorize",
]


class vectorize:
    """A function of arrays from a Python function of single elements, compiled.

    The arrays are broadcast. The function is translated from its source into a kernel
    when it is called with a new set of dtypes, and runs on the arrays' device.

    Parameters
    ----------
    pyfunc : callable, optional
        The function. Without it the object is a decorator, which takes the function.
    otypes : str or list of dtype, optional
        The dtypes of the results: a string of their letters, or a list. By default they
        are what the function gives.
    doc : str, optional
        The docstring; the function's by default.
    excluded : set of str or int, optional
        The names or places of arguments that are passed as they are, not element by
        element: numbers, or objects that become part of the code.
    cache : bool, optional
        Makes no difference: the function itself is never called.
    signature : str, optional
        Not supported: NotImplementedError.

    Notes
    -----
    A function can use numbers, tuples, ``if``, ``while``, ``for`` over ``range``,
    functions written in Python, ufuncs, dtypes, ``math``, and ``abs``, ``bool``,
    ``complex``, ``divmod``, ``float``, ``int``, ``len``, ``max``, ``min``, ``pow`` and
    ``round``. What it takes from around it (numbers, functions) is looked up at each
    call. Its source has to be there.

    Elements have their arrays' dtypes, and operators do what NumPy's scalars do: small
    integers wrap, and Python's numbers adapt to dtypes. Nothing is raised for an
    element: where Python would raise an error, the value is that of the ufunc, as
    infinity for ``1.0 / 0.0``, and 0 for ``1 // 0``. See docs/translation.md.

    Examples
    --------
    >>> import cupric as cp
    >>> @cp.vectorize
    ... def steps(n):
    ...     count = 0
    ...     while n != 1:
    ...         n = n // 2 if n % 2 == 0 else 3 * n + 1
    ...         count += 1
    ...     return count
    >>> steps(cp.arange(1, 8))
    array([ 0,  1,  7,  2,  5,  8, 16])
    """

    def __init__(
        self,
        pyfunc=None,
        otypes=None,
        doc=None,
        excluded=None,
        cache=False,
        signature=None,
    ):
        if signature is not None:
            raise NotImplementedError(
                "vectorize(signature=…): the function sees single elements only"
            )
        self.pyfunc = None
        self.cache = cache
        self.signature = signature
        self.excluded = set() if excluded is None else set(excluded)
        for key in self.excluded:
            if not isinstance(key, str | int):
                raise TypeError(
                    f"excluded has names and places of arguments, not {key!r}"
                )
        self.otypes = _read_otypes(otypes)
        self._doc = doc
        self._kernels = {}  # by the types of the arguments
        if pyfunc is not None:
            self._take(pyfunc)

    def _take(self, pyfunc):
        if not callable(pyfunc):
            raise TypeError(f"vectorize needs a function, not {pyfunc!r}")
        self.pyfunc = pyfunc
        self.__name__ = getattr(pyfunc, "__name__", "function")
        self.__doc__ = pyfunc.__doc__ if self._doc is None else self._doc
        self.__wrapped__ = pyfunc

    @property
    def _translated(self):
        """What a call in a function that is translated calls."""
        return self.pyfunc

    def __repr__(self):
        return f"<cupric.vectorize of {self.pyfunc!r}>"

    def __call__(self, *args, **kwargs):
        if self.pyfunc is None:
            if len(args) != 1 or kwargs:
                raise TypeError(
                    "vectorize has no function yet: call it with the function alone"
                )
            self._take(args[0])
            return self
        if kwargs or self.excluded:
            args, names = self._in_order(args, kwargs)
        else:
            names = ()
        excluded = _places(self.excluded, names)
        key = tuple(
            [
                x.dtype if isinstance(x, _core.ndarray) else _key_of(x, k in excluded)
                for k, x in enumerate(args)
            ]
        )
        found = self._kernels.get(key)
        if found is None or not found.is_current():
            found = self._kernels[key] = self._compile(args, excluded)
        return found(args)

    def _in_order(self, args, kwargs):
        """The arguments by place, with defaults, and the parameters' names."""
        parameters = inspect.signature(self.pyfunc)
        bound = parameters.bind(*args, **kwargs)
        bound.apply_defaults()
        if bound.kwargs:
            raise TypeError(
                f"{self.__name__}() has parameters that are passed by name only, which "
                "vectorize cannot pass"
            )
        return bound.args, tuple(parameters.parameters)

    def _compile(self, args, excluded):
        function, instance = _python_function(self.pyfunc, len(args))
        kinds = [_type_of(x, k in excluded, k) for k, x in enumerate(args)]
        try:
            translation = translate(function, [*map(Constant, instance), *kinds])
        except Exception as error:  # the line is in the message, not in our frames
            raise error.with_traceback(None) from None
        return _Kernel(self.__name__, translation, kinds, self.otypes)


class _Kernel:
    """A function compiled for one set of types."""

    def __init__(self, name, translation, kinds, otypes):
        kind = translation.type
        results = [kind] if isinstance(kind, Scalar) else list(kind.items)
        if not all(isinstance(result, Scalar) for result in results):
            raise TypeError(f"{name} returns {kind}: the results have to be numbers")
        outputs = [result.strong for result in results]
        if otypes is not None:
            if len(otypes) != len(outputs):
                raise ValueError(
                    f"otypes has {len(otypes)} dtypes, but {name} returns "
                    f"{len(outputs)} values"
                )
            outputs = otypes
        self.is_current = translation.program.is_current
        self.places = [k for k, t in enumerate(kinds) if isinstance(t, Scalar)]
        inputs = [f"in{k}" for k in self.places]
        types_in = [kinds[k].code for k in self.places]
        call = f"cupric::python::{translation.name}({', '.join(inputs)})"
        self.kernel = _core.ElementwiseKernel(
            _parameters(types_in, inputs),
            _parameters(
                [t.code for t in outputs], [f"out{k}" for k in range(len(outputs))]
            ),
            _operation(call, outputs, isinstance(kind, Scalar)),
            f"{_plain(name)}_vectorized",
            preamble=translation.program.text(),
            options=("--fmad=false",),
            return_tuple=not isinstance(kind, Scalar),
        )
        self.letters = [kinds[k].dtype for k in self.places]

    def __call__(self, args):
        values = [args[k] for k in self.places]
        if not any(isinstance(x, _core.ndarray) for x in values):
            if not values:
                return self.kernel(size=1).reshape(())
            values[0] = _core.array(values[0], self.letters[0])
        return self.kernel(*values)


def _parameters(kinds, names):
    return ", ".join(f"{t} {n}" for t, n in zip(kinds, names, strict=True))


def _operation(call, outputs, is_one):
    if is_one:
        return f"out0 = cupric::convert<{_code(outputs[0])}>({call});"
    lines = [f"const auto result = {call};"]
    for k, kind in enumerate(outputs):
        lines.append(f"out{k} = cupric::convert<{_code(kind)}>(result.v{k});")
    return "\n".join(lines)


def _code(kind):
    return kind.code if kind.letter == "?" else f"cupric::python::{kind.code}"


def _plain(name):
    return "".join(c if c.isascii() and c.isalnum() else "_" for c in f"f_{name}")[2:]


def _read_otypes(otypes):
    """The types of the results, or None."""
    if otypes is None:
        return None
    if isinstance(otypes, str):
        for letter in otypes:
            if letter not in np.typecodes["All"] and letter != "E":
                raise ValueError(f"Invalid otype specified: {letter}")
        otypes = list(otypes)
    elif not np.iterable(otypes):
        raise ValueError("Invalid otype specification")
    kinds = [Scalar("E") if t == "E" else scalar_of(np.dtype(t)) for t in otypes]
    for kind, given in zip(kinds, otypes, strict=True):
        if kind is None:
            raise TypeError(f"no kernel computes results of dtype {np.dtype(given)}")
    return kinds


_DTYPES = {kind: np.dtype(kind) for kind in (bool, int, float, complex)}


def _key_of(value, excluded):
    """What of an argument that is no array the kernel depends on."""
    if excluded:
        number = type_of_constant(value) is not None
        return (type(value), None if number else id(value))
    return _DTYPES.get(type(value)) or getattr(value, "dtype", type(value))


def _type_of(value, excluded, place):
    """The type of an argument, or its value, which becomes part of the code."""
    if isinstance(value, _core.ndarray):
        if excluded:
            raise NotImplementedError(
                f"argument {place} is excluded, and an array: a function of single "
                "elements can use numbers only"
            )
        kind = scalar_of(value.dtype)
        if kind is None:
            raise TypeError(f"no kernel computes with elements of dtype {value.dtype}")
        return kind
    kind = type_of_constant(value)
    if isinstance(kind, Scalar):
        return kind if excluded else kind.strong
    if excluded:
        return Constant(value)
    raise _core._unsupported(value)


def _places(excluded, names):
    return {names.index(e) if e in names else e for e in excluded}


def _python_function(pyfunc, count):
    """The function in Python, and what it is bound to."""
    pyfunc = getattr(pyfunc, "_translated", pyfunc)
    if isinstance(pyfunc, types.MethodType):
        return pyfunc.__func__, (pyfunc.__self__,)
    if isinstance(pyfunc, types.FunctionType):
        return pyfunc, ()
    names = ", ".join(f"x{k}" for k in range(count))
    text = f"def call({names}):\n    return function({names})\n"
    file = f"<a call of {getattr(pyfunc, '__name__', pyfunc)!r}, {count} arguments>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    around = {"function": pyfunc}
    exec(compile(text, file, "exec"), around)
    return around["call"], ()
