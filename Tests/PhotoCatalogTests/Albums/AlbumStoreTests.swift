import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog

@Suite("The stored albums") struct AlbumStoreTests {
    private static let key = ObjectKey(known: StorageLayout.albums(.bob))

    private func catalogs(_ store: any ObjectStore, device: UInt32 = 1) -> CatalogStore {
        CatalogStore(
            store: store, user: .bob, device: DeviceTag(value: device), pause: .none,
            randomness: .seeded(UInt64(device)))
    }

    private func name(_ text: String) throws -> AlbumName { try #require(AlbumName(text)) }

    @Test("albums are created, named, filled and deleted, and a change without an effect writes nothing")
    func changes() async throws {
        let store = FakeObjectStore()
        let catalogs = catalogs(store)
        #expect(try await catalogs.albums().all.isEmpty)
        let rome = try await catalogs.createAlbum(named: try name("Rome"), with: [.seeded(1)])
        await #expect(throws: CatalogError.albumNameTaken) { try await catalogs.createAlbum(named: name("rome")) }
        #expect(try await catalogs.setPhotos([.seeded(1): true, .seeded(2): true], in: rome) == 1)
        let written = try #require(try await store.memory.get(Self.key, limit: 1 << 20))
        #expect(try await catalogs.setPhotos([.seeded(2): true, .seeded(3): false], in: rome) == 0)
        try await catalogs.renameAlbum(rome, to: try name("Rome"))
        #expect(try await store.memory.get(Self.key, limit: 1 << 20) == written)
        try await catalogs.renameAlbum(rome, to: try name("Roma"))
        #expect(
            try await catalogs.album("roma") == Album(id: rome, name: name("Roma"), contents: [.seeded(1), .seeded(2)]))
        #expect(try await catalogs.deleteAlbum(rome))
        #expect(try await !catalogs.deleteAlbum(rome))
        await #expect(throws: SelectionError.unknownAlbum("Roma")) { try await catalogs.album("Roma") }
        await #expect(throws: CatalogError.unknownAlbum) { try await catalogs.setPhotos([.seeded(1): true], in: rome) }
    }

    @Test(
        "changes of two devices at once are both kept, and a lost response repeats nothing", arguments: [false, true])
    func concurrent(isLost: Bool) async throws {
        let rival = Mutex<CatalogStore?>(nil)
        let store = FakeObjectStore { verb, key in
            guard verb == "put", key == Self.key.description, let first = rival.withLock({ $0.take() }) else {
                return nil
            }
            if let oslo = AlbumName("Oslo") { _ = try? await first.createAlbum(named: oslo) }
            return isLost ? .outcomeUnknown("test") : nil
        }
        rival.withLock { $0 = catalogs(store.memory, device: 2) }
        let rome = try await catalogs(store).createAlbum(named: try name("Rome"), with: [.seeded(1)])
        let all = try await catalogs(store).albums().all
        #expect(all.map(\.name.description) == ["Oslo", "Rome"] && all.last?.id == rome)
    }

    @Test("a damaged document is never overwritten")
    func damaged() async throws {
        let store = FakeObjectStore()
        let text = ByteBuffer(string: "{")
        _ = try await store.memory.put(Self.key, text, if: .always)
        let damaged = CatalogError.document(.albums, .damaged)
        await #expect(throws: damaged) { try await catalogs(store).createAlbum(named: name("Rome")) }
        await #expect(throws: SelectionError.catalog(damaged)) { try await catalogs(store).album("Rome") }
        #expect(try await store.memory.get(Self.key, limit: 10)?.bytes == text)
    }

    @Test("a document that would exceed its limits is refused")
    func full() async throws {
        let catalogs = catalogs(FakeObjectStore())
        let rome = try await catalogs.createAlbum(named: try name("Rome"))
        let photos = Dictionary(
            uniqueKeysWithValues: (0..<200_001).map { (ContentDigest(high: 0, low: $0), true) })
        await #expect(throws: CatalogError.document(.albums, .full)) { try await catalogs.setPhotos(photos, in: rome) }
        #expect(try await catalogs.albums()[rome]?.contents.isEmpty == true)
    }

