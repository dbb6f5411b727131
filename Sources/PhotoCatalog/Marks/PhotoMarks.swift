import JSONCoding
import NIOCore

/// A mark that photos of a library have or do not have.
package protocol PhotoMark: Sendable {
    /// The document with the marks, whose name is also that of its member with the marked contents.
    static var document: LibraryDocumentName { get }
}

/// The photo is a favorite.
package enum FavoriteMark: PhotoMark {
    package static let document = LibraryDocumentName.favorites
}

/// The photo is hidden from the main timeline, which pages call archived.
package enum HiddenMark: PhotoMark {
    package static let document = LibraryDocumentName.hidden
}

/// Which photos of a library are favorites.
package typealias Favorites = PhotoMarks<FavoriteMark>
/// Which photos of a library are hidden.
package typealias HiddenPhotos = PhotoMarks<HiddenMark>

/// Which photos of a library have a mark.
///
///     {"favorites":{"d41d8cd98f00b204e9800998ecf8427e":"17@0a1b2c3d"},"removed":{},"version":1}
package struct PhotoMarks<Mark: PhotoMark>: LibraryDocument {
    package static var name: LibraryDocumentName { Mark.document }
    package static var sizeLimit: Int { 8 << 20 }
    /// The maximum number of contents that have or had the mark.
    private static var limit: Int { 100_000 }
    private static var version: Int { 1 }

    private var marks = ContentSet()

    package init() {}

    /// The contents with the mark.
    package var contents: Set<ContentDigest> { marks.contents }

    package var isOverLimit: Bool { marks.count > Self.limit }

    /// The approximate size in memory, in bytes.
    package var bytesInMemory: Int { marks.bytesInMemory }

    /// Returns whether the content has the mark.
    package func contains(_ md5: ContentDigest) -> Bool { marks.contains(md5) }

    /// Adds the mark to contents, or removes it. Changes without an effect are not recorded.
    /// - Returns: The number of contents that changed.
    @discardableResult
    package mutating func set(_ changes: [ContentDigest: Bool], by device: DeviceTag) -> Int {
        marks.set(changes, at: .next(after: marks.highestCounter, by: device))
    }

    /// Adds the mark to contents that never had it: from what it was removed, it stays removed.
    /// - Returns: The number of contents that changed.
    mutating func add(_ contents: Set<ContentDigest>, by device: DeviceTag) -> Int {
        let new = contents.filter { marks.registers[$0] == nil }
        return set(Dictionary(uniqueKeysWithValues: new.map { ($0, true) }), by: device)
    }

    /// Merges other marks into these. Associative, commutative and idempotent.
    package mutating func join(_ other: PhotoMarks) { marks.join(other.marks) }
}

extension PhotoMarks {
    /// The members of the document.
    private struct Member: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        static var version: Member { Member(stringValue: "version") }
        /// The timestamps of the contents with the mark.
        static var marked: Member { Member(stringValue: Mark.document.rawValue) }
        /// The timestamps of the contents from which it was removed.
        static var removed: Member { Member(stringValue: "removed") }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private struct Document: Codable {
        var marked: [String: String] = [:]
        var removed: [String: String] = [:]
        let version: Int

        init(version: Int) { self.version = version }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Member.self)
            version = try members.decode(Int.self, forKey: .version)
            marked = try members.decode([String: String].self, forKey: .marked)
            removed = try members.decode([String: String].self, forKey: .removed)
        }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: Member.self)
            try members.encode(version, forKey: .version)
            try members.encode(marked, forKey: .marked)
            try members.encode(removed, forKey: .removed)
        }
    }

    package init(_ bytes: ByteBuffer) throws(CatalogError) {
        let document: Document
        do { document = try CompactJSON.decode(Document.self, from: Array(bytes.readableBytesView)) } catch {
            throw .document(Self.name, .damaged)
        }
        guard document.version == Self.version else {
            throw .document(Self.name, document.version > Self.version ? .newerVersion : .damaged)
        }
        marks.reserveCapacity(document.marked.count + document.removed.count)
        for (isMarked, texts) in [(true, document.marked), (false, document.removed)] {
            for (name, text) in texts {
                guard let md5 = ContentDigest(name), let changed = LamportTimestamp(text) else {
                    throw .document(Self.name, .damaged)
                }
                marks.join(ContentSet.Register(isMember: isMarked, changed: changed), of: md5)
            }
        }
        guard !isOverLimit else { throw .document(Self.name, .damaged) }
    }

    package var bytes: ByteBuffer {
        var document = Document(version: Self.version)
        for (md5, register) in marks.registers {
            if register.isMember {
                document.marked[md5.description] = register.changed.text
            } else {
                document.removed[md5.description] = register.changed.text
            }
        }
        return ByteBuffer(sortedJSON: document)
    }
}
