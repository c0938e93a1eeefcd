"""Calls with arguments that make no sense, in a process of their own.

    python tests/bad_input.py GROUP SEED COUNT LOG [NAME]

Calls every function of the group COUNT times with arguments drawn from the zoo below.
Any exception is fine; the process must live, and each call must end. LOG names, at any
time, the call that is running, which can be repeated by itself by its seed.
"""

import decimal
import faulthandler
import fractions
import inspect
import os
import random
import re
import resource
import signal
import sys
import threading
import warnings

import numpy as np

import cupric as cp

SECONDS = 2  # after which a call is interrupted, as by control-C
HANGS = 40  # one that cannot be interrupted by then never ends
DTYPES = "?bBhHiIlLefdFD"
NAN = float("nan")


class Raises:
    """Raises from whatever protocol it is asked for."""

    def _raise(self, *args):
        raise RuntimeError("asked for")

    __index__ = __int__ = __float__ = __complex__ = __bool__ = _raise
    __len__ = __iter__ = __getitem__ = __hash__ = __array__ = _raise
    __repr__ = __str__ = _raise


class LongSequence:
    """Says that it is longer than it is."""

    def __len__(self):
        return 1 << 62

    def __getitem__(self, i):
        if i > 5:
            raise IndexError
        return i


class Shrinks(list):
    """A list that loses its elements while they are read."""

    def __init__(self, victim=None):
        self.extend([Clears(self), 1, 2])


class Clears:
    """An integer that empties a list when it is read."""

    def __init__(self, victim):
        self.victim = victim

    def __index__(self):
        self.victim.clear()
        return 1

    def __float__(self):
        self.victim.clear()
        return 1.0

    def __bool__(self):
        self.victim.clear()
        return True


class Reshapes:
    """An integer that gives an array another shape when it is read."""

    def __init__(self, array):
        self.array = array

    def __index__(self):
        try:
            if self.array.ndim == 1:
                self.array.shape = (1,) * 9 + (self.array.size,)
            else:
                self.array.shape = self.array.size
        except (AttributeError, ValueError):
            pass
        return 1


class Subclass(cp.ndarray):
    """As users write them."""


class FinalizeFails(cp.ndarray):
    """Cannot be made."""

    def __array_finalize__(self, parent):
        raise RuntimeError("asked for")


class Interface:
    """Exports memory that makes no sense."""

    def __init__(self, **changes):
        self.__cuda_array_interface__ = {
            "shape": (0,),
            "typestr": "<f4",
            "data": (0, False),
            "version": 3,
            **changes,
        }


class NoCapsule:
    """Says that it exports DLPack."""

    def __dlpack__(self, **kwargs):
        return "x"

    def __dlpack_device__(self):
        return (1, 0)


def recursive():
    x = []
    x.append(x)
    return x


def deep():
    x = [1]
    for _ in range(2000):
        x = [x]
    return x


def array(rng):
    """An array of any dtype and of a small shape, contiguous or not."""
    shapes = [(), (0,), (1,), (5,), (5,), (3, 4), (4, 4), (4, 4), (2, 0), (2, 3, 4)]
    if not hasattr(rng, "shape"):
        rng.shape = rng.choice(shapes)
    shape = rng.shape if rng.random() < 0.8 else rng.choice(shapes)
    dtype = rng.choice(DTYPES if rng.random() < 0.5 else "fdil")
    size = int(np.prod(shape))
    values = np.arange(size).reshape(shape) % 7
    x = values.astype(dtype)
    if dtype in "efdFD" and size and rng.random() < 0.3:
        x.reshape(-1)[rng.randrange(size)] = rng.choice([NAN, np.inf, -np.inf])
    x = cp.array(x)
    how = rng.random()
    if how < 0.15:
        x = x.T
    elif how < 0.25 and x.ndim:
        x = x[::-1]
    elif how < 0.3:
        x = cp.broadcast_to(x, (2, *x.shape))
    elif how < 0.33:
        x = x.view(Subclass)
    return x


def spread(rng):
    """Whether it is one element, a hole or a negative stride that is looked at."""
    x = cp.arange(24).reshape(2, 3, 4)
    return rng.choice([x[:, ::2], x[..., ::-1], x[1:1], x[:, 0, None], x.T[::2]])


