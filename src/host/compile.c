/* host/compile.c: from CUDA source to a shared object, by the system's C++ compiler.
 *
 *     source -> scan, rewrite -> device.hpp + source + table of kernels -> c++ -> .so
 *
 * Where macros and conditions decide what there is, the compiler's preprocessor comes
 * first, and what it makes of all is scanned, rewritten and compiled.
 *
 * The flags: -O3 and the CPU's own instructions, since nothing else will ever run the
 * binary (the cache's key holds the CPU); no FMA contraction, so that a kernel gives the
 * same bits on every CPU and the same as cupric's own operations (--fmad=true asks for
 * it); no strict aliasing, since device code reads memory under other types all the time.
 * C++ headers' start-up files are linked only where the source includes some, which
 * halves the linker's time.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/compiler.h"
#include "host/cuda_source.h"
#include "host/entries.h"
#include "host/options.h"
#include "host/process.h"
#include "host/races.h"
#include "host/unit.h"

static cu_blob
text_blob(const char *text)
{
    cu_blob b = {strdup(text), strlen(text)};
    if (!b.data) b.nbytes = 0;
    return b;
}

/* The current folder first for #include "name", as NVRTC does. */
static void
add_includes(cu_command *c, const cu_compiler *compiler)
{
    cu_command_add(c, "-iquote");
    cu_command_add(c, ".");
    cu_command_add(c, "-I");
    cu_command_add(c, compiler->include_host);
    cu_command_add(c, "-I");
    cu_command_add(c, compiler->include);
}

/* ---- scratch folder -------------------------------------------------------------------------- */

static cu_status
scratch_make(char *path, size_t n)
{
    const char *folders[] = {getenv("TMPDIR"), "/tmp", "/var/tmp", "/dev/shm"};

    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        if (!folders[i] || !*folders[i]) continue;
        if (snprintf(path, n, "%s/cupric-XXXXXX", folders[i]) >= (int)n) continue;
        if (mkdtemp(path)) return CUPRIC_OK;
    }
    return cu_fail(
        CUPRIC_ERR_OS,
        "no folder for temporary files could be made in TMPDIR, /tmp, /var/tmp "
        "or /dev/shm: %s",
        strerror(errno));
}

