import PhotolalaAPI

/// The deployment's tiers: their storage limits and the App Store products that give them.
package struct TierPlan: Sendable, Equatable {
    /// The operator's settings of one tier.
    package struct Entry: Sendable, Equatable {
        /// The storage limit of an account of the tier, in bytes.
        package let storageLimit: Int64
        /// The ids of the App Store products that give the tier.
        package let products: [String]

        package init(storageLimit: Int64, products: [String]) {
            self.storageLimit = storageLimit
            self.products = products
        }
    }

    private let limits: [Tier: Int64]
    private let tiers: [String: Tier]

    /// - Parameter entries: the configured tiers; others have their default limit and no product.
    package init(_ entries: [Tier: Entry] = [:]) {
        limits = entries.mapValues(\.storageLimit)
        tiers = Dictionary(
            entries.flatMap { tier, entry in entry.products.map { ($0, tier) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns the storage limit of a tier, in bytes.
    package func storageLimit(of tier: Tier) -> Int64 { limits[tier] ?? tier.storageLimit }

    /// Returns the tier that a product gives, or `nil` for an unknown product.
    package func tier(of product: String) -> Tier? { tiers[product] }

    /// Returns the ids of the products that give a tier, sorted.
    package func products(of tier: Tier) -> [String] { tiers.filter { $0.value == tier }.keys.sorted() }

    /// Returns the tier with the larger storage limit.
    package func larger(_ one: Tier, _ other: Tier) -> Tier {
        storageLimit(of: other) > storageLimit(of: one) ? other : one
    }
}
