import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI

/// Decisions about photos that change back and forth, in one document beside the catalog. Two documents are merged by a
/// join, so that devices change them independently.
package protocol LibraryDocument: Sendable, Equatable {
    static var name: LibraryDocumentName { get }
    /// The maximum size of the document in bytes.
    static var sizeLimit: Int { get }

    /// Creates an empty document.
    init()

    /// Reads a document, which its owner can write.
    /// - Throws: `document`
    init(_ bytes: ByteBuffer) throws(CatalogError)

    /// The document as it is stored. Equal documents have equal bytes.
    var bytes: ByteBuffer { get }

    /// Whether it has more entries than it may have.
    var isOverLimit: Bool { get }
}

/// The documents beside the catalog.
package enum LibraryDocumentName: String, Sendable {
    case favorites, albums, hidden

    /// The name of the document's file.
    package var fileName: String { "\(rawValue).json" }

    /// What the document has, for messages.
    package var content: String { self == .hidden ? "hidden photos" : rawValue }

    func key(of user: UserID) -> String {
        switch self {
        case .favorites: StorageLayout.favorites(user)
        case .albums: StorageLayout.albums(user)
        case .hidden: StorageLayout.hidden(user)
        }
    }

    var cached: CachedDocument {
        switch self {
        case .favorites: .favorites
        case .albums: .albums
        case .hidden: .hidden
        }
    }
}

/// A document and the version that was read.
package struct StoredDocument<Document: LibraryDocument>: Sendable {
    package let document: Document
    /// `nil` if the document does not exist.
    package let tag: ETag?
}

extension CatalogStore {
    /// Reads a document; an empty one if it does not exist. One request.
    package func stored<Document: LibraryDocument>(
        _ type: Document.Type
    ) async throws(CatalogError) -> StoredDocument<Document> {
        let found: StoredObject?
        do { found = try await store.get(key(of: type), limit: type.sizeLimit) } catch {
            switch error {
            case .tooLarge, .corrupted: throw .document(type.name, .damaged)
            default: throw .store(error)
            }
        }
        let document = try found.map { found throws(CatalogError) in try Document(found.bytes) } ?? Document()
        await cache?.write(type.name.cached, found?.bytes)
        return StoredDocument(document: document, tag: found?.etag)
    }

    /// Returns whether a document has not changed since it was read. One request.
    package func isCurrent<Document: LibraryDocument>(
        _ known: StoredDocument<Document>
    ) async throws(CatalogError) -> Bool {
        try await tag(of: Document.self) == known.tag
    }

    /// Returns the tag of a document; `nil` if it does not exist. One request.
    package func tag(of type: (some LibraryDocument).Type) async throws(CatalogError) -> ETag? {
        do throws(ObjectStoreError) { return try await store.head(key(of: type))?.etag } catch { throw .store(error) }
    }

    /// Changes a document; writes nothing if nothing changes.
    /// - Parameter change: Called again for each attempt if other devices change the document.
    /// - Returns: The result of the change that was stored.
    func update<Document: LibraryDocument, Value>(
        _ type: Document.Type, _ change: (inout Document) throws(CatalogError) -> Value
    ) async throws(CatalogError) -> Value {
        // A write whose response was lost may have been done.
        var unconfirmed: Value?
        for attempt in 1...Self.attempts {
            let stored = try await stored(type)
            var after = stored.document
            let value = try change(&after)
            if after == stored.document { return unconfirmed ?? value }
            let bytes = after.bytes
            guard !after.isOverLimit, bytes.readableBytes <= type.sizeLimit else { throw .document(type.name, .full) }
            do throws(ObjectStoreError) {
                try await store.put(key(of: type), bytes, if: stored.tag.map { .matches($0) } ?? .absent)
                return value
            } catch {
                // Another device was first, or the response was lost: the next attempt finds out.
                guard [.preconditionFailed, .conflict].contains(error) || error.isOutcomeUnknown else {
                    throw .store(error)
                }
                if error.isOutcomeUnknown { unconfirmed = value }
            }
            await pause.wait(attempt: attempt)
        }
        throw .contended
    }

    private func key<Document: LibraryDocument>(of type: Document.Type) -> ObjectKey {
        ObjectKey(known: type.name.key(of: user))
    }
}

extension ObjectStoreError {
    fileprivate var isOutcomeUnknown: Bool { if case .outcomeUnknown = self { true } else { false } }
}

extension ByteBuffer {
    /// Encodes a document of texts and numbers, which is always encodable, with sorted keys.
    init(sortedJSON document: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        self = (try? encoder.encode(document)).map { ByteBuffer(bytes: $0) } ?? ByteBuffer()
    }
}
