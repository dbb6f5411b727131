import NIOCore
import Synchronization

/// The memory of files that are held until they are uploaded. Buffers are reused, because the system clears each page
/// that it hands out, which takes an eighth of a backup's CPU time.
final class FileBufferPool: Sendable {
    /// An unused buffer. `memory` counts the bytes that were written to: the rest of a buffer has addresses, but no
    /// pages.
    private struct SpareBuffer {
        var bytes: ByteBuffer
        var memory: Int
    }

    private struct State {
        var spares: [SpareBuffer] = []
        /// Bytes of all spare and used buffers.
        var memory = 0

        /// Returns the smallest spare buffer with enough memory but at most twice as much or, if there is none, the
        /// largest of the smaller ones.
        func bestSpareIndex(for count: Int) -> Int? {
            let fitting = spares.indices.filter { spares[$0].memory / 2 <= count }
            return fitting.filter { spares[$0].memory >= count }.min { spares[$0].memory < spares[$1].memory }
                ?? fitting.max { spares[$0].memory < spares[$1].memory }
        }

        /// Releases the largest spare buffers while the memory of all buffers exceeds a total.
        mutating func trim(to total: Int) {
            while memory > total, let largest = spares.indices.max(by: { spares[$0].memory < spares[$1].memory }) {
                memory -= spares.remove(at: largest).memory
            }
        }
    }

    /// The longest file that is held, in bytes.
    let fileLimit: Int
    private let total: Int
    private let state = Mutex(State())

    /// Shorter files use their own memory, which the C library reuses.
    private static let minimumPooledLength = (1 << 19) + 1

    /// - Parameters:
    ///   - fileLimit: The longest file that is held, in bytes.
    ///   - total: Spare buffers are released while all buffers together have more bytes than this.
    init(fileLimit: Int, total: Int) {
        self.fileLimit = fileLimit
        self.total = total
    }

    convenience init(_ settings: BackupSettings) {
        self.init(fileLimit: settings.bufferedFileLimit, total: settings.bufferedBytes + settings.spareBytes)
    }

    /// Bytes of memory of all buffers, spare or used.
    var memory: Int { state.withLock { $0.memory } }

    /// Reads a file of the given length into a buffer. The buffer is returned when the `BufferedFile` is deallocated.
    func readFile<Failure: Error>(
        _ count: Int, read: (inout ByteBuffer) throws(Failure) -> Void
    ) throws(Failure) -> BufferedFile {
        var acquired = acquire(count)
        do {
            try read(&acquired.bytes)
        } catch {
            release(acquired.bytes, memory: acquired.memory)
            throw error
        }
        return BufferedFile(bytes: acquired.bytes, memory: acquired.memory, buffers: self)
    }

    /// Returns a file whose buffer was filled elsewhere and is not reused.
    func adopt(_ bytes: ByteBuffer) -> BufferedFile { BufferedFile(bytes: bytes, memory: 0, buffers: self) }

    private func acquire(_ count: Int) -> SpareBuffer {
        let spare: SpareBuffer? = state.withLock { state in
            defer { state.trim(to: total) }
            guard count >= Self.minimumPooledLength, let best = state.bestSpareIndex(for: count) else {
                state.memory += count
                return nil
            }
            var spare = state.spares.remove(at: best)
            state.memory += max(0, count - spare.memory)
            spare.memory = max(spare.memory, count)
            // No `BufferedFile` uses this buffer any more. If its bytes are still referenced, `clear` allocates new
            // storage.
            spare.bytes.clear()
            return spare
        }
        let capacity = count < Self.minimumPooledLength ? count : fileLimit
        return spare ?? SpareBuffer(bytes: ByteBufferAllocator().buffer(capacity: capacity), memory: count)
    }

    fileprivate func release(_ bytes: ByteBuffer, memory: Int) {
        state.withLock { state in
            if memory < Self.minimumPooledLength {
                state.memory -= memory
            } else {
                state.spares.append(SpareBuffer(bytes: bytes, memory: memory))
                state.trim(to: total)
            }
        }
    }
}

/// The bytes of a file, in a reusable buffer.
final class BufferedFile: Sendable {
    let bytes: ByteBuffer
    private let memory: Int
    private let pool: FileBufferPool

    fileprivate init(bytes: ByteBuffer, memory: Int, buffers: FileBufferPool) {
        self.bytes = bytes
        self.memory = memory
        self.pool = buffers
    }

    deinit { pool.release(bytes, memory: memory) }
}
