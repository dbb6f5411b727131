import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI

extension Repair {
    /// Verifies the whole audit log from its end: each entry against the following one, and the last against the
    /// account.
    func checkAudit(
        of account: Stored<AccountDocument>, _ folder: AccountFolder, _ summary: inout RepairSummary
    ) async throws(AccountError) {
        let user = account.value.serviceUserID
        let document = AccountDirectory.key(user)
        switch directory.audit.sealing.verify(account.value.audit, of: user) {
        case .authentic: break
        case .keyUnknown: try await handleFinding(.auditKeyUnknown, user, document, &summary)
        case .forged: try await handleFinding(.auditHeadForged, user, document, &summary)
        }
        for key in folder.strayAuditEntries { try await handleFinding(.auditEntryExtra, user, key, &summary) }
        // The listing is older than the document, so the document cannot be behind it.
        if let last = folder.lastAuditEntry, last > account.value.audit.sequence {
            let key = ObjectKey(known: StorageLayout.auditEntry(user, sequence: last))
            try await handleFinding(.auditEntryExtra, user, key, &summary)
        }
        var unwritten: ObjectKey?
        try await directory.audit.walk(account.value) { (step) throws(AccountError) in
            switch step.state {
            case .proven where step.entry?.act == .logUnverified:
                try await handleFinding(.auditUnproven, user, step.key, &summary)
            case .proven: break
            case .unwritten: unwritten = step.key
            case .changed: try await handleFinding(.auditEntryChanged, user, step.key, &summary)
            case .otherThanAccount: try await handleFinding(.auditHeadForged, user, document, &summary)
            case .lost: try await handleFinding(.auditEntryLost, user, step.key, &summary)
            }
        }
        // The writer that appended these entries may be about to write them.
        guard let unwritten, let newest = account.value.audit.entries.last, isPastGracePeriod(writtenAt(newest, folder))
        else {
            return
        }
        try await handleFinding(.auditEntryMissing, user, unwritten, &summary) { () throws(AccountError) in
            try await directory.audit.ensureEntriesStored(of: account.value)
            return true
        }
    }

    /// A flushed event of a device is older than the change that flushed it.
    private func writtenAt(_ entry: AuditEntry, _ folder: AccountFolder) -> Date {
        max(entry.at, folder.documentWrittenAt ?? entry.at)
    }
}
