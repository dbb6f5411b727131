import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import UseCases

/// The names under which an account's photos are found.
@Suite struct LibraryNamesTests {
    private static let jpeg =
        [UInt8]([0xff, 0xd8, 0xff, 0xe0, 0, 16]) + Array("JFIF".utf8) + [UInt8](repeating: 7, count: 90)

    private func md5(_ seed: UInt8) -> ContentDigest { ContentDigest(of: ByteBuffer(bytes: Self.jpeg + [seed])) }

    /// Runs a test with a library of photos 1 to 3.
    private func with(_ test: (TestService, Caller) async throws -> Void) async throws {
        let service = try await TestService.make()
        let caller = try await service.caller(try await service.signUp(.apple, "bob").session)
        try await add(1...3, service, caller)
        try await test(service, caller)
    }

    private func add(_ seeds: ClosedRange<UInt8>, _ service: TestService, _ caller: Caller) async throws {
        for seed in seeds {
            let key = ObjectKey(known: StorageLayout.photo(caller.user, md5: "\(md5(seed))"))
            _ = try await service.store.put(key, ByteBuffer(bytes: Self.jpeg + [seed]), if: .always)
        }
        let new = seeds.map { NewPhoto(path: "\($0).jpg", md5: "\(md5($0))", modifiedAt: service.clock.now) }
        _ = try await service.services.libraryUploads.addPhotos(NewPhotos(photos: new), caller: caller)
    }

    @Test func `albums are named with the most photos first, and names change with each document`() async throws {
        try await with { service, caller in
            let library = service.services.library
            #expect(try await library.names(caller).albums.isEmpty)
            _ = try await library.createAlbum(named: "Oslo", with: [md5(1)], caller: caller)
            _ = try await library.createAlbum(named: "Rome", with: [md5(1), md5(2)], caller: caller)
            let names = try await library.names(caller)
            #expect(names.albums.map(\.name.description) == ["Rome", "Oslo"] && names.albums.map(\.count) == [2, 1])
            #expect(names.photos.count(of: .photo) == 3)
            try await add(4...4, service, caller)
            #expect(try await library.names(caller).photos.count(of: .photo) == 4)
            _ = try await library.setHidden(true, of: Set((1...4).map { md5($0) }), caller: caller)
            #expect(try await library.names(caller).photos.months.isEmpty)
            _ = try await library.moveToTrash([md5(1)], caller: caller)
            #expect(try await library.names(caller).albums.map(\.count) == [1, 0])
        }
    }

    @Test func `known names need three requests, which read nothing`() async throws {
        try await with { service, caller in
            let library = service.services.library
            _ = try await library.createAlbum(named: "Oslo", with: [md5(1)], caller: caller)
            let first = try await library.names(caller)
            _ = service.store.drainRequests()
            #expect(try await library.names(caller).version == first.version)
            #expect(service.store.drainRequests().count == 3)
        }
    }

    @Test func `another account has no names of this one`() async throws {
        try await with { service, caller in
            _ = try await service.services.library.createAlbum(named: "Oslo", with: [md5(1)], caller: caller)
            #expect(try await !service.services.library.names(caller).albums.isEmpty)
            let ann = try await service.caller(try await service.signUp(.apple, "ann").session)
            let names = try await service.services.library.names(ann)
            #expect(names.albums.isEmpty && names.photos.count(of: .photo) == 0 && names.photos.months.isEmpty)
        }
    }

    @Test func `unusable documents hide no photos and have no albums`() async throws {
        try await with { service, caller in
            for key in [StorageLayout.hidden(caller.user), StorageLayout.albums(caller.user)] {
                _ = try await service.store.put(ObjectKey(known: key), ByteBuffer(string: "{"), if: .absent)
            }
            let names = try await service.services.library.names(caller)
            #expect(names.albums.isEmpty && names.photos.count(of: .photo) == 3)
        }
    }
}
