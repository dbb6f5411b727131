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

        /// The smallest that has enough and not twice as much, else the largest of those that have less.
        func best(for count: Int) -> Int? {
            let fitting = spares.indices.filter { spares[$0].memory / 2 <= count }
            return fitting.filter { spares[$0].memory >= count }.min { spares[$0].memory < spares[$1].memory }
                ?? fitting.max { spares[$0].memory < spares[$1].memory }
        }

        /// Lets go of spare buffers that have no room beside what files have.
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

    /// Shorter files get memory of their own, which the C library keeps for itself.
    private static let least = (1 << 19) + 1

    /// - Parameters:
    ///   - fileLimit: the longest file that is held, in bytes.
    ///   - total: beyond so many bytes of memory none is kept that no file has.
    init(fileLimit: Int, total: Int) {
        self.fileLimit = fileLimit
        self.total = total
    }

    convenience init(_ settings: BackupSettings) {
        self.init(fileLimit: settings.heldFileLimit, total: settings.heldBytes + settings.spareBytes)
    }

    /// Bytes of memory of all buffers, spare or not.
    var memory: Int { state.withLock { $0.memory } }

    /// Has a file of that length read into a buffer, which is given back when the last holder lets go.
    func hold<Failure: Error>(
        _ count: Int, read: (inout ByteBuffer) throws(Failure) -> Void
    ) throws(Failure) -> HeldFile {
        var taken = take(count)
        do {
            try read(&taken.bytes)
        } catch {
            give(taken.bytes, memory: taken.memory)
            throw error
        }
        return HeldFile(bytes: taken.bytes, memory: taken.memory, buffers: self)
    }

    private func take(_ count: Int) -> Spare {
        let spare: Spare? = state.withLock { state in
            defer { state.trim(to: total) }
            guard count >= Self.least, let best = state.best(for: count) else {
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
        let capacity = count < Self.least ? count : fileLimit
        return spare ?? Spare(bytes: ByteBufferAllocator().buffer(capacity: capacity), memory: count)
    }

    fileprivate func give(_ bytes: ByteBuffer, memory: Int) {
        state.withLock { state in
            if memory < Self.least {
                state.memory -= memory
            } else {
                state.spares.append(Spare(bytes: bytes, memory: memory))
                state.trim(to: total)
            }
        }
    }
}

/// The bytes of a file, in a buffer that others get after it.
final class HeldFile: Sendable {
    let bytes: ByteBuffer
    private let memory: Int
    private let buffers: HeldFileBuffers

    fileprivate init(bytes: ByteBuffer, memory: Int, buffers: HeldFileBuffers) {
        self.bytes = bytes
        self.memory = memory
        self.buffers = buffers
    }

    deinit { buffers.give(bytes, memory: memory) }
}
