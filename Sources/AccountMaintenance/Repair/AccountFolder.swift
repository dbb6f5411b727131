import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI

/// What a listing shows about one account.
struct AccountFolder: Sendable {
    let user: UserID
    /// When its document was last written; `nil` if there is none.
    var documentWrittenAt: Date?
    var hasDevices = false
    /// The first entry is written once the binding exists, so an account with an entry was finished, even if other
    /// objects are missing.
    var hasAuditEntries = false
    /// The highest sequence of an audit entry.
    var lastAuditEntry: Int?
    /// The first few objects under the audit log's prefix whose keys are not those of entries.
    var strayAuditEntries: [ObjectKey] = []

    /// Adds one object of the account.
    mutating func add(_ object: ListedObject) {
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

/// All accounts from a listing, in the order of their ids.
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
            current?.add(object)
            if let finished { return finished }
        }
        defer { current = nil }
        return current
    }
}
