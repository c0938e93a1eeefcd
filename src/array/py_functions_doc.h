/* array/py_functions_doc.h: signatures and docstrings of the module's array functions. */
#ifndef CUPRIC_ARRAY_PY_FUNCTIONS_DOC_H
#define CUPRIC_ARRAY_PY_FUNCTIONS_DOC_H

#include "py_doc.h"

#define PARAMETER_SHAPE "shape : int or tuple of ints\n"
#define PARAMETER_DTYPE                                                                \
    "dtype : dtype, optional\n"                                                        \
    "    float64 when left out.\n"
#define PARAMETER_ORDER                                                                \
    "order : {'C', 'F'}\n"                                                             \
    "    Rows or columns next to each other in memory.\n"
#define PARAMETER_DEVICE                                                               \
    "device : cupric.cuda.Device or int, optional\n"                                   \
    "    Where; the current device when left out.\n"
#define PARAMETER_MODE                                                                 \
    "mode : {'wrap', 'clip', 'raise'}\n"                                               \
    "    What an index outside means: counted round and round, the nearest one, or\n"  \
    "    an IndexError.\n"
#define NEW_ARRAY                                                                      \
    "\nReturns\n-------\n"                                                             \
    "cupric.ndarray\n"                                                                 \
    "    New array.\n"

DOC(array_doc) =
    "array(obj, dtype=None, copy=True, order='K', subok=False, ndmin=0, *, "
    "device=None, blocking=False)\n--\n\n"
    "An array of the elements of an object.\n"
    "\nParameters\n----------\n"
    "obj : array or sequence\n"
    "    An array of a device or of NumPy, a number, or sequences of these, nested.\n"
    "dtype : dtype, optional\n"
    "    When left out, the smallest that holds all elements.\n"
    "copy : bool or None\n"
    "    None: copy only where needed. False: a ValueError where an array of a device\n"
    "    would have to be copied. What is on the host is copied to the device anyway.\n"
    "order : {'C', 'F', 'A', 'K'}\n"
    "    Layout in memory; 'A' and 'K' keep Fortran's where `obj` has it.\n"
    "subok : bool\n"
    "    Keep a subclass of cupric.ndarray.\n"
    "ndmin : int\n"
    "    Axes at least; new ones have length 1 and come first.\n" PARAMETER_DEVICE
    "blocking : bool\n"
    "    Return only when a copy from NumPy has been made.\n" NEW_ARRAY
    "\nExamples\n--------\n"
    ">>> cp.array([[1, 2], [3, 4]], dtype='float32')\n"
    "array([[1., 2.],\n"
    "       [3., 4.]], dtype=float32)\n";

DOC(asarray_doc) =
    "asarray(a, dtype=None, order=None, *, device=None, copy=None, blocking=False)\n"
    "--\n"
    "\n"
    "Convert to an array; `a` itself if it has the dtype and order requested.\n"
    "\n"
    "Parameters\n"
    "----------\n"
    "a : array_like\n"
    "    A device array, a NumPy array, a scalar or a nested sequence of these.\n"
    "dtype : dtype, optional\n"
    "order : {'C', 'F', 'A', 'K'}, optional\n"
    "device : cupric.cuda.Device or int, optional\n"
    "    Where; the current device when left out.\n"
    "copy : bool, optional\n"
    "    True always copies, False raises ValueError where a copy is needed.\n"
    "blocking : bool\n"
    "    Has no effect where transfers are done when the call returns.\n"
    "\n"
    "Returns\n"
    "-------\n"
    "cupric.ndarray\n"
    "    `a` itself where it is an array of what is asked for.\n"
    "\n"
    "Examples\n"
    "--------\n"
    ">>> cp.asarray([1, 2])\n"
    "array([1, 2])\n";

DOC(asanyarray_doc) =
    "asanyarray(a, dtype=None, order=None, *, device=None, copy=None, blocking=False)\n"
    "--\n"
    "\n"
    "As `asarray`, but instances of subclasses are returned unchanged.\n"
    "\n"
    "Parameters\n"
    "----------\n"
    "a : array_like\n"
    "    What is converted.\n"
    "dtype : dtype, optional\n"
    "    Of the result; that of the elements when left out.\n"
    "order : {'C', 'F', 'A', 'K'}, optional\n"
    "    Memory layout that is needed; any when left out.\n"
    "device : cupric.cuda.Device or int, optional\n"
    "    Where; the current device when left out.\n"
    "copy : bool, optional\n"
    "    True copies always, False raises ValueError where a copy is needed.\n"
    "blocking : bool, optional\n"
    "    Return only when a copy from NumPy has been made.\n"
    "\n"
    "Returns\n"
    "-------\n"
    "cupric.ndarray\n"
    "    `a` itself where it is an array of what is asked for.\n"
    "\n"
    "Examples\n"
    "--------\n"
    ">>> cp.asanyarray([1, 2])\n"
    "array([1, 2])\n";

