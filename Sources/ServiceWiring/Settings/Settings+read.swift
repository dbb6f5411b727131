import Accounts
import PhotolalaAPI
import UseCases

extension Settings {
    /// Reads and validates all settings.
    /// - Throws: `SettingsProblems` with every problem.
    package static func read(_ reader: SettingsReader) throws -> Settings {
        var reader = reader
        let environment = reader.choice(.environment, of: DeploymentEnvironment.self)
        if environment == nil, reader.text(.environment) == nil {
            reader.report("environment: required: --environment dev, stage or prod")
        }
        // Without an environment, only problems that apply to every environment are reported.
        let settings = Settings(&reader, environment ?? .dev)
        settings.reportEverywhere(to: &reader)
        if environment != nil { settings.reportForEnvironment(to: &reader) }
        guard reader.problems.isEmpty else { throw SettingsProblems(problems: reader.problems) }
        return settings
    }

    private init(_ reader: inout SettingsReader, _ environment: DeploymentEnvironment) {
        let listen = reader.address(.listen, default: ListenAddress(host: reader.defaultHost, port: 8080))
        let store = reader.store(environment)
        // On a bucket, each count costs money.
        let countEvery = store.kind == .folder ? 600 : 86_400
        self.init(
            environment: environment, isPairing: reader.pairingHost != nil, listen: listen,
            operatorListen: reader.operatorAddress(),
            operatorHosts: reader.list(.operatorHosts),
            emfNamespace: reader.emfNamespace(), traces: reader.traces(), tls: reader.tls(),
            store: store, publicURL: reader.baseURL(.publicURL) ?? "\(reader.scheme)://\(listen)",
            brand: reader.brand(),
            tokenIssuer: reader.text(.tokenIssuer) ?? "photolala-\(environment.rawValue)",
            tokenAudience: reader.text(.tokenAudience) ?? "photolala-\(environment.rawValue)",
            masterKey: reader.text(.masterKey, isSecret: true).flatMap { reader.masterKey($0, .masterKey) },
            previousMasterKeys: reader.previousMasterKeys(),
            subjects: reader.choice(.subjects, of: KeyEncoding.Mode.self),
            requiresChallenge: reader.flag(.requireChallenge, default: environment == .prod),
            allowsContinue: reader.flag(.allowContinue, default: false),
            allowsSharing: reader.flag(.sharing, default: true),
            unlinkDelay: reader.integer(
                .unlinkDelay, default: 86_400, in: (environment == .prod ? 3600 : 0)...2_592_000),
            slidingDays: reader.slidingDays(),
            undoDays: reader.integer(.undoDays, default: 14, in: 0...30),
            backupDays: reader.integer(.backupDays, default: 0, in: 0...3650),
            callRates: reader.callRates(isLimited: environment != .dev),
            devicesPerAccount: reader.integer(.devicesPerAccount, default: 100, in: 1...500),
            connections: reader.integer(.connections, default: 10_000, in: 16...1_000_000),
            connectionsPerAddress: reader.integer(
                .connectionsPerAddress, default: environment == .dev ? 0 : 1000, in: 0...1_000_000
            ),
            s3AccountRequestsPerMinute: reader.integer(
                .s3AccountRequestsPerMinute, default: environment == .dev ? 0 : 30_000, in: 0...100_000_000),
            s3AddressRequestsPerMinute: reader.integer(
                .s3AddressRequestsPerMinute, default: environment == .dev ? 0 : 60_000, in: 0...100_000_000),
            bodyLimit: reader.integer(.bodyBytes, default: 128 << 10, in: 32 << 10...16 << 20),
            rememberedProofs: reader.integer(.rememberedProofs, default: 100_000, in: 1000...10_000_000),
            rememberedWaitingDevices: reader.integer(
                .rememberedWaitingDevices, default: 10_000, in: 1000...10_000_000),
            libraryMemory: reader.integer(
                .libraryBytes, default: 512 << 20, in: Libraries.minimumCacheCost...64 << 30),
            trustedProxies: reader.proxies(), countries: reader.countries(),
            countUsageEvery: .seconds(reader.integer(.countUsageEvery, default: countEvery, in: 1...86_400)),
            reservesUploads: reader.flag(.reserveUploads, default: false),
            credentialLifetime: 60 * Double(reader.integer(.credentialMinutes, default: 60, in: 15...60)),
            uploadAddressLifetime: 60 * Double(reader.integer(.uploadAddressMinutes, default: 5, in: 5...10_080)),
            purchases: reader.purchases(environment),
            webhooks: reader.webhooks(allowingPlainHTTP: environment == .dev),
            mail: reader.mail(allowingPlainText: environment == .dev),
            providers: reader.providers(),
            apps: reader.apps(), log: reader.log()
        )
    }
}
