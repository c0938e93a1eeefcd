/* host/unit.c: see unit.h. */
#include "host/unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../cuda/host/abi.h"
#include "host/options.h"
#include "host/races.h"

#define GENERATED "#include \"cupric/kernel.hpp\"\n" /* opens kernel/source.c's text */
#define MARK "#pragma cupric_part\n"                 /* between parts */

const char *const cu_unit_flags[] = {
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
    NULL,
};

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

/* ---- head and source ---------------------------------------------------------------------- */

/* A unit is compiled by whom it is given to. */
static void
put_unit_flags(FILE *f)
{
    fputs("// cupric-build:", f);
    for (const char *const *flag = cu_unit_flags; *flag; flag++)
        fprintf(f, " %s", *flag);
    fputs("\n#define CUPRIC_UNIT 1\n", f);
}

/* GCC makes an illegal instruction, which no GPU has, of a division by a zero that it
 * sees; traps.c is for those that it does not. As a flag, other compilers would refuse it. */
static const char keep_divisions[] =
    "#if defined(__GNUC__) && !defined(__clang__)\n"
    "#pragma GCC optimize(\"no-isolate-erroneous-paths-dereference\")\n"
    "#endif\n";

static const struct {
    const char *header;
    bool with_includes;   /* what headers of others use is not known yet */
    const char *words[8]; /* or parts of them */
} optional_headers[] = {
    {"simd.hpp", true, {"__v"}},
    {"special.hpp",
     false,
     {"erfinv", "erfcinv", "erfcx", "normcdf", "cyl_bessel_i", "cbrt"}},
};
#define N(array) (sizeof(array) / sizeof *(array))

unsigned
cu_unit_headers(const char *text, bool includes)
{
    unsigned headers = 0;

    for (size_t i = 0; i < N(optional_headers); i++) {
        if (includes && optional_headers[i].with_includes) headers |= 1u << i;
        for (const char *const *word = optional_headers[i].words; *word; word++) {
            if (strstr(text, *word)) headers |= 1u << i;
        }
    }
    return headers;
}

static void
put_head(FILE *f, const cu_compile *args, const cu_source_facts *facts)
{
    if (args->unit) put_unit_flags(f);
    fputs(keep_divisions, f);
    if (facts->includes) fputs("#define CUPRIC_STANDARD_HEADERS 1\n", f);
    fputs("#include \"device.hpp\"\n", f);
    if (cu_host_races_wanted() && !args->unit) fputs("#include \"races.hpp\"\n", f);
    for (size_t i = 0; i < N(optional_headers); i++) {
        if (facts->headers >> i & 1)
            fprintf(f, "#include \"%s\"\n", optional_headers[i].header);
    }
    if (facts->textures || facts->includes) fputs("#include \"textures.hpp\"\n", f);
    if (strstr(args->source, GENERATED)) fputs(GENERATED, f);
    cu_source_put_undefs(args->source, f); /* without memory, as they are */
    cu_options_macros(f, args);
}

static void
put_source(FILE *f, const cu_compile *args)
{
    fputs("#line 1 ", f);
    put_string(f, args->file ? args->file : "kernel.cu");
    fprintf(f, "\n%s\n", args->source);
}

/* ---- the table of entries ----------------------------------------------------------------- */

/* A name that is not an identifier is an expression, which only the compiler can judge. */
static bool
is_expression(const char *name)
{
    return strpbrk(name, "<:&(*") != NULL;
}

static const cu_source_symbol *
find_symbol(const cu_source_facts *facts, const char *name)
{
    for (int i = 0; i < facts->nsymbols; i++) {
        if (strcmp(facts->symbols[i].name, name) == 0) return &facts->symbols[i];
    }
    return NULL;
}

static bool
is_in_table(const cu_compile *args, const cu_source_facts *facts, int i)
{
    return is_expression(args->names[i]) && !find_symbol(facts, args->names[i]);
}

static void
put_names(FILE *f, const cu_compile *args, const cu_source_facts *facts)
{
    fputs("#line 1 \"name_expressions\"\n"
          "static const cupric_entry cupric_entries[] = {\n",
          f);
    for (int i = 0; i < args->nnames; i++) {
        if (!is_in_table(args, facts, i)) continue;
        fprintf(f, "::cupric_host::kernel_entry<%s, cupric_waits[%d]>(", args->names[i],
                i);
        put_string(f, args->names[i]);
        fputs("),\n", f);
    }
}

