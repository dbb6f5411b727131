import Accounts
import Crypto
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Secrets

/// `service/older-layouts/{uuid}/{id}.json`: the import record of one object. It is written before anything is written
/// for that object, so that the import can be undone and nothing is done twice.
struct ImportRecord: VersionedDocument {
    /// An object of a legacy layout.
    struct Source: Codable, Sendable, Equatable {
        let key: String
        let tag: String
        /// Length in bytes.
        let size: Int64
        let writtenAt: Date
        /// `nil` for a binding, whose bytes change.
        let md5: String?
    }

    var version = 1
    let user: UserID
    /// `nil` for an object that was made from several objects.
    let source: Source?
    let destination: String
    /// The previous object at the destination, if it is replaced.
    let replaced: Data?
    let attributes: ObjectAttributes
    /// Whether the destination existed and is not replaced.
    let wasThere: Bool
    /// Whether the destination was written and verified.
    var isDone = false

    var destinationKey: ObjectKey { ObjectKey(known: destination) }
    var isBinding: Bool { destinationKey.hasPrefix(StorageLayout.identities) }
}

/// The import records of a store.
struct ImportRecords: Sendable {
    let documents: Documents<ImportRecord>

    /// Returns the key of the record about an object: its source or, without one, its destination.
    private static func key(_ user: UserID, _ object: String) -> ObjectKey {
        let id = Hex.encode(SHA256.hash(data: Data(object.utf8)))
        return ObjectKey(known: StorageLayout.legacyMove(user, id: id))
    }

    func load(_ user: UserID, about object: String) async throws(AccountError) -> Stored<ImportRecord>? {
        try await load(Self.key(user, object))
    }

    func load(_ key: ObjectKey) async throws(AccountError) -> Stored<ImportRecord>? {
        try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in try await documents.load(key) }
    }

    func create(_ record: ImportRecord) async throws(AccountError) -> Stored<ImportRecord> {
        let key = Self.key(record.user, record.source?.key ?? record.destination)
        return try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
            try await documents.create(key, record)
        }
    }

    func finish(_ record: Stored<ImportRecord>) async throws(AccountError) {
        var next = record.value
        next.isDone = true
        let (key, done) = (Self.key(next.user, next.source?.key ?? next.destination), next)
        _ = try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
            try await documents.replace(key, record, with: done)
        }
    }

    func remove(_ key: ObjectKey) async throws(AccountError) {
        _ = try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
            try await documents.writes.delete(key, if: .always)
        }
    }

    /// Returns whether a user has import records.
    func hasRecords(of user: UserID) async throws(AccountError) -> Bool {
        var listing = Listing(documents.store, prefix: StorageLayout.legacyMoves(user))
        return try await listing.next() != nil
    }

    /// Visits the records below a prefix, one after the other.
    func forEach(
        below prefix: String, _ body: (ObjectKey, ImportRecord) async throws(AccountError) -> Void
    ) async throws(AccountError) {
        var listing = Listing(documents.store, prefix: prefix)
        while let object = try await listing.next() {
            if let record = try await load(object.key) { try await body(object.key, record.value) }
        }
    }
}
