"""Kernel libraries: CUDA C++ beside a Python module, compiled with the package."""

import functools
import itertools
import re
from pathlib import Path

import numpy as np

from cupric import _core
from cupric._lib.kernels import _signature, _source
from cupric._lib.kernels._declarations import Declarations

__all__ = [
    "PACK",
    "SHARED",
    "Kernel",
    "Library",
    "Shipped",
    "declarations",
]

PACK = 16  # bytes that a thread of a GPU reads or writes at once: cupric/pack.hpp
SHARED = 48 << 10  # bytes of shared memory that every GPU has for a block
HEADER = '#include "cupric/library.hpp"\n'
_OTHER = re.compile(r'^[ \t]*#[ \t]*include\b(?!_)(?![ \t]*"cupric/)[^\n]*', re.M)

libraries = []  # all that were made, in their order: for the build and the tests


class Library:
    """The kernels of one module, in CUDA C++ that both devices compile.

    Parameters
    ----------
    file : str
        The module's ``__file__``.
    code : str, optional
        The name of a file beside the module, as ``"_filters.cuh"``, by default the
        module's own; or the code itself. What the file includes from beside it becomes
        part of the code; else it may include headers of ``cupric/`` only. Bodies of its
        kernels that are the host device's stand beside it in ``_filters.host.hpp``,
        constants and structures that Python uses, too, in ``_filters.h``.
    options : tuple of str, optional
        For the compiler, as NVRTC takes them.
    avx512 : bool, optional
        What ships is compiled for CPUs with AVX-512, too: for bodies of the host device
        that gain by it as much as they take to build.

    Attributes
    ----------
    source : str
        The code, with all that it includes of its package.
    declared : list
        What `elementwise` and `kernel` made.
    enum, struct : namespace
        What the headers of the package declare that the code includes: enumerators, as
        ints, and structures, which pack their fields when they are called with them.

    Notes
    -----
    No shape, window size or value may stand in the code: dtypes and ranks only.

    Examples
    --------
    docs/kernel_libraries.md has a whole one. In a module beside a file `_blur.cuh`:

    >>> library = Library(__file__, "_blur.cuh")  # doctest: +SKIP
    >>> blur = library.kernel("blur<T>", elements="n", ships="f d")  # doctest: +SKIP
    >>> blur[x.dtype](x=x, y=out, n=x.size)  # doctest: +SKIP
    """

    def __init__(self, file, code=None, *, options=(), avx512=False):
        path = Path(file).resolve()
        folder = path.parent
        self._code = code or f"{path.stem}.cuh"
        self._folder = folder
        self._file = folder / self._code if self._code.endswith(".cuh") else None
        self.title = _module_of(path)
        self.options, self.avx512 = tuple(options), avx512
        self.declared = []
        if self._file is None:
            self.source  # noqa: B018  what is wrong with it is told at once
        elif not self._file.is_file():
            raise ValueError(
                f"the code of a kernel library is missing: there is no {self._file}"
            )
        _add_folder(folder)
        libraries.append(self)

    def __repr__(self):
        return f"<kernel library {self.title}>"

    @functools.cached_property
    def source(self):
        """The code, which is read when a kernel of it is asked for."""
        read = _source.expand if self._file is None else _source.read_code
        text = read(self._folder, self._code, set())
        if other := _OTHER.search(text):
            raise ValueError(
                "a kernel library includes headers of cupric/ and its package's files: "
                f"{other[0]} in {self.title}"
            )
        return f"{HEADER}{text.strip()}\n"

    @functools.cached_property
    def declarations(self):
        """What the headers declare."""
        if self._file is None:
            return Declarations("")
        return Declarations(_source.read_headers(self._file.parent, self._file.name))

    @property
    def enum(self):
        return self.declarations.enum

    @property
    def struct(self):
        return self.declarations.struct

    @functools.cached_property
    def signatures(self):
        """By name, the parameters of the kernels of the code."""
        enums = self.enum.__dict__
        return {
            name: _signature.Signature(declared, self.struct, enums)
            for name, declared in _source.kernels(self.source).items()
        }

    def on_host(self, x):
        """Whether kernels that work on `x` take their bodies for the host, where work
        may have to be cut, and scratch memory laid out, in another way.

        Parameters
        ----------
        x : cupric.ndarray

        Returns
        -------
        bool

        Examples
        --------
        >>> nparts = 1 if library.on_host(x) else 256  # doctest: +SKIP
        """
        return x.device.backend == "host"

    def elementwise(
        self,
        name,
        in_params,
        out_params,
        operation,
        *,
        ships="",
        example=None,
        **kwargs,
    ):
        """A `cupric.ElementwiseKernel` whose operation can use the library's code.

        Parameters
        ----------
        name : str
        in_params, out_params, operation : str
            As of ElementwiseKernel. Where the operation asks for ``_ind``, the loop has
            the axes of its arrays.
        ships : str, optional
            What comes compiled. ``"fff ddd | ndim 1 2"``: first a word for each
            combination of dtypes, a letter for each placeholder in the order in which
            they appear in the parameters. Then, each behind a ``|``: ``ndim`` and the
            numbers of axes; ``flat`` and raw arrays that always have one axis (those of
            fixed dtype do anyway); ``values`` and the inputs that are numbers, not
            arrays (where there is a raw array, all that are not raw); ``arrays`` and
            those that are arrays after all; ``strided``: arrays of the loop that do not
            lie in one run, too.
        example : callable, optional
            ``example(xp)`` makes arguments by `xp`, the package, calls what uses the
            kernel, and returns the results. The tests run it.
        **kwargs
            As of ElementwiseKernel.

        Returns
        -------
        cupric.ElementwiseKernel

        Examples
        --------
        >>> damped = library.elementwise(
        ...     "damped", "T x, T by", "T y", "y = damp(x, by)", ships="ff dd"
        ... )  # doctest: +SKIP
        >>> y = damped(x, 0.5)  # doctest: +SKIP
        """
        kwargs.setdefault("reduce_dims", not re.search(r"\b_ind\b", operation))
        kernel = _core.ElementwiseKernel(
            in_params,
            out_params,
            operation,
            f"{name}_kernel",
            options=self.options,
            _library=self.source,
            **kwargs,
        )
        self.declared.append(_Elementwise(self, kernel, ships, example))
        return kernel

    def kernel(
        self,
        signature,
        *,
        elements=None,
        blocks=None,
        threads=None,
        ships="",
        example=None,
    ):
        """A kernel of the library's code, called by the names of its parameters.

        Parameters
        ----------
        signature : str
            ``"label_merge<T, N>"``: the name, and the parameters of its template.
        elements : str or True, optional
            The kernel is launched over elements, each for a thread: ``CUPRIC_EACH (i,
            n)``. How many there are is the parameter of this name, or ``"p.n"`` of a
            structure; with True calls pass it, as ``work=``.
        blocks : str or True, optional
            Or it is launched over rows, tiles or other pieces, each for a block:
            ``CUPRIC_EACH_BLOCK (b, n)``. On the host a block is one thread.
        threads : int or str, optional
            Of a block, or the enumerator that says it; where it is not given calls pass
            it, as ``threads=``.
        ships : str, optional
            What comes compiled: ``"f2 d2"``, a word for each instance, with a dtype's
            letter or a digit for each parameter, ``(12)`` for a number of several. With
            ``| ndim 1 2 3`` each of these digits follows each word. Of a kernel without
            parameters any word.
        example : callable, optional
            As of `elementwise`.

        Returns
        -------
        Kernel
            ``kernel[dtype, ndim]`` is an instance, to be called.

        Examples
        --------
        >>> blur_rows = library.kernel(
        ...     "blur_rows<T>", blocks="rows", threads=128, ships="f d"
        ... )  # doctest: +SKIP
        >>> blur_rows[x.dtype](x=x, y=out, rows=len(x))  # doctest: +SKIP
        """
        kernel = Kernel(self, signature, elements, blocks, threads)
        self.declared.append(_Blocks(self, kernel, ships, example))
        return kernel


