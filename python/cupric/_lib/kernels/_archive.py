"""Archives of kernels compiled for CUDA, kernels.bin (see src/cuda/archive.c).

Kernels that are compiled together are a unit: NVRTC turns their sources into assembly
for the lowest architecture, ptxas that into machine code for each architecture of the
archive, and fatbinary puts all of it into one compressed image, from which the driver
takes what it can use. Where device code asks for an architecture, as by
__CUDA_ARCH__ >= 800, there is assembly for that one too, for it and those above.

A unit is kept in a folder under a hash of all that it depends on, so that only what has
changed is compiled again. The build reads this before there is a package: it imports
the standard library alone.
"""

import ctypes
import ctypes.util
import hashlib
import itertools
import os
import re
import shutil
import struct
import subprocess
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

__all__ = [
    "Failed",
    "Headers",
    "LibraryUnit",
    "Missing",
    "Toolkit",
    "Unit",
    "checksum",
    "choose_archs",
    "device_code",
    "find_nvrtc",
    "find_tool",
    "finish",
    "levels",
    "library_units",
    "progress",
    "split_includes",
    "write",
    "write_archive",
]

FORMAT = "2"  # how units are made: images of other formats are not taken
LOWEST = 75  # the oldest architecture that runs the assembly
ARCHS = (80, 90, 100)
# As src/cuda/nvrtc.c and src/cuda/binaries.c give them.
OPTIONS = [
    "--std=c++17",
    "--diag-suppress=47",
    "--device-as-default-execution-space",
    "-DINFINITY=__int_as_float(0x7f800000)",
    "-DNAN=__int_as_float(0x7fc00000)",
]
NO_FUSING = "-fmad=false"
LIBRARY_UNIT_SIZE = 8  # kernels of a unit of a library: it is loaded whole

# struct header, entry and unit of src/cuda/archive.c
MAGIC = b"CUPRICA2"
HEADER = struct.Struct("<8sQQQIIII8I")
SUMMED_FROM = 32
ENTRY = struct.Struct("<QII")
UNIT = struct.Struct("<QQQ")
WORD = struct.Struct("<Q")
_NAME = re.compile(r"[\w$]+")
_VARIABLE = re.compile(
    r"^(?:\.visible |\.weak )?\.(?:global|const) [^=;\n]*?(?P<name>[\w$]+)"
    r"(?:\[\d*\])*(?: = [^;\n]*)?;\n",
    re.M,
)
ALIGNMENT = 64


class Missing(Exception):
    """What is needed to compile the kernels wanted is not on this machine."""


class Failed(Exception):
    """A kernel does not compile."""


# ---- what binaries depend on ---------------------------------------------------------


def device_code(include):
    """A hash of all device code and its compiler options: archive and library agree on
    it, or the archive is not used."""
    h = hashlib.sha256(" ".join([*OPTIONS, NO_FUSING]).encode())
    for path in sorted((Path(include) / "cupric").rglob("*")):
        if path.is_file() and not path.name.startswith("."):
            name = path.relative_to(include).as_posix()
            h.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return int.from_bytes(h.digest()[:8], "little")


class Headers:
    """The text of the headers that a source includes, theirs included."""

    PATTERN = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', re.M)

    def __init__(self, include):
        self.include, self.texts, self.included = Path(include), {}, {}

    def closure(self, source):
        """The names of all headers below a source."""
        found, todo = set(), self.PATTERN.findall(source)
        while todo:
            name = todo.pop()
            if name not in found and self.text(name) is not None:
                found.add(name)
                todo += self.included_by(name)
        return sorted(found)

    def included_by(self, name):
        if name not in self.included:
            self.included[name] = self.PATTERN.findall(self.text(name))
        return self.included[name]

    def text(self, name):
        if name not in self.texts:
            path = self.include / name
            self.texts[name] = path.read_text() if path.is_file() else None
        return self.texts[name]

    def all_text(self, source):
        return "".join(f"{n}\0{self.text(n)}\0" for n in self.closure(source))


