import Foundation
import ObjectStorage
import PhotolalaAPI

/// What a listing tells of one account.
struct AccountFolder: Sendable {
    let user: UserID
    /// When its document was last written; `nil` where there is none.
    var documentWrittenAt: Date?
    var hasDevices = false
    /// The highest sequence of an audit entry.
    var lastAuditEntry: Int?
    /// The first few objects among the audit entries whose names are no entry's.
    var strayAuditEntries: [ObjectKey] = []

    /// Notes one object of the account.
    mutating func note(_ object: ListedObject) {
        let key = object.key.description
        if key == StorageLayout.accountDocument(user) { documentWrittenAt = object.lastModified }
        if key.utf8.starts(with: StorageLayout.devices(user).utf8) { hasDevices = true }
        let entries = StorageLayout.auditEntries(user)
        guard key.utf8.starts(with: entries.utf8) else { return }
        if let sequence = Int(key.dropFirst(entries.count)), sequence > 0,
            key == StorageLayout.auditEntry(user, sequence: sequence)
        {
            lastAuditEntry = max(lastAuditEntry ?? 0, sequence)
        } else if strayAuditEntries.count < 10 {
            strayAuditEntries.append(object.key)
        }
    }
}

/// Goes through all accounts by listing, in the order of their ids. Memory holds one page.
struct AccountFolders: Sendable {
    let store: any ObjectStore

    func forEach(_ act: (AccountFolder) async throws(AccountError) -> Void) async throws(AccountError) {
        var after: String?
        var current: AccountFolder?
        while true {
            let from = after
            let page = try await AccountError.storing { () throws(ObjectStoreError) in
                try await store.list(prefix: StorageLayout.accounts, after: from, limit: 1000)
            }
            for object in page.objects {
                let key = object.key.description
                guard let user = UserID(String(key.dropFirst(StorageLayout.accounts.count).prefix { $0 != "/" })) else {
                    continue
                }
                if let finished = current, finished.user != user { try await act(finished) }
                if current?.user != user { current = AccountFolder(user: user) }
                current?.note(object)
            }
            guard page.isTruncated, let last = page.objects.last else { break }
            after = last.key.description
        }
        if let current { try await act(current) }
    }
}
