import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Subscriptions

@testable import UseCases

/// The service with a simulated App Store.
struct SubscriptionFixture: Sendable {
    let clock: TestClock
    let appStore: TestAppStore
    let service: TestService

    static func make(
        _ change: (inout TestService.Options) -> Void = { _ in }, store: (any ObjectStore)? = nil
    ) async throws -> SubscriptionFixture {
        let clock = TestClock()
        let appStore = try TestAppStore(clock: clock)
        var options = try appStore.options()
        change(&options)
        return SubscriptionFixture(
            clock: clock, appStore: appStore,
            service: try await TestService.make(options, store: store, clock: clock))
    }

    var services: ServiceGraph { service.services }
    var components: ServiceComponents { service.components }

    /// Signs up a new person and returns the caller.
    func person(_ name: String, device: Int = 1) async throws -> Caller {
        try await service.caller(try await service.signUp(.google, name, device: device).session)
    }

    func purchase(
        _ product: String = TestAppStore.premium, _ id: String = "1000", for user: UserID? = nil
    ) -> TestPurchase {
        TestPurchase(product, id: id, at: clock.now, for: user)
    }

    @discardableResult
    func present(_ purchase: TestPurchase, _ caller: Caller, signedAt: Date? = nil) async throws -> Subscription {
        let signed = try appStore.transaction(purchase, signedAt: signedAt)
        return try await services.subscriptions.bindPurchase(
            AppStorePurchase(signedTransaction: signed), caller: try await refreshed(caller))
    }

    func notify(
        _ type: String, _ subtype: String? = nil, _ purchase: TestPurchase, renewal: String? = nil, id: UUID = UUID()
    ) async throws {
        try await services.subscriptions.handleAppStoreNotification(
            try appStore.notification(
                type, subtype, id: id, transaction: try appStore.transaction(purchase), renewal: renewal))
    }

    /// Returns the account's current subscription.
    func subscription(_ caller: Caller) async throws -> Subscription {
        try await services.account.user(caller.user, caller: try await refreshed(caller)).subscription
    }

    func tier(_ caller: Caller) async throws -> Tier { try await subscription(caller).tier }

    /// Returns the caller with the current state of the store.
    func refreshed(_ caller: Caller) async throws -> Caller {
        guard let account = try await components.accounts.account(caller.user),
            let device = try await components.sessions.devices.device(caller.device.value.id, of: caller.user)
        else { throw ServiceError.sessionEnded }
        return Caller(
            user: caller.user, account: account, device: device, session: caller.session, authTime: caller.authTime,
            tokenExpiresAt: caller.tokenExpiresAt)
    }

    /// Returns the number of writes since the last call.
    func writes() -> Int { service.store.drainRequests().count { [.write, .stream, .delete].contains($0.kind) } }

    /// Removes an account with all objects below it, as a purge will.
    func removeAccount(_ user: UserID, _ identity: String) async throws {
        let keys = try await keys(under: "\(StorageLayout.account(user))") + [identity]
        for key in keys { try await service.store.delete(ObjectKey(known: key), if: .always) }
    }

    func keys(under prefix: String) async throws -> [String] {
        try await service.store.list(prefix: prefix, after: nil, limit: 1000).objects.map(\.key.description)
    }

    func advance(days: Double) { clock.advance(by: days * 86_400) }
}
