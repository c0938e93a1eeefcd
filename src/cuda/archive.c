/* cuda/archive.c: see archive.h. The file, in the byte order of the machines there are:
 *
 *     header | entries, by hash | units | names | images, each aligned to 64 bytes
 *
 * The header's checksum covers all from behind it to the end of the units. A unit's own is
 * of samples of its image, taken when that is loaded: a page that was never written shows,
 * and a first use does not wait for all of the image to be read twice. Every length is a
 * multiple of 8.
 */
#include "cuda/archive.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hash.h"

#define MAGIC "CUPRICA2"
#define MAX_ARCHS 8
#define EACH 8     /* bytes from one word that is summed to the next: of tables, */
#define SAMPLE 512 /* and of images */

typedef struct header {
    char magic[8];
    uint64_t nbytes; /* of the file */
    uint64_t code;   /* what the device code was when it was compiled */
    uint64_t checksum;
    uint32_t nentries, nunits, nnames /* bytes of names */, unused;
    uint32_t archs[MAX_ARCHS]; /* 90 for sm_90; 0: no more */
} header;

#define SUMMED_FROM (offsetof(header, checksum) + sizeof(uint64_t))

typedef struct entry {
    uint64_t hash;
    uint32_t unit, names; /* names: the offset of the first */
} entry;

typedef struct unit {
    uint64_t offset, nbytes, checksum;
} unit;

struct cu_archive {
    const char *map;
    const header *head;
    const entry *entries;
    const unit *units;
    const char *names;
};

uint64_t
cu_archive_checksum(const void *data, size_t n, size_t step)
{
    const char *const p = data;
    uint64_t h = n;

    for (size_t i = 0; i + sizeof h <= n; i += step) h = cu_hash_word(h, p + i);
    return h;
}

static size_t
table_nbytes(const header *h)
{
    return (size_t)h->nentries * sizeof(entry) + (size_t)h->nunits * sizeof(unit);
}

static bool
is_whole(const cu_archive *a, size_t nbytes, uint64_t code)
{
    const header *h = a->head;

    if (nbytes < sizeof *h || memcmp(h->magic, MAGIC, sizeof h->magic)) return false;
    if (h->nbytes != nbytes || h->code != code) return false;
    if (sizeof *h + table_nbytes(h) + h->nnames > nbytes || h->nnames == 0)
        return false;
    return cu_archive_checksum(a->map + SUMMED_FROM,
                               sizeof *h - SUMMED_FROM + table_nbytes(h),
                               EACH) == h->checksum;
}

cu_archive *
cu_archive_open(const char *path, uint64_t code)
{
    cu_archive *a = calloc(1, sizeof *a);
    const int file = a ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *map = MAP_FAILED;
    struct stat info;

    if (file >= 0 && fstat(file, &info) == 0 && info.st_size > 0) {
        map = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    }
    if (file >= 0) close(file);
    if (map == MAP_FAILED) goto fail;
    a->map = map;
    a->head = map;
    if (!is_whole(a, (size_t)info.st_size, code)) {
        munmap(map, (size_t)info.st_size);
        goto fail;
    }
    a->entries = (const entry *)(a->map + sizeof *a->head);
    a->units = (const unit *)(a->entries + a->head->nentries);
    a->names = (const char *)(a->units + a->head->nunits);
    return a;

fail:
    free(a);
    return NULL;
}

void
cu_archive_close(cu_archive *a)
{
    if (a) munmap((void *)(uintptr_t)a->map, a->head->nbytes);
    free(a);
}

const char *
cu_archive_find(const cu_archive *a, uint64_t hash, int *which)
{
    size_t low = 0, high = a->head->nentries;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (a->entries[middle].hash < hash) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == a->head->nentries || a->entries[low].hash != hash) return NULL;
    *which = (int)a->entries[low].unit;
    return a->names + a->entries[low].names;
}

const void *
cu_archive_image(const cu_archive *a, int which)
{
    const unit *u = &a->units[which];
    const uint64_t nbytes = a->head->nbytes;

    if (u->offset > nbytes || u->nbytes > nbytes - u->offset) return NULL;
    const char *image = a->map + u->offset;
    if (cu_archive_checksum(image, u->nbytes, SAMPLE) != u->checksum) return NULL;
    return image;
}

int
cu_archive_units(const cu_archive *a)
{
    return (int)a->head->nunits;
}

int
cu_archive_size(const cu_archive *a)
{
    return (int)a->head->nentries;
}

bool
cu_archive_has_code_for(const cu_archive *a, int major, int minor)
{
    for (int i = 0; i < MAX_ARCHS; i++) {
        const int arch = (int)a->head->archs[i];
        if (arch && arch / 10 == major && arch % 10 <= minor) return true;
    }
    return false;
}

uint64_t
cu_archive_hash(const char *source, bool fuses, const char *name)
{
    uint64_t h[2] = {0};

    cu_hash_text(h, fuses ? "fuses" : "");
    cu_hash_text(h, source);
    cu_hash_text(h, name);
    return h[0];
}
