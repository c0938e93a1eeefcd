/* array/py_flags.c: ndarray.flags, a live view of an array's flags. */
#include "array/py_array.h"

typedef struct py_flags {
    PyObject_HEAD
    PyObject *array; /* owned */
} py_flags;

static const cu_array *
array_of(PyObject *self)
{
    return py_array_get(((py_flags *)self)->array);
}

PyObject *
py_flags_new(PyObject *array)
{
    py_flags *self = PyObject_New(py_flags, &py_flags_type);
    if (self) self->array = Py_NewRef(array);
    return (PyObject *)self;
}

static void
flags_dealloc(PyObject *self)
{
    Py_DECREF(((py_flags *)self)->array);
    PyObject_Free(self);
}

enum { FORC = 1 << 8, FNC, CARRAY, FARRAY, BEHAVED, ALIGNED, NO };

static bool
flag_value(const cu_array *a, intptr_t which)
{
    bool c = a->flags & CUPRIC_C_CONTIGUOUS, f = a->flags & CUPRIC_F_CONTIGUOUS;
    bool w = a->flags & CUPRIC_WRITEABLE;
    switch (which) {
    case FORC: return c || f;
    case FNC: return f && !c;
    case CARRAY: return c && w;
    case FARRAY: return f && !c && w;
    case BEHAVED: return w;
    case ALIGNED: return true;
    case NO: return false;
    default: return (a->flags & (unsigned)which) != 0;
    }
}

static PyObject *
flags_get(PyObject *self, void *which)
{
    return PyBool_FromLong(flag_value(array_of(self), (intptr_t)which));
}

/* Writing may be forbidden at any time, and allowed again where the memory allows it. */
static int
set_writeable(PyObject *self, PyObject *value, void *unused)
{
    const cu_array *a = array_of(self);
    cu_array changed; /* borrows */
    PyObject *base = ((py_array *)((py_flags *)self)->array)->base;
    int on;
    (void)unused;

    if (value == NULL) {
        PyErr_SetString(PyExc_AttributeError,
                        "cannot delete flags writeable attribute");
        return -1;
    }
    on = PyObject_IsTrue(value);
    if (on < 0) return -1;
    if (on && !(a->flags & CUPRIC_WRITEABLE)) {
        bool base_ok = base == NULL || (py_array_get(base)->flags & CUPRIC_WRITEABLE);
        if (!base_ok || cu_array_overlaps_itself(a)) {
            PyErr_SetString(PyExc_ValueError,
                            "cannot set WRITEABLE flag to True of this array");
            return -1;
        }
    }
    cu_array_borrow(&changed, a);
    changed.flags &= ~(unsigned)CUPRIC_WRITEABLE;
    if (on) changed.flags |= CUPRIC_WRITEABLE;
    return py_array_set_layout(((py_flags *)self)->array, &changed);
}

static PyGetSetDef flags_getset[] = {
    {"c_contiguous", flags_get, NULL, "Rows are adjacent in memory.",
     (void *)(intptr_t)CUPRIC_C_CONTIGUOUS},
    {"f_contiguous", flags_get, NULL, "Columns are adjacent in memory.",
     (void *)(intptr_t)CUPRIC_F_CONTIGUOUS},
    {"contiguous", flags_get, NULL, "The same as c_contiguous.",
     (void *)(intptr_t)CUPRIC_C_CONTIGUOUS},
    {"fortran", flags_get, NULL, "The same as fnc.", (void *)(intptr_t)FNC},
    {"owndata", flags_get, NULL, "The array is not a view.",
     (void *)(intptr_t)CUPRIC_OWNDATA},
    {"writeable", flags_get, set_writeable, "Elements may be changed. Settable.",
     (void *)(intptr_t)CUPRIC_WRITEABLE},
    {"aligned", flags_get, NULL, "Always true.", (void *)(intptr_t)ALIGNED},
    {"writebackifcopy", flags_get, NULL, "Always false.", (void *)(intptr_t)NO},
    {"forc", flags_get, NULL, "C- or Fortran-contiguous.", (void *)(intptr_t)FORC},
    {"fnc", flags_get, NULL, "Fortran- and not C-contiguous.", (void *)(intptr_t)FNC},
    {"carray", flags_get, NULL, "C-contiguous and writeable.",
     (void *)(intptr_t)CARRAY},
    {"farray", flags_get, NULL, "fnc and writeable.", (void *)(intptr_t)FARRAY},
    {"behaved", flags_get, NULL, "Aligned and writeable.", (void *)(intptr_t)BEHAVED},
    {NULL},
};

