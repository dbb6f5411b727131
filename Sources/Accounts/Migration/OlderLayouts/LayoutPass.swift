import Crypto
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Secrets

/// One pass over a store with objects of older layouts.
struct LayoutPass: Sendable {
    let directory: AccountDirectory
    let rules: SubjectNaming
    let catalogs: any OlderCatalogs
    let isDry: Bool
    /// Objects that are looked at together.
    let atOnce: Int
    let tally: LayoutTally

    var store: any ObjectStore { directory.documents.store }
    var records: MoveRecords { MoveRecords(documents: Documents(store: store, retry: directory.retry)) }

    func storing<Value: Sendable>(
        _ request: () async throws(ObjectStoreError) -> Value
    ) async throws(AccountError) -> Value {
        try await AccountError.storing(request)
    }

    /// The MD5 of an object's bytes, read as a stream; `nil` when there is none.
    func md5(of key: ObjectKey) async throws(AccountError) -> String? {
        guard let reading = try await storing({ () throws(ObjectStoreError) in try await store.read(key, range: nil) })
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

    /// Whether the object there has these bytes; `nil` when there is none. Where the tag is the MD5 they are not read.
    func holds(_ key: ObjectKey, _ size: Int64, _ md5: String) async throws(AccountError) -> Bool? {
        guard let info = try await storing({ () throws(ObjectStoreError) in try await store.head(key) }) else {
            return nil
        }
        guard info.size == size else { return false }
        if info.etag.description == md5 { return true }
        return try await self.md5(of: key) == md5
    }
}

/// Puts moved photos where their owners' devices find them.
package protocol OlderCatalogs: Sendable {
    /// Adds those stored photos to a user's catalog that it does not name.
    /// - Parameters:
    ///   - known: what older layouts said of photos, by their MD5; asked for only when some are to be added.
    ///   - willWrite: called before an object is written.
    /// - Throws: what the closures throw, `ObjectStoreError`.
    func addPhotos(
        of user: UserID, known: @Sendable () async throws -> [String: OlderPhoto],
        willWrite: @Sendable (ObjectKey) async throws -> Void
    ) async throws -> OlderCatalogOutcome
}

/// What came of adding photos to a catalog.
package enum OlderCatalogOutcome: Sendable, Equatable {
    /// So many were missing there and are in it now. A catalog that could not be read was begun anew.
    case listed(added: Int, isBegunAnew: Bool)
    /// What is there is too large, or a newer version's: one person's catalog keeps nobody else's from being done.
    case refused
}

/// What an older layout said of a photo.
package struct OlderPhoto: Sendable, Equatable {
    /// Its path in the older layout.
    package let path: String
    /// When the old object was written, in seconds since 1970.
    package let writtenAt: Int64
}
