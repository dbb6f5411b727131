import Crypto
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI

/// A file being downloaded, with the state of its hash. It is kept across the attempts of one step, so that hashed
/// bytes are not read again.
struct IncomingFile: Sendable {
    let part: PartialFile
    var hasher = Insecure.MD5()
    private(set) var length: Int64 = 0
    /// Whether the part contains only hashed bytes.
    fileprivate(set) var isResumed: Bool

    init(part: PartialFile, isResumed: Bool = false) {
        self.part = part
        self.isResumed = isResumed
    }

    /// The number of bytes that another attempt can resume from; until the bytes found on disk are read again, all of
    /// them count.
    var usableLength: Int64 { isResumed ? length : part.foundLength }

    mutating func append(_ bytes: ByteBuffer) {
        hasher.update(bytes)
        length += Int64(bytes.readableBytes)
    }
}

extension RestoreStep {
    /// Downloads the file, resuming where an earlier attempt ended.
    func download(_ incoming: inout IncomingFile) async throws(RestoreFailure) {
        try await resume(&incoming)
        let begun = incoming.length
        try await receive(&incoming)
        if ContentDigest(incoming.hasher.finalize()) == entry.md5 { return }
        // The damage may be in the bytes found on disk, and not in the stored object.
        guard begun > 0 else { throw .contentMismatch }
        try await restart(&incoming)
        try await receive(&incoming)
        guard ContentDigest(incoming.hasher.finalize()) == entry.md5 else { throw .contentMismatch }
    }

    /// Reads the bytes that an earlier run left, if there are enough of them.
    private func resume(_ incoming: inout IncomingFile) async throws(RestoreFailure) {
        guard !incoming.isResumed else { return }
        let (part, left) = (incoming.part, incoming.part.foundLength)
        guard left >= restore.settings.resumableBytes, left <= entry.size else { return try await restart(&incoming) }
        while incoming.length < left {
            let (offset, count) = (incoming.length, Int(min(Int64(Self.pieceLength), left - incoming.length)))
            let bytes = try await files { () throws(FileError) in try part.read(from: offset, count: count) }
            guard bytes.readableBytes > 0 else { break }
            incoming.append(bytes)
            report(.received(entry.path, bytes: incoming.length, of: entry.size))
        }
        let length = incoming.length
        try await files { () throws(FileError) in try part.truncate(at: length) }
        incoming.isResumed = true
    }

    /// Discards the existing bytes and starts over.
    private func restart(_ incoming: inout IncomingFile) async throws(RestoreFailure) {
        let part = incoming.part
        incoming = IncomingFile(part: part, isResumed: true)
        try await files { () throws(FileError) in try part.truncate(at: 0) }
    }

    /// Writes the bytes as they arrive. Never writes more than the entry's size.
    private func receive(_ incoming: inout IncomingFile) async throws(RestoreFailure) {
        guard let body = try await body(from: incoming.length) else { return }
        var buffer = ByteBuffer()
        var received = incoming.length
        do {
            for try await var chunk in body {
                received += Int64(chunk.readableBytes)
                guard received <= entry.size else { throw RestoreFailure.contentMismatch }
                buffer.writeBuffer(&chunk)
                guard buffer.readableBytes >= Self.pieceLength else { continue }
                try await append(buffer, to: &incoming)
                buffer.clear()
                report(.received(entry.path, bytes: received, of: entry.size))
            }
        } catch let error as RestoreFailure {
            throw error
        } catch let error as ObjectStoreError {
            throw RestoreFailure(reading: error)
        } catch {
            throw .store(.unavailable("\(error)"))
        }
        try await append(buffer, to: &incoming)
    }

    /// Returns the bytes from an offset on; `nil` if none are missing.
    private func body(from offset: Int64) async throws(RestoreFailure) -> ObjectBody? {
        if offset == entry.size, offset > 0 { return nil }
        let key = ObjectKey(known: StorageLayout.photo(restore.user, md5: entry.md5.description))
        let reading: StreamedObject?
        do {
            reading = try await restore.store.read(key, range: offset > 0 ? .from(offset) : nil)
        } catch {
            if case .rangeNotSatisfiable = error { throw .contentMismatch }
            throw RestoreFailure(reading: error)
        }
        guard let reading else { throw .notStored }
        guard reading.info.size == entry.size, reading.offsets.lowerBound == offset else { throw .contentMismatch }
        return reading.body
    }

    private func append(_ bytes: ByteBuffer, to incoming: inout IncomingFile) async throws(RestoreFailure) {
        let before = incoming
        incoming = try await files { () throws(FileError) in
            var after = before
            after.append(bytes)
            try after.part.append(bytes)
            return after
        }
    }
}
