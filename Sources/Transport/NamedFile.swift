#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A file that an argument, a setting or the environment names. Something else can have its name: reading a pipe that no
/// program writes must not block.
package enum NamedFile {
    /// What a file may be.
    package enum Kind: Sendable {
        case regular
        /// Also a pipe or terminal, such as the `/dev/fd/63` of a shell's `<(…)`.
        case stream
    }

    /// Why a file cannot be read.
    package enum Problem: Error, Equatable, CustomStringConvertible {
        /// The system's error number.
        case system(CInt)
        case notRegular
        /// No program has opened the pipe for writing.
        case notWritten
        /// The task was cancelled.
        case cancelled

        package var description: String {
            switch self {
            case .system(let number): String(cString: strerror(number))
            case .notRegular: "not a regular file"
            case .notWritten: "no program writes to this pipe"
            case .cancelled: "cancelled"
            }
        }
    }

    /// The milliseconds after which another thread's cancellation, or a pipe's first writer, is noticed.
    private static let interval: CInt = 200

    /// Opens a file for reading, without waiting for the writer of a pipe. The caller closes the descriptor.
    package static func descriptor(of path: String, as kind: Kind) throws(Problem) -> CInt {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(errno) }
        do throws(Problem) {
            try check(descriptor, kind)
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Reads a file; at most one byte more than the limit. Blocks.
    /// - Parameter patience: The milliseconds in which a pipe must have been opened for writing.
    package static func bytes(
        of path: String, as kind: Kind, limit: Int, patience: Int = 10_000
    ) throws(Problem) -> [UInt8] {
        let descriptor = try descriptor(of: path, as: kind)
        defer { close(descriptor) }
        return try bytes(from: descriptor, limit: limit, patience: mode(of: descriptor) == S_IFIFO ? patience : nil)
    }

    /// Reads an open stream, such as standard input, to its end; at most one byte more than the limit. Blocks.
    package static func bytes(from descriptor: CInt, limit: Int) throws(Problem) -> [UInt8] {
        try bytes(from: descriptor, limit: limit, patience: nil)
    }

    /// - Parameter patience: For a pipe that was opened without waiting for a writer.
    private static func bytes(from descriptor: CInt, limit: Int, patience: Int?) throws(Problem) -> [UInt8] {
        var (bytes, chunk) = ([UInt8](), [UInt8](repeating: 0, count: min(limit, 1 << 20) + 1))
        var patience = patience
        while bytes.count <= limit {
            if Task.isCancelled { throw .cancelled }
            // Polls, so that a cancellation does not have to wait for a slow writer.
            var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let isReady = poll(&state, 1, interval)
            guard isReady >= 0 || errno == EINTR else { throw .system(errno) }
            guard isReady > 0 || isReady == 0 && patience != nil else { continue }
            let count = read(descriptor, &chunk, min(chunk.count, limit - bytes.count + 1))
            if count > 0 {
                bytes.append(contentsOf: chunk[..<count])
            } else if count == 0, isReady == 0, let left = patience {
                // Without a writer, a pipe is at its end but not ready.
                guard left > 0 else { throw .notWritten }
                patience = left - Int(interval)
            } else if count == 0 {
                break
            } else if errno == EAGAIN {
                patience = nil
            } else if errno != EINTR {
                throw .system(errno)
            }
        }
        return bytes
    }

    private static func check(_ descriptor: CInt, _ kind: Kind) throws(Problem) {
        switch try mode(of: descriptor) {
        case S_IFREG: return
        case S_IFDIR: throw .system(EISDIR)
        default: if kind == .regular { throw .notRegular }
        }
    }

    private static func mode(of descriptor: CInt) throws(Problem) -> mode_t {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
        return status.st_mode & S_IFMT
    }
}
