/* host/compile.c: from CUDA source to a shared object, by the system's C++ compiler.
 *
 *     source -> scan, rewrite -> device.hpp + source + table of kernels -> c++ -> .so
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

#include "../../cuda/host/abi.h"
#include "host/compiler.h"
#include "host/cuda_source.h"
#include "host/entries.h"
#include "host/options.h"
#include "host/process.h"

#define GENERATED "#include \"cupric/kernel.hpp\"\n" /* opens kernel/source.c's text */

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
    static const char *const names[] = {"kernel.cpp", "kernel.so", "kernel.d",
                                        "scan.cpp"};
    char path[4200];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

static cu_status
write_failed(FILE *f, const char *path)
{
    const int error = errno;

    if (f) fclose(f);
    return cu_fail(CUPRIC_ERR_OS, "cannot write %s: %s", path, strerror(error));
}

/* ---- the translation unit ---------------------------------------------------------------------- */

static void
put_string(FILE *f, const char *text)
{
    fputc('"', f);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fputc('\\', f);
        fputc(*text, f);
    }
    fputc('"', f);
}

/* A name that is not an identifier is an expression, which only the compiler can judge. */
static bool
is_expression(const char *name)
{
    return strpbrk(name, "<:") != NULL;
}

static bool
is_declared(const cu_source_facts *facts, const char *name)
{
    for (int i = 0; i < facts->nsymbols; i++) {
        if (strcmp(facts->symbols[i].name, name) == 0) return true;
    }
    return false;
}

static void
put_entries(FILE *f, const cu_compile *args, const cu_source_facts *facts)
{
    int count = 0;

    fputs("\n#line 1 \"name_expressions\"\n"
          "static const cupric_entry cupric_entries[] = {\n",
          f);
    for (int i = 0; i < args->nnames; i++) {
        if (!is_expression(args->names[i]) || is_declared(facts, args->names[i]))
            continue;
        fprintf(f, "::cupric_host::kernel_entry<%s, %d>(", args->names[i],
                cu_source_waits(facts, args->names[i]));
        put_string(f, args->names[i]);
        fputs("),\n", f);
        count++;
    }
    for (int i = 0; i < facts->nsymbols; i++) {
        const cu_source_symbol *s = &facts->symbols[i];
        if (s->ambiguous) continue;
        if (s->is_kernel) {
            fprintf(f, "::cupric_host::kernel_entry<%s, %d>(\"%s\"),\n", s->name,
                    cu_source_waits(facts, s->name), s->name);
        } else {
            fprintf(f, "::cupric_host::global_entry(\"%s\", %s),\n", s->name, s->name);
        }
        count++;
    }
    fprintf(f,
            "{}};\n"
            "extern \"C\" {\n__attribute__((visibility(\"%s\")))\n"
            "cupric_module_info %s = {CUPRIC_MODULE_ABI, %d,\n    cupric_entries, "
            "::cupric_host::get_place, &::cupric_host::runtime};\n}\n",
            args->unit ? "hidden" : "default",
            args->unit ? args->unit : CUPRIC_MODULE_SYMBOL, count);
}

/* ---- headers that a source needs by its words -------------------------------------------------- */

static const struct {
    const char *header;
    const char *words[8]; /* or parts of them */
} optional_headers[] = {
    {"simd.hpp", {"__v"}},
    {"special.hpp", {"erfinv", "erfcinv", "erfcx", "normcdf", "cyl_bessel_i", "cbrt"}},
};
#define N(array) (sizeof(array) / sizeof *(array))

/* A bit for each row of which the text has a word. */
static unsigned
headers_for(const char *text)
{
    unsigned headers = 0;

    for (size_t i = 0; i < N(optional_headers); i++) {
        for (const char *const *word = optional_headers[i].words; *word; word++) {
            if (strstr(text, *word)) headers |= 1u << i;
        }
    }
    return headers;
}

/* The flags of every compilation, but for the instruction set. */
static const char *const compile_flags[] = {
    "-std=c++17",
    "-O3",
    "-fPIC",
    "-pipe",
    "-fvisibility=hidden",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-fno-stack-protector",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-asynchronous-unwind-tables",
    "-Wno-attributes",
    "-Wno-unknown-pragmas",
};

/* A unit is compiled by whom it is given to. */
static void
put_unit_flags(FILE *f)
{
    fputs("// cupric-build:", f);
    for (size_t i = 0; i < N(compile_flags); i++) fprintf(f, " %s", compile_flags[i]);
    fputs("\n#define CUPRIC_UNIT 1\n", f);
}

/* GCC makes an illegal instruction, which no GPU has, of a division by a zero that it
 * sees; traps.c is for those that it does not. As a flag, other compilers would refuse it. */
static const char keep_divisions[] =
    "#if defined(__GNUC__) && !defined(__clang__)\n"
    "#pragma GCC optimize(\"no-isolate-erroneous-paths-dereference\")\n"
    "#endif\n";

