"""Compilation of device code: errors, and what a kernel may be called."""

import re

__all__ = [
    "CompileException",
    "HIPCCException",
    "JitifyException",
    "NVCCException",
    "is_valid_kernel_name",
]


class CompileException(Exception):
    """A kernel's source does not compile. The message is the compiler's.

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
        """What the compiler said."""
        return self._msg

    def dump(self, f):
        """Write the source to `f` with its lines numbered, and what led to it."""
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
    """Whether `name` can be the name of a kernel: a C identifier."""
    return re.match(r"[a-zA-Z_]\w*\Z", name, re.ASCII) is not None
