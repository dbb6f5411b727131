import Accounts
import Foundation
import IdentityProviders
import Logging
import PhotolalaAPI
import PhotolalaServer
import Secrets

extension Settings {
    /// Reads and checks all settings.
    /// - Throws: `SettingsProblems`, with all of them.
    static func read(_ reader: SettingsReader) throws -> Settings {
        var reader = reader
        let environment = reader.choice(.environment, of: DeploymentEnvironment.self)
        if environment == nil, reader.text(.environment) == nil {
            reader.report("environment: name it: --environment dev, stage or prod")
        }
        let assumed = environment ?? .prod
        let listen = reader.address(.listen, default: ListenAddress(host: "127.0.0.1", port: 8080))
        let settings = Settings(
            environment: assumed,
            data: reader.required(.data, "the folder of the store: --data DIR"), listen: listen,
            storage: reader.storage(assumed),
            publicURL: reader.baseURL(.publicURL) ?? "http://\(listen)",
            tokenIssuer: reader.text(.tokenIssuer) ?? "photolala-\(assumed.rawValue)",
            tokenAudience: reader.text(.tokenAudience) ?? "photolala-\(assumed.rawValue)",
            masterKey: reader.masterKeys(.masterKey).first,
            previousMasterKeys: reader.masterKeys(.previousMasterKeys),
            subjects: reader.choice(.subjects, of: SubjectSpelling.Mode.self),
            requiresChallenge: reader.flag(.requireChallenge, default: assumed == .prod),
            allowsContinue: reader.flag(.allowContinue, default: false),
            authCallsPerMinute: reader.integer(
                .authCallsPerMinute, default: assumed == .dev ? 0 : 120, in: 0...1_000_000
            ),
            bodyLimit: reader.integer(.bodyBytes, default: 128 << 10, in: 32 << 10...16 << 20),
            trustedProxies: reader.proxies(),
            countUsageEvery: .seconds(reader.integer(.countUsageEvery, default: 600, in: 1...86_400)),
            providers: reader.providers(), log: reader.log()
        )
        settings.report(to: &reader)
        guard reader.problems.isEmpty else { throw SettingsProblems(problems: reader.problems) }
        return settings
    }

    /// What an environment refuses.
    private func report(to reader: inout SettingsReader) {
        let isDev = environment == .dev
        for provider in providers {
            for problem in provider.problems(allowingPlainHTTP: isDev) { reader.report(problem) }
        }
        if listen == storage.listen { reader.report("listen, s3.listen: each needs an address of its own") }
        if isDev {
            if !listen.isLoopback { reader.report("listen: in dev only loopback addresses, not \(listen)") }
            if !storage.listen.isLoopback {
                reader.report("s3.listen: in dev only loopback addresses, not \(storage.listen)")
            }
            return
        }
        if masterKey == nil {
            reader.report("keys.master: \(environment.rawValue) needs a master key, ID:BASE64 of 32 random bytes")
        }
        if providers.isEmpty {
            reader.report("apple.audiences, google.audiences: \(environment.rawValue) needs at least one provider")
        }
        guard environment == .prod else { return }
        if !publicURL.hasPrefix("https://") { reader.report("publicURL: prod needs https, not \(publicURL)") }
        if !storage.endpoint.hasPrefix("https://") {
            reader.report("s3.endpoint: prod needs https, not \(storage.endpoint)")
        }
    }
}

extension SettingsReader {
    fileprivate mutating func required(_ name: SettingName, _ what: String) -> String {
        guard let text = text(name) else {
            report("\(name.rawValue): \(what)")
            return ""
        }
        return text
    }

    fileprivate mutating func storage(_ environment: DeploymentEnvironment) -> StorageSettings {
        let listen = address(.s3Listen, default: ListenAddress(host: "127.0.0.1", port: 9000))
        return StorageSettings(
            listen: listen, endpoint: baseURL(.s3Endpoint) ?? "http://\(listen)",
            region: text(.s3Region) ?? "us-east-1", bucket: text(.s3Bucket) ?? "photolala-\(environment.rawValue)",
            corsOrigins: list(.s3CorsOrigins)
        )
    }

    /// An http or https address without a slash at its end.
    fileprivate mutating func baseURL(_ name: SettingName) -> String? {
        guard let text = text(name) else { return nil }
        guard let url = URL(string: text), url.scheme == "http" || url.scheme == "https", url.host != nil else {
            report("\(name.rawValue): an http or https address, not \"\(text)\"")
            return nil
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    fileprivate mutating func masterKeys(_ name: SettingName) -> [MasterKey] {
        list(name, isSecret: true).compactMap { text in
            if let key = MasterKey(text) { return key }
            report("\(name.rawValue): ID:BASE64 with an id of a-z and 0-9 and exactly 32 bytes")
            return nil
        }
    }

    fileprivate mutating func proxies() -> [AddressRange] {
        list(.trustedProxies).compactMap { text in
            if let range = AddressRange(text) { return range }
            report("limits.trustedProxies: an address or CIDR block, not \"\(text)\"")
            return nil
        }
    }

    fileprivate mutating func log() -> LogSettings {
        LogSettings(
            level: choice(.logLevel, of: Logger.Level.self) ?? .info, format: choice(.logFormat) ?? .text
        )
    }

    /// The providers that have audiences.
    fileprivate func providers() -> [IdentityProviderSettings] {
        var providers: [IdentityProviderSettings] = []
        let apple = list(.appleAudiences)
        if !apple.isEmpty {
            var settings = IdentityProviderSettings.apple(audiences: apple)
            replace(&settings.issuers, .appleIssuers)
            settings.keySetURL = text(.appleKeySetURL) ?? settings.keySetURL
            settings.tokenURL = text(.appleTokenURL) ?? settings.tokenURL
            settings.revokeURL = text(.appleRevokeURL) ?? settings.revokeURL
            replace(&settings.authoritativeEmailDomains, .appleEmailDomains)
            providers.append(settings)
        }
        let google = list(.googleAudiences)
        if !google.isEmpty {
            var settings = IdentityProviderSettings.google(
                audiences: google, authorizedParties: list(.googleAuthorizedParties)
            )
            replace(&settings.issuers, .googleIssuers)
            settings.keySetURL = text(.googleKeySetURL) ?? settings.keySetURL
            settings.tokenURL = text(.googleTokenURL) ?? settings.tokenURL
            settings.revokeURL = text(.googleRevokeURL) ?? settings.revokeURL
            replace(&settings.authoritativeEmailDomains, .googleEmailDomains)
            providers.append(settings)
        }
        return providers
    }

    private func replace(_ values: inout [String], _ name: SettingName) {
        let given = list(name)
        if !given.isEmpty { values = given }
    }
}
