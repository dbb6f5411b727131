import Foundation
import HTTPTypes
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// The options of shared links over HTTP, and their limits.
@Suite struct SharedLinkOptionTests {
    private static func change(
        _ title: String, expiresAt: Date? = nil, password: String? = nil, removes: Bool? = nil
    ) -> SharedLinkChange {
        SharedLinkChange(
            title: title, expiresAt: expiresAt, password: password, removesPassword: removes, allowsDownloads: false,
            includesLocation: true)
    }

    @Test func `a password stays, is replaced, and is removed`() async throws {
        try await SharedLinkRouteTests.with { fixture in
            let link = try await fixture.created(password: "correct horse")
            #expect(link.hasPassword)
            func opens(_ password: String) async throws -> Bool {
                let response = try await fixture.http.send(
                    .post, String(link.address.dropFirst(TestService.publicURL.count)),
                    json: "password=\(password.replacingOccurrences(of: " ", with: "+"))",
                    headers: [.contentType: "application/x-www-form-urlencoded"])
                return response.status == .seeOther
            }
            let kept: ListedSharedLink = try fixture.http.answer(
                try await fixture.change(link.id, Self.change("Winter", removes: false)))
            #expect(kept.hasPassword && kept.title == "Winter" && !kept.allowsDownloads && kept.includesLocation)
            #expect(kept.address == link.address && kept.photos == 1)
            #expect(try await opens("correct horse"))
            // A new password counts also if the old one is to be removed.
            _ = try await fixture.change(link.id, Self.change("Winter", password: "battery staple", removes: true))
            #expect(try await !opens("correct horse"))
            #expect(try await opens("battery staple"))
            let open: ListedSharedLink = try fixture.http.answer(
                try await fixture.change(link.id, Self.change("Winter", removes: true)))
            #expect(!open.hasPassword)
            #expect(
                try await fixture.actions().prefix(4) == [
                    .sharedLinkChanged, .sharedLinkChanged, .sharedLinkChanged, .sharedLinkCreated,
                ])
        }
    }

    @Test func `invalid options are refused with a text that names them`() async throws {
        try await SharedLinkRouteTests.with { fixture in
            let link = try await fixture.created()
            let past = fixture.service.clock.now.addingTimeInterval(-1)
            let long = String(repeating: "x", count: 257)
            let refused = [
                ("title", try await fixture.create(title: " ")), ("title", try await fixture.create(title: long)),
                ("expiresAt", try await fixture.create(expiresAt: past)),
                ("password", try await fixture.create(password: "")),
                ("password", try await fixture.create(password: "1234567")),
                ("password", try await fixture.create(password: String(repeating: "x", count: 129))),
                ("album", try await fixture.create(photos: nil)),
                ("album", try await fixture.create(album: "0123456789abcdef")),
                ("album", try await fixture.create(photos: nil, album: "x")),
                ("photo", try await fixture.create(photos: [])), ("photos", try await fixture.create(photos: ["x"])),
                ("photo", try await fixture.create(photos: [String(repeating: "2", count: 32)])),
                ("title", try await fixture.change(link.id, Self.change(" "))),
                ("expiresAt", try await fixture.change(link.id, Self.change("x", expiresAt: past))),
                ("password", try await fixture.change(link.id, Self.change("x", password: "short"))),
            ]
            for (name, response) in refused {
                let problem = try fixture.http.problem(response)
                #expect(problem.status == 400 && problem.code == .invalidRequest)
                #expect(problem.detail.contains(name), "\(problem.detail)")
            }
            let album = try await fixture.create(photos: nil, album: "0123456789abcdef")
            #expect(album.status == .notFound)
            #expect(try await fixture.listed() == [link])
        }
    }

    @Test func `an expired link stays listed, and keeps its time when its title changes`() async throws {
        try await SharedLinkRouteTests.with { fixture in
            let end = fixture.service.clock.now.addingTimeInterval(60)
            let link: ListedSharedLink = try fixture.http.answer(try await fixture.create(expiresAt: end))
            fixture.service.clock.advance(by: 61)
            #expect(try await fixture.listed() == [link])
            let changed: ListedSharedLink = try fixture.http.answer(
                try await fixture.change(link.id, Self.change("Winter", expiresAt: link.expiresAt)))
            #expect(changed.title == "Winter" && changed.expiresAt == link.expiresAt)
        }
    }

    @Test func `an account has at most a hundred links`() async throws {
        try await SharedLinkRouteTests.with { fixture in
            for _ in 0..<100 {
                #expect(try await fixture.create().status == .ok)
                fixture.service.clock.advance(by: 1)
            }
            let problem = try fixture.http.problem(try await fixture.create())
            #expect(problem.status == 400 && problem.detail.contains("maximum number of shared links"))
            #expect(try await fixture.listed().count == 100)
        }
    }

    @Test func `a link to an album is listed with its id, also after the album was deleted`() async throws {
        try await SharedLinkRouteTests.with { fixture in
            let library = fixture.service.services.library
            let caller = try await fixture.service.caller(fixture.bob.session)
            let created = try await library.createAlbum(named: "Rome", caller: caller)
            guard case .named(let album) = created.naming else { throw ServiceError.notFound }
            let response = try await fixture.create(photos: nil, album: album.description)
            let link: ListedSharedLink = try fixture.http.answer(response)
            #expect(link.album == album.description && link.photos == nil)
            #expect(try await library.deleteAlbum(album, caller: caller))
            #expect(try await fixture.listed() == [link])
        }
    }
}
