import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing

@testable import PhotolalaUI

@MainActor
@Suite struct StorageTests {
    private static let user = "GET /users/\(ClientFixture.user)"
    nonisolated static let premium = FakeServer.json(
        Subscription(tier: .premium, storageLimit: Tier.premium.storageLimit))

    /// Runs a test with a loaded screen.
    static func loaded(
        _ script: [String: [FakeServer.Response]] = [:], _ store: FakePlanStore = FakePlanStore(),
        _ test: @escaping @MainActor @Sendable (ScreenFixture, StorageModel, FakePlanStore) async throws -> Void
    ) async throws {
        let base = [
            user: [FakeServer.json(ClientFixture.account())], "POST /subscriptions/app-store": [premium],
            "GET \(ClientFixture.usagePath)": [ClientFixture.usage(4_900_000_000)],
        ]
        try await ScreenFixture.signedIn(base.merging(script) { _, own in own }) { fixture in
            let model = StorageModel(fixture.context, plans: store)
            model.flow.load()
            await model.flow.wait()
            try await test(fixture, model, store)
        }
    }

    static func run(_ action: StorageAction, _ model: StorageModel) async {
        model.flow.start(action)
        await model.flow.wait()
    }

    @Test("shows the usage and the larger plans")
    func load() async throws {
        try await Self.loaded { _, model, store in
            #expect(model.flow.state == .ready && model.limit == 5_000_000_000 && model.fullness == .almostFull)
            #expect(model.upgrades.map(\.tier) == [.premium] && model.waitingPurchases.isEmpty)
        }
    }

    @Test("shows the usage even if the App Store does not respond")
    func noPlans() async throws {
        let store = FakePlanStore()
        store.failure.withLock { $0 = "store down" }
        try await Self.loaded([:], store) { _, model, _ in
            #expect(model.flow.state == .ready && model.plansFailure == .planStore("store down"))
            #expect(model.fullness == .almostFull && model.upgrades.isEmpty)
            await Self.run(.buy(FakePlanStore.premium), model)
            #expect(model.flow.state == .ready && model.flow.failure == .planStore("store down"))
        }
    }

    @Test("a purchase is finished after the server has accepted it, and a second tap buys nothing")
    func buy() async throws {
        try await Self.loaded { fixture, model, store in
            model.flow.start(.buy(FakePlanStore.premium))
            model.flow.start(.buy(FakePlanStore.premium))
            await model.flow.wait()
            #expect(model.flow.state == .ready && model.flow.failure == nil)
            #expect(model.limit == Tier.premium.storageLimit && model.fullness == .roomy && model.upgrades.isEmpty)
            #expect(store.bought.withLock { $0 } == [ClientFixture.user])
            #expect(store.finished.withLock { $0 } == ["1"] && model.waitingPurchases.isEmpty)
            let body = try #require(fixture.client.server.requests("/subscriptions/app-store").first?.text)
            #expect(body.contains("jws-1"))
        }
    }
}
