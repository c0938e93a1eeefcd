"""Build cupric: the core, `cupric/_core*.so`, and the devices beside it: `_host.so`,
and, where CUDA's toolkit is, `_cuda.so` and `_cub.so`; then the kernels that come
compiled, `_kernels*.so` and `kernels.bin`.

    python3 setup.py build_ext --inplace     build into python/cupric/
    pip install .                            build and install

This says to setuptools what there is; how it is made is in tools/. What has not changed
since the last time is taken from build/.

Read from the environment: CC, CXX, CPPFLAGS, CFLAGS, CXXFLAGS, LDFLAGS;
CUPRIC_BUILD_JOBS (default: the CPUs available); CUPRIC_WERROR=1 or CI=true (warnings
are errors); CUPRIC_SANITIZE=address,undefined or thread (objects in a folder of their
own); CUPRIC_CUDA=0 (no CUDA device); CUDA_HOME, CUDA_PATH (the toolkit; otherwise that
of nvcc on PATH, or /usr/local/cuda); CUPRIC_CUDA_ARCHS (the architectures that built-in
kernels and `_cub.so` are compiled for, as "80;90;100"; "all": those that are supported;
empty: none; default: those of this machine's GPUs); CUPRIC_KERNELS=0
(no kernels come compiled: each is when it is first used); CUPRIC_BUILD_VERBOSE=1
(show the commands). ccache is used when it is there.
"""

import os
import shutil
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

ROOT = Path(__file__).resolve().parent
os.chdir(ROOT)
sys.path.insert(0, str(ROOT))
from tools import cuda, kernels, libraries, package, settings, stubs  # noqa: E402
from tools.compilers import Compilers  # noqa: E402


class BuildExt(build_ext):
    """The libraries in one parallel pass, then, in the package that has them, the
    stubs, and the kernels that come compiled."""

    def get_ext_filename(self, fullname):
        if not fullname.endswith("_core"):  # not a module: _core opens it with dlopen
            return fullname.replace(".", os.sep) + ".so"
        return super().get_ext_filename(fullname)

    def run(self):
        # The first is off while extensions are built.
        self.in_place = self.inplace or self.editable_mode
        super().run()
        if not settings.sanitizers():  # which this process does not have
            home = ROOT / "python" if self.in_place else Path(self.build_lib).resolve()
            stubs.build(home)
            if not settings.wants_kernels():
                return
            kernels.build(self.compilers, home, cuda.archs(), native=self.in_place)

    def build_extensions(self):
        self.compilers = Compilers(native=self.in_place)
        built = libraries.build(self.compilers, cuda.archs())
        for name, file in built.items():
            package.replace_file(file, Path(self.get_ext_fullpath(name)))

    def copy_extensions_to_source(self):
        folder = ROOT / "python" / "cupric"
        for extension in self.extensions:
            name = Path(self.get_ext_filename(extension.name)).name
            built = Path(self.build_lib) / "cupric" / name
            if built.exists():
                package.replace_file(built, folder / name)
        package.link_headers(folder)


class BuildPy(build_py):
    """Adds the headers to the package."""

    def run(self):
        if not self.editable_mode:  # files removed from the tree must not live on here
            shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()
        if not self.editable_mode:
            package.copy_headers(Path(self.build_lib) / "cupric")


class Sdist(sdist):
    """The tree as it is kept, without what building leaves."""

    def make_release_tree(self, base_dir, files):
        files = [f for f in files if Path(f).parts[0] != "build"]
        super().make_release_tree(base_dir, files)


Path("build").mkdir(exist_ok=True)
setup(
    ext_modules=[
        Extension(name, list(map(str, files)))
        for name, files in libraries.sources(cuda.archs()).items()
    ],
    cmdclass={"build_ext": BuildExt, "build_py": BuildPy, "sdist": Sdist},
    options={"egg_info": {"egg_base": "build"}},
)
