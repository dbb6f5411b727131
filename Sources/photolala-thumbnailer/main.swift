import CThumbnailWorker

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

// Makes thumbnails and previews for a client, which sends open files to its input. It loads libvips once and decodes each file in a
// child process of its own: a file cannot affect another one, and what a decoder leaks ends with it. The argument is the
// path of ffmpeg; without it videos have no thumbnails.

let ffmpeg = CommandLine.arguments.dropFirst().first

// A limit for the length of files is an error of the call that writes.
signal(SIGXFSZ, SIG_IGN)
if let option = ffmpeg, option.hasPrefix("-") {
    let text =
        "Usage: photolala-thumbnailer [FFMPEG]\nStarted by photolala to make thumbnails of files that it sends.\n"
    let isHelp = ["-h", "--help"].contains(option)
    let isWritten = Array(text.utf8).withUnsafeBytes {
        Output.writeAll($0, to: isHelp ? STDOUT_FILENO : STDERR_FILENO)
    }
    exit(isHelp ? isWritten ? 0 : 1 : 64)
}
photolala_close_others()
guard photolala_limit_resources(UInt64(WorkerLimits.memory)) == 0, photolala_load_vips() == 0 else {
    Reply.send(PHOTOLALA_LIBRARY_MISSING)
    exit(1)
}
Reply.send(PHOTOLALA_READY)
while true {
    var request = photolala_request()
    let file = photolala_receive_descriptor(STDIN_FILENO, &request)
    guard file >= 0 else { exit(0) }
    let made =
        if let format = FrameExtraction.format(of: request.kind) {
            ffmpeg.flatMap {
                DecoderProcess.pictures(ofVideo: file, format: format, quality: request.quality, ffmpeg: $0)
            }
        } else {
            DecoderProcess.pictures(
                ofPhoto: file, isRAW: Int(request.kind) == PHOTOLALA_RAW, quality: request.quality)
        }
    close(file)
    if let made {
        if !made.preview.isEmpty { Reply.send(PHOTOLALA_PREVIEW, made.preview) }
        if !made.color.isEmpty { Reply.send(PHOTOLALA_COLOR, made.color) }
        if let duration = made.duration {
            Reply.send(PHOTOLALA_DURATION, withUnsafeBytes(of: duration.bigEndian) { Array($0) })
        }
        Reply.send(PHOTOLALA_MADE, made.thumbnail)
    } else {
        Reply.send(PHOTOLALA_NOT_MADE)
    }
}
