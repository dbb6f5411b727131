// Decompression of the members of ZIP archives, and compression of pages, by the system's zlib.
#ifndef CZLIB_H
#define CZLIB_H

#include <stddef.h>
#include <stdint.h>

typedef struct photolala_inflater photolala_inflater;

enum { PHOTOLALA_INFLATE_MORE = 0, PHOTOLALA_INFLATE_END = 1, PHOTOLALA_INFLATE_DAMAGED = 2 };

// Returns NULL if there is no memory.
photolala_inflater *photolala_inflater_create(void);
void photolala_inflater_destroy(photolala_inflater *inflater);

// Decompresses as many bytes as fit. Sets the numbers of bytes that were read and written.
int photolala_inflate(
    photolala_inflater *inflater, const uint8_t *in, uint32_t in_size, uint32_t *read, uint8_t *out, uint32_t out_size,
    uint32_t *written);

// Compresses bytes to a gzip file (RFC 1952). Returns its size, or 0 if it does not fit or there is no memory.
uint32_t photolala_gzip(const uint8_t *in, uint32_t in_size, uint8_t *out, uint32_t out_size);

// Returns the CRC-32 of bytes that follow those with the given one; 0 at the beginning.
uint32_t photolala_crc32(uint32_t crc, const uint8_t *bytes, uint32_t size);

#endif
