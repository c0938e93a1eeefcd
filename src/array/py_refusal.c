/* array/py_refusal.c: NumPy's shuffle of an array is refused, which would lose elements.
 *
 * NumPy begins with len(x), and then warns of what has views: a filter of Python's warnings,
 * which cupric.random makes, raises there. Filters are lost at the end of the block of
 * warnings.catch_warnings that they were added in, perhaps by an import, and so len(x) adds
 * this one again where the list of filters is another than before.
 */
#include "array/py_array.h"
#include "array/py_functions.h"

/* Under the GIL. All owned, for ever; NULL before _refuse_shuffle. */
static PyObject *filter;   /* what belongs into the list */
static PyObject *warnings; /* the module's names */
static PyObject *name;     /* of the list */
static PyObject *known;    /* the list that it was seen in */

static int
add_filter(PyObject *filters)
{
    int there = PySequence_Contains(filters, filter);

    if (there < 0 || (there == 0 && PyList_Insert(filters, 0, filter) < 0)) return -1;
    Py_XSETREF(known, Py_NewRef(filters));
    return 0;
}

int
py_refuse_shuffle(void)
{
    PyObject *filters = filter ? PyDict_GetItemWithError(warnings, name) : NULL;

    if (CUPRIC_LIKELY(filters == known) || filters == NULL) return 0;
    if (!PyList_Check(filters)) return 0;
    return add_filter(filters);
}

/* _refuse_shuffle(filter): what raises instead of NumPy's warning. */
static PyObject *
refuse_shuffle(PyObject *self, PyObject *given)
{
    PyObject *module = PyImport_ImportModule("warnings"); /* owned */

    (void)self;
    if (module == NULL) return NULL;
    warnings = Py_NewRef(PyModule_GetDict(module));
    Py_DECREF(module);
    name = PyUnicode_InternFromString("filters");
    if (name == NULL) return NULL;
    filter = Py_NewRef(given);
    if (py_refuse_shuffle() < 0) return NULL;
    Py_RETURN_NONE;
}

PyMethodDef py_refusal_functions[] = {
    {"_refuse_shuffle", refuse_shuffle, METH_O, NULL},
    {NULL},
};
