import Accounts
import Crypto
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Secrets

/// A copy of the erasure ledger outside the store. After a recovery from an older snapshot it tells which of the recovered
/// accounts were deleted since. Its last line authenticates the others by the erasure key, which only the master key
/// opens: a damaged or shortened copy would bring deleted accounts back.
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
        /// The last line does not authenticate the others.
        case notAuthentic
        /// No configured master key opens the copy's erasure key.
        case keyNotOpened
        /// The store has an erasure key of its own, so it cannot find the copy's accounts.
        case otherKey

        package var description: String {
            switch self {
            case .malformed(let line): "line \(line) is not an entry of the erasure ledger"
            case .notAuthentic: "the file is incomplete or was changed. Export it again: deletions --export"
            case .keyNotOpened: "the copy's key needs a master key that is not configured (keys.previous)"
            case .otherKey: "the store has another erasure key: the copy belongs to another store"
            }
        }
    }

    /// What reading a copy changed.
    package struct Added: Sendable, Equatable {
        package var entries = 0
        /// Whether the store's erasure key was replaced; running servers must restart.
        package var isKeyReplaced = false
    }

    /// The key of the line that ends a copy.
    private static let end = "end"

    private let store: any ObjectStore
    private let keyRing: KeyRing

    package init(_ store: any ObjectStore, _ keyRing: KeyRing) {
        self.store = store
        self.keyRing = keyRing
    }

    /// Writes the erasure key, sealed, all entries of the ledger, and a line that authenticates them. Writes nothing for a
    /// store without deletions. One listing per thousand entries, and one read each.
    /// - Parameter sink: receives one line at a time, without its end.
    /// - Returns: the number of entries.
    package func write(_ sink: (Data) throws -> Void) async throws -> Int {
        guard let key = try await store.get(ObjectKey(known: StorageLayout.erasureKey)) else { return 0 }
        var hash = SHA256()
        func write(_ line: Data) throws {
            hash.update(data: line + Data("\n".utf8))
            try sink(line)
        }
        try write(try Self.encode(StorageLayout.erasureKey, key.bytes))
        var (count, after) = (0, String?.none)
        repeat {
            let page = try await store.list(prefix: StorageLayout.erasures, after: after, limit: 1000)
            for object in page.objects {
                guard let found = try await store.get(object.key) else { continue }
                try write(try Self.encode(object.key.description, found.bytes))
                count += 1
            }
            after = page.isTruncated ? page.objects.last?.key.description : nil
        } while after != nil
        let code = try ErasureKey.code(of: Data(hash.finalize()), by: key.bytes, keyRing)
        try sink(try Self.encode(Self.end, ByteBuffer(bytes: code)))
        return count
    }

    /// Adds the entries that the store does not have. Nothing is replaced, except an erasure key of a store without
    /// entries.
    /// - Throws: `Failure`; nothing was written, except after `otherKey`.
    package func read(_ lines: [Data]) async throws -> Added {
        let entries = try entries(of: lines)
        var added = Added()
        for (index, entry) in entries.enumerated() {
            let key = ObjectKey(known: entry.key)
            do throws(ObjectStoreError) {
                _ = try await store.put(key, ByteBuffer(bytes: entry.body), if: .absent)
                added.entries += index == 0 ? 0 : 1
            } catch .preconditionFailed {
                guard index == 0 else { continue }
                added.isKeyReplaced = try await replaceKey(key, with: entry.body)
            }
        }
        return added
    }

    /// - Returns: `false` if the store has this key.
    private func replaceKey(_ key: ObjectKey, with body: Data) async throws -> Bool {
        let stored = try await store.get(key)
        if Self.keyID(stored?.bytes) == Self.keyID(ByteBuffer(bytes: body)) { return false }
        // A key without entries was created after the recovery and signed no receipt.
        let entries = try await store.list(prefix: StorageLayout.erasures, after: nil, limit: 1)
        guard entries.objects.isEmpty, let stored else { throw Failure.otherKey }
        _ = try await store.put(key, ByteBuffer(bytes: body), if: .matches(stored.etag))
        return true
    }

    /// Checks that a copy is complete and unchanged.
    package func check(_ lines: [Data]) throws(Failure) { _ = try entries(of: lines) }

    private func entries(of lines: [Data]) throws(Failure) -> [Line] {
        guard lines.count >= 2, let end = try? JSONDecoder().decode(Line.self, from: lines[lines.count - 1]) else {
            throw .notAuthentic
        }
        var entries: [Line] = []
        var hash = SHA256()
        for (index, line) in lines.dropLast().enumerated() {
            entries.append(try Self.decode(line, at: index))
            hash.update(data: line + Data("\n".utf8))
        }
        let code: Data
        do {
            code = try ErasureKey.code(of: Data(hash.finalize()), by: ByteBuffer(bytes: entries[0].body), keyRing)
        } catch {
            throw .keyNotOpened
        }
        guard end.key == Self.end, ConstantTime.isEqual(end.body, code) else { throw .notAuthentic }
        return entries
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
        guard index == 0 ? isKey : isEntry && isReadable(entry.body) else { throw .malformed(line: index + 1) }
        return entry
    }

    private static func isReadable(_ body: Data) -> Bool {
        Documents<ErasureDocument>.decode(ByteBuffer(bytes: body)) != nil
    }

    private static func keyID(_ bytes: ByteBuffer?) -> String? {
        struct Named: Decodable { let id: String }
        return bytes.flatMap { try? JSONDecoder().decode(Named.self, from: Data($0.readableBytesView)).id }
    }
}
