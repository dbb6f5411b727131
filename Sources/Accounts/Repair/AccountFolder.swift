import Foundation
import ObjectStorage
import PhotolalaAPI

/// What a listing tells of one account.
struct AccountFolder: Sendable {
    let user: UserID
    /// When its document was last written; `nil` where there is none.
    var documentWrittenAt: Date?
    var hasDevices = false
    /// The first entry is written once the claim stands, so an account with one was finished, whatever is left of it.
    var hasAuditEntries = false
    /// The highest sequence of an audit entry.
    var lastAuditEntry: Int?
    /// The first few objects among the audit entries whose names are no entry's.
    var strayAuditEntries: [ObjectKey] = []

    /// Notes one object of the account.
    mutating func note(_ object: ListedObject) {
        let key = object.key.description
        if key == StorageLayout.accountDocument(user) { documentWrittenAt = object.lastModified }
        if key.utf8.starts(with: StorageLayout.devices(user).utf8) { hasDevices = true }
        let entries = StorageLayout.audit(user)
        guard key.utf8.starts(with: entries.utf8) else { return }
        hasAuditEntries = true
        if let sequence = Int(key.dropFirst(entries.count)), sequence > 0,
            key == StorageLayout.auditEntry(user, sequence: sequence)
        {
            lastAuditEntry = max(lastAuditEntry ?? 0, sequence)
        } else if strayAuditEntries.count < 10 {
            strayAuditEntries.append(object.key)
        }
    }
}

/// All accounts by listing, in the order of their ids.
struct AccountFolders: RepairItems {
    private var listing: Listing
    private var current: AccountFolder?

    init(_ store: any ObjectStore) { listing = Listing(store, prefix: StorageLayout.accounts) }

    mutating func next() async throws(AccountError) -> AccountFolder? {
        while let object = try await listing.next() {
            let key = object.key.description
            guard let user = UserID(String(key.dropFirst(StorageLayout.accounts.count).prefix { $0 != "/" })) else {
                continue
            }
            let finished = current?.user == user ? nil : current
            if current?.user != user { current = AccountFolder(user: user) }
            current?.note(object)
            if let finished { return finished }
        }
        defer { current = nil }
        return current
    }
}
