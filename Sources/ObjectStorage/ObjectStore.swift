import Foundation
import NIOCore

/// The smallest promise Photolala needs of an object store. `ObjectStoreConformance` states it as tests, which every
/// implementation passes.
///
/// Writes are durable when they return. A reader sees an object whole or not at all. Reads see every write that
/// returned before them. No method takes an error for absence.
package protocol ObjectStore: Sendable {
    /// The whole of a small object, or `nil` when there is none.
    /// - Parameter limit: the largest size accepted, in bytes; a larger object throws `tooLarge`.
    func get(_ key: ObjectKey, limit: Int) async throws(ObjectStoreError) -> StoredObject?

    /// What is known of an object without its bytes, or `nil` when there is none.
    func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectInfo?

    /// A stream of an object or of a part of it, or `nil` when there is none.
    /// - Throws: `rangeNotSatisfiable` when the range starts behind the end.
    func read(_ key: ObjectKey, range: ByteRange?) async throws(ObjectStoreError) -> ObjectReading?

    /// Writes a small object whole. Throws `preconditionFailed` when the condition does not hold.
    @discardableResult
    func put(
        _ key: ObjectKey, _ bytes: ByteBuffer, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ETag

    /// Writes an object from a stream with bounded memory; nothing is visible until all of it is durable.
    ///
    /// A stream that throws, ends early or runs over leaves nothing behind and throws `bodyFailed`; a stream that
    /// throws an `ObjectStoreError` has it passed on.
    /// - Parameter attributes: stored and given back by `head` and `read`. A store may tell a content type or
    ///   disposition of its own for an object that was given none. `content-md5` is a promise (`PromisedMD5`): bytes
    ///   of another MD5 leave nothing behind and throw `digestMismatch`.
    @discardableResult
    func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ObjectInfo

    /// Deletes an object. Deleting what is not there succeeds under `.always` and throws `preconditionFailed` under
    /// `.matches`.
    func delete(_ key: ObjectKey, if condition: DeleteCondition) async throws(ObjectStoreError)

    /// A page of the objects whose keys begin with `prefix` and come after `after`, in UTF-8 order.
    /// - Parameter limit: at most this many, 1 to 1,000.
    func list(
        prefix: String, after: String?, limit: Int
    ) async throws(ObjectStoreError) -> ObjectPage
}

extension ObjectStore {
    /// The whole of a small object of at most 1 MiB, or `nil` when there is none.
    package func get(_ key: ObjectKey) async throws(ObjectStoreError) -> StoredObject? {
        try await get(key, limit: 1 << 20)
    }
}

/// What a store knows of an object besides its bytes.
package struct ObjectInfo: Sendable, Equatable {
    package let etag: ETag
    /// Length in bytes.
    package let size: Int64
    /// When it was written, to a second; as an answer to a write, when the store answered.
    package let lastModified: Date
    package let attributes: ObjectAttributes

    package init(etag: ETag, size: Int64, lastModified: Date, attributes: ObjectAttributes) {
        self.etag = etag
        self.size = size
        self.lastModified = lastModified
        self.attributes = attributes
    }
}

/// HTTP header fields kept with an object, under lower-case names (`content-type`, `x-amz-meta-…`).
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

/// An object being streamed: what is known of the whole, and the bytes of the part that was asked for.
package struct ObjectReading: Sendable {
    package let info: ObjectInfo
    /// The offsets of the first byte that comes and of the one behind the last.
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
    /// Length in bytes.
    package let size: Int64
    package let lastModified: Date

    package init(key: ObjectKey, etag: ETag, size: Int64, lastModified: Date) {
        self.key = key
        self.etag = etag
        self.size = size
        self.lastModified = lastModified
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
