"""`cupy._core._kernel`: the types of kernels, and ufuncs that a program makes."""

import numpy as np

from cupric import ElementwiseKernel, asarray, ndarray, ufunc
from cupric.core._scalar import get_typename

__all__ = [
    "ElementwiseKernel",
    "create_ufunc",
    "ufunc",
]

_NUMBERS = {bool: "?biufc", int: "iufc", float: "fc", complex: "c"}  # kinds they may be


class _Ufunc:
    """What `create_ufunc` makes: a kernel for each signature, made when it is used."""

    def __init__(self, name, ops, routine, preamble, doc, casting, loop_prep):
        self.name = self.__name__ = name
        self.__doc__ = doc
        self._preamble, self._loop_prep, self._casting = preamble, loop_prep, casting
        self._ops = [_signature(op, routine) for op in ops]
        if not self._ops:
            raise ValueError(f"{name}: a ufunc needs a signature")
        self.nin, self.nout = map(len, self._ops[0][:2])
        self.nargs = self.nin + self.nout
        self.types = ["->".join(map("".join, op[:2])) for op in self._ops]
        self._kernels = {}

    def __repr__(self):
        return f"<ufunc {self.name!r}>"

    def __call__(self, *args, out=None, dtype=None, casting=None):
        if not self.nin <= len(args) <= self.nargs:
            raise TypeError(
                f"{self.name} takes {self.nin} inputs, or {self.nargs} arguments with "
                f"outputs, but {len(args)} were given"
            )
        if out is not None and len(args) > self.nin:
            raise ValueError("cannot specify 'out' as both a positional and keyword")
        outs = args[self.nin :] or (out if isinstance(out, tuple) else (out,))
        outs = [*outs, *[None] * (self.nout - len(outs))]
        args = [a if _is_number(a) else asarray(a) for a in args[: self.nin]]
        which = self._find(args, dtype)
        taken = [_taken(a, t) for a, t in zip(args, self._ops[which][0], strict=True)]
        made = self._kernel(which)(*taken, **({} if _any_array(taken) else {"size": 1}))
        made = made if isinstance(made, tuple) else (made,)
        if not _any_array(taken):
            made = tuple(m.reshape(()) for m in made)
        casting = casting or self._casting or "same_kind"
        results = tuple(_put(m, o, casting) for m, o in zip(made, outs, strict=True))
        return results[0] if self.nout == 1 else results

    def _find(self, args, dtype):
        """The first signature that the arguments can be cast to, or of the dtype."""
        for n, (ins, outs, _) in enumerate(self._ops):
            if dtype is not None:
                if all(np.dtype(t) == np.dtype(dtype) for t in outs):
                    return n
            elif all(_may_be(a, t) for a, t in zip(args, ins, strict=True)):
                return n
        asked = dtype if dtype is not None else [getattr(a, "dtype", a) for a in args]
        raise TypeError(f"Wrong type ({asked}) of arguments for {self.name}")

    def _kernel(self, which):
        if which not in self._kernels:
            ins, outs, routine = self._ops[which]
            lists, types = [], []
            for word, letters in ("in", ins), ("out", outs):
                names = [np.dtype(t).name for t in letters]
                lists.append(", ".join(f"{t} {word}{k}" for k, t in enumerate(names)))
                types += [
                    f"typedef {get_typename(np.dtype(t))} {word}{k}_type;\n"
                    for k, t in enumerate(letters)
                ]
            self._kernels[which] = ElementwiseKernel(
                *lists,
                routine,
                self.name,
                preamble="".join(types) + self._preamble,
                loop_prep=self._loop_prep,
            )
        return self._kernels[which]


def _signature(op, routine):
    text, routine = (op, routine) if isinstance(op, str) else op
    ins, _, outs = text.partition("->")
    return tuple(ins), tuple(outs or ins), routine


def _is_number(a):
    return type(a) in _NUMBERS


def _any_array(args):
    return any(isinstance(a, ndarray) for a in args)


def _may_be(a, letter):
    to = np.dtype(letter)
    if not _is_number(a):
        return np.can_cast(a.dtype, to)
    if type(a) is int and to.kind in "iu":
        return np.iinfo(to).min <= a <= np.iinfo(to).max
    return to.kind in _NUMBERS[type(a)] or to.kind == "b" and type(a) is bool


def _taken(a, letter):
    to = np.dtype(letter)
    return to.type(a) if _is_number(a) else a.astype(to, copy=False)


def _put(made, out, casting):
    if out is None:
        return made
    if not np.can_cast(made.dtype, out.dtype, casting):
        raise TypeError(
            f"output (typecode '{made.dtype.char}') could not be coerced to provided "
            f"output parameter (typecode '{out.dtype.char}') according to the casting "
            f"rule '{casting}'"
        )
    out[...] = made.astype(out.dtype, copy=False)
    return out


def create_ufunc(
    name,
    ops,
    routine=None,
    preamble="",
    doc="",
    default_casting=None,
    loop_prep="",
    out_ops=None,
    cutensor_op=None,
    scatter_op=None,
):
    """A function of each element, with a signature for each combination of dtypes.

    Parameters
    ----------
    name : str
        The kernel's name.
    ops : sequence of str or tuple
        Signatures as ``'ff->f'``, or pairs of one and its own code. The first one that
        the arguments are safely cast to is used.
    routine : str, optional
        CUDA C++ for one element: ``out0 = in0 + in1``; its types are ``in0_type``,
        ``out0_type`` and so on.
    preamble, loop_prep : str, optional
        As of `ElementwiseKernel`.
    doc : str, optional
        The docstring.
    default_casting : str, optional
        How results may be cast to `out`, by default ``'same_kind'``.
    out_ops, cutensor_op, scatter_op : object, optional
        Taken for CuPy's sake.

    Returns
    -------
    callable
        Takes the inputs, then outputs or ``out=``, ``dtype=`` of the result and
        ``casting=``; `name`, `nin`, `nout`, `nargs` and `types` tell of it.

    Examples
    --------
    >>> from cupric.core import create_ufunc
    >>> difference = create_ufunc(
    ...     "difference", ("qq->q", "dd->d"), "out0 = (in0 - in1) * (in0 - in1)"
    ... )
    >>> difference(cp.arange(3), 2.0)
    array([4., 1., 0.])
    """
    return _Ufunc(name, ops, routine, preamble, doc, default_casting, loop_prep)
