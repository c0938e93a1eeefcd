/* kernel/disk.c: the folder of compiled kernels.
 *
 *     <key>.bin    "CUPRICK1", size of the binary, its SHA-256, the binary
 *     <key>.cu     the source
 *
 * Only its owner can write the folder and the files: a binary is code that will run. The
 * folder is kept below MAX_FOLDER_BYTES by removing what has not been used for longest.
 */
#include "kernel/disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "env.h"

#define MAX_FOLDER_BYTES (512ll << 20)
#define MAX_BINARY_BYTES (256u << 20)
#define STALE_TEMPORARY_S 3600 /* of a process that died while writing */
#define TOUCH_AFTER_S 3600     /* how exact the time of last use is */

typedef struct header {
    char magic[8];
    uint64_t nbytes;
    unsigned char digest[CUPRIC_SHA256_NBYTES];
} header;

static const char MAGIC[8] = {'C', 'U', 'P', 'R', 'I', 'C', 'K', '1'};

/* ---- the folder -------------------------------------------------------------------------- */

bool
cu_disk_folder(char *path, size_t n)
{
    const char *given = cu_setting("CUPRIC_CACHE_DIR");
    const char *cache = cu_setting("XDG_CACHE_HOME");
    const char *home = cu_setting("HOME");
    int length;

    if (given) {
        length = snprintf(path, n, "%s", given);
    } else if (cache && cache[0] == '/') {
        length = snprintf(path, n, "%s/cupric", cache);
    } else if (home && home[0] == '/') {
        length = snprintf(path, n, "%s/.cache/cupric", home);
    } else {
        return false;
    }
    return length > 0 && (size_t)length < n;
}

/* Somebody else who could write here could have code run as us. */
static bool
is_private(const struct stat *info)
{
    return info->st_uid == geteuid() && !(info->st_mode & (S_IWGRP | S_IWOTH));
}

static bool
is_usable_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode) && is_private(&info);
}

/* Make the folder and those above it. */
static bool
make_folder(const char *path)
{
    char part[4096];

    if (is_usable_folder(path)) return true;
    snprintf(part, sizeof part, "%s", path);
    for (char *p = part + 1; *p; p++) {
        if (*p != '/') continue;
        *p = '\0';
        mkdir(part, 0700);
        *p = '/';
    }
    mkdir(part, 0700);
    return is_usable_folder(path);
}

static bool
file_name(char *path, size_t n, const unsigned char *key, const char *ending)
{
    char hex[2 * CUPRIC_SHA256_NBYTES + 1], folder[3900];

    if (!cu_disk_folder(folder, sizeof folder)) return false;
    for (int i = 0; i < CUPRIC_SHA256_NBYTES; i++) sprintf(hex + 2 * i, "%02x", key[i]);
    return snprintf(path, n, "%s/%s.%s", folder, hex, ending) < (int)n;
}

/* ---- reading ------------------------------------------------------------------------------- */

static void
digest_of(const void *data, size_t nbytes, unsigned char *digest)
{
    cu_sha256 h;

    cu_sha256_init(&h);
    cu_sha256_update(&h, data, nbytes);
    cu_sha256_finish(&h, digest);
}

static bool
read_all(int fd, void *data, size_t n)
{
    char *p = data;

    while (n > 0) {
        const ssize_t done = read(fd, p, n);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        p += done;
        n -= (size_t)done;
    }
    return true;
}

static bool
read_binary(int fd, const struct stat *info, cu_blob *out)
{
    header head;
    unsigned char digest[CUPRIC_SHA256_NBYTES];
    cu_blob b = {0};

    if (!read_all(fd, &head, sizeof head) || memcmp(head.magic, MAGIC, sizeof MAGIC) ||
        head.nbytes == 0 || head.nbytes > MAX_BINARY_BYTES ||
        (uint64_t)info->st_size != sizeof head + head.nbytes) {
        return false;
    }
    b.nbytes = (size_t)head.nbytes;
    b.data = malloc(b.nbytes);
    if (b.data && read_all(fd, b.data, b.nbytes)) {
        digest_of(b.data, b.nbytes, digest);
        if (memcmp(digest, head.digest, sizeof digest) == 0) {
            *out = b;
            return true;
        }
    }
    free(b.data);
    return false;
}

