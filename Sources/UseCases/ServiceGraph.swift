import Accounts
import Foundation
import Logging
import Monitoring
import PhotolalaAPI
import Sessions

/// All services of one instance, and their dependencies: a new dependency of a service is added here, for the server and
/// for the tests.
///
/// A class, so that routes, pages and jobs share the services instead of copying them.
package final class ServiceGraph: Sendable {
    // Authentication
    package let authenticator: CallerAuthenticator
    package let dpopProofs: DPoPProofs
    package let identities: IdentityVerification
    package let sensitiveActions: SensitiveActionPolicy
    // Sign-in and sessions
    package let signIn: SignInService
    package let signUp: SignUpService
    package let reauthentication: ReauthenticationService
    package let sessions: SessionService
    package let devices: DeviceService
    // Accounts
    package let account: AccountService
    package let linking: LinkingService
    package let deletion: AccountDeletionService
    package let export: AccountExportService
    package let operatorExport: OperatorExport
    package let providerEvents: ProviderEventService
    package let operators: OperatorServices
    // Pages
    package let formTokens: FormTokens
    package let providerAuthorizations: ProviderAuthorizations
    package let browserSignIn: BrowserSignInService
    // Apps
    package let apps: [AppClient]
    package let appRequests: AppRequests
    package let appAuthorization: AppAuthorizationService
    package let appAuthentication: AppAuthenticationService
    package let deviceAuthorization: DeviceAuthorizationService
    // Storage
    package let usage: UsageService
    package let storageAccess: StorageAccessService
    package let storageEntitlements: StorageEntitlements
    package let uploads: UploadService
    package let library: LibraryService
    package let libraryUploads: LibraryUploadService
    package let sharing: SharingService
    package let sharedLinkVisits: SharedLinkVisits
    package let subscriptions: SubscriptionService
    // Jobs
    package let maintenance: MaintenanceJobs
    package let usageCount: UsageCountJob
    package let deviceCleanup: DeviceCleanup
    package let consentCheck: ConsentCheck
    package let accountErasure: AccountErasure
    package let eventDelivery: EventDeliveryJob
    package let mailDelivery: EventDeliveryJob
    package let providerCalls: ProviderCallJob
    package let housekeeping: HousekeepingJobs
    package let jobMonitor: JobMonitor
    // The instance
    package let readiness: ReadinessCheck
    package let signingKeys: SigningKeys
    package let limits: RateLimiter
    package let metrics: ServiceMetrics
    /// Returns the name of an account in request lines of the log.
    package let accountHash: @Sendable (UserID) -> String?
    package let now: @Sendable () -> Date
    package let logger: Logger

    /// - Parameters:
    ///   - eventReceiver: the receiver of the accounts' events; `nil` if events are not delivered.
    ///   - mailer: sends security e-mails; `nil` if none are sent.
    package init(
        _ components: ServiceComponents, providers: ServiceProviders, eventReceiver: (any EventReceiver)?,
        mailer: (any SecurityMailer)? = nil
    ) {
        let shared = SharedServices(components, providers)
        (authenticator, dpopProofs) = (shared.authenticator, shared.dpopProofs)
        (identities, sensitiveActions) = (shared.identities, shared.sensitiveActions)
        (signIn, signUp, reauthentication) = Self.makeSignIn(components, shared)
        (sessions, devices) = Self.makeSessions(components, shared)
        (account, linking) = Self.makeAccounts(components, shared)
        formTokens = FormTokens(browserStates: components.browserStates)
        providerAuthorizations = ProviderAuthorizations(
            all: providers.authorizations, browserStates: components.browserStates, identities: identities,
            sensitiveActions: sensitiveActions)
        browserSignIn = BrowserSignInService(
            authorizations: providerAuthorizations, identities: identities, signIns: signIn, signUps: signUp,
            linking: linking, reauthentication: reauthentication, pendingIdentities: components.pendingIdentities,
            sessions: components.sessions, metrics: components.metrics)
        apps = components.settings.apps
        appRequests = AppRequests(apps: apps, randomness: components.randomness)
        (appAuthorization, deviceAuthorization) = Self.makeAppAuthorizations(components, shared, appRequests)
        appAuthentication = AppAuthenticationService(
            requests: appRequests, authorizations: providerAuthorizations, challenges: components.challenges,
            browserStates: components.browserStates)
        (usage, storageAccess) = (shared.usage, shared.storageAccess)
        (storageEntitlements, uploads) = Self.makeStorage(components, shared)
        (library, libraryUploads) = Self.makeLibrary(components, shared, uploads)
        (sharing, sharedLinkVisits) = Self.makeSharing(components, shared, library)
        subscriptions = Self.makeSubscriptions(components, shared)
        (providerEvents, providerCalls, consentCheck) = Self.makeProviders(components, providers, shared)
        (deletion, accountErasure) = Self.makeDeletion(components, shared)
        (export, operatorExport) = Self.makeExport(components, shared, library)
        operators = OperatorServices(components, providers, shared, export: operatorExport)
        (usageCount, deviceCleanup) = Self.makeAccountJobs(components, shared, export)
        maintenance = MaintenanceJobs(
            leases: components.leases, usageCount: usageCount, deviceCleanup: deviceCleanup,
            consentCheck: consentCheck, subscriptions: subscriptions, accountErasure: accountErasure,
            identityMoves: operators.moves)
        (eventDelivery, mailDelivery) = Self.makeDeliveries(components, shared, eventReceiver, mailer)
        housekeeping = Self.makeHousekeeping(components)
        readiness = ReadinessCheck(signingKeys: components.signingKeys, readiness: components.readiness)
        (jobMonitor, signingKeys, limits) = (components.jobs, components.signingKeys, components.limits)
        accountHash = { [keyRing = components.accounts.keyRing] in try? keyRing.accountHash(of: $0.uuid) }
        (metrics, now, logger) = (components.metrics, components.now, components.logger)
    }
}
