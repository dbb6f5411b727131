import AppStore
import Foundation
import ObjectStorage
import Secrets
import Transport
import UseCases

extension Live {
    /// Creates the building blocks for tiers, trials and the App Store, as configured.
    package func makeSubscriptions(
        _ store: any ObjectStore, _ keyRing: KeyRing, _ transport: any HTTPTransport
    ) throws -> SubscriptionComponents {
        let purchases = settings.purchases
        let now: @Sendable () -> Date = { Date() }
        let verifier = try purchases.appStore.map { app in
            // Certificates contain the responder URLs; in dev a test's responder may be on this machine.
            let network: any HTTPTransport = settings.environment == .dev ? transport : PublicHTTPTransport()
            let responders =
                purchases.asksRevocation ? traced(network, "certificate status", otherwise: network) : nil
            let chains = try CertificateChains(roots: purchases.roots, responders: responders, now: now)
            return AppStoreVerifier(settings: app, chains: chains, now: now)
        }
        let server: AppStoreServerClient? =
            if let verifier, let key = purchases.key, let app = purchases.appStore {
                AppStoreServerClient(
                    verifier: verifier, key: key, bundleIDs: app.bundleIDs.sorted(), urls: purchases.serverURLs,
                    transport: traced(transport, "app store", otherwise: transport), now: now
                )
            } else { nil }
        return SubscriptionComponents(
            plan: purchases.plan, trial: purchases.trial, verifier: verifier, server: server,
            environments: (purchases.appStore?.environments ?? []).sorted { $0.rawValue < $1.rawValue }, store: store,
            keyRing: keyRing, retry: LiveStore.retry, now: now, randomness: .system)
    }
}
