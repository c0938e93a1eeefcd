"""Binary images as words of 64 elements, and their dilations."""

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.arguments import Output
from cupric._lib.core import contiguous
from cupric._lib.kernels import Library
from cupricx.scipy.ndimage._measurements._label import connected

__all__ = [
    "BitImage",
    "image_arguments",
]

_library = Library(__file__)

_MANY = 1024  # iterations, above which it is looked whether they change anything still


def _example_binary(xp):
    from cupricx.scipy import ndimage

    x = np.arange(3 * 40 * 90).reshape(3, 40, 90) * 37 % 101 > 20
    x = xp.asarray(x)
    return [
        ndimage.binary_erosion(x),
        ndimage.binary_dilation(
            x[0], np.ones((3, 5), np.float64), iterations=3, mask=x[1]
        ),
        ndimage.binary_hit_or_miss(x, np.eye(3).reshape(1, 3, 3)),
        ndimage.binary_erosion(x[0], [[1, 1]], iterations=-1),
    ]


def _example_reach(xp):
    from cupricx.scipy import ndimage

    x = np.arange(3 * 40 * 90).reshape(3, 40, 90) * 37 % 101 > 40
    x, rest = xp.asarray(x), xp.asarray(~x)
    return [
        ndimage.binary_fill_holes(x[0]),
        ndimage.binary_propagation(
            rest, mask=x, structure=np.ones((3, 3, 3), np.float64)
        ),
    ]


_pack = _library.kernel(
    "pack_bits",
    blocks=True,
    threads="PACK_THREADS",
    ships="x",
    example=_example_binary,
)
_unpack = _library.kernel(
    "unpack_bits", elements=True, ships="x", example=_example_binary
)
_dilate = _library.kernel(
    "dilate_bits",
    blocks=True,
    threads="DILATE_THREADS",
    ships="x",
    example=_example_binary,
)
_mark = _library.kernel(
    "reach_mark<T>",
    blocks=True,
    threads="DILATE_THREADS",
    ships="i",
    example=_example_reach,
)
_write = _library.kernel(
    "reach_write<T>",
    blocks=True,
    threads="DILATE_THREADS",
    ships="i",
    example=_example_reach,
)


