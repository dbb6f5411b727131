import Foundation
import Observation
import PhotolalaClient

/// What a person does on the screen of storage and plans.
public enum StorageAction: Sendable, Equatable {
    /// Buys a plan.
    case buy(Plan)
    /// Presents purchases to the server that it has not accepted yet.
    case presentPurchases
    /// Asks the App Store for earlier purchases and presents them.
    case restore
    /// Takes over a subscription that belongs to another account, with its purchase. Confirm it first.
    case move(PlanPurchase)
    /// Creates a code with which another account takes over this account's subscription.
    case createMoveCode
    /// Takes over a subscription with the code of ``StorageModel/typedMoveCode``. ``StorageModel/redeemMoveCode()`` starts
    /// it.
    case redeemMoveCode
}

/// The storage of the account: shows how full it is, and buys a larger plan.
///
/// A purchase that the server has not accepted stays unfinished in the App Store and in ``waitingPurchases``, so that it
/// is never lost: loading the screen presents it again.
@MainActor @Observable
public final class StorageModel {
    /// What the last action did, apart from changing the plan.
    public enum Notice: Sendable, Equatable {
        /// The purchase waits for an approval.
        case purchasePending
        /// The App Store has no purchase of this person.
        case nothingToRestore
        /// The subscription of another account belongs to this one now.
        case moved
    }

    /// The state machine of the screen.
    public let flow: ScreenFlow<StorageAction>
    /// The last storage count.
    public private(set) var usage: Usage?
    /// The account's plan.
    public private(set) var subscription: Subscription?
    /// The plans on sale.
    public private(set) var plans: [Plan] = []
    /// Why there are no plans to choose from; the storage is shown nevertheless.
    public private(set) var plansFailure: ScreenFailure?
    /// The purchases that the server has not accepted yet.
    public private(set) var waitingPurchases: [PlanPurchase] = []
    /// Why the server has not accepted the last presented purchase.
    public private(set) var waitingFailure: ScreenFailure?
    /// The purchases among those whose subscription belongs to another account.
    public private(set) var takenPurchases: [PlanPurchase] = []
    /// The code for another account, once it was created.
    public private(set) var moveCode: MoveTicketResponse?
    /// The code of another account, as the person types it.
    public var typedMoveCode = ""
    /// What the last action did.
    public private(set) var notice: Notice?
    /// The pages that the screen shows beside the plans.
    public let terms: PlanTerms?

    @ObservationIgnored private let store: any PlanStore
    @ObservationIgnored private var owner: UserID?

    /// Creates the model. The screen calls `flow.load()`.
    /// - Parameter terms: The app's terms of use and privacy policy. An app in the App Store that sells plans needs them.
    public init(_ context: ScreenContext, plans store: any PlanStore, terms: PlanTerms? = nil) {
        (self.store, self.terms) = (store, terms)
        flow = ScreenFlow(context)
        flow.connect(
            fetch: { [weak self] in try await self?.fetch() },
            perform: { [weak self] in try await self?.perform($0) ?? .ready },
            forget: { [weak self] in self?.moveCode = nil })
    }

    /// The number of bytes that the account may store.
    public var limit: Int64? { subscription?.storageLimit ?? usage?.storageLimit }

    /// How full the storage is; `nil` before the first count.
    public var fullness: StorageFullness? {
        guard let used = usage?.storageUsed, let limit else { return nil }
        return StorageFullness(used: used, of: limit)
    }

    /// The plans with more storage than the account has.
    public var upgrades: [Plan] { plans.filter { $0.tier.storageLimit > limit ?? 0 } }

    /// The subscription that can be moved to another account. A family member's purchase cannot.
    public var movableSubscription: AppStoreSubscription? {
        subscription?.appStore.flatMap { $0.isFamilyShared ? nil : $0 }
    }

    /// Takes over the subscription of the typed code; without a code, shows that it is wrong.
    public func redeemMoveCode() {
        if typedCode.isEmpty { flow.fail(.wrongCode) } else { flow.start(.redeemMoveCode) }
    }

    private var typedCode: String { typedMoveCode.trimmingCharacters(in: .whitespacesAndNewlines) }

    private func fetch() async throws {
        let user = try await flow.context.account.user()
        usage = try await flow.context.account.usage()
        (owner, subscription, notice, moveCode) = (user.serviceUserID, user.subscription, nil, nil)
        do {
            (plans, plansFailure) = (try await store.plans(), nil)
        } catch {
            (plans, plansFailure) = ([], ScreenFailure(error))
        }
        waitingPurchases = await store.unfinishedPurchases()
        do {
            try await presentWaiting()
        } catch {
            if ScreenFailure(error).endsSession { throw error }
        }
    }

    private func perform(_ action: StorageAction) async throws -> ScreenOutcome {
        notice = nil
        switch action {
        case .buy(let plan):
            guard let owner else { return .ready }
            // Nothing is bought for an account that is no longer signed in.
            guard try await flow.context.account.signedInUserID() == owner else { throw ScreenFailure.notSignedIn }
            switch try await store.purchase(plan, for: owner) {
            case .purchased(let purchase): wait(for: [purchase])
            case .pending: notice = .purchasePending
            case .cancelled: throw ScreenFailure.cancelled
            }
        case .presentPurchases: break
        case .restore:
            let purchases = try await store.restoredPurchases()
            if purchases.isEmpty, waitingPurchases.isEmpty { notice = .nothingToRestore }
            wait(for: purchases)
        case .move(let purchase): try await move(purchase)
        case .createMoveCode:
            guard let movableSubscription else { return .ready }
            moveCode = try await flow.context.account.moveTicket(
                originalTransactionID: movableSubscription.originalTransactionID)
            return .ready
        case .redeemMoveCode:
            do throws(PhotolalaError) {
                subscription = try await flow.context.account.moveSubscription(ticket: typedCode)
            } catch {
                if error.code == .invalidMoveTicket { throw ScreenFailure.wrongCode }
                throw error
            }
            (typedMoveCode, notice) = ("", .moved)
        }
        try await presentWaiting()
        return .ready
    }

    /// Takes over a subscription. If Apple signed the purchase too long ago, the App Store is asked for it again, once.
    private func move(_ purchase: PlanPurchase) async throws {
        do throws(PhotolalaError) {
            subscription = try await flow.context.account.move(purchase.signed)
        } catch {
            guard error.code == .transactionTooOld,
                let signedNow = try await store.restoredPurchases().first(where: { $0.isSameSubscription(as: purchase) }
                )
            else { throw error }
            subscription = try await flow.context.account.move(signedNow.signed)
        }
        waitingPurchases.removeAll { $0 == purchase }
        notice = .moved
    }

    private func wait(for purchases: [PlanPurchase]) {
        for purchase in purchases where !waitingPurchases.contains(purchase) {
            waitingPurchases.append(purchase)
        }
    }

    /// Presents all waiting purchases; a rejected one does not hold back the others.
    /// - Throws: The last error.
    private func presentWaiting() async throws(ScreenFailure) {
        (waitingFailure, takenPurchases) = (nil, [])
        for purchase in waitingPurchases {
            do throws(PhotolalaError) {
                subscription = try await flow.context.account.present(purchase.signed)
            } catch {
                waitingFailure = ScreenFailure(error)
                if error.code == .subscriptionTaken { takenPurchases.append(purchase) }
                continue
            }
            waitingPurchases.removeAll { $0 == purchase }
        }
        if let waitingFailure { throw waitingFailure }
    }
}
