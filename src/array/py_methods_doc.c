/* array/py_methods_doc.c: docstrings of methods, from those of the functions they are.
 *
 * A method that methods.def documents by "See cupric.sum." takes the docstring of that
 * function when the package is imported: without the parameters that the method has not,
 * and with x.sum(axis=1) for cp.sum(x, axis=1) in the examples.
 */
#include <string.h>

#include "array/py_array.h"
#include "array/py_functions.h"

typedef struct {
    char *start, *end;
    char *at; /* the next character; NULL where there is no memory */
} text;

static void
put(text *t, const char *from, size_t n)
{
    if (t->at && n > (size_t)(t->end - t->at)) {
        const size_t used = (size_t)(t->at - t->start), size = 2 * (used + n);
        char *grown = PyMem_Realloc(t->start, size);
        if (grown == NULL) PyMem_Free(t->start);
        t->start = grown;
        t->at = grown ? grown + used : NULL;
        t->end = grown ? grown + size : NULL;
    }
    if (t->at == NULL) return;
    memcpy(t->at, from, n);
    t->at += n;
}

static void
put_string(text *t, const char *s)
{
    put(t, s, strlen(s));
}

typedef struct {
    const char *start, *end;
} span;

static bool
is_name_character(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
}

/* Whether a name is one of the parameters in "sum($self, axis=None)\n". */
static bool
has_parameter(const char *signature, span name)
{
    const size_t n = (size_t)(name.end - name.start);
    const char *end = strchr(signature, '\n');

    for (const char *p = strchr(signature, '('); p && p + n + 1 < end; p++) {
        if (!is_name_character(p[0]) && memcmp(p + 1, name.start, n) == 0 &&
            strchr(",=)", p[n + 1])) {
            return true;
        }
    }
    return false;
}

/* "a, axis : int": those of the names that are parameters, and what follows them. Whether
 * there are any. */
static bool
put_parameters(text *t, const char *signature, span line)
{
    const char *colon = line.start, *p = line.start;
    bool any = false;

    while (colon < line.end && strncmp(colon, " : ", 3) != 0) colon++;
    while (p < colon) {
        span name = {p, p};
        while (name.start < colon && !is_name_character(*name.start)) name.start++;
        name.end = name.start;
        while (name.end < colon && is_name_character(*name.end)) name.end++;
        if (name.end > name.start && has_parameter(signature, name)) {
            if (any) put_string(t, ", ");
            put(t, name.start, (size_t)(name.end - name.start));
            any = true;
        }
        p = name.end + 1;
    }
    if (any) {
        put(t, colon, (size_t)(line.end - colon));
        put_string(t, "\n");
    }
    return any;
}

/* The end of a call's first argument, which begins at p: a comma or a parenthesis; NULL
 * where the line ends before. `*atom`: it needs no parentheses before a dot. */
static const char *
argument_end(const char *p, const char *end, bool *atom)
{
    int depth = 0;

    *atom = true;
    for (; p < end; p++) {
        if (depth == 0 && (*p == ',' || *p == ')')) return p;
        if (*p == '(' || *p == '[') depth++;
        if (*p == ')' || *p == ']') depth--;
        if (depth == 0 && (*p == ' ' || *p == '-')) *atom = false;
    }
    return NULL;
}

/* A line of an example, with x.sum(1) for each cp.sum(x, 1). */
static void
put_example(text *t, const char *name, span line)
{
    char call[64];
    const size_t n = (size_t)snprintf(call, sizeof call, "cp.%s(", name);
    const char *p = line.start;

    while (p < line.end) {
        const char *end = NULL;
        bool atom = true;
        if ((size_t)(line.end - p) > n && memcmp(p, call, n) == 0) {
            end = argument_end(p + n, line.end, &atom);
        }
        if (end == NULL || end == p + n) {
            put(t, p++, 1);
            continue;
        }
        if (p[n] == '[') {
            put_string(t, "cp.array(");
            atom = false;
        } else if (!atom) {
            put_string(t, "(");
        }
        put(t, p + n, (size_t)(end - p) - n);
        if (!atom) put_string(t, ")");
        put(t, ".", 1);
        put(t, call + 3, n - 3);
        p = end;
        if (*p == ',') p++;
        while (p < line.end && *p == ' ') p++;
    }
    put_string(t, "\n");
}

/* Prose, in which the array has no name. */
static void
put_prose(text *t, span line)
{
    static const char named[] = "`a`";

    for (const char *p = line.start; p < line.end;) {
        if (line.end - p >= 3 && memcmp(p, named, 3) == 0) {
            put_string(t, "the array");
            p += 3;
        } else {
            put(t, p++, 1);
        }
    }
    put_string(t, "\n");
}

static span
line_at(const char *p)
{
    const char *end = strchr(p, '\n');
    return (span){p, end ? end : p + strlen(p)};
}

