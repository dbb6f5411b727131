import JSONCoding
import NIOCore

/// A JSON document that counts its writes, so that no two of its states have the same bytes and ETag.
package protocol VersionedDocument: Codable, Sendable, Equatable {
    /// Incremented by one with each write.
    var version: Int { get set }

    /// Returns the document as it is stored: the JSON of its `Encodable` conformance, by default written by it.
    func encoded() throws -> [UInt8]
}

extension VersionedDocument {
    package func encoded() throws -> [UInt8] { try CompactJSON.encode(self) }
}

/// A document as it was read or written, with the ETag that the next write must match.
package struct Stored<Document: Sendable>: Sendable {
    package let value: Document
    package let etag: ETag

    package init(value: Document, etag: ETag) {
        self.value = value
        self.etag = etag
    }
}

/// JSON documents of one type in an object store, changed by compare-and-swap only.
package struct Documents<Document: VersionedDocument>: Sendable {
    package let writes: ConditionalWrites
    private let decoded = DecodedDocuments<Document>()

    package init(store: any ObjectStore, retry: RetryPolicy) {
        writes = ConditionalWrites(store: store, retry: retry)
    }

    package var store: any ObjectStore { writes.store }

    /// Returns the document, or `nil` if it does not exist. One read.
    package func load(_ key: ObjectKey) async throws(ObjectStoreError) -> Stored<Document>? {
        guard let object = try await store.get(key) else { return nil }
        if let known = decoded.document(key, object.etag) { return known }
        guard let value = Self.decode(object.bytes) else { throw .corrupted(key.description) }
        let document = Stored(value: value, etag: object.etag)
        decoded.insert(document, at: key, size: object.bytes.readableBytes)
        return document
    }

    /// Creates a document that must not exist yet. One write.
    /// - Throws: `preconditionFailed` if another document exists.
    package func create(_ key: ObjectKey, _ value: Document) async throws(ObjectStoreError) -> Stored<Document> {
        try await put(key, value, if: .absent)
    }

    /// Replaces a document that must not have changed since it was read. One write.
    /// - Throws: `preconditionFailed` if it was changed or deleted.
    package func replace(
        _ key: ObjectKey, _ stored: Stored<Document>, with value: Document
    ) async throws(ObjectStoreError) -> Stored<Document> {
        var next = value
        next.version = stored.value.version + 1
        return try await put(key, next, if: .matches(stored.etag))
    }

    /// Keeps a document that was just written, so that the next load need not decode it.
    /// - Parameters:
    ///   - document: as a load would return it: its dates without the fractions of seconds, which are not stored.
    ///   - size: its encoded size in bytes, roughly.
    package func keep(_ document: Stored<Document>, at key: ObjectKey, size: Int) {
        decoded.insert(document, at: key, size: size)
    }

    private func put(
        _ key: ObjectKey, _ value: Document, if condition: PutCondition
    ) async throws(ObjectStoreError) -> Stored<Document> {
        guard case .written(let etag) = try await writes.put(key, try Self.bytes(of: value), if: condition) else {
            throw .preconditionFailed
        }
        return Stored(value: value, etag: etag)
    }

    /// Decodes a document; returns `nil` for malformed bytes.
    package static func decode(_ bytes: ByteBuffer) -> Document? {
        try? CompactJSON.decode(Document.self, from: Array(bytes.readableBytesView))
    }

    /// Encodes a document as it is stored.
    package static func bytes(of value: Document) throws(ObjectStoreError) -> ByteBuffer {
        guard let encoded = try? value.encoded() else { throw .bodyFailed("encoding failed") }
        return ByteBuffer(bytes: encoded)
    }
}
