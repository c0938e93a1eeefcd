/* kernel/disk.c: the folder of compiled kernels.
 *
 *     <key>.bin    "CUPRICK2", the key, what the binary depends on, the binary
 *     <key>.cu     the source
 *
 * A binary is code that will run. So only the user can write the folder and the files, and
 * that is looked at whenever one is read; a file is opened such that a FIFO, a device or a
 * link in its place is passed over; and it has its key and a digest in it, so that neither
 * damage nor another kernel's file under its name is taken for it. The folder is kept below
 * MAX_FOLDER_BYTES by removing what has not been used for longest.
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
#define MAX_DEPENDS_BYTES (16u << 20)
#define MAX_NAME (2 * CUPRIC_SHA256_NBYTES + 48) /* with .bin.tmp<process>.<number> */
#define STALE_TEMPORARY_S 3600 /* of a process that died while writing */
#define TOUCH_AFTER_S 3600     /* how exact the time of last use is */

/* The beginning of a file. Dependencies and binary follow. */
typedef struct header {
    char magic[8];
    unsigned char key[CUPRIC_SHA256_NBYTES];
    uint64_t depends_nbytes, binary_nbytes;
    unsigned char digest[CUPRIC_SHA256_NBYTES]; /* of what follows */
} header;

static const char MAGIC[8] = {'C', 'U', 'P', 'R', 'I', 'C', 'K', '2'};

/* ---- the folder -------------------------------------------------------------------------- */

