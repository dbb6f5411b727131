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
    /// The longer side of a thumbnail in pixels.
    static let edge: CInt = 256
    /// The maximum size of a thumbnail in bytes.
    static let thumbnailSize = 256 << 10
}

/// A child process that decodes one file.
enum DecoderProcess {
    /// Decodes an open photo in a child process; returns no bytes if it has no thumbnail.
    static func thumbnail(ofPhoto photo: CInt) -> [UInt8] {
        output(limit: WorkerLimits.thumbnailSize) { output in
            var status = stat()
            guard fstat(photo, &status) == 0, status.st_size > 0,
                let bytes = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, photo, 0), bytes != MAP_FAILED
            else { return false }
            close(photo)
            return decode(UnsafeRawBufferPointer(start: bytes, count: Int(status.st_size)), output: output)
        }
    }

    /// Extracts a frame of an open video and decodes it, each in a child process; returns no bytes if this fails.
    /// - Parameter ffmpeg: The path of ffmpeg.
    static func thumbnail(ofVideo video: CInt, ffmpeg: String) -> [UInt8] {
        let frame = output(limit: FrameExtraction.frameSize) { output in
            FrameExtraction.replaceProcess(by: ffmpeg, video: video, output: output)
        }
        guard !frame.isEmpty else { return [] }
        return output(limit: WorkerLimits.thumbnailSize) { output in
            frame.withUnsafeBytes { decode($0, output: output) }
        }
    }

    /// Returns what a child process writes, which has no other connection to this one; no bytes if it fails or writes
    /// more than the limit.
    /// - Parameter work: Returns whether it succeeded, and is not `Never`: the optimizer releases what a closure captures
    ///   before a call that does not return.
    private static func output(limit: Int, of work: (CInt) -> Bool) -> [UInt8] {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return [] }
        let child = photolala_fork()
        if child == 0 {
            close(ends[0])
            close(STDIN_FILENO)
            close(STDOUT_FILENO)
            _exit(work(ends[1]) ? 0 : 1)
        }
        close(ends[1])
        defer { close(ends[0]) }
        guard child > 0 else { return [] }
        let bytes = collectOutput(of: child, from: ends[0], limit: limit)
        if bytes == nil { kill(child, SIGKILL) }
        var status: CInt = -1
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        // Zero means that the process exited, and with status 0.
        return status == 0 ? bytes ?? [] : []
    }

    /// Reads the output of a child to its end; returns `nil` if it is too large. Ends the child and this process when the
    /// client is gone.
    private static func collectOutput(of child: pid_t, from output: CInt, limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            var events = [
                pollfd(fd: output, events: Int16(POLLIN), revents: 0), pollfd(fd: STDIN_FILENO, events: 0, revents: 0),
            ]
            guard poll(&events, 2, -1) > 0 else { continue }
            if events[1].revents != 0 {
                kill(child, SIGKILL)
                exit(0)
            }
            let count = read(output, &chunk, chunk.count)
            guard count > 0 else { return count == 0 ? bytes : nil }
            guard bytes.count + count <= limit else { return nil }
            bytes += chunk[..<count]
        }
    }

    /// Writes the thumbnail of a picture from inside the sandbox; returns whether this succeeded.
    private static func decode(_ picture: UnsafeRawBufferPointer, output: CInt) -> Bool {
        var length = 0
        guard photolala_enter_sandbox(WorkerLimits.processorSeconds) == 0,
            let thumbnail = photolala_make_thumbnail(picture.baseAddress, picture.count, WorkerLimits.edge, &length)
        else { return false }
        return Output.writeAll(UnsafeRawBufferPointer(start: thumbnail, count: length), to: output)
    }
}