static void
scratch_remove(const char *folder)
{
    static const char *const names[] = {"kernel.cpp", "kernel.so", "kernel.d"};
    char path[4200];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

/* ---- commands ------------------------------------------------------------------------------------- */

/* The words that any run of the compiler begins with. */
static cu_status
add_command(cu_command *c, const cu_compiler *compiler, const cu_compile *args,
            cu_blob *log)
{
    static const char *const flags[] = {
#if defined(__x86_64__)
        "-march=native",
#elif defined(__aarch64__)
        "-mcpu=native",
#endif
        NULL
    };

    /* Where races are looked for: what races.hpp hears of, with the lines' numbers. */
    static const char *const looked_at[] = {"-O1", "-g1", "-fsanitize=thread",
                                            "-Wno-builtin-declaration-mismatch", NULL};

    for (int i = 0; i < compiler->nwords; i++) cu_command_add(c, compiler->words[i]);
    for (int i = 0; cu_unit_flags[i]; i++) cu_command_add(c, cu_unit_flags[i]);
    for (int i = 0; flags[i]; i++) cu_command_add(c, flags[i]);
    for (int i = 0; cu_host_races_wanted() && looked_at[i]; i++)
        cu_command_add(c, looked_at[i]);
    cu_status st = cu_options_add(c, args, log);
    if (!st) add_includes(c, compiler);
    return st;
}

static void
add_rule(cu_command *c, const char *rule)
{
    cu_command_add(c, "-MD");
    cu_command_add(c, "-MF");
    cu_command_add(c, rule);
}

/* ---- what is in the source ------------------------------------------------------------------------ */

/* Send the parts of a unit through the preprocessor, and read the source again. Should
 * that fail, the compilation will, with the better message. */
static cu_status
preprocess(const cu_compiler *compiler, const cu_compile *args, const char *folder,
           cu_unit *unit, cu_source_facts *facts)
{
    cu_command c = {0};
    cu_blob out = {0}, err = {0}, log = {0};
    cu_source_facts better = {0};
    char path[4200], rule[4200];
    int code = -1;
    cu_status st;

    snprintf(path, sizeof path, "%s/kernel.cpp", folder);
    snprintf(rule, sizeof rule, "%s/kernel.d", folder);
    st = cu_unit_write_parts(path, unit);
    if (!st) st = add_command(&c, compiler, args, &log);
    cu_command_add(&c, "-E");
    add_rule(&c, rule);
    cu_command_add(&c, path);
    if (!st) st = cu_process_run(c.words, &code, &out, &err);
    if (!st && code == 0 && out.data && cu_unit_take(unit, out.data)) {
        out.data = NULL;
        st = cu_source_scan(unit->source, &better);
        if (!st) {
            better.includes = facts->includes;
            better.headers =
                facts->headers | cu_unit_headers(unit->source, facts->includes);
            cu_source_facts_clear(facts);
            *facts = better;
        }
    }
    free(out.data);
    free(err.data);
    free(log.data);
    cu_command_clear(&c);
    return st;
}

/* Preprocess a unit, once more where a header turns out to need one of ours. */
static cu_status
preprocess_all(const cu_compiler *compiler, const cu_compile *args, const char *folder,
               cu_unit *unit, cu_source_facts *facts)
{
    const unsigned before = facts->headers;
    cu_status st = preprocess(compiler, args, folder, unit, facts);

    if (st || facts->headers == before) return st;
    cu_unit_clear(unit);
    st = cu_unit_make(args, facts, unit);
    return st ? st : preprocess(compiler, args, folder, unit, facts);
}

/* The parts to compile, and what is in them. */
static cu_status
read_source(const cu_compiler *compiler, const cu_compile *args, const char *folder,
            cu_unit *unit, cu_source_facts *facts)
{
    cu_unit parts = {0}; /* of a unit, which is kept as it is */
    unsigned before;
    cu_status st = cu_source_scan(args->source, facts);

    if (st) return st;
    facts->headers = cu_unit_headers(args->source, facts->includes);
    st = cu_unit_make(args, facts, unit);
    if (st || !(facts->hidden || facts->includes || cu_options_have_macros(args)))
        return st;
    if (!args->unit) return preprocess_all(compiler, args, folder, unit, facts);
    before = facts->headers;
    st = cu_unit_make(args, facts, &parts);
    if (!st) st = preprocess(compiler, args, folder, &parts, facts);
    cu_unit_clear(&parts);
    if (st || facts->headers == before) return st;
    cu_unit_clear(unit);
    return cu_unit_make(args, facts, unit);
}

static cu_status
read_file(const char *path, cu_blob *out)
{
    struct stat info;
    cu_blob b = {0};
    FILE *f = fopen(path, "rbe");

    if (!f || fstat(fileno(f), &info)) goto fail;
    b.data = malloc((size_t)info.st_size + 1);
    if (!b.data) goto fail;
    b.nbytes = fread(b.data, 1, (size_t)info.st_size, f);
    b.data[b.nbytes] = '\0';
    if (b.nbytes != (size_t)info.st_size || b.nbytes == 0) goto fail;
    fclose(f);
    *out = b;
    return CUPRIC_OK;

fail:
    if (f) fclose(f);
    free(b.data);
    return cu_fail(CUPRIC_ERR_COMPILE, "what the compiler wrote could not be read: %s",
                   path);
}

/* ---- what the compiler read ----------------------------------------------------------------------- */

/* The next word of a makefile's rule, in place; NULL at the end. */
static char *
next_word(char **text)
{
    char *p = *text, *word, *to;

    for (;;) {
        p += strspn(p, " \t\n");
        if (*p != '\\' || p[1] != '\n') break;
        p += 2;
    }
    word = to = p;
    while (*p && !strchr(" \t\n", *p)) {
        if (*p == '\\' && p[1] == '\n') break;
        if ((*p == '\\' && p[1] && strchr(" #\\", p[1])) || (*p == '$' && p[1] == '$'))
            p++;
        *to++ = *p++;
    }
    if (p == word) return NULL;
    *text = *p == '\\' ? p + 2 : *p ? p + 1 : p;
    *to = '\0';
    return word;
}

static bool
is_below(const char *path, const char *folder)
{
    const size_t n = strlen(folder);
    return strncmp(path, folder, n) == 0 && path[n] == '/';
}

/* The headers of the rule that -MD wrote: "kernel.o: a.h b.h \". Without it, none are
 * told. */
static void
read_files(const char *folder, const cu_compiler *compiler, cu_blob *files)
{
    char path[4200], *at, *word;
    cu_blob rule = {0};
    size_t n = 0;

    snprintf(path, sizeof path, "%s/kernel.d", folder);
    if (read_file(path, &rule)) return;
    files->data = malloc(rule.nbytes + 2);
    at = strstr(rule.data, ": ");
    at = at ? at + 1 : rule.data + rule.nbytes;
    while (files->data && (word = next_word(&at))) {
        if (is_below(word, folder) || is_below(word, compiler->include)) continue;
        n += (size_t)(stpcpy(files->data + n, word) - (files->data + n)) + 1;
    }
    files->nbytes = n;
    free(rule.data);
}

/* ---- the run -------------------------------------------------------------------------------------- */

/* The folder's name says nothing to the reader of a message. */
static void
remove_folder(cu_blob *log, const char *folder)
{
    const size_t n = strlen(folder) + 1;
    char *p = log->data;

    while (p && (p = strstr(p, folder))) {
        memmove(p, p + n, strlen(p + n) + 1);
        log->nbytes -= n;
    }
}

/* C++ headers' start-up files only where the source includes some. */
static void
add_output(cu_command *c, const cu_source_facts *facts, const char *source,
           const char *target)
{
    /* races.hpp stands for the library that -fsanitize=thread would link. */
    const bool by_name = !facts->includes || cu_host_races_wanted();

    cu_command_add(c, "-shared");
    if (by_name) {
        cu_command_add(c, "-nostartfiles");
        cu_command_add(c, "-nodefaultlibs");
    }
    cu_command_add(c, source);
    cu_command_add(c, "-o");
    cu_command_add(c, target);
    if (by_name) {
        if (facts->includes) cu_command_add(c, "-lstdc++");
        cu_command_add(c, "-lm");
        cu_command_add(c, "-lc");
        cu_command_add(c, "-lgcc");
    }
}

static cu_status
run_compiler(const cu_compiler *compiler, const cu_compile *args, const cu_unit *unit,
             const cu_source_facts *facts, const char *folder, cu_blob *binary,
             cu_blob *log, cu_blob *files)
{
    cu_command c = {0};
    cu_blob out = {0}, err = {0};
    char source[4200], target[4200], rule[4200];
    int code = 0;
    cu_status st;

    snprintf(source, sizeof source, "%s/kernel.cpp", folder);
    snprintf(target, sizeof target, "%s/kernel.so", folder);
    snprintf(rule, sizeof rule, "%s/kernel.d", folder);
    st = cu_unit_write(source, args, facts, unit);
    if (!st && args->unit) {
        st = read_file(source, binary);
        goto done;
    }
    if (!st) st = add_command(&c, compiler, args, log);
    if (st) goto done;
    if (!unit->preprocessed) add_rule(&c, rule);
    add_output(&c, facts, source, target);
    st = cu_process_run(c.words, &code, &out, &err);
    if (st) goto done;
    remove_folder(&err, folder);
    *log = err;
    err = (cu_blob){0};
    if (code == 0) {
        st = read_file(target, binary);
        if (!st) read_files(folder, compiler, files);
    } else if (code < 0) {
        st = cu_fail(CUPRIC_ERR_COMPILE, "the compiler %s was stopped", c.words[0]);
    } else {
        st = cu_fail(CUPRIC_ERR_COMPILE, "%s", log->data ? log->data : "no message");
    }

done:
    free(out.data);
    free(err.data);
    cu_command_clear(&c);
    return st;
}

cu_status
cu_host_compile(int ordinal, const cu_compile *args, cu_blob *binary, cu_blob *log,
                cu_blob *files)
{
    const cu_compiler *compiler;
    cu_source_facts facts = {0};
    cu_unit unit = {0};
    char folder[4096];
    cu_status st;

    (void)ordinal;
    st = cu_compiler_get(&compiler);
    if (st) {
        *log = text_blob("no C++ compiler");
        return st;
    }
    st = scratch_make(folder, sizeof folder);
    if (st) return st;
    st = read_source(compiler, args, folder, &unit, &facts);
    if (!st) {
        st = run_compiler(compiler, args, &unit, &facts, folder, binary, log, files);
    }
    scratch_remove(folder);
    cu_unit_clear(&unit);
    cu_source_facts_clear(&facts);
    return st;
}
