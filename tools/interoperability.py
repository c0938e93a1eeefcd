"""Run the tests of packages that have a path for CuPy, on cupric.

    python -m tools.interoperability                 of all of them
    python -m tools.interoperability einops thinc    of some

What is in place in this tree is tried, on the host device, under the name `cupy`; each
package comes from PyPI into build/interoperability. A row of the table in
docs/interoperability.md is printed for each, and below it the tests that failed.
"""

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field

from . import ROOT

FOLDER = ROOT / "build/interoperability"
PYTHON = FOLDER / "venv/bin/python"
COMMON = ("numpy", "scipy", "pytest", "pytest-timeout", "pytest-mock", "hypothesis")
OPTIONS = ("-q", "-p", "no:cacheprovider", "-o", "addopts=", "--tb=line")


@dataclass
class Package:
    """A package on PyPI, and how its tests are run.

    `tests` are names of modules that are installed, after --pyargs; or, where
    `from_sources`, paths in the source distribution. Where that has no tests, those of
    the release `sources` test what is installed.
    """

    requirement: str
    tests: tuple
    options: tuple = ()
    needs: tuple = ()
    env: dict = field(default_factory=dict)
    from_sources: bool = False
    sources: str = ""
    plugin: str = "cupric.as_cupy"

    def name(self):
        """Without a version and extras."""
        return re.match(r"[\w-]+", self.requirement)[0]


# Of POT's tests those of its backends, solvers and distances.
POT = tuple(
    f"test/test_{name}.py"
    for name in (
        *("1d_solver", "backend", "bregman", "circle_solver", "gaussian", "gmm"),
        *("lowrank", "optim", "ot", "partial", "smooth", "solvers", "utils", "weak"),
    )
)
ZARR = tuple(
    f"tests/test_{name}.py" for name in ("api", "buffer", "config", "store/test_memory")
)
# Where scikit-learn tests other arrays than NumPy's.
SKLEARN = tuple(
    f"sklearn.{name}"
    for name in (
        *("_loss.tests.test_link", "_loss.tests.test_loss"),
        *("decomposition.tests.test_pca", "linear_model._glm.tests.test_glm"),
        *("linear_model.tests.test_logistic", "linear_model.tests.test_ridge"),
        *("metrics.cluster.tests.test_common",),
        *("metrics.cluster.tests.test_supervised",),
        *("metrics.tests.test_classification", "metrics.tests.test_common"),
        *("metrics.tests.test_pairwise", "mixture.tests.test_gaussian_mixture"),
        *("model_selection.tests.test_search", "model_selection.tests.test_split"),
        *("model_selection.tests.test_validation", "preprocessing.tests.test_data"),
        *("preprocessing.tests.test_label", "preprocessing.tests.test_polynomial"),
        *("tests.test_calibration", "tests.test_kernel_approximation"),
        *("tests.test_naive_bayes", "tests.test_pipeline"),
        *("utils.tests.test_array_api", "utils.tests.test_extmath"),
        *("utils.tests.test_indexing", "utils.tests.test_multiclass"),
        *("utils.tests.test_optimize", "utils.tests.test_stats"),
        *("utils.tests.test_validation",),
    )
)
SAFE_PATH = {"PYTHONSAFEPATH": "1"}  # not the sources' own package
SCIPY_ENV = {"SCIPY_ARRAY_API": '["cupy"]'}

