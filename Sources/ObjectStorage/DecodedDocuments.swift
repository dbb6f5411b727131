import Synchronization

/// The documents that an instance decoded last, by key and tag, so that an unchanged document is not decoded again. The
/// store is still asked for each one: an entry is used only if the store returns its tag.
///
/// Bounded by two generations: when the recent one is full, it replaces the previous one.
final class DecodedDocuments<Document: Sendable>: Sendable {
    private struct Generations {
        var recent: [ObjectKey: Stored<Document>] = [:]
        var previous: [ObjectKey: Stored<Document>] = [:]
    }

    /// The largest document that is kept, in encoded bytes.
    static var maximumSize: Int { 16 << 10 }
    /// The number of documents in a generation.
    private static var capacity: Int { 1000 }

    private let generations = Mutex(Generations())

    /// Returns a document with its current tag; `nil` if it was not decoded lately or has changed since.
    func document(_ key: ObjectKey, _ etag: ETag) -> Stored<Document>? {
        generations.withLock { generations in
            if let found = generations.recent[key] { return found.etag == etag ? found : nil }
            guard let found = generations.previous[key], found.etag == etag else { return nil }
            Self.insert(found, at: key, into: &generations)
            return found
        }
    }

    func insert(_ document: Stored<Document>, at key: ObjectKey) {
        generations.withLock { Self.insert(document, at: key, into: &$0) }
    }

    private static func insert(
        _ document: Stored<Document>, at key: ObjectKey, into generations: inout Generations
    ) {
        if generations.recent.count >= capacity, generations.recent[key] == nil {
            generations.previous = generations.recent
            generations.recent = [:]
        }
        generations.recent[key] = document
    }
}
