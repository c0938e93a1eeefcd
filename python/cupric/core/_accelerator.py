"""`cupy._core._accelerator`: which of NVIDIA's libraries CuPy's functions may call.

Here every function chooses by itself what is fast. The lists are kept for programs that
set and read them.
"""

from cupric import _core

__all__ = [
    "ACCELERATOR_CUB",
    "ACCELERATOR_CUTENSOR",
    "ACCELERATOR_CUTENSORNET",
    "get_elementwise_accelerators",
    "get_reduction_accelerators",
    "get_routine_accelerators",
    "set_elementwise_accelerators",
    "set_reduction_accelerators",
    "set_routine_accelerators",
]

ACCELERATOR_CUB = 1
ACCELERATOR_CUTENSOR = 2
ACCELERATOR_CUTENSORNET = 3

_NUMBERS = {
    "cub": ACCELERATOR_CUB,
    "cutensor": ACCELERATOR_CUTENSOR,
    "cutensornet": ACCELERATOR_CUTENSORNET,
}


def _numbers(accelerators):
    """Of a list of their names or numbers, the numbers."""
    found = []
    for given in accelerators:
        number = _NUMBERS.get(given, given)
        if number not in _NUMBERS.values():
            raise ValueError(f"unknown accelerator {given!r}: it can be {[*_NUMBERS]}")
        found.append(int(number))
    return found


def _at_start():
    words = _core._settings().get("CUPY_ACCELERATORS", "cub").replace(",", " ").split()
    return _numbers(words)


_elementwise, _reduction, _routine = _at_start(), _at_start(), _at_start()


def set_elementwise_accelerators(accelerators):
    """Keep a list of names or numbers; it has no effect."""
    _elementwise[:] = _numbers(accelerators)


def set_reduction_accelerators(accelerators):
    """Keep a list of names or numbers; it has no effect."""
    _reduction[:] = _numbers(accelerators)


def set_routine_accelerators(accelerators):
    """Keep a list of names or numbers; it has no effect."""
    _routine[:] = _numbers(accelerators)


def get_elementwise_accelerators():
    """The numbers of the list."""
    return [*_elementwise]


def get_reduction_accelerators():
    """The numbers of the list."""
    return [*_reduction]


def get_routine_accelerators():
    """The numbers of the list."""
    return [*_routine]
