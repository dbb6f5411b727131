// The C interface of heif.wasm: decodes the primary image of a HEIF file into upright RGBA pixels of 8 bits.
#include <libheif/heif.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((used, visibility("default")))

enum {
    maximum_pixels = 120 * 1000 * 1000,
    maximum_memory = 480 << 20,
    // A sum of 16 x 16 samples still fits in 16 bits.
    maximum_factor = 16,
};

// The layout is known to heif_worker.js.
typedef struct {
    uint32_t width, height;
    // 1 if the colors are those of Display P3, else 0.
    uint32_t is_wide;
    uint8_t *pixels;
} picture;

static picture result;

typedef struct {
    // The size of the whole image, and by what number it is divided.
    uint32_t width, height, factor;
    // Sums of samples, if the factor is not 1.
    uint16_t *sums;
} reduction;

// Adds pixels to the result. Pixels outside of the image are ignored.
static void add(const reduction *into, const heif_image *image, int64_t left, int64_t top) {
    size_t stride;
    const uint8_t *plane = heif_image_get_plane_readonly2(image, heif_channel_interleaved, &stride);
    if (!plane) return;
    const int width = heif_image_get_width(image, heif_channel_interleaved);
    const int height = heif_image_get_height(image, heif_channel_interleaved);
    const uint32_t factor = into->factor;
    const int64_t right = (int64_t)result.width * factor, bottom = (int64_t)result.height * factor;
    const int64_t first = left < 0 ? -left : 0, end = left + width > right ? right - left : width;
    for (int64_t y = top < 0 ? -top : 0; y < height && top + y < bottom; y++) {
        const uint8_t *row = plane + (size_t)y * stride;
        const size_t start = (size_t)((top + y) / factor) * result.width;
        if (factor == 1) {
            if (end > first) memcpy(result.pixels + (start + left + first) * 4, row + first * 4, (end - first) * 4);
            continue;
        }
        for (int64_t x = first; x < end; x++) {
            uint16_t *sum = into->sums + (start + (left + x) / factor) * 4;
            for (int channel = 0; channel < 4; channel++) sum[channel] += row[x * 4 + channel];
        }
    }
}

// Divides the sums. The result replaces them in place.
static void divide(const reduction *into) {
    const uint32_t area = into->factor * into->factor;
    const size_t count = (size_t)result.width * result.height * 4;
    for (size_t index = 0; index < count; index++) result.pixels[index] = (into->sums[index] + area / 2) / area;
}

// Returns whether an ICC profile has the red of Display P3 (0.515, 0.241, -0.001).
static uint32_t is_display_p3(const heif_image_handle *handle) {
    const size_t size = heif_image_handle_get_raw_color_profile_size(handle);
    if (size < 132 || size > 1 << 20) return 0;
    uint8_t *profile = malloc(size);
    if (!profile) return 0;
    uint32_t answer = 0;
    if (heif_image_handle_get_raw_color_profile(handle, profile).code == heif_error_Ok) {
#define BIG32(at) ((uint32_t)profile[at] << 24 | profile[(at) + 1] << 16 | profile[(at) + 2] << 8 | profile[(at) + 3])
        for (size_t at = 132, tag = 0; tag < BIG32(128) && at + 12 <= size; tag++, at += 12) {
            const uint32_t offset = BIG32(at + 4);
            if (memcmp(profile + at, "rXYZ", 4) || offset > size - 12) continue;
            const int32_t red = (int32_t)BIG32(offset + 8);
            answer = red > 0.50 * 65536 && red < 0.53 * 65536;
        }
#undef BIG32
    }
    free(profile);
    return answer;
}

// Returns the padding before the first tile. libheif 1.23.4 says where padding is, but not how much.
static int64_t padding(uint32_t offset, uint32_t count, uint32_t tile, uint32_t image) {
    return offset == 0 ? 0 : (int64_t)count * tile - image;
}

// Whether tiles cover a side of an image, and the padding is less than a tile.
static int covers(uint32_t count, uint32_t tile, uint32_t image) {
    const uint64_t length = (uint64_t)count * tile;
    return length >= image && length - image < tile;
}

