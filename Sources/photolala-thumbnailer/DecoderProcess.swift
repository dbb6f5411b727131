import CThumbnailWorker

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The resource limits of the worker and its children. The client limits the time.
enum WorkerLimits {
    /// The address space in bytes.
    static let memory = 2 << 30
    static let processorSeconds: UInt32 = 20
    /// The maximum size of a thumbnail in bytes.
    static let thumbnailSize = 256 << 10
    /// The longer side of a preview in pixels.
    static let previewEdge: CInt = 2048
    /// The maximum size of a preview in bytes. A larger one is omitted.
    static let previewSize = 4 << 20
    /// The longer side of a video's frame of which only a thumbnail is made, in pixels.
    static let frameEdge = 1024
}

/// A thumbnail with its color, which may be empty, and a preview, which may be empty.
struct MadePictures {
    let color: [UInt8]
    let thumbnail: [UInt8]
    let preview: [UInt8]
    /// The duration of a video in milliseconds, if ffmpeg states it.
    var duration: UInt32?

    /// The length of a thumbnail as four bytes, most significant first, its color, and whether that is valid.
    static let headLength = 8

    /// Returns `nil` unless the output of a decoder has a thumbnail behind its head.
    init?(_ output: [UInt8]) {
        let length = output.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let start = Self.headLength
        guard output.count > start, (1...min(WorkerLimits.thumbnailSize, output.count - start)).contains(length) else {
            return nil
        }
        color = output[7] == 0 ? [] : Array(output[4..<7])
        thumbnail = Array(output[start..<start + length])
        preview = Array(output[(start + length)...])
    }
}

/// A child process that decodes one file.
enum DecoderProcess {
    private static let outputLimit = MadePictures.headLength + WorkerLimits.thumbnailSize + WorkerLimits.previewSize

    /// Decodes an open photo in a child process; returns `nil` if it has no thumbnail.
    /// - Parameter quality: The JPEG quality of the preview; 0 for none.
    static func pictures(ofPhoto photo: CInt, isRAW: Bool, quality: UInt8) -> MadePictures? {
        let made = output(limit: outputLimit) { output, _ in
            var status = stat()
            guard fstat(photo, &status) == 0, status.st_size > 0,
                let bytes = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, photo, 0), bytes != MAP_FAILED
            else { return false }
            close(photo)
            let file = UnsafeRawBufferPointer(start: bytes, count: Int(status.st_size))
            return decode(file, isRAW: isRAW, quality: quality, output: output)
        }
        return MadePictures(made.bytes)
    }

    /// Extracts a frame of an open video and decodes it, each in a child process; returns `nil` if this fails.
    /// - Parameters:
    ///   - format: ffmpeg's format of the video.
    ///   - quality: The JPEG quality of the preview; 0 for none.
    ///   - ffmpeg: The path of ffmpeg.
    static func pictures(ofVideo video: CInt, format: String, quality: UInt8, ffmpeg: String) -> MadePictures? {
        let edge = quality > 0 ? Int(WorkerLimits.previewEdge) : WorkerLimits.frameEdge
        let frame = output(limit: FrameExtraction.frameSize(edge: edge)) { output, text in
            FrameExtraction.replaceProcess(
                by: ffmpeg, video: video, format: format, edge: edge, output: output, text: text)
        }
        guard !frame.bytes.isEmpty else { return nil }
        let made = output(limit: outputLimit) { output, _ in
            frame.bytes.withUnsafeBytes { decode($0, isRAW: false, quality: quality, output: output) }
        }
        var pictures = MadePictures(made.bytes)
        pictures?.duration = frame.text.milliseconds
        return pictures
    }

    /// What a child process wrote.
    private struct Written {
        var bytes: [UInt8] = []
        var text = VideoText()
    }

    /// Returns what a child process writes, which has no other connection to this one; no bytes if it fails or writes
    /// more than the limit.
    /// - Parameter work: Writes bytes to the first descriptor and text to the second. Returns whether it succeeded, and is
    ///   not `Never`: the optimizer releases what a closure captures before a call that does not return.
    private static func output(limit: Int, of work: (CInt, CInt) -> Bool) -> Written {
        var (ends, textEnds): ([CInt], [CInt]) = ([-1, -1], [-1, -1])
        guard pipe(&ends) == 0 else { return Written() }
        guard pipe(&textEnds) == 0 else {
            for end in ends { close(end) }
            return Written()
        }
        let child = photolala_fork()
        if child == 0 {
            close(ends[0])
            close(textEnds[0])
            close(STDIN_FILENO)
            close(STDOUT_FILENO)
            _exit(work(ends[1], textEnds[1]) ? 0 : 1)
        }
        close(ends[1])
        close(textEnds[1])
        defer {
            close(ends[0])
            close(textEnds[0])
        }
        guard child > 0 else { return Written() }
        let written = collectOutput(of: child, from: [ends[0], textEnds[0]], limit: limit)
        if written == nil { kill(child, SIGKILL) }
        var status: CInt = -1
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        // Zero means that the process exited, and with status 0.
        return status == 0 ? written ?? Written() : Written()
    }

    /// Reads the output of a child to its end; returns `nil` if it is too large. Ends the child and this process when the
    /// client is gone.
    /// - Parameter outputs: The descriptors of its bytes and of its text. Both are read, so that it never waits.
    private static func collectOutput(of child: pid_t, from outputs: [CInt], limit: Int) -> Written? {
        var (written, outputs) = (Written(), outputs)
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while outputs != [-1, -1] {
            // A negative descriptor has no events.
            var events =
                outputs.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) } + [
                    pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
                ]
            guard poll(&events, 3, -1) > 0 else { continue }
            if events[2].revents != 0 {
                kill(child, SIGKILL)
                exit(0)
            }
            for (index, output) in outputs.enumerated() where events[index].revents != 0 {
                let count = read(output, &chunk, chunk.count)
                guard count >= 0 else { return nil }
                if count == 0 {
                    outputs[index] = -1
                } else if index == 1 {
                    written.text.append(chunk[..<count])
                } else if written.bytes.count + count <= limit {
                    written.bytes += chunk[..<count]
                } else {
                    return nil
                }
            }
        }
        return written
    }

    /// Writes the head of a thumbnail, the thumbnail and the preview from inside the sandbox; returns whether this
    /// succeeded.
    private static func decode(
        _ file: UnsafeRawBufferPointer, isRAW: Bool, quality: UInt8, output: CInt
    ) -> Bool {
        guard photolala_enter_sandbox(WorkerLimits.processorSeconds) == 0 else { return false }
        var (picture, orientation) = (file, CInt(1))
        if isRAW {
            guard let embedded = EmbeddedJPEG.largest(in: file) else { return false }
            (picture, orientation) = (embedded.bytes, CInt(embedded.orientation))
        }
        var made = photolala_pictures()
        let status = photolala_make_pictures(
            picture.baseAddress, picture.count, orientation, quality > 0 ? WorkerLimits.previewEdge : 0,
            CInt(quality), &made)
        guard status == 0 else { return false }
        let length = withUnsafeBytes(of: UInt32(made.thumbnail_size).bigEndian) { Array($0) }
        let head = length + [made.color.0, made.color.1, made.color.2, made.has_color]
        let hasPreview = made.preview_size <= WorkerLimits.previewSize
        return head.withUnsafeBytes { Output.writeAll($0, to: output) }
            && Output.writeAll(UnsafeRawBufferPointer(start: made.thumbnail, count: made.thumbnail_size), to: output)
            && (!hasPreview
                || Output.writeAll(UnsafeRawBufferPointer(start: made.preview, count: made.preview_size), to: output))
    }
}