DOC(ascontiguousarray_doc) =
    "ascontiguousarray(a, dtype=None)\n"
    "--\n"
    "\n"
    "Convert to a C-contiguous array; `a` itself if it is one.\n"
    "\n"
    "Parameters\n"
    "----------\n"
    "a : array_like\n"
    "    What is converted.\n"
    "dtype : dtype, optional\n"
    "    Of the result; that of the elements when left out.\n"
    "\n"
    "Returns\n"
    "-------\n"
    "cupric.ndarray\n"
    "    It has one axis at least.\n"
    "\n"
    "Examples\n"
    "--------\n"
    ">>> cp.ascontiguousarray(cp.zeros((2, 3)).T).flags.c_contiguous\n"
    "True\n";

DOC(asfortranarray_doc) =
    "asfortranarray(a, dtype=None)\n"
    "--\n"
    "\n"
    "Convert to a Fortran-contiguous array; `a` itself if it is one.\n"
    "\n"
    "Parameters\n"
    "----------\n"
    "a : array_like\n"
    "    What is converted.\n"
    "dtype : dtype, optional\n"
    "    Of the result; that of the elements when left out.\n"
    "\n"
    "Returns\n"
    "-------\n"
    "cupric.ndarray\n"
    "    `a` itself where it is one; it has one axis at least.\n"
    "\n"
    "Examples\n"
    "--------\n"
    ">>> cp.asfortranarray(cp.zeros((2, 3))).flags.f_contiguous\n"
    "True\n";

DOC(empty_doc) = "empty(shape, dtype=None, order='C', *, device=None)\n--\n\n"
                 "An array whose elements are undefined.\n"
                 "\nParameters\n----------\n" PARAMETER_SHAPE PARAMETER_DTYPE
    PARAMETER_ORDER PARAMETER_DEVICE NEW_ARRAY "\nExamples\n--------\n"
                 ">>> cp.empty((2, 3), 'float32').nbytes\n"
                 "24\n";

DOC(zeros_doc) = "zeros(shape, dtype=None, order='C', *, device=None)\n--\n\n"
                 "An array of zeros.\n"
                 "\nParameters\n----------\n" PARAMETER_SHAPE PARAMETER_DTYPE
    PARAMETER_ORDER PARAMETER_DEVICE NEW_ARRAY "\nExamples\n--------\n"
                 ">>> cp.zeros(3)\n"
                 "array([0., 0., 0.])\n";

DOC(arange_doc) =
    "arange(start, stop=None, step=1, dtype=None, *, device=None)\n--\n\n"
    "Numbers at equal distances.\n"
    "\nParameters\n----------\n"
    "start : number\n"
    "    The first; alone it is `stop`, and the first is 0.\n"
    "stop : number, optional\n"
    "    The first that is not in the array.\n"
    "step : number\n"
    "    The distance; it may be negative.\n"
    "dtype : dtype, optional\n"
    "    When left out, that of the numbers given.\n" PARAMETER_DEVICE NEW_ARRAY
    "\nExamples\n--------\n"
    ">>> cp.arange(2, 10, 3)\n"
    "array([2, 5, 8])\n";

DOC(asnumpy_doc) =
    "asnumpy(a, stream=None, order='C', out=None, *, blocking=True)\n--\n\n"
    "A NumPy array of the elements of an object.\n"
    "\nParameters\n----------\n"
    "a : cupric.ndarray, sparse array, or what numpy.asarray takes\n"
    "stream : cupric.cuda.Stream, optional\n"
    "    The stream that copies; the current one when left out.\n"
    "order : {'C', 'F', 'A'}\n"
    "    Layout in memory.\n"
    "out : numpy.ndarray, optional\n"
    "    Where the elements go.\n"
    "blocking : bool\n"
    "    Whether the copy is there on return. If not, wait for the stream.\n"
    "\nReturns\n-------\n"
    "numpy.ndarray\n"
    "    Of a sparse array, SciPy's sparse array.\n"
    "\nExamples\n--------\n"
    ">>> cp.asnumpy(cp.arange(3))\n"
    "array([0, 1, 2])\n";

