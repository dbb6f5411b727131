import AppStore
import Crypto
import Foundation
import HTTPTypes
import JSONCoding
import JWS
import PhotolalaAPI
import PhotolalaTesting
import Subscriptions
import Testing

/// Tests the App Store Server API client against a server that answers like Apple's.
@Suite struct AppStoreServerClientTests {
    let clock = TestClock()
    let store: TestAppStore
    let key = P256.Signing.PrivateKey()
    let id: SubscriptionID

    init() throws {
        store = try TestAppStore(clock: clock)
        id = try #require(SubscriptionID(.sandbox, "1000"))
    }

    private func client(
        _ transport: StubTransport, bundleIDs: [String] = [TestAppStore.bundleID]
    ) throws -> AppStoreServerClient {
        AppStoreServerClient(
            verifier: try store.verifier(),
            key: try #require(
                AppStoreKey(
                    issuerID: "57246542-96fe-1a63-e053-0824d011072a", keyID: "2X9R4HXF34",
                    privateKey: key.pemRepresentation.replacingOccurrences(of: "\n", with: "\\n"))),
            bundleIDs: bundleIDs,
            urls: [.production: "https://production.example", .sandbox: "https://sandbox.example"],
            transport: transport, now: { [clock] in clock.now }
        )
    }

    private func answering(_ response: @escaping @Sendable (StubTransport.Asked) throws -> JSONValue) -> StubTransport {
        StubTransport { (200, Array(TestAppStore.text(try response($0)).utf8)) }
    }

    @Test func `each call has a five-minute token for the app, signed with the team's key`() async throws {
        let transport = answering { _ in .object([:]) }
        _ = try await client(transport).status(of: id)
        let header = try #require(transport.asked.first?.headers[.authorization])
        let token = try CompactJWS(String(header.dropFirst("Bearer ".count)))
        #expect(token.header.algorithm == "ES256" && token.header.keyID == "2X9R4HXF34" && token.header.type == "JWT")
        #expect(P256JSONWebKey(key.publicKey).isSigner(of: token))
        let claims = try #require(try JSONReader.read(token.payload).object)
        let now = clock.now.timeIntervalSince1970
        #expect(
            claims == [
                "iss": .string("57246542-96fe-1a63-e053-0824d011072a"), "aud": .string("appstoreconnect-v1"),
                "bid": .string(TestAppStore.bundleID), "iat": .number(now), "exp": .number(now + 300),
            ])
    }

    @Test func `the status contains only verified facts of the subscription`() async throws {
        let purchase = TestPurchase(TestAppStore.premium, id: "1001", originalID: "1000", at: clock.now)
        let other = TestPurchase(TestAppStore.premium, id: "2000", at: clock.now)
        let (store, clock) = (store, clock)
        let transport = answering { _ in
            func last(_ purchase: TestPurchase) throws -> JSONValue {
                .object([
                    "originalTransactionId": .string(purchase.originalID), "status": .number(1),
                    "signedTransactionInfo": .string(try store.transaction(purchase, signedAt: clock.now)),
                    "signedRenewalInfo": .string(try store.renewal(of: purchase)),
                ])
            }
            return .object([
                "data": .array([.object(["lastTransactions": .array([try last(other), try last(purchase)])])])
            ])
        }
        let facts = try await client(transport).status(of: id)
        #expect(facts.transactions.map(\.id) == ["1001"])
        #expect(facts.renewals.count == 1)
        #expect(transport.asked.map(\.url) == ["https://sandbox.example/inApps/v1/subscriptions/1000"])
    }

    @Test func `the history reads all pages and omits other purchases`() async throws {
        let (store, clock) = (store, clock)
        let transport = answering { asked in
            let isSecond = asked.url.hasSuffix("&revision=a%2Fb%3D")
            let own = TestPurchase(
                TestAppStore.basic, id: isSecond ? "1000" : "1001", originalID: "1000", at: clock.now)
            let other = TestPurchase(TestAppStore.basic, id: "3000", at: clock.now)
            return .object([
                "signedTransactions": .array([
                    .string(try store.transaction(own)), .string(try store.transaction(other)),
                ]),
                "hasMore": .bool(!isSecond), "revision": .string("a/b="),
            ])
        }
        #expect(try await client(transport).history(of: id).map(\.id) == ["1001", "1000"])
        #expect(transport.asked.count == 2)
    }

    /// Returns the bundle id in the token of a request.
    private func app(_ asked: StubTransport.Asked) throws -> String? {
        let header = asked.headers[.authorization] ?? ""
        let token = try CompactJWS(String(header.dropFirst("Bearer ".count)))
        return try JSONReader.read(token.payload).object?["bid"]?.string
    }

    @Test func `several apps are asked in turn until one knows the transaction`() async throws {
        let transport = StubTransport { asked in
            let header = asked.headers[.authorization] ?? ""
            let token = try CompactJWS(String(header.dropFirst("Bearer ".count)))
            let isKnown = try JSONReader.read(token.payload).object?["bid"] == .string("app.b")
            return (isKnown ? 200 : 404, Array("{}".utf8))
        }
        _ = try await client(transport, bundleIDs: ["app.a", "app.b", "app.c"]).status(of: id)
        #expect(try transport.asked.map(app) == ["app.a", "app.b"])
        await #expect(throws: AppStoreServerError.notFound) {
            try await client(transport, bundleIDs: ["app.a", "app.c"]).status(of: id)
        }
    }

    @Test(arguments: [401, 404])
    func `an app that Apple no longer knows does not block the others`(status: Int) async throws {
        let transport = StubTransport { asked in
            let header = asked.headers[.authorization] ?? ""
            let token = try CompactJWS(String(header.dropFirst("Bearer ".count)))
            let isKnown = try JSONReader.read(token.payload).object?["bid"] == .string("app.b")
            return (isKnown ? 200 : status, Array("{}".utf8))
        }
        let client = try client(transport, bundleIDs: ["app.a", "app.b"])
        _ = try await client.status(of: id)
        let (from, to) = (clock.now.addingTimeInterval(-60), clock.now)
        let first = try await client.missedNotifications(.sandbox, from: from, to: to, page: nil)
        #expect(first.refusal != nil && first.next == "1")
        let second = try await client.missedNotifications(.sandbox, from: from, to: to, page: first.next)
        #expect(second.refusal == nil && second.next == nil)
    }

    @Test func `missed notifications are fetched for each of several apps`() async throws {
        let transport = answering { asked in
            let isFirst = !asked.url.contains("?")
            return .object(["hasMore": .bool(isFirst), "paginationToken": .string("more of it")])
        }
        let client = try client(transport, bundleIDs: ["app.a", "app.b"])
        var page: String?
        repeat {
            let missed = try await client.missedNotifications(
                .sandbox, from: clock.now.addingTimeInterval(-60), to: clock.now, page: page)
            page = missed.next
        } while page != nil
        #expect(try transport.asked.map(app) == ["app.a", "app.a", "app.b", "app.b"])
        #expect(
            transport.asked.map { $0.url.hasSuffix("?paginationToken=more%20of%20it") } == [false, true, false, true])
        await #expect(throws: AppStoreServerError.refused("unknown page token")) {
            try await client.missedNotifications(.sandbox, from: clock.now, to: clock.now, page: "2")
        }
    }

    @Test func `missed notifications are paged, and malformed ones are reported separately`() async throws {
        let (store, clock) = (store, clock)
        let transport = answering { asked in
            let isSecond = asked.url.hasSuffix("?paginationToken=next")
            let body = try store.notification("TEST", id: UUID(), signedAt: clock.now)
            let signed = try JSONReader.read(body).object?["signedPayload"] ?? .null
            let items: [JSONValue] = [signed, .string("a.b.c")].map { .object(["signedPayload": $0]) }
            return .object([
                "notificationHistory": .array(items), "hasMore": .bool(!isSecond), "paginationToken": .string("next"),
            ])
        }
        let client = try client(transport)
        let (from, to) = (clock.now.addingTimeInterval(-60), clock.now)
        let first = try await client.missedNotifications(.sandbox, from: from, to: to, page: nil)
        #expect(first.notifications.count == 1 && first.invalid.count == 1 && first.next == "0 next")
        let second = try await client.missedNotifications(.sandbox, from: from, to: to, page: first.next)
        #expect(second.next == nil)
        let body = try #require(transport.asked.first).body
        #expect(
            try JSONReader.read(body).object == [
                "startDate": TestAppStore.milliseconds(from), "endDate": TestAppStore.milliseconds(to),
                "onlyFailures": .bool(true),
            ])
    }

    @Test func `setting the account token sends a PUT with the account's id`() async throws {
        let transport = StubTransport { _ in (200, []) }
        let user = UserID(uuid: UUID())
        try await client(transport).setAccountToken(user, of: id)
        let asked = try #require(transport.asked.first)
        #expect(asked.method == .put)
        #expect(asked.url == "https://sandbox.example/inApps/v1/transactions/1000/appAccountToken")
        #expect(try JSONReader.read(asked.body).object == ["appAccountToken": .string(user.description)])
    }

    @Test func `data that Apple did not sign is refused`() async throws {
        let stranger = try TestAppStore.stranger(clock: clock)
        let purchase = TestPurchase(TestAppStore.premium, id: "1000", at: clock.now)
        let transport = answering { _ in
            .object(["signedTransactions": .array([.string(try stranger.transaction(purchase))])])
        }
        await #expect(throws: AppStoreServerError.invalid(.untrustedChain("unknown root"))) {
            try await client(transport).history(of: id)
        }
    }

    @Test(
        "errors are reported by their kind",
        arguments: [
            (404, #"{"errorCode":4040010}"#, AppStoreServerError.notFound),
            (401, "Unauthenticated", .refused("status 401")),
            (400, #"{"errorCode":4000006,"errorMessage":"…"}"#, .refused("status 400, code 4000006")),
            (429, "{}", .unavailable("status 429")), (500, "{}", .unavailable("status 500")),
            (200, "<html>", .unavailable("response is not a JSON object")),
        ])
    func failures(_ status: Int, _ body: String, _ error: AppStoreServerError) async throws {
        let transport = StubTransport { _ in (status, Array(body.utf8)) }
        await #expect(throws: error) { try await client(transport).status(of: id) }
    }

    @Test func `a malformed key is refused`() {
        let pem = key.pemRepresentation
        let issuer = "57246542-96fe-1a63-e053-0824d011072a"
        #expect(AppStoreKey(issuerID: "me", keyID: "2X9R4HXF34", privateKey: pem) == nil)
        #expect(AppStoreKey(issuerID: issuer, keyID: "2X9R4HXF3\"", privateKey: pem) == nil)
        #expect(AppStoreKey(issuerID: issuer, keyID: "2X9R4HXF34", privateKey: "secret") == nil)
    }
}
