import AppStore
import Foundation
import PhotolalaAPI
import Subscriptions

extension SettingsReader {
    /// Reads the settings for tiers, trials and the App Store.
    mutating func purchases(_ environment: DeploymentEnvironment) -> PurchaseSettings {
        let tiers = tiers()
        let appStore = appStore(environment)
        if appStore != nil, tiers.values.allSatisfy(\.products.isEmpty) {
            report("tiers: products are required with appStore.bundleIDs")
        }
        return PurchaseSettings(
            plan: TierPlan(tiers), trial: trial(), appStore: appStore, roots: roots(environment),
            asksRevocation: flag(.appStoreCheckRevocation, default: false), key: appStoreKey(),
            serverURLs: [
                .production: serverURL(.appStoreServerURL, environment) ?? AppStoreServerClient.productionURL,
                .sandbox: serverURL(.appStoreSandboxServerURL, environment) ?? AppStoreServerClient.sandboxURL,
            ]
        )
    }

    /// Reads the tiers: `{"basic": {"storageLimit": 50000000000, "products": ["…"]}}`.
    private mutating func tiers() -> [Tier: TierPlan.Entry] {
        var entries: [Tier: TierPlan.Entry] = [:]
        var named: Set<String> = []
        for (name, value) in members(.tiers).sorted(by: { $0.key < $1.key }) {
            guard let tier = Tier(rawValue: name) else {
                let known = Tier.allCases.map(\.rawValue).joined(separator: ", ")
                report("tiers.\(name): unknown tier, must be one of \(known)")
                continue
            }
            guard case .object(let members) = value,
                Set(members.keys).isSubset(of: ["storageLimit", "products"]),
                let limit = storageLimit(members["storageLimit"], of: tier),
                let products = products(members["products"])
            else {
                report("tiers.\(name): must be an object with storageLimit (bytes, 0 to 2^53) and products (strings)")
                continue
            }
            if tier == .free, !products.isEmpty { report("tiers.free: must not have products") }
            for product in products where !named.insert(product).inserted {
                report("tiers.\(name): duplicate product \(product)")
            }
            entries[tier] = TierPlan.Entry(storageLimit: limit, products: products)
        }
        return entries
    }

    private func storageLimit(_ value: SettingsValue?, of tier: Tier) -> Int64? {
        guard let value else { return tier.storageLimit }
        guard case .number(let text) = value, let limit = Int64(text), (0...(1 << 53)).contains(limit) else {
            return nil
        }
        return limit
    }

    private func products(_ value: SettingsValue?) -> [String]? {
        guard let value else { return [] }
        guard case .array(let items) = value else { return nil }
        let texts = items.compactMap { if case .text(let text) = $0 { text } else { nil } }
        return texts.count == items.count && texts.allSatisfy { (1...255).contains($0.utf8.count) } ? texts : nil
    }

    private mutating func trial() -> TrialOffer? {
        let tier = choice(.trialTier, of: Tier.self)
        let days = integer(.trialDays, default: 0, in: 0...3650)
        if (tier == nil) != (days == 0) { report("trial.tier, trial.days: set both or neither") }
        if tier == .free { report("trial.tier: must not be free") }
        return tier.flatMap { days > 0 ? TrialOffer(tier: $0, days: days) : nil }
    }

    private mutating func appStore(_ environment: DeploymentEnvironment) -> AppStoreSettings? {
        let names = list(.appStoreEnvironments)
        let environments = names.compactMap { name in
            AppStoreEnvironment.allCases.first { $0.rawValue.lowercased() == name.lowercased() }
        }
        if environments.count != names.count {
            let known = AppStoreEnvironment.allCases.map(\.rawValue).joined(separator: ", ")
            report("\(SettingName.appStoreEnvironments.rawValue): must be one or more of \(known)")
        }
        let number = text(.appStoreAppAppleID).map { _ in
            integer(.appStoreAppAppleID, default: 0, in: 1...Int(1) << 53)
        }
        guard text(.appStoreBundleIDs) != nil else {
            let others: [SettingName] = [
                .appStoreAppAppleID, .appStoreEnvironments, .appStoreRootCertificates, .appStoreCheckRevocation,
                .appStoreIssuerID, .appStoreKeyID, .appStoreServerURL, .appStoreSandboxServerURL,
            ]
            for name in others where text(name) != nil {
                report("appStore.bundleIDs: required with \(name.rawValue)")
            }
            return nil
        }
        let usual: [AppStoreEnvironment] = environment == .prod ? [.production] : [.sandbox]
        let settings = AppStoreSettings(
            bundleIDs: list(.appStoreBundleIDs), appAppleID: number.map(Int64.init),
            environments: Set(environments.isEmpty ? usual : environments)
        )
        if settings.environments.contains(.production), settings.appAppleID == nil {
            report("appStore.appAppleID: required for the environment Production")
        }
        if environment == .prod {
            for name in settings.environments.filter({ !$0.isOperatedByApple }).map(\.rawValue).sorted() {
                report("appStore.environments: prod must not accept \(name), where purchases are free")
            }
        }
        return settings
    }

    /// Returns Apple's root certificate, or others for tests.
    private mutating func roots(_ environment: DeploymentEnvironment) -> [[UInt8]] {
        let texts = list(.appStoreRootCertificates)
        if environment == .prod, !texts.isEmpty {
            report("appStore.rootCertificates: prod accepts only Apple Root CA - G3")
        }
        let given = texts.isEmpty ? [AppleRootCertificate.base64] : texts
        return given.compactMap { text in
            let lines = text.replacingOccurrences(of: "\\n", with: "\n").split(whereSeparator: \.isNewline)
            let base64 = lines.filter { !$0.hasPrefix("-----") }.joined()
            if let bytes = Data(base64Encoded: base64), CertificateChains.isCertificate(Array(bytes)) {
                return Array(bytes)
            }
            report("appStore.rootCertificates: must be PEM certificates, or DER in base64")
            return nil
        }
    }

    private mutating func appStoreKey() -> AppStoreKey? {
        let names: [SettingName] = [.appStoreIssuerID, .appStoreKeyID, .appStorePrivateKey]
        let texts = [text(names[0]), text(names[1]), text(names[2], isSecret: true)]
        let given = texts.compactMap { $0 }
        guard !given.isEmpty else { return nil }
        guard given.count == names.count else {
            let missing = zip(names, texts).filter { $0.1 == nil }.map(\.0.rawValue)
            report("\(missing.joined(separator: ", ")): required with the other settings of the key")
            return nil
        }
        if let key = AppStoreKey(issuerID: given[0], keyID: given[1], privateKey: given[2]) { return key }
        report(
            "appStore.issuerID, appStore.keyID, appStore.privateKey: must be a UUID, 10 characters, the .p8 file's text"
        )
        return nil
    }

    private mutating func serverURL(_ name: SettingName, _ environment: DeploymentEnvironment) -> String? {
        guard let url = baseURL(name) else { return nil }
        if environment != .dev, !url.hasPrefix("https://") {
            report("\(name.rawValue): must be https outside of dev")
        }
        return url
    }
}
