import Foundation
import NIOCore
import ObjectStorage
import Synchronization

/// A store that fails at one chosen request, so that a test can cover every request of an operation.
package final class FaultyObjectStore: ObjectStore, DatedDeletion {
    /// The failure at the chosen request.
    package enum Fault: String, Sendable, CaseIterable {
        /// Another operation holds the key; nothing is done. Reads report `unavailable`.
        case conflict
        /// Nothing is done.
        case unavailable
        /// The response is lost; nothing was done.
        case lostBefore
        /// The response is lost; the change was done.
        case lostAfter
        /// The response is lost; the change is done after further requests, or when the test calls `settle`.
        case lostAndLate
        /// The change was done, and the response is that of a repeated request whose condition failed. Reads report
        /// `unavailable`.
        case refusedAfter
        /// The process ends before the request: this request and all later ones are not done.
        case stopBefore
        /// The process ends after the request: this request is done, and no later one.
        case stopAfter
    }

    /// The request that the fault affected.
    package enum FaultedRequest: Sendable {
        /// The operation ended before the chosen request.
        case nothing
        case read
        case change
    }

    private struct State {
        var fault: Fault?
        /// The number of requests before the chosen one.
        var remaining = 0
        var lateness = 0
        var isStopped = false
        var faultedRequest = FaultedRequest.nothing
        /// The delayed change, and the number of requests until it is applied.
        var late: (remaining: Int, arrive: @Sendable () async -> Void)?
    }

    private let store: any ObjectStore
    private let state = Mutex(State())

    package init(_ store: any ObjectStore) { self.store = store }

    /// Makes one of the following requests fail.
    /// - Parameters:
    ///   - call: The index of the request, counted from 0.
    ///   - lateness: The number of requests before a delayed change is applied.
    package func arm(_ fault: Fault, at call: Int, lateness: Int = 2) {
        state.withLock { $0 = State(fault: fault, remaining: call, lateness: lateness) }
    }

    /// The request that the fault has affected so far.
    package var faultedRequest: FaultedRequest { state.withLock { $0.faultedRequest } }

    /// Returns the fault for this request: it is the chosen one or follows the end of the process.
    private func next(_ kind: FaultedRequest) throws(ObjectStoreError) -> Fault? {
        let met: Fault? = state.withLock { state in
            if state.isStopped { return .stopBefore }
            guard let fault = state.fault else { return nil }
            guard state.remaining == 0 else {
                state.remaining -= 1
                return nil
            }
            state.faultedRequest = kind
            state.fault = nil
            state.isStopped = fault == .stopBefore || fault == .stopAfter
            return fault
        }
        switch met {
        case .stopBefore: throw .unavailable("stopped")
        case .unavailable: throw .unavailable("at this request")
        default: return met
        }
    }

    /// Applies a delayed change.
    package func applyLateChange() async {
        let late = state.withLock { state in
            defer { state.late = nil }
            return state.late
        }
        await late?.arrive()
    }

    private func applyDueChange() async {
        let isDue = state.withLock { state in
            guard let late = state.late else { return false }
            state.late?.remaining = late.remaining - 1
            return late.remaining == 0
        }
        if isDue { await applyLateChange() }
    }

    private func read<Value>(
        _ request: () async throws(ObjectStoreError) -> Value
    ) async throws(ObjectStoreError) -> Value {
        await applyDueChange()
        switch try next(.read) {
        case nil: return try await request()
        case .stopAfter:
            _ = try await request()
            throw .unavailable("stopped")
        default: throw .unavailable("at this request")
        }
    }

    private func change<Value>(
        _ request: @escaping @Sendable () async throws(ObjectStoreError) -> Value
    ) async throws(ObjectStoreError) -> Value {
        await applyDueChange()
        switch try next(.change) {
        case nil: return try await request()
        case .conflict: throw .conflict
        case .lostBefore: throw .outcomeUnknown("at this request")
        case .lostAndLate:
            state.withLock { $0.late = ($0.lateness, { _ = try? await request() }) }
            throw .outcomeUnknown("at this request")
        case .refusedAfter:
            _ = try await request()
            throw .preconditionFailed
        default:
            _ = try await request()
            throw .outcomeUnknown("at this request")
        }
    }

    package func get(_ key: ObjectKey, limit: Int) async throws(ObjectStoreError) -> StoredObject? {
        try await read { () throws(ObjectStoreError) in try await store.get(key, limit: limit) }
    }

    package func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectInfo? {
        try await read { () throws(ObjectStoreError) in try await store.head(key) }
    }

    package func read(_ key: ObjectKey, range: ByteRange?) async throws(ObjectStoreError) -> StreamedObject? {
        try await read { () throws(ObjectStoreError) in try await store.read(key, range: range) }
    }

    package func put(
        _ key: ObjectKey, _ bytes: ByteBuffer, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ETag {
        try await change { [store] () throws(ObjectStoreError) in try await store.put(key, bytes, if: condition) }
    }

    package func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ObjectInfo {
        try await change { [store] () throws(ObjectStoreError) in
            try await store.write(key, body, attributes: attributes, if: condition)
        }
    }

    package func delete(_ key: ObjectKey, if condition: DeleteCondition) async throws(ObjectStoreError) {
        try await change { [store] () throws(ObjectStoreError) in try await store.delete(key, if: condition) }
    }

    package func delete(_ key: ObjectKey, before deadline: Date) async throws(ObjectStoreError) {
        try await change { [store] () throws(ObjectStoreError) in try await store.deleteDated(key, before: deadline) }
    }

    package func list(
        prefix: String, after: String?, limit: Int
    ) async throws(ObjectStoreError) -> ObjectPage {
        try await read { () throws(ObjectStoreError) in
            try await store.list(prefix: prefix, after: after, limit: limit)
        }
    }
}
