import AccountMaintenance
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Subscriptions
import Testing

@testable import UseCases

/// The erasure of accounts that the records of subscriptions name.
@Suite struct SubscriptionErasureTests {
    @Test(
        "after a change of a subscription that ends at any request, the deletion of each account leaves no trace",
        arguments: SubscriptionChange.allCases, [FaultyObjectStore.Fault.stopBefore, .stopAfter])
    func interrupted(change: SubscriptionChange, fault: FaultyObjectStore.Fault) async throws {
        var call = 0
        while let service = try await run(change, fault, at: call) {
            let context = Comment(rawValue: "\(change), \(fault) at request \(call)")
            try await delete("bob", of: service, context)
            try await delete("kim", of: service, context)
            call += 1
        }
        #expect(call > 2)
    }

    @Test(
        "after a purchase that ends at any request, the daily job gives the account the tier",
        arguments: [FaultyObjectStore.Fault.stopBefore, .stopAfter])
    func completed(fault: FaultyObjectStore.Fault) async throws {
        var (call, completed) = (0, 0)
        while let service = try await run(.purchase, fault, at: call) {
            let id = try #require(SubscriptionID(.sandbox, "1000"))
            let owner = try await service.components.subscriptions.records.record(id)?.owner
            let session = try await service.signIn(.google, "bob").session
            let before = try await tier(session, service)
            try await service.services.usageCount.countUsage()
            #expect(try await tier(session, service) == (owner == nil ? .free : .premium), "request \(call)")
            if owner != nil, before == .free { completed += 1 }
            call += 1
        }
        #expect(completed > 0)
    }

    @Test func `a renewal that names a deleted account does not name it in the record`() async throws {
        let prepared = try await SubscriptionChange.moveByTicket.prepare()
        let service = prepared.fixture.service
        try await prepared.act(service)
        try await delete("bob", of: service)
        try await prepared.fixture.notify("DID_RENEW", nil, prepared.purchase.renewed(id: "1001"))
        #expect(try await places(naming: prepared.bob.user, service) == [])
        #expect(try await prepared.fixture.tier(prepared.kim) == .premium)
    }

    @Test func `the deletion of an account with more subscriptions than grant something leaves no trace`() async throws
    {
        let fixture = try await SubscriptionFixture.make { $0.deletionUndoPeriod = 0 }
        let bob = try await fixture.person("bob")
        for number in 1...10 {
            try await fixture.present(fixture.purchase(TestAppStore.basic, "\(1000 + number)", for: bob.user), bob)
        }
        try await delete("bob", of: fixture.service)
    }

    /// Performs a change whose process ends at a request.
    /// - Returns: another instance on the same store; `nil` if the change has no such request.
    private func run(
        _ change: SubscriptionChange, _ fault: FaultyObjectStore.Fault, at call: Int
    ) async throws -> TestService? {
        let prepared = try await change.prepared.value
        let clock = TestClock(prepared.fixture.clock.now)
        let memory = prepared.memory.copy { clock.now }
        let faulty = FaultyObjectStore(memory)
        var options = prepared.options
        options.seed = 2
        let stopping = try await TestService.make(options, store: faulty, clock: clock)
        faulty.arm(fault, at: call)
        try? await prepared.act(stopping)
        guard faulty.faultedRequest != .nothing else { return nil }
        options.seed = 3
        return try await TestService.make(options, store: memory, clock: clock)
    }

    private func tier(_ session: Session, _ service: TestService) async throws -> Tier {
        let caller = try await service.caller(session)
        return try await service.services.account.user(caller.user, caller: caller).subscription.tier
    }

    /// Deletes a person's account, and expects that nothing names it afterwards.
    private func delete(_ subject: String, of service: TestService, _ context: Comment = "") async throws {
        let session = try await service.signIn(.google, subject).session
        let caller = try await service.caller(session)
        _ = try await service.services.deletion.schedule(
            .init(confirmation: DeletionRequest.confirmationText), caller: caller)
        let accounts = service.components.accounts
        for _ in 0..<48 {
            service.clock.advance(by: 3600)
            try await service.services.accountErasure.eraseDueAccounts()
            guard try await accounts.deletions.record(caller.user) != nil else { break }
        }
        #expect(try await accounts.account(caller.user) == nil, context)
        #expect(try await places(naming: caller.user, service) == [], context)
    }