def declarations(file):
    """What the header of a module without kernels declares, which libraries share.

    Parameters
    ----------
    file : str
        The module's ``__file__``: of ``_modes.py`` the header is ``_modes.h``.

    Returns
    -------
    Declarations
        Its `enum` and `struct` are those of `Library`.

    Examples
    --------
    >>> modes = declarations(__file__).enum  # doctest: +SKIP
    >>> modes.REFLECT  # doctest: +SKIP
    0
    """
    path = Path(file).resolve()
    return Declarations(_source.read_headers(path.parent, f"{path.stem}.h"))


class Kernel(dict):
    """Instances of a kernel by the arguments of its template: ``kernel[dtype, 2]``.

    An argument is a dtype, or whatever `numpy.dtype` takes, an int or a bool. A kernel
    without a template is ``kernel[()]``. An instance is called with an array for each
    pointer, `View` and (a sequence of them) `Views` of its parameters, a structure of
    the library for each that is passed by value, and numbers: ``kernel["f"](x=x, n=3)``
    (``shared_mem=`` is the shared memory of a block in bytes).
    """

    def __init__(self, library, signature, elements=None, blocks=None, threads=None):
        super().__init__()
        if bool(elements) == bool(blocks) or (elements and threads is not None):
            raise ValueError(
                f"{signature}: work is elements or blocks, of threads: say elements= "
                "or blocks="
            )
        self.library = library
        self.work, self.threads = elements or blocks, 0 if elements else threads
        self.name, _, parameters = signature.partition("<")
        self.name = self.name.strip()
        self.parameters = [p.strip() for p in parameters.rstrip("> ").split(",") if p]

    def expression(self, arguments):
        """How the code calls an instance: ``label_merge<float, 2>``."""
        if len(arguments) != len(self.parameters):
            raise TypeError(
                f"{self.name}<{', '.join(self.parameters)}> takes "
                f"{len(self.parameters)} template arguments, not {len(arguments)}"
            )
        if not arguments:
            return self.name
        return f"{self.name}<{', '.join(map(_signature.argument, arguments))}>"

    @property
    def signature(self):
        """What the code declares."""
        try:
            return self.library.signatures[self.name]
        except KeyError:
            raise ValueError(
                f"the code of {self.library.title} has no kernel {self.name}"
            ) from None

    def __missing__(self, key):
        arguments = key if isinstance(key, tuple) else (key,)
        name = self.expression(arguments)
        raw = _core.RawKernel(self.library.source, name, self.library.options)
        signature = self.signature
        arguments = [
            x if isinstance(x, (int, np.integer)) else np.dtype(x) for x in arguments
        ]
        work = (-1, " ", 0) if self.work is True else signature.place(self.work)
        threads = -1 if self.threads is None else self.threads
        if isinstance(threads, str):
            threads = getattr(self.library.enum, threads)
        self[key] = _core._Instance(raw, signature.bound(arguments), *work, threads)
        return self[key]

    def __repr__(self):
        return f"<kernel {self.name} of {self.library.title}>"


