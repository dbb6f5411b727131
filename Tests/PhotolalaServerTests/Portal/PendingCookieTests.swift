import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing

@testable import PhotolalaPortal
@testable import UseCases

/// Browsers silently drop a cookie of more than 4,096 bytes, and the sign-in would fail without a visible reason.
@Suite struct PendingCookieTests {
    /// The limit for name, value and attributes together.
    private static let most = 4096

    /// Returns an app's authorization request whose place has the maximum length.
    private func longestRequest() -> String {
        let challenge = Base64URL.encode(Data(SHA256.hash(data: Data(String(repeating: "v", count: 43).utf8))))
        let start =
            "response_type=code&client_id=\(AppExchange.web.id)&redirect_uri=https%3A%2F%2Fb.example%3A8443%2F"
            + "&code_challenge=\(challenge)&code_challenge_method=S256&state="
        let state = String(repeating: "s/", count: 512)
        return start + state + "&x=" + String(repeating: "%2F", count: (2048 - 10 - start.count - 1024 - 3) / 3)
    }

    @Test("a person without an account can create one from an app's longest request, and continues to the app")
    func longestRequestSurvives() async throws {
        let service = try await AppExchange.service()
        let place = "authorize?\(longestRequest())"
        #expect((2044...2048).contains(place.utf8.count))
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            let first = try await bob.send(.get, "/\(place)")
            #expect(first.status == .seeOther)
            let back = try await bob.signIn(service, as: "bob", from: try #require(first.headers[.location]))
            #expect(back.headers[.location] == "/no-account/google", "\(back.status) \(String(buffer: back.body))")
            let set = back.headers[values: .setCookie]
            #expect(set.contains { $0.hasPrefix("__Host-photolala-pending=") })
            #expect(set.allSatisfy { $0.utf8.count <= Self.most }, "\(set.map(\.utf8.count))")
            let page = String(buffer: try await bob.send(.get, "/no-account/google").body)
            let token = try #require(page.firstMatch(of: /name="form_token" value="([^"]+)"/)?.1)
            let mark = try #require(page.firstMatch(of: /name="pending" value="([^"]+)"/)?.1)
            let created = try await bob.send(
                .post, "/create-account", json: "form_token=\(token)&pending=\(mark)",
                headers: [.contentType: AppExchange.form])
            #expect(created.status == .seeOther && created.headers[.location] == "/\(place)")
            #expect(bob.cookies["__Host-photolala-pending"] == "" && bob.cookies["__Host-photolala-place"] == "")
            let asked = try await bob.send(.get, "/\(place)")
            #expect(asked.status == .ok && String(buffer: asked.body).contains("Example"))
        }
    }

    private func cookies(_ pending: PendingCookie) -> [String] {
        var response = Response(status: .ok)
        response.set(pending)
        return response.headers[values: .setCookie]
    }

    private func read(_ cookies: [String]) -> PortalCookies {
        let pairs = cookies.map { String($0.prefix { $0 != ";" }) }.joined(separator: "; ")
        let head = HTTPRequest(
            method: .get, scheme: "https", authority: "h", path: "/", headerFields: [.cookie: pairs])
        return PortalCookies(Request(head: head, body: .init(buffer: .init())))
    }

    @Test("the longest identity, provider, hints and place fit into cookies and are read unchanged")
    func limits() throws {
        let names = try (0..<12).map { number in
            try #require(ProviderName(String(repeating: "p", count: 30) + String(number + 10)))
        }
        let place = PageLocation.authorize(query: String(repeating: "~", count: 2048 - "authorize?".count))
        #expect(PageLocation("\(place)") == place)
        let identity = UnknownIdentity(
            provider: names[0], pendingIdentity: String(repeating: "s", count: Browser.maximumPendingIdentityLength),
            expiresAt: .distantFuture, hints: names)
        let written = cookies(PendingCookie(identity, to: place))
        #expect(written.count == 2 && written.allSatisfy { $0.utf8.count <= Self.most }, "\(written.map(\.utf8.count))")
        let pending = try #require(PendingCookie(read(written)))
        #expect(pending.provider == names[0] && pending.sealed == identity.pendingIdentity && pending.location == place)
        #expect(pending.hints == Array(names.prefix(8)))
        #expect(PendingCookie(read(written), for: names[1]) == nil)
    }

    @Test("a place that is malformed or belongs to another identity leads to the photos")
    func place() throws {
        func identity(_ sealed: String) -> UnknownIdentity {
            UnknownIdentity(provider: .google, pendingIdentity: sealed, expiresAt: .distantFuture, hints: [])
        }
        let one = cookies(PendingCookie(identity("k.AAAAAAAAAAAAAAAAAAAAAAAAAA"), to: .links))
        let two = cookies(PendingCookie(identity("k.BBBBBBBBBBBBBBBBBBBBBBBBBB"), to: .devices))
        #expect(PendingCookie(read(one))?.location == .links)
        #expect(PendingCookie(read([one[0], two[1]]))?.location == .library)
        #expect(PendingCookie(read([one[0]]))?.location == .library)
        #expect(PendingCookie(read([one[0], "\(one[1].prefix { $0 != ";" })!"]))?.location == .library)
        // The format of an earlier version.
        let earlier = "__Host-photolala-pending=google//k.AAAAAAAAAAAAAAAAAAAAAAAAAA/library"
        #expect(PendingCookie(read([earlier]))?.provider == .google)
    }

    @Test(
        "a malformed cookie is ignored",
        arguments: ["", "google", "google/x", "a/b/c/d/e", "../x/y", "EMAIL//x"])
    func malformed(_ value: String) {
        #expect(PendingCookie(read(["__Host-photolala-pending=\(value)"])) == nil)
    }
}
