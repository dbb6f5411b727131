/// What Swift cannot do for the thumbnail worker and its client: fork, control messages, prctl, and functions with variable
/// arguments.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// What a worker reports. A reply is one of these bytes, the length of a picture as four bytes, most significant first,
/// and the picture.
enum {
    /// The first reply: libvips is loaded.
    PHOTOLALA_READY = 1,
    /// The first and only reply: no suitable libvips is installed.
    PHOTOLALA_LIBRARY_MISSING = 2,
    /// The thumbnail.
    PHOTOLALA_MADE = 3,
    /// The photo has no thumbnail. The length is zero.
    PHOTOLALA_NOT_MADE = 4,
    /// A preview, before the thumbnail.
    PHOTOLALA_PREVIEW = 5,
    /// The average color of the thumbnail, before it: red, green and blue.
    PHOTOLALA_COLOR = 6,
    /// The duration of a video in milliseconds, before its thumbnail: four bytes, most significant first.
    PHOTOLALA_DURATION = 7,
};

/// What a client sends with an open file.
enum {
    PHOTOLALA_PHOTO = 1,
    /// An MP4, QuickTime or 3GP video.
    PHOTOLALA_VIDEO = 2,
    /// A RAW file, of which only an embedded JPEG is used.
    PHOTOLALA_RAW = 3,
    PHOTOLALA_AVI = 4,
    /// A Matroska or WebM video.
    PHOTOLALA_MATROSKA = 5,
    PHOTOLALA_MPEG_TRANSPORT = 6,
    PHOTOLALA_MPEG_PROGRAM = 7,
    PHOTOLALA_WINDOWS_MEDIA = 8,
    PHOTOLALA_FLASH = 9,
    PHOTOLALA_OGG = 10,
};

/// Creates two connected sockets that exec closes. Returns 0, or -1 and sets errno.
int photolala_socket_pair(int sockets[2]);

/// A request: the kind of the file, and the JPEG quality of its preview, 0 for none.
typedef struct {
    uint8_t kind;
    uint8_t quality;
} photolala_request;

/// Sends an open file and a request. Returns 0, or -1 and sets errno; never raises SIGPIPE.
int photolala_send_descriptor(int socket, int descriptor, photolala_request request);

/// Waits for an open file, which exec closes and the caller owns. Returns -1 at the end of the stream and for a message
/// without a file.
int photolala_receive_descriptor(int socket, photolala_request *request);

/// Closes all descriptors but the standard ones. Opens `/dev/null` on those of them that are closed, so that no received
/// file gets them; it can neither be read nor written there.
void photolala_close_others(void);

/// Forbids core dumps and writing to files, and limits the address space where the system can. Returns 0, or -1 and sets
/// errno.
int photolala_limit_resources(uint64_t memory);

/// fork(2). The caller must have one thread only.
pid_t photolala_fork(void);

/// Gives up what a decoder does not need, for ever: CPU time beyond the limit and, on Linux for x86-64 and arm64, all
/// system calls except those for memory, threads, clocks and open descriptors. There the process also ends with its
/// parent. Returns 0, or -1 and sets errno.
int photolala_enter_sandbox(unsigned processor_seconds);

/// Like `photolala_enter_sandbox`, for a program that the caller executes then: on Linux for x86-64 and arm64 it cannot
/// change files, use the network or reach other processes, but it can read the user's files.
int photolala_forbid_changes(unsigned processor_seconds);

/// Loads libvips and prepares it for `photolala_make_pictures` in a child process. Starts no thread. Returns 0, or -1 if
/// libvips 8.13 or newer is not installed.
int photolala_load_vips(void);

/// JPEGs, which are never freed.
typedef struct {
    const void *thumbnail;
    size_t thumbnail_size;
    /// NULL if none was requested.
    const void *preview;
    size_t preview_size;
    /// The average of the thumbnail's pixels: red, green and blue in sRGB. Valid if `has_color` is not 0.
    uint8_t color[3];
    uint8_t has_color;
} photolala_pictures;

/// Makes the thumbnail of a photo, as of `PhotoCatalog`, and from one decoding its preview. Returns 0, or -1 if libvips
/// cannot make them.
/// - Parameters:
///   - orientation: The EXIF orientation of a JPEG that has none; 1 to leave it as it is.
///   - preview_edge: The largest width and height of the preview in pixels; 0 for none.
///   - quality: The JPEG quality of the preview.
int photolala_make_pictures(
    const void *photo, size_t size, int orientation, int preview_edge, int quality, photolala_pictures *pictures);
