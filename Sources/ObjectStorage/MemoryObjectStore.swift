import Crypto
import Foundation
import NIOCore
import Secrets
import Synchronization

/// An in-memory store for tests and experiments. It fulfils every guarantee of `ObjectStore` except durability.
package final class MemoryObjectStore: MeteredObjectStore, DatedDeletion {
    private struct Entry {
        let bytes: ByteBuffer
        let info: ObjectInfo
    }

    private struct Contents {
        var entries: [ObjectKey: Entry] = [:]
        /// The sorted keys, because simulations make thousands of listings.
        var keys: [ObjectKey] = []
        /// The totals below the prefixes that were requested once, because tests of quotas write thousands of objects.
        private var totals: [ObjectKey: ObjectTotals] = [:]

        /// Returns the totals of the objects whose keys have the prefix, which ends in a slash.
        mutating func totals(below prefix: String) -> ObjectTotals {
            let key = ObjectKey(known: prefix)
            if let known = totals[key] { return known }
            let sum = sum(below: prefix)
            totals[key] = sum
            return sum
        }

        /// Returns the same, object by object.
        func sum(below prefix: String) -> ObjectTotals {
            let start = firstIndex { $0 >= ObjectKey(known: prefix) }
            return keys[start...].prefix { $0.hasPrefix(prefix) }.reduce(into: .init()) {
                $0.bytes += charge(of: $1) ?? 0
                $0.objects += 1
            }
        }

        func charge(of key: ObjectKey) -> Int64? {
            entries[key].map { StorageCharge.bytes(of: key, size: $0.info.size, attributes: $0.info.attributes) }
        }

        mutating func set(_ entry: Entry, at key: ObjectKey) {
            count(-1, at: key)
            let isNew = entries.updateValue(entry, forKey: key) == nil
            count(1, at: key)
            if isNew { keys.insert(key, at: firstIndex { $0 >= key }) }
        }

        mutating func remove(_ key: ObjectKey) {
            count(-1, at: key)
            guard entries.removeValue(forKey: key) != nil else { return }
            keys.remove(at: firstIndex { $0 >= key })
        }

        /// Adds the object at a key to the totals below its prefixes, or with the sign -1 removes it from them.
        private mutating func count(_ sign: Int64, at key: ObjectKey) {
            guard !totals.isEmpty, let charge = charge(of: key) else { return }
            let text = key.description
            for slash in text.utf8.indices where text.utf8[slash] == UInt8(ascii: "/") {
                let prefix = ObjectKey(known: String(text[...slash]))
                totals[prefix]?.bytes += sign * charge
                totals[prefix]?.objects += sign
            }
        }

        /// Returns the index of the first key that satisfies a predicate that all later keys satisfy too.
        func firstIndex(from start: Int = 0, where isTrue: (ObjectKey) -> Bool) -> Int {
            var (low, high) = (start, keys.count)
            while low < high {
                let middle = (low + high) / 2
                if isTrue(keys[middle]) { high = middle } else { low = middle + 1 }
            }
            return low
        }
    }

    private let contents = Mutex(Contents())
    private let now: @Sendable () -> Date

    package init(now: @escaping @Sendable () -> Date) { self.now = now }

    /// Creates an independent store with the current contents of this one.
    package func copy(now: @escaping @Sendable () -> Date) -> MemoryObjectStore {
        let copy = MemoryObjectStore(now: now)
        let copied = contents.withLock { $0 }
        copy.contents.withLock { $0 = copied }
        return copy
    }

    package func get(_ key: ObjectKey, limit: Int) async throws(ObjectStoreError) -> StoredObject? {
        guard let entry = contents.withLock({ $0.entries[key] }) else { return nil }
        guard entry.bytes.readableBytes <= limit else { throw .tooLarge(limit: limit) }
        return StoredObject(bytes: entry.bytes, etag: entry.info.etag)
    }

    package func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectInfo? {
        contents.withLock { $0.entries[key]?.info }
    }

    package func read(_ key: ObjectKey, range: ByteRange?) async throws(ObjectStoreError) -> StreamedObject? {
        guard let entry = contents.withLock({ $0.entries[key] }) else { return nil }
        guard let offsets = ByteRange.resolve(range, size: entry.info.size) else {
            throw .rangeNotSatisfiable(size: entry.info.size)
        }
        let start = entry.bytes.readerIndex + Int(offsets.lowerBound)
        guard let slice = entry.bytes.getSlice(at: start, length: offsets.count) else {
            throw .corrupted(key.description)
        }
        return StreamedObject(info: entry.info, offsets: offsets, body: ObjectBody(slice))
    }

    package func put(
        _ key: ObjectKey, _ bytes: ByteBuffer, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ETag {
        try replace(key, bytes, attributes: [:], if: condition).etag
    }

    package func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ObjectInfo {
        try await write(key, body, attributes: attributes, if: condition, quota: nil) { [:] }
    }

    package func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition,
        within quota: StorageQuota, adding late: @Sendable () -> ObjectAttributes
    ) async throws(ObjectStoreError) -> ObjectInfo {
        try await write(key, body, attributes: attributes, if: condition, quota: quota, adding: late)
    }

    package func totals(below prefixes: [String]) async throws(ObjectStoreError) -> [String: ObjectTotals] {
        contents.withLock { contents in
            prefixes.reduce(into: [:]) { totals, prefix in
                let total = contents.totals(below: prefix)
                if total.objects > 0 { totals[prefix] = total }
            }
        }
    }

    private func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition,
        quota: StorageQuota?, adding late: @Sendable () -> ObjectAttributes
    ) async throws(ObjectStoreError) -> ObjectInfo {
        var collected = ByteBuffer()
        do {
            for try await var chunk in body { collected.writeBuffer(&chunk) }
        } catch let error as ObjectStoreError {
            throw error
        } catch {
            throw .bodyFailed("\(error)")
        }
        guard Int64(collected.readableBytes) == body.size else { throw .bodyFailed("body length mismatch") }
        let all = attributes.merging(late()) { $1 }
        return try replace(key, collected, attributes: all, if: condition, within: quota)
    }

    package func delete(_ key: ObjectKey, if condition: DeleteCondition) async throws(ObjectStoreError) {
        try contents.withLock { contents throws(ObjectStoreError) in
            let found = contents.entries[key]?.info.etag
            if case .matches(let etag) = condition, found != etag { throw .preconditionFailed }
            contents.remove(key)
        }
    }

    package func delete(_ key: ObjectKey, before deadline: Date) async throws(ObjectStoreError) {
        guard now() < deadline else { throw .unavailable("deadline exceeded") }
        try await delete(key, if: .always)
    }

    package func list(
        prefix: String, after: String?, limit: Int
    ) async throws(ObjectStoreError) -> ObjectPage {
        let (first, last) = (ObjectKey(known: prefix), after.map { ObjectKey(known: $0) })
        return contents.withLock { contents in
            let start = contents.firstIndex { key in key >= first && last.map { $0 < key } ?? true }
            let end = contents.firstIndex(from: start) { !$0.hasPrefix(prefix) }
            let page = contents.keys[start..<end].prefix(limit).compactMap { key in
                contents.entries[key].map { entry in
                    ListedObject(
                        key: key, etag: entry.info.etag, size: entry.info.size, lastModified: entry.info.lastModified
                    )
                }
            }
            return ObjectPage(objects: page, isTruncated: end - start > page.count)
        }
    }

    private func replace(
        _ key: ObjectKey, _ bytes: ByteBuffer, attributes: ObjectAttributes, if condition: PutCondition,
        within quota: StorageQuota? = nil
    ) throws(ObjectStoreError) -> ObjectInfo {
        var hasher = Insecure.MD5()
        bytes.withUnsafeReadableBytes { hasher.update(bufferPointer: $0) }
        let md5 = Hex.encode(hasher.finalize())
        try DeclaredMD5(attributes)?.verify(md5)
        let info = ObjectInfo(
            etag: ETag(md5), size: Int64(bytes.readableBytes), lastModified: now(),
            attributes: attributes.withoutDeclaredDigest
        )
        try contents.withLock { contents throws(ObjectStoreError) in
            let found = contents.entries[key]?.info.etag
            switch condition {
            case .always: break
            case .absent: if found != nil { throw .preconditionFailed }
            case .matches(let etag): if found != etag { throw .preconditionFailed }
            }
            let charge = StorageCharge.bytes(of: key, size: info.size, attributes: info.attributes)
            let isAllowed = quota?.allows(
                charge, replacing: contents.charge(of: key), totals: { contents.totals(below: $0) },
                sum: { contents.sum(below: $0).bytes })
            guard isAllowed ?? true else { throw .quotaExceeded }
            contents.set(Entry(bytes: bytes, info: info), at: key)
        }
        return info
    }
}
