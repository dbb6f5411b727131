import CoreMetrics
import Monitoring
import NIOCore
import ObjectStorage

/// A store whose requests are measured. A streamed object is measured until its first byte can be read.
struct MeasuredObjectStore: ObjectStore {
    /// The operations of a store.
    enum Operation: Int, CaseIterable {
        case get, head, read, put, write, delete, list
    }

    /// The outcomes of a request.
    enum Outcome: Int, CaseIterable {
        case success, missing, conflict, denied, unavailable, failure
    }

    private let store: any ObjectStore
    private let timers: [Timer]
    private let metrics: ServiceMetrics

    init(_ store: any ObjectStore, _ metrics: ServiceMetrics) {
        self.store = store
        self.metrics = metrics
        timers = Operation.allCases.flatMap { operation in
            Outcome.allCases.map { metrics.timer(ServiceMetric.storeRequest, ["\(operation)", "\($0)"]) }
        }
    }

    var isLocal: Bool { store.isLocal }

    func get(_ key: ObjectKey, limit: Int) async throws(ObjectStoreError) -> StoredObject? {
        let start = ContinuousClock.now
        do {
            let found = try await store.get(key, limit: limit)
            record(.get, found == nil ? .missing : .success, since: start)
            return found
        } catch {
            throw recorded(error, .get, since: start)
        }
    }

    func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectInfo? {
        let start = ContinuousClock.now
        do {
            let found = try await store.head(key)
            record(.head, found == nil ? .missing : .success, since: start)
            return found
        } catch {
            throw recorded(error, .head, since: start)
        }
    }

    func read(_ key: ObjectKey, range: ByteRange?) async throws(ObjectStoreError) -> StreamedObject? {
        let start = ContinuousClock.now
        do {
            let found = try await store.read(key, range: range)
            record(.read, found == nil ? .missing : .success, since: start)
            return found
        } catch {
            throw recorded(error, .read, since: start)
        }
    }

    func put(
        _ key: ObjectKey, _ bytes: ByteBuffer, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ETag {
        let start = ContinuousClock.now
        do {
            let tag = try await store.put(key, bytes, if: condition)
            record(.put, .success, since: start)
            return tag
        } catch {
            throw recorded(error, .put, since: start)
        }
    }

    func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ObjectInfo {
        let start = ContinuousClock.now
        do {
            let info = try await store.write(key, body, attributes: attributes, if: condition)
            record(.write, .success, since: start)
            return info
        } catch {
            throw recorded(error, .write, since: start)
        }
    }

    func delete(_ key: ObjectKey, if condition: DeleteCondition) async throws(ObjectStoreError) {
        let start = ContinuousClock.now
        do {
            try await store.delete(key, if: condition)
            record(.delete, .success, since: start)
        } catch {
            throw recorded(error, .delete, since: start)
        }
    }

    func list(prefix: String, after: String?, limit: Int) async throws(ObjectStoreError) -> ObjectPage {
        let start = ContinuousClock.now
        do {
            let page = try await store.list(prefix: prefix, after: after, limit: limit)
            record(.list, .success, since: start)
            return page
        } catch {
            throw recorded(error, .list, since: start)
        }
    }

    private func recorded(
        _ error: ObjectStoreError, _ operation: Operation, since start: ContinuousClock.Instant
    ) -> ObjectStoreError {
        let outcome: Outcome =
            switch error {
            case .preconditionFailed, .conflict: .conflict
            case .denied: .denied
            case .unavailable, .outcomeUnknown: .unavailable
            default: .failure
            }
        if outcome == .conflict { metrics.increment(ServiceMetric.storeConflicts) }
        record(operation, outcome, since: start)
        return error
    }

    private func record(_ operation: Operation, _ outcome: Outcome, since start: ContinuousClock.Instant) {
        timers[operation.rawValue * Outcome.allCases.count + outcome.rawValue].recordNanoseconds(
            (ContinuousClock.now - start).nanoseconds)
    }
}
