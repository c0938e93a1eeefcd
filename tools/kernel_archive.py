"""The archive of compiled kernels, cupric/kernels.bin: which kernels it has.

Those of built-in operations are the rules of kernel_keys.py; a few kernels are compiled
together, of an operation and of those beside it. What kernel libraries ship is listed
by the package. How they are compiled, and the file: _archive.py of
python/cupric/_lib/kernels.
"""

import ctypes
import re
from collections.abc import Iterator
from pathlib import Path

from . import ROOT, kernel_keys, part_of_package

_archive = part_of_package("cupric/_lib/kernels/_archive.py")
Failed, Missing = _archive.Failed, _archive.Missing
levels = _archive.levels

INCLUDE = ROOT / "cuda/include"
LINEAR = '#include "cupric/linear.hpp"\n'  # as in src/cuda/linear.c
ELEMENTWISE = kernel_keys.C["KERNEL_ELEMENTWISE"]
# Kernels of a unit at most. A unit is loaded whole, and what reductions, sorts and
# scans do is long.
UNIT_SIZES = {
    ELEMENTWISE: 8,
    kernel_keys.C["KERNEL_GATHER"]: 8,
    kernel_keys.C["KERNEL_SELECT"]: 1,
    kernel_keys.C["KERNEL_SORT"]: 1,
}
UNIT_SIZE = 4
# Whose code is packed, as it is long or few programs begin with it: families of
# kernels, and headers; elementwise functions that take long, too.
PACKED = {
    kernel_keys.C[f"KERNEL_{name}"]
    for name in (
        *("REDUCE", "REDUCEAT", "SCAN", "SELECT", "SORT", "SEARCH", "HISTOGRAM"),
        *("SCATTER", "SCATTER_OP", "CONVOLVE", "RANDOM"),
    )
}
PACKED_HEADERS = (
    "cupric/math/complex.hpp",
    "cupric/math/special.hpp",
    "cupric/special/",
)


def device_code() -> int:
    """See _archive.py."""
    return _archive.device_code(INCLUDE)


def make_units(codegen: ctypes.CDLL, strict: bool = True) -> list:
    """The units of all kernels that the rules name."""
    codegen.cu_archive_hash.restype = ctypes.c_uint64
    codegen.cu_cuda_is_slow.restype = ctypes.c_bool
    hash_of = codegen.cu_archive_hash
    source = ctypes.create_string_buffer(16384)
    name = ctypes.create_string_buffer(256)
    groups, hashes = {}, set()
    for key in kernel_keys.keys(codegen):
        kernels = codegen.cu_cuda_source(ctypes.byref(key), source, len(source))
        codegen.cu_cuda_kernel_name(ctypes.byref(key), name, len(name))
        if kernels == 0:
            what = f"no source for the key {bytes(key).hex()} ({name.value.decode()})"
            if strict:
                raise Failed(what)
            print(f"cupric: {what}")
            continue
        fuses = bool(codegen.cu_cuda_may_fuse(ctypes.byref(key)))
        digest = hash_of(source.value, fuses, b"")
        if digest in hashes:
            continue
        hashes.add(digest)
        text = source.value.decode()
        includes = _archive.split_includes(text)[0]
        packed = key.family in PACKED or any(h in includes for h in PACKED_HEADERS)
        packed |= key.family == ELEMENTWISE and codegen.cu_cuda_is_slow(key.op)
        group = groups.setdefault((key.family, fuses, includes, packed), [])
        size = UNIT_SIZES.get(key.family, UNIT_SIZE)
        if not group or len(group[-1].entries) >= size:
            group.append(_archive.Unit(name.value.decode(), fuses, packed))
        group[-1].add(text, digest, name.value.decode(), kernels)
    units = [unit for group in groups.values() for unit in group]
    return [*units, *linear_units(hash_of)]


def c_types() -> dict[str, str]:
    """The type in C++ of each letter of a dtype."""
    found = re.findall(
        r"DTYPE\(\w+,\s*\w+,\s*'(.)',\s*([^,]+),",
        (ROOT / "src/dtypes.def").read_text(),
    )
    return {letter: name.strip() for letter, name in found}


def linear_units(hash_of: ctypes._CFuncPtr) -> Iterator:
    """A unit for each kernel of linear.hpp, of all its types."""
    by_letter = c_types()
    for kernels, letters in kernel_keys.LINEAR_RULES:
        for kernel in kernels.split():
            if not re.search(rf"\b{kernel}\(", kernel_keys.LINEAR.read_text()):
                continue
            unit = _archive.Unit(kernel, False, True)
            unit.source = LINEAR
            for letter in letters:
                where = "cupric::" if letter in "eEFD" else ""
                name = f"cupric::{kernel}<{where}{by_letter[letter]}>"
                unit.names.append(name)
                digest = hash_of(LINEAR.encode(), False, name.encode())
                unit.entries.append((digest, None))
            yield unit


def build(
    codegen: Path,
    home: Path,
    wanted: str | None,
    folder: Path,
    jobs: int,
    *,
    strict: bool,
    listing: list[dict],
) -> Path:
    """Compile what has changed, and return the archive, a file in `folder`.

    codegen : path of a library of src/cuda/{codegen,archive}.c and src/dtype.c
    home : path of the toolkit
    wanted : the architectures, as tools/cuda.py's archs() gives them
    strict : a kernel that does not compile ends the build; otherwise it is left out
    listing : what kernel libraries ship, as _build.listing() of the package has it
    """
    toolkit = _archive.Toolkit(home, INCLUDE)
    archs = _archive.choose_archs(wanted, toolkit)
    codegen = ctypes.CDLL(str(codegen))
    return _archive.write(
        [*make_units(codegen, strict), *_archive.library_units(listing)],
        toolkit,
        archs,
        folder,
        jobs,
        strict=strict,
    )