def structured(rng):
    return rng.choice(
        [
            np.zeros(3, [("a", "i4"), ("b", "f8")]),
            np.array(["a", "bc"]),
            np.array([b"x"]),
            np.array([None, 1, "x"], object),
            np.array(["2020-01-01"], "M8[D]"),
            np.array([1, 2], ">i4"),
            np.ones(3, "g"),
            np.void(b"abc"),
            np.datetime64("2020-01-01"),
            np.ma.masked_array([1, 2], [0, 1]),
        ]
    )


def numpy_array(rng):
    x = np.arange(12, dtype=rng.choice(DTYPES)).reshape(3, 4)
    return rng.choice([x, x[0], x.T, x[:0], x[0, 0], x[0, 0, None]])


def integer(rng):
    return rng.choice(
        [0, 1, -1, 2, 3, 7, -5, 33, 1 << 31, 1 << 62, 1 << 63, -(1 << 63), 1 << 64]
        + [10**30, -(10**400), 10**6, np.int8(-3), np.uint64((1 << 64) - 1), True]
    )


def shape(rng):
    return rng.choice(
        [(), (3,), (3, 4), (4, 3), (12,), (-1,), (-1, -1), (2, -1), (0,), (1,) * 64]
        + [(1,) * 65, (1 << 31, 1 << 31), (1 << 62, 4), (1 << 20,) * 5, (1 << 40, 0)]
        + [(2.5,), (None,), ("a",), [2, 3], [2, [3]], (NAN,), (-2, 3), (1 << 70,)]
    )


def index(rng):
    one = [0, -1, 5, 1 << 63, None, ..., True, slice(None), slice(None, None, -1)]
    one += [slice(5, 1), slice(None, None, 0), slice("a"), 1.5, "a", [0, 1], [], [9]]
    one += [cp.array([0, 1]), cp.array([True, False, True]), cp.array([[0, -1]])]
    one += [np.array([1]), np.array([1.5]), [[0], [1, 2]], cp.array([1 << 40])]
    if rng.random() < 0.4:
        return rng.choice(one)
    return tuple(rng.choice(one) for _ in range(rng.choice([1, 2, 2, 3, 4, 40])))


def text(rng):
    return rng.choice(
        [
            "",
            "a",
            "C",
            "F",
            "K",
            "i",
            "ij,jk->ik",
            "ij->",
            "...i,i",
            "->",
            "wrap",
            "raise",
        ]
        + ["clip", "unsafe", "same_kind", "safe", "full", "valid", "reflect", "edge"]
        + ["linear", "\0", "é" * 300, "ortho", "fro", "nuc", "L", "U", "left", "stable"]
        + ["reduced", "(n),(n)->()", "float32", "object", "S", "V0", "M8", ">f8", b"x"]
    )


def dtype(rng):
    return rng.choice(
        [
            *DTYPES,
            "f4",
            "O",
            "S3",
            "U",
            "M8[s]",
            ">f4",
            "V8",
            "(2,)f4",
            "bfloat16",
            float,
        ]
        + [int, object, str, None, np.float16, np.dtype("i2"), [("a", "f4")], "nope", 7]
    )


def sequence(rng):
    return rng.choice(
        [
            list,
            lambda: [[]],
            lambda: [1, 2, 3],
            lambda: [[1, 2], [3]],
            lambda: [1, "a"],
            lambda: [None],
            lambda: [[1.5, 2], [NAN, 4]],
            lambda: (0, 1),
            lambda: (1, 0),
            lambda: (0, 0),
            lambda: (-1, 9),
            lambda: [array(rng), array(rng)],
            lambda: (array(rng),) * 3,
            lambda: [cp.ones(3), [1, 2, 3]],
            lambda: [np.ones(2), cp.ones(2)],
            lambda: [1 << 63, -1],
            lambda: [1 << 64],
            lambda: [1j, 2],
            lambda: [True, 2],
            lambda: [Raises(), 1],
            lambda: {1, 2},
            lambda: {"a": 1},
            lambda: range(4),
            lambda: iter([1, 2]),
            lambda: (x for x in [1, 2]),
            Shrinks,
            lambda: [Shrinks(), [1, 2, 3]],
            recursive,
            deep,
            LongSequence,
            lambda: [LongSequence()],
            lambda: [[0] * 40] * 40,
        ]
    )()


