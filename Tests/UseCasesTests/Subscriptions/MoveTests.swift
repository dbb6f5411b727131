import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

@Suite struct MoveTests {
    private func people(_ shop: SubscriptionFixture) async throws -> (bob: Caller, kim: Caller) {
        (try await shop.person("bob"), try await shop.person("kim", device: 2))
    }

    private func ticket(_ shop: SubscriptionFixture, _ caller: Caller) async throws -> String {
        try await shop.services.subscriptions.moveTicket(
            MoveTicketRequest(originalTransactionID: "1000"), caller: try await shop.refreshed(caller)
        ).moveTicket
    }

    private func move(_ shop: SubscriptionFixture, _ caller: Caller, ticket: String) async throws -> Subscription {
        try await shop.services.subscriptions.moveSubscription(
            MoveRequest(moveTicket: ticket), caller: try await shop.refreshed(caller))
    }

    private func move(
        _ shop: SubscriptionFixture, _ caller: Caller, _ purchase: TestPurchase, signedAt: Date? = nil
    ) async throws -> Subscription {
        let signed = try shop.appStore.transaction(purchase, signedAt: signedAt)
        return try await shop.services.subscriptions.moveSubscription(
            MoveRequest(signedTransaction: signed), caller: try await shop.refreshed(caller))
    }

    @Test func `with recent authentication in both accounts, a move ticket moves a subscription`() async throws {
        let shop = try await SubscriptionFixture.make()
        let (bob, kim) = try await people(shop)
        try await shop.present(shop.purchase(for: bob.user), bob)
        #expect(try await move(shop, kim, ticket: try await ticket(shop, bob)).tier == .premium)
        #expect(try await shop.tier(bob) == .free)
        #expect(try await shop.subscription(bob).appStore == nil)
        // Apple's later notifications apply to the new account, whatever account the transaction names.
        shop.advance(days: 30)
        try await shop.notify("DID_RENEW", nil, shop.purchase(for: bob.user).renewed(id: "1001"))
        shop.advance(days: 31)
        #expect(try await shop.tier(kim) == .premium)
        #expect(try await shop.tier(bob) == .free)
    }

    @Test func `a move ticket is valid for one move within ten minutes`() async throws {
        let shop = try await SubscriptionFixture.make()
        let (bob, kim) = try await people(shop)
        try await shop.present(shop.purchase(), bob)
        let used = try await ticket(shop, bob)
        _ = try await move(shop, kim, ticket: used)
        // The request is repeated after a lost answer.
        #expect(try await move(shop, kim, ticket: used).tier == .premium)
        await #expect(throws: ServiceError.invalidMoveTicket) { try await move(shop, bob, ticket: used) }
        let late = try await ticket(shop, kim)
        shop.clock.advance(by: 600)
        let fresh = try await shop.service.caller(try await shop.service.signIn(.google, "bob").session)
        await #expect(throws: ServiceError.invalidMoveTicket) { try await move(shop, fresh, ticket: late) }
        await #expect(throws: ServiceError.invalidMoveTicket) { try await move(shop, fresh, ticket: "nonsense") }
    }

    @Test func `without recent authentication, tickets and moves are refused`() async throws {
        let shop = try await SubscriptionFixture.make()
        let (bob, kim) = try await people(shop)
        try await shop.present(shop.purchase(), bob)
        let ticket = try await ticket(shop, bob)
        shop.clock.advance(by: 601)
        await #expect(throws: ServiceError.reauthenticationRequired) { try await self.ticket(shop, bob) }
        await #expect(throws: ServiceError.reauthenticationRequired) { try await move(shop, kim, ticket: ticket) }
    }

    @Test func `a ticket for another account's subscription returns not found`() async throws {
        let shop = try await SubscriptionFixture.make()
        let (bob, kim) = try await people(shop)
        try await shop.present(shop.purchase(), bob)
        await #expect(throws: ServiceError.notFound) { try await ticket(shop, kim) }
    }

    @Test func `a newly signed transaction moves a subscription that names no account`() async throws {
        let shop = try await SubscriptionFixture.make()
        let (bob, kim) = try await people(shop)
        let purchase = shop.purchase()
        try await shop.present(purchase, bob)
        shop.advance(days: 2)
        #expect(try await move(shop, kim, purchase).tier == .premium)
        #expect(try await shop.tier(bob) == .free)
    }

