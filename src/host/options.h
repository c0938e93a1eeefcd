/* host/options.h: NVRTC's options, as the system's C++ compiler takes them. */
#ifndef CUPRIC_HOST_OPTIONS_H
#define CUPRIC_HOST_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "device/backend.h"

#define CUPRIC_MAXWORDS 256

/* A command line; {0} is empty. The words are borrowed, but for those in `made`. What
 * does not fit is left out. */
typedef struct cu_command {
    char *words[CUPRIC_MAXWORDS];
    int n;
    char *made[CUPRIC_MAXWORDS]; /* owned */
    int nmade;
} cu_command;

void cu_command_add(cu_command *c, const char *word);
void cu_command_clear(cu_command *c);

/* Add the options of `args`, but for the macros. CUPRIC_ERR_COMPILE for an option that
 * there is not, with the message in *log, which the caller frees. */
cu_status cu_options_add(cu_command *c, const cu_compile *args, cu_blob *log);

/* #define and #undef for the options that ask for them. They stand behind our headers,
 * which use such names as N, T and block themselves, so not on the command line. */
void cu_options_macros(FILE *f, const cu_compile *args);
bool cu_options_have_macros(const cu_compile *args);

#endif