bool
cu_disk_read(const unsigned char key[CUPRIC_SHA256_NBYTES], cu_blob *out)
{
    char path[4096];
    struct stat info;
    bool good = false;
    int fd;

    if (!file_name(path, sizeof path, key, "bin")) return false;
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) return false;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && is_private(&info)) {
        good = read_binary(fd, &info, out);
        if (good && time(NULL) - info.st_mtime > TOUCH_AFTER_S) futimens(fd, NULL);
    }
    close(fd);
    return good;
}

/* ---- room ------------------------------------------------------------------------------------ */

typedef struct file {
    char name[80];
    int64_t nbytes;
    time_t used;
} file;

static int
by_age(const void *a, const void *b)
{
    const file *x = a, *y = b;
    return (x->used > y->used) - (x->used < y->used);
}

static bool
is_ours(const char *name)
{
    const size_t n = strlen(name);
    return n < sizeof((file *)0)->name && n > 64 && name[64] == '.';
}

/* The files of the folder, for the caller to free; temporary ones of the dead are removed. */
static file *
list_files(const char *folder, int *count, int64_t *total)
{
    file *files = NULL;
    int n = 0, capacity = 0;
    DIR *dir = opendir(folder);
    struct dirent *entry;

    *total = 0;
    while (dir && (entry = readdir(dir))) {
        struct stat info;
        if (!is_ours(entry->d_name)) continue;
        if (fstatat(dirfd(dir), entry->d_name, &info, AT_SYMLINK_NOFOLLOW)) continue;
        if (strstr(entry->d_name, ".tmp")) {
            if (time(NULL) - info.st_mtime > STALE_TEMPORARY_S) {
                unlinkat(dirfd(dir), entry->d_name, 0);
            }
            continue;
        }
        if (n == capacity) {
            capacity = capacity ? 2 * capacity : 256;
            file *more = realloc(files, (size_t)capacity * sizeof *more);
            if (!more) break;
            files = more;
        }
        snprintf(files[n].name, sizeof files[n].name, "%s", entry->d_name);
        files[n].nbytes = info.st_size;
        files[n].used = info.st_mtime;
        *total += files[n++].nbytes;
    }
    if (dir) closedir(dir);
    *count = n;
    return files;
}

/* Down to three quarters, so that this is not needed again soon. */
static void
make_room(const char *folder)
{
    int n;
    int64_t total;
    file *files = list_files(folder, &n, &total);
    char path[4096];

    if (total > MAX_FOLDER_BYTES) {
        qsort(files, (size_t)n, sizeof *files, by_age);
        for (int i = 0; i < n && total > MAX_FOLDER_BYTES / 4 * 3; i++) {
            if (snprintf(path, sizeof path, "%s/%s", folder, files[i].name) >=
                (int)sizeof path) {
                continue;
            }
            if (unlink(path) == 0) total -= files[i].nbytes;
        }
    }
    free(files);
}

/* ---- writing ----------------------------------------------------------------------------------- */

static bool
write_all(int fd, const void *data, size_t n)
{
    const char *p = data;

    while (n > 0) {
        const ssize_t done = write(fd, p, n);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        p += done;
        n -= (size_t)done;
    }
    return true;
}

/* The parts under a name that is nobody else's, then under its own. */
static void
write_file(const char *path, const void *part1, size_t n1, const void *part2, size_t n2)
{
    static atomic_uint counter;
    char temporary[4200];
    bool good;
    int fd;

    snprintf(temporary, sizeof temporary, "%s.tmp%ld.%u", path, (long)getpid(),
             atomic_fetch_add(&counter, 1));
    fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return;
    good = write_all(fd, part1, n1) && write_all(fd, part2, n2);
    good &= close(fd) == 0;
    if (!good || rename(temporary, path)) unlink(temporary);
}

void
cu_disk_write(const unsigned char key[CUPRIC_SHA256_NBYTES], const cu_blob *binary,
              const char *source)
{
    static atomic_int writes;
    char folder[3900], path[4096];
    header head;

    if (!cu_disk_folder(folder, sizeof folder) || !make_folder(folder)) return;
    if (atomic_fetch_add(&writes, 1) % 64 == 0) make_room(folder);
    memcpy(head.magic, MAGIC, sizeof MAGIC);
    head.nbytes = binary->nbytes;
    digest_of(binary->data, binary->nbytes, head.digest);
    if (file_name(path, sizeof path, key, "cu")) {
        write_file(path, source, strlen(source), NULL, 0);
    }
    if (file_name(path, sizeof path, key, "bin")) {
        write_file(path, &head, sizeof head, binary->data, binary->nbytes);
    }
}
