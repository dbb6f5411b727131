import Accounts
import Operators

extension ServiceGraph {
    static func makeSignIn(
        _ components: ServiceComponents, _ shared: SharedServices
    ) -> (SignInService, SignUpService, ReauthenticationService) {
        let unknown = UnknownIdentities(
            pendingIdentities: components.pendingIdentities, accounts: components.accounts, limits: components.limits,
            logger: components.logger)
        let signIn = SignInService(
            identities: shared.identities, dpopProofs: shared.dpopProofs, accounts: components.accounts,
            sessionOpener: shared.sessionOpener, unknownIdentities: unknown, metrics: components.metrics)
        let signUp = SignUpService(
            identities: shared.identities, dpopProofs: shared.dpopProofs, accounts: components.accounts,
            sessions: components.sessions, sessionOpener: shared.sessionOpener,
            subscriptions: components.subscriptions, policy: components.settings.policy, metrics: components.metrics)
        let reauthentication = ReauthenticationService(
            identities: shared.identities, accounts: components.accounts, sessions: components.sessions,
            auditLog: shared.auditLog, sensitiveActions: shared.sensitiveActions)
        return (signIn, signUp, reauthentication)
    }

    static func makeSessions(
        _ components: ServiceComponents, _ shared: SharedServices
    ) -> (SessionService, DeviceService) {
        let sessions = SessionService(
            accounts: components.accounts, sessions: components.sessions, dpopProofs: shared.dpopProofs,
            limits: components.limits, apps: components.settings.apps, sensitiveActions: shared.sensitiveActions,
            auditLog: shared.auditLog, metrics: components.metrics, now: components.now)
        let devices = DeviceService(
            sessions: components.sessions, deviceList: shared.deviceList, sensitiveActions: shared.sensitiveActions,
            auditLog: shared.auditLog, storageAccess: shared.storageAccess, now: components.now)
        return (sessions, devices)
    }

    static func makeAccounts(
        _ components: ServiceComponents, _ shared: SharedServices
    ) -> (AccountService, LinkingService) {
        let account = AccountService(
            accounts: components.accounts, profiles: components.profiles, pictures: components.pictures,
            sessions: components.sessions, usage: components.usage, deviceList: shared.deviceList,
            presenter: shared.presenter, sensitiveActions: shared.sensitiveActions)
        let linking = LinkingService(
            identities: shared.identities, authenticator: shared.authenticator,
            sensitiveActions: shared.sensitiveActions, accounts: components.accounts, sessions: components.sessions,
            auditLog: shared.auditLog, tokenLifecycle: shared.tokenLifecycle, presenter: shared.presenter,
            metrics: components.metrics, now: components.now)
        return (account, linking)
    }

    static func makeAppAuthorizations(
        _ components: ServiceComponents, _ shared: SharedServices, _ requests: AppRequests
    ) -> (AppAuthorizationService, DeviceAuthorizationService) {
        let sessions = AppSessions(
            authenticator: shared.authenticator, sessions: components.sessions, auditLog: shared.auditLog,
            sensitiveActions: shared.sensitiveActions, deviceLimit: shared.deviceLimit, now: components.now)
        let apps = AppAuthorizationService(
            apps: requests.apps, authorizationCodes: components.authorizationCodes,
            usedMarkers: components.usedMarkers, dpopProofs: shared.dpopProofs, sessions: components.sessions,
            appSessions: sessions, sensitiveActions: shared.sensitiveActions, now: components.now)
        let devices = DeviceAuthorizationService(
            requests: requests, deviceCodes: components.deviceCodes, devicePolls: components.devicePolls,
            usedMarkers: components.usedMarkers, dpopProofs: shared.dpopProofs, limits: components.limits,
            appSessions: sessions, sensitiveActions: shared.sensitiveActions, randomness: components.randomness)
        return (apps, devices)
    }

