import DevelopmentIdentityProvider
import ObjectStorage
import PhotolalaAPI
import Secrets

/// The development provider's signing keys, only in `dev`. Each is created once, sealed in the store and shared by all
/// instances, so that they accept each other's tokens.
struct DevelopmentKeys {
    private struct Document: VersionedDocument {
        var version: Int
        let sealedPrivateKey: String
    }

    private let documents: Documents<Document>
    private let keyRing: KeyRing

    init(store: any ObjectStore, retry: RetryPolicy, keyRing: KeyRing) {
        documents = Documents(store: store, retry: retry)
        self.keyRing = keyRing
    }

    func key(_ provider: ProviderName) async throws -> DevelopmentSigningKey {
        let place = ObjectKey(known: StorageLayout.developmentKey(provider))
        if let known = try await documents.load(place) { return try open(known.value, provider) }
        let fresh = try DevelopmentSigningKey.generate()
        let sealed = try keyRing.seal(
            fresh.derRepresentation, for: .developmentProviderKeys, context: provider.description, randomness: .system
        )
        do {
            _ = try await documents.create(place, Document(version: 1, sealedPrivateKey: sealed))
            return fresh
        } catch ObjectStoreError.preconditionFailed {
            guard let theirs = try await documents.load(place) else { throw ObjectStoreError.conflict }
            return try open(theirs.value, provider)
        }
    }

    private func open(_ document: Document, _ provider: ProviderName) throws -> DevelopmentSigningKey {
        let bytes = try keyRing.open(
            document.sealedPrivateKey, for: .developmentProviderKeys, context: provider.description
        )
        return try DevelopmentSigningKey(derRepresentation: bytes)
    }
}
