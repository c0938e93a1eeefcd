/* array/py_methods_doc.h: docstrings of methods that are no function of the package. Each
 * follows the signature, which methods.def has. */
#ifndef CUPRIC_ARRAY_PY_METHODS_DOC_H
#define CUPRIC_ARRAY_PY_METHODS_DOC_H

#define PARAMETERS "\n\nParameters\n----------\n"
#define RETURNS "\nReturns\n-------\n"
#define RETURNS_ALONE "\n" RETURNS
#define EXAMPLES "\nExamples\n--------\n"
#define AN_ARRAY "cupric.ndarray\n"

#define PARAMETER_STREAM                                                               \
    "stream : cupric.cuda.Stream, optional\n"                                          \
    "    The stream that copies; the current one when left out.\n"
#define PARAMETER_ORDER_OF_BYTES                                                       \
    "order : {'C', 'F', 'A'}, optional\n"                                              \
    "    Order of the elements; 'A' is Fortran's where the array has it.\n"
#define PARAMETER_OUT                                                                  \
    "out : cupric.ndarray, optional\n"                                                 \
    "    Where the result goes. It has the result's shape.\n"

#define DOC_flatten                                                                    \
    "A copy of the elements along one axis." PARAMETERS                                \
    "order : {'C', 'F', 'A', 'K'}, optional\n"                                         \
    "    Order in which the elements are read.\n" RETURNS AN_ARRAY EXAMPLES            \
    ">>> cp.array([[1, 2], [3, 4]]).flatten('F')\n"                                    \
    "array([1, 3, 2, 4])\n"

#define DOC_view                                                                       \
    "The same memory as another dtype, or as another subclass of ndarray." PARAMETERS  \
    "dtype : dtype, optional\n"                                                        \
    "    Of the view. If its size differs, the last axis has another length.\n"        \
    "type : type, optional\n"                                                          \
    "    A subclass of ndarray.\n" RETURNS AN_ARRAY EXAMPLES                           \
    ">>> cp.array([1.0], 'float32').view('int32')\n"                                   \
    "array([1065353216], dtype=int32)\n"

#define DOC_astype                                                                     \
    "A copy in another dtype." PARAMETERS "dtype : dtype\n"                            \
    "    Of the copy.\n"                                                               \
    "order : {'C', 'F', 'A', 'K'}, optional\n"                                         \
    "    Layout of the copy; 'K' keeps that of the array.\n"                           \
    "casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe'}, optional\n"             \
    "    What conversion is let through; any when left out.\n"                         \
    "subok : bool, optional\n"                                                         \
    "    Whether a subclass of ndarray is kept.\n"                                     \
    "copy : bool, optional\n"                                                          \
    "    False: the array itself where nothing changes.\n" RETURNS AN_ARRAY EXAMPLES   \
    ">>> cp.array([1.7, -1.7]).astype('int64')\n"                                      \
    "array([ 1, -1])\n"

#define DOC_to_device                                                                  \
    "A copy on another device; the array itself if it is there." PARAMETERS            \
    "device : cupric.cuda.Device or int\n"                                             \
    "    Where the result is wanted.\n"                                                \
    "stream : cupric.cuda.Stream, optional\n"                                          \
    "    The stream that copies; the current one when left out.\n" RETURNS AN_ARRAY    \
        EXAMPLES ">>> x = cp.arange(3)\n"                                              \
    ">>> x.to_device(x.device) is x\n"                                                 \
    "True\n"

#define DOC_get                                                                        \
    "The elements as a numpy.ndarray, in the memory of the host." PARAMETERS           \
        PARAMETER_STREAM "order : {'C', 'F', 'A'}, optional\n"                         \
    "    Layout in memory.\n"                                                          \
    "out : numpy.ndarray, optional\n"                                                  \
    "    Where the elements go. It has the array's shape and dtype.\n"                 \
    "blocking : bool, optional\n"                                                      \
    "    Whether the copy is there on return. If not, wait for the stream.\n" RETURNS  \
    "numpy.ndarray\n"                                                                  \
    "    A new one, or `out`.\n" EXAMPLES ">>> type(cp.arange(3).get())\n"             \
    "<class 'numpy.ndarray'>\n"

#define DOC_set                                                                        \
    "Copy a numpy.ndarray into the array." PARAMETERS "arr : numpy.ndarray\n"          \
    "    It has the array's shape and dtype.\n" PARAMETER_STREAM EXAMPLES              \
    ">>> x = cp.zeros(3)\n"                                                            \
    ">>> x.set(np.array([1.0, 2.0, 3.0]))\n"                                           \
    ">>> x\n"                                                                          \
    "array([1., 2., 3.])\n"

