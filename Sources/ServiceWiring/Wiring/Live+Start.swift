import Accounts
import DevelopmentIdentityProvider
import Secrets
import Transport
import UseCases

/// The service on an open store, ready to answer.
package struct StartedService: Sendable {
    package let services: ServiceGraph
    package let naming: ManifestCache
    package let keyRing: KeyRing
    /// The development providers; only in `dev`.
    package let development: [DevelopmentProvider]
}

extension Live {
    /// Compares the settings with the store and creates the service on it.
    package func start(on store: any ServiceStore, _ transport: any HTTPTransport) async throws -> StartedService {
        let (naming, keyRing) = try await LiveStore.watchManifest(store.objects, settings, stampingNew: true)
        try await requireSameDeployment(in: store.objects)
        let development = try await developmentProviders(store.objects, keyRing)
        try await registerProviders(development, in: store.objects)
        let providers = settings.providers + development.map(\.settings)
        let services = try makeServices(store, keyRing, naming, providers, transport)
        try await services.housekeeping.maintainSigningKeys()
        try await services.deletion.openErasureKey()
        services.deletion.refuseErasedAccounts()
        metrics.prepare(providers: providers.map(\.name))
        return StartedService(services: services, naming: naming, keyRing: keyRing, development: development)
    }
}
