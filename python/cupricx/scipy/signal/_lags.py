"""Lags of a correlation."""

from cupric import _core

__all__ = ["correlation_lags"]


def correlation_lags(in1_len, in2_len, mode="full"):
    """How far `correlate` shifts its second input for each element of the result.

    Parameters
    ----------
    in1_len, in2_len : int
        Lengths of the inputs.
    mode : {'full', 'same', 'valid'}, optional
        As of `correlate`.

    Returns
    -------
    cupric.ndarray

    Raises
    ------
    ValueError
        `mode` is another word.

    Examples
    --------
    >>> from cupricx.scipy.signal import correlation_lags
    >>> correlation_lags(4, 3)
    array([-2, -1,  0,  1,  2,  3])
    >>> correlation_lags(4, 3, "valid")
    array([0, 1])
    """
    if mode == "full":
        return _core.arange(1 - in2_len, in1_len)
    if mode == "same":
        # The middle of 'full', of the length of the first input.
        cut = (in1_len + in2_len - 1) // 2 - in1_len // 2
        start = 1 - in2_len + cut
        return _core.arange(start, start + in1_len)
    if mode == "valid":
        longer = in1_len - in2_len
        return _core.arange(min(longer, 0), max(longer, 0) + 1)
    raise ValueError(f"Mode {mode} is invalid: it is 'full', 'same' or 'valid'")