PACKAGES = {
    "array-api-compat": Package(
        "array-api-compat", ("array_api_compat.tests",), ("-k", "cupy or Cupy")
    ),
    "array-api-extra": Package(
        "array-api-extra",
        ("array_api_extra.tests.main",),
        ("-k", "cupy"),
        ("array-api-compat", "array-api-strict", "lazy-loader"),
    ),
    "einops": Package(
        "einops", ("einops.tests",), env={"EINOPS_TEST_BACKENDS": "numpy,cupy"}
    ),
    "cotengra": Package("cotengra", ("tests",), ("-k", "cupy"), from_sources=True),
    "cuda-histogram": Package("cuda-histogram", ("tests",), from_sources=True),
    "dask": Package(
        "dask[array]",
        tuple(
            f"dask.array.tests.test_cupy_{name}"
            for name in (
                *("core", "creation", "gufunc", "linalg", "overlap", "percentile"),
                *("random", "reductions", "routines", "slicing"),
            )
        ),
    ),
    "gwpopulation": Package(
        "gwpopulation",
        ("test",),
        ("-k", "cupy", "--ignore=test/numpyro_test.py"),  # of JAX alone
        ("astropy",),
        from_sources=True,
    ),
    "opt_einsum": Package("opt_einsum", ("opt_einsum.tests",), ("-k", "cupy")),
    "autoray": Package("autoray", ("tests",), ("-k", "cupy"), from_sources=True),
    "pint": Package(
        "pint",
        (
            "pint/testsuite/test_compat_upcast.py",
            "pint/testsuite/test_compat_downcast.py",
            "pint/testsuite/test_numpy.py",
        ),
        from_sources=True,
    ),
    "poppy": Package("poppy", ("poppy.tests",)),
    "pot": Package(
        "pot",
        POT,
        ("-k", "cupy"),
        ("cython", "setuptools"),
        SAFE_PATH,
        from_sources=True,
        plugin="tools.interoperability_pot",
    ),
    "xarray": Package(
        "xarray",
        tuple(
            f"xarray.tests.test_{name}"
            for name in ("cupy", "duck_array_ops", "duck_array_wrapping")
        ),
        ("-k", "cupy"),
    ),
    "scikit-learn": Package(
        "scikit-learn", SKLEARN, ("-k", "cupy"), env={"SCIPY_ARRAY_API": "1"}
    ),
    "scikit-learn-cupric": Package(  # under its own name
        "scikit-learn",
        SKLEARN,
        ("-k", "cupric"),
        env={"SCIPY_ARRAY_API": "1"},
        plugin="tools.interoperability_sklearn",
    ),
    **{
        f"scipy.{name}": Package(
            "scipy", (f"scipy.{name}",), ("-k", "cupy"), env=SCIPY_ENV
        )
        for name in (
            *("cluster", "constants", "differentiate", "fft", "integrate", "linalg"),
            *("ndimage", "optimize", "signal", "special", "stats"),
        )
    },
    "tensorly": Package("tensorly", ("tensorly",), env={"TENSORLY_BACKEND": "cupy"}),
    "thinc": Package("thinc", ("thinc",), needs=("mock",)),
    "sigpy": Package(
        "sigpy",
        ("tests",),
        ("--import-mode=importlib", "--ignore=tests/learn"),  # of a module that is gone
        ("setuptools", "wheel"),
        SAFE_PATH,
        from_sources=True,
        sources="sigpy==0.1.26",
    ),
    "pylops": Package(
        "pylops", ("pytests",), env={"TEST_CUPY_PYLOPS": "1"}, from_sources=True
    ),
    "sporco": Package("sporco", ("tests/cupy",), from_sources=True),
    "zarr": Package(
        "zarr",
        ZARR,
        ("-m", "gpu"),
        ("pytest-asyncio", "packaging"),
        from_sources=True,
    ),
}


def command(*arguments, **options):
    return subprocess.run([str(a) for a in arguments], check=True, **options)


def install(package):
    """The package and what its tests need; where they are run."""
    if not PYTHON.exists():
        command(sys.executable, "-m", "venv", FOLDER / "venv")
        command(PYTHON, "-m", "pip", "install", "-q", *COMMON)
    pip = (PYTHON, "-m", "pip")
    command(*pip, "install", "-q", package.requirement, *package.needs)
    if not package.from_sources:
        return FOLDER
    sources = FOLDER / "sources"
    name = package.name()
    where = sources / name
    if not where.exists():
        options = ("--no-deps", "--no-binary", name, "-d", sources)
        if package.sources:  # whose build may import what is installed
            options = ("--no-build-isolation", *options)
        release = package.sources or package.requirement
        command(*pip, "download", "-q", *options, release)
        where.mkdir()
        (archive,) = sources.glob(f"{name.replace('-', '_')}-*.tar.gz")
        command("tar", "-xzf", archive, "-C", where, "--strip-components=1")
    return where


def run(name, package):
    """Print the package's row, and which of its tests failed."""
    where = install(package)
    path = os.pathsep.join([str(ROOT / "python"), str(ROOT)])
    env = {**os.environ, "PYTHONPATH": path, "CUPRIC_DEVICE": "host", **package.env}
    pyargs = () if package.from_sources else ("--pyargs",)
    options = ("-p", package.plugin, *OPTIONS, "-W", "ignore", *package.options)
    result = subprocess.run(
        [PYTHON, "-m", "pytest", *options, *pyargs, *package.tests],
        cwd=where,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = result.stdout.splitlines()
    last = lines[-1] if lines else result.stderr.strip()
    counts = dict((k.rstrip("s"), n) for n, k in re.findall(r"(\d+) (\w+)", last))
    version = subprocess.run(
        [PYTHON, "-m", "pip", "show", package.name()],
        capture_output=True,
        text=True,
        check=True,
    )
    number = re.search(r"(?m)^Version: (.*)", version.stdout)[1]
    kinds = ("passed", "failed", "error", "skipped", "xfailed")
    row = (name, number, *(counts.get(kind, "0") for kind in kinds))
    print("| " + " | ".join(row) + " |", flush=True)
    for line in lines:
        if line.startswith(("FAILED", "ERROR")):
            print("   ", line[:200])


if __name__ == "__main__":
    asked = sys.argv[1:] or list(PACKAGES)
    unknown = [name for name in asked if name not in PACKAGES]
    if unknown:
        sys.exit(f"unknown: {', '.join(unknown)}; there are {', '.join(PACKAGES)}")
    for asked_name in asked:
        run(asked_name, PACKAGES[asked_name])