DOC(from_dlpack_doc) =
    "from_dlpack(array, *, device=None, copy=None)\n--\n\n"
    "An array on the memory of another library's, through DLPack.\n"
    "\nParameters\n----------\n"
    "array : object\n"
    "    It has ``__dlpack__`` and ``__dlpack_device__``, as the arrays of NumPy and\n"
    "    PyTorch have.\n"
    "device : cupric.cuda.Device, int or tuple of ints, optional\n"
    "    Where the result is wanted: a ``cupric.cuda.Device``, its number, or a pair "
    "as\n"
    "    ``__dlpack_device__`` gives it.\n"
    "copy : bool, optional\n"
    "    True: always. False: never, a ValueError where it is needed.\n"
    "\nReturns\n-------\n"
    "cupric.ndarray\n"
    "    Shares memory with `array` where nothing was copied.\n"
    "\nExamples\n--------\n"
    ">>> x = cp.arange(3)\n"
    ">>> cp.from_dlpack(x)\n"
    "array([0, 1, 2])\n";

DOC(concatenate_doc) =
    "concatenate(tup, axis=0, out=None, *, dtype=None, casting='same_kind')\n--\n\n"
    "Join arrays along an axis.\n"
    "\nParameters\n----------\n"
    "tup : sequence of cupric.ndarray\n"
    "    Their shapes differ along `axis` at most.\n"
    "axis : int or None\n"
    "    None: the arrays are flattened first.\n"
    "out : cupric.ndarray, optional\n"
    "    Where the result goes.\n"
    "dtype : dtype, optional\n"
    "    Of the result; what all promote to when left out.\n"
    "casting : str\n"
    "    Which conversions are allowed.\n" NEW_ARRAY "\nExamples\n--------\n"
    ">>> cp.concatenate([cp.zeros(2), cp.ones(1)])\n"
    "array([0., 0., 1.])\n";

DOC(take_doc) = "take(a, indices, axis=None, out=None, mode='wrap')\n--\n\n"
                "Elements at indices along an axis.\n"
                "\nParameters\n----------\n"
                "a : cupric.ndarray\n"
                "indices : int or array of ints\n"
                "axis : int, optional\n"
                "    When left out, `a` counts as one axis in C order.\n"
                "out : cupric.ndarray, optional\n"
                "    Where the result goes.\n" PARAMETER_MODE NEW_ARRAY
                "\nExamples\n--------\n"
                ">>> cp.take(cp.arange(10, 20), cp.array([3, 0, -1]))\n"
                "array([13, 10, 19])\n";

DOC(put_doc) =
    "put(a, ind, v, mode='wrap')\n--\n\n"
    "Set elements at indices into the array in C order.\n"
    "\nParameters\n----------\n"
    "a : cupric.ndarray\n"
    "    Changed in place.\n"
    "ind : int or array of ints\n"
    "v : array or scalar\n"
    "    The values, repeated where there are fewer than indices.\n" PARAMETER_MODE
    "\nExamples\n--------\n"
    ">>> a = cp.zeros(4)\n"
    ">>> cp.put(a, [0, 2], [5, 7])\n"
    ">>> a\n"
    "array([5., 0., 7., 0.])\n";

DOC(place_doc) =
    "place(arr, mask, vals)\n--\n\n"
    "Store the first values where a mask is true, cycling through them if too few.\n"
    "\nParameters\n----------\n"
    "arr : cupric.ndarray\n"
    "mask : cupric.ndarray of bools\n"
    "    Of as many elements.\n"
    "vals : array_like\n"
    "\nExamples\n--------\n"
    ">>> a = cp.arange(4)\n"
    ">>> cp.place(a, a > 1, [7, 8])\n"
    ">>> a\n"
    "array([0, 1, 7, 8])\n";

DOC(putmask_doc) = "putmask(a, mask, values)\n--\n\n"
                   "Store values where a mask is true, each at its own place.\n"
                   "\nParameters\n----------\n"
                   "a : cupric.ndarray\n"
                   "    Changed in place.\n"
                   "mask : cupric.ndarray of bools, of the shape of `a`\n"
                   "values : cupric.ndarray or scalar\n"
                   "    Of another size than `a`, they are repeated through it.\n"
                   "\nExamples\n--------\n"
                   ">>> a = cp.arange(4)\n"
                   ">>> cp.putmask(a, a > 1, 0)\n"
                   ">>> a\n"
                   "array([0, 1, 0, 0])\n";

DOC(take_along_axis_doc) =
    "take_along_axis(a, indices, axis=-1)\n--\n\n"
    "Elements at indices of their own in each line along an axis.\n"
    "\nParameters\n----------\n"
    "a : cupric.ndarray\n"
    "indices : cupric.ndarray of ints\n"
    "    As many axes as `a`; the others broadcast with those of `a`.\n"
    "axis : int or None\n"
    "    None: `a` counts as one axis in C order.\n" NEW_ARRAY "\nExamples\n--------\n"
    ">>> a = cp.array([[3, 1], [2, 4]])\n"
    ">>> cp.take_along_axis(a, cp.argsort(a, axis=1), 1)\n"
    "array([[1, 3],\n"
    "       [2, 4]])\n";

