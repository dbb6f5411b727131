import NIOCore

/// A cache of catalog files, by the MD5 of their bytes.
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
    /// Removes all other files.
    func keepOnly(_ digests: Set<ContentDigest>) async
}
