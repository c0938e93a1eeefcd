"""Numbers of zeros and orders, as functions of zeros take them."""

import operator

__all__ = ["whole"]


def whole(number, name, least):
    """A whole number from `least` on, which may be a float."""
    try:
        found = operator.index(number)
    except TypeError:
        if not isinstance(number, float) or not number.is_integer():
            raise ValueError(f"{name} must be an integer, not {number!r}") from None
        found = int(number)
    if found < least:
        raise ValueError(f"{name} must be at least {least}, not {found}")
    return found
