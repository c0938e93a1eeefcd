/* host/unit.h: the translation unit that a kernel's source becomes.
 *
 *     head     device.hpp, and the macros of the options
 *     source   the user's
 *     names    the beginning of the table of entries: the names that were asked for
 *     tail     its end: what the source declares
 *
 * The first three can be sent through the preprocessor, with CUDA's keywords kept as they
 * are, and come back as text without macros.
 */
#ifndef CUPRIC_HOST_UNIT_H
#define CUPRIC_HOST_UNIT_H

#include <stdbool.h>
#include <stdio.h>

#include "device/backend.h"
#include "host/cuda_source.h"
#include "status.h"

typedef struct cu_unit {
    char *text; /* owned: what `source` points into, or NULL */
    char *head; /* owned where text is NULL, as the others */
    char *source;
    char *names;
    bool preprocessed;
} cu_unit;

/* The flags of every compilation, but for the instruction set; NULL ends them. */
extern const char *const cu_unit_flags[];

/* A bit for each header that is left out where a text has none of its words. */
unsigned cu_unit_headers(const char *text, bool includes);

/* The parts of a source, not preprocessed. {0} and those of a failure can be cleared. */
cu_status cu_unit_make(const cu_compile *args, const cu_source_facts *facts,
                       cu_unit *out);
void cu_unit_clear(cu_unit *u);

/* Write the parts for the preprocessor; take what it made of them, which is stolen. False
 * where the parts are not found in it. */
cu_status cu_unit_write_parts(const char *path, const cu_unit *u);
bool cu_unit_take(cu_unit *u, char *text);

/* Write the whole for the compiler. */
cu_status cu_unit_write(const char *path, const cu_compile *args,
                        const cu_source_facts *facts, const cu_unit *u);

#endif
