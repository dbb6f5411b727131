import Foundation
import HTTPTypes
import HummingbirdTesting
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// Shared links over HTTP.
@Suite struct SharedLinkRouteTests {
    static let md5 = String(repeating: "1", count: 32)
    private static let unknown = "/links/\(String(repeating: "0", count: 32))"

    /// Bob, with one photo in his library.
    struct Fixture {
        let service: TestService
        let bob: SignedIn
        let http: HTTPExchange
        var token: String { bob.session.accessToken }

        func create(
            photos: [String]? = [md5], album: String? = nil, title: String = "Summer", expiresAt: Date? = nil,
            password: String? = nil
        ) async throws -> TestResponse {
            let new = NewSharedLink(
                album: album, photos: photos, title: title, expiresAt: expiresAt, password: password,
                allowsDownloads: true, includesLocation: false)
            return try await http.post("/links", new, token: token)
        }

        func created(password: String? = nil) async throws -> ListedSharedLink {
            try http.answer(try await create(password: password))
        }

        func change(_ id: String, _ change: SharedLinkChange) async throws -> TestResponse {
            let json = String(decoding: try WireJSON.encoder().encode(change), as: UTF8.self)
            return try await http.send(.put, "/links/\(id)", json: json, token: token)
        }

        /// The actions of the account's history, the newest first.
        func actions() async throws -> [AuditAction] {
            let path = "/users/\(bob.user.serviceUserID)/audit"
            let page: AuditPage = try http.answer(try await http.send(.get, path, token: token))
            return page.entries.map(\.act)
        }

        func listed() async throws -> [ListedSharedLink] {
            let answer: ListedSharedLinks = try http.answer(try await http.send(.get, "/links", token: token))
            return answer.links
        }
    }

    static func with(allowsSharing: Bool = true, _ test: @Sendable (Fixture) async throws -> Void) async throws {
        var options = TestService.Options()
        options.allowsSharing = allowsSharing
        let service = try await TestService.make(options)
        let bob = try await service.signUp(.apple, "bob")
        try await LibraryPagesTests.putCatalog(
            "path,md5,size,modified,taken,type\na.jpg,\(md5),5,2024-01-02T03:04:05Z,2013-05-17T10:00:00Z,image/jpeg\n",
            bob.user.serviceUserID, service)
        try await service.exchange { try await test(Fixture(service: service, bob: bob, http: $0)) }
    }

    @Test func `a link is created, listed, opened by its address, and deleted`() async throws {
        try await Self.with { fixture in
            let link = try await fixture.created()
            #expect(link.title == "Summer" && link.photos == 1 && link.album == nil && link.expiresAt == nil)
            #expect(!link.hasPassword && link.allowsDownloads && !link.includesLocation && !link.isDisabled)
            #expect(try await fixture.listed() == [link])
            #expect(link.address.hasPrefix("\(TestService.publicURL)/s/"))
            let path = String(link.address.dropFirst(TestService.publicURL.count))
            let page = try await fixture.http.send(.get, path)
            #expect(page.status == .ok && String(buffer: page.body).contains("Summer"))
            let deleted = try await fixture.http.send(.delete, "/links/\(link.id)", token: fixture.token)
            #expect(deleted.status == .noContent)
            #expect(try await fixture.http.send(.get, path).status == .notFound)
            #expect(try await fixture.listed() == [])
            #expect(try await fixture.actions().prefix(2) == [.sharedLinkDeleted, .sharedLinkCreated])
        }
    }

    @Test func `links require a session, and those of another account are not found`() async throws {
        try await Self.with { fixture in
            let link = try await fixture.created()
            let eve = try await fixture.service.signUp(.apple, "eve", device: 2).session.accessToken
            let change = #"{"title":"Eve","allowsDownloads":true,"includesLocation":true}"#
            let own = "/links/\(link.id)"
            for (method, path, json) in [
                (HTTPRequest.Method.get, "/links", nil), (.put, own, change), (.delete, own, nil),
                (
                    .post, "/links",
                    #"{"photos":["\#(Self.md5)"],"title":"x","allowsDownloads":true,"includesLocation":true}"#
                ),
            ] {
                let anyone = try await fixture.http.send(method, path, json: json)
                #expect(anyone.status == .unauthorized, "\(method) \(path)")
            }
            for path in [own, Self.unknown, "/links/\(link.id.uppercased())", "/links/x"] {
                #expect(try await fixture.http.send(.put, path, json: change, token: eve).status == .notFound)
                #expect(try await fixture.http.send(.delete, path, token: eve).status == .notFound)
            }
            let none: ListedSharedLinks = try fixture.http.answer(
                try await fixture.http.send(.get, "/links", token: eve))
            #expect(none.links.isEmpty)
            #expect(try await fixture.listed() == [link])
        }
    }

    @Test func `sharing that is off refuses every call`() async throws {
        try await Self.with(allowsSharing: false) { fixture in
            let change = SharedLinkChange(title: "x", expiresAt: nil, allowsDownloads: true, includesLocation: true)
            for response in [
                try await fixture.create(), try await fixture.http.send(.get, "/links", token: fixture.token),
                try await fixture.change(String(repeating: "0", count: 32), change),
                try await fixture.http.send(.delete, Self.unknown, token: fixture.token),
            ] {
                let problem = try fixture.http.problem(response)
                #expect(problem.status == 403 && problem.code == .notAllowed)
            }
        }
    }
}
