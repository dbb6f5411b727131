import CThumbnailWorker

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The call of ffmpeg, which writes the first frame of a video as a PNG of at most 512 pixels a side.
enum FrameExtraction {
    /// The maximum size of a frame in bytes, above that of any PNG of this size.
    static let frameSize = 1 << 20

    private static let words = [
        "ffmpeg", "-nostdin", "-v", "quiet", "-threads", "1",
        // Other formats of ffmpeg can refer to other files.
        "-f", "mov", "-protocol_whitelist", "file", "-i", "/dev/stdin", "-map", "0:v:0", "-frames:v", "1", "-vf",
        #"scale=w=min(512\,iw):h=min(512\,ih):force_original_aspect_ratio=decrease,format=rgb24"#, "-threads", "1",
        "-c:v", "png", "-f", "image2pipe", "pipe:1",
    ]

    /// Runs ffmpeg in this process, with the video as its input. Returns `false` if it cannot be started, else never.
    static func replaceProcess(by ffmpeg: String, video: CInt, output: CInt) -> Bool {
        let arguments = words.map { strdup($0) } + [nil]
        guard dup2(video, STDIN_FILENO) == STDIN_FILENO, dup2(output, STDOUT_FILENO) == STDOUT_FILENO,
            photolala_forbid_changes(WorkerLimits.processorSeconds) == 0
        else { return false }
        return execve(ffmpeg, arguments, [nil]) == 0
    }
}
