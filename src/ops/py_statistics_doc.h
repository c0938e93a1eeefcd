/* ops/py_statistics_doc.h: signatures and docstrings of py_statistics.c, for help(). */
#ifndef CUPRIC_OPS_PY_STATISTICS_DOC_H
#define CUPRIC_OPS_PY_STATISTICS_DOC_H

#define PARAMETER_A "\n\nParameters\n----------\na : cupric.ndarray\n    The input.\n"

#define PARAMETER_AXIS                                                                 \
    "axis : None, int or tuple of ints, optional\n"                                    \
    "    Axes to go; all of them when left out.\n"
#define PARAMETER_AXIS1                                                                \
    "axis : None or int, optional\n"                                                   \
    "    The axis to go; when left out, the array counts as one axis in C order.\n"
#define PARAMETER_AXISRUN                                                              \
    "axis : None or int, optional\n"                                                   \
    "    The axis to run along; when left out, the array is flattened.\n"
#define PARAMETER_CORRECTION                                                           \
    "correction : float, optional\n"                                                   \
    "    Another name of `ddof`.\n"
#define PARAMETER_DDOF                                                                 \
    "ddof : float, optional\n"                                                         \
    "    Divide by ``N - ddof``.\n"
#define PARAMETER_DTYPE                                                                \
    "dtype : dtype, optional\n"                                                        \
    "    Of the result, and of the work.\n"
#define PARAMETER_INITIAL                                                              \
    "initial : scalar, optional\n"                                                     \
    "    Where the reduction starts.\n"
#define PARAMETER_KEEPDIMS                                                             \
    "keepdims : bool, optional\n"                                                      \
    "    Keep the axes that go, with length 1.\n"
#define PARAMETER_MEAN                                                                 \
    "mean : cupric.ndarray, optional\n"                                                \
    "    The mean, if it is known, with the reduced axes kept.\n"
#define PARAMETER_OUT                                                                  \
    "out : cupric.ndarray, optional\n"                                                 \
    "    Where the result goes. It has the result's shape.\n"
#define PARAMETER_WHERE                                                                \
    "where : cupric.ndarray of bool, optional\n"                                       \
    "    Elements that take part; broadcasts to `a`.\n"
#define RETURNS                                                                        \
    "\nReturns\n-------\ncupric.ndarray\n    A new array, or `out`. 0-d when no axis " \
    "remains.\n"

#define EXAMPLES "\nExamples\n--------\n"

static const char doc_sum[] =
    "sum($module, a, axis=None, dtype=None, out=None, keepdims=False, initial=0, "
    "where=True)\n--\n\n"
    "Sum of the elements."
    " Small integers are added in 64 bits." PARAMETER_A PARAMETER_AXIS PARAMETER_DTYPE
        PARAMETER_OUT PARAMETER_KEEPDIMS PARAMETER_INITIAL PARAMETER_WHERE RETURNS
            EXAMPLES ">>> cp.sum(cp.ones((2, 3)), axis=1)\n"
    "array([3., 3.])\n";

static const char doc_prod[] =
    "prod($module, a, axis=None, dtype=None, out=None, keepdims=False, initial=1, "
    "where=True)\n--\n\n"
    "Product of the elements."
    " Small integers are multiplied in 64 bits." PARAMETER_A PARAMETER_AXIS
        PARAMETER_DTYPE PARAMETER_OUT PARAMETER_KEEPDIMS PARAMETER_INITIAL
            PARAMETER_WHERE RETURNS EXAMPLES ">>> cp.prod(cp.arange(1, 5))\n"
    "array(24)\n";

static const char doc_max[] =
    "max($module, a, axis=None, out=None, keepdims=False, initial=None, "
    "where=True)\n--\n\n"
    "The largest element; NaN if there is one." PARAMETER_A PARAMETER_AXIS PARAMETER_OUT
        PARAMETER_KEEPDIMS PARAMETER_INITIAL PARAMETER_WHERE RETURNS EXAMPLES
    ">>> cp.max(cp.array([[1, 5], [7, 3]]), axis=0)\n"
    "array([7, 5])\n";

