import Foundation
import ObjectStorage
import PhotolalaAPI

extension Repair {
    /// Reads the whole chain from its end: each entry is what the one after it says, and the end what the account says.
    func checkAudit(
        of account: Stored<AccountDocument>, _ folder: AccountFolder, _ summary: inout RepairSummary
    ) async throws(AccountError) {
        let user = account.value.serviceUserID
        let document = AccountDirectory.key(user)
        switch directory.audit.sealing.check(account.value.audit, of: user) {
        case .proven: break
        case .keyUnknown: try await found(.auditKeyUnknown, user, document, &summary)
        case .forged: try await found(.auditHeadForged, user, document, &summary)
        }
        for key in folder.strayAuditEntries { try await found(.auditEntryExtra, user, key, &summary) }
        // The accounts were listed before this one was read, so what it names cannot be behind what was listed.
        if let last = folder.lastAuditEntry, last > account.value.audit.sequence {
            let key = ObjectKey(known: StorageLayout.auditEntry(user, sequence: last))
            try await found(.auditEntryExtra, user, key, &summary)
        }
        var unwritten: ObjectKey?
        try await directory.audit.walk(account.value) { (step) throws(AccountError) in
            switch step.state {
            case .proven where step.entry?.act == .chainUnproven:
                try await found(.auditUnproven, user, step.key, &summary)
            case .proven: break
            case .unwritten: unwritten = step.key
            case .changed: try await found(.auditEntryChanged, user, step.key, &summary)
            case .otherThanAccount: try await found(.auditHeadForged, user, document, &summary)
            case .lost: try await found(.auditEntryLost, user, step.key, &summary)
            }
        }
        // Whoever made the chain longer may be about to write them.
        guard let unwritten, let newest = account.value.audit.entries.last, isOld(writtenAt(newest, folder)) else {
            return
        }
        try await found(.auditEntryMissing, user, unwritten, &summary) { () throws(AccountError) in
            try await directory.audit.settleEntries(of: account.value)
            return true
        }
    }

    /// An act that a device noted is older than the change that took it into the chain.
    private func writtenAt(_ entry: AuditEntry, _ folder: AccountFolder) -> Date {
        max(entry.at, folder.documentWrittenAt ?? entry.at)
    }
}
