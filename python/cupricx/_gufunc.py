"""GeneralizedUFunc: a function of small arrays, applied along the axes before them."""

import itertools
import re

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import expand_dims, moveaxis
from cupric.cuda import Device

__all__ = [
    "GeneralizedUFunc",
]

_AXIS = r"\w+(?:\?|\|1)?"
_AXES = rf"\((?:{_AXIS}(?:,{_AXIS})*)?\)"
_SIGNATURE = re.compile(
    rf"(?P<given>(?:{_AXES}(?:,{_AXES})*)?)->(?P<made>{_AXES}(?:,{_AXES})*)"
)


class _CoreAxis:
    """One axis that the function sees: ``n``, ``n?`` (may be absent), ``n|1`` (may have
    length 1) or ``3``."""

    def __init__(self, text):
        self.optional = text.endswith("?")
        self.broadcasts = text.endswith("|1")
        self.name = text.removesuffix("?").removesuffix("|1")


def _parse(signature):
    """The core axes of each input, and of each output."""
    if not isinstance(signature, str):
        raise TypeError(f"a signature is a string, not {type(signature).__name__}")
    found = _SIGNATURE.fullmatch(signature.replace(" ", ""))
    if found is None:
        raise ValueError(
            f"not a signature: {signature!r}; one is, for example, '(m,n),(n,p)->(m,p)'"
        )
    return [
        [
            [_CoreAxis(axis) for axis in inside.split(",") if axis]
            for inside in re.findall(r"\(([^)]*)\)", found[side])
        ]
        for side in ("given", "made")
    ]


class _Loops:
    """What functions there are for dtypes: rows "fd->d", each with its function."""

    def __init__(self, rows, func, nin, nout):
        self.rows = []
        for row in rows or ():
            types, other = (row, func) if isinstance(row, str) else row
            given, arrow, made = types.partition("->")
            if not arrow or len(given) != nin or len(made) != nout:
                raise ValueError(
                    f"signatures: {types!r} is not of {nin} inputs and {nout} outputs"
                )
            dtypes = [np.dtype(c) for c in given], [np.dtype(c) for c in made]
            self.rows.append((*dtypes, other))
        self.func, self.nin, self.nout = func, nin, nout

    def choose(self, args, dtype, signature, casting):
        """(dtypes of the inputs, dtypes of the outputs, function)."""
        if dtype is not None and signature is not None:
            raise TypeError("only one of `dtype` and `signature` can be given")
        given = [a.dtype for a in args]
        if signature is not None:
            wanted = self._wanted(signature)
            for inputs, outputs, func in self.rows:
                if all(
                    w in (None, t)
                    for w, t in zip(wanted, inputs + outputs, strict=True)
                ):
                    return inputs, outputs, func
            raise TypeError(f"there is no function for the signature {signature!r}")
        if dtype is not None:
            dtype = np.dtype(dtype)
            for inputs, outputs, func in self.rows:
                if all(t == dtype for t in outputs):
                    return inputs, outputs, func
            if self.rows:
                raise TypeError(f"there is no function for results of {dtype}")
            return given, [dtype] * self.nout, self.func
        for inputs, outputs, func in self.rows:
            pairs = zip(given, inputs, strict=True)
            if all(np.can_cast(a, t, "safe") for a, t in pairs):
                return inputs, outputs, func
        if self.rows:
            names = ", ".join(str(t) for t in given)
            raise TypeError(f"there is no function for inputs of {names}")
        common = np.result_type(*given) if given else np.dtype(np.float64)
        return given, [common] * self.nout, self.func

    def _wanted(self, signature):
        """A dtype or None for each input and output."""
        if isinstance(signature, str):
            types = signature.replace("->", "")
        else:
            types = signature if isinstance(signature, tuple) else (signature,)
        every = self.nin + self.nout
        if len(types) == self.nout:  # of the results only
            types = (*[None] * self.nin, *types)
        if len(types) != every:
            raise ValueError(f"signature {signature!r} is not of {every} dtypes")
        return [None if t is None else np.dtype(t) for t in types]


