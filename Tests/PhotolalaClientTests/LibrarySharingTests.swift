import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing

/// Shared links of a library, against a scripted server.
@Suite struct LibrarySharingTests {
    private static let link = ListedSharedLink(
        id: String(repeating: "0", count: 32), address: "https://photos.example/s/x", title: "Summer", album: nil,
        photos: 1, createdAt: ClientFixture.start, expiresAt: nil, hasPassword: false, allowsDownloads: false,
        includesLocation: false, views: 0, isDisabled: false)

    private func with(
        _ script: [String: [FakeServer.Response]],
        _ test: (ClientFixture, PhotolalaLibrary) async throws -> Void
    ) async throws {
        let all = ["POST /auth/signin": [ClientFixture.signedInAnswer()]].merging(script) { $1 }
        try await ClientFixture.with(all) { fixture in
            let clock = fixture.clock
            let store = MemoryObjectStore { clock.now }
            let library = PhotolalaLibrary(
                session: try await fixture.signedIn(), stateFolder: fixture.folder.appending(path: "library").path,
                now: { clock.now }, sendReserved: noReservedUploads
            ) { _, _ throws(PhotolalaError) in store }
            try await test(fixture, library)
        }
    }

    private static func photo(_ number: Int, taken: String? = nil) throws -> LibraryPhoto {
        let md5 = String(repeating: "0", count: 28) + String(10_000 + number).suffix(4)
        let json = """
            {"path": "\(number).jpg", "md5": "\(md5)", "size": 1, "modified": "2026-01-01T00:00:00Z",
            "type": "image/jpeg"\(taken.map { ", \"taken\": \"\($0)\"" } ?? "")}
            """
        return try WireJSON.decoder().decode(LibraryPhoto.self, from: Data(json.utf8))
    }

    private func body(_ fixture: ClientFixture) throws -> NewSharedLink {
        guard case .bytes(let bytes) = fixture.server.requests("/links").last?.body else {
            throw PhotolalaError(code: .invalidRequest, detail: "no body")
        }
        return try WireJSON.decoder().decode(NewSharedLink.self, from: Data(bytes.readableBytesView))
    }

    @Test func `an album is shared by its name, with its title unless there is another`() async throws {
        try await with(["POST /links": [FakeServer.json(Self.link)]]) { fixture, library in
            let album = try await library.createAlbum(named: "Summer in Rome")
            let settings = SharedLinkSettings(password: "correct horse", allowsDownloads: true)
            #expect(try await library.shareAlbum("summer in ROME", settings) == Self.link)
            let sent = try body(fixture)
            #expect(sent.album == album.id && sent.photos == nil && sent.title == "Summer in Rome")
            #expect(sent.password == "correct horse" && sent.allowsDownloads && !sent.includesLocation)
            _ = try await library.shareAlbum(album.id, title: "Sea", settings)
            #expect(try body(fixture).title == "Sea")
            let unknown = await #expect(throws: PhotolalaError.self) {
                _ = try await library.shareAlbum("Oslo", settings)
            }
            #expect(unknown?.code == .notFound && fixture.server.requests("/links").count == 2)
        }
    }

    @Test func `each of a thousand photos is shared once, and one more is refused without a call`() async throws {
        try await with(["POST /links": [FakeServer.json(Self.link)]]) { fixture, library in
            let photos = try (0..<1000).map { try Self.photo($0) }
            _ = try await library.sharePhotos(photos + photos, title: "Summer", SharedLinkSettings())
            let sent = try body(fixture)
            #expect(sent.photos == photos.map(\.md5) && sent.album == nil)
            let refused = await #expect(throws: PhotolalaError.self) {
                _ = try await library.sharePhotos(
                    photos + [try Self.photo(1000)], title: "Summer", SharedLinkSettings())
            }
            #expect(refused?.code == .invalidRequest && fixture.server.requests("/links").count == 1)
        }
    }

    @Test(
        arguments: [
            (SharedLinkSettings(), 30), (SharedLinkSettings(expiry: .days(7)), 7),
            (SharedLinkSettings(expiry: .never), nil),
            (SharedLinkSettings(expiry: .at(ClientFixture.start.addingTimeInterval(86_400))), 1),
        ] as [(SharedLinkSettings, Int?)])
    func `a link ends after 30 days unless another time is chosen`(_ settings: SharedLinkSettings, days: Int?)
        async throws
    {
        try await with(["POST /links": [FakeServer.json(Self.link)]]) { fixture, library in
            _ = try await library.createAlbum(named: "Rome")
            let now = fixture.clock.now
            _ = try await library.shareAlbum("Rome", settings)
            let (inAlbum, start) = (try body(fixture).expiresAt, days == 1 ? ClientFixture.start : now)
            #expect(inAlbum == days.map { start.addingTimeInterval(Double($0) * 86_400) })
            _ = try await library.sharePhotos([try Self.photo(1)], title: "Summer", settings)
            #expect(try body(fixture).expiresAt == inAlbum)
        }
    }

    @Test func `photos without a title have their days in the given language`() async throws {
        try await with(["POST /links": [FakeServer.json(Self.link)]]) { fixture, library in
            let photos = try [("2024-05-15T23:30:00-05:00", 1), ("2024-01-16T00:10:00+09:00", 2)].map {
                try Self.photo($0.1, taken: $0.0)
            }
            let german = Locale(identifier: "de")
            _ = try await library.sharePhotos(photos, locale: german, SharedLinkSettings())
            #expect(try body(fixture).title == "16. Januar 2024 – 15. Mai 2024")
            _ = try await library.sharePhotos(photos.prefix(1), locale: Locale(identifier: "en"), SharedLinkSettings())
            #expect(try body(fixture).title == "May 15, 2024")
            _ = try await library.sharePhotos([try Self.photo(3)], locale: german, SharedLinkSettings())
            #expect(try body(fixture).title == "1. Januar 2026")
        }
    }

    @Test func `links are listed and revoked, and a lost answer to a creation is not repeated`() async throws {
        let path = "/links/\(Self.link.id)"
        let script = [
            "GET /links": [FakeServer.json(ListedSharedLinks(links: [Self.link]))],
            "DELETE \(path)": [FakeServer.nothing, FakeServer.problem(.notFound, 404)],
            "POST /links": [FakeServer.lost],
        ]
        try await with(script) { fixture, library in
            #expect(try await library.sharedLinks() == [Self.link])
            try await library.revokeSharedLink(Self.link.id)
            let gone = await #expect(throws: PhotolalaError.self) { try await library.revokeSharedLink(Self.link.id) }
            #expect(gone?.code == .notFound)
            let lost = await #expect(throws: PhotolalaError.self) {
                _ = try await library.sharePhotos([try Self.photo(1)], title: "Summer", SharedLinkSettings())
            }
            #expect(lost?.code == .outcomeUnknown && fixture.server.requests("/links").count == 2)
        }
    }
}
