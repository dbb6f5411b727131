import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import UseCases

@Suite struct AlbumServiceTests {
    private static let jpeg =
        [UInt8]([0xff, 0xd8, 0xff, 0xe0, 0, 16]) + Array("JFIF".utf8) + [UInt8](repeating: 7, count: 90)
    private static let vocabulary = SearchVocabulary(months: [:], kinds: [:], connectives: [])

    private func md5(_ seed: UInt8) -> ContentDigest { ContentDigest(of: ByteBuffer(bytes: Self.jpeg + [seed])) }

    private func query(_ album: AlbumID) throws -> LibraryQuery {
        try LibraryQuery(.photos, album: album, Self.vocabulary)
    }

    /// Runs a test with the photos 1, 2 and 3.
    private func with(_ test: (TestService, Caller) async throws -> Void) async throws {
        let service = try await TestService.make()
        let caller = try await service.caller(try await service.signUp(.apple, "bob").session)
        for seed in 1...3 as ClosedRange<UInt8> {
            let key = ObjectKey(known: StorageLayout.photo(caller.user, md5: "\(md5(seed))"))
            _ = try await service.store.put(key, ByteBuffer(bytes: Self.jpeg + [seed]), if: .always)
        }
        let new = (1...3 as ClosedRange<UInt8>).map {
            NewPhoto(path: "\($0).jpg", md5: "\(md5($0))", modifiedAt: service.clock.now)
        }
        _ = try await service.services.libraryUploads.addPhotos(NewPhotos(photos: new), caller: caller)
        try await test(service, caller)
    }

    private func create(_ name: String, _ photos: Set<ContentDigest> = [], _ service: TestService, _ caller: Caller)
        async throws -> AlbumID
    {
        let naming = try await service.services.library.createAlbum(named: name, with: photos, caller: caller).naming
        guard case .named(let id) = naming else { throw ServiceError.notFound }
        return id
    }

