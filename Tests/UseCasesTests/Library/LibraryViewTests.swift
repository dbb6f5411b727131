import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import UseCases

/// What pages show of a library: favorites, hidden photos and what a search finds.
@Suite struct LibraryViewTests {
    private static let jpeg =
        [UInt8]([0xff, 0xd8, 0xff, 0xe0, 0, 16]) + Array("JFIF".utf8) + [UInt8](repeating: 7, count: 90)
    private static let vocabulary = SearchVocabulary(months: [:], kinds: [:], connectives: [])

    private func md5(_ seed: UInt8) -> ContentDigest { ContentDigest(of: ByteBuffer(bytes: Self.jpeg + [seed])) }

    private func query(_ text: String = "", isFavorite: Bool = false, isHidden: Bool = false) throws -> LibraryQuery {
        try LibraryQuery(.photos, text: text, isFavorite: isFavorite, isHidden: isHidden, Self.vocabulary)
    }

    private func with(_ photos: [UInt8: String], _ test: (TestService, Caller) async throws -> Void) async throws {
        let service = try await TestService.make()
        let caller = try await service.caller(try await service.signUp(.apple, "bob").session)
        try await add(photos, to: service, caller)
        try await test(service, caller)
    }

    private func add(_ photos: [UInt8: String], to service: TestService, _ caller: Caller) async throws {
        for seed in photos.keys {
            let key = ObjectKey(known: StorageLayout.photo(caller.user, md5: "\(md5(seed))"))
            _ = try await service.store.put(key, ByteBuffer(bytes: Self.jpeg + [seed]), if: .always)
        }
        let new = photos.map { NewPhoto(path: $1, md5: "\(md5($0))", modifiedAt: service.clock.now) }
        let added = try await service.services.libraryUploads.addPhotos(NewPhotos(photos: new), caller: caller)
        #expect(added.photos.allSatisfy { $0 == .added })
    }

