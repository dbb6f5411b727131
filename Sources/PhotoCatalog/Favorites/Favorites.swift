import Foundation
import NIOCore

/// Which photos of a library are favorites: for each content, the last change. Merging two sets is a join: the change
/// with the larger Lamport timestamp wins.
///
///     {"favorites":{"d41d8cd98f00b204e9800998ecf8427e":"17@0a1b2c3d"},"removed":{},"version":1}
package struct Favorites: Sendable, Equatable {
    private struct Register: Sendable, Equatable {
        var isFavorite: Bool
        var changed: LamportTimestamp

        /// Whether this change wins. Of two with the same timestamp, the one that keeps the favorite wins.
        func wins(over other: Register) -> Bool {
            changed == other.changed ? isFavorite && !other.isFavorite : changed > other.changed
        }
    }

    private var registers: [ContentDigest: Register] = [:]

    /// The maximum number of contents that are or were favorites.
    static let limit = 100_000
    /// The maximum size of the document in bytes.
    static let sizeLimit = 8 << 20
    private static let version = 1

    package init() {}

    /// The contents that are favorites.
    package var contents: Set<ContentDigest> { Set(registers.filter(\.value.isFavorite).keys) }

    var count: Int { registers.count }

    /// The approximate size in memory, in bytes.
    package var bytesInMemory: Int { registers.capacity * MemoryLayout<(ContentDigest, Register)>.stride }

    private var highestCounter: UInt64 { registers.values.reduce(0) { max($0, $1.changed.counter) } }

    /// Returns whether the content is a favorite.
    package func contains(_ md5: ContentDigest) -> Bool { registers[md5]?.isFavorite ?? false }

    /// Makes contents favorites, or no favorites any more. Changes without an effect are not recorded.
    package mutating func set(_ changes: [ContentDigest: Bool], by device: DeviceTag) {
        let timestamp = LamportTimestamp.next(after: highestCounter, by: device)
        for (md5, isFavorite) in changes where contains(md5) != isFavorite {
            registers[md5] = Register(isFavorite: isFavorite, changed: timestamp)
        }
    }

    /// Merges other favorites into these. Associative, commutative and idempotent.
    package mutating func join(_ other: Favorites) {
        registers.merge(other.registers) { $1.wins(over: $0) ? $1 : $0 }
    }
}

extension Favorites {
    private struct Document: Codable {
        var version: Int
        /// The timestamps by content.
        var favorites: [String: String]
        var removed: [String: String]
    }

    /// Reads a document, which its owner can write.
    /// - Throws: `favoritesDamaged`, `favoritesOfNewerVersion`
    package init(_ bytes: ByteBuffer) throws(CatalogError) {
        let document: Document
        do { document = try JSONDecoder().decode(Document.self, from: Data(bytes.readableBytesView)) } catch {
            throw .favoritesDamaged
        }
        guard document.version == Self.version else {
            throw document.version > Self.version ? .favoritesOfNewerVersion : .favoritesDamaged
        }
        registers.reserveCapacity(document.favorites.count + document.removed.count)
        for (isFavorite, texts) in [(true, document.favorites), (false, document.removed)] {
            for (name, text) in texts {
                guard let md5 = ContentDigest(name), !text.isEmpty, let changed = LamportTimestamp(text) else {
                    throw .favoritesDamaged
                }
                let register = Register(isFavorite: isFavorite, changed: changed)
                if let known = registers[md5], !register.wins(over: known) { continue }
                registers[md5] = register
            }
        }
        guard count <= Self.limit else { throw .favoritesDamaged }
    }

    /// The document. Equal favorites have equal bytes.
    package var bytes: ByteBuffer {
        var document = Document(version: Self.version, favorites: [:], removed: [:])
        for (md5, register) in registers {
            if register.isFavorite {
                document.favorites[md5.description] = register.changed.text
            } else {
                document.removed[md5.description] = register.changed.text
            }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // A dictionary of texts is always encodable.
        return (try? encoder.encode(document)).map { ByteBuffer(bytes: $0) } ?? ByteBuffer()
    }
}