#define DOC_item                                                                       \
    "One element as a Python scalar." PARAMETERS "*args : int or tuple of ints\n"      \
    "    Its index: one number for each axis, one that counts the elements in C\n"     \
    "    order, or none for the only element.\n" RETURNS                               \
    "bool, int, float or complex\n" EXAMPLES                                           \
    ">>> cp.array([[1, 2], [3, 4]]).item(2)\n"                                         \
    "3\n"

#define DOC_tolist                                                                     \
    "The elements as Python scalars in nested lists." RETURNS_ALONE                    \
    "list, or a scalar\n"                                                              \
    "    A scalar if the array has no axes.\n" EXAMPLES                                \
    ">>> cp.array([[1, 2], [3, 4]]).tolist()\n"                                        \
    "[[1, 2], [3, 4]]\n"

#define DOC_tobytes                                                                    \
    "The elements' bytes." PARAMETERS PARAMETER_ORDER_OF_BYTES RETURNS                 \
    "bytes\n" EXAMPLES ">>> cp.array([1, 2], 'uint16').tobytes()\n"                    \
    "b'\\x01\\x00\\x02\\x00'\n"

#define DOC_tofile                                                                     \
    "Write the elements to a file, in C order." PARAMETERS "fid : file or path\n"      \
    "    Where to.\n"                                                                  \
    "sep : str, optional\n"                                                            \
    "    What stands between elements written as text; '' writes bytes.\n"             \
    "format : str, optional\n"                                                         \
    "    How an element is written as text, after a ``%``.\n" EXAMPLES                 \
    ">>> import os, tempfile\n"                                                        \
    ">>> with tempfile.TemporaryDirectory() as folder:\n"                              \
    "...     cp.arange(3).tofile(os.path.join(folder, 'x'), sep=' ')\n"                \
    "...     open(os.path.join(folder, 'x')).read()\n"                                 \
    "'0 1 2'\n"

#define DOC_dump                                                                       \
    "Pickle the array into a file." PARAMETERS "file : file or path\n"                 \
    "    Where to.\n" EXAMPLES ">>> import io, pickle\n"                               \
    ">>> file = io.BytesIO()\n"                                                        \
    ">>> cp.arange(3).dump(file)\n"                                                    \
    ">>> pickle.loads(file.getvalue())\n"                                              \
    "array([0, 1, 2])\n"

#define DOC_dumps                                                                      \
    "The array pickled." RETURNS_ALONE "bytes\n" EXAMPLES ">>> import pickle\n"        \
    ">>> pickle.loads(cp.arange(3).dumps())\n"                                         \
    "array([0, 1, 2])\n"

#define DOC_fill                                                                       \
    "Set every element to a scalar." PARAMETERS "value : scalar\n"                     \
    "    It is converted to the array's dtype.\n" EXAMPLES ">>> x = cp.empty(3)\n"     \
    ">>> x.fill(2)\n"                                                                  \
    ">>> x\n"                                                                          \
    "array([2., 2., 2.])\n"

#define CONJUGATED                                                                     \
    "The complex conjugate." RETURNS_ALONE AN_ARRAY                                    \
    "    The array itself, if its dtype is real.\n" EXAMPLES
#define DOC_conj                                                                       \
    CONJUGATED ">>> cp.array([1+2j]).conj()\n"                                         \
               "array([1.-2.j])\n"
#define DOC_conjugate                                                                  \
    CONJUGATED ">>> cp.array([1+2j]).conjugate()\n"                                    \
               "array([1.-2.j])\n"

#define DOC_toDlpack                                                                   \
    "A DLPack capsule of the array, as older libraries take it." RETURNS_ALONE         \
    "PyCapsule\n"                                                                      \
    "    To be taken once. `cupric.from_dlpack` and its like take the array "          \
    "itself.\n" EXAMPLES ">>> cp.from_dlpack(cp.arange(3))\n"                          \
    "array([0, 1, 2])\n"                                                               \
    ">>> type(cp.arange(3).toDlpack())\n"                                              \
    "<class 'PyCapsule'>\n"

#define PARAMETER_AXIS_TO_SORT                                                         \
    "axis : int, optional\n"                                                           \
    "    The axis along which elements are moved; the last when left out.\n"
#define DOC_sort                                                                       \
    "Sort in place; NaNs go to the end." PARAMETERS PARAMETER_AXIS_TO_SORT             \
    "kind : {'quicksort', 'mergesort', 'heapsort', 'stable'}, optional\n"              \
    "    Makes no difference: every sort is stable.\n" EXAMPLES                        \
    ">>> x = cp.array([3, 1, 2])\n"                                                    \
    ">>> x.sort()\n"                                                                   \
    ">>> x\n"                                                                          \
    "array([1, 2, 3])\n"

#define DOC_partition                                                                  \
    "Put elements at the places where sorting would, in place, smaller ones before\n"  \
    "them and larger ones behind." PARAMETERS "kth : int or sequence of ints\n"        \
    "    The places.\n" PARAMETER_AXIS_TO_SORT EXAMPLES                                \
    ">>> x = cp.array([3, 1, 2, 0])\n"                                                 \
    ">>> x.partition(1)\n"                                                             \
    ">>> int(x[1])\n"                                                                  \
    "1\n"