DOC(can_cast_doc) =
    "can_cast(from_, to, casting='safe')\n--\n\n"
    "Whether a dtype may become another by a casting rule.\n"
    "\n"
    "Parameters\n"
    "----------\n"
    "from_ : data-type or cupric.ndarray\n"
    "to : data-type\n"
    "casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe'}, optional\n"
    "\n"
    "Returns\n"
    "-------\n"
    "bool\n"
    "\n"
    "Examples\n"
    "--------\n"
    ">>> cp.can_cast('int32', 'float32')\n"
    "False\n"
    ">>> cp.can_cast('int32', 'float32', casting='same_kind')\n"
    "True\n";

DOC(result_type_doc) = "result_type(*arrays_and_dtypes)\n--\n\n"
                       "The dtype that an operation on the arguments gives.\n"
                       "\n"
                       "Parameters\n"
                       "----------\n"
                       "*arrays_and_dtypes : cupric.ndarray, scalar or data-type\n"
                       "    What takes part in it.\n"
                       "\n"
                       "Returns\n"
                       "-------\n"
                       "numpy.dtype\n"
                       "\n"
                       "Examples\n"
                       "--------\n"
                       ">>> cp.result_type(cp.zeros(1, 'int8'), 'float32', 2.0)\n"
                       "dtype('float32')\n";

DOC(broadcast_shapes_doc) = "broadcast_shapes(*args)\n--\n\n"
                            "The shape that several shapes are broadcast to.\n"
                            "\n"
                            "Parameters\n"
                            "----------\n"
                            "*args : ints or tuples of ints\n"
                            "    The shapes.\n"
                            "\n"
                            "Returns\n"
                            "-------\n"
                            "tuple of ints\n"
                            "\n"
                            "Examples\n"
                            "--------\n"
                            ">>> cp.broadcast_shapes((3, 1), (2,))\n"
                            "(3, 2)\n";

DOC(broadcast_arrays_doc) =
    "broadcast_arrays(*args)\n--\n\n"
    "Views of the arrays, broadcast to their common shape.\n"
    "\n"
    "Parameters\n"
    "----------\n"
    "*args : array_like\n"
    "    The arrays. Those of NumPy take part, and stay on the host.\n"
    "\n"
    "Returns\n"
    "-------\n"
    "list of cupric.ndarray\n"
    "\n"
    "Examples\n"
    "--------\n"
    ">>> a, b = cp.broadcast_arrays(cp.ones((2, 1)), cp.ones(3))\n"
    ">>> a.shape\n"
    "(2, 3)\n";

DOC(device_array_doc) =
    "device_array(a, /)\n--\n\n"
    "`a`, or the array that a list or a scalar stands for: what an operation takes.\n"
    "\n"
    "A NumPy array is refused: moving it to the device is the caller's decision. "
    "docs/from_cupy.md\n"
    "says of which functions that is so.\n"
    "\n"
    "Returns\n"
    "-------\n"
    "cupric.ndarray\n";

DOC(parameter_array_doc) =
    "parameter_array(a, /)\n--\n\n"
    "As `device_array`, but a NumPy array is copied to the current device.\n"
    "\n"
    "For the operands of functions that are composed of several operations, and for\n"
    "parameters: bins, weights, spacings, masks.\n"
    "\n"
    "Returns\n"
    "-------\n"
    "cupric.ndarray\n";

DOC(array_with_methods_doc) = "array_with_methods(a, /)\n--\n\n"
                              "As `device_array`, but a NumPy array is left as it is.\n"
                              "\n"
                              "For functions that only call a method of their "
                              "argument: what was given answers.\n";

DOC(squeeze_doc) = "squeeze(a, axis=None)\n--\n\n"
                   "A view without axes of length 1: all of them, or those named.\n"
                   "\n"
                   "Parameters\n"
                   "----------\n"
                   "a : cupric.ndarray\n"
                   "    The array.\n"
                   "axis : None, int or tuple of ints, optional\n"
                   "    Which axes; all of length 1 when left out.\n"
                   "\n"
                   "Returns\n"
                   "-------\n"
                   "cupric.ndarray\n"
                   "    A view.\n"
                   "\n"
                   "Examples\n"
                   "--------\n"
                   ">>> cp.squeeze(cp.ones((1, 3, 1))).shape\n"
                   "(3,)\n";

#undef PARAMETER_SHAPE
#undef PARAMETER_DTYPE
#undef PARAMETER_ORDER
#undef PARAMETER_DEVICE
#undef PARAMETER_MODE
#undef NEW_ARRAY
#undef DOC

#endif
