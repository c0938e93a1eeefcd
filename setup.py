"""Build cupric: the core, `cupric/_core*.so`, and the devices beside it: `_host.so`,
and, where CUDA's toolkit is, `_cuda.so` and `_cub.so`.

    python3 setup.py build_ext --inplace     build into python/cupric/
    pip install .                            build and install

Each source is compiled to an object of its own, in parallel, and again only when it, a
header it includes or its command line has changed. Objects are kept under build/.

Read from the environment: CC, CXX, CPPFLAGS, CFLAGS, CXXFLAGS, LDFLAGS;
CUPRIC_BUILD_JOBS (default: the CPUs available); CUPRIC_WERROR=1 or CI=true (warnings
are errors); CUPRIC_SANITIZE=address,undefined or thread (objects in a folder of their
own); CUDA_HOME, CUDA_PATH (the toolkit; otherwise that of nvcc on PATH, or
/usr/local/cuda); CUPRIC_CUDA_ARCHS (the architectures that built-in kernels and
`_cub.so` are compiled for, as "80;90;100"; empty: none); CUPRIC_BUILD_VERBOSE=1 (show
the commands). ccache is used when it is there.
"""

import functools
import hashlib
import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

ROOT = Path(__file__).resolve().parent
os.chdir(ROOT)
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "python/cupric/_lib")]
import _build as library_kernels  # noqa: E402
import kernel_archive  # noqa: E402
import kernel_keys  # noqa: E402

# Headers that the host device compiles users' kernels against: where they lie in the
# tree, and under which name of package_dir/include they are found at run time.
HEADERS = {Path("cuda/include"): ".", Path("cuda/host"): "host"}

INCLUDES = ["-Isrc", "-Icuda/include"]
WARNINGS = ["-Wall", "-Wextra", "-Wshadow", "-Wvla"]

# The results of a loop must not depend on how the compiler vectorised it, so products
# and sums stay apart (-ffp-contract=off) and nothing of -ffast-math that changes a
# value is on. -fno-trapping-math and -fno-math-errno give up only the floating-point
# flags and errno, which nothing here reads; without them selections and sqrt do not
# vectorise.
COMMON = [
    "-O3",
    "-fPIC",
    "-pthread",
    "-fvisibility=hidden",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-trapping-math",
]
C_FLAGS = ["-std=c11", "-D_DEFAULT_SOURCE", "-Wmissing-prototypes"]
# Device code wraps on integer overflow, as NumPy does; in the core it is a mistake.
CXX_FLAGS = ["-std=c++17", "-fvisibility-inlines-hidden", "-fwrapv"]
LIBS = ["-ldl", "-lm"]

WARNED = " with warnings"  # ends the stamp of an object that compiled with some
# Which compiled kernels these use depends on the headers.
ASKS_FOR_ARCHIVE = Path("src/cuda/binaries.c")
ASKS_FOR_KERNELS = Path("src/host/shipped.c")
WRITES_KERNELS = [*map(str, kernel_keys.WRITERS), "src/cuda/archive.c"]
OVERRIDE = "cupric-build:"  # in the first line of a source: flags for that file
USUAL_ARCHS = ";".join(map(str, kernel_archive.ARCHS))
NVCC_AT_LEAST = (12, 4)  # whose CUB sorts keys of one's own
LEVELS = {"_v3": "x86-64-v3", "_v4": "x86-64-v4"}  # file name's end: instruction set

DEBIAN_HINT = (
    "On Debian or Ubuntu: sudo apt install build-essential python3-dev python3-venv"
)


def core_sources():
    files = Path("src").rglob("*.c")
    return sorted(f for f in files if f.parts[1] not in ("host", "cuda"))


def device_sources(name):
    folder = Path("src") / name
    files = [*folder.rglob("*.c"), *folder.rglob("*.cpp")]
    if platform.machine() not in ("x86_64", "AMD64"):
        files = [f for f in files if not instruction_set(f)]
    return sorted(files)


def cuda_home():
    """The toolkit's folder and that of its cuda.h, or None, None. Nothing of CUDA is
    linked, only headers used."""
    nvcc = shutil.which("nvcc")
    homes = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH")]
    homes += [nvcc and Path(nvcc).resolve().parents[1], "/usr/local/cuda"]
    for home in filter(None, homes):
        for include in (Path(home, "include"), *Path(home).glob("targets/*/include")):
            if (include / "cuda.h").is_file():
                return Path(home), include
    return None, None