// Decodes the image into the result.
static int decode_image(const heif_image_handle *handle, const heif_decoding_options *options, const reduction *into) {
    heif_image_tiling tiling = {.version = 1};
    heif_image *image = NULL;
    // Tile by tile a large image needs little memory. An alpha channel has tiles of its own, and a crop moves the tiles.
    const int is_tiled = !heif_image_handle_has_alpha_channel(handle)
        && !heif_image_handle_get_image_tiling(handle, 1, &tiling).code
        && tiling.image_width == into->width && tiling.image_height == into->height
        && covers(tiling.num_columns, tiling.tile_width, into->width)
        && covers(tiling.num_rows, tiling.tile_height, into->height);
    if (!is_tiled) {
        if (heif_decode_image(handle, &image, heif_colorspace_RGB, heif_chroma_interleaved_RGBA, options).code) {
            return 0;
        }
        add(into, image, 0, 0);
        heif_image_release(image);
        return 1;
    }
    const int64_t left = padding(tiling.left_offset, tiling.num_columns, tiling.tile_width, into->width);
    const int64_t top = padding(tiling.top_offset, tiling.num_rows, tiling.tile_height, into->height);
    for (uint32_t y = 0; y < tiling.num_rows; y++) {
        for (uint32_t x = 0; x < tiling.num_columns; x++) {
            if (heif_image_handle_decode_image_tile(
                    handle, &image, heif_colorspace_RGB, heif_chroma_interleaved_RGBA, options, x, y).code) {
                return 0;
            }
            add(into, image, (int64_t)x * tiling.tile_width - left, (int64_t)y * tiling.tile_height - top);
            heif_image_release(image);
        }
    }
    return 1;
}

static int decode_primary(heif_context *context, const uint8_t *bytes, size_t size, uint32_t edge) {
    heif_security_limits limits = *heif_get_global_security_limits();
    limits.max_image_size_pixels = maximum_pixels;
    limits.max_total_memory = limits.max_memory_block_size = maximum_memory;
    limits.max_number_of_tiles = 4096;
    heif_context_set_security_limits(context, &limits);
    heif_image_handle *handle = NULL;
    if (heif_context_read_from_memory_without_copy(context, bytes, size, NULL).code) return 0;
    if (heif_context_get_primary_image_handle(context, &handle).code) return 0;
    reduction into = {
        .width = heif_image_handle_get_width(handle), .height = heif_image_handle_get_height(handle), .factor = 1};
    const uint32_t longer = into.width > into.height ? into.width : into.height;
    if (edge > 0 && longer / edge > 1) into.factor = longer / edge;
    if (into.factor > maximum_factor) into.factor = maximum_factor;
    result.width = into.width / into.factor;
    result.height = into.height / into.factor;
    result.is_wide = is_display_p3(handle);
    int is_decoded = 0;
    heif_decoding_options *options = heif_decoding_options_alloc();
    if (options && result.width > 0 && result.height > 0 && (uint64_t)into.width * into.height <= maximum_pixels) {
        const size_t count = (size_t)result.width * result.height * 4;
        options->convert_hdr_to_8bit = 1;
        result.pixels = malloc(count);
        if (into.factor > 1) into.sums = calloc(count, sizeof *into.sums);
        if (result.pixels && (into.factor == 1 || into.sums)) is_decoded = decode_image(handle, options, &into);
        if (is_decoded && into.sums) divide(&into);
        free(into.sums);
    }
    heif_decoding_options_free(options);
    heif_image_handle_release(handle);
    return is_decoded;
}

// Releases the pixels of the last picture.
EXPORT void photo_release(void) {
    free(result.pixels);
    memset(&result, 0, sizeof result);
}

// Returns the picture, or NULL if the file cannot be decoded. The longer side is divided by a whole number, and remains
// at least `edge` pixels.
EXPORT const picture *photo_decode(const uint8_t *bytes, size_t size, uint32_t edge) {
    photo_release();
    heif_context *context = heif_context_alloc();
    if (!context) return NULL;
    const int is_decoded = decode_primary(context, bytes, size, edge);
    heif_context_free(context);
    if (is_decoded) return &result;
    photo_release();
    return NULL;
}

EXPORT uint8_t *photo_buffer(size_t size) { return malloc(size); }
EXPORT void photo_free(uint8_t *buffer) { free(buffer); }