static const char doc_min[] =
    "min($module, a, axis=None, out=None, keepdims=False, initial=None, "
    "where=True)\n--\n\n"
    "The smallest element; NaN if there is one." PARAMETER_A PARAMETER_AXIS
        PARAMETER_OUT PARAMETER_KEEPDIMS PARAMETER_INITIAL PARAMETER_WHERE RETURNS
            EXAMPLES ">>> cp.min(cp.array([[1, 5], [7, 3]]), axis=0)\n"
    "array([1, 3])\n";

static const char doc_ptp[] =
    "ptp($module, a, axis=None, out=None, keepdims=False)\n--\n\n"
    "The largest element less the smallest." PARAMETER_A PARAMETER_AXIS PARAMETER_OUT
        PARAMETER_KEEPDIMS RETURNS EXAMPLES
    ">>> cp.ptp(cp.array([[1, 5], [7, 3]]), axis=1)\n"
    "array([4, 4])\n";

static const char doc_any[] =
    "any($module, a, axis=None, out=None, keepdims=False, *, where=True)\n--\n\n"
    "Whether any element is true." PARAMETER_A PARAMETER_AXIS PARAMETER_OUT
        PARAMETER_KEEPDIMS PARAMETER_WHERE RETURNS EXAMPLES
    ">>> cp.any(cp.array([[0, 1], [0, 0]]), axis=1)\n"
    "array([ True, False])\n";

static const char doc_all[] =
    "all($module, a, axis=None, out=None, keepdims=False, *, where=True)\n--\n\n"
    "Whether every element is true." PARAMETER_A PARAMETER_AXIS PARAMETER_OUT
        PARAMETER_KEEPDIMS PARAMETER_WHERE RETURNS EXAMPLES
    ">>> cp.all(cp.array([[0, 1], [2, 3]]), axis=1)\n"
    "array([False,  True])\n";

static const char doc_argmax[] =
    "argmax($module, a, axis=None, dtype=None, out=None, keepdims=False)\n--\n\n"
    "Index of the first of the largest elements." PARAMETER_A PARAMETER_AXIS1
        PARAMETER_DTYPE PARAMETER_OUT PARAMETER_KEEPDIMS RETURNS EXAMPLES
    ">>> cp.argmax(cp.array([[1, 5, 5], [7, 3, 0]]), axis=1)\n"
    "array([1, 0])\n";

static const char doc_argmin[] =
    "argmin($module, a, axis=None, dtype=None, out=None, keepdims=False)\n--\n\n"
    "Index of the first of the smallest elements." PARAMETER_A PARAMETER_AXIS1
        PARAMETER_DTYPE PARAMETER_OUT PARAMETER_KEEPDIMS RETURNS EXAMPLES
    ">>> cp.argmin(cp.array([[1, 5, 1], [7, 3, 0]]), axis=1)\n"
    "array([0, 2])\n";

static const char doc_mean[] =
    "mean($module, a, axis=None, dtype=None, out=None, keepdims=False, *, "
    "where=True)\n--\n\n"
    "Arithmetic mean."
    " Of integers and bool it is float64." PARAMETER_A PARAMETER_AXIS PARAMETER_DTYPE
        PARAMETER_OUT PARAMETER_KEEPDIMS PARAMETER_WHERE RETURNS EXAMPLES
    ">>> cp.mean(cp.array([[1, 2], [3, 4]]), axis=0)\n"
    "array([2., 3.])\n";

static const char doc_var[] =
    "var($module, a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, "
    "where=True, mean=None, correction=None)\n--\n\n"
    "Variance: the mean square of the distance from the mean."
    " Of integers and bool it is float64, of complex numbers it is real." PARAMETER_A
        PARAMETER_AXIS PARAMETER_DTYPE PARAMETER_OUT PARAMETER_DDOF PARAMETER_KEEPDIMS
            PARAMETER_WHERE PARAMETER_MEAN PARAMETER_CORRECTION RETURNS EXAMPLES
    ">>> cp.var(cp.array([1, 2, 3, 4]), ddof=1)\n"
    "array(1.66666667)\n";

