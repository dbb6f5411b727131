/// What Swift cannot do for the thumbnail worker and its client: fork, control messages, prctl, and functions with variable
/// arguments.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// What a worker reports. A reply is one of these bytes, the length of the thumbnail as four bytes, most significant
/// first, and the thumbnail.
enum {
    /// The first reply: libvips is loaded.
    PHOTOLALA_READY = 1,
    /// The first and only reply: no suitable libvips is installed.
    PHOTOLALA_LIBRARY_MISSING = 2,
    PHOTOLALA_MADE = 3,
    /// The photo has no thumbnail. The length is zero.
    PHOTOLALA_NOT_MADE = 4,
};

/// What a client sends with an open file.
enum {
    PHOTOLALA_PHOTO = 1,
    PHOTOLALA_VIDEO = 2,
};

/// Creates two connected sockets that exec closes. Returns 0, or -1 and sets errno.
int photolala_socket_pair(int sockets[2]);

/// Sends an open file and its kind. Returns 0, or -1 and sets errno; never raises SIGPIPE.
int photolala_send_descriptor(int socket, int descriptor, char kind);

/// Waits for an open file, which exec closes and the caller owns. Returns -1 at the end of the stream and for a message
/// without a file.
int photolala_receive_descriptor(int socket, char *kind);

/// Closes all descriptors but the standard ones.
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

/// Loads libvips and prepares it for `photolala_make_thumbnail` in a child process. Starts no thread. Returns 0, or -1 if
/// libvips 8.13 or newer is not installed.
int photolala_load_vips(void);

/// Returns the thumbnail of a photo as a JPEG, which is never freed, or NULL if libvips cannot make one.
/// - Parameter edge: The largest width and height in pixels.
const void *photolala_make_thumbnail(const void *photo, size_t size, int edge, size_t *length);
