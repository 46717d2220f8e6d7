/* SHA-256 (FIPS 180-4). Freestanding: the probe and the page's wasm compute the same ids. */
#ifndef RUNQ_BASE_SHA256_H
#define RUNQ_BASE_SHA256_H

#include "base/str.h"

enum { SHA256_BYTES = 32, SHA256_HEX = 64 };

struct sha256 {
	uint32_t state[8];
	uint64_t bytes;
	unsigned char block[64];
};

void sha256_init(struct sha256 *h);
void sha256_add(struct sha256 *h, struct str data);
void sha256_end(struct sha256 *h, unsigned char out[SHA256_BYTES]);
void sha256_of(struct str data, unsigned char out[SHA256_BYTES]);
void sha256_hex(const unsigned char *digest, ptrdiff_t bytes, char *out);	/* 2 * bytes digits, not terminated */

#endif
