/* cuda/libraries.h: NVIDIA's libraries, opened on first use wherever they are. */
#ifndef CUPRIC_CUDA_LIBRARIES_H
#define CUPRIC_CUDA_LIBRARIES_H

#include <stddef.h>

#include "status.h"

typedef enum cu_cuda_library {
    CUPRIC_NVRTC,
    CUPRIC_CUBLAS,
    CUPRIC_CUFFT,
    CUPRIC_CUSOLVER,
    CUPRIC_N_LIBRARIES
} cu_cuda_library;

/* The library's handle for dlsym, opened once; CUPRIC_ERR_IMPORT, naming the package to
 * install, where it is not found. */
cu_status cu_cuda_library_open(cu_cuda_library which, void **out);

/* The functions of a library that are used are rows of its table, cublas.def and so on:
 * SYMBOL(field, name, result, parameters) is a field of a struct of pointers, and the name
 * that the library has it by. Its types are repeated from the library's header, whose
 * functions do not change. */
#define CUPRIC_SYMBOL_FIELD(field, name, result, parameters) result(*field) parameters;
#define CUPRIC_SYMBOL_NAME(field, name, result, parameters) name,

/* Fill a table of function pointers from a library: n names, n slots. */
cu_status cu_cuda_library_table(cu_cuda_library which, const char *const *names,
                                void **slots, size_t n);

/* The folder of the toolkit's headers (cuda_fp16.h); NULL where there is none. */
const char *cu_cuda_toolkit_include(void);

#endif
