import AppStore
import IdentityProviders
import PhotolalaAPI

/// Formats the effective configuration, one setting per line. Keys are shown by id only.
package struct SettingsReport: CustomStringConvertible {
    package let description: String

    package init(_ settings: Settings) {
        let lines =
            Self.server(settings) + Self.store(settings.store) + Self.limits(settings)
            + Self.purchases(settings.purchases) + Self.providers(settings)
        let width = lines.map(\.name.count).max() ?? 0
        description = lines.map { name, value in
            "\(name)\(String(repeating: " ", count: width - name.count))  \(value.isEmpty ? "–" : value)"
        }.joined(separator: "\n")
    }

    private typealias Line = (name: String, value: String)

    private static func line(_ name: SettingName, _ value: String) -> Line { (name.rawValue, value) }

    /// Returns seconds in the largest unit of which they are a whole number, such as `7 days`.
    private static func line(_ name: SettingName, seconds: Double) -> Line {
        let seconds = Int(seconds)
        let units = [(86_400, "day"), (3600, "hour"), (60, "minute")]
        let (unit, text) = units.first { seconds.isMultiple(of: $0.0) } ?? (1, "second")
        return line(name, "\(seconds / unit) \(text)\(seconds == unit ? "" : "s")")
    }

    private static func limit(_ name: SettingName, _ value: Int) -> Line {
        line(name, value == 0 ? "no limit" : "\(value)")
    }

    private static func server(_ settings: Settings) -> [Line] {
        let folder = DevelopmentSecrets.folder(settings.store.folder?.data ?? "")
        let made = "\(DevelopmentSecrets.masterKeyID), generated in \(folder)"
        return [
            line(.environment, settings.environment.rawValue),
            line(.listen, "\(settings.listen)"),
            line(.operatorListen, settings.operatorListen.map { "\($0)" } ?? ""),
            line(.operatorHosts, settings.operatorHosts.joined(separator: ", ")),
            line(.metricsEMF, settings.emfNamespace ?? ""),
            line(.tracesOTLP, settings.traces.map { String($0.url.prefix { $0 != "?" }) } ?? ""),
            line(.tracesPercent, settings.traces.map { "\($0.percent)" } ?? ""),
            line(.tlsCertificate, settings.tls?.certificate ?? ""), line(.tlsKey, settings.tls?.key ?? ""),
            line(.publicURL, settings.publicURL),
            line(.brandName, settings.brand.name),
            line(.brandLogo, settings.brand.logo.map { "\($0.kind.rawValue), \($0.bytes.count) bytes" } ?? ""),
            line(.brandAccent, settings.brand.accent.map { "\($0), \($0.onDark) on dark pages" } ?? ""),
            line(.brandTermsURL, settings.brand.termsURL ?? ""),
            line(.brandPrivacyURL, settings.brand.privacyURL ?? ""),
            line(.brandSupportURL, settings.brand.supportURL ?? ""),
            line(.brandPlansURL, settings.brand.plansURL ?? ""),
            line(.brandSecurityURL, settings.brand.securityURL ?? ""),
            line(.tokenIssuer, settings.tokenIssuer), line(.tokenAudience, settings.tokenAudience),
            line(.masterKey, settings.masterKey?.id ?? made),
            line(.previousMasterKeys, settings.previousMasterKeys.map(\.id).joined(separator: ", ")),
            line(.subjects, settings.subjects?.rawValue ?? "as in the store; plain in a new store"),
        ]
    }

    private static func store(_ store: StoreSettings) -> [Line] {
        let (folder, bucket) = (store.folder, store.bucket)
        return [
            line(.store, store.kind.rawValue), line(.data, folder?.data ?? ""),
            line(.diskReservedBytes, folder.map { $0.reservedBytes.map { "\($0)" } ?? "a tenth, at most 1 GiB" } ?? ""),
            line(.scrubEveryDays, folder.map { $0.scrub.everyDays == 0 ? "never" : "\($0.scrub.everyDays)" } ?? ""),
            line(.scrubBytesPerSecond, folder.map { "\($0.scrub.bytesPerSecond)" } ?? ""),
            line(.s3Listen, folder.map { "\($0.listen)" } ?? ""), line(.s3Endpoint, store.endpoint),
            line(.s3InternalEndpoint, bucket?.internalEndpoint ?? ""), line(.s3Region, store.region),
            line(.s3Bucket, store.bucketName), line(.s3CorsOrigins, folder?.corsOrigins.joined(separator: ", ") ?? ""),
            line(.s3AccessLog, folder.map { "\($0.logsRequests)" } ?? ""),
            line(.s3PathStyle, bucket.map { "\($0.connection?.addressing == .path)" } ?? ""),
            line(.s3ExpectedBucketOwner, bucket?.expectedOwner ?? ""),
            line(.s3AccessKeyID, bucket.map { $0.keys?.accessKeyID ?? "from AWS's default sources" } ?? ""),
            line(.s3SecretAccessKey, bucket?.keys == nil ? "" : "given"),
            line(.stsRoleARN, bucket?.roleARN ?? ""),
            line(.stsExternalID, bucket?.externalID?.description ?? ""),
            line(.stsEraserRoleARN, bucket.map { $0.eraserRoleARN ?? "the server's own credentials" } ?? ""),
            line(.stsEndpoint, bucket?.tokenService ?? ""),
        ]
    }

    private static func limits(_ settings: Settings) -> [Line] {
        [
            line(.requireChallenge, "\(settings.requiresChallenge)"),
            line(.allowContinue, "\(settings.allowsContinue)"), line(.sharing, "\(settings.allowsSharing)"),
            line(.unlinkDelay, "\(settings.unlinkDelay)"), line(.undoDays, "\(settings.undoDays)"),
            line(.slidingDays, settings.slidingDays == 0 ? "30 days from the sign-in" : "\(settings.slidingDays)"),
            line(.backupDays, settings.backupDays == 0 ? "not stated" : "\(settings.backupDays)"),
            limit(.authCallsPerMinute, settings.callRates.address),
            limit(.identityCallsPerMinute, settings.callRates.identity),
            limit(.accountCallsPerMinute, settings.callRates.account),
            limit(.addressCallsPerMinute, settings.callRates.signedInAddress),
            limit(.totalCallsPerMinute, settings.callRates.total),
            line(.devicesPerAccount, "\(settings.devicesPerAccount)"), line(.connections, "\(settings.connections)"),
            limit(.connectionsPerAddress, settings.connectionsPerAddress),
            limit(.s3AccountRequestsPerMinute, settings.s3AccountRequestsPerMinute),
            limit(.s3AddressRequestsPerMinute, settings.s3AddressRequestsPerMinute),
            line(.bodyBytes, "\(settings.bodyLimit)"),
            line(.rememberedProofs, "\(settings.rememberedProofs)"),
            line(.rememberedWaitingDevices, "\(settings.rememberedWaitingDevices)"),
            line(.libraryBytes, "\(settings.libraryMemory)"),
            line(.trustedProxies, settings.trustedProxies.joined(separator: ", ")),
            line(.geoIPFile, settings.countries.map { $0.kind ?? "given" } ?? ""),
            line(.countUsageEvery, seconds: Double(settings.countUsageEvery.components.seconds)),
            line(.reserveUploads, "\(settings.reservesUploads)"),
            line(.uploadAddressMinutes, seconds: settings.uploadAddressLifetime),
            line(.uploadAccessKeyID, settings.store.bucket?.uploadKeys?.accessKeyID ?? ""),
            line(.uploadSecretAccessKey, settings.store.bucket?.uploadKeys == nil ? "" : "given"),
            line(.credentialMinutes, seconds: settings.credentialLifetime),
            line(.webhooksURL, settings.webhooks.map { String($0.url.prefix { $0 != "?" }) } ?? ""),
            line(.webhooksSecrets, settings.webhooks.map { "\($0.secrets.count) given" } ?? ""),
            line(.mailURL, settings.mail.map(mailServer) ?? ""),
            line(.mailFrom, settings.mail.map { "\($0.from)" } ?? ""),
            line(.apps, settings.apps.map(\.id).joined(separator: ", ")),
            line(.logLevel, settings.log.level.rawValue), line(.logFormat, settings.log.format.rawValue),
        ]
    }

    /// Returns the server without user and password, which are the same text at some providers.
    private static func mailServer(_ mail: MailSettings) -> String {
        let scheme = mail.server.security == .implicitTLS ? "smtps" : "smtp"
        let host = mail.server.host.contains(":") ? "[\(mail.server.host)]" : mail.server.host
        return "\(scheme)://\(host):\(mail.server.port)"
    }

    private static func purchases(_ purchases: PurchaseSettings) -> [Line] {
        let tiers = Tier.allCases.map { tier in
            let products = purchases.plan.products(of: tier).joined(separator: ", ")
            let limit = "\(tier.rawValue) \(purchases.plan.storageLimit(of: tier))"
            return products.isEmpty ? limit : "\(limit) for \(products)"
        }
        let app = purchases.appStore
        let isOwnRoot = purchases.roots == [AppleRootCertificate.bytes]
        return [
            line(.tiers, tiers.joined(separator: "; ")), line(.trialTier, purchases.trial?.tier.rawValue ?? ""),
            line(.trialDays, purchases.trial.map { "\($0.days)" } ?? ""),
            line(.appStoreBundleIDs, app?.bundleIDs.joined(separator: ", ") ?? ""),
            line(.appStoreAppAppleID, app?.appAppleID.map { "\($0)" } ?? ""),
            line(.appStoreEnvironments, app?.environments.map(\.rawValue).sorted().joined(separator: ", ") ?? ""),
            line(.appStoreRootCertificates, isOwnRoot ? "Apple Root CA - G3" : "\(purchases.roots.count) given"),
            line(.appStoreCheckRevocation, "\(purchases.asksRevocation)"),
            line(.appStoreIssuerID, purchases.key?.issuerID ?? ""), line(.appStoreKeyID, purchases.key?.keyID ?? ""),
            line(.appStorePrivateKey, purchases.key == nil ? "" : "given"),
            line(.appStoreServerURL, purchases.serverURLs[.production] ?? ""),
            line(.appStoreSandboxServerURL, purchases.serverURLs[.sandbox] ?? ""),
        ]
    }

    private static func providers(_ settings: Settings) -> [Line] {
        let real = settings.providers.map { provider in
            let issuers = provider.issuers.joined(separator: ", ")
            let audiences = provider.audiences.joined(separator: ", ")
            let codes =
                provider.tokenURL == nil
                ? "" : "; codes are\(provider.clientAuthentication == nil ? " not" : "") exchanged"
            return (
                "\(provider.name)", "issuers \(issuers); audiences \(audiences); keys from \(provider.keySet)\(codes)"
            )
        }
        let played = settings.developmentProviders.map { name, _ in
            ("\(name)", "development provider, \(settings.developmentIssuer(name))")
        }
        let known = Set((settings.providers.map(\.name)) + settings.developmentProviders.map(\.name))
        return real + played
            + Settings.developmentShapes.filter { name, _ in !known.contains(name) }.map { name, _ in ("\(name)", "off")
            }
    }
}
