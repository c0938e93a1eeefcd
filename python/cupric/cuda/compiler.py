"""Compilation of device code: errors, and what a kernel may be called."""

import re

__all__ = [
    "CompileException",
    "HIPCCException",
    "JitifyException",
    "NVCCException",
    "compile_using_hipcc",
    "compile_using_nvcc",
    "compile_using_nvrtc",
    "is_valid_kernel_name",
]


def __dir__():
    return __all__


# "kernel.cu:2:5: error: …" and "kernel.cu(2): error: …", with its number or without
_ERROR = re.compile(
    r"^(?P<file>[^\n:(]+)(?::(?P<line>\d+)(?::\d+)?|\((?P<row>\d+)\)): "
    r"(?:fatal |catastrophic )?error[^:\n]*: (?P<text>.*)$",
    re.M,
)
_PLACE = r"^{}(?::(\d+)(?::\d+)?:|\((\d+)\):)"


def _first_error(log, name):
    """The first error as "file:line: message"; that of the source called `name` where
    there is one, or the place in it that leads to another file's."""
    found = list(_ERROR.finditer(log))
    own = [m for m in found if m["file"] == name]
    if not found:
        return None
    first = (own or found)[0]
    file, line = first["file"], first["line"] or first["row"]
    text = first["text"]
    if not own and name:
        place = re.search(_PLACE.format(re.escape(name)), log, re.M)
        if place:
            text = f"{text} (at {file}:{line})"
            file, line = name, place[1] or place[2]
    return f"{file}:{line}: {text}"


class CompileException(Exception):
    """A kernel's source does not compile. The first line of the message is the first
    error, "file:line: message"; what the compiler said follows.

    Parameters
    ----------
    msg : str
        What the compiler said.
    source : str
        The source.
    name : str
        The file's name, as the message shows it.
    options : sequence of str
        The compiler's options.
    backend : str
        Which compiler.
    """

    def __init__(self, msg, source=None, name=None, options=(), backend="nvrtc"):
        super().__init__(msg)
        self._msg = msg
        self._first = _first_error(msg, name)
        self.source = source
        self.name = name
        self.options = options
        self.backend = backend

    def __reduce__(self):
        args = self._msg, self.source, self.name, self.options, self.backend
        return type(self), args

    def __str__(self):
        return self.get_message()

    def __repr__(self):
        return str(self)

    def get_message(self):
        """The compiler's message.

        Returns
        -------
        str

        Examples
        --------
        >>> error = cp.cuda.compiler.CompileException("expected an identifier")
        >>> error.get_message()
        'expected an identifier'
        """
        return f"{self._first}\n\n{self._msg}" if self._first else self._msg

    def dump(self, f):
        """Write the message, the options, and the source with its lines numbered.

        Parameters
        ----------
        f : file
            Of text, open for writing.

        Examples
        --------
        >>> import sys
        >>> given = "1 error", "int f(", "f.cu", ("-std=c++17",)
        >>> cp.cuda.compiler.CompileException(*given).dump(sys.stdout)
        NVRTC compilation error: 1 error
        -----
        Name: f.cu
        Options: -std=c++17
        CUDA source:
        1 int f(
        -----
        """
        lines = (self.source or "").splitlines()
        width = len(str(len(lines)))
        f.write(f"{self.backend.upper()} compilation error: {self}\n")
        f.write("-----\n")
        f.write(f"Name: {self.name}\n")
        f.write(f"Options: {' '.join(self.options)}\n")
        f.write("CUDA source:\n")
        for i, line in enumerate(lines, 1):
            f.write(f"{i:0{width}d} {line.rstrip()}\n")
        f.write("-----\n")
        f.flush()


class NVCCException(Exception):
    """nvcc failed."""


class HIPCCException(Exception):
    """hipcc failed."""


class JitifyException(Exception):
    """Jitify failed."""


def is_valid_kernel_name(name):
    """Whether `name` can be the name of a kernel: a C identifier.

    Parameters
    ----------
    name : str

    Returns
    -------
    bool

    Examples
    --------
    >>> cp.cuda.compiler.is_valid_kernel_name("add_1")
    True
    >>> cp.cuda.compiler.is_valid_kernel_name("add<float>")
    False
    """
    return re.match(r"[a-zA-Z_]\w*\Z", name, re.ASCII) is not None


def _arch():
    """The current device's compute capability: "90"."""
    from cupric import _core

    return _core.Device().compute_capability


