import AWSServices
import Accounts
import Foundation
import IdentityProviders
import Logging
import Monitoring
import ObjectStorage
import PhotolalaAPI
import SMTP
import Secrets
import SecurityMail
import StorageAccess
import Traces
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
            deletionUndoPeriod: TimeInterval(settings.undoDays) * 86_400,
            outbox: settings.webhooks.map { _ in makeOutbox(store, .webhook, logger: logger) },
            mailOutbox: settings.mail.map { _ in makeOutbox(store, .mail, logger: logger) }
        )
    }

    package static func makeOutbox(
        _ store: any ObjectStore, _ channel: EventChannel, logger: Logger
    ) -> EventOutbox {
        EventOutbox(
            store: store, channel: channel, retry: LiveStore.retry, now: { Date() }, randomness: .system
        ) { user, error in
            logger.error(
                .eventNotMarked, "event waits for the daily job",
                metadata: ["account": "\(user)", "channel": "\(channel)", "reason": "\(error)"])
        }
    }

    package func makeServices(
        _ open: any ServiceStore, _ keyRing: KeyRing, _ naming: ManifestCache, _ providers: [IdentityProviderSettings],
        _ transport: any HTTPTransport
    ) throws -> ServiceGraph {
        let store: any ObjectStore =
            registry == nil && tracer == nil ? open.objects : MeasuredObjectStore(open.objects, metrics, tracer)
        let now: @Sendable () -> Date = { Date() }
        let components = ServiceComponents(
            store: store, accounts: Self.makeAccounts(store, keyRing, naming, settings, logger: logger),
            storage: StorageAdapters(
                credentials: MeasuredCredentialIssuer(try open.makeCredentialIssuer(keyRing), metrics, tracer),
                userStores: open.userStores,
                links: S3ObjectURLSigner(), libraryMemory: settings.libraryMemory, meter: open.meter,
                mayIgnoreCase: open.mayIgnoreCase, erasure: try open.makeErasureAccess(), probe: open.probe,
                reporter: open.reporter),
            subscriptions: try makeSubscriptions(store, keyRing, transport),
            settings: serviceSettings(isShared: open.isShared), keyRing: keyRing, retry: LiveStore.retry,
            metrics: metrics, now: now, randomness: .system, logger: logger)
        return ServiceGraph(
            components, providers: makeProviders(providers, transport, now),
            eventReceiver: settings.webhooks.map {
                WebhookSender(
                    settings: $0, transport: traced(PropagatingTransport(transport), "webhook", otherwise: transport),
                    now: now)
            },
            mailer: try settings.mail.map { try makeMailSender($0, components, providers) })
    }

    private func makeMailSender(
        _ mail: MailSettings, _ components: ServiceComponents, _ providers: [IdentityProviderSettings]
    ) throws -> SecurityMailSender {
        let named = providers.compactMap { provider in provider.displayName.map { (provider.name, $0) } }
        let (devices, accounts) = (components.sessions.devices, components.accounts)
        return try SecurityMailSender(
            settings: SecurityMailSettings(
                from: mail.from.name.isEmpty
                    ? Mailbox(name: settings.brand.name, address: mail.from.address) : mail.from,
                service: settings.brand.name, publicURL: settings.publicURL,
                supportURL: settings.brand.supportURL,
                providers: Dictionary(named, uniquingKeysWith: { first, _ in first })),
            server: SMTPClient(server: mail.server, name: mail.from.address.domain),
            deviceName: { device, user in (try? await devices.device(device, of: user))?.value.name },
            methods: { accounts.maskedMethods(of: $0) }, now: components.now, logger: logger)
    }

    private func serviceSettings(isShared: Bool) -> ServiceSettings {
        ServiceSettings(
            policy: ServicePolicy(
                requiresChallenge: settings.requiresChallenge, allowsContinue: settings.allowsContinue,
                reservesUploads: settings.reservesUploads, allowsSharing: settings.allowsSharing,
                credentialLifetime: settings.credentialLifetime,
                uploadAddressLifetime: settings.uploadAddressLifetime,
                devicesPerAccount: settings.devicesPerAccount,
                backupDays: settings.backupDays == 0 ? nil : settings.backupDays,
                slidingLifetime: settings.slidingDays == 0 ? nil : TimeInterval(settings.slidingDays) * 86_400),
            apps: settings.apps, tokenIssuer: settings.tokenIssuer, tokenAudience: settings.tokenAudience,
            publicURL: settings.publicURL, environment: settings.environment, callRates: settings.callRates,
            sharesCallCounts: isShared,
            rememberedProofs: settings.rememberedProofs, rememberedWaitingDevices: settings.rememberedWaitingDevices)
    }

    private func makeProviders(
        _ providers: [IdentityProviderSettings], _ transport: any HTTPTransport,
        _ now: @escaping @Sendable () -> Date
    ) -> ServiceProviders {
        let verifiers = providers.map {
            ProviderVerifiers(
                $0,
                transport: measured(
                    $0.allowsPrivateAddresses ? transport : PublicHTTPTransport(), of: $0.name, .keys),
                logger: logger, now: now)
        }
        return ServiceProviders(
            verifiers: verifiers.map(\.tokens), eventVerifiers: verifiers.compactMap(\.events),
            tokenServices: providers.compactMap {
                OAuthTokenService(settings: $0, transport: measured(transport, of: $0.name, .tokens), now: now)
            },
            authorizations: providers.compactMap {
                AuthorizationCodeFlow(
                    settings: $0, publicURL: settings.publicURL,
                    transport: measured(
                        $0.allowsPrivateAddresses ? transport : PublicHTTPTransport(), of: $0.name, .code),
                    now: now)
            })
    }

    private func measured(
        _ transport: any HTTPTransport, of provider: ProviderName, _ call: MeasuredTransport.Call
    ) -> any HTTPTransport {
        let transport = traced(transport, "provider \(call.rawValue)", provider, otherwise: transport)
        return registry == nil ? transport : MeasuredTransport(transport, metrics, provider: provider, call: call)
    }

    /// Returns a transport whose requests are spans.
    /// - Parameter plain: the transport without traces.
    func traced(
        _ transport: any HTTPTransport, _ name: String, _ provider: ProviderName? = nil,
        otherwise plain: any HTTPTransport
    ) -> any HTTPTransport {
        tracer == nil ? plain : TracedTransport(transport, tracer, name: name, provider: provider)
    }
}
