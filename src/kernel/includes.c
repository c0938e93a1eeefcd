/* kernel/includes.c: the headers that a source may include.
 *
 * A compiler's list of dependencies names what it read, and not where it looked in vain;
 * NVRTC has no list at all. So the texts are searched for whatever begins an #include:
 * without the preprocessor's conditions, and in comments too, as more can only be found
 * that way. Names that macros stand for are looked up among all definitions met.
 */
#include "kernel/includes.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "env.h"

#define MAX_FOLDERS 64
#define MAX_PATH 4096
#define MAX_SUFFIXES 4 /* parts of a path that an #include may have spelled */

/* A list of texts that it owns. */
typedef struct strings {
    char **at;
    int n, capacity;
} strings;

typedef struct search {
    char cwd[MAX_PATH];
    strings folders; /* of the search path, in order; absolute */
    strings queue;   /* headers found; those before `scanned` are done */
    int scanned;
    strings macros; /* name, body, name, body, … of #define and -D */
    strings uses;   /* name, folder, … of #include NAME in a folder's file */
    cu_depends *out;
    bool has_list; /* the compiler's */
    bool missed;   /* a name that no definition tells, and no list */
} search;

/* ---- lists of texts --------------------------------------------------------------------- */

static bool
strings_add(strings *s, const char *text, size_t n)
{
    if (s->n == s->capacity) {
        const int capacity = s->capacity ? 2 * s->capacity : 16;
        char **more = realloc(s->at, (size_t)capacity * sizeof *more);
        if (!more) return false;
        s->at = more;
        s->capacity = capacity;
    }
    s->at[s->n] = strndup(text, n);
    return s->at[s->n] && ++s->n;
}

static void
strings_release(strings *s)
{
    for (int i = 0; i < s->n; i++) free(s->at[i]);
    free(s->at);
    *s = (strings){0};
}

/* Remember two texts that belong together, once. */
static void
add_pair(search *s, strings *list, const char *a, size_t na, const char *b, size_t nb)
{
    for (int i = 0; i + 1 < list->n; i += 2) {
        if (strlen(list->at[i]) == na && !memcmp(list->at[i], a, na) &&
            strlen(list->at[i + 1]) == nb && !memcmp(list->at[i + 1], b, nb)) {
            return;
        }
    }
    if (!strings_add(list, a, na)) {
        s->out->unknown = true;
    } else if (!strings_add(list, b, nb)) {
        free(list->at[--list->n]);
        s->out->unknown = true;
    }
}

/* ---- the search path -------------------------------------------------------------------- */

static bool
absolute(const search *s, const char *path, size_t n, char *out)
{
    const int length = n > 0 && path[0] == '/'
                           ? snprintf(out, MAX_PATH, "%.*s", (int)n, path)
                           : snprintf(out, MAX_PATH, "%s/%.*s", s->cwd, (int)n, path);
    return length < MAX_PATH;
}

static void
add_folder(search *s, const char *path, size_t n)
{
    char folder[MAX_PATH];

    if (n > 1 && path[n - 1] == '/') n--;
    if (s->folders.n == MAX_FOLDERS || !absolute(s, path, n, folder) ||
        !strings_add(&s->folders, folder, strlen(folder))) {
        s->out->unknown = true;
    }
}

/* The value of an option that is written -X value, -Xvalue, --name=value. */
static const char *
value_of(const cu_compile *args, int *i, const char *letter, const char *name)
{
    const char *option = args->options[*i];

    if (letter && !strncmp(option, letter, 2)) {
        if (option[2]) return option + 2;
        return *i + 1 < args->noptions ? args->options[++*i] : NULL;
    }
    option += strspn(option, "-");
    const size_t n = strlen(name);
    return !strncmp(option, name, n) && option[n] == '=' ? option + n + 1 : NULL;
}

/* An empty folder of the variable is the current one. */
static void
add_folders_of(search *s, const char *variable)
{
    const char *list = cu_setting(variable);

    while (list) {
        const size_t n = strcspn(list, ":");
        add_folder(s, n ? list : ".", n ? n : 1);
        list = list[n] ? list + n + 1 : NULL;
    }
}