class BitImage:
    """A binary image, and what several of its dilations need.

    `state` are its words, or those of its complement: `flipped`. What lies outside is
    `border`, of the image itself. An `empty` one is only of the shape of `input`, whose
    complement is its mask.
    """

    def __init__(self, input, mask=None, border=0, *, empty=False):
        x = input.astype(bool, copy=False).reshape(input.shape or (1,))
        self.axis = None  # which was moved to the end, as rows are to be long
        if x.shape[-1] < 64 and x.size:
            longest = max(range(x.ndim), key=lambda d: x.shape[d])
            self.axis = longest if x.shape[longest] > x.shape[-1] else None
        self.x = self._moved(x)
        self.border, self.flipped, self.empty = bool(border), False, empty
        self.shape, self.n = self.x.shape, self.x.shape[-1]
        self.rows = self.x.size // max(self.n, 1)
        self.width = -(-self.n // 64)
        self.on_host = _library.on_host(x)
        self.mask = mask
        if mask is not None:
            self.mask = self._moved(mask.astype(bool, copy=False).reshape(x.shape))
        self.masks = None if mask is None else self.packed(self.mask, False, False)
        self.state = None
        if empty:
            self.masks = self.packed(self.x, True, False)
            self.mask = _core.empty(self.shape, bool)
            self._unpack(self.masks, self.mask, False)

    def _moved(self, x):
        if self.axis is not None:
            x = x.transpose([*(d for d in range(x.ndim) if d != self.axis), self.axis])
        return contiguous(x)

    def packed(self, x, flip, border):
        words = self.words()
        pieces = self.rows * self.width
        if not self.on_host:
            pieces = -(-pieces // _library.enum.PACK_WARPS)
        _pack[()](
            x=None if x is None else x.view("u1"),
            words=words,
            rows=self.rows,
            n=self.n,
            flip=flip,
            border=border,
            work=pieces,
        )
        return words

    def words(self):
        return _core.empty(self.rows * self.width, np.uint64)

    def dilate(self, structure, times=1, *, eroding=False, also=None):
        """Dilate, or erode, some times; until nothing changes if `times` < 1."""
        if self.axis is not None:
            structure = structure.swapped[self.axis]
        if self.state is None:
            x = None if self.empty else self.x
            self.state = self.packed(x, eroding, self.border != eroding)
            self.flipped = eroding
        ngroups, groups = structure.groups
        facts = arguments.small(np.concatenate([self.shape, groups]), self.x, np.int64)
        done, batch = 0, 8
        looks = times < 1 or times > _MANY  # whether anything changes still
        spare = self.words()
        while times < 1 or done < times:
            count = batch if looks else times
            if times > 0:
                count = min(count, times - done)
            changed = _core.zeros(count, np.int32) if looks else None
            for i in range(count):
                _dilate[()](
                    x=self.state,
                    masks=self.masks,
                    also=also,
                    to=spare,
                    facts=facts,
                    changed=None if changed is None else changed[i:],
                    d=self._dilation(ngroups, eroding),
                    work=self._work,
                )
                self.state, spare = spare, self.state
                self.flipped = eroding
            done += count
            batch = min(2 * batch, 256)
            if looks and not int(changed[-1]):  # waits, seldom
                return

    def _dilation(self, ngroups, eroding):
        return _library.struct.dilation(
            rows=self.rows,
            n=self.n,
            ndim=len(self.shape),
            ngroups=ngroups,
            flip=self.flipped != eroding,
            border=self.border != eroding,
        )

    @property
    def _work(self):
        """Of a dilation: runs of words on the host, a word for each thread of a GPU."""
        if self.on_host:
            return self.rows * -(-self.width // _library.enum.WORDS)
        return -(-self.rows * self.width // _library.enum.DILATE_THREADS)

    def reach(self, structure, neighbours, target, flip, *, eroding=False):
        """Dilate until nothing changes, by the sets that the mask's elements form."""
        self.dilate(structure, eroding=eroding)
        y = self._made(target)
        marks = None if self.on_host else _core.empty(y.size, np.uint8)
        self._unpack(self.state, y, False, marks)
        mask = self.mask
        if mask is None:
            mask = _core.empty(y.shape, bool)
            mask.fill(True)
        if self.axis is not None:
            neighbours = np.moveaxis(neighbours, self.axis, -1)
        sets = connected(mask, neighbours)
        if marks is None:  # of parts of rows, fewer
            marks = _core.zeros(sets.parent.size, np.uint8)
        s = _library.struct.reached_sets(
            rows=sets.rows, n=sets.n, width=sets.width, flip=flip != eroding
        )
        args = dict(parent=sets.parent, edges=sets.edges, counts=sets.counts)
        work = sets.rows
        if not self.on_host:
            work = -(-y.size // _library.enum.DILATE_THREADS)
        args |= dict(x=y.view("u1"), marks=marks, s=s, work=work)
        _mark[sets.parent.dtype](**args)
        _write[sets.parent.dtype](**args)
        return self._back(y, target)

    def _made(self, target):
        """What the result is written to; the mask is still read."""
        if self.axis is None:
            y = target.buffer(*(() if self.mask is None else (self.mask,)), dtype=bool)
            return y if y.shape == self.shape else y.reshape(self.shape)
        return _core.empty(self.shape, bool)

    def _unpack(self, words, y, flip, zeros=None):
        _unpack[()](
            words=words,
            y=y.view("u1"),
            zeros=zeros,
            rows=self.rows,
            n=self.n,
            flip=flip,
            work=self.rows * -(-self.n // 8),
        )

    def _back(self, y, target):
        if self.axis is not None:
            axes = [*range(y.ndim - 1)]
            axes.insert(self.axis, y.ndim - 1)
            y = contiguous(y.transpose(axes))
        return target.result(y if y.shape == target.shape else y.reshape(target.shape))

    def result(self, target, flip=False):
        y = self._made(target)
        self._unpack(self.state, y, self.flipped != flip)
        return self._back(y, target)


def image_arguments(input, output, axes, mask=None):
    x = arguments.array(input)
    if x.dtype.kind == "c":
        raise TypeError(f"Complex type not supported: dtype {x.dtype}")
    if isinstance(output, _core.ndarray) and output.dtype.kind == "c":
        raise TypeError(f"Complex output type not supported: dtype {output.dtype}")
    if mask is not None:
        mask = arguments.array(mask)
        if mask.shape != x.shape:
            raise RuntimeError(
                f"mask and input must have equal sizes, not {mask.shape} and {x.shape}"
            )
    if not isinstance(output, (_core.ndarray, np.ndarray)):
        output = None  # as SciPy: bools, whatever dtype is asked for
    target = Output(output, x, dtype=np.dtype(bool))
    return x, mask, arguments.axes(axes, x.ndim), target
