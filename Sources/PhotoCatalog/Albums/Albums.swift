import JSONCoding
import NIOCore

/// A collection of photos with a name.
package struct Album: Sendable, Equatable {
    package let id: AlbumID
    package let name: AlbumName
    /// The contents of its photos, also of those that are in the trash.
    package let contents: Set<ContentDigest>
    /// The one of them that was chosen as cover; `nil` for the newest.
    package var cover: ContentDigest?
}

/// The albums of a library. Merging is a join: of a name, of a cover and of each photo the change with the larger Lamport
/// timestamp wins, and a deleted album stays deleted.
///
///     {"albums":{"0123456789abcdef":{"cover":{"chosen":"18@0a1b2c3d","photo":"d41d8cd98f00b204e9800998ecf8427e"},
///      "name":"Rome","named":"17@0a1b2c3d","removed":{},
///      "photos":{"17@0a1b2c3d":["d41d8cd98f00b204e9800998ecf8427e"]}}},"deleted":[],"version":1}
package struct Albums: LibraryDocument {
    package static let name = LibraryDocumentName.albums
    package static let sizeLimit = 8 << 20
    /// The maximum number of albums.
    private static let albumLimit = 1000
    /// The maximum number of photos that are or were in albums, in all albums together.
    private static let photoLimit = 200_000
    /// The maximum number of deleted albums.
    private static let deletedLimit = 20_000
    private static let version = 1

    private struct Cover: Sendable, Equatable {
        /// `nil` for the newest photo.
        var photo: ContentDigest?
        var chosen: LamportTimestamp

        /// Whether this choice wins. Of two with the same timestamp, the larger photo wins, and any over the newest.
        func wins(over other: Cover) -> Bool {
            guard chosen == other.chosen else { return chosen > other.chosen }
            guard let photo else { return false }
            return other.photo.map { photo > $0 } ?? true
        }
    }

    private struct State: Sendable, Equatable {
        var name: AlbumName
        var named: LamportTimestamp
        var photos = ContentSet()
        /// `nil` before the first choice. It stays while its photo is not in the album, which then shows the newest.
        var cover: Cover?

        mutating func join(_ other: State) {
            // Of two names with the same timestamp, the larger text wins.
            let isLater = other.named == named ? other.name.description > name.description : other.named > named
            if isLater { (name, named) = (other.name, other.named) }
            photos.join(other.photos)
            if let chosen = other.cover, cover.map({ chosen.wins(over: $0) }) ?? true { cover = chosen }
        }
    }

    private var states: [AlbumID: State] = [:]
    private var deleted: Set<AlbumID> = []

    package init() {}

    /// The albums, by name.
    package var all: [Album] {
        let order = states.map { id, state in (folded: state.name.folded, id: id) }
            .sorted { ($0.folded, $0.id) < ($1.folded, $1.id) }
        return order.compactMap { self[$0.id] }
    }

    /// Returns the names of the albums that have a content, by name.
    package func names(with md5: ContentDigest) -> [(id: AlbumID, name: AlbumName)] {
        states.filter { $0.value.photos.contains(md5) }.map { id, state in (id: id, name: state.name) }
            .sorted { ($0.name.folded, $0.id) < ($1.name.folded, $1.id) }
    }

    package subscript(id: AlbumID) -> Album? {
        states[id].map { state in
            let cover = state.cover?.photo.flatMap { state.photos.contains($0) ? $0 : nil }
            return Album(id: id, name: state.name, contents: state.photos.contents, cover: cover)
        }
    }

    /// Returns the albums with a name, or the one with an id if there are none. Devices that create albums at once may
    /// give them one name.
    package func ids(of text: String) -> [AlbumID] {
        let named = AlbumName(text).map(ids(named:)) ?? []
        return named.isEmpty ? AlbumID(text).flatMap { states[$0] != nil ? [$0] : nil } ?? [] : named
    }

    private func ids(named name: AlbumName) -> [AlbumID] {
        let folded = name.folded
        return states.filter { $0.value.name.folded == folded }.keys.sorted()
    }

    package var isOverLimit: Bool {
        states.count > Self.albumLimit || deleted.count > Self.deletedLimit
            || states.values.reduce(0) { $0 + $1.photos.count } > Self.photoLimit
    }

    /// The approximate size in memory, in bytes.
    package var bytesInMemory: Int {
        states.values.reduce(deleted.capacity * MemoryLayout<AlbumID>.stride) {
            $0 + $1.photos.bytesInMemory + AlbumName.maximumLength
        }
    }

    private func next(by device: DeviceTag) -> LamportTimestamp {
        let highest = states.values.reduce(0) {
            max($0, $1.named.counter, $1.photos.highestCounter, $1.cover?.chosen.counter ?? 0)
        }
        return .next(after: highest, by: device)
    }

    /// Creates an album with photos. Does nothing if it exists.
    /// - Throws: `albumNameTaken`
    package mutating func create(
        _ id: AlbumID, named name: AlbumName, with contents: Set<ContentDigest> = [], by device: DeviceTag
    ) throws(CatalogError) {
        guard states[id] == nil else { return }
        guard ids(named: name).isEmpty else { throw .albumNameTaken }
        let timestamp = next(by: device)
        var state = State(name: name, named: timestamp)
        state.photos.set(Dictionary(uniqueKeysWithValues: contents.map { ($0, true) }), at: timestamp)
        states[id] = state
    }

    /// Changes the name of an album.
    /// - Throws: `unknownAlbum`; `albumNameTaken` if another album has the name.
    package mutating func rename(_ id: AlbumID, to name: AlbumName, by device: DeviceTag) throws(CatalogError) {
        guard let state = states[id] else { throw .unknownAlbum }
        guard state.name != name else { return }
        guard ids(named: name).allSatisfy({ $0 == id }) else { throw .albumNameTaken }
        let timestamp = next(by: device)
        states[id]?.name = name
        states[id]?.named = timestamp
    }

    /// Adds photos to an album, or removes them from it. Changes without an effect are not recorded.
    /// - Returns: The number of contents that changed.
    /// - Throws: `unknownAlbum`
    package mutating func set(
        _ changes: [ContentDigest: Bool], in id: AlbumID, by device: DeviceTag
    ) throws(CatalogError) -> Int {
        guard states[id] != nil else { throw .unknownAlbum }
        let timestamp = next(by: device)
        return states[id]?.photos.set(changes, at: timestamp) ?? 0
    }

    /// Chooses a photo of an album as its cover, or with `nil` the newest one. A choice without an effect is not recorded.
    /// - Returns: Whether the album has the photo.
    /// - Throws: `unknownAlbum`
    package mutating func setCover(
        _ photo: ContentDigest?, of id: AlbumID, by device: DeviceTag
    ) throws(CatalogError) -> Bool {
        guard let state = states[id] else { throw .unknownAlbum }
        if let photo, !state.photos.contains(photo) { return false }
        if state.cover?.photo == photo { return true }
        let timestamp = next(by: device)
        states[id]?.cover = Cover(photo: photo, chosen: timestamp)
        return true
    }

    /// Adds photos to an album, or to another one that has its name; creates it if there is none. An album that was deleted
    /// stays deleted, photos that were removed stay removed, and a cover that was chosen stays.
    /// - Returns: Whether anything changed.
    @discardableResult
    mutating func fill(
        _ id: AlbumID, named name: AlbumName, with contents: Set<ContentDigest>, cover: ContentDigest? = nil,
        by device: DeviceTag
    ) -> Bool {
        guard !deleted.contains(id) else { return false }
        let known = states[id] != nil ? id : ids(named: name).first
        let timestamp = next(by: device)
        var state = known.flatMap { states[$0] } ?? State(name: name, named: timestamp)
        let new = contents.filter { state.photos.registers[$0] == nil }
        let isCovered = state.cover != nil || cover.map { !contents.contains($0) } ?? true
        if known != nil, new.isEmpty, isCovered { return false }
        state.photos.set(Dictionary(uniqueKeysWithValues: new.map { ($0, true) }), at: timestamp)
        if !isCovered { state.cover = Cover(photo: cover, chosen: timestamp) }
        states[known ?? id] = state
        return true
    }

    /// Deletes an album for good; its photos stay in the library.
    /// - Returns: Whether it existed.
    package mutating func delete(_ id: AlbumID) -> Bool {
        guard states.removeValue(forKey: id) != nil else { return false }
        deleted.insert(id)
        return true
    }

    /// Merges other albums into these. Associative, commutative and idempotent.
    package mutating func join(_ other: Albums) {
        deleted.formUnion(other.deleted)
        for (id, state) in other.states {
            if states[id] == nil { states[id] = state } else { states[id]?.join(state) }
        }
        for id in deleted { states[id] = nil }
    }
}

