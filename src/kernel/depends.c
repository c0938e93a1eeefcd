/* kernel/depends.c: the files that a compiled kernel depends on.
 *
 * A file's size, times and number stand for its content as long as they stay the same,
 * which saves reading the hundred headers of the C++ library. Not if it was changed just
 * before it was looked at: a second change might not move its times.
 */
#include "kernel/depends.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAX_TEXT_BYTES (64ll << 20)
#define MAX_DEPENDS 20000
#define UNSURE_NS 2000000000ll /* how coarse the times of a file system may be */

typedef enum kind { NOTHING, FILE_THERE, OTHER_THERE } kind;

/* What stat tells of a file; all 0 where it is not to be relied upon. */
typedef struct mark {
    int64_t nbytes, mtime_ns, ctime_ns;
    uint64_t number;
} mark;

struct cu_depend {
    char *path; /* owned */
    kind kind;
    mark mark;
    unsigned char digest[CUPRIC_SHA256_NBYTES]; /* of the content; 0 if there is none */
};

/* As it is on disk, with the path behind it. */
typedef struct record {
    uint32_t kind, path_nbytes; /* the 0 at the end included */
    mark mark;
    unsigned char digest[CUPRIC_SHA256_NBYTES];
} record;

static int64_t
ns_of(struct timespec t)
{
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t
cu_depends_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME_COARSE, &t);
    return ns_of(t);
}

/* ---- what is under a path -------------------------------------------------------------- */

static kind
stat_path(const char *path, mark *out)
{
    struct stat info;

    *out = (mark){0};
    if (stat(path, &info)) return NOTHING;
    if (!S_ISREG(info.st_mode)) return OTHER_THERE;
    *out = (mark){info.st_size, ns_of(info.st_mtim), ns_of(info.st_ctim), info.st_ino};
    return FILE_THERE;
}

char *
cu_depends_text(const char *path, size_t *nbytes)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat info;
    char *text = NULL;
    size_t n = 0;

    if (fd < 0) return NULL;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
        info.st_size <= MAX_TEXT_BYTES) {
        text = malloc((size_t)info.st_size + 1);
    }
    while (text && n < (size_t)info.st_size) {
        const ssize_t got = read(fd, text + n, (size_t)info.st_size - n);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        n += (size_t)got;
    }
    close(fd);
    if (text) text[n] = '\0';
    *nbytes = n;
    return text;
}

/* A file that cannot be read has the digest of nothing, and its marks stay. */
static void
digest_of(const char *path, unsigned char *digest)
{
    size_t nbytes = 0;
    char *text = cu_depends_text(path, &nbytes);
    cu_sha256 h;

    cu_sha256_init(&h);
    if (text) cu_sha256_update(&h, text, nbytes);
    cu_sha256_finish(&h, digest);
    free(text);
}

static bool
holds(const cu_depend *e)
{
    unsigned char digest[CUPRIC_SHA256_NBYTES];
    mark now;

    if (stat_path(e->path, &now) != e->kind) return false;
    if (e->kind != FILE_THERE || memcmp(&now, &e->mark, sizeof now) == 0) return true;
    digest_of(e->path, digest);
    return memcmp(digest, e->digest, sizeof digest) == 0;
}

/* ---- the list --------------------------------------------------------------------------- */

/* Room for one more, whose path the list owns from then on. */
static cu_depend *
append(cu_depends *d, const char *path, size_t nbytes)
{
    cu_depend *e;

    if (d->n == d->capacity) {
        const int capacity = d->capacity ? 2 * d->capacity : 16;
        e = capacity <= 2 * MAX_DEPENDS
                ? realloc(d->at, (size_t)capacity * sizeof *d->at)
                : NULL;
        if (!e) return NULL;
        d->at = e;
        d->capacity = capacity;
    }
    e = &d->at[d->n];
    *e = (cu_depend){.path = malloc(nbytes)};
    if (!e->path) return NULL;
    memcpy(e->path, path, nbytes);
    d->n++;
    return e;
}

