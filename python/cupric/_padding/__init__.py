"""Arrays with a border."""

from cupric._padding._pad import *
