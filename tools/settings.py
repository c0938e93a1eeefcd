"""What the environment asks of a build. docs/settings.md lists the variables."""

import os
import shlex


class BuildError(SystemExit):
    """Ends the build with a message and no traceback."""

    def __init__(self, message: str) -> None:
        super().__init__(f"\ncupric: {message}")


def jobs() -> int:
    """Compilations at a time."""
    wanted = os.environ.get("CUPRIC_BUILD_JOBS")
    return int(wanted) if wanted else len(os.sched_getaffinity(0))


def is_verbose() -> bool:
    return os.environ.get("CUPRIC_BUILD_VERBOSE") == "1"


def wants_werror() -> bool:
    return os.environ.get("CUPRIC_WERROR") == "1" or os.environ.get("CI") == "true"


def sanitizers() -> str:
    """As -fsanitize takes them; empty: none."""
    return os.environ.get("CUPRIC_SANITIZE", "").strip()


def wants_cuda() -> bool:
    """Whether the CUDA device is built, where its headers are."""
    return os.environ.get("CUPRIC_CUDA") != "0"


def wants_kernels() -> bool:
    """Whether the kernels of libraries and of built-in operations come compiled."""
    return os.environ.get("CUPRIC_KERNELS") != "0"


def cuda_archs() -> str | None:
    """The architectures that device code is to be compiled for, as "80;90;100"; "all":
    those that are supported; empty: none; None: nothing was said."""
    return "" if sanitizers() else os.environ.get("CUPRIC_CUDA_ARCHS")


def flags(*names: str) -> list[str]:
    """Those that variables such as CFLAGS hold."""
    return [flag for name in names for flag in shlex.split(os.environ.get(name, ""))]