    @Test func `a transaction that is old, names another account or is family-shared moves nothing`() async throws {
        let shop = try await SubscriptionFixture.make()
        let (bob, kim) = try await people(shop)
        try await shop.present(shop.purchase(for: bob.user), bob)
        await #expect(throws: ServiceError.subscriptionOwnedByOther) {
            try await move(shop, kim, shop.purchase(for: bob.user))
        }
        try await shop.present(shop.purchase(TestAppStore.basic, "2000"), bob)
        await #expect(throws: ServiceError.transactionTooOld) {
            try await move(
                shop, kim, shop.purchase(TestAppStore.basic, "2000"),
                signedAt: shop.clock.now.addingTimeInterval(-601))
        }
        var shared = shop.purchase(TestAppStore.basic, "3000")
        shared.isFamilyShared = true
        try await shop.present(shared, bob)
        await #expect(throws: ServiceError.familyShared) { try await move(shop, kim, shared) }
        await #expect(throws: ServiceError.familyShared) {
            try await shop.services.subscriptions.moveTicket(
                MoveTicketRequest(originalTransactionID: "3000"), caller: try await shop.refreshed(bob))
        }
        #expect(try await shop.tier(kim) == .free)
    }

    @Test func `after a move, only the new account can present the original purchase`() async throws {
        let shop = try await SubscriptionFixture.make()
        let (bob, kim) = try await people(shop)
        let purchase = shop.purchase(for: bob.user)
        try await shop.present(purchase, bob)
        _ = try await move(shop, kim, ticket: try await ticket(shop, bob))
        #expect(try await shop.present(purchase, kim).tier == .premium)
        await #expect(throws: ServiceError.subscriptionOwnedByOther) { try await shop.present(purchase, bob) }
    }

    @Test func `an older purchase without an account does not move a subscription that names one`() async throws {
        let shop = try await SubscriptionFixture.make()
        let (bob, kim) = try await people(shop)
        let old = shop.purchase()
        shop.advance(days: 30)
        var named = old.renewed(id: "1001")
        named.accountToken = bob.user
        try await shop.present(named, bob)
        await #expect(throws: ServiceError.subscriptionOwnedByOther) { try await move(shop, kim, old) }
    }

    @Test func `the daily job removes a moved subscription from an earlier owner`() async throws {
        let shop = try await SubscriptionFixture.make()
        let (bob, kim) = try await people(shop)
        let records = shop.components.subscriptions.records
        try await shop.present(shop.purchase(), bob)
        // Moved twice by instances that stopped before they updated any account.
        let transaction = try await shop.appStore.verifier().transaction(
            try shop.appStore.transaction(shop.purchase()))
        for user in [kim.user, UserID(uuid: UUID())] { _ = try await records.move(transaction, to: user) }
        try await shop.services.usageCount.countUsage()
        #expect(try await shop.tier(bob) == .free)
    }

    @Test func `a move with neither or both of ticket and transaction is refused`() async throws {
        let shop = try await SubscriptionFixture.make()
        let bob = try await shop.person("bob")
        for request in [MoveRequest(), MoveRequest(moveTicket: "a", signedTransaction: "b")] {
            await #expect(throws: ServiceError.invalidRequest("Send moveTicket or signedTransaction.")) {
                try await shop.services.subscriptions.moveSubscription(request, caller: bob)
            }
        }
    }

    @Test func `a late update from before a move does not give the subscription back to the old account`() async throws
    {
        let shop = try await SubscriptionFixture.make()
        let (bob, kim) = try await people(shop)
        try await shop.present(shop.purchase(), bob)
        let stale = try #require(try await shop.components.accounts.account(bob.user))
        let given = try #require(stale.value.subscriptions?.first)
        _ = try await move(shop, kim, ticket: try await ticket(shop, bob))
        let current = try #require(try await shop.components.accounts.account(bob.user))
        _ = try await shop.components.accounts.record(
            given, of: current, allowance: { _ in .init(tier: .premium, bytes: 1) })
        #expect(try await shop.components.accounts.account(bob.user)?.value.subscriptions?.first?.isMovedAway == true)
    }
}