static void
add_folders(search *s, const cu_compile *args)
{
    for (int i = 0; i < args->noptions; i++) {
        const char *folder = value_of(args, &i, "-I", "include-path");
        if (folder) add_folder(s, folder, strlen(folder));
    }
    add_folders_of(s, "CPATH");
    add_folders_of(s, "CPLUS_INCLUDE_PATH");
}

/* ---- names ------------------------------------------------------------------------------ */

/* The package's own headers are part of the compiler's identity. */
static bool
is_ours(const char *name, size_t n)
{
    return (n > 7 && !memcmp(name, "cupric/", 7)) ||
           (n > 5 && !memcmp(name, "cupy/", 5));
}

/* Files of systems and toolkits play tricks with macros, and nobody edits them. */
static bool
is_systems(const char *folder)
{
    char path[MAX_PATH];

    if (!strncmp(folder, "/usr/", 5) || !strncmp(folder, "/opt/", 5)) return true;
    return snprintf(path, sizeof path, "%s/cuda_runtime.h", folder) < MAX_PATH &&
           access(path, F_OK) == 0;
}

/* Whether there is a file folder/name, which then is scanned. Either way the list says. */
static bool
try_file(search *s, const char *folder, const char *name, size_t n)
{
    char path[MAX_PATH];
    const bool is_absolute = n > 0 && name[0] == '/';
    const int length =
        is_absolute ? snprintf(path, sizeof path, "%.*s", (int)n, name)
                    : snprintf(path, sizeof path, "%s/%.*s", folder, (int)n, name);

    if (length >= MAX_PATH) return false;
    if (!cu_depends_has(s->out, path)) {
        cu_depends_add(s->out, path);
        if (access(path, R_OK) == 0 && !strings_add(&s->queue, path, (size_t)length))
            s->out->unknown = true;
    }
    return access(path, F_OK) == 0;
}

/* `every`: #include_next passes over the first that there is. */
static void
take_name(search *s, const char *name, size_t n, const char *folder, bool quoted,
          bool every)
{
    if (n == 0 || is_ours(name, n)) return;
    if (quoted && try_file(s, folder, name, n) && !every) return;
    /* The host's compiler looks there next, NVRTC does not. */
    if (quoted && strcmp(folder, s->cwd) != 0) try_file(s, s->cwd, name, n);
    if (name[0] == '/') {
        try_file(s, "", name, n);
        return;
    }
    for (int i = 0; i < s->folders.n; i++) {
        if (try_file(s, s->folders.at[i], name, n) && !every) return;
    }
}

/* ---- texts ------------------------------------------------------------------------------ */

/* Lines that end with a backslash go on in the next. */
static void
join_lines(char *text)
{
    char *to = text;

    for (const char *p = text; *p;) {
        if (p[0] == '\\' && p[1 + strspn(p + 1, " \t\r")] == '\n') {
            p += 2 + strspn(p + 1, " \t\r");
        } else {
            *to++ = *p++;
        }
    }
    *to = '\0';
}

static const char *
skip_blanks(const char *p)
{
    for (;;) {
        p += strspn(p, " \t\r\v\f");
        if (p[0] != '/' || p[1] != '*') return p;
        const char *end = strstr(p + 2, "*/");
        if (!end) return p + strlen(p);
        p = end + 2;
    }
}

static size_t
word_at(const char *p)
{
    size_t n = 0;

    if (isdigit((unsigned char)*p)) return 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_' || (p[n] & 0x80)) n++;
    return n;
}

static bool
is_word(const char *p, size_t n, const char *word)
{
    return strlen(word) == n && !memcmp(p, word, n);
}