def cuda_include():
    return cuda_home()[1]


@functools.cache
def nvcc():
    """The CUDA compiler, or None: also where its CUB sorts no keys but numbers."""
    homes = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH")]
    found = [Path(home, "bin", "nvcc") for home in filter(None, homes)]
    found += [shutil.which("nvcc"), Path("/usr/local/cuda/bin/nvcc")]
    for program in filter(None, found):
        if os.access(program, os.X_OK):
            version = re.search(
                r"release (\d+)\.(\d+)", output_of(program, "--version")
            )
            usable = version and tuple(map(int, version.groups())) >= NVCC_AT_LEAST
            return str(program) if usable and cuda_include() else None
    return None


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def nvcc_command(wanted):
    """Code for each of the architectures `wanted` ("80;90", None: the usual ones) that
    the compiler knows, and for chips after the last the last one's PTX."""
    known = re.findall(r"compute_(\w+)", output_of(nvcc(), "--list-gpu-arch"))
    listed = re.findall(r"\w+", USUAL_ARCHS if wanted is None else wanted)
    archs = [arch for arch in listed if arch in known] or known[:1]
    codes = [f"arch=compute_{a},code=sm_{a}" for a in archs]
    codes.append(f"arch=compute_{archs[-1]},code=compute_{archs[-1]}")
    command = [nvcc(), "-std=c++17", "-O3", "-Xcompiler=-fPIC,-fvisibility=hidden"]
    command += ["-Wno-deprecated-gpu-targets"]
    return command + [f for code in codes for f in ("-gencode", code)]


def extensions():
    found = {
        "cupric._core": core_sources(),
        "cupric._host": device_sources("host"),
        "cupric._cuda": device_sources("cuda") if cuda_include() else [],
        "cupric._cub": sorted(Path("cuda/cub").glob("*.cu")) if nvcc() else [],
    }
    return [Extension(name, list(map(str, files))) for name, files in found.items()]


def instruction_set(source):
    for ending, level in LEVELS.items():
        if source.stem.endswith(ending):
            return [f"-march={level}"]
    return []


def environment_flags(*names):
    return [flag for name in names for flag in shlex.split(os.environ.get(name, ""))]


def sanitizers():
    return os.environ.get("CUPRIC_SANITIZE", "").strip()


def wants_werror():
    return os.environ.get("CUPRIC_WERROR") == "1" or os.environ.get("CI") == "true"


def jobs():
    wanted = os.environ.get("CUPRIC_BUILD_JOBS")
    return int(wanted) if wanted else len(os.sched_getaffinity(0))


class BuildError(SystemExit):
    """Ends the build with a message and no traceback."""

    def __init__(self, message):
        super().__init__(f"\ncupric: {message}")


