import PhotolalaAPI
import Secrets

/// Determines the binding keys of identities from a store manifest.
package struct BindingKeyResolver: Sendable {
    private let current: KeyEncoding
    private let next: KeyEncoding?
    package let phase: RekeyingState.Phase?
    /// The manifest's version; another version may imply other keys.
    let version: Int

    /// - Throws: if the key ring lacks a key that the manifest names.
    package init(_ manifest: StoreManifest, keyRing: KeyRing) throws(StoreManifestError) {
        try manifest.check(keyRing)
        current = KeyEncoding(mode: manifest.subjects, keyID: manifest.subjectKeyID, keyRing: keyRing)
        next = manifest.migration.map { KeyEncoding(mode: $0.subjects, keyID: $0.subjectKeyID, keyRing: keyRing) }
        phase = manifest.migration?.phase
        version = manifest.version
    }

    /// Returns the keys under which an identity must be bound now.
    package func keys(_ provider: ProviderName, _ subject: String) throws(AccountError) -> BindingKeys {
        activeKeys(try bothKeys(provider, subject))
    }

    /// Returns the old binding key and, if different, the new one.
    package func bothKeys(_ provider: ProviderName, _ subject: String) throws(AccountError) -> BindingKeys {
        do {
            let segment = try current.segment(provider, subject)
            let nextSegment = try next?.segment(provider, subject)
            return BindingKeys(
                provider: provider, segment: segment, nextSegment: nextSegment == segment ? nil : nextSegment
            )
        } catch {
            throw .secrets(error)
        }
    }

    /// Returns those of an old and a new key that are in force now.
    package func activeKeys(_ names: BindingKeys) -> BindingKeys {
        switch phase {
        case .both: names
        case .confirmed: names.only(names.nextSegment ?? names.segment)
        case nil, .undone: names.only(names.segment)
        }
    }
}
