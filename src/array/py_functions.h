/* array/py_functions.h: choosing elements along an axis, joining arrays, and what dtypes and
 * shapes become together: the functions of the module that array/ adds. Each table ends with an empty entry. */
#ifndef CUPRIC_ARRAY_PY_FUNCTIONS_H
#define CUPRIC_ARRAY_PY_FUNCTIONS_H

#include "layout/py_object.h"

extern PyMethodDef py_take_functions[]; /* take, take_along_axis, put, put_along_axis */
extern PyMethodDef py_join_functions[]; /* concatenate */
extern PyMethodDef py_dlpack_functions[]; /* from_dlpack */
/* can_cast, result_type, broadcast_shapes, broadcast_arrays */
extern PyMethodDef py_promote_functions[];
extern PyMethodDef py_given_functions[]; /* device_array, … */

extern PyMethodDef py_methods_doc_functions[]; /* _document_methods */
extern PyMethodDef py_refusal_functions[];     /* _refuse_shuffle */

#endif
