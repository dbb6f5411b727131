import Foundation
import NIOCore
import ObjectStorage
import Synchronization
import Testing

/// Two reads at once, which only a store behind a network needs.
@Suite struct LocalStoreTests {
    @Test("a local store performs one operation after the other, in order")
    func local() async throws {
        let events = Mutex<[String]>([])
        let result = try await LocalStore().both(
            {
                events.withLock { $0.append("first begins") }
                await Task.yield()
                events.withLock { $0.append("first ends") }
                return 1
            },
            {
                events.withLock { $0.append("second") }
                return "a"
            })
        #expect(result == (1, "a"))
        #expect(events.withLock { $0 } == ["first begins", "first ends", "second"])
    }

    @Test("other stores perform both at once")
    func remote() async throws {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let result = try await MemoryObjectStore(now: { Date(timeIntervalSince1970: 1) }).both(
            {
                // Ends only after the second has begun.
                for await _ in arrivals { break }
                return 1
            },
            {
                arrival.yield()
                return 2
            })
        #expect(result == (1, 2))
    }

    @Test("the error of either operation is thrown")
    func errors() async {
        for store: any ObjectStore in [LocalStore(), MemoryObjectStore(now: { Date(timeIntervalSince1970: 1) })] {
            await #expect(throws: ObjectStoreError.conflict) {
                try await store.both({ 1 }, { () async throws -> Int in throw ObjectStoreError.conflict })
            }
            await #expect(throws: ObjectStoreError.conflict) {
                try await store.both({ () async throws -> Int in throw ObjectStoreError.conflict }, { 1 })
            }
        }
    }
}

/// Stores nothing, at once.
private struct LocalStore: ObjectStore {
    let isLocal = true

    func get(_ key: ObjectKey, limit: Int) async throws(ObjectStoreError) -> StoredObject? { nil }
    func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectInfo? { nil }
    func read(_ key: ObjectKey, range: ByteRange?) async throws(ObjectStoreError) -> StreamedObject? { nil }
    func put(_ key: ObjectKey, _ bytes: ByteBuffer, if condition: PutCondition) async throws(ObjectStoreError) -> ETag {
        throw .conflict
    }
    func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ObjectInfo { throw .conflict }
    func delete(_ key: ObjectKey, if condition: DeleteCondition) async throws(ObjectStoreError) {}
    func list(prefix: String, after: String?, limit: Int) async throws(ObjectStoreError) -> ObjectPage {
        ObjectPage(objects: [], isTruncated: false)
    }
}
