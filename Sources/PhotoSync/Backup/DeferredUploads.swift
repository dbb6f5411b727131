import ObjectStorage
import PhotoCatalog

/// Takes the new contents of a backup, to upload them later. The backup that finds them stored adds them to the catalog.
package protocol DeferredUploads: Sendable {
    /// Returns whether `add` would take a content: it does not wait already, and there is room. Costs no request.
    func accepts(_ md5: ContentDigest, size: Int64) async -> Bool

    /// Takes a content that is not stored, unless it waits already or there is no room: then a later backup offers it
    /// again.
    func add(_ entry: CatalogEntry, _ body: ObjectBody) async throws(ObjectStoreError)
}
