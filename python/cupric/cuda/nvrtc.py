"""NVRTC's own functions, for programs that call them. Programs are ints.

On the host device, which compiles otherwise, they raise NotImplementedError.

Examples
--------
A CUDA device is needed, as by the functions' own examples, which go on from here.

>>> from cupric.cuda import nvrtc
>>> source = '''
... template <class T> __global__ void fill(T *x) { x[threadIdx.x] = 1; }
... '''
>>> program = nvrtc.createProgram(source, "fill.cu", [], [])  # doctest: +SKIP
>>> nvrtc.addNameExpression(program, "fill<float>")  # doctest: +SKIP
0
>>> nvrtc.compileProgram(program, ["-arch=sm_90"])  # doctest: +SKIP
"""

import ctypes

from cupric import _core

__all__ = [
    "NVRTCError",
    "addNameExpression",
    "check_status",
    "compileProgram",
    "createProgram",
    "destroyProgram",
    "getCUBIN",
    "getLTOIR",
    "getLoweredName",
    "getPTX",
    "getProgramLog",
    "getSupportedArchs",
    "getVersion",
]

_STATUS = {
    1: "NVRTC_ERROR_OUT_OF_MEMORY",
    2: "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
    3: "NVRTC_ERROR_INVALID_INPUT",
    4: "NVRTC_ERROR_INVALID_PROGRAM",
    5: "NVRTC_ERROR_INVALID_OPTION",
    6: "NVRTC_ERROR_COMPILATION",
    7: "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
    8: "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
    9: "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
    10: "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
    11: "NVRTC_ERROR_INTERNAL_ERROR",
}
_library = None


def __dir__():
    return __all__


class NVRTCError(RuntimeError):
    """What NVRTC answered.

    Parameters
    ----------
    status : int
        NVRTC's number of it.
    """

    def __init__(self, status):
        name = _STATUS.get(status, "NVRTC_ERROR")
        super().__init__(f"{name} ({status})")
        self.status = status

    def __reduce__(self):
        return type(self), (self.status,)


def check_status(status):
    """Raise `NVRTCError` unless `status` is 0.

    Parameters
    ----------
    status : int
        What a function of NVRTC returned, an nvrtcResult.

    Raises
    ------
    NVRTCError
        With the name of the error.

    Examples
    --------
    >>> cp.cuda.nvrtc.check_status(0)
    >>> cp.cuda.nvrtc.check_status(5)
    Traceback (most recent call last):
        ...
    cupric.cuda.nvrtc.NVRTCError: NVRTC_ERROR_INVALID_OPTION (5)
    """
    if status != 0:
        raise NVRTCError(status)


def library_path():
    """The file of NVRTC that the device in use compiles with, or None."""
    for name, _, path in _core._components():
        if name == "NVRTC":
            return path
    return None


def _call(name, *args):
    global _library
    if _library is None:
        path = library_path()
        if path is None:
            raise NotImplementedError(
                "NVRTC is not there: it is loaded where devices are CUDA's, see "
                "cupric.show_config()"
            )
        _library = ctypes.CDLL(path)
    check_status(getattr(_library, name)(*args))


