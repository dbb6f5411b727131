import Synchronization

/// The documents that an instance decoded last, by key and tag, so that an unchanged document is not decoded again. The
/// store is still asked for each one: an entry is used only if the store returns its tag.
final class DecodedDocuments<Document: Sendable>: Sendable {
    /// The largest document that is kept, in encoded bytes: 500 devices in a list.
    private static var maximumSize: Int { 256 << 10 }

    /// 1 MiB of encoded documents, a thousand of common size, in each of two generations.
    private let documents = Mutex(RecentValues<ObjectKey, Stored<Document>>(capacity: 1 << 20))

    /// Returns a document with its current tag; `nil` if it was not decoded lately or has changed since.
    func document(_ key: ObjectKey, _ etag: ETag) -> Stored<Document>? {
        documents.withLock { $0.value(key) }.flatMap { $0.etag == etag ? $0 : nil }
    }

    /// - Parameter size: The encoded size, in bytes.
    func insert(_ document: Stored<Document>, at key: ObjectKey, size: Int) {
        guard size <= Self.maximumSize else { return }
        documents.withLock { $0.insert(document, at: key, cost: size) }
    }
}
