import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import Secrets
import Synchronization

/// A reader of stored photos' and videos' metadata. It fetches only the bytes that contain dates: the beginning, and
/// further pieces of videos. Unchanged files in folders of this device are read instead.
final class StoredMedia: Sendable {
    /// The number of bytes that are read of a picture if the first ones contain no date.
    private static let longHeadLength: Int64 = 1 << 20
    /// The number of bytes that are read of a video at each position that its structure refers to.
    private static let pieceLength: Int64 = 64 << 10
    /// The maximum number of requests for one file.
    static let mostRequests = 16
    private static let attempts = 3
    /// The maximum number of cached readings; files are read again as neighbors of others.
    private static let cacheLimit = 512

    private let store: any ObjectStore
    private let user: UserID
    private let copies: LocalCopies
    private let pause: Backoff
    private let headLength: Int64
    private let cachedReadings = Mutex<[ContentDigest: MediaReading]>([:])

    /// - Parameter headLength: The number of bytes that are read first of each file.
    init(
        store: any ObjectStore, user: UserID, copies: LocalCopies, headLength: Int64 = 256 << 10, pause: Backoff
    ) {
        (self.store, self.user, self.copies, self.pause) = (store, user, copies, pause)
        self.headLength = headLength
    }

    /// Returns the metadata of a photo or video.
    /// - Throws: `RestoreFailure` if it is not stored, has another length, is archived or could not be read.
    func reading(of entry: CatalogEntry) async throws(RestoreFailure) -> MediaReading {
        if let known = cachedReadings.withLock({ $0[entry.md5] }) { return known }
        let reading: MediaReading
        if let local = await copies.reading(of: entry) {
            reading = local
        } else {
            reading = try await readStored(entry)
        }
        cachedReadings.withLock { known in
            if known.count >= Self.cacheLimit { known.removeAll(keepingCapacity: true) }
            known[entry.md5] = reading
        }
        return reading
    }

    /// Returns the bytes of a sidecar; `nil` if it is longer than the limit, empty or damaged.
    func bytes(of entry: CatalogEntry, limit: Int) async throws(RestoreFailure) -> ByteBuffer? {
        guard entry.size <= Int64(limit), entry.size > 0 else { return nil }
        let bytes = try await piece(of: entry, 0..<entry.size)
        return ContentDigest(of: bytes) == entry.md5 ? bytes : nil
    }

    private func readStored(_ entry: CatalogEntry) async throws(RestoreFailure) -> MediaReading {
        guard entry.size > 0 else { return MediaReading() }
        var head = try await piece(of: entry, 0..<min(entry.size, headLength))
        if entry.type.isVideo { return try await readVideo(entry, head: head) }
        let reading = MediaReading(head: head, type: entry.type)
        guard reading.clues.dates.isEmpty, entry.size > headLength else { return reading }
        var more = try await piece(of: entry, headLength..<min(entry.size, Self.longHeadLength))
        head.writeBuffer(&more)
        return MediaReading(head: head, type: entry.type)
    }

    /// Reads a video's structure. Each attempt ends at the first position that was not fetched yet.
    private func readVideo(_ entry: CatalogEntry, head: ByteBuffer) async throws(RestoreFailure) -> MediaReading {
        var pieces: [Int64: ByteBuffer] = [:]
        for request in 1...Self.mostRequests {
            var missing: Int64?
            let bytes = MediaBytes(head: head, size: entry.size) { offset, count in
                let piece = pieces.first {
                    $0.key <= offset && offset - $0.key <= Int64($0.value.readableBytes - count)
                }
                if piece == nil, missing == nil { missing = offset }
                return piece.flatMap {
                    $0.value.getSlice(at: $0.value.readerIndex + Int(offset - $0.key), length: count)
                }
            }
            let reading = MediaReading(bytes, type: entry.type)
            guard let missing, request < Self.mostRequests else { return reading }
            pieces[missing] = try await piece(of: entry, missing..<min(entry.size, missing + Self.pieceLength))
        }
        return MediaReading(head: head, type: entry.type)
    }

    private func piece(of entry: CatalogEntry, _ range: Range<Int64>) async throws(RestoreFailure) -> ByteBuffer {
        let key = ObjectKey(known: StorageLayout.photo(user, md5: entry.md5.description))
        let wanted = ByteRange.closed(first: range.lowerBound, last: range.upperBound - 1)
        var attempt = 1
        while true {
            let found: (size: Int64, bytes: ByteBuffer)?
            do throws(ObjectStoreError) { found = try await read(key, wanted, count: range.count) } catch {
                guard error.isTransient, attempt < Self.attempts, !Task.isCancelled else {
                    throw RestoreFailure(reading: error)
                }
                await pause.wait(attempt: attempt)
                attempt += 1
                continue
            }
            guard let found else { throw .notStored }
            guard found.size == entry.size else { throw .contentMismatch }
            return found.bytes
        }
    }

    private func read(
        _ key: ObjectKey, _ range: ByteRange, count: Int
    ) async throws(ObjectStoreError) -> (size: Int64, bytes: ByteBuffer)? {
        guard let reading = try await store.read(key, range: range) else { return nil }
        return (reading.info.size, try await reading.body.bytes(upTo: count))
    }
}

extension ObjectBody {
    /// Returns the first bytes of a body that is no longer than requested.
    fileprivate func bytes(upTo count: Int) async throws(ObjectStoreError) -> ByteBuffer {
        var bytes = ByteBuffer()
        do {
            for try await var piece in self where bytes.readableBytes < count { bytes.writeBuffer(&piece) }
        } catch let error as ObjectStoreError {
            throw error
        } catch {
            throw .unavailable("\(error)")
        }
        return bytes
    }
}