def _bytes(name, program):
    """What a pair of functions gives: its size, then itself."""
    size = ctypes.c_size_t()
    _call(f"{name}Size", ctypes.c_void_p(program), ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    _call(name, ctypes.c_void_p(program), text)
    return text.raw


def _text(name, program):
    return _bytes(name, program).partition(b"\0")[0].decode()


def _encoded(text):
    return text if isinstance(text, bytes) else text.encode()


def _strings(texts):
    return (ctypes.c_char_p * len(texts))(*map(_encoded, texts))


def getVersion():
    """NVRTC's version.

    Returns
    -------
    tuple of int
        Major and minor.

    Examples
    --------
    >>> major, minor = nvrtc.getVersion()  # doctest: +SKIP
    >>> major >= 12  # doctest: +SKIP
    True
    """
    major, minor = ctypes.c_int(), ctypes.c_int()
    _call("nvrtcVersion", ctypes.byref(major), ctypes.byref(minor))
    return major.value, minor.value


def getSupportedArchs():
    """The compute capabilities that NVRTC compiles for: 90 for 9.0.

    Returns
    -------
    list of int

    Examples
    --------
    >>> 90 in nvrtc.getSupportedArchs()  # doctest: +SKIP
    True
    """
    count = ctypes.c_int()
    _call("nvrtcGetNumSupportedArchs", ctypes.byref(count))
    archs = (ctypes.c_int * count.value)()
    _call("nvrtcGetSupportedArchs", archs)
    return list(archs)


def createProgram(src, name, headers, include_names):
    """A program of a source.

    Parameters
    ----------
    src : str
        CUDA C++.
    name : str
        What messages call its file.
    headers : sequence of str
        Sources of headers.
    include_names : sequence of str
        What they are included as, one for each.

    Returns
    -------
    int
        The program, for `destroyProgram`.

    Raises
    ------
    ValueError
        There are more headers than names, or fewer.

    Examples
    --------
    >>> source = '#include "one.h"' + " __device__ int x = ONE;"
    >>> headers = ["#define ONE 1"], ["one.h"]
    >>> with_header = nvrtc.createProgram(source, "x.cu", *headers)  # doctest: +SKIP
    >>> nvrtc.compileProgram(with_header, [])  # doctest: +SKIP
    >>> nvrtc.destroyProgram(with_header)  # doctest: +SKIP
    """
    if len(headers) != len(include_names):
        raise ValueError(
            f"{len(headers)} headers have {len(include_names)} names to include them by"
        )
    program = ctypes.c_void_p()
    _call(
        "nvrtcCreateProgram",
        *(ctypes.byref(program), ctypes.c_char_p(_encoded(src))),
        *(ctypes.c_char_p(_encoded(name)), ctypes.c_int(len(headers))),
        *(_strings(headers), _strings(include_names)),
    )
    return program.value


def destroyProgram(prog):
    """Free a program.

    Parameters
    ----------
    prog : int
        The program.

    Examples
    --------
    >>> other = nvrtc.createProgram("", "empty.cu", [], [])  # doctest: +SKIP
    >>> nvrtc.destroyProgram(other)  # doctest: +SKIP
    """
    program = ctypes.c_void_p(prog)
    _call("nvrtcDestroyProgram", ctypes.byref(program))


def compileProgram(prog, options):
    """Compile a program.

    Parameters
    ----------
    prog : int
        The program.
    options : sequence of str
        NVRTC's, such as ``"-arch=sm_90"``.

    Raises
    ------
    NVRTCError
        It does not compile: `getProgramLog` has the messages.

    Examples
    --------
    >>> wrong = nvrtc.createProgram("int f(", "f.cu", [], [])  # doctest: +SKIP
    >>> nvrtc.compileProgram(wrong, [])  # doctest: +SKIP
    Traceback (most recent call last):
        ...
    cupric.cuda.nvrtc.NVRTCError: NVRTC_ERROR_COMPILATION (6)
    >>> nvrtc.destroyProgram(wrong)  # doctest: +SKIP
    """
    count = ctypes.c_int(len(options))
    _call("nvrtcCompileProgram", ctypes.c_void_p(prog), count, _strings(options))


def getPTX(prog):
    """The PTX of a compiled program.

    Parameters
    ----------
    prog : int
        The program.

    Returns
    -------
    str

    Examples
    --------
    >>> ".entry _Z4fillIfEvPT_" in nvrtc.getPTX(program)  # doctest: +SKIP
    True
    """
    return _text("nvrtcGetPTX", prog)


def getCUBIN(prog):
    r"""The machine code of a compiled program.

    Parameters
    ----------
    prog : int
        The program, compiled for a real architecture, ``-arch=sm_90``.

    Returns
    -------
    bytes

    Examples
    --------
    >>> nvrtc.getCUBIN(program)[:4]  # doctest: +SKIP
    b'\x7fELF'
    """
    return _bytes("nvrtcGetCUBIN", prog)


def getLTOIR(prog):
    """The intermediate code of a program that is optimised when it is linked.

    Parameters
    ----------
    prog : int
        The program, compiled with ``-dlto`` for a virtual architecture.

    Returns
    -------
    bytes

    Examples
    --------
    >>> part = nvrtc.createProgram(source, "fill.cu", [], [])  # doctest: +SKIP
    >>> nvrtc.compileProgram(part, ["-arch=compute_90", "-dlto"])  # doctest: +SKIP
    >>> len(nvrtc.getLTOIR(part)) > 0  # doctest: +SKIP
    True
    >>> nvrtc.destroyProgram(part)  # doctest: +SKIP
    """
    return _bytes("nvrtcGetLTOIR", prog)


def getProgramLog(prog):
    """The errors and warnings of a compiled program.

    Parameters
    ----------
    prog : int
        The program.

    Returns
    -------
    str

    Examples
    --------
    >>> nvrtc.getProgramLog(program)  # doctest: +SKIP
    ''
    """
    return _text("nvrtcGetProgramLog", prog)


def addNameExpression(prog, name):
    """Have a template's instance compiled, and its name kept for `getLoweredName`.

    Parameters
    ----------
    prog : int
        The program, not compiled yet.
    name : str
        As C++ writes it: ``"fill<float>"``.

    Returns
    -------
    int
        0.

    Examples
    --------
    >>> other = nvrtc.createProgram(source, "fill.cu", [], [])  # doctest: +SKIP
    >>> nvrtc.addNameExpression(other, "fill<double>")  # doctest: +SKIP
    0
    >>> nvrtc.destroyProgram(other)  # doctest: +SKIP
    """
    _call("nvrtcAddNameExpression", ctypes.c_void_p(prog), _encoded(name))
    return 0


def getLoweredName(prog, name):
    """The mangled name, in the machine code, of what `addNameExpression` was given.

    Parameters
    ----------
    prog : int
        The program, compiled.
    name : str
        Just as it was given.

    Returns
    -------
    str

    Examples
    --------
    >>> nvrtc.getLoweredName(program, "fill<float>")  # doctest: +SKIP
    '_Z4fillIfEvPT_'
    """
    lowered = ctypes.c_char_p()
    _call(
        *("nvrtcGetLoweredName", ctypes.c_void_p(prog), _encoded(name)),
        ctypes.byref(lowered),
    )
    return lowered.value.decode()
