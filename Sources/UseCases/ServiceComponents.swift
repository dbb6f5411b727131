import Accounts
import Foundation
import Logging
import Monitoring
import ObjectStorage
import Secrets
import Sessions
import StorageAccess

/// The building blocks that services share: directories, sealed states, limits and leases on one store, with one key
/// ring, clock and source of randomness.
package struct ServiceComponents: Sendable {
    package let store: any ObjectStore
    package let accounts: AccountDirectory
    package let sessions: SessionIssuer
    package let signingKeys: SigningKeys
    package let usedMarkers: SingleUseMarkers
    package let challenges: Challenges
    package let pendingIdentities: PendingIdentities
    package let browserStates: SealedBrowserStates
    package let authorizationCodes: AuthorizationCodes
    package let deviceCodes: DeviceCodes
    package let devicePolls: DevicePolls
    package let deletionCodes: DeletionCodes
    package let profiles: Profiles
    package let pictures: ProfilePictures
    package let providerTokens: ProviderTokens
    package let providerCalls: ProviderCalls
    package let credentials: any CredentialIssuer
    package let erasure: any ErasureAccess
    /// Whether credentials for a user's prefixes may also match other letter cases.
    package let mayIgnoreCase: Bool
    package let libraries: Libraries
    package let usage: UsageCounts
    package let reservations: UploadReservations
    package let subscriptions: SubscriptionComponents
    package let leases: JobLeases
    package let jobs: JobMonitor
    package let limits: RateLimiter
    package let sharedRateLimits: SharedRateLimits
    package let readiness: Readiness
    package let keyRing: KeyRing
    /// The retry policy for conflicts and temporary failures of the store.
    package let retry: RetryPolicy
    package let metrics: ServiceMetrics
    package let settings: ServiceSettings
    package let now: @Sendable () -> Date
    package let randomness: Randomness
    package let logger: Logger

    /// - Parameters:
    ///   - accounts: the accounts in the store.
    ///   - retry: the retry policy for conflicts and temporary failures of the store.
    package init(
        store: any ObjectStore, accounts: AccountDirectory, storage: StorageAdapters,
        subscriptions: SubscriptionComponents, settings: ServiceSettings, keyRing: KeyRing, retry: RetryPolicy,
        metrics: ServiceMetrics, now: @escaping @Sendable () -> Date, randomness: Randomness, logger: Logger
    ) {
        (self.store, self.accounts, self.subscriptions, self.settings) = (store, accounts, subscriptions, settings)
        (self.keyRing, self.retry) = (keyRing, retry)
        (self.metrics, self.now, self.randomness, self.logger) = (metrics, now, randomness, logger)
        signingKeys = SigningKeys(store: store, retry: retry, keyRing: keyRing, now: now, randomness: randomness)
        sessions = SessionIssuer(
            settings, store: store, retry: retry, keys: signingKeys, keyRing: keyRing, now: now, randomness: randomness)
        usedMarkers = SingleUseMarkers(store: store, retry: retry)
        challenges = Challenges(keyRing: keyRing, usedMarkers: usedMarkers, now: now, randomness: randomness)
        pendingIdentities = PendingIdentities(
            keyRing: keyRing, usedMarkers: usedMarkers, now: now, randomness: randomness)
        browserStates = SealedBrowserStates(keyRing: keyRing, now: now, randomness: randomness)
        authorizationCodes = AuthorizationCodes(keyRing: keyRing, now: now, randomness: randomness)
        deviceCodes = DeviceCodes(store: store, retry: retry, keyRing: keyRing, now: now, randomness: randomness)
        devicePolls = DevicePolls(remembering: settings.rememberedWaitingDevices, now: now)
        deletionCodes = DeletionCodes(keyRing: keyRing, randomness: randomness)
        profiles = Profiles(store: store, retry: retry)
        pictures = ProfilePictures(store: store, retry: retry)
        providerTokens = ProviderTokens(store: store, retry: retry, keyRing: keyRing, randomness: randomness)
        providerCalls = ProviderCalls(store: store, retry: retry, keyRing: keyRing, now: now, randomness: randomness)
        credentials = storage.credentials
        (erasure, mayIgnoreCase) = (storage.erasure, storage.mayIgnoreCase)
        libraries = Libraries(
            stores: storage.userStores, links: storage.links, memory: storage.libraryMemory, backoff: retry.backoff,
            randomness: randomness, now: now)
        usage = UsageCounts(
            store: store, retry: retry, meter: storage.meter, countsCaseVariants: storage.mayIgnoreCase, now: now)
        reservations = UploadReservations(store: store, retry: retry, now: now)
        leases = JobLeases(store: store, retry: retry, now: now, randomness: randomness)
        jobs = JobMonitor(metrics: metrics, now: now)
        limits = RateLimiter(settings.callRates, areShared: settings.sharesCallCounts, metrics: metrics, now: now)
        sharedRateLimits = SharedRateLimits(
            store: store, retry: retry, limits: limits, keyRing: keyRing, now: now, randomness: randomness,
            logger: logger)
        readiness = Readiness(store: storage.probe, reporter: storage.reporter, now: now)
    }
}

extension SessionIssuer {
    /// Creates the issuer of a deployment's sessions.
    fileprivate convenience init(
        _ settings: ServiceSettings, store: any ObjectStore, retry: RetryPolicy, keys: SigningKeys, keyRing: KeyRing,
        now: @escaping @Sendable () -> Date, randomness: Randomness
    ) {
        self.init(
            devices: DeviceDirectory(store: store, retry: retry),
            tokens: AccessTokens(
                issuer: settings.tokenIssuer, audience: settings.tokenAudience, environment: settings.environment,
                keys: keys, now: now),
            dpopVerifier: DPoPVerifier(keyRing: keyRing, remembered: settings.rememberedProofs, now: now),
            keyRing: keyRing, slidingLifetime: settings.policy.slidingLifetime, now: now, randomness: randomness)
    }
}
