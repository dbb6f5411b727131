import ObjectStorage
import PhotolalaAPI

/// The names under which an identity is claimed: one, or two while claims move to another spelling.
struct IdentityNames: Equatable, Sendable {
    let provider: ProviderName
    /// The last segment of the claim's key.
    let segment: String
    /// The last segment of the second claim's key.
    let nextSegment: String?

    /// In the order in which they are claimed: as long as copies of the service know the old name alone, it decides
    /// who has the identity. They are read the other way round, as later the new name decides.
    var keys: [ObjectKey] { [key] + (nextKey.map { [$0] } ?? []) }

    var key: ObjectKey { key(segment) }

    /// The key of the second claim.
    var nextKey: ObjectKey? { nextSegment.map { key($0) } }

    /// The identity under one name alone.
    func only(_ segment: String) -> IdentityNames {
        IdentityNames(provider: provider, segment: segment, nextSegment: nil)
    }

    /// Whether a name is a hash, so that the subject has to be kept sealed.
    var areHashed: Bool { SubjectSpelling.isHash(segment) || nextSegment.map(SubjectSpelling.isHash) ?? false }

    private func key(_ segment: String) -> ObjectKey {
        ObjectKey(known: StorageLayout.identity(provider, segment: segment))
    }
}
