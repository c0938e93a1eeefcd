"""Kernels of a loaded module: Function and Module."""


def __getattr__(name):
    # They belong to the layer of kernels, above this one.
    if name in ("Function", "Module"):
        from cupric import _core

        return getattr(_core, name)
    raise AttributeError(f"module 'cupric.cuda.function' has no attribute {name!r}")