    @Test func `an album has the photos of the library that were added, and its view changes with it`() async throws {
        try await with { service, caller in
            let library = service.services.library
            let created = try await library.createAlbum(named: "Oslo", with: [md5(1), md5(9)], caller: caller)
            #expect(created.photos == 1)
            let rome = try await create("Rome", [md5(1), md5(9)], service, caller)
            let first = try await library.view(try query(rome), caller: caller)
            #expect(first.timeline.photos.map(\.md5) == [md5(1)] && first.album?.name.description == "Rome")
            #expect(try await library.setPhotos([md5(1), md5(2), md5(9)], areIn: true, rome, caller: caller) == 1)
            let second = try await library.view(try query(rome), caller: caller)
            #expect(Set(second.timeline.photos.map(\.md5)) == [md5(1), md5(2)] && second.name != first.name)
            await #expect(throws: ServiceError.preconditionFailed) {
                _ = try await library.view(try query(rome), named: first.name, caller: caller)
            }
            #expect(try await library.setPhotos([md5(1)], areIn: false, rome, caller: caller) == 1)
            let third = try await library.view(try query(rome), caller: caller)
            _ = service.store.drainRequests()
            #expect(
                try await library.view(try query(rome), named: third.name, caller: caller).timeline.photos.map(\.md5)
                    == [md5(2)])
            #expect(service.store.drainRequests().isEmpty)
        }
    }

    @Test func `albums are listed with the number of their photos and the newest`() async throws {
        try await with { service, caller in
            _ = try await create("rome", [md5(1), md5(2)], service, caller)
            _ = try await create("Oslo", [], service, caller)
            _ = try await service.services.library.moveToTrash([md5(1)], caller: caller)
            let albums = try await service.services.library.albums(caller)
            #expect(albums.map(\.album.name.description) == ["Oslo", "rome"] && albums.map(\.count) == [0, 1])
            #expect(albums.map(\.cover?.md5) == [nil, md5(2)])
        }
    }

    @Test func `the chosen cover is shown while the library has its photo`() async throws {
        try await with { service, caller in
            let library = service.services.library
            let rome = try await create("rome", [md5(1), md5(2)], service, caller)
            let newest = try #require(try await library.albums(caller).first?.cover?.md5)
            let chosen = newest == md5(1) ? md5(2) : md5(1)
            try await library.setCover(chosen, of: rome, caller: caller)
            #expect(try await library.albums(caller).first?.cover?.md5 == chosen)
            await #expect(throws: ServiceError.notFound) {
                try await library.setCover(md5(3), of: rome, caller: caller)
            }
            _ = try await library.moveToTrash([chosen], caller: caller)
            #expect(try await library.albums(caller).first?.cover?.md5 == newest)
            _ = try await library.restoreFromTrash([chosen], caller: caller)
            #expect(try await library.albums(caller).first?.cover?.md5 == chosen)
            try await library.setCover(nil, of: rome, caller: caller)
            #expect(try await library.albums(caller).first?.cover?.md5 == newest)
        }
    }

    @Test func `the albums of a photo are listed by name, with one request`() async throws {
        try await with { service, caller in
            let library = service.services.library
            let rome = try await create("rome", [md5(1), md5(2)], service, caller)
            let oslo = try await create("Oslo", [md5(1)], service, caller)
            _ = try await create("Bonn", [md5(2)], service, caller)
            let first = try await library.albums(with: md5(1), caller: caller)
            #expect(first.map(\.id) == [oslo, rome] && first.map(\.name.description) == ["Oslo", "rome"])
            #expect(try await library.setPhotos([md5(1)], areIn: false, oslo, caller: caller) == 1)
            #expect(try await library.albums(with: md5(1), caller: caller).map(\.id) == [rome])
            _ = service.store.drainRequests()
            #expect(try await library.albums(with: md5(3), caller: caller).isEmpty)
            #expect(service.store.drainRequests().count == 1)
        }
    }

    @Test func `albums are filled from folders, and a photo that was removed stays removed`() async throws {
        try await with { service, caller in
            let library = service.services.library
            let copies = (1...2 as ClosedRange<UInt8>).map {
                NewPhoto(path: "Google Photos/Albums/Rome/\($0).jpg", md5: "\(md5($0))", modifiedAt: service.clock.now)
            }
            _ = try await service.services.libraryUploads.addPhotos(NewPhotos(photos: copies), caller: caller)
            let folder = try #require(LibraryPath("Google Photos/Albums/Rome"))
            try await library.fillAlbums(from: [folder], caller: caller)
            let filled = try #require(try await library.albums(caller).first)
            #expect(filled.album.name.description == "Rome" && filled.count == 2)
            #expect(try await library.setPhotos([md5(1)], areIn: false, filled.album.id, caller: caller) == 1)
            try await library.fillAlbums(from: [folder], caller: caller)
            #expect(try await library.albums(caller).map(\.count) == [1])
        }
    }

    @Test func `a name that is taken or invalid changes nothing`() async throws {
        try await with { service, caller in
            let library = service.services.library
            let rome = try await create("Rome", [], service, caller)
            let oslo = try await create("Oslo", [], service, caller)
            #expect(try await library.createAlbum(named: " ROME ", caller: caller).naming == .nameTaken)
            #expect(try await library.createAlbum(named: "\n", caller: caller).naming == .invalidName)
            #expect(try await library.renameAlbum(oslo, to: "rome", caller: caller) == .nameTaken)
            #expect(try await library.renameAlbum(oslo, to: "", caller: caller) == .invalidName)
            #expect(try await library.renameAlbum(rome, to: "ROME", caller: caller) == .named(rome))
            #expect(try await library.albums(caller).map(\.album.name.description) == ["Oslo", "ROME"])
        }
    }

    @Test func `a deleted album is not found, and its photos stay`() async throws {
        try await with { service, caller in
            let library = service.services.library
            let rome = try await create("Rome", [md5(1)], service, caller)
            _ = try await library.view(try query(rome), caller: caller)
            #expect(try await library.deleteAlbum(rome, caller: caller))
            #expect(try await !library.deleteAlbum(rome, caller: caller))
            await #expect(throws: ServiceError.notFound) { _ = try await library.view(try query(rome), caller: caller) }
            await #expect(throws: ServiceError.notFound) { _ = try await library.album(rome, caller: caller) }
            await #expect(throws: ServiceError.notFound) {
                _ = try await library.setPhotos([md5(1)], areIn: true, rome, caller: caller)
            }
            await #expect(throws: ServiceError.notFound) {
                _ = try await library.renameAlbum(rome, to: "x", caller: caller)
            }
            #expect(try await library.showLibrary(caller).photos.photos.count == 3)
        }
    }

    @Test func `damaged albums hide no photos, and are reported where they are needed`() async throws {
        try await with { service, caller in
            let key = ObjectKey(known: StorageLayout.albums(caller.user))
            _ = try await service.store.put(key, ByteBuffer(string: "{"), if: .absent)
            let library = service.services.library
            let whole = try LibraryQuery(.photos, Self.vocabulary)
            #expect(try await library.view(whole, caller: caller).timeline.photos.count == 3)
            let damaged = ServiceError.catalogDamaged("\(CatalogError.document(.albums, .damaged))")
            await #expect(throws: damaged) { _ = try await library.albums(caller) }
            #expect(try await library.albums(with: md5(1), caller: caller).isEmpty)
            await #expect(throws: damaged) { _ = try await library.createAlbum(named: "Rome", caller: caller) }
            #expect(try await service.store.get(key)?.bytes == ByteBuffer(string: "{"))
        }
    }
}
