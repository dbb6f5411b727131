import AppStore
import Foundation
import JSONCoding
import PhotolalaTesting
import Subscriptions
import Testing

@Suite struct SignedDataTests {
    let clock = TestClock()
    let store: TestAppStore
    let purchase: TestPurchase

    init() throws {
        store = try TestAppStore(clock: clock)
        purchase = TestPurchase(TestAppStore.premium, id: "2000000001", at: clock.now)
    }

    @Test func `a transaction has its signed values`() async throws {
        let token = UUID()
        var purchase = purchase
        purchase.accountToken = .init(uuid: token)
        let transaction = try await store.verifier().transaction(try store.transaction(purchase))
        #expect(transaction.id == "2000000001")
        #expect(transaction.originalID == SubscriptionID(.sandbox, "2000000001"))
        #expect(transaction.productID == TestAppStore.premium)
        #expect(transaction.expiresAt.date == purchase.expiresAt)
        #expect(transaction.ownership == .purchased)
        #expect(transaction.accountToken == token)
        #expect(transaction.revokedAt == nil)
    }

    @Test func `renewal information has its signed values`() async throws {
        let grace = clock.now.addingTimeInterval(86_400)
        let signed = try store.renewal(
            of: purchase, willRenew: false, nextProduct: TestAppStore.basic, isInBillingRetry: true, graceUntil: grace)
        let renewal = try await store.verifier().renewal(signed)
        #expect(renewal.nextProductID == TestAppStore.basic)
        #expect(renewal.willRenew == false)
        #expect(renewal.isInBillingRetry)
        #expect(renewal.gracePeriodEndsAt?.date == grace)
    }

    @Test func `fractions of milliseconds are dropped`() async throws {
        var payload = store.payload(purchase)
        payload["purchaseDate"] = .number(1_789_999_999_123.75)
        let transaction = try await store.verifier().transaction(try store.sign(payload))
        #expect(transaction.purchasedAt.milliseconds == 1_789_999_999_123)
    }

    @Test(
        "a date outside the accepted years is refused",
        arguments: [
            -99_999_999_999_999, 0, 1_790_000_000, 253_402_300_800_000, 9e18, 1e300, -Double.greatestFiniteMagnitude,
        ])
    func insaneDates(_ milliseconds: Double) async throws {
        for name in ["signedDate", "purchaseDate", "expiresDate", "revocationDate"] {
            var payload = store.payload(purchase)
            payload[name] = .number(0)
            let json = TestAppStore.text(.object(payload)).replacingOccurrences(
                of: "\"\(name)\":0", with: "\"\(name)\":\(milliseconds)")
            await #expect(throws: SignedDataError.malformed(name)) {
                try await store.verifier().transaction(try store.sign(json: json))
            }
        }
    }

    @Test func `a signature date more than five minutes in the future is refused`() async throws {
        let verifier = try store.verifier()
        let soon = try store.transaction(purchase, signedAt: clock.now.addingTimeInterval(299))
        _ = try await verifier.transaction(soon)
        let later = try store.transaction(purchase, signedAt: clock.now.addingTimeInterval(301))
        await #expect(throws: SignedDataError.notCurrent) { try await verifier.transaction(later) }
    }

    @Test(
        "an algorithm other than ES256 is refused",
        arguments: ["none", "HS256", "RS256", "ES384", "EdDSA", "es256"])
    func algorithms(_ name: String) async throws {
        let signed = try store.sign(store.payload(purchase), header: ["alg": .string(name)])
        await #expect(throws: SignedDataError.algorithmRefused) { try await store.verifier().transaction(signed) }
    }

    @Test func `a changed payload is refused`() async throws {
        let parts = try store.transaction(purchase).split(separator: ".")
        var other = purchase
        other.product = TestAppStore.professional
        let forged = try store.transaction(other).split(separator: ".")
        await #expect(throws: SignedDataError.badSignature) {
            try await store.verifier().transaction("\(parts[0]).\(forged[1]).\(parts[2])")
        }
    }

    @Test func `another app's data is refused`() async throws {
        var payload = store.payload(purchase)
        payload["bundleId"] = .string("com.example.other")
        let signed = try store.sign(payload)
        await #expect(throws: SignedDataError.otherApp) { try await store.verifier().transaction(signed) }
    }

    @Test(
        "data of an environment that is not accepted is refused",
        arguments: ["Production", "Xcode", "LocalTesting", "sandbox", "Other"])
    func environments(_ name: String) async throws {
        var payload = store.payload(purchase)
        payload["environment"] = .string(name)
        let signed = try store.sign(payload)
        await #expect(throws: SignedDataError.otherEnvironment(name)) {
            try await store.verifier().transaction(signed)
        }
    }

    @Test(
        "a purchase of another kind is refused as not a subscription",
        arguments: ["Consumable", "Non-Consumable", "Non-Renewing Subscription"])
    func types(_ name: String) async throws {
        var payload = store.payload(purchase)
        payload["type"] = .string(name)
        let signed = try store.sign(payload)
        await #expect(throws: SignedDataError.notASubscription) { try await store.verifier().transaction(signed) }
    }

    @Test(
        "a missing or mistyped member is refused as malformed",
        arguments: [
            ("transactionId", JSONValue.number(1)), ("transactionId", .string("../x")),
            ("originalTransactionId", .null), ("originalTransactionId", .string("1/2")),
            ("originalTransactionId", .string(String(repeating: "1", count: 65))), ("productId", .null),
            ("productId", .string("")), ("expiresDate", .null), ("expiresDate", .string("1790000000000")),
            ("isUpgraded", .string("true")), ("appAccountToken", .string("me")),
            ("inAppOwnershipType", .string("RENTED")), ("signedDate", .null),
        ])
    func members(_ name: String, _ value: JSONValue) async throws {
        var payload = store.payload(purchase)
        payload[name] = value
        let signed = try store.sign(payload)
        let error = await #expect(throws: SignedDataError.self) { try await store.verifier().transaction(signed) }
        guard case .malformed = error else { throw Unexpected(error: error) }
    }

    @Test(
        "text that is not signed data is refused",
        arguments: [
            ("", .malformed("segments")), (".", .malformed("segments")), ("..", .malformed("header")),
            ("...", .malformed("segments")), ("a.b.c", .malformed("base64url")), ("e30.e30.e30", .algorithmRefused),
            (String(repeating: "a", count: 70_000), .malformed("larger than 64 KiB")),
        ] as [(String, SignedDataError)])
    func garbage(_ text: String, _ error: SignedDataError) async throws {
        await #expect(throws: error) { try await store.verifier().transaction(text) }
        await #expect(throws: error) { try await store.verifier().renewal(text) }
        await #expect(throws: error) {
            try await store.verifier().notification(Array(#"{"signedPayload":"\#(text)"}"#.utf8))
        }
        await #expect(throws: SignedDataError.malformed("signedPayload")) {
            try await store.verifier().notification(Array(text.utf8))
        }
    }

    struct Unexpected: Error {
        let error: SignedDataError?
    }
}
