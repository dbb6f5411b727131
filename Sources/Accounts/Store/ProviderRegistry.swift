import ObjectStorage
import PhotolalaAPI

/// The issuers that each provider name has stood for since its first use. The same name with another issuer would open
/// accounts of the first issuer's users.
package struct ProviderRegistry: Sendable {
    private let documents: Documents<ProviderIssuers>

    package init(store: any ObjectStore, retry: RetryPolicy) { documents = Documents(store: store, retry: retry) }

    /// Compares the issuers of every provider with the recorded ones, and records those of a new name. Records nothing
    /// while there is a mismatch.
    /// - Returns: the mismatches; these providers must not be used.
    package func register(
        _ providers: [(name: ProviderName, issuers: [String])]
    ) async throws(ObjectStoreError) -> [IssuerMismatch] {
        var (mismatches, unrecorded) = try await compare(providers)
        guard mismatches.isEmpty else { return mismatches }
        for provider in unrecorded {
            mismatches += try await record(provider.issuers, for: provider.name).mismatch(
                provider.name, provider.issuers
            )
        }
        return mismatches
    }

    /// Compares the issuers of every provider with the recorded ones. Writes nothing.
    /// - Returns: the mismatches, and the providers of which nothing is recorded.
    package func compare(
        _ providers: [(name: ProviderName, issuers: [String])]
    ) async throws(ObjectStoreError) -> (mismatches: [IssuerMismatch], new: [(name: ProviderName, issuers: [String])]) {
        var (mismatches, new) = ([IssuerMismatch](), [(name: ProviderName, issuers: [String])]())
        for provider in providers {
            if let known = try await documents.load(Self.key(provider.name)) {
                mismatches += known.value.mismatch(provider.name, provider.issuers)
            } else {
                new.append(provider)
            }
        }
        return (mismatches, new)
    }

    /// Replaces the issuers of a provider name in one write; for operators.
    /// - Returns: the previous issuers; `nil` if there were none. Nothing is written then, because first use records
    ///   them.
    /// - Throws: `preconditionFailed` after a concurrent change.
    package func replace(
        with issuers: [String], for provider: ProviderName
    ) async throws(ObjectStoreError) -> [String]? {
        guard let known = try await documents.load(Self.key(provider)) else { return nil }
        var next = known.value
        next.issuers = issuers
        if next != known.value { _ = try await documents.replace(Self.key(provider), known, with: next) }
        return known.value.issuers
    }

    /// Records issuers and returns the recorded ones; another instance may have recorded others first.
    private func record(
        _ issuers: [String], for provider: ProviderName
    ) async throws(ObjectStoreError) -> ProviderIssuers {
        let key = Self.key(provider)
        do {
            return try await documents.create(key, ProviderIssuers(version: 1, issuers: issuers)).value
        } catch .preconditionFailed {
            guard let winner = try await documents.load(key) else { throw .conflict }
            return winner.value
        }
    }

    private static func key(_ provider: ProviderName) -> ObjectKey {
        ObjectKey(known: StorageLayout.providerIssuer(provider))
    }
}
