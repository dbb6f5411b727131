import ObjectStorage
import PhotolalaAPI

/// `service/providers/{provider}`: the issuers that a provider name stands for.
struct ProviderIssuers: VersionedDocument {
    var version: Int
    var issuers: [String]

    /// Returns the issuers that are not recorded. Issuers are compared byte by byte, as in tokens.
    func mismatch(_ provider: ProviderName, _ configured: [String]) -> [IssuerMismatch] {
        let others = configured.filter { configured in !issuers.contains { $0.utf8.elementsEqual(configured.utf8) } }
        return others.isEmpty ? [] : [IssuerMismatch(provider: provider, recorded: issuers, others: others)]
    }
}

/// A provider name configured with other issuers than those recorded in this store.
package struct IssuerMismatch: Equatable, Sendable {
    package let provider: ProviderName
    /// The recorded issuers.
    package let recorded: [String]
    /// The configured issuers that are not recorded.
    package let others: [String]
}