/* "name", <name> or a macro. */
static void
take_operand(search *s, const char *p, const char *folder, bool every)
{
    const bool quoted = *p == '"';

    if (quoted || *p == '<') {
        take_name(s, p + 1, strcspn(p + 1, quoted ? "\"\n" : ">\n"), folder, quoted,
                  every);
        return;
    }
    const size_t n = word_at(p);
    if (n == 0) return; /* no #include, but a text that looks like one */
    if (*skip_blanks(p + n) == '(') {
        s->out->unknown |= !s->has_list && !is_systems(folder);
    } else {
        add_pair(s, &s->uses, p, n, folder, strlen(folder));
    }
}

static void
take_define(search *s, const char *p)
{
    const size_t n = word_at(p);
    const char *body = p + n;

    if (n == 0 || *body == '(') return;
    body = skip_blanks(body);
    size_t nbody = strcspn(body, "\n");
    add_pair(s, &s->macros, p, n, body, nbody);
}

static void
take_directive(search *s, const char *p, const char *folder)
{
    p = skip_blanks(p);
    const size_t n = word_at(p);
    const char *rest = skip_blanks(p + n);

    if (is_word(p, n, "include") || is_word(p, n, "import")) {
        take_operand(s, rest, folder, false);
    } else if (is_word(p, n, "include_next")) {
        take_operand(s, rest, folder, true);
    } else if (is_word(p, n, "define")) {
        take_define(s, rest);
    }
}

/* What __has_include(…) is asked about. Without arguments it is asked about itself. */
static void
take_question(search *s, const char *p, const char *folder)
{
    const bool every = !strncmp(p, "_next", 5);

    p = skip_blanks(p + (every ? 5 : 0));
    if (*p != '(') return;
    p = skip_blanks(p + 1);
    if (*p != '"' && *p != '<') {
        s->out->unknown |= !is_systems(folder);
        return;
    }
    take_operand(s, p, folder, true);
}

static void
scan_text(search *s, char *text, const char *folder)
{
    static const char question[] = "__has_include";

    join_lines(text);
    for (const char *p = text; (p = strpbrk(p, "#%")); p++) {
        if (*p == '%' && p[1] != ':') continue;
        take_directive(s, p + 1 + (*p == '%'), folder);
    }
    for (const char *p = text; (p = strstr(p, question));) {
        p += sizeof question - 1;
        take_question(s, p, folder);
    }
}

static void
scan_queue(search *s)
{
    while (s->scanned < s->queue.n) {
        const char *path = s->queue.at[s->scanned++];
        const char *slash = strrchr(path, '/');
        char folder[MAX_PATH];
        size_t nbytes;
        char *text = cu_depends_text(path, &nbytes);
        if (!text) continue;
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
        scan_text(s, text, folder);
        free(text);
    }
}

/* ---- names that macros stand for -------------------------------------------------------- */

/* Take what macro `name` may stand for. Definitions by other macros are followed. */
static void
take_macro(search *s, const char *name, const char *folder, int depth)
{
    bool found = false;

    for (int i = 0; i + 1 < s->macros.n; i += 2) {
        const char *body = s->macros.at[i + 1];
        if (strcmp(s->macros.at[i], name) != 0) continue;
        const size_t n = word_at(body);
        if (*body == '"' || *body == '<') {
            take_operand(s, body, folder, false);
            found = true;
        } else if (n > 0 && depth < 16 && *skip_blanks(body + n) != '(') {
            char other[256];
            snprintf(other, sizeof other, "%.*s", (int)n, body);
            take_macro(s, other, folder, depth + 1);
            found = true;
        } else {
            s->missed |= !s->has_list && !is_systems(folder);
        }
    }
    if (!found) s->missed |= !s->has_list && !is_systems(folder);
}

/* Headers found through macros may define and use further ones. */
static void
follow_macros(search *s)
{
    int uses = -1, macros = -1, files = -1;

    while (uses != s->uses.n || macros != s->macros.n || files != s->scanned) {
        s->missed = false;
        uses = s->uses.n;
        macros = s->macros.n;
        files = s->scanned;
        for (int i = 0; i + 1 < uses; i += 2)
            take_macro(s, s->uses.at[i], s->uses.at[i + 1], 0);
        scan_queue(s);
    }
    s->out->unknown |= s->missed;
}