static cu_status
write_unit(const char *path, const cu_compile *args, const cu_source_facts *facts)
{
    char *text = NULL; /* owned */
    FILE *f = NULL;
    cu_status st = cu_source_rewrite(args->source, &text);

    if (st) return st;
    f = fopen(path, "we");
    if (!f) {
        free(text);
        return write_failed(f, path);
    }
    if (args->unit) put_unit_flags(f);
    fputs(keep_divisions, f);
    fputs("#include \"device.hpp\"\n", f);
    for (size_t i = 0; i < N(optional_headers); i++) {
        if (facts->headers >> i & 1)
            fprintf(f, "#include \"%s\"\n", optional_headers[i].header);
    }
    if (facts->textures) fputs("#include \"textures.hpp\"\n", f);
    if (strstr(args->source, GENERATED)) fputs(GENERATED, f);
    cu_options_macros(f, args);
    fputs("#line 1 ", f);
    put_string(f, args->file ? args->file : "kernel.cu");
    fprintf(f, "\n%s", text);
    put_entries(f, args, facts);
    free(text);
    if (fflush(f) || ferror(f)) return write_failed(f, path);
    fclose(f);
    return CUPRIC_OK;
}

/* ---- what is in the source ------------------------------------------------------------------------ */

static cu_status
write_source(const char *path, const cu_compile *args)
{
    FILE *f = fopen(path, "we");

    if (!f) return write_failed(f, path);
    cu_options_macros(f, args);
    fputs(args->source, f);
    if (fflush(f) || ferror(f)) return write_failed(f, path);
    fclose(f);
    return CUPRIC_OK;
}

/* Where macros and conditions decide what there is, the preprocessor is asked. Should it
 * fail, the compilation will, with the better message. */
static cu_status
scan_preprocessed(const cu_compiler *compiler, const cu_compile *args,
                  const char *folder, cu_source_facts *facts)
{
    cu_command c = {0};
    cu_blob out = {0}, err = {0}, log = {0};
    cu_source_facts better = {0};
    char path[4200];
    int code;
    cu_status st;

    snprintf(path, sizeof path, "%s/scan.cpp", folder);
    st = write_source(path, args);
    if (st) return st;
    for (int i = 0; i < compiler->nwords; i++) cu_command_add(&c, compiler->words[i]);
    cu_command_add(&c, "-std=c++17");
    cu_command_add(&c, "-E");
    cu_command_add(&c, "-DCUPRIC_SCAN=1");
    cu_command_add(&c, "-DCUPRIC_HOST=1");
    cu_command_add(&c, "-D__CUDACC__=1");
    cu_command_add(&c, "-D__CUDACC_RTC__=1");
    cu_command_add(&c, "-D__CUDA_ARCH__=800");
    st = cu_options_add(&c, args, &log);
    add_includes(&c, compiler);
    cu_command_add(&c, path);
    if (!st) st = cu_process_run(c.words, &code, &out, &err);
    if (!st && code == 0 && out.data) {
        st = cu_source_scan(out.data, &better);
        if (!st) {
            better.includes = facts->includes;
            better.headers = facts->headers | headers_for(out.data);
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

/* ---- compilation ---------------------------------------------------------------------------------- */

static cu_status
add_command(cu_command *c, const cu_compiler *compiler, const cu_compile *args,
            const cu_source_facts *facts, cu_blob *log)
{
    static const char *const flags[] = {
        "-shared",
#if defined(__x86_64__)
        "-march=native",
#elif defined(__aarch64__)
        "-mcpu=native",
#endif
    };

    for (int i = 0; i < compiler->nwords; i++) cu_command_add(c, compiler->words[i]);
    for (size_t i = 0; i < N(compile_flags); i++) cu_command_add(c, compile_flags[i]);
    for (size_t i = 0; i < N(flags); i++) cu_command_add(c, flags[i]);
    cu_status st = cu_options_add(c, args, log);
    if (st) return st;
    add_includes(c, compiler);
    if (!facts->includes) {
        cu_command_add(c, "-nostartfiles");
        cu_command_add(c, "-nodefaultlibs");
    }
    return CUPRIC_OK;
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

static cu_status
run_compiler(const cu_compiler *compiler, const cu_compile *args,
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
    st = write_unit(source, args, facts);
    if (!st && args->unit) {
        st = read_file(source, binary);
        goto done;
    }
    if (!st) st = add_command(&c, compiler, args, facts, log);
    if (st) goto done;
    cu_command_add(&c, "-MD");
    cu_command_add(&c, "-MF");
    cu_command_add(&c, rule);
    cu_command_add(&c, source);
    cu_command_add(&c, "-o");
    cu_command_add(&c, target);
    if (!facts->includes) {
        cu_command_add(&c, "-lm");
        cu_command_add(&c, "-lc");
        cu_command_add(&c, "-lgcc");
    }
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
    char folder[4096];
    cu_status st;

    (void)ordinal;
    st = cu_compiler_get(&compiler);
    if (st) {
        *log = text_blob("no C++ compiler");
        return st;
    }
    st = cu_source_scan(args->source, &facts);
    if (st) return st;
    facts.headers = headers_for(args->source);
    st = scratch_make(folder, sizeof folder);
    if (st) goto done;
    if (facts.conditional || facts.includes || cu_options_have_macros(args)) {
        st = scan_preprocessed(compiler, args, folder, &facts);
    }
    if (!st) st = run_compiler(compiler, args, &facts, folder, binary, log, files);
    scratch_remove(folder);

done:
    cu_source_facts_clear(&facts);
    return st;
}
