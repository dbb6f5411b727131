import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// Accounts list every subscription whose record names them.
@Suite struct SubscriptionListingTests {
    @Test func `an account that only a transaction names lists the subscription, shows none and has no audit event`()
        async throws
    {
        let fixture = try await SubscriptionFixture.make()
        let (bob, kim) = (try await fixture.person("bob"), try await fixture.person("kim", device: 2))
        let purchase = fixture.purchase(for: bob.user)
        try await fixture.present(purchase, bob)
        var next = purchase
        for id in ["1001", "1002"] {
            next = next.renewed(id: id)
            next.accountToken = kim.user
            try await fixture.notify("DID_RENEW", nil, next)
            let account = try #require(try await fixture.components.accounts.account(kim.user)).value
            #expect(account.subscriptions?.map(\.id) == ["sandbox/1000"])
            let shown = try await fixture.subscription(kim)
            #expect(shown.tier == .free && shown.appStore == nil)
            // The daily job compares the revisions.
            try await fixture.services.usageCount.countUsage()
        }
        #expect(try await !fixture.service.auditEvents(of: kim.user).contains(.subscriptionChanged))
        #expect(try await fixture.service.auditEvents(of: bob.user).contains(.subscriptionChanged))
    }

    @Test
    func `a new purchase costs two reads and four writes, and a known account's renewal three reads and three writes`()
        async throws
    {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.refreshed(try await fixture.person("bob"))
        let purchase = fixture.purchase(for: bob.user)
        let signed = try fixture.appStore.transaction(purchase)
        _ = fixture.service.store.drainRequests()
        _ = try await fixture.services.subscriptions.bindPurchase(
            AppStorePurchase(signedTransaction: signed), caller: bob)
        let account = StorageLayout.accountDocument(bob.user)
        let record = "service/subscriptions/sandbox/1000.json"
        #expect(
            requests(fixture) == [
                "read \(record)", "write \(account)", "write \(record)", "read audit entry", "write \(account)",
                "write audit entry",
            ])
        try await fixture.notify("DID_RENEW", nil, purchase.renewed(id: "1001"))
        #expect(
            requests(fixture) == [
                "read \(record)", "write \(record)", "read \(account)", "read audit entry", "write \(account)",
                "write audit entry",
            ])
    }

    @Test func `a notification that names a new account costs three reads and four writes`() async throws {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        _ = fixture.service.store.drainRequests()
        try await fixture.notify("SUBSCRIBED", "INITIAL_BUY", fixture.purchase(for: bob.user))
        #expect(
            requests(fixture).map { $0.prefix(5) } == ["read ", "read ", "write", "write", "read ", "write", "write"])
    }

    @Test func `of more than eight subscriptions all are listed, and those that end last grant something`() async throws
    {
        let fixture = try await SubscriptionFixture.make()
        let bob = try await fixture.person("bob")
        for number in 1...9 {
            let purchase = fixture.purchase(TestAppStore.basic, "\(1000 + number)", for: bob.user)
            try await fixture.present(purchase, bob)
            fixture.clock.advance(by: 60)
        }
        #expect(try await listed(bob, fixture) == (1...9).map { "sandbox/\(1000 + $0)" })
        #expect(try await listed(bob, fixture, granting: true) == (2...9).map { "sandbox/\(1000 + $0)" })
        let first = fixture.purchase(TestAppStore.basic, "1001", for: bob.user)
        try await fixture.notify("DID_RENEW", nil, first.renewed(id: "1001a"))
        #expect(
            try await listed(bob, fixture, granting: true) == ([1] + (3...9)).map { "sandbox/\(1000 + $0)" })
    }

    private func listed(
        _ caller: Caller, _ fixture: SubscriptionFixture, granting: Bool = false
    ) async throws -> [String] {
        let account = try #require(try await fixture.components.accounts.account(caller.user)).value
        return (account.subscriptions ?? []).filter { !granting || !$0.isMovedAway }.map(\.id).sorted()
    }

    /// Returns the requests since the last call.
    private func requests(_ fixture: SubscriptionFixture) -> [String] {
        fixture.service.store.drainRequests().map { request in
            let isAudit = request.key.contains("/audit/")
            return "\(request.kind.rawValue) \(isAudit ? "audit entry" : request.key)"
        }
    }
}
