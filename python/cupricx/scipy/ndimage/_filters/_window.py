"""Windows over several axes, and tiles of them in shared memory."""

import functools
import math
import operator

from cupric._lib.kernels import SHARED, declarations

__all__ = [
    "Tiles",
    "joined",
    "tiles",
    "window_sizes",
]

_header = declarations(__file__)
_QUAD, THREADS = _header.enum.QUAD, _header.enum.TILE_THREADS
_LEAST, _MOST = 11, 12  # outputs of a tile, as powers of two
_WIDE = 8  # … of one of its rows, where windows are no wider
_ROWS = 3  # rows of a tile, each for a warp, where windows go along rows alone


class Tiles:
    """How an array is cut into tiles.

    Attributes
    ----------
    sizes : numpy.ndarray
        What kernels take by value.
    count : int
        Of tiles.
    nbytes : int
        What of shared memory a tile takes.
    """

    __slots__ = ("count", "nbytes", "sizes")

    def __init__(self, sizes, count, nbytes):
        self.sizes, self.count, self.nbytes = sizes, count, nbytes


@functools.lru_cache(maxsize=512)
def window_sizes(shape, window, before, modes, step=1):
    """What kernels take by value of an array and its windows."""
    return _packed(shape, window, before, modes, step, (), (0,) * 6)


def _packed(shape, window, before, modes, step, logs, tile):
    names = ("tile_rows", "pitch", "out_rows", "window_rows", "lanes", "alone")
    return _header.struct.window_sizes(
        shape=shape,
        window=window,
        before=before,
        mode=modes,
        tile=logs,
        ndim=len(shape),
        step=step,
        **dict(zip(names, tile, strict=True)),
    )


def joined(shape, window, before, modes, *, most_step=1):
    """An array and windows with as few axes: neighbours that no window extends along
    become one, and the last ones the step of the axis before, if no more than
    `most_step`.
    """
    axes = []
    for n, w, b, m in zip(shape, window, before, modes, strict=True):
        if w == 1 and axes and axes[-1][1] == 1:
            axes[-1][0] *= n
        elif w > 1 or n > 1 or not axes:
            axes.append([n, w, b, m])
    step = 1
    if len(axes) > 1 and axes[-1][1] == 1 and axes[-1][0] <= most_step:
        step = axes.pop()[0]
    return *(tuple(part) for part in zip(*axes, strict=True)), step


def _ceil_log2(n):
    return max(int(n) - 1, 0).bit_length()


@functools.lru_cache(maxsize=512)
def tiles(shape, window, before, modes, step, itemsize, per_tap=0):
    """Tiles that fit shared memory, of elements of `itemsize`; or None.

    `per_tap` are bytes that a kernel keeps for each element of a window, of which rows
    take a multiple of four.
    """
    last = len(shape) - 1
    lengths = (*shape[:last], shape[last] * step)
    reach = [w - 1 for w in window]
    reach[last] *= step
    window_rows = math.prod(window[:last])
    # A row is read four elements at a time, up to three behind what windows reach.
    behind = -(-window[last] // _QUAD) * _QUAD if step == 1 else reach[last]
    most_wide = max(_WIDE, _ceil_log2(4 * behind))

    def layout(logs):
        rows = 1
        for k, r in zip(logs[:last], reach[:last], strict=True):
            rows *= (1 << k) + r
        pitch = -(-((1 << logs[last]) + behind) // _QUAD) * _QUAD
        out_rows = sum(logs[:last])
        nbytes = -(-rows * pitch * itemsize // 16) * 16
        nbytes += 8 * (last + 1 + rows + (1 << out_rows)) + 4 * (1 << out_rows)
        nbytes += 4 * window_rows + 16
        nbytes += per_tap * window_rows * -(-window[last] // _QUAD) * _QUAD
        return rows, pitch, out_rows, nbytes

    most = [_ceil_log2(n) for n in lengths]
    most[last] = max(2, min(most[last], most_wide))
    logs = [0] * last + [min(5, most[last])]
    if layout(logs)[3] > SHARED:
        return None
    small = sum(map(_ceil_log2, lengths)) <= 21  # few tiles: all processors need some
    goal = (_MOST if itemsize <= 4 and not small else _LEAST) - (itemsize > 8)
    rows_alone = [_ROWS, min(_WIDE, most[last])]
    alone = (
        last == 1
        and window[0] == step == 1
        and shape[0] > 1 << _ROWS
        and shape[1] >= 1 << (_WIDE - 1)
        and behind <= 1 << (_WIDE - 2)
        and layout(rows_alone)[3] <= SHARED
    )
    if alone:
        logs, goal = rows_alone, 0
    elif sum(most) <= goal and layout(most)[3] <= SHARED:
        logs = most  # all in one
    while sum(logs) < goal:
        larger = []  # with what each costs: elements read for an output, then few rows
        for axis in range(last + 1):
            if logs[axis] < most[axis]:
                one = logs.copy()
                one[axis] += 1
                rows, pitch, _, nbytes = layout(one)
                if nbytes <= SHARED:
                    cost = rows * pitch / (1 << sum(one)), -one[last]
                    larger.append((cost, one))
        if not larger:
            break
        logs = min(larger, key=operator.itemgetter(0))[1]
    rows, pitch, out_rows, nbytes = layout(logs)
    width = (1 << logs[last]) + reach[last]
    lanes = max(min(_ceil_log2(width), 5), 8 - min(rows, THREADS).bit_length() + 1)
    tile = rows, pitch, out_rows, window_rows, min(lanes, 8), alone
    sizes = _packed(shape, window, before, modes, step, logs, tile)
    count = 1
    for n, k in zip(lengths, logs, strict=True):
        count *= -(-n >> k)
    return Tiles(sizes, count, nbytes)
