import NIOCore
import ObjectStorage
import PhotolalaAPI

/// Which issuer each provider's name has stood for since its first use. The same name under another issuer would open
/// the accounts of the first one's people.
package struct ProviderRegistry: Sendable {
    private let store: any ObjectStore

    package init(store: any ObjectStore) { self.store = store }

    /// Records the issuer of a name at its first use.
    /// - Returns: the issuer that is recorded; another one than was asked for must not be used.
    package func record(_ issuer: String, for provider: ProviderName) async throws(ObjectStoreError) -> String {
        let key = ObjectKey(known: StorageLayout.providerIssuer(provider))
        if let known = try await store.get(key, limit: 4096) { return String(buffer: known.bytes) }
        do {
            try await store.put(key, ByteBuffer(string: issuer), if: .absent)
            return issuer
        } catch .preconditionFailed {
            guard let known = try await store.get(key, limit: 4096) else { throw .conflict }
            return String(buffer: known.bytes)
        }
    }

    /// Lets a name stand for another issuer from now on: an operator's decision.
    package func replace(with issuer: String, for provider: ProviderName) async throws(ObjectStoreError) {
        try await store.put(
            ObjectKey(known: StorageLayout.providerIssuer(provider)), ByteBuffer(string: issuer), if: .always
        )
    }
}
