// visionOS needs the window of the purchase.
#if canImport(StoreKit) && !os(visionOS)
    import PhotolalaClient
    import StoreKit

    /// The plans in the App Store, with StoreKit 2.
    ///
    /// ```swift
    /// let store = StoreKitPlanStore(products: ["com.example.photolala.basic.monthly": .basic])
    /// let storage = StorageModel(
    ///     context, plans: store, terms: PlanTerms(termsOfUse: termsOfUse, privacyPolicy: privacyPolicy))
    /// ```
    ///
    /// Purchases that are approved later or made on another device arrive in `Transaction.updates`: call
    /// `PhotolalaSession.presentUnfinishedPurchases()` for each, and at the start of the app.
    ///
    /// This file is compiled on Apple platforms only. The project's tests run on Linux and only type-check it.
    public struct StoreKitPlanStore: PlanStore {
        private let tiers: [String: Tier]
        private let texts: ScreenTexts

        /// Creates a store.
        /// - Parameter products: The tier of each product ID, as in the server's setting `tiers`.
        public init(products tiers: [String: Tier], texts: ScreenTexts = ScreenTexts()) {
            (self.tiers, self.texts) = (tiers, texts)
        }

        /// Returns the plans that the App Store sells, smaller and cheaper ones first.
        public func plans() async throws -> [Plan] {
            let products = try await Product.products(for: Array(tiers.keys)).sorted { $0.price < $1.price }
            let plans = products.compactMap { product in
                tiers[product.id].map { Plan(id: product.id, tier: $0, price: price(of: product)) }
            }
            return Tier.allCases.flatMap { tier in plans.filter { $0.tier == tier } }
        }

        /// Shows the App Store's sheet, with the account as `appAccountToken`.
        /// - Throws: An error of StoreKit, or `purchaseFailed` if the product is no longer sold.
        @MainActor
        public func purchase(_ plan: Plan, for user: UserID) async throws -> PlanPurchaseResult {
            guard let product = try await Product.products(for: [plan.id]).first else {
                throw PhotolalaError(code: .purchaseFailed, detail: "The App Store does not sell \(plan.id).")
            }
            switch try await product.purchase(options: [.appAccountToken(user.uuid)]) {
            case .success(let verification): return .purchased(PlanPurchase(verification))
            case .pending: return .pending
            case .userCancelled: return .cancelled
            @unknown default: return .pending
            }
        }

        /// Returns the transactions that no app has finished.
        public func unfinishedPurchases() async -> [PlanPurchase] {
            var purchases: [PlanPurchase] = []
            for await verification in Transaction.unfinished { purchases.append(PlanPurchase(verification)) }
            return purchases
        }

        /// Signs in to the App Store and returns the person's current purchases, which Apple signs now.
        @MainActor
        public func restoredPurchases() async throws -> [PlanPurchase] {
            try await AppStore.sync()
            var purchases: [PlanPurchase] = []
            for await verification in Transaction.currentEntitlements { purchases.append(PlanPurchase(verification)) }
            return purchases
        }

        private func price(of product: Product) -> String {
            texts.price(
                product.displayPrice,
                per: product.subscription.flatMap { subscription in
                    let period = subscription.subscriptionPeriod
                    return switch period.unit {
                    case .day: PlanPeriod(days: period.value)
                    case .week: PlanPeriod(weeks: period.value)
                    case .month: PlanPeriod(months: period.value)
                    case .year: PlanPeriod(years: period.value)
                    @unknown default: nil
                    }
                })
        }
    }

    extension PlanPurchase {
        /// Creates a purchase from what StoreKit delivered. The server verifies the signature.
        public init(_ verification: VerificationResult<Transaction>) {
            let transaction = verification.unsafePayloadValue
            self.init(
                id: "\(transaction.id)", originalID: "\(transaction.originalID)", signed: SignedPurchase(verification))
        }
    }
#endif