class Compiler:
    """The commands that turn sources into objects and objects into libraries."""

    def __init__(self, archs):
        self.archs = archs  # that device code is compiled for: CUPRIC_CUDA_ARCHS
        self.cc = self.find("CC", ["cc", "gcc", "clang"], "C")
        self.cxx = self.find("CXX", ["c++", "g++", "clang++"], "C++")
        self.versions = self.version(self.cc) + self.version(self.cxx)
        ccache = shutil.which("ccache")
        self.launcher = [ccache] if ccache and "ccache" not in self.cc[0] else []
        tag = f"{sys.implementation.cache_tag}-{platform.machine()}"
        folder = "-".join([tag, *filter(None, [sanitizers().replace(",", "-")])])
        self.folder = Path("build/objects") / folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self.python = self.python_flags()

    @staticmethod
    def find(variable, names, language):
        given = shlex.split(os.environ.get(variable, ""))
        if given:
            if shutil.which(given[-1]) or shutil.which(given[0]):
                return given
            raise BuildError(f"{variable}={' '.join(given)} is not a program.")
        for name in names:
            if shutil.which(name):
                return [name]
        raise BuildError(f"no {language} compiler was found.\n{DEBIAN_HINT}")

    @staticmethod
    def version(command):
        return subprocess.run(
            [*command, "--version"], capture_output=True, text=True, check=False
        ).stdout.partition("\n")[0]

    def python_flags(self):
        include = Path(sysconfig.get_path("include"))
        if not (include / "Python.h").exists():
            raise BuildError(
                f"Python's header is missing: {include / 'Python.h'}\n{DEBIAN_HINT}"
            )
        try:
            import numpy
        except ImportError:
            raise BuildError(
                "NumPy is needed to build: pip install 'numpy>=2.0'"
            ) from None
        # A build in isolation has NumPy in a new folder each time. Through a link the
        # command line, and so the objects, stay as they were.
        link = self.folder / f"numpy-{numpy.__version__}"
        if not link.exists() or link.resolve() != Path(numpy.get_include()).resolve():
            link.unlink(missing_ok=True)
            link.symlink_to(numpy.get_include())
        return [f"-I{include}", f"-I{link}"]

    def compile_command(self, source):
        if source.suffix == ".cu":
            return nvcc_command(self.archs)
        cxx = source.suffix == ".cpp"
        command = [*(self.cxx if cxx else self.cc), *COMMON]
        command += CXX_FLAGS if cxx else C_FLAGS
        command += WARNINGS
        if sanitizers():
            command += [f"-fsanitize={sanitizers()}", "-fno-sanitize-recover=all"]
            command += ["-O1", "-g1", "-fno-omit-frame-pointer"]
        else:
            command += ["-g0", "-DNDEBUG"]
        command += instruction_set(source)
        command += INCLUDES
        if source.name.startswith("py_") or source == Path("src/module.c"):
            command += self.python
        if source.parts[1] == "cuda":
            command += ["-isystem", str(cuda_include()), "-Icuda"]
        if source == ASKS_FOR_ARCHIVE:
            command += [f"-DCUPRIC_DEVICE_CODE={kernel_archive.device_code():#x}ull"]
        if source == ASKS_FOR_KERNELS:
            code = library_kernels.device_code("cuda/include/cupric", "cuda/host")
            command += [f"-DCUPRIC_DEVICE_CODE={code:#x}ull"]
        command += environment_flags("CPPFLAGS", "CXXFLAGS" if cxx else "CFLAGS")
        return command + first_line_flags(source)

    def link_command(self, objects, exported):
        script = self.folder / f"{exported}.map"
        script.write_text(f"{{ global: {exported}; local: *; }};\n")
        device = any(o.name.endswith(".cu.o") for o in objects)
        cxx = device or any(o.name.endswith(".cpp.o") for o in objects)
        command = [*(self.cxx if cxx else self.cc), "-shared", "-pthread"]
        command += [f"-fsanitize={sanitizers()}"] if sanitizers() else []
        command += [f"-Wl,--version-script={script}", *map(str, objects)]
        command += [*cuda_runtime(), *LIBS] if device else LIBS
        return command + environment_flags("LDFLAGS")


def cuda_runtime():
    """What links it in: machines have a driver, not always the toolkit."""
    folders = [cuda_include().parent / "lib", Path(nvcc()).parents[1] / "lib64"]
    return [*(f"-L{folder}" for folder in folders), "-lcudart_static", "-lrt"]


def first_line_flags(source):
    with open(source, encoding="utf-8") as file:
        line = file.readline()
    if OVERRIDE not in line:
        return []
    return shlex.split(line.split(OVERRIDE, 1)[1].replace("*/", ""))


def stamp_of(*parts):
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()


def dependencies(depfile):
    """The files named in a depfile, or None where it cannot be read."""
    try:
        text = depfile.read_text()
    except OSError:
        return None
    return text.replace("\\\n", " ").partition(":")[2].split()


def is_fresh(target, stamps, inputs):
    """Whether `target` was made by this command, after the last change of `inputs`."""
    try:
        if target.with_suffix(".stamp").read_text() not in stamps:
            return False
        made = target.stat().st_mtime_ns
        return all(os.stat(name).st_mtime_ns <= made for name in inputs)
    except OSError:
        return False


