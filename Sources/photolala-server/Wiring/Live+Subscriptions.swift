import AppStore
import Foundation
import ObjectStorage
import Secrets
import Subscriptions
import Transport
import UseCases

extension Live {
    /// Creates the services for tiers, trials and the App Store, as configured.
    func makeSubscriptions(
        _ store: any ObjectStore, _ keyRing: KeyRing, _ transport: any HTTPTransport
    ) throws -> SubscriptionServices {
        let purchases = settings.purchases
        let retry = LiveStore.retry
        let now: @Sendable () -> Date = { Date() }
        let verifier = try purchases.appStore.map { app in
            // Certificates contain the responder URLs; in dev a test's responder may be on this machine.
            let network: any HTTPTransport = settings.environment == .dev ? transport : PublicHTTPTransport()
            let responders = purchases.asksRevocation ? network : nil
            let chains = try CertificateChains(roots: purchases.roots, responders: responders, now: now)
            return AppStoreVerifier(settings: app, chains: chains, now: now)
        }
        let server: AppStoreServerClient? =
            if let verifier, let key = purchases.key, let app = purchases.appStore {
                AppStoreServerClient(
                    verifier: verifier, key: key, bundleIDs: app.bundleIDs.sorted(), urls: purchases.serverURLs,
                    transport: transport, now: now
                )
            } else { nil }
        return SubscriptionServices(
            plan: purchases.plan, trial: purchases.trial,
            trials: Trials(store: store, retry: retry, keyRing: keyRing, now: now),
            records: SubscriptionRecords(store: store, retry: retry, now: now),
            moveTickets: MoveTickets(keyRing: keyRing, now: now, randomness: .system),
            verifier: verifier, server: server,
            environments: (purchases.appStore?.environments ?? []).sorted { $0.rawValue < $1.rawValue }, retry: retry
        )
    }
}