    @Test("the photos of an album are selected in library and trash, at all their paths")
    func selection() async throws {
        let catalogs = catalogs(FakeObjectStore())
        var version = try await catalogs.load()
        for (name, seed) in [("1.jpg", 1), ("2.jpg", 2), ("copy/2.jpg", 2), ("4.jpg", 4)] {
            version = try await catalogs.commit([.photo(name, seed: seed)], onto: version).version
        }
        version = try await catalogs.commit(
            [.trash(try #require(LibraryPath("4.jpg")), .seeded(4))], onto: version
        ).version
        let rome = try await catalogs.createAlbum(named: try name("Rome"), with: [.seeded(2), .seeded(4), .seeded(9)])
        var selection = PhotoSelection()
        selection.album = "ROME"
        #expect(try await catalogs.select(selection).entries.map(\.path.description) == ["2.jpg", "copy/2.jpg"])
        #expect(try await catalogs.select(selection) { $0.trash }.entries.map(\.path.name) == ["4.jpg"])
        let empty = try await catalogs.createAlbum(named: try name("Oslo"))
        selection.album = empty.description
        #expect(try await catalogs.select(selection).entries.isEmpty)
        selection.album = "Paris"
        await #expect(throws: SelectionError.unknownAlbum("Paris")) { try await catalogs.select(selection) }

        let albums = try await catalogs.albums()
        let timeline = Timeline(version.catalog.entries)
        let summaries = try await timeline.summaries(of: albums.all)
        #expect(summaries.map(\.album.id) == [empty, rome] && summaries.map(\.count) == [0, 1])
        #expect(try summaries.map { $0.cover?.md5 } == [nil, .seeded(2)])
    }

    @Test("albums are filled from folders, without bringing back what was deleted or removed")
    func fill() async throws {
        let store = FakeObjectStore()
        let catalogs = catalogs(store)
        var version = try await catalogs.load()
        func add(_ path: String, seed: Int) async throws {
            version = try await catalogs.commit([.photo(path, seed: seed)], onto: version).version
        }
        for (path, seed) in [("G/2023/1.jpg", 1), ("G/Albums/Rome/1.jpg", 1), ("G/Albums/Rome/2.jpg", 2)] {
            try await add(path, seed: seed)
        }
        try await add("G/Albums/Rome/deeper/3.jpg", seed: 3)
        try await add("G/Albums/Oslo/4.jpg", seed: 4)
        let folders = Set(
            try ["G/Albums/Rome", "G/Albums/Oslo", "G/Albums/Paris"].map { try #require(LibraryPath($0)) })
        // An album of the same name, which exists, gets the photos.
        let oslo = try await catalogs.createAlbum(named: try name("OSLO"))
        try await catalogs.fillAlbums(from: folders)
        let rome = try await catalogs.album("Rome")
        #expect(rome.contents == [try .seeded(1), try .seeded(2)])
        #expect(try await catalogs.albums().all.map(\.id) == [oslo, rome.id])
        #expect(try await catalogs.album("oslo").contents == [.seeded(4)])

        _ = try await catalogs.setPhotos([.seeded(1): false], in: rome.id)
        try await catalogs.renameAlbum(rome.id, to: try name("Roma"))
        let written = try await store.memory.get(Self.key, limit: 1 << 20)
        try await catalogs.fillAlbums(from: folders)
        #expect(try await store.memory.get(Self.key, limit: 1 << 20) == written)
        try await add("G/Albums/Rome/5.jpg", seed: 5)
        try await catalogs.fillAlbums(from: folders)
        #expect(try await catalogs.album("Roma").contents == [.seeded(2), .seeded(5)])
        _ = try await catalogs.deleteAlbum(rome.id)
        try await catalogs.fillAlbums(from: folders)
        #expect(try await catalogs.albums().all.map(\.id) == [oslo])
    }

    @Test("a picture is not trashed with a RAW file of an album that has the same content elsewhere")
    func companions() async throws {
        let catalogs = catalogs(FakeObjectStore())
        var version = try await catalogs.load()
        for (path, seed) in [("one/1.dng", 1), ("two/1.dng", 1), ("two/1.jpg", 2), ("3.jpg", 3), ("3.dng", 4)] {
            let entry = CatalogEntry(
                path: try #require(LibraryPath(path)), md5: try .seeded(seed), size: 5,
                modified: Timestamp(seconds: 1, nanoseconds: 0), type: path.hasSuffix("dng") ? .adobeDNG : .jpeg,
                media: MediaFacts())
            version = try await catalogs.commit([.add(entry, replacing: nil)], onto: version).version
        }
        _ = try await catalogs.createAlbum(named: try name("Rome"), with: [.seeded(1), .seeded(3)])
        try await catalogs.setFavorites([.seeded(1): true, .seeded(3): true])
        var (ofAlbum, ofFavorites) = (PhotoSelection(), PhotoSelection())
        ofAlbum.album = "Rome"
        ofFavorites.isFavorite = true
        for selection in [ofAlbum, ofFavorites] {
            let files = try await catalogs.select(selection).completed.map(\.path.description)
            #expect(files == ["3.dng", "3.jpg", "one/1.dng"])
        }
    }

    @Test("two albums of one name are told apart by their ids")
    func ambiguous() async throws {
        let (one, other) = (FakeObjectStore(), FakeObjectStore())
        let first = try await catalogs(one).createAlbum(named: try name("Rome"))
        let second = try await catalogs(other, device: 2).createAlbum(named: try name("Rome"))
        var both = try await catalogs(one).albums()
        both.join(try await catalogs(other).albums())
        _ = try await one.memory.put(Self.key, both.bytes, if: .always)
        let ids = [first, second].sorted()
        await #expect(throws: SelectionError.ambiguousAlbum("rome", ids)) { try await catalogs(one).album("rome") }
        #expect(try await catalogs(one).album(second.description).id == second)
    }
}
