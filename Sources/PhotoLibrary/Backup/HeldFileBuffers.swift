import NIOCore
import Synchronization

/// The memory of files that are held until they are sent: it goes from one file to the next, for the system clears
/// each page that it hands out, and that takes an eighth of the time that a backup computes.
final class HeldFileBuffers: Sendable {
    /// A buffer that no file has. Memory is what was written to: the rest of a buffer has an address and no pages.
    private struct Spare {
        var bytes: ByteBuffer
        var memory: Int
    }

    private struct State {
        var spares: [Spare] = []
        /// Of the spare buffers and those that files have.
        var memory = 0
    }

    /// The longest file that is held, in bytes.
    let fileLimit: Int
    private let total: Int
    private let state = Mutex(State())

    /// What is smaller the C library keeps for itself.
    private static let least = 1 << 20

    /// - Parameters:
    ///   - fileLimit: the longest file that is held, in bytes.
    ///   - total: beyond so many bytes of memory nothing is kept that no file has.
    init(fileLimit: Int, total: Int) {
        self.fileLimit = fileLimit
        self.total = total
    }

    /// Bytes of memory of all buffers, spare or not.
    var memory: Int { state.withLock { $0.memory } }

    /// Has a file of that length read into a buffer, which is given back when the last holder lets go.
    func hold<Failure: Error>(
        _ count: Int, read: (inout ByteBuffer) throws(Failure) -> Void
    ) throws(Failure) -> HeldFile {
        guard count >= Self.least else {
            var bytes = ByteBufferAllocator().buffer(capacity: count)
            try read(&bytes)
            return HeldFile(bytes: bytes, memory: 0, buffers: nil)
        }
        var spare = take(count)
        do {
            try read(&spare.bytes)
        } catch {
            give(spare.bytes, memory: spare.memory)
            throw error
        }
        return HeldFile(bytes: spare.bytes, memory: spare.memory, buffers: self)
    }

    private func take(_ count: Int) -> Spare {
        let spare: Spare? = state.withLock { state in
            let best =
                state.spares.indices.filter { state.spares[$0].memory >= count }
                .min { state.spares[$0].memory < state.spares[$1].memory }
                ?? state.spares.indices.max { state.spares[$0].memory < state.spares[$1].memory }
            guard let best else {
                state.memory += count
                return nil
            }
            var spare = state.spares.remove(at: best)
            state.memory += max(0, count - spare.memory)
            spare.memory = max(spare.memory, count)
            // Nobody else holds it here. Where somebody still has the bytes, they are let alone and this is a new buffer.
            spare.bytes.clear()
            return spare
        }
        return spare ?? Spare(bytes: ByteBufferAllocator().buffer(capacity: fileLimit), memory: count)
    }

    fileprivate func give(_ bytes: ByteBuffer, memory: Int) {
        state.withLock { state in
            if state.memory > total {
                state.memory -= memory
            } else {
                state.spares.append(Spare(bytes: bytes, memory: memory))
            }
        }
    }
}

/// The bytes of a file, in a buffer that others get after it.
final class HeldFile: Sendable {
    let bytes: ByteBuffer
    private let memory: Int
    private let buffers: HeldFileBuffers?

    fileprivate init(bytes: ByteBuffer, memory: Int, buffers: HeldFileBuffers?) {
        self.bytes = bytes
        self.memory = memory
        self.buffers = buffers
    }

    deinit { buffers?.give(bytes, memory: memory) }
}