    @Test func `a search shows what it finds, and the next one what was added since`() async throws {
        try await with([1: "beach/a.jpg", 2: "b.jpg"]) { service, caller in
            let library = service.services.library
            let first = try await library.view(try query("beach"), caller: caller)
            #expect(first.timeline.photos.map(\.md5) == [md5(1)])
            try await add([3: "beach/c.jpg"], to: service, caller)
            let second = try await library.view(try query("beach"), caller: caller)
            #expect(Set(second.timeline.photos.map(\.md5)) == [md5(1), md5(3)] && second.name != first.name)
            await #expect(throws: ServiceError.preconditionFailed) {
                _ = try await library.view(try query("beach"), named: first.name, caller: caller)
            }
        }
    }

    @Test func `a view that a page showed needs no request, also beside another search`() async throws {
        try await with([1: "a.jpg", 2: "b.jpg"]) { service, caller in
            let library = service.services.library
            let whole = try await library.view(try query(), caller: caller)
            let found = try await library.view(try query("b"), caller: caller)
            _ = service.store.drainRequests()
            #expect(
                try await library.view(try query("b"), named: found.name, caller: caller).timeline.photos.count == 1)
            #expect(
                try await library.view(try query(), named: whole.name, caller: caller).timeline.photos.count == 2)
            #expect(service.store.drainRequests().isEmpty)
        }
    }

    @Test func `favorites change the name of their own view only`() async throws {
        try await with([1: "a.jpg", 2: "b.jpg"]) { service, caller in
            let library = service.services.library
            let empty = try await library.view(try query(isFavorite: true), caller: caller)
            #expect(empty.timeline.photos.isEmpty)
            let whole = try await library.view(try query(), caller: caller)
            #expect(try await library.setFavorite(true, of: [md5(2), md5(9)], caller: caller) == 1)
            #expect(try await library.setFavorite(true, of: [md5(2)], caller: caller) == 0)
            let favorites = try await library.view(try query(isFavorite: true), caller: caller)
            #expect(favorites.timeline.photos.map(\.md5) == [md5(2)] && favorites.name != empty.name)
            let marked = try await library.view(try query(), caller: caller)
            #expect(
                marked.name == whole.name && marked.favorites.contains(md5(2)) && !marked.favorites.contains(md5(1)))
            #expect(try await library.setFavorite(false, of: [md5(1), md5(2)], caller: caller) == 1)
            #expect(try await library.view(try query(isFavorite: true), caller: caller).timeline.photos.isEmpty)
        }
    }

    @Test func `a damaged list of favorites hides no photos, and is reported where it is needed`() async throws {
        try await with([1: "a.jpg"]) { service, caller in
            let key = ObjectKey(known: StorageLayout.favorites(caller.user))
            _ = try await service.store.put(key, ByteBuffer(string: "{"), if: .absent)
            let library = service.services.library
            #expect(try await library.view(try query(), caller: caller).timeline.photos.count == 1)
            await #expect(throws: ServiceError.catalogDamaged("\(CatalogError.document(.favorites, .damaged))")) {
                _ = try await library.view(try query(isFavorite: true), caller: caller)
            }
            await #expect(throws: ServiceError.catalogDamaged("\(CatalogError.document(.favorites, .damaged))")) {
                _ = try await library.setFavorite(true, of: [md5(1)], caller: caller)
            }
            #expect(try await service.store.get(key)?.bytes == ByteBuffer(string: "{"))
        }
    }

    @Test func `hidden photos are only in the archive, searches and favorites`() async throws {
        try await with([1: "a.jpg", 2: "b.jpg", 3: "c.jpg"]) { service, caller in
            let library = service.services.library
            let whole = try await library.view(try query(), caller: caller)
            #expect(try await library.setHidden(true, of: [md5(2), md5(9)], caller: caller) == 1)
            #expect(try await library.setFavorite(true, of: [md5(2)], caller: caller) == 1)
            let shown = try await library.view(try query(), caller: caller)
            #expect(Set(shown.timeline.photos.map(\.md5)) == [md5(1), md5(3)] && shown.name != whole.name)
            #expect(shown.timeline.months.map(\.photos.count) == [2] && shown.hidden.contains(md5(2)))
            for other in [try query(isHidden: true), try query("b"), try query(isFavorite: true)] {
                let view = try await library.view(other, caller: caller)
                #expect(view.timeline.photos.map(\.md5) == [md5(2)], "\(other)")
            }
            #expect(
                try await library.showLibrary(caller).files(of: [md5(2)], in: .photos).map(\.path.name) == ["b.jpg"])
            #expect(try await library.view(try query(), named: whole.name, caller: caller).timeline.photos.count == 3)
            _ = try await library.view(try query(), caller: caller)
            _ = service.store.drainRequests()
            #expect(try await library.view(try query(), named: shown.name, caller: caller).timeline.photos.count == 2)
            #expect(service.store.drainRequests().isEmpty)
            #expect(try await library.setHidden(false, of: [md5(2)], caller: caller) == 1)
            #expect(try await library.view(try query(), caller: caller).timeline.photos.count == 3)
        }
    }

    @Test func `a damaged list of hidden photos hides no photos, and is reported in the archive`() async throws {
        try await with([1: "a.jpg"]) { service, caller in
            let key = ObjectKey(known: StorageLayout.hidden(caller.user))
            _ = try await service.store.put(key, ByteBuffer(string: "{"), if: .absent)
            let library = service.services.library
            #expect(try await library.view(try query(), caller: caller).timeline.photos.count == 1)
            let error = ServiceError.catalogDamaged("\(CatalogError.document(.hidden, .damaged))")
            await #expect(throws: error) { _ = try await library.view(try query(isHidden: true), caller: caller) }
            await #expect(throws: error) { _ = try await library.setHidden(true, of: [md5(1)], caller: caller) }
            #expect(try await service.store.get(key)?.bytes == ByteBuffer(string: "{"))
        }
    }

    @Test func `a search of more than 16 words or 600 bytes is rejected`() throws {
        _ = try query(Array(repeating: "a", count: 16).joined(separator: " "))
        #expect(throws: ServiceError.self) { try query(Array(repeating: "a", count: 17).joined(separator: " ")) }
        _ = try query(String(repeating: "a", count: 600))
        #expect(throws: ServiceError.self) { try query(String(repeating: "a", count: 601)) }
    }
}