static const struct {
    const char *key, *attribute;
} keys[] = {
    {"C_CONTIGUOUS", "c_contiguous"},
    {"CONTIGUOUS", "c_contiguous"},
    {"C", "c_contiguous"},
    {"F_CONTIGUOUS", "f_contiguous"},
    {"FORTRAN", "f_contiguous"},
    {"F", "f_contiguous"},
    {"OWNDATA", "owndata"},
    {"O", "owndata"},
    {"WRITEABLE", "writeable"},
    {"W", "writeable"},
    {"ALIGNED", "aligned"},
    {"A", "aligned"},
    {"WRITEBACKIFCOPY", "writebackifcopy"},
    {"X", "writebackifcopy"},
    {"FNC", "fnc"},
    {"FORC", "forc"},
    {"BEHAVED", "behaved"},
    {"B", "behaved"},
    {"CARRAY", "carray"},
    {"CA", "carray"},
    {"FARRAY", "farray"},
    {"FA", "farray"},
};

static const char *
attribute_of(PyObject *key)
{
    const char *s = PyUnicode_Check(key) ? PyUnicode_AsUTF8(key) : NULL;
    for (size_t i = 0; s && i < sizeof keys / sizeof *keys; i++) {
        if (strcmp(s, keys[i].key) == 0) return keys[i].attribute;
    }
    PyErr_Clear();
    PyErr_SetString(PyExc_KeyError, "Unknown flag");
    return NULL;
}

static PyObject *
flags_subscript(PyObject *self, PyObject *key)
{
    const char *name = attribute_of(key);
    return name ? PyObject_GetAttrString(self, name) : NULL;
}

static int
flags_ass_subscript(PyObject *self, PyObject *key, PyObject *value)
{
    const char *name = attribute_of(key);
    return name ? PyObject_SetAttrString(self, name, value) : -1;
}

static PyObject *
flags_repr(PyObject *self)
{
    static const char *const shown[] = {"C_CONTIGUOUS", "F_CONTIGUOUS",
                                        "OWNDATA",      "WRITEABLE",
                                        "ALIGNED",      "WRITEBACKIFCOPY"};
    static const intptr_t bits[] = {CUPRIC_C_CONTIGUOUS,
                                    CUPRIC_F_CONTIGUOUS,
                                    CUPRIC_OWNDATA,
                                    CUPRIC_WRITEABLE,
                                    ALIGNED,
                                    NO};
    char text[256];
    size_t n = 0;
    for (int i = 0; i < 6; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "  %s : %s\n", shown[i],
                              flag_value(array_of(self), bits[i]) ? "True" : "False");
    }
    return PyUnicode_FromString(text);
}

static PyMappingMethods flags_mapping = {
    .mp_subscript = flags_subscript,
    .mp_ass_subscript = flags_ass_subscript,
};

PyTypeObject py_flags_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric._core.flagsobj",
    .tp_doc =
        "Memory layout of an array, by attribute or by NumPy's names in brackets.",
    .tp_basicsize = sizeof(py_flags),
    .tp_dealloc = flags_dealloc,
    .tp_repr = flags_repr,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_getset = flags_getset,
    .tp_as_mapping = &flags_mapping,
};
