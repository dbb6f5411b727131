import ObjectStorage
import PhotolalaAPI

/// Which issuers each provider's name has stood for since its first use. The same name under another issuer would open
/// the accounts of the first one's people.
package struct ProviderRegistry: Sendable {
    private let documents: Documents<ProviderIssuers>

    package init(store: any ObjectStore, retry: RetryPolicy) { documents = Documents(store: store, retry: retry) }

    /// Compares the issuers of every provider with the recorded ones, and records those of a name that is used for the
    /// first time. While one differs nothing is recorded.
    /// - Returns: what differs; none of it may be used.
    package func register(
        _ providers: [(name: ProviderName, issuers: [String])]
    ) async throws(ObjectStoreError) -> [IssuerMismatch] {
        var mismatches: [IssuerMismatch] = []
        var fresh: [(name: ProviderName, issuers: [String])] = []
        for provider in providers {
            if let known = try await documents.load(Self.key(provider.name)) {
                mismatches += known.value.mismatch(provider.name, provider.issuers)
            } else {
                fresh.append(provider)
            }
        }
        guard mismatches.isEmpty else { return mismatches }
        for provider in fresh {
            mismatches += try await record(provider.issuers, for: provider.name).mismatch(
                provider.name, provider.issuers
            )
        }
        return mismatches
    }

    /// Lets a name stand for these issuers and no others from now on, in one write: an operator's decision.
    /// - Returns: those before; `nil` when there were none: then nothing is written, as first use records them.
    /// - Throws: `preconditionFailed` when another one was faster.
    package func replace(
        with issuers: [String], for provider: ProviderName
    ) async throws(ObjectStoreError) -> [String]? {
        guard let known = try await documents.load(Self.key(provider)) else { return nil }
        var next = known.value
        next.issuers = issuers
        if next != known.value { _ = try await documents.replace(Self.key(provider), known, with: next) }
        return known.value.issuers
    }

    /// What is recorded afterwards: another copy may have been faster.
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