def levels(text):
    """The architectures that there is assembly for: the lowest one, and those that the
    text asks for."""
    found = {LOWEST}
    for sign, number in re.findall(r"__CUDA_ARCH__\s*([<>=!]+)\s*(\w*)", text):
        if sign not in (">=", "<") or not number.isdigit():
            raise Failed(f"ask for __CUDA_ARCH__ by >= or <, not {sign} {number}")
        found.add(max(LOWEST, int(number) // 10))
    return sorted(found)


def levels_for(archs, found):
    """Those of the levels `found` that an archive for `archs` has: for a single one,
    mostly that of the machine at hand, what its machine code is made from."""
    usable = [level for level in found if level <= max(archs, default=LOWEST)]
    return usable[-1:] if len(archs) == 1 else usable


# ---- the compilers -------------------------------------------------------------------


def find_nvrtc(home):
    places = ["lib64", "lib", "targets/*/lib"]
    files = [f for p in places for f in sorted(home.glob(f"{p}/libnvrtc.so*"))]
    named = ctypes.util.find_library("nvrtc")
    for file in [
        *(f for f in files if ".alt" not in f.name),
        *([named] if named else []),
    ]:
        try:
            return ctypes.CDLL(str(file))
        except OSError:
            continue
    raise Missing("libnvrtc was not found")


def find_tool(home, name):
    found = shutil.which(name, path=str(home / "bin")) or shutil.which(name)
    if not found:
        raise Missing(f"{name} was not found")
    return found


class Toolkit:
    """NVRTC, ptxas and fatbinary of the toolkit at `home`; `include`: our headers."""

    def __init__(self, home, include):
        self.include = include
        self.nvrtc = find_nvrtc(home)
        self.nvrtc.nvrtcGetErrorString.restype = ctypes.c_char_p
        self.ptxas = find_tool(home, "ptxas")
        self.fatbinary = find_tool(home, "fatbinary")
        major, minor = ctypes.c_int(), ctypes.c_int()
        self.nvrtc.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
        self.is_13 = major.value >= 13
        self.has_modes = "--compress-mode" in self.output(self.fatbinary, "--help")
        # Without what our own kernels need not: textures, CUDA's types for C++.
        self.lean = ["--minimal"] if self.is_13 else []
        self.version = f"{major.value}.{minor.value} " + self.output(
            self.ptxas, "--version"
        )

    @staticmethod
    def output(*command):
        return subprocess.run(
            command, capture_output=True, text=True, check=True
        ).stdout

    def pack(self, is_packed, archs):
        """The command that packs the code of a unit for these architectures."""
        # Every driver that runs code of CUDA 13 can unpack Zstandard. "size" saves a
        # sixth of the bytes, and takes a tenth of the compilers' time: for wheels.
        kind = "size" if is_packed and len(archs) > 1 else "balance"
        mode = [f"--compress-mode={kind if self.is_13 else 'speed'}"]
        command = [self.fatbinary, "--64", *(mode if self.has_modes else [])]
        return command + (["--compress-all"] if is_packed else [])  # else PTX alone

    def supported(self):
        n = ctypes.c_int()
        self.nvrtc.nvrtcGetNumSupportedArchs(ctypes.byref(n))
        archs = (ctypes.c_int * n.value)()
        self.nvrtc.nvrtcGetSupportedArchs(archs)
        return set(archs)

    def assembly(self, source, arch, options, names=()):
        """PTX, and the compiler's names for `names`."""
        program = ctypes.c_void_p()
        nvrtc = self.nvrtc
        nvrtc.nvrtcCreateProgram(
            ctypes.byref(program), source.encode(), b"kernels.cu", 0, None, None
        )
        try:
            for name in names:
                nvrtc.nvrtcAddNameExpression(program, name.encode())
            options = [*options, f"-arch=compute_{arch}", f"-I{self.include}"]
            words = (ctypes.c_char_p * len(options))(*[o.encode() for o in options])
            status = nvrtc.nvrtcCompileProgram(program, len(options), words)
            if status:
                raise Failed(self.text(program, "ProgramLog"))
            return self.text(program, "PTX"), [self.lowered(program, n) for n in names]
        finally:
            nvrtc.nvrtcDestroyProgram(ctypes.byref(program))

    def text(self, program, what):
        size = ctypes.c_size_t()
        getattr(self.nvrtc, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
        text = ctypes.create_string_buffer(size.value + 1)
        getattr(self.nvrtc, f"nvrtcGet{what}")(program, text)
        return text.value.decode()

    def lowered(self, program, name):
        found = ctypes.c_char_p()
        self.nvrtc.nvrtcGetLoweredName(program, name.encode(), ctypes.byref(found))
        return found.value.decode()

    def run(self, *command):
        done = subprocess.run(
            [str(word) for word in command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if done.returncode:
            raise Failed(done.stdout)


# ---- units ---------------------------------------------------------------------------


class Unit:
    """Sources that are compiled together, and the hash and the kernels of each.

    To unpack machine code is most of what a module's first use takes: it is not packed
    where a program's first calls may need it. A wheel packs it nearly as well.
    """

    is_lean = True

    def __init__(self, title, fuses, is_packed):
        self.title, self.fuses, self.is_packed = title, fuses, is_packed
        self.source, self.names = "", []
        self.entries = []  # (hash, [kernel name]), or (hash, None): as NVRTC names it

    def add(self, text, hash_, name, kernels):
        """One more source; its `op`, `combiner` and kernels get names of their own."""
        i = len(self.entries)
        includes, rest = split_includes(text)
        if not self.entries:
            self.source = includes
        own = {f"{name}_{k}": f"{name}_n{i}_{k}" for k in range(kernels)}
        renamed = {"op": f"op_{i}", "combiner": f"combiner_{i}", **own}
        lines = [f"#define {old} {new}" for old, new in renamed.items()]
        lines += [rest, *(f"#undef {old}" for old in renamed)]
        self.source += "\n".join(lines) + "\n"
        self.entries.append((hash_, list(own.values())))

    def options(self):
        ours = ("cupric/kernel", "cupric/library")  # which have a type called half
        kernel = ["-DCUDA_NO_HALF"] if any(n in self.source for n in ours) else []
        return OPTIONS + kernel + ([] if self.fuses else [NO_FUSING])

    def digest(self, headers, toolkit, archs):
        parts = [
            FORMAT, toolkit.version, *toolkit.pack(self.is_packed, archs),
            *map(str, archs), *self.options(),
            *self.names, self.source, headers.all_text(self.source),
        ]  # fmt: skip
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]

    def compile(self, toolkit, headers, archs, target):
        """Write the image, and the compiler's names of the kernels beside it."""
        scratch = target.with_suffix(f".{threading.get_ident()}")
        scratch.mkdir(parents=True, exist_ok=True)
        images, lowered, assembly = [], [], {}
        found = levels(headers.all_text(self.source) + self.source)
        for level in levels_for(archs, found):
            options = self.options() + (toolkit.lean if self.is_lean else [])
            text, lowered = toolkit.assembly(self.source, level, options, self.names)
            ptx = assembly[level] = scratch / f"{level}.ptx"
            ptx.write_text(without_unused(text))
            images.append(f"--image3=kind=ptx,sm={level},file={ptx}")
        for arch in archs:
            ptx = assembly[max(level for level in assembly if level <= arch)]
            cubin = scratch / f"{arch}.cubin"
            fused = [] if self.fuses else ["--fmad=false"]
            toolkit.run(toolkit.ptxas, f"-arch=sm_{arch}", *fused, ptx, "-o", cubin)
            images.append(f"--image3=kind=elf,sm={arch},file={cubin}")
        image = scratch / "image"
        pack = toolkit.pack(self.is_packed, archs)
        toolkit.run(*pack, f"--create={image}", *images)
        target.with_suffix(".names").write_text("\n".join(lowered))
        os.replace(image, target)
        shutil.rmtree(scratch)


class LibraryUnit(Unit):
    """Kernels of one library (python/cupric/_lib): as _build.listing lists them."""

    is_lean = False  # others' may use textures

    def __init__(self, library, kernels):
        self.given = library["options"]
        super().__init__(library["title"], NO_FUSING not in self.given, False)
        self.source = library["source"]
        for i, kernel in enumerate(kernels):
            name, own = kernel["name"], kernel["own"]
            if own:  # else an instance of a kernel of the library's code
                renamed = f"{name}_n{i}"
                self.source += f"namespace n{i} {{\n#define {name} {renamed}\n{own}\n"
                self.source += f"#undef {name}\n}}\n"
                self.entries.append((kernel["key"], [renamed]))
            else:
                self.names.append(name)
                self.entries.append((kernel["key"], None))

    def options(self):
        return super().options() + self.given


def library_units(listing):
    """Units of what kernel libraries ship."""
    for library in listing:
        for has_own in (True, False):
            kernels = [k for k in library["kernels"] if bool(k["own"]) == has_own]
            for together in batches(kernels):
                yield LibraryUnit(library, together)


def batches(kernels):
    """Lists of up to LIBRARY_UNIT_SIZE kernels, those of the same types side by side: a
    call's are mostly of the same ones, and are then loaded at once."""
    batch = []
    kernels = sorted(kernels, key=lambda kernel: types_of(kernel["name"]))
    for _, group in itertools.groupby(kernels, lambda kernel: types_of(kernel["name"])):
        group = list(group)
        if batch and len(batch) + len(group) > LIBRARY_UNIT_SIZE:
            yield batch
            batch = []
        while len(group) > LIBRARY_UNIT_SIZE:
            yield group[:LIBRARY_UNIT_SIZE]
            group = group[LIBRARY_UNIT_SIZE:]
        batch += group
    if batch:
        yield batch


def types_of(name):
    """The types among the arguments of a kernel's template, each once."""
    arguments = re.split(r"[<>,\s]+", name.partition("<")[2])
    return sorted({a for a in arguments if a and not a.isdigit()})


def without_unused(assembly):
    """Assembly without variables that nothing reads, which NVRTC leaves of a class's
    ``static constexpr`` members: they get memory of the device, which takes the driver
    0.1 ms when the module is loaded.
    """
    declared = list(_VARIABLE.finditer(assembly))
    if not declared:
        return assembly
    uses = Counter(_NAME.findall(assembly))
    for found in reversed(declared):
        if uses[found["name"]] == 1:
            assembly = assembly[: found.start()] + assembly[found.end() :]
    return assembly


def split_includes(text):
    lines = text.splitlines()
    n = next(i for i, line in enumerate(lines) if not line.startswith("#include"))
    return "\n".join(lines[:n]) + "\n", "\n".join(lines[n:])


# ---- the file ------------------------------------------------------------------------


EACH, SAMPLE = 8, 512  # bytes between the words that are summed, as in archive.c


def checksum(data, step):
    """cu_archive_checksum of src/cuda/archive.c."""
    h = len(data)
    for (word,) in map(WORD.unpack, (data[i : i + 8] for i in range(0, h, step))):
        h = (h ^ word) * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
        h ^= h >> 32
    return h


def write_archive(units, files, archs, target, code):
    """Write the file of units and their images; `code` is device_code()."""
    names, entries, table, images = bytearray(), [], [], bytearray()
    for number, (unit, file) in enumerate(zip(units, files, strict=True)):
        lowered = file.with_suffix(".names").read_text().split("\n")
        for i, (digest, kernels) in enumerate(unit.entries):
            entries.append((digest, number, len(names)))
            names += b"".join(n.encode() + b"\0" for n in kernels or [lowered[i]])
        image = file.read_bytes()
        image += bytes(-len(image) % ALIGNMENT)
        table.append((len(images), len(image), checksum(image, SAMPLE)))
        images += image
    start = HEADER.size + len(entries) * ENTRY.size + len(units) * UNIT.size
    names += bytes(-(start + len(names)) % ALIGNMENT)
    start += len(names)
    tables = b"".join(ENTRY.pack(*e) for e in sorted(entries))
    tables += b"".join(UNIT.pack(start + at, n, c) for at, n, c in table)
    head = [MAGIC, start + len(images), code, 0]
    head += [len(entries), len(units), len(names), 0]
    head += [*archs, *[0] * (8 - len(archs))]
    summed = HEADER.pack(*head)[SUMMED_FROM:] + tables
    head[3] = checksum(summed, EACH)
    beside = target.with_name(target.name + ".new")
    beside.write_bytes(HEADER.pack(*head) + tables + names + images)
    os.replace(beside, target)


def choose_archs(wanted, toolkit):
    """Those named by `wanted` ("80;90"), or what this toolkit has of the usual ones."""
    supported = toolkit.supported()
    if wanted is None:
        return [arch for arch in ARCHS if arch in supported]
    archs = sorted({int(word) for word in re.split(r"[;, ]+", wanted) if word})
    unknown = [arch for arch in archs if arch not in supported]
    if unknown or len(archs) > 8:
        raise Missing(f"CUPRIC_CUDA_ARCHS={wanted}: NVRTC knows {sorted(supported)}")
    return archs


def finish(unit, future, strict):
    try:
        future.result()
    except Failed as e:
        if strict:
            raise Failed(f"{unit.title}: {e}") from None
        print(f"cupric: {unit.title} is left out of the archive: {e}", flush=True)


def progress(count, every=10.0):
    """What is called after each of `count` units, and prints a line at most every
    `every` seconds."""
    start = said = time.monotonic()
    done = 0

    def say():
        nonlocal said, done
        done, now = done + 1, time.monotonic()
        if now - said >= every or (done == count and said > start):
            said = now
            print(f"[kernels] {done}/{count} units, {now - start:.0f} s", flush=True)

    return say


def write(units, toolkit, archs, folder, jobs, *, strict=True):
    """Compile what has changed, and return the archive, a file in `folder`.

    Parameters
    ----------
    units : list of Unit
    toolkit : Toolkit
    archs : list of int
    folder : path
        Of the images, which are kept.
    jobs : int
    strict : bool
        A kernel that does not compile ends the build; otherwise it is left out.
    """
    headers = Headers(toolkit.include)
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"{u.digest(headers, toolkit, archs)}.image" for u in units]
    todo = [(u, f) for u, f in zip(units, files, strict=True) if not f.exists()]
    target = folder / "kernels.bin"
    if todo:
        kernels = sum(len(u.entries) for u, _ in todo)
        print(f"[kernels] {kernels} for {archs}, in {len(todo)} units", flush=True)
    # The longest first, so that none is left alone at the end.
    todo.sort(key=lambda pair: -pair[0].source.count("__global__"))
    say = progress(len(todo))
    with ThreadPoolExecutor(jobs) as pool:
        running = [pool.submit(u.compile, toolkit, headers, archs, f) for u, f in todo]
        try:
            for (unit, _), future in zip(todo, running, strict=True):
                finish(unit, future, strict)
                say()
        finally:
            pool.shutdown(cancel_futures=True)
    done = [i for i, file in enumerate(files) if file.exists()]
    units, files = [units[i] for i in done], [files[i] for i in done]
    code = device_code(toolkit.include)
    write_archive(units, files, archs, target, code)
    kept = {f.stem for f in files}
    for file in folder.iterdir():
        if file.suffix in (".image", ".names") and file.stem not in kept:
            file.unlink()
    return target
