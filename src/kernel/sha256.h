/* kernel/sha256.h: SHA-256 (FIPS 180-4), which names and checks cached binaries. */
#ifndef CUPRIC_KERNEL_SHA256_H
#define CUPRIC_KERNEL_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { CUPRIC_SHA256_NBYTES = 32 };

typedef struct cu_sha256 {
    uint32_t state[8];
    uint64_t nbytes; /* taken in */
    unsigned char block[64];
} cu_sha256;

void cu_sha256_init(cu_sha256 *h);
void cu_sha256_update(cu_sha256 *h, const void *data, size_t nbytes);
void cu_sha256_finish(cu_sha256 *h, unsigned char digest[CUPRIC_SHA256_NBYTES]);

#endif