static const char doc_std[] =
    "std($module, a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, "
    "where=True, mean=None, correction=None)\n--\n\n"
    "Standard deviation: the square root of the variance."
    " Of integers and bool it is float64, of complex numbers it is real." PARAMETER_A
        PARAMETER_AXIS PARAMETER_DTYPE PARAMETER_OUT PARAMETER_DDOF PARAMETER_KEEPDIMS
            PARAMETER_WHERE PARAMETER_MEAN PARAMETER_CORRECTION RETURNS EXAMPLES
    ">>> cp.std(cp.array([1, 2, 3, 4]))\n"
    "array(1.11803399)\n";

static const char doc_cumsum[] =
    "cumsum($module, a, axis=None, dtype=None, out=None)\n--\n\n"
    "Sums of the elements up to each one."
    " Small integers are added in 64 bits." PARAMETER_A PARAMETER_AXISRUN
        PARAMETER_DTYPE PARAMETER_OUT RETURNS EXAMPLES
    ">>> cp.cumsum(cp.array([1, 2, 3, 4]))\n"
    "array([ 1,  3,  6, 10])\n";

static const char doc_cumprod[] =
    "cumprod($module, a, axis=None, dtype=None, out=None)\n--\n\n"
    "Products of the elements up to each one."
    " Small integers are multiplied in 64 bits." PARAMETER_A PARAMETER_AXISRUN
        PARAMETER_DTYPE PARAMETER_OUT RETURNS EXAMPLES
    ">>> cp.cumprod(cp.array([1, 2, 3, 4]))\n"
    "array([ 1,  2,  6, 24])\n";

static const char doc_count_nonzero[] =
    "count_nonzero($module, a, axis=None, *, keepdims=False)\n--\n\n"
    "Number of elements that are not zero." PARAMETER_A PARAMETER_AXIS
        PARAMETER_KEEPDIMS RETURNS EXAMPLES
    ">>> cp.count_nonzero(cp.array([[0, 1], [2, 3]]), axis=1)\n"
    "array([1, 2])\n";

static const char doc_nanargmax[] =
    "nanargmax($module, a, axis=None, dtype=None, out=None, keepdims=False)\n--\n\n"
    "Index of the first of the largest elements that are not NaN; -1 without "
    "any." PARAMETER_A PARAMETER_AXIS1 PARAMETER_DTYPE PARAMETER_OUT PARAMETER_KEEPDIMS
        RETURNS EXAMPLES ">>> cp.nanargmax(cp.array([1, np.nan, 5]))\n"
    "array(2)\n";

static const char doc_nanargmin[] =
    "nanargmin($module, a, axis=None, dtype=None, out=None, keepdims=False)\n--\n\n"
    "Index of the first of the smallest elements that are not NaN; -1 without "
    "any." PARAMETER_A PARAMETER_AXIS1 PARAMETER_DTYPE PARAMETER_OUT PARAMETER_KEEPDIMS
        RETURNS EXAMPLES ">>> cp.nanargmin(cp.array([np.nan, 2, 5]))\n"
    "array(1)\n";

static const char doc_nansum[] =
    "nansum($module, a, axis=None, dtype=None, out=None, keepdims=False, initial=0, "
    "where=True)\n--\n\n"
    "Sum of the elements, with NaN as zero." PARAMETER_A PARAMETER_AXIS PARAMETER_DTYPE
        PARAMETER_OUT PARAMETER_KEEPDIMS PARAMETER_INITIAL PARAMETER_WHERE RETURNS
            EXAMPLES ">>> cp.nansum(cp.array([1, np.nan, 5]))\n"
    "array(6.)\n";

static const char doc_nanprod[] =
    "nanprod($module, a, axis=None, dtype=None, out=None, keepdims=False, initial=1, "
    "where=True)\n--\n\n"
    "Product of the elements, with NaN as one." PARAMETER_A PARAMETER_AXIS
        PARAMETER_DTYPE PARAMETER_OUT PARAMETER_KEEPDIMS PARAMETER_INITIAL
            PARAMETER_WHERE RETURNS EXAMPLES
    ">>> cp.nanprod(cp.array([3, np.nan, 5]))\n"
    "array(15.)\n";

#endif
