#include "CThumbnailWorker.h"

#include <dlfcn.h>
#include <string.h>

// libvips is optional, so neither its headers nor its library are needed to build.
typedef struct VipsImage VipsImage;

enum { ACCESS_SEQUENTIAL = 1, INTERPRETATION_SRGB = 22, SIZE_DOWN = 2 };

#define FUNCTIONS(X)                                                                                                    \
    X(int, vips_init, (const char *program))                                                                            \
    X(void, vips_concurrency_set, (int threads))                                                                        \
    X(void, vips_cache_set_max, (int operations))                                                                       \
    X(void, vips_vector_set_enabled, (int enabled))                                                                     \
    X(void, vips_block_untrusted_set, (int blocked))                                                                    \
    X(void, vips_operation_block_set, (const char *class, int blocked))                                                 \
    X(const char *, vips_foreign_find_load_buffer, (const void *bytes, size_t size))                                    \
    X(void *, vips_operation_new, (const char *name))                                                                   \
    X(VipsImage *, vips_image_new_from_buffer, (const void *bytes, size_t size, const char *options, ...))              \
    X(int, vips_image_get_width, (const VipsImage *image))                                                              \
    X(int, vips_image_get_height, (const VipsImage *image))                                                             \
    X(int, vips_image_get_bands, (const VipsImage *image))                                                              \
    X(void *, vips_image_write_to_memory, (VipsImage * image, size_t *size))                                            \
    X(int, vips_image_get_interpretation, (const VipsImage *image))                                                     \
    X(size_t, vips_image_get_typeof, (const VipsImage *image, const char *name))                                        \
    X(void, vips_image_set_int, (VipsImage * image, const char *name, int value))                                       \
    X(VipsImage *, vips_image_copy_memory, (VipsImage * image))                                                         \
    X(void *, vips_array_double_new, (const double *numbers, int count))                                                \
    X(int, vips_jpegload_buffer, (const void *bytes, size_t size, VipsImage **image, ...))                              \
    X(int, vips_thumbnail_buffer, (const void *bytes, size_t size, VipsImage **image, int width, ...))                  \
    X(int, vips_thumbnail_image, (VipsImage * input, VipsImage * *image, int width, ...))                               \
    X(int, vips_jpegsave_buffer, (VipsImage * image, void **bytes, size_t *size, ...))

#define DECLARE(result, name, parameters) static result(*name) parameters;
FUNCTIONS(DECLARE)

static void *open_library(void) {
#ifdef __APPLE__
    // Homebrew's folders are not searched by default.
    const char *names[] = {
        "libvips.42.dylib", "/opt/homebrew/lib/libvips.42.dylib", "/usr/local/lib/libvips.42.dylib",
    };
#else
    const char *names[] = {"libvips.so.42"};
#endif
    void *library = NULL;
    for (size_t index = 0; library == NULL && index < sizeof names / sizeof *names; index++)
        library = dlopen(names[index], RTLD_NOW | RTLD_GLOBAL);
    return library;
}

