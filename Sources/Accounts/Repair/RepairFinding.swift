import PhotolalaAPI

/// Something in a store that an act left half done, or that is damaged.
package struct RepairFinding: Codable, Sendable, Equatable {
    /// What was found; each says what settles it.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// An active link without its claim: the claim is written again.
        case claimMissing = "claim.missing"
        /// A claim that its account does not list: it is removed, and the identity is free.
        case claimNotListed = "claim.not_listed"
        /// An active link whose identity another account has, which lists it too. Nothing settles that.
        case claimTaken = "claim.taken"
        /// A claim of an account that is not there. Nothing settles that: the account's document was lost.
        case claimWithoutAccount = "claim.without_account"
        /// A claim whose bytes are none.
        case claimUnreadable = "claim.unreadable"
        /// A linking that stopped after its claim: the link becomes active.
        case linkUnfinished = "link.unfinished"
        /// A linking that stopped before its claim: the entry is removed.
        case linkUnclaimed = "link.unclaimed"
        /// An unlinking that stopped half-way, or whose delay has ended: it is finished.
        case unlinkUnfinished = "unlink.unfinished"
        /// An active link whose address has no hint: its own is left again.
        case hintMissing = "hint.missing"
        /// A link under another name than its subject has, although no migration runs: the name goes with its claim.
        case linkNameLeft = "link.name_left"
        /// A link whose subject cannot be read back, so that it cannot move to another spelling. Nothing settles that.
        case subjectUnreadable = "subject.unreadable"
        /// A hint whose link is gone: it is removed.
        case hintStale = "hint.stale"
        /// A hint whose bytes are none.
        case hintUnreadable = "hint.unreadable"
        /// A sign-up that never got its claim: the account is marked as abandoned.
        case accountAbandoned = "account.abandoned"
        /// An account that has been abandoned for the grace period: it is removed.
        case accountRemovable = "account.removable"
        /// Objects of an account without its document. Nothing settles that.
        case accountLost = "account.lost"
        /// A document that cannot be read.
        case accountUnreadable = "account.unreadable"
        /// Audit entries in the document have no object yet: they are written.
        case auditEntryMissing = "audit.entry_missing"
        /// An audit entry is gone: cut out, or cut off at the end. Nothing settles that.
        case auditEntryLost = "audit.entry_lost"
        /// An audit entry is not what the one after it, or the account, says of it. Nothing settles that.
        case auditEntryChanged = "audit.entry_changed"
        /// An object among the audit entries that the chain does not have. Nothing settles that.
        case auditEntryExtra = "audit.entry_extra"
        /// The end of the chain in the document is not what the service wrote. Nothing settles that.
        case auditHeadForged = "audit.head_forged"
        /// The end of the chain is sealed under a key that is not configured, so it proves nothing.
        case auditKeyUnknown = "audit.key_unknown"
        /// An entry that says that those before it could not be proven when it was written. Nothing settles that.
        case auditUnproven = "audit.unproven"
    }

    package let kind: Kind
    /// The account, where it is known.
    package let account: UserID?
    /// The object's key, where one object is meant. With plain subjects it holds the provider's subject.
    package let object: String?
    /// Whether it is settled now; never in a dry run.
    package let isSettled: Bool
}

/// What one repair came to.
package struct RepairSummary: Codable, Sendable, Equatable {
    package var accounts = 0
    package var claims = 0
    package var hints = 0
    package var findings = 0
    /// Of the findings.
    package var settled = 0

    static func += (sum: inout RepairSummary, other: RepairSummary) {
        sum.accounts += other.accounts
        sum.claims += other.claims
        sum.hints += other.hints
        sum.findings += other.findings
        sum.settled += other.settled
    }
}
