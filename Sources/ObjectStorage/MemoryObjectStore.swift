import Crypto
import Foundation
import NIOCore
import Secrets
import Synchronization

/// A store in memory, for tests and for trying things out. It keeps every promise but durability.
package final class MemoryObjectStore: ObjectStore {
    private struct Entry {
        let bytes: ByteBuffer
        let info: ObjectInfo
    }

    private let entries = Mutex<[ObjectKey: Entry]>([:])
    private let now: @Sendable () -> Date

    package init(now: @escaping @Sendable () -> Date) { self.now = now }

    /// A store of its own that begins with what this one holds.
    package func copy(now: @escaping @Sendable () -> Date) -> MemoryObjectStore {
        let copy = MemoryObjectStore(now: now)
        let held = entries.withLock { $0 }
        copy.entries.withLock { $0 = held }
        return copy
    }

    package func get(_ key: ObjectKey, limit: Int) async throws(ObjectStoreError) -> StoredObject? {
        guard let entry = entries.withLock({ $0[key] }) else { return nil }
        guard entry.bytes.readableBytes <= limit else { throw .tooLarge(limit: limit) }
        return StoredObject(bytes: entry.bytes, etag: entry.info.etag)
    }

    package func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectInfo? {
        entries.withLock { $0[key]?.info }
    }

    package func read(_ key: ObjectKey, range: ByteRange?) async throws(ObjectStoreError) -> ObjectReading? {
        guard let entry = entries.withLock({ $0[key] }) else { return nil }
        guard let offsets = ByteRange.resolve(range, size: entry.info.size) else {
            throw .rangeNotSatisfiable(size: entry.info.size)
        }
        let start = entry.bytes.readerIndex + Int(offsets.lowerBound)
        guard let slice = entry.bytes.getSlice(at: start, length: offsets.count) else {
            throw .corrupted(key.description)
        }
        return ObjectReading(info: entry.info, offsets: offsets, body: ObjectBody(slice))
    }

    package func put(
        _ key: ObjectKey, _ bytes: ByteBuffer, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ETag {
        try replace(key, bytes, attributes: [:], if: condition).etag
    }

    package func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ObjectInfo {
        var collected = ByteBuffer()
        do {
            for try await var chunk in body { collected.writeBuffer(&chunk) }
        } catch let error as ObjectStoreError {
            throw error
        } catch {
            throw .bodyFailed("\(error)")
        }
        guard Int64(collected.readableBytes) == body.size else { throw .bodyFailed("another length than declared") }
        return try replace(key, collected, attributes: attributes, if: condition)
    }

    package func delete(_ key: ObjectKey, if condition: DeleteCondition) async throws(ObjectStoreError) {
        try entries.withLock { entries throws(ObjectStoreError) in
            if case .matches(let etag) = condition, entries[key]?.info.etag != etag { throw .preconditionFailed }
            entries[key] = nil
        }
    }

    package func list(
        prefix: String, after: String?, limit: Int
    ) async throws(ObjectStoreError) -> ObjectPage {
        let matching = entries.withLock { entries in
            entries.filter { key, _ in
                key.description.utf8.starts(with: prefix.utf8)
                    && (after.map { $0.utf8.lexicographicallyPrecedes(key.description.utf8) } ?? true)
            }
        }
        let page = matching.sorted { $0.key < $1.key }.prefix(limit).map { key, entry in
            ListedObject(key: key, etag: entry.info.etag, size: entry.info.size, lastModified: entry.info.lastModified)
        }
        return ObjectPage(objects: page, isTruncated: matching.count > page.count)
    }

    private func replace(
        _ key: ObjectKey, _ bytes: ByteBuffer, attributes: ObjectAttributes, if condition: PutCondition
    ) throws(ObjectStoreError) -> ObjectInfo {
        var hasher = Insecure.MD5()
        bytes.withUnsafeReadableBytes { hasher.update(bufferPointer: $0) }
        let info = ObjectInfo(
            etag: ETag(Hex.encode(hasher.finalize())), size: Int64(bytes.readableBytes),
            lastModified: now(), attributes: attributes
        )
        try entries.withLock { entries throws(ObjectStoreError) in
            switch condition {
            case .always: break
            case .absent: if entries[key] != nil { throw .preconditionFailed }
            case .matches(let etag): if entries[key]?.info.etag != etag { throw .preconditionFailed }
            }
            entries[key] = Entry(bytes: bytes, info: info)
        }
        return info
    }
}
