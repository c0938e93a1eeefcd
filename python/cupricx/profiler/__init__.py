"""Measuring how long functions take, on the CPU and on the device."""

from cupricx.profiler._benchmark import benchmark
from cupricx.profiler._ranges import profile, time_range
