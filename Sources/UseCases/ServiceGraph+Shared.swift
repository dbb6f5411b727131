import Sharing

/// The services that other services use.
struct SharedServices: Sendable {
    let dpopProofs: DPoPProofs
    let deviceList: DeviceList
    let auditLog: DeviceAuditLog
    let sensitiveActions: SensitiveActionPolicy
    let authenticator: CallerAuthenticator
    let identities: IdentityVerification
    let tiers: Tiers
    let presenter: AccountPresenter
    let tokenLifecycle: ProviderTokenLifecycle
    let deviceLimit: DeviceLimit
    let sessionOpener: SessionOpener
    let usage: UsageService
    let storageAccess: StorageAccessService
    let reconciler: SubscriptionReconciler
    let accountWalk: AccountWalk
    let sharedLinks: SharedLinkAccess

    init(_ components: ServiceComponents, _ providers: ServiceProviders) {
        let (accounts, sessions, settings) = (components.accounts, components.sessions, components.settings)
        let (now, logger) = (components.now, components.logger)
        dpopProofs = DPoPProofs(sessions: sessions, usedMarkers: components.usedMarkers)
        deviceList = DeviceList(sessions: sessions, logger: logger)
        auditLog = DeviceAuditLog(accounts: accounts, sessions: sessions, now: now)
        sensitiveActions = SensitiveActionPolicy(
            accounts: accounts, sessions: sessions, deviceList: deviceList, now: now)
        authenticator = CallerAuthenticator(
            accounts: accounts, sessions: sessions, dpopProofs: dpopProofs, limits: components.limits,
            apps: settings.apps, now: now)
        identities = IdentityVerification(
            verifiers: providers.verifiers, challenges: components.challenges,
            pendingIdentities: components.pendingIdentities, usedMarkers: components.usedMarkers,
            sensitiveActions: sensitiveActions, limits: components.limits, randomness: components.randomness,
            policy: settings.policy)
        tiers = Tiers(plan: components.subscriptions.plan, now: now)
        presenter = AccountPresenter(accounts: accounts, tiers: tiers, deviceList: deviceList)
        tokenLifecycle = ProviderTokenLifecycle(
            accounts: accounts, tokenServices: providers.tokenServices, verifiers: providers.verifiers,
            providerTokens: components.providerTokens, providerCalls: components.providerCalls, now: now,
            logger: logger)
        deviceLimit = DeviceLimit(
            accounts: accounts, sessions: sessions, auditLog: auditLog, sensitiveActions: sensitiveActions,
            policy: settings.policy, now: now, logger: logger)
        sessionOpener = SessionOpener(
            accounts: accounts, sessions: sessions, auditLog: auditLog, sensitiveActions: sensitiveActions,
            tokenLifecycle: tokenLifecycle, deviceLimit: deviceLimit, presenter: presenter, now: now)
        usage = UsageService(
            accounts: accounts, usage: components.usage, tiers: tiers, policy: settings.policy, now: now,
            logger: logger)
        storageAccess = StorageAccessService(
            credentials: components.credentials, usage: components.usage, usageService: usage, tiers: tiers,
            cache: components.libraries.cache, policy: settings.policy, metrics: components.metrics, now: now)
        reconciler = SubscriptionReconciler(
            accounts: accounts, subscriptions: components.subscriptions, now: now, logger: logger)
        accountWalk = AccountWalk(store: components.store, logger: logger)
        sharedLinks = SharedLinkAccess(
            accounts: accounts,
            links: SharedLinks(
                store: components.store, retry: components.retry, randomness: components.randomness, now: now),
            isEnabled: settings.policy.allowsSharing, now: now)
    }
}
