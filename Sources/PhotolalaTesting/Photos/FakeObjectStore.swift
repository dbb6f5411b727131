import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Synchronization

/// A memory store that injects failures and records its calls.
package final class FakeObjectStore: ObjectStore, DatedDeletion {
    package typealias Fault = @Sendable (_ verb: String, _ key: String) async -> ObjectStoreError?

    package let memory: MemoryObjectStore
    /// The target of requests: the memory store, or another store in front of it.
    private let target: any ObjectStore
    private let fault: Fault
    /// The key of an object that is silently damaged until it is written again.
    package let corruptedKey = Mutex<String?>(nil)
    /// The number of bytes after which reads of photos fail.
    package let cut = Mutex<Int?>(nil)
    /// The start offsets of all reads of photos.
    package let offsets = Mutex<[Int64]>([])
    private let calls = Mutex<[String]>([])

    /// Creates a store whose clock advances by one second at each write.
    package init(fault: @escaping Fault = { _, _ in nil }) {
        self.fault = fault
        let seconds = Mutex(1_700_000_000.0)
        memory = MemoryObjectStore(
            now: {
                seconds.withLock {
                    $0 += 1; return Date(timeIntervalSince1970: $0)
                }
            }
        )
        target = memory
    }

    /// Creates a store on the contents of another one.
    package init(_ memory: MemoryObjectStore, through target: (any ObjectStore)? = nil) {
        self.memory = memory
        self.target = target ?? memory
        fault = { _, _ in nil }
    }

    /// The calls so far, each as `verb key`.
    package var log: [String] { calls.withLock { $0 } }

    package func count(_ verb: String, _ prefix: String = "") -> Int { log.count { $0.hasPrefix("\(verb) \(prefix)") } }

    package func clearLog() { calls.withLock { $0 = [] } }

    private func record(_ verb: String, _ key: String) async throws(ObjectStoreError) {
        calls.withLock { $0.append("\(verb) \(key)") }
        if let error = await fault(verb, key) { throw error }
    }

    package func get(_ key: ObjectKey, limit: Int) async throws(ObjectStoreError) -> StoredObject? {
        try await record("get", key.description)
        return try await target.get(key, limit: limit)
    }

    package func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectInfo? {
        try await record("head", key.description)
        return try await target.head(key)
    }

    package func read(_ key: ObjectKey, range: ByteRange?) async throws(ObjectStoreError) -> StreamedObject? {
        try await record("read", key.description)
        guard let reading = try await target.read(key, range: range) else { return nil }
        if key.description.hasPrefix("photos/") {
            offsets.withLock { $0.append(reading.offsets.lowerBound) }
            if let length = cut.withLock({ $0 }), length < reading.offsets.count {
                let whole = try await memory.get(key, limit: 1 << 30)?.bytes ?? ByteBuffer()
                let piece = whole.getSlice(at: Int(reading.offsets.lowerBound), length: length) ?? ByteBuffer()
                let chunks = AsyncThrowingStream<ByteBuffer, any Error> { continuation in
                    continuation.yield(piece)
                    continuation.finish(throwing: ObjectStoreError.outcomeUnknown("cut"))
                }
                let body = ObjectBody(size: Int64(reading.offsets.count), chunks: chunks)
                return StreamedObject(info: reading.info, offsets: reading.offsets, body: body)
            }
        }
        guard corruptedKey.withLock({ $0 == key.description }) else { return reading }
        let zeros = ByteBuffer(repeating: 0, count: reading.offsets.count)
        return StreamedObject(info: reading.info, offsets: reading.offsets, body: ObjectBody(zeros))
    }

    @discardableResult
    package func put(
        _ key: ObjectKey, _ bytes: ByteBuffer, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ETag {
        try await record("put", key.description)
        return try await target.put(key, bytes, if: condition)
    }

    package func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ObjectInfo {
        try await record("write", key.description)
        corruptedKey.withLock { if $0 == key.description { $0 = nil } }
        return try await target.write(key, body, attributes: attributes, if: condition)
    }

    package func delete(_ key: ObjectKey, if condition: DeleteCondition) async throws(ObjectStoreError) {
        try await record("delete", key.description)
        try await target.delete(key, if: condition)
    }

    package func delete(_ key: ObjectKey, before deadline: Date) async throws(ObjectStoreError) {
        try await record("delete", key.description)
        guard let target = target as? any DatedDeletion else { throw .denied("no deletion with a date") }
        try await target.delete(key, before: deadline)
    }

    package func list(prefix: String, after: String?, limit: Int) async throws(ObjectStoreError) -> ObjectPage {
        try await record("list", prefix)
        return try await target.list(prefix: prefix, after: after, limit: limit)
    }
}
