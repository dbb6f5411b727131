import AppStore
import Foundation
import PhotolalaAPI
import Subscriptions
import Testing

@testable import ServiceWiring

/// Tiers, trials and the App Store.
@Suite struct PurchaseSettingsTests {
    private static let app = [
        "PHOTOLALA_APP_STORE_BUNDLE_IDS": "com.example.photolala",
        "PHOTOLALA_TIERS": #"{"basic":{"products":["b.monthly"]}}"#,
    ]

    private func problems(_ variables: [String: String], in environment: String = "dev") throws -> [String] {
        try SettingsFixture.problems(variables, flags: [.environment: environment, .data: "/tmp/x"])
            .filter { problem in ["tiers", "trial", "appStore"].contains { problem.hasPrefix($0) } }
    }

    private func read(_ variables: [String: String]) throws -> PurchaseSettings {
        try SettingsFixture.read(variables, flags: SettingsFixture.dev).purchases
    }

    @Test func `without settings, tiers have their default limits and purchases are off`() throws {
        let purchases = try read([:])
        for tier in Tier.allCases { #expect(purchases.plan.storageLimit(of: tier) == tier.storageLimit) }
        #expect(purchases.appStore == nil && purchases.trial == nil && purchases.key == nil)
    }

    @Test func `tiers are read with limits and products`() throws {
        let plan = try read([
            "PHOTOLALA_TIERS":
                #"{"free":{"storageLimit":1000},"premium":{"storageLimit":5000,"products":["p.m","p.y"]}}"#
        ]).plan
        #expect(plan.storageLimit(of: .free) == 1000)
        #expect(plan.storageLimit(of: .basic) == 50_000_000_000)
        #expect(plan.tier(of: "p.y") == .premium)
        #expect(plan.tier(of: "p.x") == nil)
    }

    @Test(
        "a malformed tier is reported",
        arguments: [
            (#"{"gold":{}}"#, "tiers.gold: unknown tier, must be one of free, basic, premium, professional"),
            (#"{"free":{"products":["x"]}}"#, "tiers.free: must not have products"),
            (#"{"basic":{"products":["x"]},"premium":{"products":["x"]}}"#, "tiers.premium: duplicate product x"),
            (
                #"{"basic":{"storageLimit":-1}}"#,
                "tiers.basic: must be an object with storageLimit (bytes, 0 to 2^53) and products (strings)"
            ),
            (
                #"{"basic":{"limit":1}}"#,
                "tiers.basic: must be an object with storageLimit (bytes, 0 to 2^53) and products (strings)"
            ),
        ])
    func tiers(_ json: String, _ problem: String) throws {
        #expect(try problems(["PHOTOLALA_TIERS": json]) == [problem])
    }

    @Test func `a trial requires a paid tier and a number of days`() throws {
        let trial = try read(["PHOTOLALA_TRIAL_TIER": "basic", "PHOTOLALA_TRIAL_DAYS": "14"]).trial
        #expect(trial == TrialOffer(tier: .basic, days: 14))
        let both = "trial.tier, trial.days: set both or neither"
        #expect(try problems(["PHOTOLALA_TRIAL_TIER": "basic"]) == [both])
        #expect(try problems(["PHOTOLALA_TRIAL_DAYS": "14"]) == [both])
        #expect(
            try problems(["PHOTOLALA_TRIAL_TIER": "free", "PHOTOLALA_TRIAL_DAYS": "14"]) == [
                "trial.tier: must not be free"
            ])
    }

    @Test func `outside prod, a bundle id and a product suffice, and Apple's root is the default`() throws {
        let purchases = try read(Self.app)
        #expect(purchases.appStore?.environments == [.sandbox])
        #expect(purchases.roots == [AppleRootCertificate.bytes])
        #expect(
            try problems(["PHOTOLALA_APP_STORE_BUNDLE_IDS": "com.example.photolala"]) == [
                "tiers: products are required with appStore.bundleIDs"
            ])
        #expect(
            try problems(["PHOTOLALA_APP_STORE_KEY_ID": "2X9R4HXF34", "PHOTOLALA_APP_STORE_APP_APPLE_ID": "1"]) == [
                "appStore.bundleIDs: required with appStore.appAppleID",
                "appStore.bundleIDs: required with appStore.keyID",
                "appStore.issuerID, appStore.privateKey: required with the other settings of the key",
            ])
    }

    @Test func `Production purchases require the app's App Store id`() throws {
        let production = Self.app.merging(["PHOTOLALA_APP_STORE_ENVIRONMENTS": "Production, sandbox"]) { $1 }
        #expect(
            try problems(production) == [
                "appStore.appAppleID: required for the environment Production"
            ])
        let named = production.merging(["PHOTOLALA_APP_STORE_APP_APPLE_ID": "1234567890"]) { $1 }
        #expect(try read(named).appStore?.environments == [.production, .sandbox])
        #expect(try problems(named.merging(["PHOTOLALA_APP_STORE_ENVIRONMENTS": "Moon"]) { $1 }).count == 1)
    }

    @Test func `prod rejects Xcode and LocalTesting, configured root certificates and plain http`() throws {
        let variables = Self.app.merging([
            "PHOTOLALA_APP_STORE_APP_APPLE_ID": "1", "PHOTOLALA_APP_STORE_ENVIRONMENTS": "Xcode,LocalTesting",
            "PHOTOLALA_APP_STORE_ROOT_CERTIFICATES": AppleRootCertificate.base64,
            "PHOTOLALA_APP_STORE_SERVER_URL": "http://a.example",
        ]) { $1 }
        #expect(
            Set(try problems(variables, in: "prod")) == [
                "appStore.rootCertificates: prod accepts only Apple Root CA - G3",
                "appStore.serverURL: must be https outside of dev",
                "appStore.environments: prod must not accept LocalTesting, where purchases are free",
                "appStore.environments: prod must not accept Xcode, where purchases are free",
            ])
    }

    @Test func `a root certificate is PEM or base64, and a problem does not contain the private key`() throws {
        let lines = AppleRootCertificate.base64
        let pem = "-----BEGIN CERTIFICATE-----\\n\(lines)\\n-----END CERTIFICATE-----"
        let roots = Self.app.merging(["PHOTOLALA_APP_STORE_ROOT_CERTIFICATES": pem]) { $1 }
        #expect(try read(roots).roots == [AppleRootCertificate.bytes])
        #expect(
            try problems(Self.app.merging(["PHOTOLALA_APP_STORE_ROOT_CERTIFICATES": "AAAA"]) { $1 }) == [
                "appStore.rootCertificates: must be PEM certificates, or DER in base64"
            ])
        let key = Self.app.merging([
            "PHOTOLALA_APP_STORE_ISSUER_ID": "57246542-96fe-1a63-e053-0824d011072a",
            "PHOTOLALA_APP_STORE_KEY_ID": "2X9R4HXF34", "PHOTOLALA_APP_STORE_PRIVATE_KEY": "secret",
        ]) { $1 }
        let problem = try #require(try problems(key).first)
        #expect(
            problem.hasPrefix("appStore.issuerID, appStore.keyID, appStore.privateKey") && !problem.contains("secret"))
    }
}
