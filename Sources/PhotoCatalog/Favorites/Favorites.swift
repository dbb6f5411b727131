import JSONCoding
import NIOCore

/// Which photos of a library are favorites.
///
///     {"favorites":{"d41d8cd98f00b204e9800998ecf8427e":"17@0a1b2c3d"},"removed":{},"version":1}
package struct Favorites: LibraryDocument {
    package static let name = LibraryDocumentName.favorites
    package static let sizeLimit = 8 << 20
    /// The maximum number of contents that are or were favorites.
    private static let limit = 100_000
    private static let version = 1

    private var marks = ContentSet()

    package init() {}

    /// The contents that are favorites.
    package var contents: Set<ContentDigest> { marks.contents }

    package var isOverLimit: Bool { marks.count > Self.limit }

    /// The approximate size in memory, in bytes.
    package var bytesInMemory: Int { marks.bytesInMemory }

    /// Returns whether the content is a favorite.
    package func contains(_ md5: ContentDigest) -> Bool { marks.contains(md5) }

    /// Makes contents favorites, or no favorites any more. Changes without an effect are not recorded.
    /// - Returns: The number of contents that changed.
    @discardableResult
    package mutating func set(_ changes: [ContentDigest: Bool], by device: DeviceTag) -> Int {
        marks.set(changes, at: .next(after: marks.highestCounter, by: device))
    }

    /// Merges other favorites into these. Associative, commutative and idempotent.
    package mutating func join(_ other: Favorites) { marks.join(other.marks) }
}

extension Favorites {
    private struct Document: Codable {
        var version: Int
        /// The timestamps by content.
        var favorites: [String: String]
        var removed: [String: String]
    }

    package init(_ bytes: ByteBuffer) throws(CatalogError) {
        let document: Document
        do { document = try CompactJSON.decode(Document.self, from: Array(bytes.readableBytesView)) } catch {
            throw .document(.favorites, .damaged)
        }
        guard document.version == Self.version else {
            throw .document(.favorites, document.version > Self.version ? .newerVersion : .damaged)
        }
        marks.reserveCapacity(document.favorites.count + document.removed.count)
        for (isFavorite, texts) in [(true, document.favorites), (false, document.removed)] {
            for (name, text) in texts {
                guard let md5 = ContentDigest(name), let changed = LamportTimestamp(text) else {
                    throw .document(.favorites, .damaged)
                }
                marks.join(ContentSet.Register(isMember: isFavorite, changed: changed), of: md5)
            }
        }
        guard !isOverLimit else { throw .document(.favorites, .damaged) }
    }

    package var bytes: ByteBuffer {
        var document = Document(version: Self.version, favorites: [:], removed: [:])
        for (md5, register) in marks.registers {
            if register.isMember {
                document.favorites[md5.description] = register.changed.text
            } else {
                document.removed[md5.description] = register.changed.text
            }
        }
        return ByteBuffer(sortedJSON: document)
    }
}
