import PhotolalaAPI
import Secrets

/// Which names identities have, by a store's stamp.
struct SubjectNaming: Sendable {
    private let current: SubjectSpelling
    private let next: SubjectSpelling?
    let phase: SubjectMigration.Phase?
    /// Of the stamp; another one may name identities otherwise.
    let version: Int

    /// - Throws: when the key ring lacks a key that the stamp names.
    init(_ stamp: StoreStamp, keyRing: KeyRing) throws(StoreStampError) {
        try stamp.check(keyRing)
        current = SubjectSpelling(mode: stamp.subjects, keyID: stamp.subjectKeyID, keyRing: keyRing)
        next = stamp.migration.map { SubjectSpelling(mode: $0.subjects, keyID: $0.subjectKeyID, keyRing: keyRing) }
        phase = stamp.migration?.phase
        version = stamp.version
    }

    /// The names that an identity has to be claimed under now.
    func names(_ provider: ProviderName, _ subject: String) throws(AccountError) -> IdentityNames {
        inForce(try bothNames(provider, subject))
    }

    /// The old name and, where it is another, the new one.
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

    /// Those of an old and a new name that claims have to stand under now.
    func inForce(_ names: IdentityNames) -> IdentityNames {
        switch phase {
        case .both: names
        case .confirmed: names.only(names.nextSegment ?? names.segment)
        case nil, .undone: names.only(names.segment)
        }
    }
}
