import AWSServices
import Accounts
import Foundation
import IdentityProviders
import Logging
import ObjectStorage
import PhotolalaAPI
import Secrets
import Sessions
import StorageAccess
import Transport
import UseCases
import Webhooks

extension Live {
    static func makeAccounts(
        _ store: any ObjectStore, _ keyRing: KeyRing, _ naming: ManifestCache, _ settings: Settings, logger: Logger
    ) -> AccountDirectory {
        AccountDirectory(
            store: store, naming: naming, keyRing: keyRing, retry: LiveStore.retry, now: { Date() },
            randomness: .system, unlinkDelay: TimeInterval(settings.unlinkDelay),
            outbox: settings.webhooks.map { _ in makeOutbox(store, logger: logger) }
        )
    }

    static func makeOutbox(_ store: any ObjectStore, logger: Logger) -> EventOutbox {
        EventOutbox(store: store, retry: LiveStore.retry, now: { Date() }, randomness: .system) { user, error in
            logger.error("event waits for the daily job", metadata: ["account": "\(user)", "reason": "\(error)"])
        }
    }

    func makeServices(
        _ open: OpenStore, _ keyRing: KeyRing, _ naming: ManifestCache, _ providers: [IdentityProviderSettings],
        _ transport: any HTTPTransport
    ) throws -> Services {
        let verifiers = providers.map {
            ProviderVerifiers(
                $0, transport: $0.allowsPrivateAddresses ? transport : PublicHTTPTransport(), logger: logger,
                now: { Date() }
            )
        }
        let store = open.objects
        let now: @Sendable () -> Date = { Date() }
        let retry = LiveStore.retry
        let limits = RateLimiter(settings.callRates, areShared: open.isShared, now: now)
        let spent = SingleUseMarkers(store: store, retry: retry)
        let keys = SigningKeys(store: store, retry: retry, keyRing: keyRing, now: now, randomness: .system)
        let tokens = AccessTokens(
            issuer: settings.tokenIssuer, audience: settings.tokenAudience, environment: settings.environment,
            keys: keys, now: now
        )
        return Services(
            verifiers: verifiers.map(\.tokens), eventVerifiers: verifiers.compactMap(\.events),
            tokenServices: providers.compactMap {
                OAuthTokenService(settings: $0, transport: transport, now: now)
            },
            authorizations: providers.compactMap {
                AuthorizationCodeFlow(
                    settings: $0, publicURL: settings.publicURL,
                    transport: $0.allowsPrivateAddresses ? transport : PublicHTTPTransport(), now: now)
            },
            accounts: Self.makeAccounts(store, keyRing, naming, settings, logger: logger),
            challenges: Challenges(keyRing: keyRing, spent: spent, now: now, randomness: .system),
            pendingIdentities: PendingIdentities(keyRing: keyRing, spent: spent, now: now, randomness: .system),
            browserProofs: SealedBrowserStates(keyRing: keyRing, now: now, randomness: .system),
            authorizationCodes: AuthorizationCodes(keyRing: keyRing, now: now, randomness: .system),
            deviceCodes: DeviceCodes(store: store, retry: retry, keyRing: keyRing, now: now, randomness: .system),
            devicePolls: DevicePolls(remembering: settings.rememberedWaitingDevices, now: now),
            apps: [.commandLine] + settings.apps,
            spentMarks: spent, deletionReceipts: DeletionReceipts(keyRing: keyRing, randomness: .system),
            profiles: Profiles(store: store, retry: retry),
            providerTokens: ProviderTokens(store: store, retry: retry, keyRing: keyRing, randomness: .system),
            providerCalls: ProviderCalls(
                store: store, retry: retry, keyRing: keyRing, now: now, randomness: .system
            ),
            sessions: SessionIssuer(
                devices: DeviceDirectory(store: store, retry: retry), tokens: tokens,
                proofs: DPoPVerifier(keyRing: keyRing, remembered: settings.rememberedProofs, now: now),
                keyRing: keyRing, now: now, randomness: .system
            ),
            signingKeys: keys,
            credentials: try makeCredentialIssuer(open, keyRing),
            libraries: Libraries(
                stores: open.userStores, links: S3ObjectURLSigner(), memory: settings.libraryMemory,
                pause: retry.backoff,
                randomness: .system, now: now),
            usage: UsageCounts(
                store: store, retry: retry, meter: open.meter, countsOtherSpellings: open.mayIgnoreCase, now: now),
            reservations: UploadReservations(store: store, retry: retry, now: now),
            subscriptions: try makeSubscriptions(store, keyRing, transport),
            leases: JobLeases(store: store, retry: retry, now: now, randomness: .system),
            jobs: JobMonitor(now: now),
            eventReceiver: settings.webhooks.map { WebhookSender(settings: $0, transport: transport, now: now) },
            limits: limits,
            callCounts: SharedRateLimits(
                store: store, retry: retry, limits: limits, keyRing: keyRing, now: now, randomness: .system,
                logger: logger
            ),
            readiness: Readiness(store: open.probe, reporter: open.reporter, now: now), store: store,
            rules: ServicePolicy(
                requiresChallenge: settings.requiresChallenge, allowsContinue: settings.allowsContinue,
                reservesUploads: settings.reservesUploads, credentialLifetime: settings.credentialLifetime,
                devicesPerAccount: settings.devicesPerAccount
            ),
            now: now, logger: logger
        )
    }

    /// Returns the issuer of storage credentials: the local S3 endpoint, or STS for a bucket.
    private func makeCredentialIssuer(_ store: OpenStore, _ keyRing: KeyRing) throws -> any CredentialIssuer {
        switch store {
        case .folder(_, let folder):
            SealedCredentialIssuer(
                endpoint: folder.endpoint, region: folder.region, bucket: folder.bucket, keyRing: keyRing,
                randomness: .system
            )
        case .bucket(let bucket): try bucket.makeCredentialIssuer()
        }
    }
}
