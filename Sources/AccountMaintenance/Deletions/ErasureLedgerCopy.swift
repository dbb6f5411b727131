import Accounts
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI

/// A copy of the erasure ledger outside the store. After a recovery from an older snapshot it tells which of the recovered
/// accounts were deleted since.
package struct ErasureLedgerCopy: Sendable {
    /// A stored object, one line of JSON in the copy.
    private struct Line: Codable {
        let key: String
        let body: Data
    }

    /// Why a copy cannot be read into a store.
    package enum Failure: Error, Equatable, CustomStringConvertible, Sendable {
        /// A line is malformed; counted from 1.
        case malformed(line: Int)
        /// The store has an erasure key of its own, so it cannot find the copy's accounts.
        case otherKey

        package var description: String {
            switch self {
            case .malformed(let line): "line \(line) is not an entry of the erasure ledger"
            case .otherKey: "the store has another erasure key: the copy belongs to another store"
            }
        }
    }

    private let store: any ObjectStore

    package init(_ store: any ObjectStore) { self.store = store }

    /// Writes the erasure key, sealed, and all entries of the ledger. One listing per thousand entries, and one read each.
    /// - Parameter sink: receives one line at a time, without its end.
    /// - Returns: the number of entries.
    package func write(_ sink: (Data) throws -> Void) async throws -> Int {
        guard let key = try await store.get(ObjectKey(known: StorageLayout.erasureKey)) else { return 0 }
        try sink(try Self.encode(StorageLayout.erasureKey, key.bytes))
        var (count, after) = (0, String?.none)
        repeat {
            let page = try await store.list(prefix: StorageLayout.erasures, after: after, limit: 1000)
            for object in page.objects {
                guard let found = try await store.get(object.key) else { continue }
                try sink(try Self.encode(object.key.description, found.bytes))
                count += 1
            }
            after = page.isTruncated ? page.objects.last?.key.description : nil
        } while after != nil
        return count
    }

    /// Adds the entries that the store does not have. Nothing is replaced, except an erasure key of a store without
    /// entries. Servers must restart if that happens.
    /// - Returns: the number of added entries.
    /// - Throws: `Failure`; entries of earlier lines stay.
    package func read(_ lines: [Data]) async throws -> Int {
        var added = 0
        for (index, line) in lines.enumerated() {
            let entry = try Self.decode(line, at: index)
            let key = ObjectKey(known: entry.key)
            do throws(ObjectStoreError) {
                _ = try await store.put(key, ByteBuffer(bytes: entry.body), if: .absent)
                added += index == 0 ? 0 : 1
            } catch .preconditionFailed {
                guard index == 0 else { continue }
                let stored = try await store.get(key)
                if Self.keyID(stored?.bytes) == Self.keyID(ByteBuffer(bytes: entry.body)) { continue }
                // A key without entries was created after the recovery and signed nothing.
                let entries = try await store.list(prefix: StorageLayout.erasures, after: nil, limit: 1)
                guard entries.objects.isEmpty, let stored else { throw Failure.otherKey }
                _ = try await store.put(key, ByteBuffer(bytes: entry.body), if: .matches(stored.etag))
            }
        }
        return added
    }

    /// Checks that all lines are entries.
    package static func check(_ lines: [Data]) throws(Failure) {
        for (index, line) in lines.enumerated() { _ = try decode(line, at: index) }
    }

    private static func encode(_ key: String, _ bytes: ByteBuffer) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(Line(key: key, body: Data(bytes.readableBytesView)))
    }

    /// Decodes a line: the first contains the key, all others entries.
    private static func decode(_ line: Data, at index: Int) throws(Failure) -> Line {
        guard let entry = try? JSONDecoder().decode(Line.self, from: line) else { throw .malformed(line: index + 1) }
        let isKey = entry.key == StorageLayout.erasureKey && keyID(ByteBuffer(bytes: entry.body)) != nil
        let isEntry = entry.key.wholeMatch(of: /service\/erasures\/[0-9a-f]{64}\.json/) != nil
        guard index == 0 ? isKey : isEntry else { throw .malformed(line: index + 1) }
        return entry
    }

    private static func keyID(_ bytes: ByteBuffer?) -> String? {
        struct Named: Decodable { let id: String }
        return bytes.flatMap { try? JSONDecoder().decode(Named.self, from: Data($0.readableBytesView)).id }
    }
}
