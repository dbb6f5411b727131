import Foundation
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing

@testable import PhotolalaUI

/// Moving a subscription from and to another account.
@MainActor
@Suite struct MoveSubscriptionTests {
    private static let present = "POST /subscriptions/app-store"
    private static let move = "POST /subscriptions/app-store/move"
    private static let ticket = "POST /subscriptions/app-store/move-ticket"
    private static let taken = FakeServer.problem(.subscriptionTaken, 409)

    static func account(isFamilyShared: Bool = false) -> FakeServer.Response {
        FakeServer.json(
            User(
                serviceUserID: ClientFixture.user, primaryProvider: .apple, linkedProviders: [],
                createdAt: ClientFixture.start,
                subscription: Subscription(
                    tier: .premium, storageLimit: Tier.premium.storageLimit,
                    appStore: AppStoreSubscription(
                        originalTransactionID: "42", productID: "premium", status: .active,
                        expiresAt: ClientFixture.start, endsAt: nil, willRenew: true, nextTier: nil,
                        isFamilyShared: isFamilyShared))))
    }

    private static let userPath = "GET /users/\(ClientFixture.user)"

    @Test("a purchase of another account is moved after a confirmation, and then finished")
    func moveHere() async throws {
        let script = [Self.present: [Self.taken], Self.move: [StorageTests.premium]]
        try await StorageTests.loaded(script) { fixture, model, store in
            await StorageTests.run(.buy(FakePlanStore.premium), model)
            #expect(model.takenPurchases == [store.purchase] && model.waitingPurchases == [store.purchase])
            model.flow.confirm(.move(store.purchase))
            #expect(fixture.count("/subscriptions/app-store/move") == 0)
            await StorageTests.run(.move(store.purchase), model)
            #expect(model.flow.state == .ready && model.flow.failure == nil && model.notice == .moved)
            #expect(model.takenPurchases.isEmpty && model.waitingPurchases.isEmpty)
            #expect(model.subscription?.tier == .premium && store.finished.withLock { $0 } == ["1"])
        }
    }

    @Test("other refusals offer no move", arguments: [.wrongApp, .temporarilyUnavailable] as [ErrorCode])
    func otherRefusals(code: ErrorCode) async throws {
        try await StorageTests.loaded([Self.present: [FakeServer.problem(code, 400)]]) { _, model, store in
            await StorageTests.run(.buy(FakePlanStore.premium), model)
            #expect(model.takenPurchases.isEmpty && model.waitingPurchases == [store.purchase])
        }
    }

