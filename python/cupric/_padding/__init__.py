"""Arrays with a border."""

from cupric._padding.pad import *
