import NIOCore

/// A cache of catalog files, by the MD5 of their bytes, and of the documents that change in place.
///
/// A cache never fails: it returns `nil` for a file that it does not have or that is damaged, and a write that fails only
/// means that the file is read from the store again.
package protocol CatalogCache: Sendable {
    /// Returns the file whose bytes have the digest.
    func read(_ digest: ContentDigest) async -> ByteBuffer?
    /// Returns whether a file is in the cache, without reading it.
    func has(_ digest: ContentDigest) async -> Bool
    func write(_ digest: ContentDigest, _ bytes: ByteBuffer) async
    func remove(_ digests: [ContentDigest]) async
    /// Returns the document as it was when it was last read from the store.
    func read(_ document: CachedDocument) async -> ByteBuffer?
    /// Replaces the document; `nil` removes it.
    func write(_ document: CachedDocument, _ bytes: ByteBuffer?) async
    /// Removes all other files, and keeps the documents.
    func keepOnly(_ digests: Set<ContentDigest>) async
}

/// A document of the library that is stored under a fixed key.
package enum CachedDocument: String, Sendable, CaseIterable {
    /// The pointer to the newest snapshot, written when all files of the snapshot are in the cache.
    case pointer
    case favorites
    case albums
    case hidden
}