int photolala_load_vips(void) {
    void *library = open_library();
    if (library == NULL) return -1;
    // vips_block_untrusted_set came with 8.13.
#define LOAD(result, name, parameters)                                                                                  \
    if ((*(void **)&name = dlsym(library, #name)) == NULL) return -1;
    FUNCTIONS(LOAD)
    if (vips_init("photolala-thumbnailer") != 0) return -1;
    vips_concurrency_set(1);
    vips_cache_set_max(0);
    // The vector code of older versions is generated, which the sandbox forbids.
    vips_vector_set_enabled(0);
    vips_operation_block_set("VipsForeignLoad", 1);
    const char *formats[] = {"Jpeg", "Png", "Nsgif", "Webp", "Heif", "Tiff"};
    for (size_t index = 0; index < sizeof formats / sizeof *formats; index++) {
        char class[32] = "VipsForeignLoad";
        vips_operation_block_set(strcat(class, formats[index]), 0);
    }
    vips_block_untrusted_set(1);

    // Plugins of libheif are files, which a child cannot open.
    void *heif = dlopen("libheif.so.1", RTLD_NOW | RTLD_NOLOAD);
    void (*heif_init)(void *) = NULL;
    if (heif != NULL) *(void **)&heif_init = dlsym(heif, "heif_init");
    if (heif_init != NULL) heif_init(NULL);
    // Creates the classes of all loaders and of frequent operations once instead of in each child.
    vips_foreign_find_load_buffer("", 0);
    const char *operations[] = {"jpegload_buffer", "thumbnail_image", "resize", "reduceh", "reducev", "jpegsave_buffer"};
    for (size_t index = 0; index < sizeof operations / sizeof *operations; index++)
        vips_operation_new(operations[index]);
    return 0;
}

/// Returns the side of the square in which the thumbnail of a picture fits, like `Thumbnail.edge(ofPicture:_:)`.
static int thumbnail_edge(const VipsImage *image) {
    const double edge = 512, shorter_edge = 256, longest_edge = 1024;
    int width = vips_image_get_width(image), height = vips_image_get_height(image);
    double longer = width > height ? width : height, shorter = width > height ? height : width;
    double fitted = shorter_edge * longer / (shorter < 1 ? 1 : shorter) + 0.5;
    return (int)(fitted < edge ? edge : fitted > longest_edge ? longest_edge : fitted);
}

/// Opens a JPEG, reduced by its decoder by at most 8 to at least 1.5 times the size of the picture. libvips itself keeps
/// twice that size, which costs a fifth more for 12 megapixels. It aborts where no pixel would be left.
static VipsImage *open_jpeg(const void *photo, size_t size, int preview_edge) {
    VipsImage *image;
    if (vips_jpegload_buffer(photo, size, &image, "access", ACCESS_SEQUENTIAL, NULL) != 0) return NULL;
    int width = vips_image_get_width(image), height = vips_image_get_height(image);
    for (int factor = 8; factor > 1; factor /= 2) {
        if ((width < height ? width : height) < factor) continue;
        VipsImage *reduced;
        if (vips_jpegload_buffer(photo, size, &reduced, "shrink", factor, "access", ACCESS_SEQUENTIAL, NULL) != 0)
            return NULL;
        int reduced_width = vips_image_get_width(reduced), reduced_height = vips_image_get_height(reduced);
        int edge = preview_edge > 0 ? preview_edge : thumbnail_edge(reduced);
        if ((reduced_width > reduced_height ? reduced_width : reduced_height) >= edge * 3 / 2) return reduced;
    }
    return image;
}

/// Returns "export_profile", or NULL if that would convert from sRGB to sRGB, which takes a third of the time and loses
/// shadows.
static const char *profile_option(const VipsImage *image) {
    int is_srgb = vips_image_get_interpretation(image) == INTERPRETATION_SRGB &&
                  vips_image_get_typeof(image, "icc-profile-data") == 0;
    return is_srgb ? NULL : "export_profile";
}

/// Returns a photo reduced to a preview, or to a thumbnail if its edge is 0, upright and in sRGB.
static VipsImage *reduce(const void *photo, size_t size, int orientation, int preview_edge) {
    int is_jpeg = size > 3 && memcmp(photo, "\xff\xd8\xff", 3) == 0;
    VipsImage *image = is_jpeg ? open_jpeg(photo, size, preview_edge) : vips_image_new_from_buffer(photo, size, "", NULL);
    if (image == NULL) return NULL;
    if (is_jpeg && orientation != 1 && vips_image_get_typeof(image, "orientation") == 0)
        vips_image_set_int(image, "orientation", orientation);
    int edge = preview_edge > 0 ? preview_edge : thumbnail_edge(image);
    const char *profile = profile_option(image);
    VipsImage *reduced;
    int status = is_jpeg ? vips_thumbnail_image(
                               image, &reduced, edge, "height", edge, "size", SIZE_DOWN, profile, "srgb", NULL)
                         : vips_thumbnail_buffer(
                               photo, size, &reduced, edge, "height", edge, "size", SIZE_DOWN, profile, "srgb", NULL);
    return status == 0 ? reduced : NULL;
}

static const void *save(VipsImage *image, int quality, size_t *size) {
    void *bytes = NULL, *background = vips_array_double_new((double[]){255}, 1);
    int status = vips_jpegsave_buffer(image, &bytes, size, "Q", quality, "strip", 1, "background", background, NULL);
    return status == 0 ? bytes : NULL;
}

/// Computes the average color of the thumbnail as it was saved, where each pixel of a JPEG that is reduced by 8 is the
/// average of a block. libvips leaves out incomplete blocks and aborts if there is no other.
static void average(photolala_pictures *pictures, int shortest_side) {
    int factor = shortest_side >= 64 ? 8 : 1;
    VipsImage *image;
    if (vips_jpegload_buffer(pictures->thumbnail, pictures->thumbnail_size, &image, "shrink", factor, NULL) != 0) return;
    int bands = vips_image_get_bands(image);
    size_t size = 0;
    const uint8_t *pixels = vips_image_write_to_memory(image, &size);
    if (pixels == NULL || size == 0 || (bands != 1 && bands != 3)) return;
    for (int channel = 0; channel < 3; channel++) {
        uint64_t sum = 0, count = size / bands;
        for (size_t at = bands == 3 ? channel : 0; at < size; at += bands) sum += pixels[at];
        pictures->color[channel] = (uint8_t)((sum + count / 2) / count);
    }
    pictures->has_color = 1;
}

int photolala_make_pictures(
    const void *photo, size_t size, int orientation, int preview_edge, int quality, photolala_pictures *pictures) {
    memset(pictures, 0, sizeof *pictures);
    VipsImage *thumbnail = reduce(photo, size, orientation, preview_edge);
    if (thumbnail == NULL) return -1;
    if (preview_edge > 0) {
        // Computed once for both.
        VipsImage *preview = vips_image_copy_memory(thumbnail);
        if (preview == NULL) return -1;
        pictures->preview = save(preview, quality, &pictures->preview_size);
        if (pictures->preview == NULL) return -1;
        int edge = thumbnail_edge(preview);
        if (vips_thumbnail_image(preview, &thumbnail, edge, "height", edge, "size", SIZE_DOWN, NULL) != 0) return -1;
    }
    pictures->thumbnail = save(thumbnail, 80, &pictures->thumbnail_size);
    if (pictures->thumbnail == NULL) return -1;
    int width = vips_image_get_width(thumbnail), height = vips_image_get_height(thumbnail);
    average(pictures, width < height ? width : height);
    return 0;
}
