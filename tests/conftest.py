"""What all tests share: the device they run on, hypothesis's profiles, the leak check.

pytest --device host     on the CPU (the default)
pytest --device cuda     on the GPU
pytest --device all      once on each, one after the other
"""

import gc
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DEVICES = ("host", "cuda")


def pytest_addoption(parser):
    parser.addoption(
        "--device",
        choices=(*DEVICES, "all"),
        default=os.environ.get("CUPRIC_DEVICE", "host"),
        help="where arrays live during the tests (default: CUPRIC_DEVICE, or host)",
    )

    parser.addoption(
        "--bodies",
        choices=("host", "device"),
        default="host",
        help="which bodies kernels of libraries have on the host device",
    )


def pytest_cmdline_main(config):
    """With `all`, run the same command once per device, each in its own process."""
    if config.getoption("--device") != "all":
        return None
    given = list(config.invocation_params.args)
    status = 0
    for device in DEVICES:
        print(f"== --device {device}", flush=True)
        command = [sys.executable, "-m", "pytest", *given, "--device", device]
        status = max(status, subprocess.run(command, check=False).returncode)
    return status


def pytest_configure(config):
    device = config.getoption("--device")
    if device != "all":
        os.environ["CUPRIC_DEVICE"] = device  # before anything imports cupric
    if config.getoption("--bodies") == "device":
        sys.path.insert(0, str(ROOT / "tests"))
        import device_bodies

        device_bodies.use()
    configure_hypothesis(device)


def configure_hypothesis(device):
    try:
        from hypothesis import HealthCheck, settings
        from hypothesis.configuration import set_hypothesis_home_dir
    except ImportError:
        return
    set_hypothesis_home_dir(ROOT / "build" / "hypothesis")
    slow = [HealthCheck.too_slow, HealthCheck.data_too_large]
    # A GPU compiles a kernel for most examples; tests.fuzz draws more of them there.
    examples = 100 if device == "host" else 25
    settings.register_profile(
        "dev",
        deadline=None,
        max_examples=examples,
        suppress_health_check=slow,
    )
    settings.register_profile(
        "ci",
        deadline=None,
        max_examples=examples,
        derandomize=True,
        print_blob=True,
        suppress_health_check=slow,
    )
    default = "ci" if os.environ.get("CI") == "true" else "dev"
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", default))


def pytest_collection_finish():
    """Half a million objects, the tests among them, are for good. Many tests collect
    garbage after each of hundreds of calls, for which they need not be looked at."""
    gc.collect()
    gc.freeze()


def pytest_report_header(config):
    return f"cupric device: {config.getoption('--device')}"


@pytest.fixture(scope="session")
def device(request):
    """The name of the backend in use: "host" or "cuda"."""
    return request.config.getoption("--device")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """`@pytest.mark.only_on("host")`: skipped elsewhere, before any fixture is made."""
    mark = item.get_closest_marker("only_on")
    if mark and item.config.getoption("--device") not in mark.args:
        pytest.skip(f"only on {', '.join(mark.args)}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Blocks of the host device have red zones around them; a test that writes to one
    fails, and so does the one in which such a block is freed. Where the size of blocks
    is what is tested, `@pytest.mark.unguarded` leaves the zones out."""
    core = sys.modules.get("cupric._core")
    if core is None:
        return (yield)
    core._guard(item.get_closest_marker("unguarded") is None)
    result = yield
    found = core._guard_finding()
    if found:
        pytest.fail(f"memory: {found}", pytrace=False)
    return result


def used_bytes():
    """Bytes of live device buffers, after everything unreachable has been collected."""
    import cupric

    gc.collect()
    return cupric.get_default_memory_pool().used_bytes()


@pytest.fixture
def no_leak():
    """Fails the test if device memory that it allocated is still in use at its end.
    Garbage is collected where there may be some: it takes longer than most tests."""
    import cupric

    pool = cupric.get_default_memory_pool()
    before = pool.used_bytes() and used_bytes()
    yield
    after = pool.used_bytes()
    if after != before:
        after = used_bytes()
    assert after == before, f"{after - before} bytes of device memory leaked"