/* Blanks before the second line that has any text: what Python leaves in a docstring. */
static size_t
indentation(const char *doc)
{
    for (const char *p = strchr(doc, '\n'); p; p = strchr(p, '\n')) {
        const size_t n = strspn(++p, " ");
        if (p[n] != '\n' && p[n] != '\0') return n;
    }
    return 0;
}

/* The method's docstring from the function's; owned by PyMem. */
static char *
derive(const char *name, const char *signature, const char *doc)
{
    const size_t indent = indentation(doc);
    enum { OTHER, PARAMETERS, EXAMPLES } section = OTHER;
    text t = {PyMem_Malloc(2048), NULL, NULL}; /* enough for most */
    span heading = {NULL, NULL}; /* held back until there is a parameter */
    bool kept = true;

    t.at = t.start;
    t.end = t.start ? t.start + 2048 : NULL;
    put(&t, signature, (size_t)(strstr(signature, "\n\n") + 2 - signature));
    for (const char *p = doc; *p;) {
        span line = line_at(p), next;
        const char *after = *line.end ? line.end + 1 : line.end;
        if (p > doc && strspn(p, " ") >= indent) line.start += indent;
        if (line.start > line.end) line.start = line.end;
        next = line_at(after);
        if (strspn(after, " ") == indent && strncmp(after + indent, "---", 3) == 0) {
            const size_t n = (size_t)(line.end - line.start);
            section = n == 10 && memcmp(line.start, "Parameters", n) == 0 ? PARAMETERS
                      : n == 8 && memcmp(line.start, "Examples", n) == 0  ? EXAMPLES
                                                                          : OTHER;
            kept = section != PARAMETERS;
            heading = line;
            if (kept) {
                put(&t, line.start, n + 1);
                put(&t, after + indent, (size_t)(next.end - after) - indent);
                put_string(&t, "\n");
            }
            after = *next.end ? next.end + 1 : next.end;
        } else if (section == PARAMETERS && line.start < line.end &&
                   *line.start != ' ') {
            const size_t used = (size_t)(t.at - t.start);
            if (heading.start) put_string(&t, "Parameters\n----------\n");
            kept = put_parameters(&t, signature, line);
            if (kept) heading.start = NULL;
            if (!kept && t.at) t.at = t.start + used;
        } else if (section == EXAMPLES) {
            put_example(&t, name, line);
        } else if (kept || (line.start == line.end && heading.start == NULL)) {
            put_prose(&t, line);
        }
        p = after;
    }
    put(&t, "", 1);
    return t.start;
}

/* _document_methods(functions): take the docstrings that follow from those of functions,
 * which are in a dictionary by name. */
static PyObject *
document_methods(PyObject *module, PyObject *functions)
{
    static const char see[] = "See cupric.";

    (void)module;
    if (!PyDict_Check(functions)) {
        PyErr_Format(PyExc_TypeError, "functions must be a dict, not %.100s",
                     Py_TYPE(functions)->tp_name);
        return NULL;
    }
    for (PyMethodDef *m = py_array_methods; m->ml_name; m++) {
        const char *body = m->ml_doc ? strstr(m->ml_doc, "\n\n") : NULL, *doc;
        PyObject *function, *read; /* read: owned */
        char *made;
        if (body == NULL || strncmp(body + 2, see, sizeof see - 1) != 0) continue;
        function = PyDict_GetItemString(functions, m->ml_name);
        if (function == NULL) continue;
        read = PyObject_GetAttrString(function, "__doc__");
        if (read == NULL) return NULL;
        doc = PyUnicode_Check(read) ? PyUnicode_AsUTF8(read) : NULL;
        made = doc ? derive(m->ml_name, m->ml_doc, doc) : NULL;
        Py_DECREF(read);
        if (PyErr_Occurred()) return NULL;
        if (made) m->ml_doc = made; /* for ever, as the type */
    }
    Py_RETURN_NONE;
}

/* _method_doc(name, signature, doc): what a method would take from a function. */
static PyObject *
method_doc(PyObject *module, PyObject *args)
{
    const char *name, *signature, *doc;
    PyObject *r;
    char *made;

    (void)module;
    if (!PyArg_ParseTuple(args, "sss:_method_doc", &name, &signature, &doc))
        return NULL;
    if (strstr(signature, "\n\n") == NULL) {
        PyErr_SetString(PyExc_ValueError, "signature must end with a blank line");
        return NULL;
    }
    made = derive(name, signature, doc);
    if (made == NULL) return PyErr_NoMemory();
    r = PyUnicode_FromString(made);
    PyMem_Free(made);
    return r;
}

PyMethodDef py_methods_doc_functions[] = {
    {"_method_doc", method_doc, METH_VARARGS,
     "_method_doc(name, signature, doc, /)\n--\n\n"
     "The docstring of a method from that of a function, for tests."},
    {"_document_methods", document_methods, METH_O,
     "_document_methods(functions, /)\n--\n\n"
     "Give methods of ndarray the docstrings of the functions of their names."},
    {NULL},
};
