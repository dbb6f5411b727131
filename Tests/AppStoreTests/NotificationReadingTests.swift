import AppStore
import Foundation
import JSONCoding
import PhotolalaTesting
import Subscriptions
import Testing

@Suite struct NotificationReadingTests {
    let clock = TestClock()
    let store: TestAppStore
    let purchase: TestPurchase

    init() throws {
        store = try TestAppStore(clock: clock)
        purchase = TestPurchase(TestAppStore.basic, id: "7", at: clock.now)
    }

    @Test func `a notification has its verified inner data`() async throws {
        let id = UUID()
        let body = try store.notification(
            "DID_RENEW", "BILLING_RECOVERY", id: id, transaction: try store.transaction(purchase),
            renewal: try store.renewal(of: purchase))
        let notification = try await store.verifier().notification(body)
        #expect(notification.id == id.uuidString.lowercased())
        #expect(notification.type == "DID_RENEW")
        #expect(notification.subtype == "BILLING_RECOVERY")
        #expect(notification.subscription == SubscriptionID(.sandbox, "7"))
        #expect(notification.transaction?.productID == TestAppStore.basic)
        #expect(notification.renewal?.willRenew == true)
    }

    @Test func `an unknown notification type is accepted`() async throws {
        let body = try store.notification("SOMETHING_NEW", "ELSE", id: UUID())
        #expect(try await store.verifier().notification(body).type == "SOMETHING_NEW")
    }

    @Test func `inner data with another signer is refused`() async throws {
        let stranger = try TestAppStore.stranger(clock: clock)
        let body = try store.notification("DID_RENEW", id: UUID(), transaction: try stranger.transaction(purchase))
        await #expect(throws: SignedDataError.untrustedChain("unknown root")) {
            try await store.verifier().notification(body)
        }
    }

    @Test func `renewal information of another subscription is refused`() async throws {
        let other = TestPurchase(TestAppStore.basic, id: "8", at: clock.now)
        let body = try store.notification(
            "DID_RENEW", id: UUID(), transaction: try store.transaction(purchase),
            renewal: try store.renewal(of: other))
        await #expect(throws: SignedDataError.malformed("signedRenewalInfo of another subscription")) {
            try await store.verifier().notification(body)
        }
    }

    @Test func `inner data of another environment is refused, even an accepted one`() async throws {
        let body = try store.notification(
            "DID_RENEW", id: UUID(), transaction: try store.transaction(purchase), environment: .xcode)
        await #expect(throws: SignedDataError.malformed("parts of another environment")) {
            try await store.verifier([.sandbox, .xcode]).notification(body)
        }
    }

    @Test func `a production notification without the app's App Store id is refused`() async throws {
        let verifier = try store.verifier([.production], appAppleID: TestAppStore.appAppleID)
        let named = try store.notification(
            "TEST", id: UUID(), environment: .production, appAppleID: TestAppStore.appAppleID)
        #expect(try await verifier.notification(named).type == "TEST")
        for id in [nil, TestAppStore.appAppleID + 1] {
            let body = try store.notification("TEST", id: UUID(), environment: .production, appAppleID: id)
            await #expect(throws: SignedDataError.otherApp) { try await verifier.notification(body) }
        }
    }

    @Test func `a notification about a purchase of another kind has no subscription`() async throws {
        var payload = store.payload(purchase)
        payload["type"] = .string("Consumable")
        payload["expiresDate"] = .null
        let body = try store.notification("REFUND", id: UUID(), transaction: try store.sign(payload))
        let notification = try await store.verifier().notification(body)
        #expect(notification.subscription == nil)
    }

    @Test(
        "summaries, external purchase tokens and app data are accepted for this app only",
        arguments: ["summary", "externalPurchaseToken", "appData"])
    func others(_ part: String) async throws {
        func body(_ bundleID: String) throws -> [UInt8] {
            let payload: [String: JSONValue] = [
                "notificationType": .string("RENEWAL_EXTENSION"), "notificationUUID": .string("u"),
                "signedDate": TestAppStore.milliseconds(clock.now),
                part: .object([
                    "bundleId": .string(bundleID), "environment": .string("Sandbox"),
                    "externalPurchaseId": .string("SANDBOX_1"),
                ]),
            ]
            return Array(#"{"signedPayload":"\#(try store.sign(payload))"}"#.utf8)
        }
        let notification = try await store.verifier().notification(try body(TestAppStore.bundleID))
        #expect(notification.subscription == nil)
        await #expect(throws: SignedDataError.otherApp) {
            try await store.verifier().notification(try body("com.example.other"))
        }
    }

    @Test func `a notification without data is refused`() async throws {
        let payload: [String: JSONValue] = [
            "notificationType": .string("TEST"), "notificationUUID": .string("u"),
            "signedDate": TestAppStore.milliseconds(clock.now),
        ]
        let body = Array(#"{"signedPayload":"\#(try store.sign(payload))"}"#.utf8)
        await #expect(throws: SignedDataError.malformed("data")) { try await store.verifier().notification(body) }
    }
}
