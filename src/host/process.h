/* host/process.h: run a program and keep what it says. */
#ifndef CUPRIC_HOST_PROCESS_H
#define CUPRIC_HOST_PROCESS_H

#include "device/backend.h"

/* Run argv[0], an absolute path, and wait. *out receives what it wrote to stdout and
 * *err what it wrote to stderr, zero-terminated; the caller frees both, on success.
 * *code is its exit status, or -1 if a signal ended it. */
cu_status cu_process_run(char *const *argv, int *code, cu_blob *out, cu_blob *err);

/* The absolute path of a program as the shell would find it, or NULL; the caller frees. */
char *cu_process_find(const char *name);

#endif
