import Foundation
import LibraryExport
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotoSync
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// Imports of an export into another account, with its albums and marks.
@Suite struct LibraryImportTests {
    private static func md5(_ number: Int) -> ContentDigest { ContentDigest(of: ByteBuffer(bytes: data(number))) }
    private static func data(_ number: Int) -> Data { Data("photo \(number)".utf8) }

    private static func file(_ document: some LibraryDocument) -> ExportFile {
        ExportFile(path: ExportPath.ownData(type(of: document).name.fileName), bytes: document.bytes)
    }

    /// An export of three photos and a trashed one: the first two are in albums, the second is a favorite, the third is
    /// hidden, and so is a photo that is not in the export.
    private func export() async throws -> ExportFixture {
        var fixture = try ExportFixture()
        for number in 1...4 { try await fixture.add("\(number).jpg", Self.data(number), isInTrash: number == 4) }
        var (hidden, favorites, albums) = (HiddenPhotos(), Favorites(), Albums())
        hidden.set([Self.md5(3): true, Self.md5(9): true, Self.md5(2): false], by: .none)
        favorites.set([Self.md5(2): true], by: .none)
        let (rome, oslo) = (try #require(AlbumName("Rome")), try #require(AlbumName("Oslo")))
        try albums.create(
            try #require(AlbumID("0123456789abcdef")), named: rome, with: [Self.md5(1), Self.md5(2)], by: .none)
        try albums.create(try #require(AlbumID("0123456789abcde0")), named: oslo, with: [Self.md5(9)], by: .none)
        fixture.documents = [Self.file(hidden), Self.file(favorites), Self.file(albums)]
        return fixture
    }

    private func run(_ fixture: ExportFixture, into store: any ObjectStore) async throws -> ImportSummary {
        let folder = try TemporaryFolder()
        let file = try await fixture.archive(in: folder)
        return try await LibraryImporter(store: store, user: .bob, device: .none, cache: nil, pause: .none)
            .run(from: file.path) { _ in }
    }

    private func catalogs(_ store: any ObjectStore) -> CatalogStore {
        CatalogStore(store: store, user: .bob, pause: .none)
    }

    @Test("albums, favorites and hidden photos are taken over, and what is changed since stays so")
    func takenOver() async throws {
        let (fixture, store) = (try await export(), FakeObjectStore())
        let first = try await run(fixture, into: store)
        #expect(first.documents == ImportedDocuments(hidden: 1, favorites: 1, albums: 1))
        let catalogs = catalogs(store)
        #expect(try await catalogs.hidden().contents == [Self.md5(3)])
        #expect(try await catalogs.favorites().contents == [Self.md5(2)])
        let albums = try await catalogs.albums().all
        #expect(albums.map(\.name.description) == ["Rome"] && albums[0].contents == [Self.md5(1), Self.md5(2)])

        try await catalogs.setHidden([Self.md5(3): false])
        try await catalogs.setFavorites([Self.md5(2): false, Self.md5(1): true])
        _ = try await catalogs.setPhotos([Self.md5(1): false], in: albums[0].id)
        let again = try await run(fixture, into: store)
        #expect(again.documents == ImportedDocuments() && again.photos.progress.restoredFiles == 0)
        #expect(try await catalogs.hidden().contents.isEmpty)
        #expect(try await catalogs.favorites().contents == [Self.md5(1)])
        #expect(try await catalogs.albums().all[0].contents == [Self.md5(2)])
        #expect(try await catalogs.deleteAlbum(albums[0].id))
        #expect(try await run(fixture, into: store).documents.albums == 0)
    }

    @Test("photos are hidden before they are uploaded, and albums wait for their photos")
    func stopped() async throws {
        let store = FakeObjectStore { verb, key in
            verb == "write" && key.contains("photos/") ? .denied("no") : nil
        }
        let summary = try await run(try await export(), into: store)
        #expect(summary.photos.ending == .stopped(.denied("no")))
        #expect(summary.documents == ImportedDocuments(hidden: 1))
        #expect(try await catalogs(store).hidden().contents == [Self.md5(3)])
    }

    @Test("an export that does not say which photos are hidden changes nothing")
    func unreadable() async throws {
        var fixture = try await export()
        fixture.documents[0] = ExportFile(path: fixture.documents[0].path, bytes: ByteBuffer(string: "{"))
        let store = FakeObjectStore()
        await #expect(throws: LibraryImportError.hiddenUnreadable) { try await run(fixture, into: store) }
        #expect(store.count("write", "") == 0 && store.count("put", "") == 0)
    }

    @Test("unreadable albums and favorites are problems, and the photos are imported")
    func problems() async throws {
        var fixture = try await export()
        for index in 1...2 {
            fixture.documents[index] = ExportFile(
                path: fixture.documents[index].path, bytes: ByteBuffer(string: #"{"version":2}"#))
        }
        let store = FakeObjectStore()
        let summary = try await run(fixture, into: store)
        #expect(summary.photos.progress.restoredFiles == 4 && summary.documents.hidden == 1)
        #expect(summary.documents.problems.map(\.path) == ["favorites", "albums"])
    }

    @Test("an account whose hidden photos cannot be read gets no photos")
    func damagedAccount() async throws {
        let store = FakeObjectStore()
        _ = try await store.memory.put(
            ObjectKey(known: StorageLayout.hidden(.bob)), ByteBuffer(string: "{"), if: .always)
        let fixture = try await export()
        await #expect(throws: CatalogError.document(.hidden, .damaged)) { try await run(fixture, into: store) }
        #expect(store.count("write", "photos/") == 0)
    }
}
