import Foundation
import HTTPTypes
import HummingbirdTesting
import PhotolalaTesting
import Testing

/// What the scripts need that send changes which were made without a connection.
@Suite struct OfflineChangesTests {
    private static func md5(_ digit: Int) -> String { String(repeating: "\(digit)", count: 32) }

    private func with(_ test: @Sendable (inout PortalVisitor) async throws -> Void) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let rows = (1...2).map {
                "\($0).jpg,\(Self.md5($0)),5,2024-01-02T03:04:05Z,201\($0)-05-17T10:00:00Z,image/jpeg\n"
            }
            try await LibraryPagesTests.putCatalog(
                "path,md5,size,modified,taken,type\n\(rows.joined())", try await LibraryPagesTests.user(service),
                service)
            try await test(&bob)
        }
    }

    /// Sends a form as a page's script.
    private func send(_ path: String, _ fields: String, _ bob: inout PortalVisitor) async throws -> TestResponse {
        let token = try await bob.formToken()
        return try await bob.send(
            .post, path, json: "form_token=\(token)&\(fields)",
            headers: [.contentType: "application/x-www-form-urlencoded", .accept: "application/json"])
    }

    private struct Answer: Decodable { let missing: Int, page: String }

    private func answer(_ response: TestResponse) throws -> Answer {
        #expect(response.status == .ok)
        return try JSONDecoder().decode(Answer.self, from: Data(buffer: response.body))
    }

    private func missing(_ response: TestResponse) throws -> Int { try answer(response).missing }

    @Test("a script gets the number of missing photos, repeats a change, and learns that an album was deleted")
    func answers() async throws {
        try await with { bob in
            for photos in ["\(Self.md5(1))=1", "\(Self.md5(1))=1", "\(Self.md5(1))=1&\(Self.md5(3))=1"] {
                let sent = try await send("/library/favorites", "favorite=1&\(photos)", &bob)
                #expect(try missing(sent) == (photos.contains(Self.md5(3)) ? 1 : 0))
            }
            #expect(PortalVisitor.shown(try await bob.page("/library/favorites")) == [1])
            let created = try await bob.post("/library/albums", "name=Lake")
            let album = try #require(created.headers[.location]?.split(separator: "=").last)
            let fields = "target=\(album)&\(Self.md5(2))=1&\(Self.md5(4))=1"
            #expect(try missing(try await send("/library/albums/add", fields, &bob)) == 1)
            #expect(PortalVisitor.shown(try await bob.page("/library?album=\(album)")) == [2])
            #expect(try missing(try await send("/library/albums/remove", fields, &bob)) == 1)
            #expect(PortalVisitor.shown(try await bob.page("/library?album=\(album)")) == [])
            _ = try await bob.post("/library/albums/delete", "album=\(album)&confirmed=1")
            for act in ["add", "remove"] {
                let refused = try await send("/library/albums/\(act)", fields, &bob)
                #expect(refused.status == .notFound && refused.headers[.contentType] == "application/json", "\(act)")
            }
        }
    }

    @Test("a script gets the page to which a browser is redirected, the same for a change that is sent again")
    func pages() async throws {
        try await with { bob in
            let created = try await bob.post("/library/albums", "name=Lake")
            let album = try #require(created.headers[.location]?.split(separator: "=").last)
            let photo = "\(Self.md5(1))=1&from=0&near=\(Self.md5(2))"
            for (path, fields) in [
                ("/library/favorites", "favorite=1&\(photo)"), ("/library/favorites", "favorite=0&\(photo)"),
                ("/library/favorites", "favorite=1&page=photo&\(photo)"),
                ("/library/albums/add", "target=\(album)&\(photo)"),
                ("/library/albums/remove", "album=\(album)&\(photo)"),
            ] {
                let first = try answer(try await send(path, fields, &bob)).page
                #expect(first.hasPrefix("/library"), "\(fields)")
                let isReported = try await bob.page(first).contains(#"id="done""#)
                #expect(isReported != fields.contains("page=photo"), "\(fields)")
                let again = try await bob.post(path, fields)
                #expect(again.status == .seeOther, "\(fields)")
                // Only the number of photos that it changed differs.
                let number = /=[01](?=&target|$)/
                #expect(again.headers[.location]?.replacing(number, with: "") == first.replacing(number, with: ""))
            }
        }
    }

    @Test("the page that asks for an album keeps its choice, and no other form of one step does")
    func question() async throws {
        try await with { bob in
            let created = try await bob.post("/library/albums", "name=Lake")
            let album = try #require(created.headers[.location]?.split(separator: "=").last)
            let page = String(buffer: try await bob.post("/library/albums/add", "\(Self.md5(1))=1").body)
            let library = try await bob.page("/library")
            let account = try #require(library.firstMatch(of: /data-account="([0-9a-f]{16})"/)?.1)
            #expect(page.contains("data-mode=\"\" ") && page.contains("data-account=\"\(account)\""))
            #expect(page.contains("/offline.js\"></script>") && page.contains("id=\"cancel\""))
            #expect(!(try await bob.page("/library/albums/edit?album=\(album)").contains(#"id="offline""#)))
        }
    }

    @Test("pages name the account for which the worker keeps them, and the page of missing pages does not")
    func account() async throws {
        try await with { bob in
            let permit = try #require(HTTPField.Name("Photolala-Offline"))
            let owner = try #require(try await bob.send(.get, "/library").headers[permit]?.split(separator: "/").first)
            for path in [
                "/library", "/library/photo?id=\(Self.md5(1))&list=photos", "/library/albums", "/library/trash",
            ] {
                #expect(try await bob.page(path).contains("data-account=\"\(owner)\""), "\(path)")
            }
            #expect(!(try await bob.page("/library/offline").contains("data-account")))
        }
    }

    @Test("the worker of account pages works below them, connects to its server only, and needs no session")
    func accountWorker() async throws {
        try await TestService.make().exchange { http in
            let worker = try await http.send(.get, "/account/service_worker.js")
            #expect(worker.status == .ok && worker.headers[.contentType] == "text/javascript; charset=utf-8")
            #expect(worker.headers[try #require(HTTPField.Name("Service-Worker-Allowed"))] == "/account")
            #expect(worker.headers[.contentSecurityPolicy] == "default-src 'none'; connect-src 'self'")
            #expect(worker.headers[.cacheControl] == "no-cache")
            let script = String(buffer: worker.body)
            #expect(!script.contains(".put(") && !script.contains("caches.open"), "it keeps nothing")
        }
    }
}
