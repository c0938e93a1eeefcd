/* device_launch_parameters.h: what it declares is known to every kernel already. */
#ifndef CUPRIC_HOST_SHIM_DEVICE_LAUNCH_PARAMETERS_H
#define CUPRIC_HOST_SHIM_DEVICE_LAUNCH_PARAMETERS_H
#endif
