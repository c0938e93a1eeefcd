/* cuda/nvrtc.h: CUDA source to machine code, by NVRTC. Needs no device. */
#ifndef CUPRIC_CUDA_NVRTC_H
#define CUPRIC_CUDA_NVRTC_H

#include "device/backend.h"

/* Compile for `arch` ("sm_90"). The binary is a cubin behind a table of the names asked
 * for and what the compiler made of them; module_load takes it. The package's headers are
 * found by #include "cupric/…"; on failure `log` has the compiler's messages. */
cu_status cu_cuda_nvrtc_compile(const char *arch, const cu_compile *args,
                                cu_blob *binary, cu_blob *log);

/* The cubin in such a binary, and the compiled name for a name asked for (NULL where it
 * was not: the name is then the kernel's own). All borrowed from the binary. */
const void *cu_cuda_binary_image(const void *binary, size_t nbytes);
const char *cu_cuda_binary_lowered(const void *binary, size_t nbytes, const char *name);

/* NVRTC's version as 1000 * major + minor; 0 where there is none. */
int cu_cuda_nvrtc_version(void);

#endif