class Task:
    """One source and its object."""

    def __init__(self, compiler, source):
        self.source = source
        self.object = compiler.folder / source.parent / (source.name + ".o")
        self.depfile = self.object.with_suffix(".d")
        self.command = compiler.compile_command(source)
        versions = compiler.versions
        if source.suffix == ".cu":
            versions += output_of(nvcc(), "--version")
        self.stamp = stamp_of(versions, *self.command)
        self.launcher = compiler.launcher

    def is_done(self):
        names = dependencies(self.depfile)
        # Where warnings are errors, what compiled with some is compiled again.
        stamps = [self.stamp] if wants_werror() else [self.stamp, self.stamp + WARNED]
        return names is not None and is_fresh(self.object, stamps, names)

    def run(self):
        self.object.parent.mkdir(parents=True, exist_ok=True)
        stampfile = self.object.with_suffix(".stamp")
        stampfile.unlink(missing_ok=True)
        files = ["-MMD", "-MF", self.depfile, "-c", self.source, "-o", self.object]
        strict = (
            ["-Werror=all-warnings"] if self.source.suffix == ".cu" else ["-Werror"]
        )
        werror = strict if wants_werror() else []
        command = [*self.launcher, *self.command, *werror, *map(str, files)]
        result = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        if result.returncode == 0:
            stampfile.write_text(self.stamp + (WARNED if result.stdout else ""))
        return result.returncode, command, result.stdout


def compile_all(tasks):
    # The largest first, so that no long compilation is left alone at the end.
    todo = [t for t in tasks if not t.is_done()]
    # CUB's files are small and take longest.
    rank = {".cu": 0, ".cpp": 1}
    todo.sort(key=lambda t: (rank.get(t.source.suffix, 2), -t.source.stat().st_size))
    verbose = os.environ.get("CUPRIC_BUILD_VERBOSE") == "1"
    failed = None
    with ThreadPoolExecutor(jobs()) as pool:
        running = {pool.submit(t.run): t for t in todo}
        for count, future in enumerate(as_completed(running), 1):
            status, command, output = future.result()
            name = running[future].source
            print(f"[{count}/{len(todo)}] {shlex.join(command) if verbose else name}")
            if output:
                print(output, flush=True)
            if status:
                failed = name
                pool.shutdown(wait=False, cancel_futures=True)
                break  # as_completed would wait for the cancelled ones for ever
    if failed:
        raise BuildError(f"{failed} did not compile")


def link(compiler, objects, exported, target):
    command = compiler.link_command(objects, exported)
    stamp = stamp_of(compiler.versions, *command)
    if is_fresh(target, [stamp], objects):
        return
    print(f"[link] {target.name}", flush=True)
    result = subprocess.run([*command, "-o", str(target)], check=False)
    if result.returncode:
        raise BuildError(f"{target.name} did not link")
    target.with_suffix(".stamp").write_text(stamp)


def replace_file(source, target):
    """Put a copy of `source` at `target`, which a running process may have mapped."""
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(target.name + ".new")
    shutil.copy2(source, beside)
    os.replace(beside, target)


def build_archive(compiler, wanted, listing):
    """The archive of compiled kernels; None where it can't be made and need not be."""
    codegen = compiler.folder / "codegen.so"
    command = [*compiler.cc, *C_FLAGS, "-O2", "-shared", "-fPIC", "-Isrc"]
    command += [*WRITES_KERNELS, "-o", str(codegen)]
    if subprocess.run(command, check=False).returncode:
        raise BuildError("the writer of kernels did not compile")
    try:
        return kernel_archive.build(
            codegen,
            cuda_home()[0],
            wanted,
            Path("build/kernels"),
            jobs(),
            strict=wants_werror(),
            listing=listing,
        )
    except kernel_archive.Missing as e:
        if wanted:
            raise BuildError(f"no kernels can be compiled: {e}") from None
        print(f"cupric: {e}: kernels will be compiled when they are first used")
        return None
    except (kernel_archive.Failed, LookupError) as e:
        if wants_werror():
            raise BuildError(f"compiling kernels: {e}") from None
        print(f"cupric: no kernels come compiled: {e}")
        return None


def build_library_kernels(compiler, home):
    """What kernel libraries ship, for the host device: `_kernels.so`. The package in
    the folder `home` lists it itself; the list is returned."""
    listed = ROOT / "build/library_kernels/listing.json"
    command = [sys.executable, "-m", "cupricx.kernels", "build", "cupric", "cupricx"]
    command += ["--into", str(home / "cupric"), "--jobs", str(jobs())]
    command += ["--work", str(listed.parent), "--list", str(listed)]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(home), *sys.path[2:]]),
        "CUPRIC_DEVICE": "host",
        "CXX": shlex.join(compiler.cxx),
    }
    if subprocess.run(command, env=environment, check=False).returncode:
        raise BuildError("the kernels of libraries were not compiled")
    return json.loads(listed.read_text())


