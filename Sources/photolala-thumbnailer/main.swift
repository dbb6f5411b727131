import CThumbnailWorker

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

// Makes thumbnails for a client, which sends open files to its input. It loads libvips once and decodes each photo in a
// child process of its own: a photo cannot affect another one, and what a decoder leaks ends with it.

photolala_close_others()
guard photolala_limit_resources(UInt64(WorkerLimits.memory)) == 0, photolala_load_vips() == 0 else {
    Reply.send(PHOTOLALA_LIBRARY_MISSING)
    exit(1)
}
Reply.send(PHOTOLALA_READY)
while true {
    let photo = photolala_receive_descriptor(STDIN_FILENO)
    guard photo >= 0 else { exit(0) }
    let thumbnail = DecoderProcess.thumbnail(of: photo)
    close(photo)
    if thumbnail.isEmpty { Reply.send(PHOTOLALA_NOT_MADE) } else { Reply.send(PHOTOLALA_MADE, thumbnail) }
}
