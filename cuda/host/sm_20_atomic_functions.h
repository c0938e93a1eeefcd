/* sm_20_atomic_functions.h: what it declares is known to every kernel already. */
#ifndef CUPRIC_HOST_SHIM_SM_20_ATOMIC_FUNCTIONS_H
#define CUPRIC_HOST_SHIM_SM_20_ATOMIC_FUNCTIONS_H
#endif
