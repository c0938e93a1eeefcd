"""The differential fuzzer: random programs, run by NumPy and by cupric, compared.

    python -m tests.fuzz --seed 1 --programs 10000

calls        the table of calls: what is called, with what, and how exact it is
row          how a line of the table is read
values       the values that arrays and scalars hold
draw         drawing the arguments of a call: arrays
choices      … scalars, dtypes, axes, masks
operands     … operands that have to fit, out=
large        … all of these for programs of large arrays
drawn        the values of large arrays
examples     a call of each line, for tests of leaks, faults and threads
scalars      functions for vectorize
remote       the host as a side beside CUDA
indices      drawing indices, axes, shapes
generate     program k of seed s
program      statements, and how they are shown
sides        NumPy, and cupric on a device: where a program runs
bounds       how far a result may be from NumPy's
wide         … of a sum of many short floating numbers, by float64's
compare      what two sides must agree on
replay       a program on two sides, compared after each statement
differences  the deliberate differences, which are passed over
shrink       a program that differs made as short as it can be
workers      many programs, in processes that may crash
"""
