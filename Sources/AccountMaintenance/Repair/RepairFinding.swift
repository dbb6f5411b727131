import PhotolalaAPI

/// An object that an interrupted operation left behind, or that is damaged.
package struct RepairFinding: Codable, Sendable, Equatable {
    /// The kind of finding, with its repair.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// An active link without its binding: the binding is written again.
        case claimMissing = "claim.missing"
        /// A binding that its account does not list: it is removed, and the identity is free.
        case claimNotListed = "claim.not_listed"
        /// An active link whose identity is bound to, and listed by, another account. Not repaired.
        case claimTaken = "claim.taken"
        /// A binding without an account: the account document was lost. Not repaired.
        case claimWithoutAccount = "claim.without_account"
        /// A malformed binding.
        case claimUnreadable = "claim.unreadable"
        /// A link that was interrupted after its binding was written: it becomes active.
        case linkUnfinished = "link.unfinished"
        /// A link that was interrupted before its binding was written: it is removed.
        case linkUnclaimed = "link.unclaimed"
        /// An unlink that was interrupted, or whose delay has ended: it is completed.
        case unlinkUnfinished = "unlink.unfinished"
        /// An active link whose address has no hint: the hint is created again.
        case hintMissing = "hint.missing"
        /// A link with a binding key other than its subject's, although no re-keying is in progress: the key and its
        /// binding are removed.
        case linkNameLeft = "link.name_left"
        /// A link whose subject cannot be recovered, so that it cannot be re-keyed. Not repaired.
        case subjectUnreadable = "subject.unreadable"
        /// A hint whose link is gone: it is removed.
        case hintStale = "hint.stale"
        /// A malformed hint.
        case hintUnreadable = "hint.unreadable"
        /// A sign-up whose binding was never written: the account is marked as abandoned.
        case accountAbandoned = "account.abandoned"
        /// An account that has been abandoned for the grace period: it is removed.
        case accountRemovable = "account.removable"
        /// Objects of an account without its document. Not repaired.
        case accountLost = "account.lost"
        /// An account that was deleted and that a backup or an earlier version of an object brought back: its erasure is
        /// scheduled.
        case accountResurrected = "account.resurrected"
        /// A scheduled or unfinished deletion without its record, so that no job continues it: the record is written.
        case deletionUnscheduled = "deletion.unscheduled"
        /// An account document that cannot be read.
        case accountUnreadable = "account.unreadable"
        /// Audit entries in the document without their objects: the objects are written.
        case auditEntryMissing = "audit.entry_missing"
        /// An audit entry is missing, in the middle or at the end. Not repaired.
        case auditEntryLost = "audit.entry_lost"
        /// An audit entry does not match the following one, or the account. Not repaired.
        case auditEntryChanged = "audit.entry_changed"
        /// An object under the audit log's prefix that the log does not contain. Not repaired.
        case auditEntryExtra = "audit.entry_extra"
        /// The end of the audit log in the document is not what the service wrote. Not repaired.
        case auditHeadForged = "audit.head_forged"
        /// The end of the audit log is sealed under a key that is not configured, so it cannot be verified.
        case auditKeyUnknown = "audit.key_unknown"
        /// An entry stating that those before it could not be verified when it was written. Not repaired.
        case auditUnproven = "audit.unproven"
    }

    package let kind: Kind
    /// The account, if known.
    package let account: UserID?
    /// The object's key, if the finding concerns one object. With plain subjects it contains the provider's subject.
    package let object: String?
    /// Whether the finding is repaired; always `false` in a dry run.
    package let isSettled: Bool
}

/// The result of a repair.
package struct RepairSummary: Codable, Sendable, Equatable {
    package var accounts = 0
    package var claims = 0
    package var hints = 0
    package var findings = 0
    /// The number of findings that were repaired.
    package var settled = 0

    static func += (sum: inout RepairSummary, other: RepairSummary) {
        sum.accounts += other.accounts
        sum.claims += other.claims
        sum.hints += other.hints
        sum.findings += other.findings
        sum.settled += other.settled
    }
}
