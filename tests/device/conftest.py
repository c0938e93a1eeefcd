"""A second device."""

import pytest


@pytest.fixture
def other():
    """Device 1; device 0 is the current one."""
    from cupric import cuda  # the command line is not read yet when this file is

    if cuda.runtime.getDeviceCount() < 2:
        pytest.skip("needs two devices")
    with cuda.Device(0):
        yield cuda.Device(1)
