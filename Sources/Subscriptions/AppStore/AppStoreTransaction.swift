import Foundation

/// A purchase or renewal of a subscription that Apple signed (JWSTransactionDecodedPayload), reduced to what determines
/// an entitlement. Only a verifier creates values from signed data.
package struct AppStoreTransaction: Codable, Sendable, Equatable {
    /// How a person owns the subscription.
    package enum Ownership: String, Codable, Sendable {
        case purchased = "PURCHASED"
        /// Another member of the family bought it.
        case familyShared = "FAMILY_SHARED"
    }

    package let id: String
    package let originalID: SubscriptionID
    package let productID: String
    package let purchasedAt: AppStoreTime
    package let expiresAt: AppStoreTime
    package let signedAt: AppStoreTime
    /// When Apple revoked it, because of a refund or the end of family sharing.
    package let revokedAt: AppStoreTime?
    /// Whether another product of the group replaced it before it ended.
    package let isUpgraded: Bool
    package let ownership: Ownership
    /// The account that the app named at the purchase.
    package let accountToken: UUID?

    package init(
        id: String, originalID: SubscriptionID, productID: String, purchasedAt: AppStoreTime, expiresAt: AppStoreTime,
        signedAt: AppStoreTime, revokedAt: AppStoreTime? = nil, isUpgraded: Bool = false,
        ownership: Ownership = .purchased, accountToken: UUID? = nil
    ) {
        self.id = id
        self.originalID = originalID
        self.productID = productID
        self.purchasedAt = purchasedAt
        self.expiresAt = expiresAt
        self.signedAt = signedAt
        self.revokedAt = revokedAt
        self.isUpgraded = isUpgraded
        self.ownership = ownership
        self.accountToken = accountToken
    }

    /// The same transaction without the account that the app named.
    var withoutAccountToken: AppStoreTransaction {
        AppStoreTransaction(
            id: id, originalID: originalID, productID: productID, purchasedAt: purchasedAt, expiresAt: expiresAt,
            signedAt: signedAt, revokedAt: revokedAt, isUpgraded: isUpgraded, ownership: ownership)
    }
}

/// The identity of a subscription across its renewals: the environment and Apple's `originalTransactionId`.
package struct SubscriptionID: Codable, Sendable, Hashable {
    package let environment: AppStoreEnvironment
    package let originalTransactionID: String

    /// Returns `nil` for a malformed id. Valid ids are 1 to 64 letters and digits; Apple's are digits.
    package init?(_ environment: AppStoreEnvironment, _ originalTransactionID: String) {
        guard Self.isTransactionID(originalTransactionID) else { return nil }
        self.environment = environment
        self.originalTransactionID = originalTransactionID
    }

    /// Parses the form in which accounts list their subscriptions: `{environment}/{originalTransactionId}`, with the
    /// environment in lower case.
    package init?(listed text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2,
            let environment = AppStoreEnvironment.allCases.first(where: { $0.rawValue.lowercased() == parts[0] })
        else { return nil }
        self.init(environment, String(parts[1]))
    }

    /// Returns whether a text is a valid transaction id, and so a valid segment of an object key.
    package static func isTransactionID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0)
            }
    }
}
