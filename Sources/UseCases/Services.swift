import Accounts
import Foundation
import Logging
import ObjectStorage
import PhotolalaAPI
import Secrets
import Sessions
import StorageAccess

/// The dependencies of all use cases, as plain values. Built in one place for the server and in one for the tests.
package struct Services: Sendable {
    package let verifiers: [ProviderName: any IdentityTokenVerifier]
    package let eventVerifiers: [ProviderName: any ProviderEventVerifier]
    package let tokenServices: [ProviderName: any ProviderTokenService]
    /// The providers for signing in with a browser, in the order in which pages show them.
    package let authorizations: [any ProviderAuthorization]
    package let accounts: AccountDirectory
    package let challenges: Challenges
    package let pendingIdentities: PendingIdentities
    package let browserStates: SealedBrowserStates
    package let authorizationCodes: AuthorizationCodes
    package let deviceCodes: DeviceCodes
    package let devicePolls: DevicePolls
    /// The apps that users sign in to through this server's pages.
    package let apps: [AppClient]
    package let usedMarkers: SingleUseMarkers
    package let deletionReceipts: DeletionReceipts
    package let profiles: Profiles
    package let providerTokens: ProviderTokens
    package let providerCalls: ProviderCalls
    package let sessions: SessionIssuer
    package let signingKeys: SigningKeys
    package let credentials: any CredentialIssuer
    package let libraries: Libraries
    package let usage: UsageCounts
    package let reservations: UploadReservations
    package let subscriptions: SubscriptionServices
    package let leases: JobLeases
    package let jobs: JobMonitor
    /// Receives the events of the accounts' outbox; `nil` if events are not delivered.
    package let eventReceiver: (any EventReceiver)?
    package let limits: RateLimiter
    package let sharedRateLimits: SharedRateLimits
    package let readiness: Readiness
    package let store: any ObjectStore
    package let policy: ServicePolicy
    package let now: @Sendable () -> Date
    package let logger: Logger

    package init(
        verifiers: [any IdentityTokenVerifier], eventVerifiers: [any ProviderEventVerifier],
        tokenServices: [any ProviderTokenService], authorizations: [any ProviderAuthorization],
        accounts: AccountDirectory, challenges: Challenges, pendingIdentities: PendingIdentities,
        browserProofs: SealedBrowserStates, authorizationCodes: AuthorizationCodes, deviceCodes: DeviceCodes,
        devicePolls: DevicePolls, apps: [AppClient], spentMarks: SingleUseMarkers,
        deletionReceipts: DeletionReceipts,
        profiles: Profiles,
        providerTokens: ProviderTokens, providerCalls: ProviderCalls, sessions: SessionIssuer, signingKeys: SigningKeys,
        credentials: any CredentialIssuer, libraries: Libraries, usage: UsageCounts, reservations: UploadReservations,
        subscriptions: SubscriptionServices, leases: JobLeases, jobs: JobMonitor,
        eventReceiver: (any EventReceiver)?, limits: RateLimiter, callCounts: SharedRateLimits,
        readiness: Readiness, store: any ObjectStore, rules: ServicePolicy, now: @escaping @Sendable () -> Date,
        logger: Logger
    ) {
        self.verifiers = Dictionary(verifiers.map { ($0.provider, $0) }) { first, _ in first }
        self.eventVerifiers = Dictionary(eventVerifiers.map { ($0.provider, $0) }) { first, _ in first }
        self.tokenServices = Dictionary(tokenServices.map { ($0.provider, $0) }) { first, _ in first }
        self.authorizations = authorizations
        self.accounts = accounts
        self.challenges = challenges
        self.pendingIdentities = pendingIdentities
        self.browserStates = browserProofs
        self.authorizationCodes = authorizationCodes
        self.deviceCodes = deviceCodes
        self.devicePolls = devicePolls
        self.apps = apps
        self.usedMarkers = spentMarks
        self.deletionReceipts = deletionReceipts
        self.profiles = profiles
        self.providerTokens = providerTokens
        self.providerCalls = providerCalls
        self.sessions = sessions
        self.signingKeys = signingKeys
        self.credentials = credentials
        self.libraries = libraries
        self.usage = usage
        self.reservations = reservations
        self.subscriptions = subscriptions
        self.leases = leases
        self.jobs = jobs
        self.eventReceiver = eventReceiver
        self.limits = limits
        self.sharedRateLimits = callCounts
        self.readiness = readiness
        self.store = store
        self.policy = rules
        self.now = now
        self.logger = logger
    }
}

/// The deployment settings of use cases.
package struct ServicePolicy: Sendable {
    /// Every ID token must answer a challenge.
    package let requiresChallenge: Bool
    /// `POST /auth/continue` is served.
    package let allowsContinue: Bool
    /// Devices get no credentials that can write photos; each upload is reserved.
    package let reservesUploads: Bool
    /// The lifetime of devices' storage credentials, in seconds.
    package let credentialLifetime: TimeInterval
    /// The most devices of an account.
    package let devicesPerAccount: Int

    package init(
        requiresChallenge: Bool, allowsContinue: Bool, reservesUploads: Bool, credentialLifetime: TimeInterval,
        devicesPerAccount: Int
    ) {
        self.requiresChallenge = requiresChallenge
        self.allowsContinue = allowsContinue
        self.reservesUploads = reservesUploads
        self.credentialLifetime = credentialLifetime
        self.devicesPerAccount = devicesPerAccount
    }
}
