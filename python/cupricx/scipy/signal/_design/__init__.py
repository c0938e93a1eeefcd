"""Design of filters, conversions between their forms, and their responses.

A design is a few numbers: functions of NumPy's arrays compute it on the host, in
float64, and its results are arrays of the device.
"""
