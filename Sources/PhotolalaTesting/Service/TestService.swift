import AWSServices
import Accounts
import Crypto
import DevelopmentIdentityProvider
import Foundation
import IdentityProviders
import Logging
import Monitoring
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Secrets
import Sessions
import StorageAccess
import Subscriptions
import UseCases

/// The complete service in memory: real use cases, domain modules and verifiers on a store, clock and randomness that
/// the test controls. Several on one store are several instances of the service.
package struct TestService: Sendable {
    package let services: ServiceGraph
    package let components: ServiceComponents
    package let providers: ServiceProviders
    package let store: RecordingObjectStore
    package let clock: TestClock
    /// The metrics that the service records.
    package let metrics = MetricRegistry(ServiceMetric.all)
    package let keyRing: KeyRing
    package let naming: ManifestCache
    package let apple: DevelopmentProvider
    package let google: DevelopmentProvider
    package let facebook: DevelopmentProvider
    /// The network between the service and the providers.
    package let network: DevelopmentProviderTransport
    let hasPlainTokens: Bool

    /// The URL to which browsers return: the development provider accepts only loopback addresses.
    package static let browserURL = "http://127.0.0.1"

    /// The options of a test.
    package struct Options: Sendable {
        package var environment = DeploymentEnvironment.dev
        /// The mode for a new store; an existing store keeps its own.
        package var subjects: KeyEncoding.Mode?
        package var requiresChallenge = false
        package var allowsContinue = false
        package var reservesUploads = false
        package var allowsSharing = true
        package var credentialLifetime: TimeInterval = 3600
        package var uploadAddressLifetime: TimeInterval = 300
        /// The issuer of storage credentials; by default sealed credentials, as for a local folder.
        package var credentialIssuer: (any CredentialIssuer)?
        /// The store as users' own credentials access it; by default the service's store.
        package var userStores: (any UserStores)?
        /// Access to erase users' objects; by default through the service's own store.
        package var erasure: (any ErasureAccess)?
        /// The store, if it keeps data of deleted objects.
        package var deletedData: (any DeletedDataErasure)?
        /// Whether credentials for a user's prefixes may also match other letter cases.
        package var mayIgnoreCase = false
        package var seed: UInt64 = 1
        /// The attempts per store operation; many, for tests with hundreds of concurrent tasks.
        package var attempts = 50
        /// Uses a new master key. The default key, which other test stores use, becomes a previous one.
        package var hasNewMasterKey = false
        /// Accepts identities without signing and verifying ID tokens.
        package var hasPlainTokens = false
        /// Together with `hasNewMasterKey`: the previous key is retired.
        package var hasRetiredMasterKey = false
        /// The number of DPoP proofs that an instance remembers per minute.
        package var rememberedProofs = 1000
        /// The maximum number of devices per account.
        package var devicesPerAccount = 100
        /// How long a session with a hardware key lasts after its last use, in seconds; `nil` if its end is fixed.
        package var slidingLifetime: TimeInterval?
        /// The number of waiting devices that an instance remembers, to detect those that poll too often.
        package var rememberedWaitingDevices = 1000
        package var callRates = CallRates.none
        /// Apps besides the command line.
        package var apps: [AppClient] = []
        /// The memory for open libraries, in bytes.
        package var libraryMemory = Libraries.minimumCacheCost
        /// The limits and products of the tiers.
        package var plan = TierPlan()
        package var trial: TrialOffer?
        /// The verifier of Apple's signatures, `nil` if purchases are not accepted.
        package var appStoreVerifier: (any SignedDataVerifier)?
        package var appStoreServer: (any AppStoreServer)?
        /// The delay of unlinkings, in seconds. 0 by default: most tests are about unlinking itself and not its delay.
        package var unlinkDelay: TimeInterval = 0
        /// How long a scheduled deletion can be cancelled, in seconds.
        package var deletionUndoPeriod: TimeInterval = 14 * 86_400
        /// Whether `metrics` are recorded.
        package var isMeasured = true
        /// The receiver of events, `nil` if events are not sent.
        package var eventReceiver: (any EventReceiver)?
        /// The sender of security e-mails, `nil` if none are sent.
        package var mailer: (any SecurityMailer)?

        package init() {}
    }

    /// Creates an instance of the service.
    /// - Parameter store: The store, which several instances may share; a new one in memory by default.
    package static func make(
        _ options: Options = Options(), store: (any ObjectStore)? = nil, clock: TestClock = TestClock()
    ) async throws -> TestService {
        let store = store ?? MemoryObjectStore { clock.now }
        let stamp = try await StoreManifest.check(
            store, retry: RetryPolicy(attempts: 50, backoff: Backoff(randomness: .system) { _ in await Task.yield() }),
            environment: options.environment, subjects: options.subjects, keyRing: { try keyRing(options) },
            now: clock.now
        )
        let service = try TestService(options, stamp, store: store, clock: clock)
        try await service.services.signingKeys.maintain()
        service.services.deletion.refuseErasedAccounts()
        try await service.services.deletion.readErasedAccounts()
        return service
    }

    private init(_ options: Options, _ stamp: StoreManifest, store given: any ObjectStore, clock: TestClock) throws {
        let now: @Sendable () -> Date = { clock.now }
        let randomness = Randomness.seeded(options.seed)
        let store = RecordingObjectStore(given)
        let keyRing = try Self.keyRing(options)
        let retry = RetryPolicy(
            attempts: options.attempts, backoff: Backoff(randomness: randomness) { _ in await Task.yield() })
        let key = try Self.providerKey.get()
        apple = DevelopmentProvider(
            name: .apple, shape: .apple, issuer: "http://127.0.0.1/dev/providers/apple", audience: "photolala-dev",
            key: key, now: now, randomness: randomness
        )
        google = DevelopmentProvider(
            name: .google, shape: .google, issuer: "http://127.0.0.1/dev/providers/google",
            audience: "photolala-dev", key: key, now: now, randomness: randomness
        )
        facebook = DevelopmentProvider(
            name: .facebook, shape: .facebook, issuer: "http://127.0.0.1/dev/providers/facebook",
            audience: "photolala-dev", key: key, now: now, randomness: randomness
        )
        self.store = store
        self.clock = clock
        hasPlainTokens = options.hasPlainTokens
        self.keyRing = keyRing
        naming = try ManifestCache(stamp, readAt: now(), store: store, keyRing: keyRing, retry: retry, now: now)
        let accounts = AccountDirectory(
            store: store, naming: naming, keyRing: keyRing, retry: retry, now: now, randomness: randomness,
            unlinkDelay: options.unlinkDelay, deletionUndoPeriod: options.deletionUndoPeriod,
            outbox: options.eventReceiver.map { _ in
                EventOutbox(store: store, retry: retry, remembered: 100, now: now, randomness: randomness) { _, _ in }
            },
            mailOutbox: options.mailer.map { _ in
                EventOutbox(
                    store: store, channel: .mail, retry: retry, remembered: 100, now: now, randomness: randomness
                ) { _, _ in }
            }
        )
        let providers = [apple, google, facebook]
        network = DevelopmentProviderTransport(providers)
        components = ServiceComponents(
            store: store, accounts: accounts,
            storage: Self.storage(options, store, keyRing, randomness),
            subscriptions: SubscriptionComponents(
                plan: options.plan, trial: options.trial, verifier: options.appStoreVerifier,
                server: options.appStoreServer, environments: AppStoreEnvironment.allCases, store: store,
                keyRing: keyRing, retry: retry, now: now, randomness: randomness),
            settings: ServiceSettings(options), keyRing: keyRing, retry: retry,
            metrics: options.isMeasured ? ServiceMetrics(factory: metrics) : .none, now: now, randomness: randomness,
            logger: Self.logger)
        self.providers = Self.providers(options, providers, network, now)
        services = ServiceGraph(
            components, providers: self.providers, eventReceiver: options.eventReceiver,
            mailer: options.mailer)
    }

    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static func storage(
        _ options: Options, _ store: any ObjectStore & DatedDeletion, _ keyRing: KeyRing, _ randomness: Randomness
    ) -> StorageAdapters {
        StorageAdapters(
            credentials: options.credentialIssuer
                ?? SealedCredentialIssuer(
                    endpoint: "http://127.0.0.1:9000", region: "us-east-1", bucket: "photolala-test", keyRing: keyRing,
                    randomness: randomness
                ),
            userStores: options.userStores ?? LocalUserStores(store), links: S3ObjectURLSigner(),
            libraryMemory: options.libraryMemory,
            mayIgnoreCase: options.mayIgnoreCase,
            erasure: options.erasure ?? LocalErasureAccess(store, deletedData: options.deletedData),
            probe: store)
    }

    private static func providers(
        _ options: Options, _ providers: [DevelopmentProvider], _ transport: DevelopmentProviderTransport,
        _ now: @escaping @Sendable () -> Date
    ) -> ServiceProviders {
        let verifiers = providers.map {
            ProviderVerifiers($0.settings, transport: transport, logger: logger, now: now)
        }
        return ServiceProviders(
            verifiers: options.hasPlainTokens
                ? providers.map { PlainTokenVerifier(provider: $0.name) } : verifiers.map(\.tokens),
            eventVerifiers: verifiers.compactMap(\.events),
            tokenServices: providers.compactMap {
                OAuthTokenService(settings: $0.settings, transport: transport, now: now)
            },
            authorizations: providers.compactMap {
                AuthorizationCodeFlow(
                    settings: $0.settings, publicURL: Self.browserURL, transport: transport, now: now)
            })
    }

    /// Created once for most tests, because deriving its keys is slow.
    private static let defaultKeyRing = Result { try makeKeyRing(Options()) }

    private static func keyRing(_ options: Options) throws -> KeyRing {
        let isDefault = !options.hasNewMasterKey && options.environment == Options().environment
        return isDefault ? try defaultKeyRing.get() : try makeKeyRing(options)
    }

    private static func makeKeyRing(_ options: Options) throws -> KeyRing {
        let first = try masterKey("test", 7)
        return KeyRing(
            current: options.hasNewMasterKey ? try masterKey("test2", 8) : first,
            previous: options.hasNewMasterKey && !options.hasRetiredMasterKey ? [first] : [],
            environment: options.environment.rawValue)
    }

    private static func masterKey(_ id: String, _ byte: UInt8) throws -> MasterKey {
        guard let key = MasterKey(id: id, bytes: Data(repeating: byte, count: 32)) else {
            throw SecretsError.sealFailed
        }
        return key
    }

    /// Created once, because generating an RSA key is slow.
    private static let providerKey = Result { try DevelopmentSigningKey.generate() }
}

extension ServiceSettings {
    /// The settings that a test's options describe.
    fileprivate init(_ options: TestService.Options) {
        self.init(
            policy: ServicePolicy(
                requiresChallenge: options.requiresChallenge, allowsContinue: options.allowsContinue,
                reservesUploads: options.reservesUploads, allowsSharing: options.allowsSharing,
                credentialLifetime: options.credentialLifetime,
                uploadAddressLifetime: options.uploadAddressLifetime, devicesPerAccount: options.devicesPerAccount,
                slidingLifetime: options.slidingLifetime),
            apps: options.apps, tokenIssuer: "photolala-test", tokenAudience: "photolala-test",
            publicURL: TestService.publicURL, environment: options.environment, callRates: options.callRates,
            sharesCallCounts: true,
            rememberedProofs: options.rememberedProofs, rememberedWaitingDevices: options.rememberedWaitingDevices)
    }
}
