import ObjectStorage
import PhotolalaAPI

/// The binding keys of an identity: one, or two while identity bindings are re-keyed.
package struct BindingKeys: Equatable, Sendable {
    let provider: ProviderName
    /// The last segment of the binding key.
    package let segment: String
    /// The last segment of the second binding key.
    let nextSegment: String?

    /// The keys in write order. While instances that know only the old key may run, the old key decides who owns the
    /// identity. Reads use the reverse order, because the new key decides later.
    package var keys: [ObjectKey] { [key] + (nextKey.map { [$0] } ?? []) }

    package var key: ObjectKey { key(segment) }

    /// The second binding key.
    package var nextKey: ObjectKey? { nextSegment.map { key($0) } }

    /// Returns the identity with a single binding key.
    func only(_ segment: String) -> BindingKeys {
        BindingKeys(provider: provider, segment: segment, nextSegment: nil)
    }

    /// Whether a segment is a hash, so that the subject must be stored sealed.
    package var areHashed: Bool { KeyEncoding.isHash(segment) || nextSegment.map(KeyEncoding.isHash) ?? false }

    private func key(_ segment: String) -> ObjectKey {
        ObjectKey(known: StorageLayout.identity(provider, segment: segment))
    }
}
