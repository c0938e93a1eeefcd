/* host/options.c: what each option of NVRTC means to the system's C++ compiler. */
#include "host/options.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void
cu_command_clear(cu_command *c)
{
    for (int i = 0; i < c->nmade; i++) free(c->made[i]);
    *c = (cu_command){0};
}

void
cu_command_add(cu_command *c, const char *word)
{
    if (c->n < CUPRIC_MAXWORDS - 1) c->words[c->n++] = (char *)word;
}

static void add_made(cu_command *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void
add_made(cu_command *c, const char *fmt, ...)
{
    char text[4400];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (c->nmade < CUPRIC_MAXWORDS && (c->made[c->nmade] = strdup(text))) {
        cu_command_add(c, c->made[c->nmade++]);
    }
}

/* The text after `-name=` or `--name=`; NULL when the option is another. */
static const char *
option_value(const char *option, const char *name)
{
    const size_t n = strlen(name);

    while (*option == '-') option++;
    if (strncmp(option, name, n) || option[n] != '=') return NULL;
    return option + n + 1;
}

static bool
option_is(const char *option, const char *name)
{
    while (*option == '-') option++;
    return strcmp(option, name) == 0;
}

/* What NVRTC takes and has no meaning here. */
static bool
is_ignored(const char *option)
{
    static const char *const names[] = {"gpu-architecture",
                                        "arch",
                                        "maxrregcount",
                                        "ptxas-options",
                                        "Xptxas",
                                        "dopt",
                                        "Ofast-compile",
                                        "relocatable-device-code",
                                        "rdc",
                                        "device-c",
                                        "dc",
                                        "dlto",
                                        "ftz",
                                        "prec-sqrt",
                                        "prec-div",
                                        "extra-device-vectorization",
                                        "restrict",
                                        "device-as-default-execution-space",
                                        "default-device",
                                        "pch",
                                        "create-pch",
                                        "use-pch",
                                        "minimal",
                                        "brief-diagnostics",
                                        "diag-suppress",
                                        "diag-error",
                                        "diag-warn",
                                        "no-source-include",
                                        "version-ident",
                                        "opt-info",
                                        "modify-stack-limit",
                                        "builtin-move-forward",
                                        "builtin-initializer-list",
                                        "disable-warnings",
                                        "w",
                                        "resource-usage",
                                        "line-info",
                                        "lineinfo",
                                        "generate-line-info",
                                        "split-compile",
                                        "display-error-number",
                                        "err-no",
                                        "std=c++03",
                                        "jitify",
                                        "G-unused"};

    while (*option == '-') option++;
    const size_t n = strcspn(option, "=");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i]) == n && !strncmp(option, names[i], n)) return true;
    }
    return !strcmp(option, "std=c++03");
}

/* The value of a `-X value` or `-Xvalue`, NULL when the option is another. */
static const char *
short_value(const char *option, const char *name, const char *next, bool *used_next)
{
    if (strncmp(option, name, 2)) return NULL;
    *used_next = option[2] == '\0' && next;
    return *used_next ? next : option + 2;
}

void
cu_options_macros(FILE *f, const cu_compile *args)
{
    bool used_next = false;

    fputs("#line 1 \"options\"\n", f);
    for (int i = 0; i < args->noptions; i += 1 + used_next) {
        const char *option = args->options[i], *value;
        const char *next = i + 1 < args->noptions ? args->options[i + 1] : NULL;
        used_next = false;
        if ((value = short_value(option, "-D", next, &used_next)) ||
            (value = option_value(option, "define-macro"))) {
            const size_t name = strcspn(value, "=\n");
            const char *text = value[name] == '=' ? value + name + 1 : "1";
            fprintf(f, "#define %.*s %.*s\n", (int)name, value,
                    (int)strcspn(text, "\n"), text);
        } else if ((value = short_value(option, "-U", next, &used_next)) ||
                   (value = option_value(option, "undefine-macro"))) {
            fprintf(f, "#undef %.*s\n", (int)strcspn(value, "\n"), value);
        } else if ((value = option_value(option, "pre-include"))) {
            fprintf(f, "#include \"%s\"\n", value);
        }
    }
}

/* c++11 and c++14 as c++17: the headers need it, and nothing is lost. */
static void
add_standard(cu_command *c, const char *value)
{
    if (strcmp(value, "c++20") && strcmp(value, "c++23") && strcmp(value, "gnu++20")) {
        value = "c++17";
    }
    add_made(c, "-std=%s", value);
}

bool
cu_options_have_macros(const cu_compile *args)
{
    for (int i = 0; i < args->noptions; i++) {
        const char *option = args->options[i];
        if (!strncmp(option, "-D", 2) || option_value(option, "define-macro") ||
            option_value(option, "pre-include")) {
            return true;
        }
    }
    return false;
}

static bool
add_option(cu_command *c, const char *option, const char *next, bool *used_next)
{
    const char *value;

    *used_next = false;
    if ((value = short_value(option, "-I", next, used_next))) {
        cu_command_add(c, "-I");
        cu_command_add(c, value);
    } else if ((value = option_value(option, "include-path"))) {
        add_made(c, "-I%s", value);
    } else if (short_value(option, "-D", next, used_next) ||
               short_value(option, "-U", next, used_next) ||
               option_value(option, "define-macro") ||
               option_value(option, "undefine-macro") ||
               option_value(option, "pre-include")) {
        return true; /* cu_options_macros */
    } else if ((value = option_value(option, "std"))) {
        add_standard(c, value);
    } else if ((value = option_value(option, "fmad"))) {
        add_made(c, "-ffp-contract=%s", strcmp(value, "true") ? "off" : "fast");
    } else if (option_is(option, "use_fast_math")) {
        cu_command_add(c, "-ffp-contract=fast");
    } else if (option_is(option, "device-debug") || option_is(option, "G") ||
               option_is(option, "g")) {
        cu_command_add(c, "-g");
    } else if (!is_ignored(option)) {
        return false;
    }
    return true;
}

cu_status
cu_options_add(cu_command *c, const cu_compile *args, cu_blob *log)
{
    for (int i = 0; i < args->noptions; i++) {
        const char *next = i + 1 < args->noptions ? args->options[i + 1] : NULL;
        bool used_next;
        if (c->n > CUPRIC_MAXWORDS - 32) {
            return cu_fail(CUPRIC_ERR_COMPILE, "too many compiler options");
        }
        if (!add_option(c, args->options[i], next, &used_next)) {
            char text[512];
            snprintf(text, sizeof text, "error: unrecognized option %.400s",
                     args->options[i]);
            log->data = strdup(text);
            log->nbytes = log->data ? strlen(text) : 0;
            return cu_fail(CUPRIC_ERR_COMPILE, "%s", text);
        }
        i += used_next;
    }
    return CUPRIC_OK;
}