extension Albums {
    private struct Document: Codable {
        struct Cover: Codable {
            var photo: String?
            var chosen: String
        }

        struct Entry: Codable {
            var cover: Cover?
            var name: String
            var named: String
            /// The contents by the timestamp of their last change.
            var photos: [String: [String]]
            var removed: [String: [String]]
        }

        var version: Int
        var albums: [String: Entry]
        var deleted: [String]
    }

    package init(_ bytes: ByteBuffer) throws(CatalogError) {
        let document: Document
        do { document = try CompactJSON.decode(Document.self, from: Array(bytes.readableBytesView)) } catch {
            throw .document(.albums, .damaged)
        }
        guard document.version == Self.version else {
            throw .document(.albums, document.version > Self.version ? .newerVersion : .damaged)
        }
        for text in document.deleted {
            guard let id = AlbumID(text) else { throw .document(.albums, .damaged) }
            deleted.insert(id)
        }
        for (text, entry) in document.albums {
            guard let id = AlbumID(text), let name = AlbumName(entry.name), let named = LamportTimestamp(entry.named),
                !deleted.contains(id)
            else { throw .document(.albums, .damaged) }
            var state = State(name: name, named: named)
            for (isMember, changes) in [(true, entry.photos), (false, entry.removed)] {
                for (text, contents) in changes {
                    guard let changed = LamportTimestamp(text) else { throw .document(.albums, .damaged) }
                    for content in contents {
                        guard let md5 = ContentDigest(content) else { throw .document(.albums, .damaged) }
                        state.photos.join(ContentSet.Register(isMember: isMember, changed: changed), of: md5)
                    }
                }
            }
            if let cover = entry.cover {
                let photo = cover.photo.flatMap { ContentDigest($0) }
                guard let chosen = LamportTimestamp(cover.chosen), (photo == nil) == (cover.photo == nil) else {
                    throw .document(.albums, .damaged)
                }
                state.cover = Cover(photo: photo, chosen: chosen)
            }
            states[id] = state
        }
        guard !isOverLimit else { throw .document(.albums, .damaged) }
    }

    package var bytes: ByteBuffer {
        var document = Document(version: Self.version, albums: [:], deleted: deleted.sorted().map(\.description))
        for (id, state) in states {
            var entry = Document.Entry(
                cover: state.cover.map { Document.Cover(photo: $0.photo?.description, chosen: $0.chosen.text) },
                name: state.name.description, named: state.named.text, photos: [:], removed: [:])
            for (md5, register) in state.photos.registers.sorted(by: { $0.key < $1.key }) {
                if register.isMember {
                    entry.photos[register.changed.text, default: []].append(md5.description)
                } else {
                    entry.removed[register.changed.text, default: []].append(md5.description)
                }
            }
            document.albums[id.description] = entry
        }
        return ByteBuffer(sortedJSON: document)
    }
}