bool
cu_depends_has(const cu_depends *d, const char *path)
{
    for (int i = 0; i < d->n; i++) {
        if (strcmp(d->at[i].path, path) == 0) return true;
    }
    return false;
}

void
cu_depends_add(cu_depends *d, const char *path)
{
    cu_depend *e;

    if (cu_depends_has(d, path)) return;
    e = append(d, path, strlen(path) + 1);
    if (!e) {
        d->unknown = true;
        return;
    }
    e->kind = stat_path(path, &e->mark);
    if (e->kind != FILE_THERE) return;
    digest_of(path, e->digest);
    if (cu_depends_now() - e->mark.ctime_ns < UNSURE_NS) e->mark = (mark){0};
}

void
cu_depends_release(cu_depends *d)
{
    for (int i = 0; i < d->n; i++) free(d->at[i].path);
    free(d->at);
    *d = (cu_depends){0};
}

bool
cu_depends_hold(const cu_depends *d)
{
    if (d->unknown) return false;
    for (int i = 0; i < d->n; i++) {
        if (!holds(&d->at[i])) return false;
    }
    return true;
}

/* A time in the future is a wrong clock's, and tells nothing of the compilation. */
bool
cu_depends_settled(const cu_depends *d, int64_t since_ns)
{
    const int64_t now = cu_depends_now();
    mark m;

    if (d->unknown) return false;
    for (int i = 0; i < d->n; i++) {
        if (stat_path(d->at[i].path, &m) != FILE_THERE) continue;
        if (m.ctime_ns >= since_ns && m.ctime_ns <= now) return false;
    }
    return true;
}

void
cu_depends_hash(const cu_depends *d, cu_sha256 *h)
{
    for (int i = 0; i < d->n; i++) {
        const cu_depend *e = &d->at[i];
        cu_sha256_update(h, e->path, strlen(e->path) + 1);
        cu_sha256_update(h, &e->kind, sizeof e->kind);
        cu_sha256_update(h, e->digest, sizeof e->digest);
    }
}

/* ---- as bytes --------------------------------------------------------------------------- */

bool
cu_depends_write(const cu_depends *d, cu_blob *out)
{
    size_t nbytes = 0;
    char *at;

    for (int i = 0; i < d->n; i++) nbytes += sizeof(record) + strlen(d->at[i].path) + 1;
    out->data = at = malloc(nbytes + 1);
    out->nbytes = nbytes;
    for (int i = 0; at && i < d->n; i++) {
        const cu_depend *e = &d->at[i];
        record r = {e->kind, (uint32_t)strlen(e->path) + 1, e->mark, {0}};
        memcpy(r.digest, e->digest, sizeof r.digest);
        memcpy(at, &r, sizeof r);
        memcpy(at + sizeof r, e->path, r.path_nbytes);
        at += sizeof r + r.path_nbytes;
    }
    return at != NULL;
}

static bool
read_one(cu_depends *d, const char **data, size_t *nbytes)
{
    record r;
    cu_depend *e;

    if (*nbytes < sizeof r) return false;
    memcpy(&r, *data, sizeof r);
    *data += sizeof r;
    *nbytes -= sizeof r;
    if (r.kind > OTHER_THERE || r.path_nbytes == 0 || r.path_nbytes > *nbytes ||
        memchr(*data, '\0', r.path_nbytes) != *data + r.path_nbytes - 1) {
        return false;
    }
    e = append(d, *data, r.path_nbytes);
    if (!e) return false;
    e->kind = (kind)r.kind;
    e->mark = r.mark;
    memcpy(e->digest, r.digest, sizeof e->digest);
    *data += r.path_nbytes;
    *nbytes -= r.path_nbytes;
    return true;
}

bool
cu_depends_read(cu_depends *d, const char *data, size_t nbytes)
{
    while (nbytes > 0) {
        if (!read_one(d, &data, &nbytes)) return false;
    }
    return true;
}