/* Where races are looked for all threads have fibers, so that each has a turn. */
static bool
waits(const cu_source_facts *facts, const char *name)
{
    return cu_host_races_wanted() || cu_source_waits(facts, name);
}

/* Whether the threads of each name wait, which the scan behind the preprocessor says. */
static void
put_waits(FILE *f, const cu_compile *args, const cu_source_facts *facts)
{
    fputs("#line 1 \"name_expressions\"\nstatic constexpr bool cupric_waits[] = {", f);
    for (int i = 0; i < args->nnames; i++)
        fprintf(f, "%d, ", waits(facts, args->names[i]));
    fputs("true};\n", f);
}

/* ---- kernels ------------------------------------------------------------------------------ */

/* A kernel that its name alone does not say is one of several functions. That of C's
 * linkage, and the only one that is no template, are said by their parameters. */
static bool
needs_parameters(const cu_source_symbol *s)
{
    return s->is_kernel && s->parameters &&
           (s->definitions == 1 ? s->templates > 0
                                : s->c_linkage && s->definitions > 1);
}

static bool
has_entry(const cu_source_symbol *s)
{
    return !s->is_kernel || s->definitions == 1 || needs_parameters(s);
}

static const char *
unqualified(const char *name)
{
    const char *last = strrchr(name, ':');
    return last ? last + 1 : name;
}

/* Pointers to the kernels that need their parameters, within their namespaces, whose types
 * these may name. */
static void
put_pointers(FILE *f, const cu_source_facts *facts)
{
    for (int i = 0; i < facts->nsymbols; i++) {
        const cu_source_symbol *s = &facts->symbols[i];
        const char *name = unqualified(s->name);
        const int outer = (int)(name - s->name);
        if (!needs_parameters(s)) continue;
        if (outer) fprintf(f, "namespace %.*s { ", outer - 2, s->name);
        fprintf(f, "static constexpr void (*cupric_kernel_%d)(%s) = %s;%s\n", i,
                s->parameters, name, outer ? " }" : "");
    }
}

static void
put_entry(FILE *f, const cu_source_facts *facts, int i, const char *name)
{
    const cu_source_symbol *s = &facts->symbols[i];
    const int outer = (int)(unqualified(s->name) - s->name);

    if (!s->is_kernel) {
        fprintf(f, "::cupric_host::global_entry(\"%s\", %s),\n", name, s->name);
        return;
    }
    fputs("::cupric_host::kernel_entry<", f);
    if (needs_parameters(s)) {
        fprintf(f, "%.*scupric_kernel_%d", outer, s->name, i);
    } else {
        fputs(s->name, f);
    }
    fprintf(f, ", %d>(\"%s\"),\n", waits(facts, s->name), name);
}

/* ---- names that the scan did not find ----------------------------------------------------- */

/* A plain name that was asked for and is no function that the scan knows: whether there is
 * one after all is left to the compiler. `::name` is what the source declares, and only
 * where it declares nothing the one in cupric_absent, which is no kernel. */
static bool
is_unknown(const cu_source_facts *facts, const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

    if (name[strspn(name, letters)] || find_symbol(facts, name)) return false;
    for (int i = 0; i < facts->nfunctions; i++) {
        if (strcmp(facts->functions[i].name, name) == 0) return false;
    }
    for (int i = 0; i < facts->nsymbols; i++) {
        if (strcmp(unqualified(facts->symbols[i].name), name) == 0) return false;
    }
    return true;
}

static void
put_absent(FILE *f, const cu_compile *args, const cu_source_facts *facts)
{
    for (int i = 0; i < args->nnames; i++) {
        if (!is_unknown(facts, args->names[i])) continue;
        fprintf(f,
                "namespace cupric_absent { inline void %s(::cupric_host::absent) {} }\n"
                "using namespace cupric_absent;\n",
                args->names[i]);
    }
}

/* ---- the tail ----------------------------------------------------------------------------- */