/* ---- the compiler's list ---------------------------------------------------------------- */

/* A file folder/name, or the first folder of `name` that is not there, would be taken
 * instead of the one that was read. */
static void
add_absent(search *s, const char *folder, const char *name)
{
    char path[MAX_PATH];
    const size_t first = strcspn(name, "/");

    if (snprintf(path, sizeof path, "%s/%.*s", folder, (int)first, name) >= MAX_PATH)
        return;
    if (access(path, F_OK) == 0 && name[first] == '/' &&
        snprintf(path, sizeof path, "%s/%s", folder, name) >= MAX_PATH) {
        return;
    }
    cu_depends_add(s->out, path);
}

/* The name that an #include may have had for a file: below a folder of the search path,
 * or else any end of its path. */
static void
add_shadows(search *s, const char *path)
{
    const char *name = path + strlen(path);

    for (int i = 0; i < s->folders.n; i++) {
        const size_t n = strlen(s->folders.at[i]);
        if (strncmp(path, s->folders.at[i], n) || path[n] != '/') continue;
        for (int k = 0; k < i; k++) add_absent(s, s->folders.at[k], path + n + 1);
        return;
    }
    for (int parts = 0; parts < MAX_SUFFIXES && name > path + 1; parts++) {
        for (name--; name > path && name[-1] != '/'; name--) continue;
        for (int i = 0; i < s->folders.n; i++) add_absent(s, s->folders.at[i], name);
    }
}

static void
take_files(search *s, const cu_blob *files)
{
    const char *p = files->data, *end = p + files->nbytes;
    char path[MAX_PATH];

    for (; p && p < end; p += strlen(p) + 1) {
        if (!absolute(s, p, strlen(p), path)) {
            s->out->unknown = true;
        } else {
            cu_depends_add(s->out, path);
            add_shadows(s, path);
        }
    }
}

/* ---- the source ------------------------------------------------------------------------- */

bool
cu_includes_any(const cu_compile *args)
{
    for (const char *p = args->source; (p = strstr(p, "include")); p++) {
        const char *name = skip_blanks(p + strlen("include"));
        if (*name != '"' || !is_ours(name + 1, strcspn(name + 1, "\"\n"))) return true;
    }
    /* split in two by a line's end, which is rare */
    if (strstr(args->source, "\\\n") && strchr(args->source, '#')) return true;
    for (int i = 0; i < args->noptions; i++) {
        if (value_of(args, &i, NULL, "pre-include") ||
            value_of(args, &i, NULL, "include")) {
            return true;
        }
    }
    return false;
}

static void
scan_options(search *s, const cu_compile *args)
{
    for (int i = 0; i < args->noptions; i++) {
        const char *define = value_of(args, &i, "-D", "define-macro");
        const char *header = value_of(args, &i, NULL, "pre-include");
        if (!header) header = value_of(args, &i, NULL, "include");
        if (header) take_name(s, header, strlen(header), s->cwd, true, false);
        if (!define) continue;
        const size_t n = word_at(define);
        const char *body = define[n] == '=' ? define + n + 1 : "1";
        add_pair(s, &s->macros, define, n, body, strlen(body));
    }
}

void
cu_includes_find(const cu_compile *args, const cu_blob *files, cu_depends *out)
{
    search s = {.out = out, .has_list = files->data != NULL};
    char *source = strdup(args->source);

    if (!source || !getcwd(s.cwd, sizeof s.cwd)) {
        out->unknown = true;
        free(source);
        return;
    }
    add_folders(&s, args);
    scan_options(&s, args);
    scan_text(&s, source, s.cwd);
    scan_queue(&s);
    follow_macros(&s);
    take_files(&s, files);
    strings_release(&s.folders);
    strings_release(&s.queue);
    strings_release(&s.macros);
    strings_release(&s.uses);
    free(source);
}
