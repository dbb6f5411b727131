import NIOCore
import ObjectStorage
import Synchronization

/// A read-only store with any number of accounts, generated as they are read. It counts its requests.
final class GeneratedAccountStore: ObjectStore {
    /// The requests so far.
    struct Figures: Sendable {
        var requests = 0
        /// The largest number of concurrent requests.
        var maximumInFlight = 0
        /// The largest number of bindings listed but not read when the next page was requested.
        var maximumUnread = 0
        fileprivate var underWay = 0
        fileprivate var waiting = 0
    }

    let count: Int
    private let population: Population
    private let state = Mutex(Figures())
    private let onPage: @Sendable () -> Void

    /// - Parameter onPage: called for each page of a listing.
    init(_ count: Int, of population: Population, onPage: @escaping @Sendable () -> Void = {}) {
        self.count = count
        self.population = population
        self.onPage = onPage
    }

    var figures: Figures { state.withLock { $0 } }

    func get(_ key: ObjectKey, limit: Int) async throws(ObjectStoreError) -> StoredObject? {
        begin()
        defer { end(reading: key.description) }
        // Yields to other tasks, as a request to a real store would.
        await Task.yield()
        guard let bytes = population.object(key.description, count: count) else { return nil }
        return StoredObject(bytes: ByteBuffer(bytes: bytes), etag: ETag("\(bytes.count)"))
    }

    func list(prefix: String, after: String?, limit: Int) async throws(ObjectStoreError) -> ObjectPage {
        begin()
        defer { end(reading: nil) }
        let keys = population.keys(prefix: prefix, after: after, limit: limit + 1, count: count)
        let page = keys.prefix(limit).map { key in
            ListedObject(key: ObjectKey(known: key), etag: ETag("x"), size: 1, lastModified: population.writtenAt)
        }
        if prefix == Population.claims {
            state.withLock { state in
                state.maximumUnread = max(state.maximumUnread, state.waiting)
                state.waiting += page.count
            }
        }
        onPage()
        return ObjectPage(objects: page, isTruncated: keys.count > limit)
    }

    private func begin() {
        state.withLock { state in
            state.requests += 1
            state.underWay += 1
            state.maximumInFlight = max(state.maximumInFlight, state.underWay)
        }
    }

    private func end(reading key: String?) {
        state.withLock { state in
            state.underWay -= 1
            if key?.hasPrefix(Population.claims) == true { state.waiting -= 1 }
        }
    }

    func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectInfo? { throw .denied("get and list only") }

    func read(_ key: ObjectKey, range: ByteRange?) async throws(ObjectStoreError) -> StreamedObject? {
        throw .denied("get and list only")
    }

    func put(
        _ key: ObjectKey, _ bytes: ByteBuffer, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ETag { throw .denied("get and list only") }

    func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ObjectInfo { throw .denied("get and list only") }

    func delete(_ key: ObjectKey, if condition: DeleteCondition) async throws(ObjectStoreError) {
        throw .denied("get and list only")
    }
}
