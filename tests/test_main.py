"""`python -m cupric program.py` runs a program that says `import cupy`."""

import subprocess
import sys

PROGRAM = """
import sys
import cupy as cp
import cupy.random
from cupyx.scipy.signal import convolve2d
import cupric, cupricx.scipy.signal
assert cp.ndarray is cupric.ndarray and cupy.random is cupric.random
assert convolve2d is cupricx.scipy.signal.convolve2d
assert cp.__name__ == cp.__spec__.name == "cupy"
assert cupric.__name__ == cupric.__spec__.name == "cupric"
assert __name__ == "__main__"
try:
    import cupy.no_such_module
except ModuleNotFoundError as error:
    assert "cupy.no_such_module" in str(error), error
print(sys.argv[1:], cp.arange(3).sum())
"""


def run(*arguments, module="cupric"):
    return subprocess.run(
        [sys.executable, "-m", module, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def test_program(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    result = run(str(path), "-v", "x")
    assert result.stderr == ""
    assert result.stdout == "['-v', 'x'] 3\n"


def test_the_module_that_installs_runs_programs_too(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    result = run(str(path), "-v", "x", module="cupric.as_cupy")
    assert result.stderr == ""
    assert result.stdout == "['-v', 'x'] 3\n"
    result = run("-c", "import cupy; raise SystemExit(7)", module="cupric.as_cupy")
    assert result.returncode == 7
    result = run(str(tmp_path / "none.py"), module="cupric.as_cupy")
    assert result.returncode == 2
    assert "can't open file" in result.stderr


def test_code():
    result = run("-c", PROGRAM, "y")
    assert result.stderr == ""
    assert result.stdout == "['y'] 3\n"


def test_module(tmp_path):
    (tmp_path / "some_program.py").write_text(PROGRAM)
    code = "import sys; sys.path.insert(0, sys.argv.pop()); import cupric.__main__ as m"
    code += "; m.main(['-m', 'some_program', 'z'])"
    result = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.stderr == ""
    assert result.stdout == "['z'] 3\n"


def test_help():
    result = run()
    assert result.returncode == 0
    assert "python -m cupric program.py" in result.stdout


def test_version():
    import cupric

    for option in ("--version", "-V"):
        result = run(option)
        assert (result.returncode, result.stderr) == (0, "")
        assert result.stdout == f"cupric {cupric.__version__}\n"


def test_help_option_is_the_help():
    assert run("--help").stdout == run().stdout
    assert "--version" in run("-h").stdout


def test_program_that_is_not_there():
    result = run("no_such_program.py", "x")
    assert result.returncode == 2
    assert result.stdout == ""
    assert "can't open file 'no_such_program.py': No such file" in result.stderr
    assert "Traceback" not in result.stderr


def test_unknown_option_and_missing_argument():
    for arguments in (["--verbose"], ["-m"], ["-c"]):
        result = run(*arguments)
        assert (result.returncode, result.stdout) == (2, "")
        assert result.stderr.count("\n") == 1
        assert arguments[0] in result.stderr


def test_module_that_is_not_there():
    result = run("-m", "no_such_module_at_all")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == "python -m cupric: No module named no_such_module_at_all\n"


def test_folder_with_a_main(tmp_path):
    (tmp_path / "__main__.py").write_text("import cupy; print(cupy.__name__)")
    assert run(str(tmp_path)).stdout == "cupy\n"