    static func makeProviders(
        _ components: ServiceComponents, _ providers: ServiceProviders, _ shared: SharedServices
    ) -> (ProviderEventService, ProviderCallJob, ConsentCheck) {
        let events = ProviderEventService(
            eventVerifiers: providers.eventVerifiers, tokenServices: providers.tokenServices,
            accounts: components.accounts, providerTokens: components.providerTokens,
            deletionCodes: components.deletionCodes, logger: components.logger)
        let calls = ProviderCallJob(
            providerCalls: components.providerCalls, tokenLifecycle: shared.tokenLifecycle, now: components.now,
            logger: components.logger)
        let consent = ConsentCheck(
            accounts: components.accounts, tokenServices: providers.tokenServices,
            providerTokens: components.providerTokens, tokenLifecycle: shared.tokenLifecycle, events: events,
            accountWalk: shared.accountWalk, now: components.now)
        return (events, calls, consent)
    }

    static func makeDeletion(
        _ components: ServiceComponents, _ shared: SharedServices
    ) -> (AccountDeletionService, AccountErasure) {
        let accounts = components.accounts
        let deletion = AccountDeletionService(
            accounts: accounts, codes: components.deletionCodes, sensitiveActions: shared.sensitiveActions,
            auditLog: shared.auditLog, usage: components.usage, tiers: shared.tiers)
        let erasure = PersonalDataErasure(
            accounts: accounts, store: components.store, access: components.erasure,
            providerCalls: components.providerCalls, subscriptions: components.subscriptions.records,
            mayIgnoreCase: components.mayIgnoreCase)
        let eraser = AccountErasure(
            accounts: accounts, store: components.store, erasure: erasure,
            revocation: ErasureRevocation(
                tokenLifecycle: shared.tokenLifecycle, providerTokens: components.providerTokens),
            auditLog: shared.auditLog,
            receipts: DeletionReceiptWriter(
                key: accounts.erasureKey, issuer: components.settings.tokenIssuer,
                backupDays: components.settings.policy.backupDays,
                keepsVersions: components.erasure.keepsVersions),
            reservations: components.credentials.endsWithSession ? nil : components.reservations,
            now: components.now, logger: components.logger)
        return (deletion, eraser)
    }

    static func makeExport(
        _ components: ServiceComponents, _ shared: SharedServices, _ library: LibraryService
    ) -> (AccountExportService, OperatorExport) {
        let accounts = components.accounts
        let files = AccountFiles(
            accounts: accounts, deviceList: shared.deviceList, presenter: shared.presenter, usage: components.usage,
            pictures: components.pictures, sharedLinks: shared.sharedLinks.links,
            publicURL: components.settings.publicURL)
        let signer = ExportSigner(
            key: accounts.erasureKey, issuer: components.settings.tokenIssuer, now: components.now)
        let export = AccountExportService(
            accounts: accounts, store: components.store, library: library, authenticator: shared.authenticator,
            sensitiveActions: shared.sensitiveActions, auditLog: shared.auditLog, files: files, signer: signer,
            limits: ExportLimits(memory: components.libraries.memory), randomness: components.randomness,
            now: components.now)
        let operatorExport = OperatorExport(
            support: AccountSupport(accounts: accounts, codes: components.deletionCodes),
            libraries: components.libraries, credentials: components.credentials, files: files, signer: signer,
            randomness: components.randomness, now: components.now)
        return (export, operatorExport)
    }

    static func makeStorage(
        _ components: ServiceComponents, _ shared: SharedServices
    ) -> (StorageEntitlements, UploadService) {
        let entitlements = StorageEntitlements(
            accounts: components.accounts, sessions: components.sessions, usage: components.usage, tiers: shared.tiers,
            sharedLinks: shared.sharedLinks, now: components.now)
        let uploads = UploadService(
            reservations: components.reservations, links: components.libraries.links,
            storageAccess: shared.storageAccess, usageService: shared.usage, sessions: components.sessions,
            tiers: shared.tiers, policy: components.settings.policy, metrics: components.metrics, now: components.now)
        return (entitlements, uploads)
    }

