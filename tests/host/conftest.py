"""The plugin, loaded once."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def host():
    from host_plugin import Plugin

    return Plugin()
