"""Drawing what depends on a shape: indices, axes, shapes, operands that broadcast."""

import numpy as np

_SIZES = (0, 1, 1, 2, 2, 3, 3, 4, 5, 7, 9, 17)
_LARGE = (33, 64, 65, 130, 257)


def shape(rng, most=4):
    """Mostly small; now and then with an axis that loops over vectors and tiles."""
    random = rng.random
    ndim = (0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4)[int(random() * 11)]
    dims = [_SIZES[int(random() * 12)] for _ in range(min(ndim, most))]
    if dims and random() < 0.1:
        dims[-1] = _LARGE[int(random() * 5)]
    while _size(dims) > 600:
        dims[dims.index(max(dims))] //= 2
    return tuple(dims)


def long(rng):
    """Mostly of as many elements as blocks, tiles and threads share."""
    random = rng.random
    kind = random()
    if kind < 0.1:
        return shape(rng, 1)
    if kind < 0.6:
        return (int(10 ** (4 + random())),)
    return tuple(100 + int(random() * 200) for _ in range(2))


def broadcastable(rng, to):
    """A shape that broadcasts to `to`, mostly the same."""
    random = rng.random
    if random() < 0.55:
        return to
    kept = to[int(random() * (len(to) + 1)) :] if random() < 0.5 else to
    return tuple(1 if random() < 0.3 else n for n in kept)


def split_of(rng, size):
    """A shape of `size` elements."""
    dims, left = [], size
    for n in (2, 3, 4, 5):
        if left > 1 and left % n == 0 and rng.random() < 0.5:
            dims.append(n)
            left //= n
    dims.insert(int(rng.random() * (len(dims) + 1)), left)
    if rng.random() < 0.2:
        dims.insert(int(rng.random() * (len(dims) + 1)), 1)
    return tuple(dims)


def axis(rng, ndim):
    if ndim == 0 or rng.random() < 0.02:
        return int(rng.random() * 5) - 2
    return int(rng.random() * 2 * ndim) - ndim


def axes(rng, ndim):
    """None, an int, or a tuple of ints, as the reductions take them."""
    random = rng.random
    kind = random()
    if kind < 0.1:
        return None
    if kind < 0.65 or ndim == 0:
        return axis(rng, ndim)
    some = [a if random() < 0.7 else a - ndim for a in range(ndim) if random() < 0.6]
    if len(some) > 1 and random() < 0.3:
        some.reverse()
    return tuple(some)


def _size(dims):
    size = 1
    for n in dims:
        size *= n
    return size


def _slice(rng, n):
    """The text of a slice of an axis of `n` elements."""
    random = rng.random
    kind = random()
    if kind < 0.2:
        return ":"
    if kind < 0.4:
        return "::-1"
    if kind < 0.5:
        return "::2"
    ends = [str(int(random() * (2 * n + 3)) - n - 1) if random() < 0.6 else ""]
    ends.append(str(int(random() * (2 * n + 3)) - n - 1) if random() < 0.6 else "")
    step = ("", "", "", "-1", "2", "-2", "3", "-3")[int(random() * 8)]
    return f"{ends[0]}:{ends[1]}" + (f":{step}" if step else "")


def view(rng, ndim, long=False):
    """The text of a basic index that gives a view, for use inside an expression."""
    random = rng.random
    kind = random()
    if long:  # no view that broadcasts to a square
        return ("[::-1]", "[..., ::2]", "[1:]", "[:-1]", "[..., ::-1]")[
            int(random() * 5)
        ]
    if ndim == 0:
        return ("[...]", "[None]", "[()]")[int(random() * 2)]
    if kind < 0.25:
        return "[::-1]" if random() < 0.5 else "[..., ::-1]"
    if kind < 0.5 and ndim > 1:
        return ".T"
    if kind < 0.65:
        return "[..., ::2]" if random() < 0.5 else "[1:]"
    if kind < 0.75:
        return "[:, None]" if random() < 0.5 else "[None]"
    if kind < 0.85 and ndim > 1:
        return "[..., 0]" if random() < 0.5 else "[:, 0]"
    return "[::-2]" if random() < 0.5 else "[:-1]"


def _integers(rng, n, shape_):
    """An integer array as index, as source."""
    random = rng.random
    low, high = (-n, n) if n else (0, 1)
    if random() < 0.02:
        low, high = low - 2, high + 2  # out of bounds
    unsigned = random() < 0.2
    code = "BHILQ"[int(random() * 5)] if unsigned else "bhilq"[int(random() * 5)]
    low = 0 if unsigned else low
    size = _size(shape_)
    items = [low + int(random() * (high - low)) for _ in range(size)]
    if n == 0 and random() < 0.9:
        return f"xp.zeros({(0,)!r}, {code!r})"
    array = np.array(items, "l").reshape(shape_)
    if random() < 0.25 and array.ndim:
        return repr(array.tolist())
    dtype = f", {code!r}" if max(map(abs, items), default=0) < 100 else ""
    return f"xp.array({array.tolist()!r}{dtype})"


def _mask(rng, shape_):
    size = _size(shape_)
    flat = [rng.random() < 0.5 for _ in range(size)]
    array = np.array(flat, bool).reshape(shape_)
    if size == 0:
        return f"xp.zeros({array.shape!r}, '?')"
    if rng.random() < 0.2 and array.ndim:
        return repr(array.tolist())
    return f"xp.array({array.tolist()!r})"


def index(rng, shape_):
    """An index of an array of this shape: basic, boolean, integer, mixed."""
    random = rng.random
    dims, parts, i = list(shape_), [], 0
    advanced = random() < 0.45
    together = ((3,), (2,), (1,), (2, 2), (3, 1), (0,))[int(random() * 6)]
    if advanced and dims and _size(dims) < 70 and random() < 0.2:
        return _mask(rng, dims)
    while i < len(dims):
        kind = random()
        if kind < 0.06:
            parts.append("None")
        elif kind < 0.12 and "..." not in parts:
            parts.append("...")
            i += int(random() * (len(dims) - i + 1))
        elif kind < 0.27:
            n = dims[i]
            outside = n == 0 or random() < 0.01
            parts.append(str(int(random() * 2 * n) - n if not outside else n + 1))
            i += 1
        elif advanced and kind < 0.6:
            if kind < 0.35 and _size(dims[i : i + 2]) < 40:
                width = 1 + (kind < 0.3)
                parts.append(_mask(rng, dims[i : i + width]))
                i += width
            else:
                use = together if random() < 0.8 else together[-1:]
                parts.append(_integers(rng, dims[i], use))
                i += 1
        elif kind < 0.95:
            parts.append(_slice(rng, dims[i]))
            i += 1
        else:
            break
    if random() < 0.02:
        parts.append(("True", "None", "0", "...")[int(random() * 4)])
    return ", ".join(parts) if parts else ("...", "()")[int(random() * 2)]
