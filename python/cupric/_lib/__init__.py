"""What `cupricx`, and modules of `cupric` that have device code, are built on.

kernels     kernel libraries: what makes, compiles, calls and replays them
arguments   reading the arguments of SciPy's functions
algorithms  scans, sorts and reductions by key, of any length, as calls from Python
core        what of cupric's own is no public name
"""
