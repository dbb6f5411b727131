import PhotolalaClient
import PhotolalaUI
import Synchronization

/// An App Store with one purchase.
final class FakePlanStore: PlanStore {
    struct Failure: Error, CustomStringConvertible { let description: String }

    static let premium = Plan(id: "premium", tier: .premium, price: "$9.99")
    let failure = Mutex<String?>(nil)
    let result = Mutex(PlanPurchaseResult.pending)
    let unfinished = Mutex<[PlanPurchase]>([])
    let restored = Mutex<[PlanPurchase]>([])
    let bought = Mutex<[UserID]>([])
    let finished = Mutex<[String]>([])

    init() { result.withLock { $0 = .purchased(purchase) } }

    /// The purchase, which records that it was finished.
    var purchase: PlanPurchase {
        PlanPurchase(
            id: "1",
            signed: SignedPurchase(signedTransaction: "jws-1") { [weak self] in
                self?.finished.withLock { $0.append("1") }
            })
    }

    private func check() throws {
        if let text = failure.withLock({ $0 }) { throw Failure(description: text) }
    }

    func plans() async throws -> [Plan] {
        try check()
        return [Plan(id: "free", tier: .free, price: "$0"), Self.premium]
    }

    func purchase(_ plan: Plan, for user: UserID) async throws -> PlanPurchaseResult {
        try check()
        bought.withLock { $0.append(user) }
        return result.withLock { $0 }
    }

    func unfinishedPurchases() async -> [PlanPurchase] { unfinished.withLock { $0 } }
    func restoredPurchases() async throws -> [PlanPurchase] { restored.withLock { $0 } }
}
