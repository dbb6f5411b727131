import CoreMetrics
import Monitoring
import NIOCore
import ObjectStorage
import Traces
import Tracing

/// A store whose requests are measured. A streamed object is measured until its first byte can be read.
package struct MeasuredObjectStore: ObjectStore {
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
    private let tracer: ServiceTracer?

    /// - Parameter tracer: records the requests that belong to a trace.
    package init(_ store: any ObjectStore, _ metrics: ServiceMetrics, _ tracer: ServiceTracer?) {
        self.store = store
        self.tracer = tracer
        self.metrics = metrics
        timers = Operation.allCases.flatMap { operation in
            Outcome.allCases.map { metrics.timer(ServiceMetric.storeRequest, ["\(operation)", "\($0)"]) }
        }
    }

    package var isLocal: Bool { store.isLocal }

    package func get(_ key: ObjectKey, limit: Int) async throws(ObjectStoreError) -> StoredObject? {
        try await find(.get) { () throws(ObjectStoreError) in try await store.get(key, limit: limit) }
    }

    package func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectInfo? {
        try await find(.head) { () throws(ObjectStoreError) in try await store.head(key) }
    }

    package func read(_ key: ObjectKey, range: ByteRange?) async throws(ObjectStoreError) -> StreamedObject? {
        try await find(.read) { () throws(ObjectStoreError) in try await store.read(key, range: range) }
    }

    package func put(
        _ key: ObjectKey, _ bytes: ByteBuffer, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ETag {
        try await perform(.put) { () throws(ObjectStoreError) in try await store.put(key, bytes, if: condition) }
    }

    package func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ObjectInfo {
        try await perform(.write) { () throws(ObjectStoreError) in
            try await store.write(key, body, attributes: attributes, if: condition)
        }
    }

    package func delete(_ key: ObjectKey, if condition: DeleteCondition) async throws(ObjectStoreError) {
        try await perform(.delete) { () throws(ObjectStoreError) in try await store.delete(key, if: condition) }
    }

    package func list(prefix: String, after: String?, limit: Int) async throws(ObjectStoreError) -> ObjectPage {
        try await perform(.list) { () throws(ObjectStoreError) in
            try await store.list(prefix: prefix, after: after, limit: limit)
        }
    }

    /// Performs a request that may find nothing.
    private func find<Found>(
        _ operation: Operation, _ request: () async throws(ObjectStoreError) -> Found?
    ) async throws(ObjectStoreError) -> Found? {
        try await perform(operation, request) { $0 == nil ? .missing : .success }
    }

    private func perform<Value>(
        _ operation: Operation, _ request: () async throws(ObjectStoreError) -> Value,
        outcome: (Value) -> Outcome = { _ in .success }
    ) async throws(ObjectStoreError) -> Value {
        // Without a tracer no closure is passed on: the call is generic in another module.
        guard tracer != nil else { return try await measure(operation, nil, request, outcome) }
        return try await tracer.withSpan("store \(operation)", startsTrace: false) { span throws(ObjectStoreError) in
            try await measure(operation, span, request, outcome)
        }
    }

    private func measure<Value>(
        _ operation: Operation, _ span: TraceSpan?, _ request: () async throws(ObjectStoreError) -> Value,
        _ outcome: (Value) -> Outcome
    ) async throws(ObjectStoreError) -> Value {
        let start = ContinuousClock.now
        do throws(ObjectStoreError) {
            let value = try await request()
            let outcome = outcome(value)
            record(operation, outcome, since: start)
            span?.attributes.set("photolala.outcome", value: .string("\(outcome)"))
            return value
        } catch {
            let outcome = Outcome(error)
            if outcome == .conflict { metrics.increment(ServiceMetric.storeConflicts) }
            record(operation, outcome, since: start)
            span?.fail("\(outcome)")
            throw error
        }
    }

    private func record(_ operation: Operation, _ outcome: Outcome, since start: ContinuousClock.Instant) {
        timers[operation.rawValue * Outcome.allCases.count + outcome.rawValue].recordNanoseconds(
            (ContinuousClock.now - start).nanoseconds)
    }
}

extension MeasuredObjectStore.Outcome {
    fileprivate init(_ error: ObjectStoreError) {
        self =
            switch error {
            case .preconditionFailed, .conflict: .conflict
            case .denied: .denied
            case .unavailable, .outcomeUnknown: .unavailable
            default: .failure
            }
    }
}