bool
cu_disk_folder(char *path, size_t n)
{
    const char *given = cu_setting("CUPRIC_CACHE_DIR");
    const char *cache = cu_setting("XDG_CACHE_HOME");
    const char *home = cu_setting("HOME");
    int length;

    if (!given && cu_setting_int("CUPY_CACHE_IN_MEMORY", 0) == 1) return false;
    if (!given) given = cu_setting("CUPY_CACHE_DIR");
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

/* The folder, to open files in; -1 where there is none that can be trusted. */
static int
open_folder(const char *path)
{
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct stat info;

    if (fd >= 0 && (fstat(fd, &info) || !is_private(&info))) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Make the folder and those above it. */
static int
make_folder(const char *path)
{
    const int fd = open_folder(path);
    char part[4096];

    if (fd >= 0) return fd;
    snprintf(part, sizeof part, "%s", path);
    for (char *p = part + 1; *p; p++) {
        if (*p != '/') continue;
        *p = '\0';
        mkdir(part, 0700);
        *p = '/';
    }
    mkdir(part, 0700);
    return open_folder(path);
}

static void
file_name(char *name, const unsigned char *key, const char *ending)
{
    for (int i = 0; i < CUPRIC_SHA256_NBYTES; i++)
        sprintf(name + 2 * i, "%02x", key[i]);
    snprintf(name + 2 * CUPRIC_SHA256_NBYTES, MAX_NAME - 2 * CUPRIC_SHA256_NBYTES,
             ".%s", ending);
}

/* ---- reading ------------------------------------------------------------------------------- */

static void
digest_of(const void *depends, size_t ndepends, const void *binary, size_t nbinary,
          unsigned char *digest)
{
    cu_sha256 h;

    cu_sha256_init(&h);
    if (ndepends) cu_sha256_update(&h, depends, ndepends);
    cu_sha256_update(&h, binary, nbinary);
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
is_sound(const header *head, const unsigned char *key, int64_t file_nbytes)
{
    return memcmp(head->magic, MAGIC, sizeof MAGIC) == 0 &&
           memcmp(head->key, key, sizeof head->key) == 0 && head->binary_nbytes > 0 &&
           head->binary_nbytes <= MAX_BINARY_BYTES &&
           head->depends_nbytes <= MAX_DEPENDS_BYTES &&
           (uint64_t)file_nbytes ==
               sizeof *head + head->depends_nbytes + head->binary_nbytes;
}

/* The parts of a file, of which the caller frees `depends` and, if this is true,
 * binary->data. */
static bool
read_parts(int fd, const unsigned char *key, int64_t file_nbytes, cu_blob *depends,
           cu_blob *binary)
{
    header head;
    unsigned char digest[CUPRIC_SHA256_NBYTES];
    cu_blob b = {0};

    if (!read_all(fd, &head, sizeof head) || !is_sound(&head, key, file_nbytes))
        return false;
    depends->nbytes = (size_t)head.depends_nbytes;
    depends->data = malloc(depends->nbytes + 1);
    b.nbytes = (size_t)head.binary_nbytes;
    b.data = malloc(b.nbytes);
    if (depends->data && b.data && read_all(fd, depends->data, depends->nbytes) &&
        read_all(fd, b.data, b.nbytes)) {
        digest_of(depends->data, depends->nbytes, b.data, b.nbytes, digest);
        if (memcmp(digest, head.digest, sizeof digest) == 0) {
            *binary = b;
            return true;
        }
    }
    free(b.data);
    return false;
}

/* What the file of a key has, if what it depends on is as it was. */
static bool
read_file(int fd, const unsigned char *key, int64_t file_nbytes, cu_depends *depends,
          cu_blob *out)
{
    cu_blob bytes = {0}, binary = {0};
    cu_depends d = {0};
    bool good = read_parts(fd, key, file_nbytes, &bytes, &binary);

    if (good &&
        !(cu_depends_read(&d, bytes.data, bytes.nbytes) && cu_depends_hold(&d))) {
        free(binary.data);
        good = false;
    }
    free(bytes.data);
    if (good) *out = binary;
    if (good && depends) {
        *depends = d;
    } else {
        cu_depends_release(&d);
    }
    return good;
}

bool
cu_disk_read(const unsigned char key[CUPRIC_SHA256_NBYTES], cu_depends *depends,
             cu_blob *out)
{
    char path[3900], name[MAX_NAME];
    struct stat info;
    bool good = false;
    int folder, fd;

    if (!cu_disk_folder(path, sizeof path)) return false;
    folder = open_folder(path);
    if (folder < 0) return false;
    file_name(name, key, "bin");
    fd =
        openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    close(folder);
    if (fd < 0) return false;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && is_private(&info)) {
        good = read_file(fd, key, info.st_size, depends, out);
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
list_files(int folder, int *count, int64_t *total)
{
    file *files = NULL;
    int n = 0, capacity = 0;
    const int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
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
        memcpy(files[n].name, entry->d_name, strlen(entry->d_name) + 1); /* is_ours */
        files[n].nbytes = info.st_size;
        files[n].used = info.st_mtime;
        *total += files[n++].nbytes;
    }
    if (dir) {
        closedir(dir);
    } else if (fd >= 0) {
        close(fd);
    }
    *count = n;
    return files;
}

/* Down to three quarters, so that this is not needed again soon. */
static void
evict(int folder)
{
    int n;
    int64_t total;
    file *files = list_files(folder, &n, &total);

    if (total > MAX_FOLDER_BYTES) {
        qsort(files, (size_t)n, sizeof *files, by_age);
        for (int i = 0; i < n && total > MAX_FOLDER_BYTES / 4 * 3; i++) {
            if (unlinkat(folder, files[i].name, 0) == 0) total -= files[i].nbytes;
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
write_file(int folder, const char *name, const cu_blob *parts, int n)
{
    static atomic_uint counter;
    char temporary[2 * MAX_NAME];
    bool good = true;
    int fd;

    snprintf(temporary, sizeof temporary, "%s.tmp%ld.%u", name, (long)getpid(),
             atomic_fetch_add(&counter, 1));
    fd = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                0600);
    if (fd < 0) return;
    for (int i = 0; i < n && good; i++)
        good = write_all(fd, parts[i].data, parts[i].nbytes);
    good &= close(fd) == 0;
    if (!good || renameat(folder, temporary, folder, name))
        unlinkat(folder, temporary, 0);
}

/* What is_sound would refuse is not written. */
static void
write_binary(int folder, const unsigned char *key, const cu_blob *depends,
             const cu_blob *binary)
{
    header head = {.depends_nbytes = depends->nbytes, .binary_nbytes = binary->nbytes};
    char name[MAX_NAME];

    if (binary->nbytes > MAX_BINARY_BYTES || depends->nbytes > MAX_DEPENDS_BYTES)
        return;
    memcpy(head.magic, MAGIC, sizeof MAGIC);
    memcpy(head.key, key, sizeof head.key);
    digest_of(depends->data, depends->nbytes, binary->data, binary->nbytes,
              head.digest);
    file_name(name, key, "bin");
    write_file(folder, name,
               (cu_blob[]){{(char *)&head, sizeof head}, *depends, *binary}, 3);
}

void
cu_disk_write(const unsigned char key[CUPRIC_SHA256_NBYTES], const cu_depends *depends,
              const cu_blob *binary, const char *source)
{
    static atomic_int writes;
    char path[3900], name[MAX_NAME];
    cu_blob bytes = {0};
    int folder;

    if (!cu_disk_folder(path, sizeof path)) return;
    folder = make_folder(path);
    if (folder < 0) return;
    if (atomic_fetch_add(&writes, 1) % 64 == 0) evict(folder);
    file_name(name, key, "cu");
    write_file(folder, name, &(cu_blob){(char *)source, strlen(source)}, 1);
    if (cu_depends_write(depends, &bytes)) write_binary(folder, key, &bytes, binary);
    free(bytes.data);
    close(folder);
}
