import HTTPTypes
import HummingbirdTesting
import PhotolalaTesting
import Synchronization
import Testing
import UseCases

/// Pages of accounts and instances that have much to do.
@Suite struct BusyPagesTests {
    private static func md5(_ index: Int) -> String { String(repeating: "\(index + 1)", count: 32) }

    @Test("the first page of an album on an instance without anything in memory is shown")
    func firstPage() async throws {
        let first = try await TestService.make()
        let (cookies, album) = try await first.exchangeReturning { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(first, as: "bob")
            try await LibraryPagesTests.putCatalog(
                "path,md5,size,modified,taken,type\na.jpg,\(Self.md5(0)),5,2024-01-02T03:04:05Z,,image/jpeg\n",
                try await LibraryPagesTests.user(first), first)
            let created = try await bob.post("/library/albums", "name=Rome")
            let path = try #require(created.headers[.location])
            _ = try await bob.post("/library/albums/add", "target=\(path.suffix(16))&\(Self.md5(0))=1")
            _ = try await bob.post("/library/favorites", "favorite=1&\(Self.md5(0))=1")
            return (bob.cookies, path)
        }
        // Several requests of one browser, each of which reads the library, the album and both marks.
        for paths in [[album], [album, "/library", "/library/albums"]] {
            let second = try await TestService.make(store: first.store, clock: first.clock)
            try await second.exchange { http in
                let statuses = try await withThrowingTaskGroup(of: (String, Int).self) { tasks in
                    for path in paths {
                        tasks.addTask {
                            var bob = PortalVisitor(http, cookies: cookies)
                            return (path, try await bob.send(.get, path).status.code)
                        }
                    }
                    return try await tasks.reduce(into: [:]) { $0[$1.0] = $1.1 }
                }
                #expect(statuses == Dictionary(uniqueKeysWithValues: paths.map { ($0, 200) }))
            }
        }
    }

    @Test("a page over a limit keeps the navigation and names the time to wait")
    func refusal() async throws {
        let service = try await TestService.withFewCalls()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            var refused = try await bob.send(.get, "/library")
            while refused.status == .ok { refused = try await bob.send(.get, "/library") }
            let page = String(buffer: refused.body)
            let seconds = try #require(refused.headers[.retryAfter])
            let refresh = try #require(HTTPField.Name("Refresh"))
            #expect(refused.status == .tooManyRequests && seconds == "3" && refused.headers[refresh] == "3")
            #expect(page.contains("One moment"))
            #expect(page.contains("Too many requests. This page opens by itself in 3 seconds."))
            #expect(page.contains(#"<nav class="rail""#) && page.contains(#"href="/library/albums""#))
            #expect(!page.contains("account-menu"))
            let script = try await bob.send(
                .get, "/library", headers: [.accept: "application/json"])
            #expect(String(buffer: script.body).contains("Try again in 3 seconds."))
            #expect(script.headers[.retryAfter] == "3" && script.headers[refresh] == nil)
            var stranger = PortalVisitor(http)
            #expect(!String(buffer: try await stranger.send(.get, "/library").body).contains("rail"))
        }
    }
}

extension TestService {
    /// Runs a closure against this service's router and returns its result.
    fileprivate func exchangeReturning<Value: Sendable>(
        _ act: @escaping @Sendable (HTTPExchange) async throws -> Value
    ) async throws -> Value {
        let result = Mutex<Value?>(nil)
        try await exchange { http in
            let value = try await act(http)
            result.withLock { $0 = value }
        }
        return try #require(result.withLock { $0 })
    }
}
