"""Linear time-invariant systems.

Their matrices, polynomials and poles are a few numbers, which the host keeps and
computes; inputs, outputs and responses are arrays of the device.
"""
