#include "CZlib.h"

#include <stdlib.h>
#include <zlib.h>

struct photolala_inflater {
    z_stream stream;
};

photolala_inflater *photolala_inflater_create(void) {
    photolala_inflater *inflater = calloc(1, sizeof(*inflater));
    if (inflater == NULL) return NULL;
    // A negative window means data without the header and checksum of zlib.
    if (inflateInit2(&inflater->stream, -MAX_WBITS) != Z_OK) {
        free(inflater);
        return NULL;
    }
    return inflater;
}

void photolala_inflater_destroy(photolala_inflater *inflater) {
    if (inflater == NULL) return;
    inflateEnd(&inflater->stream);
    free(inflater);
}

int photolala_inflate(
    photolala_inflater *inflater, const uint8_t *in, uint32_t in_size, uint32_t *read, uint8_t *out, uint32_t out_size,
    uint32_t *written) {
    z_stream *stream = &inflater->stream;
    stream->next_in = (Bytef *)in;
    stream->avail_in = in_size;
    stream->next_out = out;
    stream->avail_out = out_size;
    int result = inflate(stream, Z_NO_FLUSH);
    *read = in_size - stream->avail_in;
    *written = out_size - stream->avail_out;
    if (result == Z_STREAM_END) return PHOTOLALA_INFLATE_END;
    return result == Z_OK || result == Z_BUF_ERROR ? PHOTOLALA_INFLATE_MORE : PHOTOLALA_INFLATE_DAMAGED;
}

uint32_t photolala_gzip(const uint8_t *in, uint32_t in_size, uint8_t *out, uint32_t out_size) {
    z_stream stream = {0};
    // A window of 16 more means gzip.
    if (deflateInit2(&stream, 5, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    stream.next_in = (Bytef *)in;
    stream.avail_in = in_size;
    stream.next_out = out;
    stream.avail_out = out_size;
    int result = deflate(&stream, Z_FINISH);
    deflateEnd(&stream);
    return result == Z_STREAM_END ? out_size - stream.avail_out : 0;
}

uint32_t photolala_crc32(uint32_t crc, const uint8_t *bytes, uint32_t size) {
    return (uint32_t)crc32(crc, bytes, size);
}
