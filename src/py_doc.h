/* py_doc.h: how a header of docstrings defines one, the signature first. */
#ifndef CUPRIC_PY_DOC_H
#define CUPRIC_PY_DOC_H

/* A file uses some of a header's. */
#define DOC(name) __attribute__((unused)) static const char name[]

#endif
