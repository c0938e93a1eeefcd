/* cuda/nvrtc_input.h: what NVRTC is given with a source: headers that it lacks, and options.
 */
#ifndef CUPRIC_CUDA_NVRTC_INPUT_H
#define CUPRIC_CUDA_NVRTC_INPUT_H

#include <stdbool.h>

#include "device/backend.h"

#define CUPRIC_NVRTC_MAX_OPTIONS 256
#define CUPRIC_NVRTC_MAX_HEADERS 48

/* Headers that kernels include and NVRTC has not; the last one has no name. */
typedef struct cu_nvrtc_header {
    const char *name, *text;
} cu_nvrtc_header;
extern const cu_nvrtc_header cu_nvrtc_headers[];

typedef struct cu_nvrtc_options {
    const char *words[CUPRIC_NVRTC_MAX_OPTIONS];
    int n;
    char *made[CUPRIC_NVRTC_MAX_OPTIONS]; /* owned */
    int nmade;
} cu_nvrtc_options;

/* The user's options and ours, for a version of NVRTC (cu_cuda_nvrtc_version). Without
 * the user's macros where cu_nvrtc_with_macros has put them into the source, and without
 * those that every kernel knows where the source declares their names. */
void cu_nvrtc_options_add(cu_nvrtc_options *o, int version, const char *arch,
                          const cu_compile *args, bool macros_too, bool known_macros);

/* Whether a source has the name of a macro that every kernel knows: INFINITY, … */
bool cu_nvrtc_has_known_macro(const char *source);
void cu_nvrtc_options_release(cu_nvrtc_options *o);

/* The source behind the headers it uses and the macros of the options; NULL where it can
 * stay as it is. Owned by the caller. */
char *cu_nvrtc_with_macros(const cu_compile *args);

#endif
