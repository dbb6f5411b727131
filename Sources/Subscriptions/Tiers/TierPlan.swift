import PhotolalaAPI

/// What the deployment's tiers hold, and which products of the App Store stand for them.
package struct TierPlan: Sendable, Equatable {
    /// One tier as the operator set it.
    package struct Entry: Sendable, Equatable {
        /// Bytes an account of the tier may store.
        package let storageLimit: Int64
        /// Ids of the App Store's products that give the tier.
        package let products: [String]

        package init(storageLimit: Int64, products: [String]) {
            self.storageLimit = storageLimit
            self.products = products
        }
    }

    private let limits: [Tier: Int64]
    private let tiers: [String: Tier]

    /// - Parameter entries: tiers that are left out have their usual limit and no product.
    package init(_ entries: [Tier: Entry] = [:]) {
        limits = entries.mapValues(\.storageLimit)
        tiers = Dictionary(
            entries.flatMap { tier, entry in entry.products.map { ($0, tier) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// Bytes an account of a tier may store.
    package func storageLimit(of tier: Tier) -> Int64 { limits[tier] ?? tier.storageLimit }

    /// The tier that a product gives; `nil` for a product that is none of ours.
    package func tier(of product: String) -> Tier? { tiers[product] }

    /// The products that give a tier.
    package func products(of tier: Tier) -> [String] { tiers.filter { $0.value == tier }.keys.sorted() }

    /// The one that holds more.
    package func larger(_ one: Tier, _ other: Tier) -> Tier {
        storageLimit(of: other) > storageLimit(of: one) ? other : one
    }
}
