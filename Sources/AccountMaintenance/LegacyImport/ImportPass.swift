import Accounts
import Crypto
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Secrets

/// One pass over a store with objects of legacy layouts.
struct ImportPass: Sendable {
    let directory: AccountDirectory
    let resolver: BindingKeyResolver
    let catalogs: any LegacyCatalogs
    let isDryRun: Bool
    /// The number of objects processed concurrently.
    let concurrency: Int
    let tally: ImportTally

    var store: any ObjectStore { directory.documents.store }
    var records: ImportRecords { ImportRecords(documents: Documents(store: store, retry: directory.retry)) }

    func mapStoreErrors<Value: Sendable>(
        _ request: () async throws(ObjectStoreError) -> Value
    ) async throws(AccountError) -> Value {
        try await AccountError.mapStoreErrors(request)
    }

    /// Returns the MD5 of an object's bytes, read as a stream; `nil` if there is no object.
    func md5(of key: ObjectKey) async throws(AccountError) -> String? {
        guard
            let reading = try await mapStoreErrors({ () throws(ObjectStoreError) in
                try await store.read(key, range: nil)
            })
        else { return nil }
        var hasher = Insecure.MD5()
        do {
            for try await chunk in reading.body {
                chunk.withUnsafeReadableBytes { hasher.update(bufferPointer: $0) }
            }
        } catch {
            throw .store(error as? ObjectStoreError ?? .unavailable("\(error)"))
        }
        return Hex.encode(hasher.finalize())
    }

    /// Returns whether the object at a key has these bytes; `nil` if there is no object. If the tag equals the MD5, the
    /// bytes are not read.
    func holds(_ key: ObjectKey, _ size: Int64, _ md5: String) async throws(AccountError) -> Bool? {
        guard let info = try await mapStoreErrors({ () throws(ObjectStoreError) in try await store.head(key) }) else {
            return nil
        }
        guard info.size == size else { return false }
        if info.etag.description == md5 { return true }
        return try await self.md5(of: key) == md5
    }
}

/// Adds imported photos to catalogs, where their owners' devices find them.
package protocol LegacyCatalogs: Sendable {
    /// Adds stored photos to a user's catalog that it does not list.
    /// - Parameters:
    ///   - known: what legacy layouts recorded about photos, by MD5; called only if photos are to be added.
    ///   - willWrite: called before an object is written.
    /// - Throws: errors of the closures, and `ObjectStoreError`.
    func addPhotos(
        of user: UserID, known: @Sendable () async throws -> [String: LegacyPhoto],
        willWrite: @Sendable (ObjectKey) async throws -> Void
    ) async throws -> LegacyCatalogOutcome
}

/// The result of adding photos to a catalog.
package enum LegacyCatalogOutcome: Sendable, Equatable {
    /// The number of photos added. A catalog that could not be read was replaced by a new one.
    case listed(added: Int, isRebuilt: Bool)
    /// The catalog is too large or of a newer version. Other users' catalogs are not affected.
    case refused
}

/// What a legacy layout recorded about a photo.
package struct LegacyPhoto: Sendable, Equatable {
    /// The path in the legacy layout.
    package let path: String
    /// When the source object was written, in seconds since 1970.
    package let writtenAt: Int64
}
