import PhotolalaAPI
import Synchronization

/// An object that a legacy import leaves in place, or does not import under the name that it states.
package struct ImportFinding: Codable, Sendable, Equatable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// A binding whose bytes name no account.
        case claimUnreadable = "claim.unreadable"
        /// Bindings of one identity name different accounts; none of them gets it.
        case claimConflict = "claim.conflict"
        /// The identity is already bound to another account in this layout.
        case claimTaken = "claim.taken"
        /// An account with this id exists that no import created: it gets no identity and no objects.
        case accountTaken = "account.taken"
        /// The owner of the account with this id deleted it: it is not created again.
        case accountDeleted = "account.deleted"
        /// The subject is a hash that cannot be reversed.
        case subjectHashed = "subject.hashed"
        /// A hint under the hash of an address, which cannot be reversed.
        case hintHashed = "hint.hashed"
        /// A key that belongs to no layout.
        case keyUnknown = "key.unknown"
        /// Objects of a user without an identity.
        case userUnclaimed = "user.unclaimed"
        /// A photo whose MD5 differs from the one in its name; it is stored under its true MD5.
        case photoMisnamed = "photo.misnamed"
        /// An object that cannot be read: it is damaged or archived.
        case objectUnreadable = "object.unreadable"
        /// The destination holds different bytes.
        case destinationTaken = "destination.taken"
        /// A profile that cannot be read, or exceeds the profile's limits.
        case profileUnreadable = "profile.unreadable"
        /// A catalog that cannot be read; a new one was created from the photos.
        case catalogUnreadable = "catalog.unreadable"
        /// A catalog in an unsupported version, or with too much content: its owner's imported photos are not in it
        /// yet.
        case catalogRefused = "catalog.refused"
        /// The copy is missing at its destination: deleted by its owner, or lost. The source stays.
        case destinationMissing = "destination.missing"
        /// The copy at the destination differs from what was written.
        case destinationChanged = "destination.changed"
        /// The source changed after it was copied; it stays.
        case sourceChanged = "source.changed"
        /// The object is not at its destination yet.
        case unfinished = "move.unfinished"
    }

    package let kind: Kind
    /// The account, if known.
    package let account: UserID?
    /// The object's key; a prefix ending in `/` stands for all objects below it. It may contain a provider's subject.
    package let object: String
    /// Whether the finding needs no decision.
    package let isSettled: Bool
}

/// The result of an import step.
package struct ImportSummary: Codable, Sendable, Equatable {
    /// Bindings of legacy layouts.
    package internal(set) var claims = 0
    /// Bindings whose identity is imported into this layout.
    package internal(set) var claimsMoved = 0
    /// Users' objects that belong at another key.
    package internal(set) var files = 0
    /// The total size of `files`, in bytes.
    package internal(set) var bytes: Int64 = 0
    /// Files that are at their destination.
    package internal(set) var filesMoved = 0
    /// Users' objects that stay where they are.
    package internal(set) var filesInPlace = 0
    /// Photos added to their owners' catalogs.
    package internal(set) var photosListed = 0
    /// Source objects that were removed.
    package internal(set) var removed = 0
    /// Reported findings, without settled ones.
    package internal(set) var findings = 0
    /// Findings about copies that are unfinished or differ from what was written; nothing may be removed then.
    package internal(set) var unproven = 0

    /// Whether the source objects may be removed.
    var isConfirmable: Bool { unproven == 0 }
}

/// Counts and reports during a pass.
final class ImportTally: Sendable {
    private let summary = Mutex(ImportSummary())
    private let progress: ImportProgress?
    private let report: @Sendable (ImportFinding) -> Void

    init(_ progress: ImportProgress?, _ report: @escaping @Sendable (ImportFinding) -> Void) {
        (self.progress, self.report) = (progress, report)
    }

    var total: ImportSummary { summary.withLock { $0 } }

    func count(_ change: (inout ImportSummary) -> Void) {
        summary.withLock { summary in
            change(&summary)
            progress?.update(summary)
        }
    }

    /// Records that an object was examined.
    func recordExamined() { progress?.recordExamined() }

    func record(_ kind: ImportFinding.Kind, _ user: UserID?, _ object: String, isSettled: Bool = false) {
        let isUnproven = kind == .unfinished || kind == .destinationChanged
        count {
            $0.findings += isSettled ? 0 : 1
            $0.unproven += isUnproven ? 1 : 0
        }
        report(ImportFinding(kind: kind, account: user, object: object, isSettled: isSettled))
    }
}
