"""The CUDA runtime's interface, part by part: cupric.cuda.runtime has all of it."""
