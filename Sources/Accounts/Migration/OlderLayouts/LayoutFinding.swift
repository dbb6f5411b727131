import PhotolalaAPI
import Synchronization

/// An object that a move from older layouts leaves where it is, or does not take as it is named.
package struct LayoutFinding: Codable, Sendable, Equatable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// A claim whose bytes name no account.
        case claimUnreadable = "claim.unreadable"
        /// Claims of one identity name different accounts: it is given to none.
        case claimConflict = "claim.conflict"
        /// The identity belongs to another account in this layout already.
        case claimTaken = "claim.taken"
        /// An account with this id is there that no move has made: it gets no identity and no objects.
        case accountTaken = "account.taken"
        /// The subject is a hash that cannot be turned back.
        case subjectHashed = "subject.hashed"
        /// A hint under the hash of an address, which cannot be turned back.
        case hintHashed = "hint.hashed"
        /// A key of no layout.
        case keyUnknown = "key.unknown"
        /// Objects of a user whom no identity opens.
        case userUnclaimed = "user.unclaimed"
        /// A photo whose bytes have another MD5 than its name says: it is kept under the true one.
        case photoMisnamed = "photo.misnamed"
        /// An object that the store does not give: it is damaged, or in an archive.
        case objectUnreadable = "object.unreadable"
        /// Other bytes stand where it belongs.
        case destinationTaken = "destination.taken"
        /// A profile that cannot be read, or breaks the profile's limits.
        case profileUnreadable = "profile.unreadable"
        /// A catalog that cannot be read: a new one was begun from the photos.
        case catalogUnreadable = "catalog.unreadable"
        /// A catalog that this version does not read, or of which too much is there: its owner's moved photos are not in it
        /// yet.
        case catalogRefused = "catalog.refused"
        /// It is not at its new place any more: taken away by its owner, or lost. The old one stays.
        case destinationMissing = "destination.missing"
        /// It is not at its new place as it was written there.
        case destinationChanged = "destination.changed"
        /// The old object changed after it was copied: it stays.
        case sourceChanged = "source.changed"
        /// It is not at its new place yet.
        case unfinished = "move.unfinished"
    }

    package let kind: Kind
    /// The account, where it is known.
    package let account: UserID?
    /// The object's key; a prefix ending in `/` stands for all objects below. It may hold a provider's subject.
    package let object: String
    /// Whether nothing is left to be decided about it.
    package let isSettled: Bool
}

/// What a step of a move came to.
package struct LayoutSummary: Codable, Sendable, Equatable {
    /// Claims of older layouts.
    package internal(set) var claims = 0
    /// Of the claims: those whose identity opens its account in this layout.
    package internal(set) var claimsMoved = 0
    /// Objects of users that belong elsewhere.
    package internal(set) var files = 0
    /// Their bytes.
    package internal(set) var bytes: Int64 = 0
    /// Of these objects: those that are at their new place.
    package internal(set) var filesMoved = 0
    /// Objects of users that stay where they are.
    package internal(set) var filesInPlace = 0
    /// Photos that were put into their owners' catalogs.
    package internal(set) var photosListed = 0
    /// Old objects that were removed.
    package internal(set) var removed = 0
    /// What was told, but for what is settled.
    package internal(set) var findings = 0
    /// Of the findings: copies that are not as they were made, so that nothing may be removed.
    package internal(set) var unproven = 0

    /// Whether the old objects may go.
    var isConfirmable: Bool { unproven == 0 }
}

/// Counts and tells while a pass runs.
final class LayoutTally: Sendable {
    private let summary = Mutex(LayoutSummary())
    private let report: @Sendable (LayoutFinding) -> Void

    init(_ report: @escaping @Sendable (LayoutFinding) -> Void) { self.report = report }

    var total: LayoutSummary { summary.withLock { $0 } }

    func count(_ change: (inout LayoutSummary) -> Void) { summary.withLock { change(&$0) } }

    func tell(_ kind: LayoutFinding.Kind, _ user: UserID?, _ object: String, isSettled: Bool = false) {
        let isUnproven = kind == .unfinished || kind == .destinationChanged
        count {
            $0.findings += isSettled ? 0 : 1
            $0.unproven += isUnproven ? 1 : 0
        }
        report(LayoutFinding(kind: kind, account: user, object: object, isSettled: isSettled))
    }
}