    @Test("a purchase that was signed too long ago is requested from the App Store once", arguments: [true, false])
    func tooOld(isKnown: Bool) async throws {
        let old = FakeServer.problem(.transactionTooOld, 403)
        try await StorageTests.loaded([Self.present: [Self.taken], Self.move: [old, StorageTests.premium]]) {
            fixture, model, store in
            await StorageTests.run(.buy(FakePlanStore.premium), model)
            if isKnown { store.restored.withLock { $0 = [store.purchase] } }
            await StorageTests.run(.move(store.purchase), model)
            #expect(
                model.notice == (isKnown ? .moved : nil)
                    && fixture.count("/subscriptions/app-store/move") == (isKnown ? 2 : 1))
            #expect(model.flow.failure?.code == (isKnown ? nil : .transactionTooOld))
            #expect(model.waitingPurchases.isEmpty == isKnown)
        }
    }

    @Test("the App Store's new transaction of a renewed subscription is moved")
    func renewed() async throws {
        let old = FakeServer.problem(.transactionTooOld, 403)
        try await StorageTests.loaded([Self.present: [Self.taken], Self.move: [old, StorageTests.premium]]) {
            fixture, model, store in
            await StorageTests.run(.buy(FakePlanStore.premium), model)
            let other = PlanPurchase(id: "7", signed: SignedPurchase(signedTransaction: "jws-7") {})
            let renewal = PlanPurchase(id: "2", originalID: "1", signed: SignedPurchase(signedTransaction: "jws-2") {})
            store.restored.withLock { $0 = [other, renewal] }
            await StorageTests.run(.move(store.purchase), model)
            #expect(model.notice == .moved && model.waitingPurchases.isEmpty)
            let sent = fixture.client.server.requests("/subscriptions/app-store/move").map(\.text)
            #expect(sent.count == 2 && sent.last?.contains("jws-2") == true)
        }
    }

    @Test("a move code needs recent authentication and names this account's subscription")
    func moveAway() async throws {
        let code = MoveTicketResponse(moveTicket: "ticket", expiresAt: ClientFixture.start + 600)
        let script = [
            Self.userPath: [Self.account()],
            Self.ticket: [FakeServer.problem(.reauthenticationRequired, 403), FakeServer.json(code)],
        ]
        try await StorageTests.loaded(script) { fixture, model, _ in
            #expect(model.movableSubscription?.originalTransactionID == "42")
            await StorageTests.run(.createMoveCode, model)
            #expect(model.flow.state == .verifying(.createMoveCode, with: [.apple]) && model.moveCode == nil)
            model.flow.verify(with: .apple)
            await model.flow.wait()
            #expect(model.flow.state == .ready && model.moveCode == code)
            let sent = fixture.client.server.requests("/subscriptions/app-store/move-ticket").last?.text
            #expect(sent == #"{"originalTransactionID":"42"}"#)
            model.flow.load()
            await model.flow.wait()
            #expect(model.moveCode == nil, "a code is shown once")
        }
    }

    @Test("a family member's subscription cannot be moved")
    func familyShared() async throws {
        try await StorageTests.loaded([Self.userPath: [Self.account(isFamilyShared: true)]]) { fixture, model, _ in
            #expect(model.movableSubscription == nil)
            await StorageTests.run(.createMoveCode, model)
            #expect(model.moveCode == nil && fixture.count("/subscriptions/app-store/move-ticket") == 0)
        }
    }

    @Test("the code of another account moves its subscription here; a wrong one changes nothing")
    func redeem() async throws {
        let answers = [FakeServer.problem(.invalidMoveTicket, 400), StorageTests.premium]
        try await StorageTests.loaded([Self.move: answers]) { fixture, model, _ in
            model.typedMoveCode = " \n"
            model.redeemMoveCode()
            await model.flow.wait()
            #expect(model.flow.failure == .wrongCode && fixture.count("/subscriptions/app-store/move") == 0)
            model.typedMoveCode = " ticket\n"
            model.redeemMoveCode()
            await model.flow.wait()
            #expect(model.flow.failure == .wrongCode && model.notice == nil && model.typedMoveCode == " ticket\n")
            model.redeemMoveCode()
            await model.flow.wait()
            #expect(model.flow.failure == nil && model.notice == .moved && model.typedMoveCode.isEmpty)
            #expect(model.subscription?.tier == .premium)
            let sent = fixture.client.server.requests("/subscriptions/app-store/move").last?.text
            #expect(sent == #"{"moveTicket":"ticket"}"#)
        }
    }

    @Test(
        "prices have their period in the person's language",
        arguments: [
            (PlanPeriod(days: 7), "9 € pro Woche"), (PlanPeriod(weeks: 1), "9 € pro Woche"),
            (PlanPeriod(months: 1), "9 € pro Monat"), (PlanPeriod(months: 6), "9 € alle 6 Monate"),
            (PlanPeriod(months: 12), "9 € pro Jahr"), (PlanPeriod(years: 1), "9 € pro Jahr"),
            (PlanPeriod(days: 3), "9 €"), (PlanPeriod(months: 0), "9 €"),
        ])
    func prices(period: PlanPeriod?, text: String) {
        #expect(ScreenTexts(languages: ["de"]).price("9 €", per: period) == text)
    }
}
