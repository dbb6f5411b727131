import ObjectStorage
import PhotolalaAPI

/// The binding keys of an identity: one, or two while identity bindings are re-keyed.
struct IdentityNames: Equatable, Sendable {
    let provider: ProviderName
    /// The last segment of the binding key.
    let segment: String
    /// The last segment of the second binding key.
    let nextSegment: String?

    /// The keys in write order. While instances that know only the old key may run, the old key decides who owns the
    /// identity. Reads use the reverse order, because the new key decides later.
    var keys: [ObjectKey] { [key] + (nextKey.map { [$0] } ?? []) }

    var key: ObjectKey { key(segment) }

    /// The second binding key.
    var nextKey: ObjectKey? { nextSegment.map { key($0) } }

    /// Returns the identity with a single binding key.
    func only(_ segment: String) -> IdentityNames {
        IdentityNames(provider: provider, segment: segment, nextSegment: nil)
    }

    /// Whether a segment is a hash, so that the subject must be stored sealed.
    var areHashed: Bool { SubjectSpelling.isHash(segment) || nextSegment.map(SubjectSpelling.isHash) ?? false }

    private func key(_ segment: String) -> ObjectKey {
        ObjectKey(known: StorageLayout.identity(provider, segment: segment))
    }
}
