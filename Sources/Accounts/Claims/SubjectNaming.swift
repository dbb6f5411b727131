import PhotolalaAPI
import Secrets

/// Determines the binding keys of identities from a store manifest.
struct SubjectNaming: Sendable {
    private let current: SubjectSpelling
    private let next: SubjectSpelling?
    let phase: SubjectMigration.Phase?
    /// The manifest's version; another version may imply other keys.
    let version: Int

    /// - Throws: if the key ring lacks a key that the manifest names.
    init(_ stamp: StoreStamp, keyRing: KeyRing) throws(StoreStampError) {
        try stamp.check(keyRing)
        current = SubjectSpelling(mode: stamp.subjects, keyID: stamp.subjectKeyID, keyRing: keyRing)
        next = stamp.migration.map { SubjectSpelling(mode: $0.subjects, keyID: $0.subjectKeyID, keyRing: keyRing) }
        phase = stamp.migration?.phase
        version = stamp.version
    }

    /// Returns the keys under which an identity must be bound now.
    func names(_ provider: ProviderName, _ subject: String) throws(AccountError) -> IdentityNames {
        inForce(try bothNames(provider, subject))
    }

    /// Returns the old binding key and, if different, the new one.
    func bothNames(_ provider: ProviderName, _ subject: String) throws(AccountError) -> IdentityNames {
        do {
            let segment = try current.segment(provider, subject)
            let nextSegment = try next?.segment(provider, subject)
            return IdentityNames(
                provider: provider, segment: segment, nextSegment: nextSegment == segment ? nil : nextSegment
            )
        } catch {
            throw .secrets(error)
        }
    }

    /// Returns those of an old and a new key that are in force now.
    func inForce(_ names: IdentityNames) -> IdentityNames {
        switch phase {
        case .both: names
        case .confirmed: names.only(names.nextSegment ?? names.segment)
        case nil, .undone: names.only(names.segment)
        }
    }
}
