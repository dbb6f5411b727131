import Synchronization

/// The documents that an instance decoded last, by key and tag, so that an unchanged document is not decoded again. The
/// store is still asked for each one: an entry is used only if the store returns its tag.
final class DecodedDocuments<Document: Sendable>: Sendable {
    /// The largest document that is kept, in encoded bytes.
    static var maximumSize: Int { 16 << 10 }

    private let documents = Mutex(RecentValues<ObjectKey, Stored<Document>>(capacity: 1000))

    /// Returns a document with its current tag; `nil` if it was not decoded lately or has changed since.
    func document(_ key: ObjectKey, _ etag: ETag) -> Stored<Document>? {
        documents.withLock { $0.value(key) }.flatMap { $0.etag == etag ? $0 : nil }
    }

    func insert(_ document: Stored<Document>, at key: ObjectKey) {
        documents.withLock { $0.insert(document, at: key) }
    }
}
