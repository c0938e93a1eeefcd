"""What `cupricx` is built on: kernel libraries, and reading arguments."""

from cupric._lib import _arguments as arguments
from cupric._lib._arguments import Output
from cupric._lib._library import Library, view

__all__ = ["Library", "Output", "arguments", "view"]
