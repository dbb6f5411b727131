import AppStore
import Crypto
import Foundation
import JSONCoding
import PhotolalaAPI
import Secrets
import Subscriptions

/// An App Store for tests, which signs arbitrary data under its own certificate authority.
package struct TestAppStore: Sendable {
    package static let bundleID = "com.example.photolala"
    package static let appAppleID: Int64 = 1_234_567_890
    /// One product for each paid tier.
    package static let basic = "photolala.basic.monthly"
    package static let premium = "photolala.premium.monthly"
    package static let professional = "photolala.professional.monthly"

    package let certificates: TestCertificates
    package let clock: TestClock

    package init(certificates: TestCertificates, clock: TestClock) {
        self.certificates = certificates
        self.clock = clock
    }

    /// Creates a store with the authority that all stores of a process share, because its keys take milliseconds.
    package init(clock: TestClock) throws { try self.init(certificates: Self.authority.get(), clock: clock) }

    /// Creates a store with an authority of its own.
    package static func stranger(clock: TestClock) throws -> TestAppStore {
        TestAppStore(certificates: try TestCertificates(), clock: clock)
    }

    private static let authority = Result { try TestCertificates() }

    /// The tier plan, as the settings would configure it.
    package static let plan = TierPlan([
        .basic: .init(storageLimit: Tier.basic.storageLimit, products: [basic]),
        .premium: .init(storageLimit: Tier.premium.storageLimit, products: [premium]),
        .professional: .init(storageLimit: Tier.professional.storageLimit, products: [professional]),
    ])

    /// Returns a verifier that trusts this store.
    package func verifier(
        _ environments: Set<AppStoreEnvironment> = [.sandbox], appAppleID: Int64? = nil
    ) throws -> AppStoreVerifier {
        let clock = clock
        return AppStoreVerifier(
            settings: AppStoreSettings(
                bundleIDs: [Self.bundleID], appAppleID: appAppleID, environments: environments),
            chains: try CertificateChains(roots: [certificates.root], now: { clock.now }), now: { clock.now }
        )
    }

    /// Returns the options for a service that accepts this store's purchases.
    package func options(_ options: TestService.Options = .init()) throws -> TestService.Options {
        var options = options
        options.plan = Self.plan
        options.appStoreVerifier = try verifier()
        return options
    }

    // MARK: Signing

    /// Signs a payload.
    package func sign(_ payload: [String: JSONValue], header: [String: JSONValue] = [:]) throws -> String {
        try sign(json: Self.text(.object(payload)), header: header)
    }

    /// Signs a payload's text as it is.
    package func sign(json: String, header given: [String: JSONValue] = [:]) throws -> String {
        var header: [String: JSONValue] = [
            "alg": .string("ES256"), "x5c": .array(certificates.base64Chain.map(JSONValue.string)),
        ]
        for (name, value) in given { header[name] = value == .null ? nil : value }
        let input = "\(Base64URL.encode(Data(Self.text(.object(header)).utf8))).\(Base64URL.encode(Data(json.utf8)))"
        let signature = try certificates.leafKey.signature(for: Data(input.utf8)).rawRepresentation
        return "\(input).\(Base64URL.encode(signature))"
    }

    /// Returns the payload of a transaction, with dates in milliseconds.
    package func payload(_ purchase: TestPurchase, signedAt: Date? = nil) -> [String: JSONValue] {
        var payload: [String: JSONValue] = [
            "transactionId": .string(purchase.id), "originalTransactionId": .string(purchase.originalID),
            "bundleId": .string(Self.bundleID), "productId": .string(purchase.product),
            "purchaseDate": Self.milliseconds(purchase.purchasedAt),
            "expiresDate": Self.milliseconds(purchase.expiresAt), "type": .string("Auto-Renewable Subscription"),
            "inAppOwnershipType": .string(purchase.isFamilyShared ? "FAMILY_SHARED" : "PURCHASED"),
            "signedDate": Self.milliseconds(signedAt ?? clock.now),
            "environment": .string(purchase.environment.rawValue), "quantity": .number(1),
        ]
        if let token = purchase.accountToken { payload["appAccountToken"] = .string(token.description) }
        if let date = purchase.revokedAt { payload["revocationDate"] = Self.milliseconds(date) }
        if purchase.isUpgraded { payload["isUpgraded"] = .bool(true) }
        return payload
    }

    package func transaction(_ purchase: TestPurchase, signedAt: Date? = nil) throws -> String {
        try sign(payload(purchase, signedAt: signedAt))
    }

    /// Returns signed renewal information.
    package func renewal(
        of purchase: TestPurchase, willRenew: Bool = true, nextProduct: String? = nil, isInBillingRetry: Bool = false,
        graceUntil: Date? = nil, signedAt: Date? = nil
    ) throws -> String {
        var payload: [String: JSONValue] = [
            "originalTransactionId": .string(purchase.originalID), "productId": .string(purchase.product),
            "autoRenewProductId": .string(nextProduct ?? purchase.product),
            "autoRenewStatus": .number(willRenew ? 1 : 0), "isInBillingRetryPeriod": .bool(isInBillingRetry),
            "signedDate": Self.milliseconds(signedAt ?? clock.now),
            "environment": .string(purchase.environment.rawValue),
        ]
        if let graceUntil { payload["gracePeriodExpiresDate"] = Self.milliseconds(graceUntil) }
        return try sign(payload)
    }

    /// Returns the body of a notification.
    package func notification(
        _ type: String, _ subtype: String? = nil, id: UUID, transaction: String? = nil, renewal: String? = nil,
        environment: AppStoreEnvironment = .sandbox, signedAt: Date? = nil, appAppleID: Int64? = nil
    ) throws -> [UInt8] {
        var data: [String: JSONValue] = [
            "bundleId": .string(Self.bundleID), "environment": .string(environment.rawValue),
        ]
        if let appAppleID { data["appAppleId"] = .number(Double(appAppleID)) }
        if let transaction { data["signedTransactionInfo"] = .string(transaction) }
        if let renewal { data["signedRenewalInfo"] = .string(renewal) }
        var payload: [String: JSONValue] = [
            "notificationType": .string(type), "notificationUUID": .string(id.uuidString.lowercased()),
            "version": .string("2.0"), "signedDate": Self.milliseconds(signedAt ?? clock.now), "data": .object(data),
        ]
        if let subtype { payload["subtype"] = .string(subtype) }
        return Array(#"{"signedPayload":"\#(try sign(payload))"}"#.utf8)
    }

    package static func milliseconds(_ date: Date) -> JSONValue {
        .number((date.timeIntervalSince1970 * 1000).rounded())
    }

    /// Returns JSON text with sorted member names.
    package static func text(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let flag): "\(flag)"
        case .number(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        case .string(let text): "\"\(text)\""
        case .array(let items): "[\(items.map(text).joined(separator: ","))]"
        case .object(let members):
            "{\(members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\(text($0.value))" }.joined(separator: ","))}"
        }
    }
}

/// A purchase or renewal for tests.
package struct TestPurchase: Sendable {
    package var id: String
    package var originalID: String
    package var product: String
    package var purchasedAt: Date
    package var expiresAt: Date
    package var accountToken: UserID?
    package var revokedAt: Date?
    package var isUpgraded = false
    package var isFamilyShared = false
    package var environment = AppStoreEnvironment.sandbox

    /// - Parameter days: The paid period, in days.
    package init(
        _ product: String, id: String, originalID: String? = nil, at purchasedAt: Date, days: Double = 30,
        for accountToken: UserID? = nil
    ) {
        self.id = id
        self.originalID = originalID ?? id
        self.product = product
        self.purchasedAt = purchasedAt
        expiresAt = purchasedAt.addingTimeInterval(days * 86_400)
        self.accountToken = accountToken
    }

    /// Returns the next renewal of the same subscription.
    package func renewed(id: String, product: String? = nil, days: Double = 30) -> TestPurchase {
        var next = TestPurchase(
            product ?? self.product, id: id, originalID: originalID, at: expiresAt, days: days, for: accountToken)
        next.environment = environment
        next.isFamilyShared = isFamilyShared
        return next
    }
}