/* The entries that do not depend on the text of the names; how many there are in all. */
static int
put_entries(FILE *f, const cu_compile *args, const cu_source_facts *facts)
{
    int count = 0;

    for (int i = 0; i < args->nnames; i++) {
        count += is_in_table(args, facts, i);
        if (!is_unknown(facts, args->names[i])) continue;
        fprintf(f, "::cupric_host::requested_entry<::%s>(\"%s\"),\n", args->names[i],
                args->names[i]);
        count++;
    }
    for (int i = 0; i < facts->nsymbols; i++) {
        const cu_source_symbol *s = &facts->symbols[i];
        const char *name = unqualified(s->name);
        if (!has_entry(s)) continue;
        put_entry(f, facts, i, s->name);
        count++;
        if (!s->c_linkage || name == s->name) continue;
        put_entry(f, facts, i, name);
        count++;
    }
    return count;
}

static void
put_tail(FILE *f, const cu_compile *args, const cu_source_facts *facts)
{
    const int count = put_entries(f, args, facts);

    fprintf(f,
            "{}};\n"
            "extern \"C\" {\n__attribute__((visibility(\"%s\")))\n"
            "cupric_module_info %s = {%u, %d,\n    cupric_entries, "
            "::cupric_host::get_place, &::cupric_host::runtime};\n}\n",
            args->unit ? "hidden" : "default",
            args->unit ? args->unit : CUPRIC_MODULE_SYMBOL, CUPRIC_MODULE_ABI, count);
}

/* ---- the parts ---------------------------------------------------------------------------- */

/* What a function writes, as a text that the caller owns; NULL without memory. */
static char *
text_of(void (*head)(FILE *, const cu_compile *, const cu_source_facts *),
        void (*source)(FILE *, const cu_compile *), const cu_compile *args,
        const cu_source_facts *facts)
{
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);

    if (!f) return NULL;
    if (head) head(f, args, facts);
    if (source) source(f, args);
    if (fclose(f)) {
        free(text);
        return NULL;
    }
    return text;
}

cu_status
cu_unit_make(const cu_compile *args, const cu_source_facts *facts, cu_unit *out)
{
    out->head = text_of(put_head, NULL, args, facts);
    out->source = text_of(NULL, put_source, args, facts);
    out->names = text_of(put_names, NULL, args, facts);
    if (out->head && out->source && out->names) return CUPRIC_OK;
    return cu_fail(CUPRIC_ERR_MEMORY, "no memory to compile a kernel");
}

void
cu_unit_clear(cu_unit *u)
{
    if (u->text) {
        free(u->text);
    } else {
        free(u->head);
        free(u->source);
        free(u->names);
    }
    *u = (cu_unit){0};
}

static cu_status
close_file(FILE *f, const char *path)
{
    const bool failed = !f || fflush(f) || ferror(f);
    const int error = errno;

    if (f) fclose(f);
    if (!failed) return CUPRIC_OK;
    return cu_fail(CUPRIC_ERR_OS, "cannot write %s: %s", path, strerror(error));
}

cu_status
cu_unit_write_parts(const char *path, const cu_unit *u)
{
    FILE *f = fopen(path, "we");

    if (f) {
        fprintf(f, "#define CUPRIC_KEEP_KEYWORDS 1\n%s" MARK "%s" MARK "%s", u->head,
                u->source, u->names);
    }
    return close_file(f, path);
}

bool
cu_unit_take(cu_unit *u, char *text)
{
    char *source = strstr(text, MARK);
    char *names = source ? strstr(source + 1, MARK) : NULL;

    if (!names) {
        free(text);
        return false;
    }
    *source = *names = '\0';
    cu_unit_clear(u);
    *u = (cu_unit){.text = text,
                   .head = text,
                   .source = source + strlen(MARK),
                   .names = names + strlen(MARK),
                   .preprocessed = true};
    return true;
}

cu_status
cu_unit_write(const char *path, const cu_compile *args, const cu_source_facts *facts,
              const cu_unit *u)
{
    char *source = NULL; /* owned */
    FILE *f;
    cu_status st = cu_source_rewrite(u->source, &source);

    if (st) return st;
    f = fopen(path, "we");
    if (f) {
        if (u->preprocessed) fputs("#include \"keywords.hpp\"\n", f);
        fprintf(f, "%s%s", u->head, source);
        put_waits(f, args, facts);
        put_pointers(f, facts);
        put_absent(f, args, facts);
        fputs(u->names, f);
        put_tail(f, args, facts);
    }
    free(source);
    return close_file(f, path);
}
