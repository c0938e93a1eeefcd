"""What goes beyond NumPy: SciPy's functions and tools for devices."""

from cupricx._scatter import scatter_add, scatter_max, scatter_min