def odd(rng):
    return rng.choice(
        [
            lambda: None,
            lambda: Ellipsis,
            lambda: NotImplemented,
            object,
            Raises,
            lambda: NAN,
            lambda: float("inf"),
            lambda: -1.5,
            lambda: 1e300,
            lambda: 1 + 2j,
            lambda: decimal.Decimal("1.5"),
            lambda: fractions.Fraction(1, 3),
            lambda: b"abc",
            lambda: bytearray(b"abcdefgh"),
            lambda: memoryview(b"abcd"),
            lambda: memoryview(b"abcdabcd").cast("i"),
            lambda: Reshapes(cp.arange(6)),
            lambda: cp.add,
            lambda: np.add,
            lambda: len,
            lambda: cp,
            lambda: cp.ndarray,
            lambda: lambda *args: args[0],
            lambda: cp.ndarray.__new__(cp.ndarray),
            lambda: cp.ndarray.__new__(Subclass),
            lambda: cp.zeros((1,) * 64),
            lambda: cp.broadcast_to(cp.ones((), "i1"), (1 << 8, 1 << 8)),
            lambda: np.zeros((1,) * 40),
            lambda: cp.ones(3).flat,
            lambda: cp.ones(3).data,
            lambda: cp.ones(3).flags,
            lambda: cp.ones((2, 2)).view(FinalizeFails),
            lambda: slice(1 << 70, None, -1),
            lambda: Interface(shape=(1 << 62, 8)),
            lambda: Interface(shape="x"),
            lambda: Interface(data=None),
            lambda: Interface(strides=(1, 2)),
            lambda: Interface(typestr="<q9"),
            lambda: Interface(shape=(-1,)),
            lambda: Interface(stream=0),
            NoCapsule,
            lambda: np.float32(3),
            lambda: np.complex128(NAN),
            lambda: np.longdouble(1),
            lambda: cp.cuda.Device(0),
            lambda: cp.cuda.Stream(),
            lambda: cp.random.RandomState(1),
        ]
    )()


KINDS = [array, array, array, spread, structured, numpy_array, integer, integer, shape]
KINDS += [index, text, dtype, sequence, sequence, odd, odd]


def small(rng):
    return rng.choice([0, 0, 1, 1, -1, 2, 3])


def indices(rng):
    return cp.array(rng.choice([[0, 1, 2], [0], [[1, 0], [2, 2]], [-1], [7]]))


# What a parameter of that name takes. Those not here take arrays.
SENSIBLE = {
    "axis axis1 axis2 start n k M N decimals ndmin num shift seed deg ord bins": [
        small
    ],
    "source destination low high offset pad_width width minlength repeats": [small],
    "axes": [shape, small],
    "dtype": [dtype],
    "order mode kind subscripts method boundary casting norm side UPLO": [text],
    "shape newshape size reps dims": [shape, small],
    "indices ind index": [indices, small, index],
    "where condition mask keepdims copy subok endpoint full": [array, small],
    "arrays tup arys operands xi condlist choicelist choices": [sequence],
    "p q scale loc": [lambda rng: rng.random()],
}
SENSIBLE = {name: kinds for names, kinds in SENSIBLE.items() for name in names.split()}
KEYWORDS = "axis dtype out keepdims order where initial casting mode shape size n norm"
KEYWORDS += " kind decimals axes ndmin copy like side method k stream blocks ddof subok"
KEYWORDS = KEYWORDS.split()


def any_value(rng):
    return rng.choice(KINDS)(rng)


def sensible(rng, name):
    return rng.choice(SENSIBLE.get(name, [array]))(rng)


def complaint(function, *args, **kwargs):
    try:
        function(random.Random(0), args, kwargs)
    except TypeError as error:
        return str(error)
    except Exception:
        pass
    return ""


def learn(function):
    """The names of what a call requires and of what else it takes, as errors tell."""
    required = re.findall(r"'(\w+)'", complaint(function).partition("missing")[2])
    arity = re.search(r"(?:exactly|at least|expected|takes) (\w+)", complaint(function))
    numbers = {"one": 1, "two": 2, "1": 1, "2": 2, "3": 3, "4": 4}
    if not required and arity:
        required = ["x"] * numbers.get(arity[1], 0)
    given = [cp.ones(3)] * len(required)
    keywords = [
        k
        for k in [*KEYWORDS, *getattr(function, "names", [])]
        if "keyword" not in complaint(function, *given, **{k: object()})
    ]
    return required, [k for k in keywords if k not in required]


