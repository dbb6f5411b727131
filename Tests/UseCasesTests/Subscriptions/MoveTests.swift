import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

@Suite struct MoveTests {
    private func people(_ fixture: SubscriptionFixture) async throws -> (bob: Caller, kim: Caller) {
        (try await fixture.person("bob"), try await fixture.person("kim", device: 2))
    }

    private func ticket(_ fixture: SubscriptionFixture, _ caller: Caller) async throws -> String {
        try await fixture.services.subscriptions.moveTicket(
            MoveTicketRequest(originalTransactionID: "1000"), caller: try await fixture.refreshed(caller)
        ).moveTicket
    }

    private func move(_ fixture: SubscriptionFixture, _ caller: Caller, ticket: String) async throws -> Subscription {
        try await fixture.services.subscriptions.moveSubscription(
            MoveRequest(moveTicket: ticket), caller: try await fixture.refreshed(caller))
    }

    private func move(
        _ fixture: SubscriptionFixture, _ caller: Caller, _ purchase: TestPurchase, signedAt: Date? = nil
    ) async throws -> Subscription {
        let signed = try fixture.appStore.transaction(purchase, signedAt: signedAt)
        return try await fixture.services.subscriptions.moveSubscription(
            MoveRequest(signedTransaction: signed), caller: try await fixture.refreshed(caller))
    }

