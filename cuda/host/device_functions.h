/* device_functions.h: what it declares is known to every kernel already. */
#ifndef CUPRIC_HOST_SHIM_DEVICE_FUNCTIONS_H
#define CUPRIC_HOST_SHIM_DEVICE_FUNCTIONS_H
#endif
