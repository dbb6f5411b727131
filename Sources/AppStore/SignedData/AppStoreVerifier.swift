import Crypto
import Foundation
import JSONCoding
import JWS
import Subscriptions

/// Verifies data that the App Store signs: a JWS with a certificate chain (RFC 7515 section 4.1.6), ES256 only. Only
/// the date of a payload is read before the signature is verified. Untrusted input cannot crash the process.
package struct AppStoreVerifier: SignedDataVerifier {
    /// An upper bound for a notification with its inner signed data, in bytes.
    static let maximumSize = 64 << 10
    /// How far Apple's clock may be ahead of the local clock, in seconds.
    static let clockSkew: TimeInterval = 300

    private let settings: AppStoreSettings
    private let chains: CertificateChains
    private let now: @Sendable () -> Date

    package init(settings: AppStoreSettings, chains: CertificateChains, now: @escaping @Sendable () -> Date) {
        self.settings = settings
        self.chains = chains
        self.now = now
    }

    package func transaction(_ signed: String) async throws(SignedDataError) -> AppStoreTransaction {
        let (claims, signedAt) = try await verify(signed)
        try checkApp(claims)
        let environment = try environment(of: claims)
        let id = try claims.required("transactionId")
        guard SubscriptionID.isTransactionID(id) else { throw .malformed("transactionId") }
        let originalID = try claims.subscription(in: environment)
        guard try claims.text("type") == "Auto-Renewable Subscription" else { throw .notASubscription }
        return AppStoreTransaction(
            id: id, originalID: originalID, productID: try claims.required("productId"),
            purchasedAt: try claims.requiredTime("purchaseDate"), expiresAt: try claims.requiredTime("expiresDate"),
            signedAt: signedAt, revokedAt: try claims.time("revocationDate"),
            isUpgraded: try claims.flag("isUpgraded"), ownership: try ownership(claims),
            accountToken: try accountToken(claims)
        )
    }

    package func renewal(_ signed: String) async throws(SignedDataError) -> RenewalInfo {
        let (claims, signedAt) = try await verify(signed)
        let environment = try environment(of: claims)
        return RenewalInfo(
            originalID: try claims.subscription(in: environment), signedAt: signedAt,
            willRenew: try claims.number("autoRenewStatus") == 1, nextProductID: try claims.text("autoRenewProductId"),
            isInBillingRetry: try claims.flag("isInBillingRetryPeriod"),
            gracePeriodEndsAt: try claims.time("gracePeriodExpiresDate")
        )
    }

    package func notification(_ body: [UInt8]) async throws(SignedDataError) -> AppStoreNotification {
        guard let members = (try? JSONReader.read(body))?.object, let signed = members["signedPayload"]?.string else {
            throw .malformed("signedPayload")
        }
        return try await notification(signedPayload: signed)
    }

    /// Verifies the signed payload of a notification, without the enclosing body.
    func notification(signedPayload signed: String) async throws(SignedDataError) -> AppStoreNotification {
        let (claims, signedAt) = try await verify(signed)
        let environment = try checkAudience(claims)
        let data = try claims.object("data")
        var transaction: AppStoreTransaction?
        if let signed = try data?.signedData("signedTransactionInfo") {
            // Purchases of other kinds are ignored after their signature was verified.
            do { transaction = try await self.transaction(signed) } catch .notASubscription {}
        }
        var renewal: RenewalInfo?
        if let signed = try data?.signedData("signedRenewalInfo") { renewal = try await self.renewal(signed) }
        if let transaction, let renewal, transaction.originalID != renewal.originalID {
            throw .malformed("signedRenewalInfo of another subscription")
        }
        let subscription = transaction?.originalID ?? renewal?.originalID
        guard subscription == nil || subscription?.environment == environment else {
            throw .malformed("parts of another environment")
        }
        return AppStoreNotification(
            id: try claims.required("notificationUUID"), type: try claims.required("notificationType"),
            subtype: try claims.text("subtype"), signedAt: signedAt, subscription: subscription,
            transaction: transaction, renewal: renewal
        )
    }

    // MARK: Common to all signed data

    private func verify(_ signed: String) async throws(SignedDataError) -> (SignedDataClaims, AppStoreTime) {
        let token = try decode(signed)
        guard token.header.algorithm == "ES256" else { throw .algorithmRefused }
        guard let chain = token.header.certificateChain?.strings else { throw .malformed("x5c") }
        guard let members = (try? JSONReader.read(token.payload))?.object else { throw .malformed("payload") }
        let claims = SignedDataClaims(members)
        let signedAt = try claims.requiredTime("signedDate")
        guard signedAt.date <= now().addingTimeInterval(Self.clockSkew) else { throw .notCurrent }
        let key = try await chains.signer(of: chain, at: signedAt.date)
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: token.signature),
            key.isValidSignature(signature, for: token.signingInput)
        else { throw .badSignature }
        return (claims, signedAt)
    }

    private func decode(_ signed: String) throws(SignedDataError) -> CompactJWS {
        do {
            return try CompactJWS(signed, maximumSize: Self.maximumSize)
        } catch {
            switch error {
            case .malformed(let part): throw .malformed(part)
            case .algorithmRefused: throw .algorithmRefused
            }
        }
    }

    // MARK: App and environment

    private func checkApp(_ claims: SignedDataClaims) throws(SignedDataError) {
        guard settings.bundleIDs.contains(try claims.required("bundleId")) else { throw .otherApp }
    }

    private func environment(of claims: SignedDataClaims) throws(SignedDataError) -> AppStoreEnvironment {
        let environment = try claims.environment()
        guard settings.environments.contains(environment) else { throw .otherEnvironment(environment.rawValue) }
        return environment
    }

    /// Checks the app and environment of a notification, which are in `data`, `summary`, `appData` or
    /// `externalPurchaseToken`.
    private func checkAudience(_ claims: SignedDataClaims) throws(SignedDataError) -> AppStoreEnvironment {
        let environment: AppStoreEnvironment
        let about: SignedDataClaims
        if let part = try claims.object("externalPurchaseToken") {
            about = part
            let isSandbox = try part.text("externalPurchaseId")?.hasPrefix("SANDBOX") == true
            environment = isSandbox ? .sandbox : .production
            guard settings.environments.contains(environment) else { throw .otherEnvironment(environment.rawValue) }
        } else {
            var part: SignedDataClaims?
            for name in ["data", "summary", "appData"] where part == nil { part = try claims.object(name) }
            guard let part else { throw .malformed("data") }
            about = part
            environment = try self.environment(of: part)
        }
        try checkApp(about)
        if environment == .production, let id = settings.appAppleID, try about.number("appAppleId") != id {
            throw .otherApp
        }
        return environment
    }

    private func ownership(_ claims: SignedDataClaims) throws(SignedDataError) -> AppStoreTransaction.Ownership {
        guard let name = try claims.text("inAppOwnershipType") else { return .purchased }
        // An unknown ownership type must not count as a purchase.
        guard let ownership = AppStoreTransaction.Ownership(rawValue: name) else { throw .malformed("ownership") }
        return ownership
    }

    private func accountToken(_ claims: SignedDataClaims) throws(SignedDataError) -> UUID? {
        guard let text = try claims.text("appAccountToken") else { return nil }
        guard let token = UUID(uuidString: text) else { throw .malformed("appAccountToken") }
        return token
    }
}