# ---- what comes compiled -------------------------------------------------------------


class Shipped:
    """One kernel that comes compiled: its source as a call would have it compiled."""

    __slots__ = ("declared", "name", "options", "source")

    def __init__(self, declared, source, name):
        self.declared, self.source, self.name = declared, source, name
        self.options = declared.library.options

    @property
    def key(self):
        return _core._kernel_key(self.source, self.options, self.name)

    @property
    def own(self):
        """What the source has besides the library's code."""
        return self.source[len(self.declared.library.source) :]


class _Elementwise:
    def __init__(self, library, kernel, ships, example):
        self.library, self.kernel, self.ships = library, kernel, ships
        self.name, self.example = kernel.name, example

    def shipped(self):
        """All kernels that come compiled."""
        words, marks = _read_ships(self.ships, self.name, _MARKS)
        if words and all(p.dtype is not None for p in self.kernel.params):
            words = [
                ""
            ]  # as a kernel without parameters: what the word is, is the same
        for word, ndim in itertools.product(words, marks.get("ndim", ["1"])):
            for strided in (False, True) if "strided" in marks else (False,):
                yield self._one(word, int(ndim), marks, strided)

    def _one(self, word, ndim, marks, strided):
        params = self.kernel.params
        letters = iter(word)
        bound, operands = {}, []
        gathers = any(p.raw for p in params)
        for i, p in enumerate(params):
            if p.dtype is not None:
                letter = _letter(p.dtype)
            else:
                if p.ctype not in bound:
                    bound[p.ctype] = next(letters, None)
                letter = bound[p.ctype]
            if letter is None:
                raise ValueError(f"{self.name}: ships={self.ships!r}: {word} is short")
            is_input = i < self.kernel.nin
            is_value = p.name in marks.get("values", ()) or (
                gathers and is_input and p.name not in marks.get("arrays", ())
            )
            if p.raw:
                flat = p.dtype is not None or p.name in marks.get("flat", ())
                operands.append((letter, "r", 1 if flat else ndim))
            elif is_value and is_input:
                operands.append((letter, "v", 0))
            else:
                operands.append((letter, "s" if strided else "d", 0))
        if next(letters, None):
            raise ValueError(f"{self.name}: ships={self.ships!r}: {word} is long")
        joins = self.kernel.reduce_dims and not strided
        source = self.kernel._source(tuple(operands), 1 if joins else ndim)
        return Shipped(self, source, self.name)


