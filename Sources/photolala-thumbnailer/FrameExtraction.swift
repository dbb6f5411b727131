import CThumbnailWorker

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The call of ffmpeg, which writes the first frame of a video as a PNG, and prints what it finds in the video.
enum FrameExtraction {
    /// Returns the maximum size of a frame in bytes, above that of any PNG of these pixels.
    static func frameSize(edge: Int) -> Int { edge * edge * 4 }

    /// Returns ffmpeg's format for a kind of files; `nil` unless it is one of a video. Other formats of ffmpeg can refer to
    /// other files.
    static func format(of kind: UInt8) -> String? {
        switch Int(kind) {
        case PHOTOLALA_VIDEO: "mov"
        case PHOTOLALA_AVI: "avi"
        case PHOTOLALA_MATROSKA: "matroska"
        case PHOTOLALA_MPEG_TRANSPORT: "mpegts"
        case PHOTOLALA_MPEG_PROGRAM: "mpeg"
        case PHOTOLALA_WINDOWS_MEDIA: "asf"
        case PHOTOLALA_FLASH: "flv"
        case PHOTOLALA_OGG: "ogg"
        default: nil
        }
    }

    private static func words(_ format: String, edge: Int) -> [String] {
        [
            "ffmpeg", "-nostdin", "-hide_banner", "-nostats", "-v", "info", "-threads", "1",
            // The list also applies to formats inside of this one, as AVI has.
            "-f", format, "-format_whitelist", format, "-protocol_whitelist", "file", "-i", "/dev/stdin", "-map",
            "0:v:0", "-frames:v", "1", "-vf",
            #"scale=w=min(\#(edge)\,iw):h=min(\#(edge)\,ih):force_original_aspect_ratio=decrease,format=rgb24"#,
            "-threads", "1", "-c:v", "png", "-f", "image2pipe", "pipe:1",
        ]
    }

    /// Runs ffmpeg in this process, with the video as its input. Returns `false` if it cannot be started, else never.
    /// - Parameters:
    ///   - format: ffmpeg's format of the video.
    ///   - edge: The maximum width and height of the frame in pixels.
    ///   - text: Receives what ffmpeg prints.
    static func replaceProcess(
        by ffmpeg: String, video: CInt, format: String, edge: Int, output: CInt, text: CInt
    ) -> Bool {
        let arguments = words(format, edge: edge).map { strdup($0) } + [nil]
        guard dup2(video, STDIN_FILENO) == STDIN_FILENO, dup2(output, STDOUT_FILENO) == STDOUT_FILENO,
            dup2(text, STDERR_FILENO) == STDERR_FILENO,
            photolala_forbid_changes(WorkerLimits.processorSeconds) == 0
        else { return false }
        return execve(ffmpeg, arguments, [nil]) == 0
    }
}
