import ObjectStorage
import PhotoCatalog

/// Takes the new contents of a backup, to upload them later. The backup that finds them stored adds them to the catalog.
package protocol DeferredUploads: Sendable {
    /// Takes a content that is not stored, unless it waits already or there is no room: then a later backup offers it
    /// again.
    func add(_ entry: CatalogEntry, _ body: ObjectBody) async throws(ObjectStoreError)
}
