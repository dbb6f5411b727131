import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Secrets
import Synchronization

/// A memory store that can be told to fail and that counts what it is asked.
final class FakeStore: ObjectStore {
    typealias Fault = @Sendable (_ verb: String, _ key: String) async -> ObjectStoreError?

    let memory: MemoryObjectStore
    private let fault: Fault
    /// The key whose bytes went bad without the store knowing, until they are written again.
    let rotten = Mutex<String?>(nil)
    private let calls = Mutex<[String]>([])

    /// Each write is a second later than the one before.
    init(fault: @escaping Fault = { _, _ in nil }) {
        self.fault = fault
        let seconds = Mutex(1_700_000_000.0)
        memory = MemoryObjectStore(
            now: {
                seconds.withLock {
                    $0 += 1; return Date(timeIntervalSince1970: $0)
                }
            }
        )
    }

    /// The calls so far, as `verb key`.
    var log: [String] { calls.withLock { $0 } }

    func count(_ verb: String, _ prefix: String = "") -> Int { log.count { $0.hasPrefix("\(verb) \(prefix)") } }

    func forget() { calls.withLock { $0 = [] } }

    private func note(_ verb: String, _ key: String) async throws(ObjectStoreError) {
        calls.withLock { $0.append("\(verb) \(key)") }
        if let error = await fault(verb, key) { throw error }
    }

    func get(_ key: ObjectKey, limit: Int) async throws(ObjectStoreError) -> StoredObject? {
        try await note("get", key.description)
        return try await memory.get(key, limit: limit)
    }

    func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectInfo? {
        try await note("head", key.description)
        return try await memory.head(key)
    }

    func read(_ key: ObjectKey, range: ByteRange?) async throws(ObjectStoreError) -> ObjectReading? {
        try await note("read", key.description)
        guard let reading = try await memory.read(key, range: range) else { return nil }
        guard rotten.withLock({ $0 == key.description }) else { return reading }
        let zeros = ByteBuffer(repeating: 0, count: reading.offsets.count)
        return ObjectReading(info: reading.info, offsets: reading.offsets, body: ObjectBody(zeros))
    }

    @discardableResult
    func put(
        _ key: ObjectKey, _ bytes: ByteBuffer, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ETag {
        try await note("put", key.description)
        return try await memory.put(key, bytes, if: condition)
    }

    func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ObjectInfo {
        try await note("write", key.description)
        rotten.withLock { if $0 == key.description { $0 = nil } }
        return try await memory.write(key, body, attributes: attributes, if: condition)
    }

    func delete(_ key: ObjectKey, if condition: DeleteCondition) async throws(ObjectStoreError) {
        try await note("delete", key.description)
        try await memory.delete(key, if: condition)
    }

    func list(prefix: String, after: String?, limit: Int) async throws(ObjectStoreError) -> ObjectPage {
        try await note("list", prefix)
        return try await memory.list(prefix: prefix, after: after, limit: limit)
    }
}

extension Backoff {
    /// Waits not at all.
    static let none = Backoff(randomness: Randomness { [UInt8](repeating: 0, count: $0) }, sleep: { _ in })
}

extension UserID {
    static let bob = UserID(uuid: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
}
