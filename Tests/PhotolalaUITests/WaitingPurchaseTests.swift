import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing

@testable import PhotolalaUI

/// Purchases that are not applied at once.
@MainActor
@Suite struct WaitingPurchaseTests {
    @Test(
        "a purchase that the server does not accept stays unfinished and is presented again",
        arguments: [nil, .temporarilyUnavailable, .subscriptionTaken] as [ErrorCode?])
    func waiting(code: ErrorCode?) async throws {
        let first = code.map { FakeServer.problem($0, 409) } ?? ScreenFixture.unreachable
        try await StorageTests.loaded(["POST /subscriptions/app-store": [first, StorageTests.premium]]) {
            _, model, store in
            await StorageTests.run(.buy(FakePlanStore.premium), model)
            #expect(model.flow.state == .ready && model.flow.failure?.code == code ?? .serverUnreachable)
            #expect(model.waitingPurchases == [store.purchase] && store.finished.withLock { $0.isEmpty })
            await StorageTests.run(.presentPurchases, model)
            #expect(model.flow.failure == nil && model.waitingPurchases.isEmpty)
            #expect(store.finished.withLock { $0 } == ["1"] && model.subscription?.tier == .premium)
        }
    }

    @Test("a purchase of an earlier launch is presented when the screen loads")
    func unfinished() async throws {
        let store = FakePlanStore()
        store.unfinished.withLock { $0 = [store.purchase] }
        let answers = [FakeServer.problem(.temporarilyUnavailable, 503), StorageTests.premium]
        try await StorageTests.loaded(["POST /subscriptions/app-store": answers], store) { _, model, store in
            #expect(model.flow.state == .ready && model.waitingFailure?.code == .temporarilyUnavailable)
            #expect(model.waitingPurchases == [store.purchase])
            model.flow.load()
            await model.flow.wait()
            #expect(model.subscription?.tier == .premium && model.waitingFailure == nil)
            #expect(store.finished.withLock { $0 } == ["1"])
        }
    }

    @Test("a closed purchase shows nothing, a pending one its notice, and neither calls the server")
    func notBought() async throws {
        try await StorageTests.loaded { fixture, model, store in
            for (result, notice) in [(PlanPurchaseResult.cancelled, nil), (.pending, .purchasePending)]
                as [(PlanPurchaseResult, StorageModel.Notice?)]
            {
                store.result.withLock { $0 = result }
                await StorageTests.run(.buy(FakePlanStore.premium), model)
                #expect(model.flow.state == .ready && model.flow.failure == nil && model.notice == notice)
            }
            #expect(fixture.count("/subscriptions/app-store") == 0)
        }
    }

    @Test("restoring presents each purchase once, and says if there is none")
    func restore() async throws {
        try await StorageTests.loaded { fixture, model, store in
            await StorageTests.run(.restore, model)
            #expect(model.notice == .nothingToRestore && fixture.count("/subscriptions/app-store") == 0)
            store.restored.withLock { $0 = [store.purchase, store.purchase] }
            await StorageTests.run(.restore, model)
            #expect(model.notice == nil && fixture.count("/subscriptions/app-store") == 1)
            #expect(model.subscription?.tier == .premium)
        }
    }
}
