import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Secrets

/// Writes the essential objects of a store (identity bindings, accounts, and the objects of `service/` that do not
/// expire) into one file, beside a working service. `docs/snapshot-format.md` describes the contents and why a store
/// can be restored from them.
///
/// Memory holds a page of a listing and a few accounts.
package struct StoreSnapshot: Sendable {
    /// Receives the next bytes of the file.
    package typealias Sink = @Sendable (ByteBuffer) throws(SnapshotError) -> Void

    /// The objects read of one account, or one object outside of accounts.
    struct Piece: Sendable {
        var objects: [(key: ObjectKey, bytes: ByteBuffer)] = []
        var unreadable: [ObjectKey] = []
    }

    let store: any ObjectStore
    private let keyRing: KeyRing
    private let now: @Sendable () -> Date
    private let report: @Sendable (ObjectKey) -> Void
    /// The number of accounts or objects read concurrently.
    private static let batchSize = 16

    /// - Parameter report: receives the key of each object that cannot be read; the others are saved nevertheless.
    package init(
        store: any ObjectStore, keyRing: KeyRing, now: @escaping @Sendable () -> Date,
        report: @escaping @Sendable (ObjectKey) -> Void
    ) {
        self.store = store
        self.keyRing = keyRing
        self.now = now
        self.report = report
    }

    /// Reads the store once and writes the snapshot.
    package func write(to sink: @escaping Sink) async throws(SnapshotError) -> SnapshotSummary {
        var writer = try SnapshotWriter(startedAt: now(), to: sink)
        for prefix in SnapshotScope.prefixes {
            var units: [[ObjectKey]] = []
            try await forEachUnit(prefix) { (unit) throws(SnapshotError) in
                units.append(unit)
                guard units.count == Self.batchSize else { return }
                try await write(units, &writer)
                units = []
            }
            try await write(units, &writer)
        }
        return try writer.finish(keyRing, at: now())
    }

    private func write(_ units: [[ObjectKey]], _ writer: inout SnapshotWriter) async throws(SnapshotError) {
        let pieces = try await mapConcurrently(units) { (unit) throws(SnapshotError) in
            guard let first = unit.first, let user = SnapshotScope.user(of: first) else { return try await read(unit) }
            return try await readAccount(user, listed: unit)
        }
        for piece in pieces {
            try writer.add(piece)
            piece.unreadable.forEach(report)
        }
    }

    /// Visits the keys below a prefix, grouped by account.
    private func forEachUnit(
        _ prefix: String, _ body: ([ObjectKey]) async throws(SnapshotError) -> Void
    ) async throws(SnapshotError) {
        var after: String?
        var unit: [ObjectKey] = []
        repeat {
            let from = after
            let page = try await SnapshotError.mapStoreErrors { () throws(ObjectStoreError) in
                try await store.list(prefix: prefix, after: from, limit: 1000)
            }
            for object in page.objects where SnapshotScope.contains(object.key) {
                if let last = unit.last, SnapshotScope.user(of: last) == nil || !isSameAccount(last, object.key) {
                    try await body(unit)
                    unit = []
                }
                unit.append(object.key)
            }
            after = page.isTruncated ? page.objects.last?.key.description : nil
        } while after != nil
        if !unit.isEmpty { try await body(unit) }
    }

    private func isSameAccount(_ one: ObjectKey, _ other: ObjectKey) -> Bool {
        SnapshotScope.user(of: one) == SnapshotScope.user(of: other)
    }

    /// Reads objects unchanged; omits those that were deleted in the meantime.
    func read(_ keys: [ObjectKey]) async throws(SnapshotError) -> Piece {
        var piece = Piece()
        for key in keys {
            do {
                guard let object = try await store.get(key) else { continue }
                piece.objects.append((key, object.bytes))
            } catch .corrupted, .tooLarge {
                piece.unreadable.append(key)
            } catch {
                throw .store(error)
            }
        }
        return piece
    }
}
