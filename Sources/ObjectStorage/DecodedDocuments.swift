import Synchronization

/// The documents that an instance decoded last, by key and tag, so that an unchanged document is not decoded again. The
/// store is still asked for each one: an entry is used only if the store returns its tag.
final class DecodedDocuments<Document: Sendable>: Sendable {
    private let entries = DecodedEntries()

    /// Returns a document with its current tag; `nil` if it was not decoded lately or has changed since.
    func document(_ key: ObjectKey, _ etag: ETag) -> Stored<Document>? {
        guard let box = entries.value(key, etag) as? Box else { return nil }
        return Stored(value: box.value, etag: etag)
    }

    /// - Parameter size: The encoded size, in bytes.
    func insert(_ document: Stored<Document>, at key: ObjectKey, size: Int) {
        entries.insert(Box(document.value), document.etag, at: key, size: size)
    }

    private final class Box: Sendable {
        let value: Document

        init(_ value: Document) { self.value = value }
    }
}

/// The documents without their type: the compiler does not specialize a dictionary whose values have the type parameter
/// of its owner.
private final class DecodedEntries: Sendable {
    /// The largest document that is kept, in encoded bytes: 500 devices in a list.
    private static let maximumSize = 256 << 10

    private struct Entry {
        let etag: ETag
        let value: any AnyObject & Sendable
    }

    /// 1 MiB of encoded documents, a thousand of common size, in each of two generations.
    private let recent = Mutex(RecentValues<ObjectKey, Entry>(capacity: 1 << 20))

    func value(_ key: ObjectKey, _ etag: ETag) -> (any AnyObject & Sendable)? {
        recent.withLock { recent in recent.value(key).flatMap { $0.etag == etag ? $0.value : nil } }
    }

    func insert(_ value: any AnyObject & Sendable, _ etag: ETag, at key: ObjectKey, size: Int) {
        guard size <= Self.maximumSize else { return }
        recent.withLock { $0.insert(Entry(etag: etag, value: value), at: key, cost: size) }
    }
}