    @Test func `with recent authentication in both accounts, a move ticket moves a subscription`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let (bob, kim) = try await people(fixture)
        try await fixture.present(fixture.purchase(for: bob.user), bob)
        #expect(try await move(fixture, kim, ticket: try await ticket(fixture, bob)).tier == .premium)
        #expect(try await fixture.tier(bob) == .free)
        #expect(try await fixture.subscription(bob).appStore == nil)
        // Apple's later notifications apply to the new account, whatever account the transaction names.
        fixture.advance(days: 30)
        try await fixture.notify("DID_RENEW", nil, fixture.purchase(for: bob.user).renewed(id: "1001"))
        fixture.advance(days: 31)
        #expect(try await fixture.tier(kim) == .premium)
        #expect(try await fixture.tier(bob) == .free)
    }

    @Test func `a move ticket is valid for one move within ten minutes`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let (bob, kim) = try await people(fixture)
        try await fixture.present(fixture.purchase(), bob)
        let used = try await ticket(fixture, bob)
        _ = try await move(fixture, kim, ticket: used)
        // The request is repeated after a lost answer.
        #expect(try await move(fixture, kim, ticket: used).tier == .premium)
        await #expect(throws: ServiceError.invalidMoveTicket) { try await move(fixture, bob, ticket: used) }
        let late = try await ticket(fixture, kim)
        fixture.clock.advance(by: 600)
        let fresh = try await fixture.service.caller(try await fixture.service.signIn(.google, "bob").session)
        await #expect(throws: ServiceError.invalidMoveTicket) { try await move(fixture, fresh, ticket: late) }
        await #expect(throws: ServiceError.invalidMoveTicket) { try await move(fixture, fresh, ticket: "nonsense") }
    }

    @Test func `without recent authentication, tickets and moves are refused`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let (bob, kim) = try await people(fixture)
        try await fixture.present(fixture.purchase(), bob)
        let ticket = try await ticket(fixture, bob)
        fixture.clock.advance(by: 601)
        await #expect(throws: ServiceError.reauthenticationRequired) { try await self.ticket(fixture, bob) }
        await #expect(throws: ServiceError.reauthenticationRequired) { try await move(fixture, kim, ticket: ticket) }
    }

    @Test func `a ticket for another account's subscription returns not found`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let (bob, kim) = try await people(fixture)
        try await fixture.present(fixture.purchase(), bob)
        await #expect(throws: ServiceError.notFound) { try await ticket(fixture, kim) }
    }

    @Test func `a newly signed transaction moves a subscription that names no account`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let (bob, kim) = try await people(fixture)
        let purchase = fixture.purchase()
        try await fixture.present(purchase, bob)
        fixture.advance(days: 2)
        #expect(try await move(fixture, kim, purchase).tier == .premium)
        #expect(try await fixture.tier(bob) == .free)
    }

    @Test func `a transaction that is old, names another account or is family-shared moves nothing`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let (bob, kim) = try await people(fixture)
        try await fixture.present(fixture.purchase(for: bob.user), bob)
        await #expect(throws: ServiceError.subscriptionOwnedByOther) {
            try await move(fixture, kim, fixture.purchase(for: bob.user))
        }
        try await fixture.present(fixture.purchase(TestAppStore.basic, "2000"), bob)
        await #expect(throws: ServiceError.transactionTooOld) {
            try await move(
                fixture, kim, fixture.purchase(TestAppStore.basic, "2000"),
                signedAt: fixture.clock.now.addingTimeInterval(-601))
        }
        var shared = fixture.purchase(TestAppStore.basic, "3000")
        shared.isFamilyShared = true
        try await fixture.present(shared, bob)
        await #expect(throws: ServiceError.familyShared) { try await move(fixture, kim, shared) }
        await #expect(throws: ServiceError.familyShared) {
            try await fixture.services.subscriptions.moveTicket(
                MoveTicketRequest(originalTransactionID: "3000"), caller: try await fixture.refreshed(bob))
        }
        #expect(try await fixture.tier(kim) == .free)
    }

    @Test func `after a move, only the new account can present the original purchase`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let (bob, kim) = try await people(fixture)
        let purchase = fixture.purchase(for: bob.user)
        try await fixture.present(purchase, bob)
        _ = try await move(fixture, kim, ticket: try await ticket(fixture, bob))
        #expect(try await fixture.present(purchase, kim).tier == .premium)
        await #expect(throws: ServiceError.subscriptionOwnedByOther) { try await fixture.present(purchase, bob) }
    }

    @Test func `an older purchase without an account does not move a subscription that names one`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let (bob, kim) = try await people(fixture)
        let old = fixture.purchase()
        fixture.advance(days: 30)
        var named = old.renewed(id: "1001")
        named.accountToken = bob.user
        try await fixture.present(named, bob)
        await #expect(throws: ServiceError.subscriptionOwnedByOther) { try await move(fixture, kim, old) }
    }

    @Test func `the daily job removes a moved subscription from an earlier owner`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let (bob, kim) = try await people(fixture)
        let records = fixture.components.subscriptions.records
        try await fixture.present(fixture.purchase(), bob)
        // Moved twice by instances that stopped before they updated any account.
        let transaction = try await fixture.appStore.verifier().transaction(
            try fixture.appStore.transaction(fixture.purchase()))
        let eve = try await fixture.person("eve", device: 3)
        for user in [kim.user, eve.user] {
            _ = try await records.move(
                transaction, to: user, in: InvolvedAccounts(fixture.components.accounts))
        }
        try await fixture.services.usageCount.countUsage()
        #expect(try await fixture.tier(bob) == .free)
    }

    @Test func `a move with neither or both of ticket and transaction is refused`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        for request in [MoveRequest(), MoveRequest(moveTicket: "a", signedTransaction: "b")] {
            await #expect(throws: ServiceError.invalidRequest("Send moveTicket or signedTransaction.")) {
                try await fixture.services.subscriptions.moveSubscription(request, caller: bob)
            }
        }
    }

    @Test func `a late update from before a move does not give the subscription back to the old account`() async throws
    {
        let fixture = try await SubscriptionFixture.make()
        let (bob, kim) = try await people(fixture)
        try await fixture.present(fixture.purchase(), bob)
        let stale = try #require(try await fixture.components.accounts.account(bob.user))
        let given = try #require(stale.value.subscriptions?.first)
        _ = try await move(fixture, kim, ticket: try await ticket(fixture, bob))
        let current = try #require(try await fixture.components.accounts.account(bob.user))
        _ = try await fixture.components.accounts.record(
            given, of: current, allowance: { _ in .init(tier: .premium, bytes: 1) })
        #expect(
            try await fixture.components.accounts.account(bob.user)?.value.subscriptions?.first?.isMovedAway == true)
    }
}