def arguments(rng, required, keywords):
    """Positional and keyword arguments: sensible ones often enough to get somewhere."""
    wrong = rng.choice([0, 0, 0.2, 0.5, 1])
    many = len(required) if rng.random() < 0.8 else rng.randrange(5)
    args = []
    for i in range(many):
        if i < len(required) and rng.random() >= wrong:
            args.append(sensible(rng, required[i]))
        else:
            args.append(any_value(rng))
    kwargs = {}
    for _ in range(rng.choice([0, 0, 1, 1, 2, 3]) if keywords else 0):
        name = rng.choice(keywords)
        good = rng.random() >= wrong
        kwargs[name] = sensible(rng, name) if good else any_value(rng)
    if rng.random() < 0.1:  # the array is changed while its arguments are read
        victim = next((a for a in args if type(a) is cp.ndarray), None)
        if victim is not None and len(args) > 1:
            args[-1] = Reshapes(victim)
        elif victim is not None and keywords:
            kwargs[rng.choice(keywords)] = Reshapes(victim)
    return args, kwargs


def parameters(function):
    try:
        found = inspect.signature(function).parameters.values()
    except (ValueError, TypeError):
        return []
    simple = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return [p.name for p in found if p.kind in simple]


# ---- what is called ------------------------------------------------------------------

# Those that wait for input, work on the user's files, or are given addresses.
NOT_CALLED = {"fromfile", "UnownedMemory", "test", "set_printoptions"}


def public(module):
    return {
        name: getattr(module, name)
        for name in dir(module)
        if not name.startswith("_")
        and name not in NOT_CALLED
        and callable(getattr(module, name))
        and not inspect.ismodule(getattr(module, name))
        and not (
            inspect.isclass(getattr(module, name))
            and issubclass(getattr(module, name), (BaseException, np.generic))
        )
    }


def bound(make, names):
    """Methods, looked up on a new object for each call."""

    def caller(name):
        def call(rng, args, kwargs):
            return getattr(make(rng), name)(*args, **kwargs)

        return call

    return {name: caller(name) for name in names}


def plain(functions):
    def caller(function):
        def call(rng, args, kwargs):
            return function(*args, **kwargs)

        call.names = parameters(function)
        return call

    return {name: caller(function) for name, function in functions.items()}


def attribute_setter(name):
    def call(rng, args, kwargs):
        setattr(array(rng), name, args[0] if args else None)

    return call


def of_ndarray():
    skipped = {"__class__", "__init_subclass__", "__subclasshook__", "__new__"}
    names = [n for n in dir(cp.ndarray) if n not in skipped | {"tofile", "dump"}]
    methods = [n for n in names if callable(getattr(cp.ndarray, n))]
    found = bound(array, methods)
    for name in [n for n in names if n not in methods]:
        found[f"{name}="] = attribute_setter(name)
    index_calls = {
        "get item": lambda rng, a, k: array(rng)[index(rng)],
        "set item": lambda rng, a, k: array(rng).__setitem__(
            index(rng), any_value(rng)
        ),
        "set items": lambda rng, a, k: spread(rng).__setitem__(index(rng), array(rng)),
        "never made": lambda rng, a, k: getattr(
            cp.ndarray.__new__(cp.ndarray), rng.choice(names)
        ),
        "never made, called": lambda rng, a, k: getattr(
            cp.ndarray.__new__(cp.ndarray), rng.choice(methods)
        )(*a, **k),
        "iterator": lambda rng, a, k: array(rng).flat[index(rng)],
    }
    return {**found, **{n: f for n, f in index_calls.items() for _ in range(1)}}


def of_ufuncs():
    found = {}
    for name, ufunc in public(cp).items():
        if isinstance(ufunc, cp.ufunc):
            methods = ["__call__", "reduce", "accumulate", "reduceat", "outer", "at"]
            for method in methods:
                found[f"{name}.{method}"] = bound(lambda rng, u=ufunc: u, [method])[
                    method
                ]
    return found


def of_kernels():
    def elementwise(rng):
        return cp.ElementwiseKernel(
            rng.choice(["T x, T y", "float32 x, raw T y", "T x", "", "Q x", "int32 n"]),
            rng.choice(["T z", "float64 z", "", "raw T z", "T"]),
            rng.choice(["z = x", "", "z = x + y[i]"]) if rng.random() < 0.05 else "",
        )

    def reduction(rng):
        return cp.ReductionKernel(
            rng.choice(["T x", "T x, T y"]), "T z", "x", "a + b", "z = a", "0"
        )

    def raw(rng):
        source = (
            'extern "C" __global__ void f(float *x, int n) { if (n == 3) x[0] = 1; }'
        )
        return cp.RawKernel(source, rng.choice(["f", "f", "g", ""]))

    found = bound(elementwise, ["__call__"])
    found["reduction"] = bound(reduction, ["__call__"])["__call__"]
    found["raw"] = lambda rng, args, kwargs: raw(rng)(
        *[rng.choice([shape, sequence, odd, integer])(rng) for _ in range(2)],
        rng.choice([(), (None,), (1,), "x", (cp.ones(3), "x"), (cp.ones(3), 1, 2)]),
    )
    classes = {n: getattr(cp, n) for n in dir(cp) if n.endswith(("Kernel", "Module"))}
    return {**found, **plain(classes)}