#define DOC_clip                                                                       \
    "The elements limited to an interval." PARAMETERS                                  \
    "min, max : array_like, optional\n"                                                \
    "    The bounds; None for no bound.\n" PARAMETER_OUT RETURNS AN_ARRAY EXAMPLES     \
    ">>> cp.arange(5).clip(1, 3)\n"                                                    \
    "array([1, 1, 2, 3, 3])\n"

#define DOC_put                                                                        \
    "Set elements, by their places in C order." PARAMETERS                             \
    "indices : array_like of ints\n"                                                   \
    "    The places.\n"                                                                \
    "values : array_like\n"                                                            \
    "    What goes there; repeated where there are fewer.\n"                           \
    "mode : {'wrap', 'clip', 'raise'}, optional\n"                                     \
    "    What an index outside means: counted round and round, the nearest one, or\n"  \
    "    an IndexError.\n" EXAMPLES ">>> x = cp.zeros((2, 2))\n"                       \
    ">>> x.put(cp.array([0, 3]), 1)\n"                                                 \
    ">>> x\n"                                                                          \
    "array([[1., 0.],\n"                                                               \
    "       [0., 1.]])\n"

#define DOC_compress                                                                   \
    "Slices along an axis where a condition holds." PARAMETERS                         \
    "condition : array_like of bool\n"                                                 \
    "    One for each slice; those it has none for are left out.\n"                    \
    "axis : None or int, optional\n"                                                   \
    "    When left out, the array counts as one axis in C order.\n" PARAMETER_OUT      \
        RETURNS AN_ARRAY EXAMPLES                                                      \
    ">>> cp.arange(6).reshape(2, 3).compress([True, False, True], axis=1)\n"           \
    "array([[0, 2],\n"                                                                 \
    "       [3, 5]])\n"

#define DOC_byteswap                                                                   \
    "The bytes of every element in reverse order; of each part, if it is "             \
    "complex." PARAMETERS "inplace : bool, optional\n"                                 \
    "    Change the array itself.\n" RETURNS AN_ARRAY                                  \
    "    The array, or a new one.\n" EXAMPLES                                          \
    ">>> cp.array([1, 256], 'int16').byteswap()\n"                                     \
    "array([256,   1], dtype=int16)\n"

#define DOC_reduced_view                                                               \
    "A view with as few axes as the memory allows: one, if it is "                     \
    "contiguous." PARAMETERS "dtype : dtype, optional\n"                               \
    "    Of the view.\n" RETURNS AN_ARRAY EXAMPLES                                     \
    ">>> cp.zeros((2, 3, 4)).reduced_view().shape\n"                                   \
    "(24,)\n"

#define DOC_mdspan                                                                     \
    "The array as C++ sees it in a ``cuda::std::mdspan`` by strides, for a kernel "    \
    "that takes one by value." PARAMETERS "index_type : {int32, int64}\n"              \
    "    Of extents and strides, as in the kernel's ``extents``.\n"                    \
    "allow_unsafe : bool, optional\n"                                                  \
    "    Also with negative strides, which ``layout_stride`` does not have.\n" RETURNS \
    "numpy.void\n"                                                                     \
    "    The address, the extents, and the strides in elements. It does not keep the " \
    "array alive.\n" EXAMPLES                                                          \
    ">>> cp.zeros((2, 3)).T.mdspan(index_type='int32')['strides']\n"                   \
    "array([1, 3], dtype=int32)\n"

#define SCATTERED(name, what)                                                          \
    "Deprecated: use `cupricx.scatter_" name "`.\n\n" what PARAMETERS                  \
    "slices : as in ``x[slices]``\n"                                                   \
    "    The places; one that appears again takes every value.\n"                      \
    "value : array_like\n"                                                             \
    "    Broadcasts to ``x[slices]``.\n" EXAMPLES ">>> import warnings\n"              \
    ">>> x = cp.zeros(3)\n"                                                            \
    ">>> with warnings.catch_warnings():\n"                                            \
    "...     warnings.simplefilter('ignore')\n"                                        \
    "...     x.scatter_" name "(cp.array([0, 0, 2]), 1)\n"                             \
    ">>> x\n"
#define DOC_scatter_add                                                                \
    SCATTERED("add", "Add to elements in place.") "array([2., 0., 1.])\n"
#define DOC_scatter_max                                                                \
    SCATTERED("max", "Raise elements to values at least, in place.")                   \
    "array([1., 0., 1.])\n"
#define DOC_scatter_min                                                                \
    SCATTERED("min", "Lower elements to values at most, in place.")                    \
    "array([0., 0., 0.])\n"

#endif
