import Foundation
import NIOCore

/// The minimal object store that Photolala needs. `ObjectStoreConformance` specifies it as tests, which every
/// implementation passes.
///
/// Writes are durable when they return. Readers see a complete object or none. Reads see every write that returned
/// before them. No method reports an error as absence.
package protocol ObjectStore: Sendable {
    /// Whether a read of a small object waits for no network: then a task for it would cost more than the read.
    var isLocal: Bool { get }

    /// Returns a small object, or `nil` if it does not exist.
    /// - Parameter limit: The largest size accepted, in bytes; a larger object throws `tooLarge`.
    func get(_ key: ObjectKey, limit: Int) async throws(ObjectStoreError) -> StoredObject?

    /// Returns an object's metadata, or `nil` if it does not exist.
    func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectInfo?

    /// Returns a stream of an object or of a range of it, or `nil` if it does not exist.
    /// - Throws: `rangeNotSatisfiable` if the range starts beyond the end.
    func read(_ key: ObjectKey, range: ByteRange?) async throws(ObjectStoreError) -> StreamedObject?

    /// Writes a small object.
    /// - Throws: `preconditionFailed` if the condition does not hold.
    @discardableResult
    func put(
        _ key: ObjectKey, _ bytes: ByteBuffer, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ETag

    /// Writes an object from a stream with bounded memory; it becomes visible only when all of it is durable.
    ///
    /// A stream that throws, ends early or exceeds its size leaves nothing behind and throws `bodyFailed`; an
    /// `ObjectStoreError` thrown by the stream is rethrown.
    /// - Parameter attributes: Stored, and returned by `head` and `read`. A store may return a default content type
    ///   or disposition for an object without one. `content-md5` is the expected digest (`DeclaredMD5`): bytes with
    ///   another MD5 leave nothing behind and throw `digestMismatch`.
    @discardableResult
    func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ObjectInfo

    /// Deletes an object. Deleting a missing object succeeds with `.always` and throws `preconditionFailed` with
    /// `.matches`.
    func delete(_ key: ObjectKey, if condition: DeleteCondition) async throws(ObjectStoreError)

    /// Returns a page of the objects whose keys begin with `prefix` and come after `after`, in UTF-8 order.
    /// - Parameter limit: The maximum number of objects, 1 to 1,000.
    func list(
        prefix: String, after: String?, limit: Int
    ) async throws(ObjectStoreError) -> ObjectPage
}

extension ObjectStore {
    package var isLocal: Bool { false }

    /// Performs two independent operations, concurrently unless the store is local.
    package func both<First: Sendable, Second: Sendable>(
        _ first: @escaping @Sendable () async throws -> First, _ second: @escaping @Sendable () async throws -> Second
    ) async throws -> (First, Second) {
        guard !isLocal else { return (try await first(), try await second()) }
        async let other = second()
        return (try await first(), try await other)
    }

    /// Returns a small object of at most 1 MiB, or `nil` if it does not exist.
    package func get(_ key: ObjectKey) async throws(ObjectStoreError) -> StoredObject? {
        try await get(key, limit: 1 << 20)
    }
}

/// The metadata of an object.
package struct ObjectInfo: Sendable, Equatable {
    package let etag: ETag
    /// The length in bytes.
    package let size: Int64
    /// The time of the last write, to a second; as the result of a write, the time of the store's response.
    package let lastModified: Date
    package let attributes: ObjectAttributes

    package init(etag: ETag, size: Int64, lastModified: Date, attributes: ObjectAttributes) {
        self.etag = etag
        self.size = size
        self.lastModified = lastModified
        self.attributes = attributes
    }
}

/// HTTP header fields stored with an object, under lower-case names (`content-type`, `x-amz-meta-…`).
package typealias ObjectAttributes = [String: String]

/// A small object with its bytes.
package struct StoredObject: Sendable, Equatable {
    package let bytes: ByteBuffer
    package let etag: ETag

    package init(bytes: ByteBuffer, etag: ETag) {
        self.bytes = bytes
        self.etag = etag
    }
}

/// An object being streamed: the metadata of the whole object, and the bytes of the requested range.
package struct StreamedObject: Sendable {
    package let info: ObjectInfo
    /// The offsets of the returned bytes.
    package let offsets: Range<Int64>
    package let body: ObjectBody

    package init(info: ObjectInfo, offsets: Range<Int64>, body: ObjectBody) {
        self.info = info
        self.offsets = offsets
        self.body = body
    }
}

/// One object of a listing.
package struct ListedObject: Sendable, Equatable {
    package let key: ObjectKey
    package let etag: ETag
    /// The length in bytes.
    package let size: Int64
    package let lastModified: Date
    /// Whether the object is in an archive. It can be read if it was restored from there.
    package let isArchived: Bool
    /// Whether only `ArchiveRetrieval.archiveState` tells if the object can be read: it is in an archive, from where it may
    /// have been restored, or the listing does not report its tier.
    package let mayBeArchived: Bool

    package init(
        key: ObjectKey, etag: ETag, size: Int64, lastModified: Date, isArchived: Bool = false,
        mayBeArchived: Bool? = nil
    ) {
        self.key = key
        self.etag = etag
        self.size = size
        self.lastModified = lastModified
        self.isArchived = isArchived
        self.mayBeArchived = mayBeArchived ?? isArchived
    }
}

/// One page of a listing.
package struct ObjectPage: Sendable, Equatable {
    package let objects: [ListedObject]
    /// Whether more keys follow; the next page starts after the last key of this one.
    package let isTruncated: Bool

    package init(objects: [ListedObject], isTruncated: Bool) {
        self.objects = objects
        self.isTruncated = isTruncated
    }
}
