import Accounts
import DevelopmentIdentityProvider
import Foundation
import IdentityProviders
import ObjectStorage
import PhotolalaAPI
import Secrets

extension Live {
    /// Returns the providers that are emulated in `dev` because they are not configured.
    func developmentProviders(_ store: any ObjectStore, _ keyRing: KeyRing) async throws -> [DevelopmentProvider] {
        let keys = DevelopmentKeys(store: store, retry: LiveStore.retry, keyRing: keyRing)
        var providers: [DevelopmentProvider] = []
        for (name, shape) in settings.developmentProviders {
            providers.append(
                DevelopmentProvider(
                    name: name, shape: shape, issuer: settings.developmentIssuer(name), audience: "photolala-dev",
                    key: try await keys.key(name), now: { Date() }, randomness: .system
                )
            )
        }
        return providers
    }

    /// Fails the start if a provider name was registered with other issuers. Reports all mismatches together.
    func registerProviders(_ development: [DevelopmentProvider], in store: any ObjectStore) async throws {
        // The development provider is the same issuer at every address.
        let mismatches = try await ProviderRegistry(store: store, retry: LiveStore.retry).register(
            settings.providers.map { ($0.name, $0.issuers) } + development.map { ($0.name, ["development-provider"]) }
        )
        try requireNone(mismatches)
    }

    /// Fails if a configured provider name was registered with other issuers: no server starts. Writes nothing.
    package func requireRecordedIssuers(in store: any ObjectStore) async throws {
        let registry = ProviderRegistry(store: store, retry: LiveStore.retry)
        try requireNone(try await registry.compare(settings.providers.map { ($0.name, $0.issuers) }).mismatches)
    }

    private func requireNone(_ mismatches: [IssuerMismatch]) throws {
        guard mismatches.isEmpty else { throw StartProblem(mismatches.map(describe).joined(separator: "\n  ")) }
    }

    private func describe(_ mismatch: IssuerMismatch) -> String {
        let name = mismatch.provider
        let issuers = settings.providers.first { $0.name == name }?.issuers ?? mismatch.others
        return """
            issuers of \(name): the store records \(mismatch.recorded.joined(separator: ", ")), not \
            \(mismatch.others.joined(separator: ", ")). If the provider itself has moved, run photolala-server \
            accept-issuer \(name) \(issuers.joined(separator: " "))
            """
    }
}
