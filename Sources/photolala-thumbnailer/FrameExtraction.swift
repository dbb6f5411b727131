import CThumbnailWorker

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The call of ffmpeg, which writes the first frame of a video as a PNG.
enum FrameExtraction {
    /// Returns the maximum size of a frame in bytes, above that of any PNG of these pixels.
    static func frameSize(edge: Int) -> Int { edge * edge * 4 }

    private static func words(edge: Int) -> [String] {
        [
            "ffmpeg", "-nostdin", "-v", "quiet", "-threads", "1",
            // Other formats of ffmpeg can refer to other files.
            "-f", "mov", "-protocol_whitelist", "file", "-i", "/dev/stdin", "-map", "0:v:0", "-frames:v", "1", "-vf",
            #"scale=w=min(\#(edge)\,iw):h=min(\#(edge)\,ih):force_original_aspect_ratio=decrease,format=rgb24"#,
            "-threads", "1", "-c:v", "png", "-f", "image2pipe", "pipe:1",
        ]
    }

    /// Runs ffmpeg in this process, with the video as its input. Returns `false` if it cannot be started, else never.
    /// - Parameter edge: The maximum width and height of the frame in pixels.
    static func replaceProcess(by ffmpeg: String, video: CInt, edge: Int, output: CInt) -> Bool {
        let arguments = words(edge: edge).map { strdup($0) } + [nil]
        guard dup2(video, STDIN_FILENO) == STDIN_FILENO, dup2(output, STDOUT_FILENO) == STDOUT_FILENO,
            photolala_forbid_changes(WorkerLimits.processorSeconds) == 0
        else { return false }
        return execve(ffmpeg, arguments, [nil]) == 0
    }
}
