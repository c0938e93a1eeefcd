"""What goes beyond NumPy: SciPy's functions and tools for devices."""
