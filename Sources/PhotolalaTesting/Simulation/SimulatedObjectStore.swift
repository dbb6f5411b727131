import Foundation
import NIOCore
import ObjectStorage

/// An actor's view of a store in a simulation: every request waits for its turn and may fail.
struct SimulatedObjectStore: ObjectStore, DatedDeletion {
    private let store: any ObjectStore
    private let simulation: Simulation
    private let actor: Int

    init(_ store: any ObjectStore, simulation: Simulation, actor: Int) {
        self.store = store
        self.simulation = simulation
        self.actor = actor
    }

    private func read<Value>(
        _ request: SimulatedRequest, _ act: () async throws(ObjectStoreError) -> Value
    ) async throws(ObjectStoreError) -> Value {
        guard await simulation.awaitTurn(actor, request) == nil else { throw .unavailable("simulated") }
        return try await act()
    }

    private func change<Value>(
        _ request: SimulatedRequest, _ act: @escaping @Sendable () async throws(ObjectStoreError) -> Value
    ) async throws(ObjectStoreError) -> Value {
        switch await simulation.awaitTurn(actor, request) {
        case nil: return try await act()
        case .conflict: throw .conflict
        case .unavailable, .crash: throw .unavailable("simulated")
        case .lostBefore: throw .outcomeUnknown("simulated")
        case .lostAfter:
            _ = try await act()
            throw .outcomeUnknown("simulated")
        case .refusedAfter:
            _ = try await act()
            throw .preconditionFailed
        case .lostAndLate:
            simulation.delay { _ = try? await act() }
            throw .outcomeUnknown("simulated")
        }
    }

    func get(_ key: ObjectKey, limit: Int) async throws(ObjectStoreError) -> StoredObject? {
        try await read(.get(key)) { () throws(ObjectStoreError) in try await store.get(key, limit: limit) }
    }

    func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectInfo? {
        try await read(.head(key)) { () throws(ObjectStoreError) in try await store.head(key) }
    }

    func read(_ key: ObjectKey, range: ByteRange?) async throws(ObjectStoreError) -> StreamedObject? {
        try await read(.read(key)) { () throws(ObjectStoreError) in try await store.read(key, range: range) }
    }

    func put(
        _ key: ObjectKey, _ bytes: ByteBuffer, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ETag {
        try await change(.put(key, condition)) { [store] () throws(ObjectStoreError) in
            try await store.put(key, bytes, if: condition)
        }
    }

    func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ObjectInfo {
        try await change(.write(key, condition)) { [store] () throws(ObjectStoreError) in
            try await store.write(key, body, attributes: attributes, if: condition)
        }
    }

    func delete(_ key: ObjectKey, if condition: DeleteCondition) async throws(ObjectStoreError) {
        try await change(.delete(key, condition)) { [store] () throws(ObjectStoreError) in
            try await store.delete(key, if: condition)
        }
    }

    /// Deletes as if signed at the last moment: a store accepts the request for another 15 minutes.
    func delete(_ key: ObjectKey, before deadline: Date) async throws(ObjectStoreError) {
        try await change(.delete(key, .always)) { [store] () throws(ObjectStoreError) in
            try await store.deleteDated(key, before: deadline.addingTimeInterval(900))
        }
    }

    func list(
        prefix: String, after: String?, limit: Int
    ) async throws(ObjectStoreError) -> ObjectPage {
        try await read(.list(prefix: prefix, after: after)) { () throws(ObjectStoreError) in
            try await store.list(prefix: prefix, after: after, limit: limit)
        }
    }
}