    static func makeLibrary(
        _ components: ServiceComponents, _ shared: SharedServices, _ uploads: UploadService
    ) -> (LibraryService, LibraryUploadService) {
        let library = LibraryService(
            libraries: components.libraries, storageAccess: shared.storageAccess,
            sensitiveActions: shared.sensitiveActions, now: components.now)
        let libraryUploads = LibraryUploadService(
            library: library, libraries: components.libraries, uploads: uploads, storageAccess: shared.storageAccess,
            now: components.now)
        return (library, libraryUploads)
    }

    static func makeSharing(
        _ components: ServiceComponents, _ shared: SharedServices, _ library: LibraryService
    ) -> (SharingService, SharedLinkVisits) {
        let passwords = SharedLinkPasswords(randomness: components.randomness)
        let sharing = SharingService(
            accounts: components.accounts, links: shared.sharedLinks.links, library: library,
            auditLog: shared.auditLog, passwords: passwords, isEnabled: shared.sharedLinks.isEnabled,
            now: components.now)
        let visits = SharedLinkVisits(
            access: shared.sharedLinks, libraries: components.libraries, credentials: components.credentials,
            limits: components.limits, passwords: passwords, keyRing: components.keyRing,
            cache: SharedPhotosCache(limit: components.libraries.memory / 8), randomness: components.randomness,
            now: components.now)
        return (sharing, visits)
    }

    static func makeSubscriptions(_ components: ServiceComponents, _ shared: SharedServices) -> SubscriptionService {
        SubscriptionService(
            accounts: components.accounts, subscriptions: components.subscriptions, reconciler: shared.reconciler,
            sensitiveActions: shared.sensitiveActions, store: components.store, now: components.now,
            logger: components.logger)
    }

    static func makeAccountJobs(
        _ components: ServiceComponents, _ shared: SharedServices, _ export: AccountExportService
    ) -> (UsageCountJob, DeviceCleanup) {
        let usage = UsageCountJob(
            accounts: components.accounts, usage: components.usage, usageService: shared.usage,
            reconciler: shared.reconciler, export: export, accountWalk: shared.accountWalk, now: components.now,
            logger: components.logger)
        let devices = DeviceCleanup(
            accounts: components.accounts, sessions: components.sessions, auditLog: shared.auditLog,
            deviceLimit: shared.deviceLimit, accountWalk: shared.accountWalk, now: components.now,
            logger: components.logger)
        return (usage, devices)
    }

    static func makeHousekeeping(_ components: ServiceComponents) -> HousekeepingJobs {
        HousekeepingJobs(
            usedMarkers: components.usedMarkers, deviceCodes: components.deviceCodes,
            signingKeys: components.signingKeys, sharedRateLimits: components.sharedRateLimits,
            operatorLog: OperatorLog(
                store: components.store, retry: components.retry, randomness: components.randomness),
            trials: components.subscriptions.trials, now: components.now, logger: components.logger)
    }

    /// Makes the jobs that deliver the accounts' events: to the operator's event receiver, and as e-mails to the owners.
    static func makeDeliveries(
        _ components: ServiceComponents, _ shared: SharedServices, _ receiver: (any EventReceiver)?,
        _ mailer: (any SecurityMailer)?
    ) -> (events: EventDeliveryJob, mail: EventDeliveryJob) {
        var (webhooks, mail): (WebhookDeliveries?, MailDeliveries?)
        if let receiver, let outbox = components.accounts.outbox {
            webhooks = WebhookDeliveries(
                accounts: components.accounts, outbox: outbox, receiver: receiver, auditLog: shared.auditLog,
                now: components.now, logger: components.logger)
        }
        if let mailer, let outbox = components.accounts.mailOutbox {
            mail = MailDeliveries(
                accounts: components.accounts, outbox: outbox, mailer: mailer, auditLog: shared.auditLog,
                now: components.now, logger: components.logger)
        }
        let job = { (deliveries: (any AccountDeliveries)?) in
            EventDeliveryJob(
                deliveries: deliveries, metrics: components.metrics, now: components.now, logger: components.logger)
        }
        return (job(webhooks), job(mail))
    }
}