def of_random():
    found = plain(public(cp.random))
    for name in (n for n in dir(cp.random.RandomState) if not n.startswith("_")):
        found[f"RandomState.{name}"] = bound(
            lambda rng: cp.random.RandomState(3), [name]
        )[name]
    for name in (n for n in dir(cp.random.Generator) if not n.startswith("_")):
        found[f"Generator.{name}"] = bound(
            lambda rng: cp.random.default_rng(3), [name]
        )[name]
    return found


def of_cuda():
    kept = (
        "Device Event ExternalStream Graph Memory MemoryAsync MemoryPool PinnedMemory"
    )
    kept = {*kept.split(), "Stream", "alloc", "alloc_pinned_memory", "MemoryPointer"}
    kept |= {"get_device_id", "get_elapsed_time", "MemoryAsyncPool", "PinnedMemoryPool"}
    found = plain({n: f for n, f in public(cp.cuda).items() if n in kept})
    # Their methods that take addresses are as dangerous as they say.
    methods = "__add__ __sub__ __eq__ __hash__ __int__ memset copy_from_host set get"
    found.update(
        {
            f"ndarray of memory {n}": f
            for n, f in bound(
                lambda rng: cp.cuda.alloc(64), methods.split()[:5]
            ).items()
        }
    )
    found["ndarray of memory"] = lambda rng, args, kwargs: cp.ndarray(
        shape(rng),
        dtype(rng),
        cp.cuda.alloc(64),
        rng.choice([None, shape(rng), (4,), (-4,), (1 << 60, 8)]),
    )
    return found


def of_cupricx():
    import cupricx
    import cupricx.scipy.signal

    found = plain(public(cupricx))
    found.update(plain(public(cupricx.scipy.signal)))
    return found


def of_main():
    everything = public(cp)
    return plain(
        {
            n: f
            for n, f in everything.items()
            if not isinstance(f, cp.ufunc) and not n.endswith(("Kernel", "Module"))
        }
    )


GROUPS = {
    "main": of_main,
    "ndarray": of_ndarray,
    "ufuncs": of_ufuncs,
    "linalg": lambda: plain(public(cp.linalg)),
    "fft": lambda: plain(public(cp.fft)),
    "random": of_random,
    "cuda": of_cuda,
    "kernels": of_kernels,
    "cupricx": of_cupricx,
}


# ---- the process ---------------------------------------------------------------------


class TookLongError(BaseException):
    """So that no function's own handling of errors swallows it."""


def stop(*_):
    raise TookLongError


def limit_memory():
    """Beyond this there is MemoryError, and not a machine on its knees."""
    cp.get_default_memory_pool().set_limit(size=64 << 20)
    # A GPU's driver and the sanitizers reserve far more addresses than they use.
    sanitized = "libasan" in os.environ.get("LD_PRELOAD", "")
    if not sanitized and os.environ.get("CUPRIC_DEVICE") != "cuda":
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


def one_call(function, rng, learned):
    args, kwargs = arguments(rng, *learned)
    result = function(rng, args, kwargs)
    if rng.random() < 0.3:
        repr(result)


def run(group, seed, count, log, only=None):
    functions = GROUPS[group]()
    signal.signal(signal.SIGALRM, stop)
    with open(log, "w", encoding="utf-8") as out:
        for name, function in functions.items():
            if only and name != only:
                continue
            learned = learn(function)
            for i in range(seed, seed + count):
                out.seek(0)
                out.write(f"{group} {i} {name}\n")
                out.truncate()
                out.flush()
                faulthandler.dump_traceback_later(HANGS, exit=True)
                signal.alarm(SECONDS)
                try:
                    one_call(function, random.Random(f"{name} {i}"), learned)
                except (Exception, TookLongError):
                    pass
                finally:
                    signal.alarm(0)
        faulthandler.cancel_dump_traceback_later()
        cp.arange(10).sum().item()  # it still works
        out.seek(0)
        out.write("done\n")
        out.truncate()


if __name__ == "__main__":
    faulthandler.enable()
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    threading.stack_size(16 << 20)
    limit_memory()
    run(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], *sys.argv[5:6])
