import CThumbnailWorker

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

// Makes thumbnails for a client, which sends open files to its input. It loads libvips once and decodes each file in a
// child process of its own: a file cannot affect another one, and what a decoder leaks ends with it. The argument is the
// path of ffmpeg; without it videos have no thumbnails.

let ffmpeg = CommandLine.arguments.dropFirst().first

photolala_close_others()
guard photolala_limit_resources(UInt64(WorkerLimits.memory)) == 0, photolala_load_vips() == 0 else {
    Reply.send(PHOTOLALA_LIBRARY_MISSING)
    exit(1)
}
Reply.send(PHOTOLALA_READY)
while true {
    var kind: CChar = 0
    let file = photolala_receive_descriptor(STDIN_FILENO, &kind)
    guard file >= 0 else { exit(0) }
    let thumbnail =
        if CInt(kind) == CInt(PHOTOLALA_PHOTO) {
            DecoderProcess.thumbnail(ofPhoto: file)
        } else {
            ffmpeg.map { DecoderProcess.thumbnail(ofVideo: file, ffmpeg: $0) } ?? []
        }
    close(file)
    if thumbnail.isEmpty { Reply.send(PHOTOLALA_NOT_MADE) } else { Reply.send(PHOTOLALA_MADE, thumbnail) }
}