def compile_using_nvrtc(
    source,
    options=(),
    arch=None,
    filename="kern.cu",
    name_expressions=None,
    log_stream=None,
    cache_in_memory=False,
    jitify=None,
    method=None,
):
    """Compile a source by NVRTC, which the host device does not use.

    Parameters
    ----------
    source : str
        CUDA C++.
    options : sequence of str
        NVRTC's.
    arch : str, optional
        The compute capability, "90"; by default the current device's.
    filename : str
        Of the source, in messages.
    name_expressions : sequence of str, optional
        Instances of templates to compile.
    log_stream : file, optional
        Receives the compiler's messages.
    cache_in_memory, jitify : bool
        Have no effect.
    method : {'ptx', 'lto'}, optional
        PTX, or intermediate code that is optimised when it is linked; by default a
        cubin.

    Returns
    -------
    code : bytes
    names : dict or None
        The names in it of the name expressions, where there are any.

    Raises
    ------
    CompileException
        The source does not compile.

    Examples
    --------
    A CUDA device is needed.

    >>> from cupric.cuda import compiler
    >>> source = "template <class T> __global__ void fill(T *x) { *x = 1; }"
    >>> given = {"arch": "90", "name_expressions": ["fill<int>"]}
    >>> cubin, names = compiler.compile_using_nvrtc(source, **given)  # doctest: +SKIP
    >>> names  # doctest: +SKIP
    {'fill<int>': '_Z4fillIiEvPT_'}
    """
    from cupric.cuda import nvrtc

    kind = {None: "sm", "ptx": "compute", "lto": "compute"}.get(method)
    if kind is None:
        raise ValueError(f"method must be None, 'ptx' or 'lto', not {method!r}")
    every = [*options, f"-arch={kind}_{_arch() if arch is None else arch}"]
    every += ["-dlto"] if method == "lto" else []
    program = nvrtc.createProgram(source, filename, (), ())
    try:
        for name in name_expressions or ():
            nvrtc.addNameExpression(program, name)
        try:
            nvrtc.compileProgram(program, every)
        except nvrtc.NVRTCError:
            log = nvrtc.getProgramLog(program)
            raise CompileException(log, source, filename, tuple(every)) from None
        if log_stream is not None:
            log_stream.write(nvrtc.getProgramLog(program))
        names = None
        if name_expressions:
            names = {n: nvrtc.getLoweredName(program, n) for n in name_expressions}
        if method == "ptx":
            return nvrtc.getPTX(program).encode(), names
        get = nvrtc.getLTOIR if method == "lto" else nvrtc.getCUBIN
        return get(program), names
    finally:
        nvrtc.destroyProgram(program)


def compile_using_nvcc(
    source,
    options=(),
    arch=None,
    filename="kern.cu",
    code_type="cubin",
    separate_compilation=False,
    log_stream=None,
):
    """Compile a source by nvcc.

    Parameters
    ----------
    source : str
        CUDA C++.
    options : sequence of str
        nvcc's.
    arch : str, optional
        The compute capability, "90"; by default the current device's.
    filename : str
        Of the source, in messages.
    code_type : {'cubin', 'ptx'}
        Machine code or PTX.
    separate_compilation : bool
        The source is part of a program: it is linked with the device's runtime library.
    log_stream : file, optional
        Receives nvcc's messages.

    Returns
    -------
    bytes

    Raises
    ------
    NVCCException
        There is no nvcc.
    CompileException
        The source does not compile.

    Examples
    --------
    The CUDA toolkit is needed.

    >>> source = 'extern "C" __global__ void fill(float *x) { *x = 1; }'
    >>> given = {"arch": "90", "code_type": "ptx"}
    >>> ptx = cp.cuda.compiler.compile_using_nvcc(source, **given)  # doctest: +SKIP
    """
    import shlex
    import subprocess
    import tempfile
    from pathlib import Path

    from cupric.cuda import get_nvcc_path

    if code_type not in ("cubin", "ptx"):
        raise ValueError(f"code_type must be 'cubin' or 'ptx', not {code_type!r}")
    if separate_compilation and code_type == "ptx":
        raise ValueError("separate compilation makes a cubin, no assembly")
    nvcc = get_nvcc_path()
    if nvcc is None:
        raise NVCCException("nvcc is not found: set NVCC to its command line")
    arch = f"-arch=sm_{_arch() if arch is None else arch}"
    with tempfile.TemporaryDirectory() as folder:
        given = Path(folder, filename)
        given.write_text(source)
        made = given.with_suffix(f".{code_type}")
        steps = [[f"--{code_type}", str(given), "-o", str(made)]]
        if separate_compilation:
            part = str(given.with_suffix(".o"))
            steps = [
                ["--device-c", str(given), "-o", part],
                ["--device-link", "--cubin", part, "-o", str(made), "-lcudadevrt"],
            ]
        for step in steps:
            command = [*shlex.split(nvcc), arch, *options, *step]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            if done.returncode:
                said = done.stdout + done.stderr
                raise CompileException(said, source, filename, tuple(options), "nvcc")
            if log_stream is not None:
                log_stream.write(done.stdout)
        return made.read_bytes()


def compile_using_hipcc(source, options, arch, log_stream=None):
    """Compile a source for ROCm, which is not supported.

    Parameters
    ----------
    source, options, arch, log_stream : ignored
        Have no effect.

    Raises
    ------
    HIPCCException
        Always.

    Examples
    --------
    >>> cp.cuda.compiler.compile_using_hipcc("", (), None)
    Traceback (most recent call last):
        ...
    cupric.cuda.compiler.HIPCCException: ROCm is not supported: ...
    """
    raise HIPCCException("ROCm is not supported: compile with nvcc or NVRTC")