def link_headers(package):
    """In place of copies: package_dir/include is a folder of links into the tree."""
    include = package / "include"
    if include.is_symlink() or include.exists():
        shutil.rmtree(include)
    include.mkdir()
    for folder, name in HEADERS.items():
        if not folder.is_dir():
            continue
        for entry in [folder] if name != "." else sorted(folder.iterdir()):
            link_path = include / (name if name != "." else entry.name)
            link_path.symlink_to(os.path.relpath(entry, include))


class BuildExt(build_ext):
    """Compiles every library's sources in one parallel pass, then links."""

    EXPORTS = {
        "cupric._core": "PyInit__core",
        "cupric._host": "cupric_backend",
        "cupric._cuda": "cupric_backend",
        "cupric._cub": "cupric_cub",
    }

    def get_ext_filename(self, fullname):
        if not fullname.endswith("_core"):  # not a module: _core opens it with dlopen
            return fullname.replace(".", os.sep) + ".so"
        return super().get_ext_filename(fullname)

    def run(self):
        # The first is off while extensions are built.
        self.in_place = self.inplace or self.editable_mode
        super().run()
        if not sanitizers():  # which this process does not have
            self.build_kernels()

    def build_kernels(self):
        """What comes compiled. The package, which is complete by now, lists it."""
        home = ROOT / "python" if self.in_place else Path(self.build_lib).resolve()
        listing = build_library_kernels(self.compiler_of_kernels, home)
        wanted = self.architectures()
        if wanted == "" or all(e.name != "cupric._cuda" for e in self.extensions):
            return
        archive = build_archive(self.compiler_of_kernels, wanted, listing)
        if archive:
            replace_file(archive, home / "cupric" / "kernels.bin")

    def build_extensions(self):
        wanted = self.architectures()
        if wanted == "":
            self.extensions = [e for e in self.extensions if e.name != "cupric._cub"]
        compiler = self.compiler_of_kernels = Compiler(wanted)
        tasks = {
            ext.name: [Task(compiler, Path(s)) for s in ext.sources]
            for ext in self.extensions
        }
        compile_all([task for group in tasks.values() for task in group])
        for ext in self.extensions:
            built = compiler.folder / Path(self.get_ext_filename(ext.name)).name
            objects = [task.object for task in tasks[ext.name]]
            link(compiler, objects, self.EXPORTS[ext.name], built)
            replace_file(built, Path(self.get_ext_fullpath(ext.name)))

    def architectures(self):
        """Of the kernels that come compiled; None: the usual ones. In place, where code
        changes often, those of the GPUs of this machine."""
        wanted = os.environ.get("CUPRIC_CUDA_ARCHS")
        if sanitizers():
            return ""
        if wanted is None and self.in_place:
            return kernel_archive.own_archs()
        return wanted

    def copy_extensions_to_source(self):
        package = ROOT / "python" / "cupric"
        for ext in self.extensions:
            name = Path(self.get_ext_filename(ext.name)).name
            source = Path(self.build_lib) / "cupric" / name
            target = package / name
            if target.exists() and target.stat().st_mtime == source.stat().st_mtime:
                continue
            replace_file(source, target)
        link_headers(package)


class BuildPy(build_py):
    """Adds the headers to the package."""

    def run(self):
        package = Path(self.build_lib) / "cupric"
        if not self.editable_mode:  # files removed from the tree must not live on here
            shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()
        if not self.editable_mode:
            for folder, name in HEADERS.items():
                if folder.is_dir():
                    copy = package / "include" / name
                    hidden = shutil.ignore_patterns(".*")
                    shutil.copytree(folder, copy, ignore=hidden, dirs_exist_ok=True)


class Sdist(sdist):
    """The tree as it is kept, without what building leaves."""

    def make_release_tree(self, base_dir, files):
        files = [f for f in files if Path(f).parts[0] != "build"]
        super().make_release_tree(base_dir, files)


Path("build").mkdir(exist_ok=True)
setup(
    ext_modules=[extension for extension in extensions() if extension.sources],
    cmdclass={"build_ext": BuildExt, "build_py": BuildPy, "sdist": Sdist},
    options={"egg_info": {"egg_base": "build"}},
)
