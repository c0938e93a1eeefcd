"""NVRTC's own functions, for programs that call them. Programs are ints."""

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
    """Raise `NVRTCError` unless `status` is 0."""
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
    """
    major, minor = ctypes.c_int(), ctypes.c_int()
    _call("nvrtcVersion", ctypes.byref(major), ctypes.byref(minor))
    return major.value, minor.value


def getSupportedArchs():
    """The compute capabilities that NVRTC compiles for: 90 for 9.0.

    Returns
    -------
    list of int
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
    src, name : str
        The source, and the name of its file in messages.
    headers, include_names : sequence of str
        Sources of headers, and what they are included as.

    Returns
    -------
    int
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
    """Free a program."""
    program = ctypes.c_void_p(prog)
    _call("nvrtcDestroyProgram", ctypes.byref(program))


def compileProgram(prog, options):
    """Compile a program.

    Parameters
    ----------
    prog : int
    options : sequence of str

    Raises
    ------
    NVRTCError
        `getProgramLog` says why.
    """
    count = ctypes.c_int(len(options))
    _call("nvrtcCompileProgram", ctypes.c_void_p(prog), count, _strings(options))


def getPTX(prog):
    """A compiled program as assembly.

    Returns
    -------
    str
    """
    return _text("nvrtcGetPTX", prog)


def getCUBIN(prog):
    """A compiled program as machine code.

    Returns
    -------
    bytes
    """
    return _bytes("nvrtcGetCUBIN", prog)


def getLTOIR(prog):
    """A compiled program as what is optimised when it is linked.

    Returns
    -------
    bytes
    """
    return _bytes("nvrtcGetLTOIR", prog)


def getProgramLog(prog):
    """What NVRTC said of a program.

    Returns
    -------
    str
    """
    return _text("nvrtcGetProgramLog", prog)


def addNameExpression(prog, name):
    """Have a template's instance compiled, and its name kept.

    Parameters
    ----------
    prog : int
    name : str
        As C++ would call it: ``"f<float>"``.

    Returns
    -------
    int
        0.
    """
    _call("nvrtcAddNameExpression", ctypes.c_void_p(prog), _encoded(name))
    return 0


def getLoweredName(prog, name):
    """The name in the machine code of what `addNameExpression` was given.

    Returns
    -------
    str
    """
    lowered = ctypes.c_char_p()
    _call(
        *("nvrtcGetLoweredName", ctypes.c_void_p(prog), _encoded(name)),
        ctypes.byref(lowered),
    )
    return lowered.value.decode()