    private func places(naming user: UserID, _ service: TestService) async throws -> [String] {
        var places: [String] = []
        _ = try await AbsenceProof(service.store, terms: SearchTerms(AccountIdentifiers(user))).run { place, _ in
            places.append(place)
        }
        return places
    }
}

/// A change after which a subscription's record names an account that it did not name before.
enum SubscriptionChange: String, CaseIterable, Sendable {
    case purchase, moveByTicket, moveByTransaction
    /// A notification about an unknown subscription, which names Bob.
    case notification
    /// A notification about Bob's subscription, which names Kim.
    case otherNotification

    /// The state before the change.
    struct Prepared: Sendable {
        let fixture: SubscriptionFixture
        let memory: MemoryObjectStore
        let options: TestService.Options
        let bob: Caller
        let kim: Caller
        let purchase: TestPurchase
        /// Performs the change.
        let act: @Sendable (TestService) async throws -> Void
    }

    /// The state before the change, prepared once.
    var prepared: Task<Prepared, any Error> {
        switch self {
        case .purchase: Self.beforePurchase
        case .moveByTicket: Self.beforeMoveByTicket
        case .moveByTransaction: Self.beforeMoveByTransaction
        case .notification: Self.beforeNotification
        case .otherNotification: Self.beforeOtherNotification
        }
    }

    private static let beforePurchase = Task { try await purchase.prepare() }
    private static let beforeMoveByTicket = Task { try await moveByTicket.prepare() }
    private static let beforeMoveByTransaction = Task { try await moveByTransaction.prepare() }
    private static let beforeNotification = Task { try await notification.prepare() }
    private static let beforeOtherNotification = Task { try await otherNotification.prepare() }

    func prepare() async throws -> Prepared {
        let clock = TestClock()
        let appStore = try TestAppStore(clock: clock)
        let memory = MemoryObjectStore { clock.now }
        var options = try appStore.options()
        options.deletionUndoPeriod = 0
        let fixture = SubscriptionFixture(
            clock: clock, appStore: appStore,
            service: try await TestService.make(options, store: memory, clock: clock))
        var (bob, kim) = (try await fixture.person("bob"), try await fixture.person("kim", device: 2))
        let purchase = fixture.purchase(for: self == .moveByTransaction ? nil : bob.user)
        if self != .purchase, self != .notification { try await fixture.present(purchase, bob) }
        (bob, kim) = (try await fixture.refreshed(bob), try await fixture.refreshed(kim))
        return Prepared(
            fixture: fixture, memory: memory, options: options, bob: bob, kim: kim, purchase: purchase,
            act: try await act(fixture, purchase, bob, kim))
    }

    private func act(
        _ fixture: SubscriptionFixture, _ purchase: TestPurchase, _ bob: Caller, _ kim: Caller
    ) async throws -> @Sendable (TestService) async throws -> Void {
        let signed = try fixture.appStore.transaction(purchase)
        switch self {
        case .purchase:
            return { service in
                _ = try await service.services.subscriptions.bindPurchase(
                    AppStorePurchase(signedTransaction: signed), caller: bob)
            }
        case .moveByTicket, .moveByTransaction:
            let ticket = try await fixture.services.subscriptions.moveTicket(
                MoveTicketRequest(originalTransactionID: purchase.originalID), caller: bob
            ).moveTicket
            let request =
                self == .moveByTicket ? MoveRequest(moveTicket: ticket) : MoveRequest(signedTransaction: signed)
            return { service in
                _ = try await service.services.subscriptions.moveSubscription(request, caller: kim)
            }
        case .notification:
            let body = try fixture.appStore.notification("SUBSCRIBED", "INITIAL_BUY", id: UUID(), transaction: signed)
            return { service in try await service.services.subscriptions.handleAppStoreNotification(body) }
        case .otherNotification:
            var again = purchase.renewed(id: "1001")
            again.accountToken = kim.user
            let body = try fixture.appStore.notification(
                "SUBSCRIBED", "RESUBSCRIBE", id: UUID(), transaction: try fixture.appStore.transaction(again))
            return { service in try await service.services.subscriptions.handleAppStoreNotification(body) }
        }
    }
}
