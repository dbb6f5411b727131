import ObjectStorage
import PhotolalaAPI

/// `service/providers/{provider}`: the issuers that the name stands for.
struct ProviderIssuers: VersionedDocument {
    var version: Int
    var issuers: [String]

    /// Issuers are compared byte for byte, as in tokens.
    func mismatch(_ provider: ProviderName, _ asked: [String]) -> [IssuerMismatch] {
        let others = asked.filter { asked in !issuers.contains { $0.utf8.elementsEqual(asked.utf8) } }
        return others.isEmpty ? [] : [IssuerMismatch(provider: provider, recorded: issuers, others: others)]
    }
}

/// A provider's name that would stand for other issuers than it does in this store.
package struct IssuerMismatch: Equatable, Sendable {
    package let provider: ProviderName
    /// What the name stands for.
    package let recorded: [String]
    /// What it does not stand for.
    package let others: [String]
}