class GeneralizedUFunc:
    """A function of arrays with few axes, applied along all axes before those.

    Parameters
    ----------
    func : callable
        ``func(*arrays)`` returns an array, or a tuple of them where there are several
        outputs.
    signature : str
        The axes that `func` sees of each input and makes of each output, as NumPy
        writes them: ``"(m,n),(n)->(m)"``. ``n?`` may be absent, of ``n|1`` the length
        may be 1.
    name, doc : str, optional
        `func`'s, if left out.
    supports_batched : bool
        `func` takes the axes before its own, too. Otherwise it is called once for each
        element of those, on the host, one after the other.
    supports_out : bool
        `func` takes the outputs as ``out=``, an array or a tuple of them.
    signatures : list of str, or of (str, callable), optional
        The dtypes that there are functions for, ``"ff->f"``; `func`, if none is given.
        Inputs are converted to those of the first row to which they can be cast safely.
        Without them outputs have the common dtype of the inputs.
    try_fastcall_func : callable, optional
        Called first, with the arguments and ``out=``, where no other keyword is given.
        A result other than NotImplemented is returned.

    Examples
    --------
    >>> import cupric as cp
    >>> import cupricx
    >>> spread = cupricx.GeneralizedUFunc(lambda x: x.max() - x.min(), "(n)->()")
    >>> spread(cp.array([[1, 5, 2], [7, 7, 4]]))
    array([4, 3])
    >>> spread(cp.array([[1, 5, 2], [7, 7, 4]]), axis=0)
    array([6, 2, 2])
    """

    def __init__(
        self,
        func,
        signature,
        *,
        name=None,
        doc=None,
        supports_batched=False,
        supports_out=False,
        signatures=None,
        try_fastcall_func=None,
    ):
        self._given, self._made = _parse(signature)
        self._signature = signature
        self._func = func
        self._supports_batched = supports_batched
        self._supports_out = supports_out
        self._fast = try_fastcall_func
        self._loops = _Loops(signatures, func, len(self._given), len(self._made))
        self.__name__ = getattr(func, "__name__", "function") if name is None else name
        self.__doc__ = getattr(func, "__doc__", None) if doc is None else doc

    @property
    def nin(self):
        """How many inputs there are."""
        return len(self._given)

    @property
    def nout(self):
        """How many outputs there are."""
        return len(self._made)

    @property
    def signature(self):
        """The axes of inputs and outputs."""
        return self._signature

    def __repr__(self):
        return f"<GeneralizedUFunc {self.__name__!r} {self._signature}>"

    def __call__(
        self,
        *args,
        axes=None,
        axis=None,
        keepdims=False,
        casting="same_kind",
        dtype=None,
        signature=None,
        order="K",
        out=None,
    ):
        """Apply the function.

        Parameters
        ----------
        *args : cupric.ndarray or scalar
            Axes before those that the function sees are broadcast.
        axes : list of tuple of int, optional
            Where the function's axes lie in each input and output; an int where there
            is one. Outputs can be left out if they have none.
        axis : int, optional
            Where the one axis lies that all share.
        keepdims : bool
            Keep the axes that are gone, with length 1, where axes of the inputs lay.
        casting : str
            What conversions of inputs and to `out` are allowed.
        dtype : data-type, optional
            Of the outputs.
        signature : str or tuple of dtypes, optional
            Chooses a row of `signatures`.
        order : {'C', 'F', 'A', 'K'}
            Layout of new outputs; 'A' and 'K': 'F' if all inputs are so.
        out : cupric.ndarray, or tuple of them and None, optional
            Receive the outputs.

        Returns
        -------
        cupric.ndarray or tuple of cupric.ndarray
        """
        usual = axes is axis is dtype is signature is None and not keepdims
        if self._fast is not None and usual and order == "K" and casting == "same_kind":
            made = self._fast(*args, out=out)
            if made is not NotImplemented:
                return made
        if len(args) != self.nin:
            raise TypeError(
                f"{self.__name__}() takes {self.nin} arrays by its signature "
                f"{self._signature}, {len(args)} were given"
            )
        if order not in tuple("CFAKcfak"):
            raise ValueError(
                f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})"
            )
        args = [arguments.array(a) for a in args]
        outs = self._outputs(out)
        dtypes, results, func = self._loops.choose(args, dtype, signature, casting)
        args = [
            self._converted(a, t, casting) for a, t in zip(args, dtypes, strict=True)
        ]
        layout = order.upper()
        if layout in "AK":
            fortran = [a.flags.f_contiguous and not a.flags.c_contiguous for a in args]
            layout = "F" if fortran and all(fortran) else "C"
        places = self._places(args, axes, axis, keepdims)
        lengths = {}
        args = [
            self._core_axes_last(i, a, places[i], lengths) for i, a in enumerate(args)
        ]
        ndims = [len(core) for core in self._given]
        outer = np.broadcast_shapes(
            *(a.shape[: a.ndim - n] for a, n in zip(args, ndims, strict=True))
        )
        args = [
            _core.broadcast_to(a, (*outer, *a.shape[a.ndim - n :]))
            for a, n in zip(args, ndims, strict=True)
        ]
        targets, returned = [], []
        with args[0].device if args else Device():
            for i, core in enumerate(self._made):
                kept = len(self._given[0]) if keepdims else None
                target, whole = self._target(
                    *(i, core, outs[i], results[i], layout, casting),
                    *(places[self.nin + i], outer, lengths, kept),
                )
                targets.append(target)
                returned.append(whole)
            self._apply(func, outer, args, targets)
        return returned[0] if self.nout == 1 else tuple(returned)

    def _outputs(self, out):
        if out is None:
            return [None] * self.nout
        outs = out if isinstance(out, tuple) else (out,)
        for o in outs:
            if o is not None and not isinstance(o, _core.ndarray):
                raise TypeError(f"out must be cupric.ndarray, not {type(o).__name__}")
        if len(outs) != self.nout:
            raise ValueError(
                f"{self.__name__}() has {self.nout} outputs, `out` {len(outs)} arrays"
            )
        return list(outs)

    def _converted(self, a, dtype, casting):
        if not np.can_cast(a.dtype, dtype, casting):
            raise TypeError(
                f"{self.__name__}: cannot cast an input from {a.dtype} to {dtype} with "
                f"casting rule {casting!r}"
            )
        return a.astype(dtype, copy=False)

    def _places(self, args, axes, axis, keepdims):
        """Where the core axes of each input and output lie; None: they are the last."""
        every = self._given + self._made
        if keepdims and (
            any(self._made) or len({len(core) for core in self._given}) > 1
        ):
            raise TypeError(
                "keepdims: outputs must have no axes of their own, and all inputs "
                f"equally many, not {self._signature}"
            )
        if axes is not None and axis is not None:
            raise TypeError("only one of `axis` and `axes` can be given")
        if axis is not None:
            names = {core.name for cores in every for core in cores}
            if len(names) != 1 or any(len(cores) > 1 for cores in every):
                raise TypeError(
                    "axis can be given where there is one axis that all share, not "
                    f"with {self._signature}"
                )
            if isinstance(axis, bool) or not hasattr(axis, "__index__"):
                raise TypeError(f"axis must be an integer, not {type(axis).__name__}")
            axes = [(axis,) if cores else () for cores in every]
            if keepdims:
                axes[self.nin :] = [(axis,)] * self.nout
        if axes is None:
            return [None] * len(every)
        if not isinstance(axes, list):
            raise TypeError("axes must be a list, with an entry for each array")
        axes = [(a,) if hasattr(a, "__index__") else tuple(a) for a in axes]
        if len(axes) == self.nin and not any(self._made):
            # As in NumPy, kept axes lie where they were in the first input.
            axes += [axes[0] if keepdims and axes else ()] * self.nout
        if len(axes) != len(every):
            raise ValueError(
                f"axes has {len(axes)} entries, and there are {self.nin} inputs and "
                f"{self.nout} outputs; only of outputs without axes it can be left out"
            )
        return axes

    def _core_axes_last(self, i, a, place, lengths):
        """Input `i` with its core axes last, those that are absent with length 1.

        Their lengths go into `lengths`, -1 for an absent one.
        """
        core = self._given[i]
        least = sum(not c.optional for c in core)
        count = min(len(core), a.ndim) if place is None else len(place)
        if a.ndim < least or not least <= count <= len(core):
            raise ValueError(
                f"{self.__name__}: input {i} has {a.ndim} dimensions, and its axes "
                f"{'the last' if place is None else place} do not fit the signature "
                f"{self._signature}"
            )
        if place is not None:
            a = moveaxis(a, place, range(-count, 0))
        absent = len(core) - count
        shape, present = (
            list(a.shape[: a.ndim - count]),
            list(a.shape[a.ndim - count :]),
        )
        for c in core:
            skipped = c.optional and absent > 0
            absent -= skipped
            n = -1 if skipped else present.pop(0)
            shape.append(1 if skipped else n)
            known = lengths.get(c.name, int(c.name) if c.name.isdigit() else None)
            if c.broadcasts and n == 1:
                continue
            if known is not None and known != n:
                what = (
                    "present in some inputs only"
                    if -1 in (known, n)
                    else (f"of length {n} in input {i}, of length {known} before")
                )
                raise ValueError(
                    f"{self.__name__}: axis {c.name} of {self._signature} is {what}"
                )
            lengths[c.name] = n
        return a.reshape(shape)

    def _target(
        self, i, core, out, dtype, layout, casting, place, outer, lengths, kept
    ):
        """Where the function's output goes, and the array to return."""
        sizes = [self._length(c, lengths) for c in core]
        shape = (*outer, *(n for n in sizes if n >= 0))
        count = len(shape) - len(outer)
        if kept is not None:
            shape, count = (*outer, *[1] * kept), kept
        if place is not None and len(place) != count:
            raise ValueError(
                f"{self.__name__}: output {i} has {count} axes, `axes` says {place}"
            )
        rank = len(shape)
        # Where each axis of the result lies before the core axes are moved.
        order = list(range(rank))
        if place:
            where = list(np.lib.array_utils.normalize_axis_tuple(place, rank))
            rest = iter(range(rank - count))
            order = [
                rank - count + where.index(d) if d in where else next(rest)
                for d in range(rank)
            ]
        final = tuple(shape[d] for d in order)
        if out is None:
            out = _core.empty(final, dtype, order=layout)
        elif out.shape != final:
            raise ValueError(
                f"{self.__name__}: output {i} has shape {out.shape}, the result {final}"
            )
        elif not np.can_cast(dtype, out.dtype, casting):
            raise TypeError(
                f"{self.__name__}: cannot cast the output from {dtype} to {out.dtype} "
                f"with casting rule {casting!r}"
            )
        target = out.transpose([order.index(d) for d in range(rank)])
        if kept is not None:
            target = target[(..., *[0] * kept)]
        else:
            absent = tuple(len(outer) + k for k, n in enumerate(sizes) if n < 0)
            target = expand_dims(target, absent)
        return target, out

    def _length(self, core, lengths):
        if core.name in lengths:
            return lengths[core.name]
        if core.name.isdigit():
            return int(core.name)
        if any(core.name == c.name for cores in self._given for c in cores):
            return 1  # n|1, and 1 in each input
        raise ValueError(
            f"{self.__name__}: axis {core.name} of an output is of no input of "
            f"{self._signature}"
        )

    def _apply(self, func, outer, args, targets):
        if self._supports_batched or not outer:
            self._call(func, args, targets)
            return
        for index in itertools.product(*map(range, outer)):
            at = (*index, ...)
            self._call(func, [a[at] for a in args], [t[at] for t in targets])

    def _call(self, func, args, targets):
        if self._supports_out:
            func(*args, out=targets[0] if len(targets) == 1 else tuple(targets))
            return
        made = func(*args)
        made = made if isinstance(made, tuple | list) else (made,)
        if len(made) != len(targets):
            raise ValueError(
                f"{self.__name__}: the function gave {len(made)} results, the "
                f"signature {self._signature} has {len(targets)}"
            )
        for target, m in zip(targets, made, strict=True):
            if np.shape(m) != target.shape:
                raise ValueError(
                    f"{self.__name__}: the function gave a result of shape "
                    f"{np.shape(m)}, by the signature {self._signature} it has "
                    f"{target.shape}"
                )
            target[...] = m