class _Blocks:
    def __init__(self, library, kernel, ships, example):
        self.library, self.kernel, self.ships = library, kernel, ships
        self.name, self.example = kernel.name, example

    def shipped(self):
        """All kernels that come compiled."""
        words, marks = _read_ships(self.ships, self.name, ("ndim",))
        if not self.kernel.parameters and self.ships:
            words = [""]
        for word, ndim in itertools.product(words, marks.get("ndim", [""])):
            parts = re.findall(r"\((\d+)\)|(.)", word + ndim)
            arguments = [int(n or c) if n or c.isdigit() else c for n, c in parts]
            yield Shipped(self, self.library.source, self.kernel.expression(arguments))


_MARKS = ("ndim", "flat", "values", "arrays", "strided")


def _read_ships(text, name, known):
    """The words before the first bar, and the lists behind the others by mark."""
    first, *rest = text.split("|")
    marks = {part.split()[0]: part.split()[1:] for part in rest if part.split()}
    unknown = marks.keys() - set(known)
    if unknown:
        raise ValueError(f"{name}: ships={text!r}: {sorted(unknown)} is not known")
    return first.split(), marks


# ---- names and files -----------------------------------------------------------------


def _letter(dtype):
    """The letter of a dtype in `ships`: NumPy's, of one that has two the usual."""
    char = np.dtype(dtype).char
    return {"q": "l", "Q": "L"}.get(char, char)


def _module_of(path):
    """The name of a file's module, by the folders above it that are packages."""
    parts = [path.stem] if path.stem != "__init__" else []
    folder = path.parent
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts)


def _add_folder(folder):
    top = _source.top_folder(folder)
    if top.name in ("cupric", "cupricx") and top.parent == _OWN:
        return  # ours lie in the folder of `cupric`
    if (top / "_kernels.so").exists() or (top / "kernels.bin").exists():
        _core._kernel_folder_add(top)


_OWN = Path(__file__).resolve().parents[2]
