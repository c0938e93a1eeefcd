/* ops/py_ufunc_doc.c: the signature and the docstring of an operation, from its row and
 * its line of examples.def; made when somebody asks. */
#include "ops/py_ufunc_doc.h"

#include <stdio.h>

#include "layout/py_args.h"
#include "ops/ufunc.h"

static const struct {
    const char *arguments, *result;
} examples[CUPRIC_N_UFUNCS] = {
#define EXAMPLE(name, arguments, result) [CUPRIC_OP_##name] = {arguments, result},
#include "ops/examples.def"
#undef EXAMPLE
};

#define PARAMETERS_NBYTES 192 /* of the longest list by position */
#define KEYWORDS_ONLY                                                                  \
    ", *, where=True, casting='same_kind', order='K', dtype=None, subok=True, "        \
    "signature=None"

/* "x", or "x1, x2": names, numbered from 1, with `after` behind each. */
static size_t
write_numbered(char *text, size_t size, const char *name, int count, const char *after)
{
    size_t n = 0;

    for (int k = 1; k <= count; k++) {
        n += (size_t)snprintf(text + n, size - n, k > 1 ? ", %s%d%s" : "%s%d%s", name,
                              k, after);
    }
    return n;
}

static size_t
write_inputs(const cu_ufunc *u, char *text, size_t size)
{
    return u->nin == 1 ? (size_t)snprintf(text, size, "x")
                       : write_numbered(text, size, "x", u->nin, "");
}

/* "x1, x2, /, out=None": the parameters by position. */
static void
write_parameters(const cu_ufunc *u, char *text, size_t size)
{
    size_t n = write_inputs(u, text, size);

    if (u->nout == 1) {
        snprintf(text + n, size - n, ", /, out=None");
        return;
    }
    n += (size_t)snprintf(text + n, size - n, ", ");
    n += write_numbered(text + n, size - n, "out", u->nout, "=None");
    n += (size_t)snprintf(text + n, size - n, ", /, out=(");
    for (int k = 1; k <= u->nout; k++) {
        n += (size_t)snprintf(text + n, size - n, k > 1 ? ", None" : "None");
    }
    snprintf(text + n, size - n, ")");
}

PyObject *
py_ufunc_signature(int op)
{
    char parameters[PARAMETERS_NBYTES];
    PyObject *text, *r = NULL; /* text: owned */

    write_parameters(&cu_ufuncs[op], parameters, sizeof parameters);
    text = PyUnicode_FromFormat("%s" KEYWORDS_ONLY, parameters);
    if (text) r = py_signature_new(text);
    Py_XDECREF(text);
    return r;
}

/* Where users have rows without a public name from, but for cupric. */
static const char *const homes[] = {[CUPRIC_OP_rsqrt] = "cupricx"};

/* Where the example has it from. */
static const char *
namespace_of(int op)
{
    if (cu_ufuncs[op].family) return "special";
    if (op < (int)(sizeof homes / sizeof *homes) && homes[op]) return homes[op];
    return "cp";
}

/* The example as it is typed, or "". */
static PyObject *
example_of(int op)
{
    const cu_ufunc *u = &cu_ufuncs[op];

    if (examples[op].arguments == NULL) return PyUnicode_FromString("");
    return PyUnicode_FromFormat(
        "\nExamples\n--------\n%s>>> %s.%s(%s)\n%s\n",
        u->family ? ">>> from cupricx.scipy import special\n" : "", namespace_of(op),
        u->name, examples[op].arguments, examples[op].result);
}

PyObject *
py_ufunc_doc(int op, PyObject *types)
{
    const cu_ufunc *u = &cu_ufuncs[op];
    PyObject *blank = PyUnicode_FromString(" "), *example = example_of(op);
    PyObject *joined = blank ? PyUnicode_Join(blank, types) : NULL, *r = NULL;
    char parameters[PARAMETERS_NBYTES], inputs[32], outputs[64] = "";

    write_parameters(u, parameters, sizeof parameters);
    write_inputs(u, inputs, sizeof inputs);
    if (u->nout > 1) write_numbered(outputs, sizeof outputs, "out", u->nout, "");
    if (joined && example) {
        r = PyUnicode_FromFormat(
            "%s(%s" KEYWORDS_ONLY ")\n\n"
            "%s\n\n"
            "Parameters\n----------\n"
            "%s : cupric.ndarray or scalar\n"
            "    Inputs; their shapes are broadcast to one.\n"
            "%s%s"
            "out : cupric.ndarray, or a tuple of them, optional\n"
            "    Where results go. None makes a new array.\n"
            "where : cupric.ndarray of bool, optional\n"
            "    Elements to compute; the others of `out` stay as they are.\n"
            "casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe'}, optional\n"
            "    What conversion of dtypes is let through.\n"
            "order : {'K', 'A', 'C', 'F'}, optional\n"
            "    Memory layout of new arrays.\n"
            "dtype : dtype, optional\n"
            "    Of the result, which decides the dtype of the work.\n"
            "subok : bool, optional\n"
            "    Accepted, and makes no difference.\n"
            "signature : str or tuple of dtypes, optional\n"
            "    Of inputs and outputs: one of the types below.\n\n"
            "Returns\n-------\n"
            "%s\n    New array%s, or `out`.\n\n"
            "%s%s%s"
            "Notes\n-----\n"
            "Types: %U\n%U",
            u->name, parameters, u->summary, inputs, outputs,
            u->nout == 1 ? ""
                         : " : cupric.ndarray, optional\n    Where each result goes.\n",
            u->nout == 1 ? "cupric.ndarray" : "tuple of cupric.ndarray",
            u->nout == 1 ? "" : "s",
            u->names[0] == '\0' ? ""
            : u->family         ? "See Also\n--------\nscipy.special."
                                : "See Also\n--------\nnumpy.",
            u->names[0] ? u->name : "", u->names[0] ? "\n\n" : "", joined, example);
    }
    Py_XDECREF(blank);
    Py_XDECREF(example);
    Py_XDECREF(joined);
    return r;
}
