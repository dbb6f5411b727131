import Foundation
import Logging
import ObjectStorage

/// Both databases of a data folder, as one order of keys.
struct ObjectDatabases: Sendable {
    let accounts: ObjectIndex
    let users: ObjectIndex

    var all: [ObjectIndex] { [accounts, users] }

    /// Opens both, and makes them in a new folder. Blocks; call it under the opening lock.
    /// - Parameter mayLackAccounts: an operator recovers the accounts beside photos that are there.
    /// - Throws: `corrupted` where one of them is missing or without tables beside the other, or has lost commits.
    init(
        root: String, mayLackAccounts: Bool, _ surroundings: ObjectIndex.Surroundings
    ) throws(ObjectStoreError) {
        // A file without tables is what a lost write-ahead log leaves of a database that never was copied from it.
        let hasAccounts = try ObjectIndex.hasTables(root, .accounts, surroundings.logger)
        if hasAccounts, try !ObjectIndex.hasTables(root, .users, surroundings.logger) {
            throw Self.missing(.users, in: root)
        }
        // The users' database is made first: without it there are no accounts.
        users = try ObjectIndex(root: root, kind: .users, surroundings)
        if !hasAccounts, !mayLackAccounts, try !users.isEmptyBlocking() {
            throw Self.missing(.accounts, in: root)
        }
        accounts = try ObjectIndex(root: root, kind: .accounts, surroundings)
    }

    /// Opens both for reading; nothing is made or changed in the folder.
    /// - Parameter mayLackAccounts: a database of accounts that is missing reads as one without objects, and so does that
    ///   of users where both are missing.
    init(
        reading root: String, mayLackAccounts: Bool, health: StoreHealth, logger: Logger
    ) throws(ObjectStoreError) {
        let found = DatabaseKind.allCases.filter { ObjectIndex.size(ObjectIndex.path(root, $0)) > 0 }
        func open(_ kind: DatabaseKind) throws(ObjectStoreError) -> ObjectIndex {
            if found.contains(kind) {
                return try ObjectIndex(reading: root, kind: kind, health: health, logger: logger)
            }
            guard mayLackAccounts, !found.contains(.accounts) else { throw Self.missing(kind, in: root) }
            return try ObjectIndex(emptyIn: root, kind: kind, health: health)
        }
        accounts = try open(.accounts)
        users = try open(.users)
    }

    /// Whether there are users' objects and no object of the accounts. Each account and the service itself has some, so
    /// the accounts were lost.
    func lackAccountsBlocking() throws(ObjectStoreError) -> Bool {
        guard try accounts.isEmptyBlocking() else { return false }
        return try !users.isEmptyBlocking()
    }

    subscript(_ key: ObjectKey) -> ObjectIndex { self[DatabaseKind(key)] }

    private subscript(_ kind: DatabaseKind) -> ObjectIndex { kind == .accounts ? accounts : users }

    /// A page of a listing. Prefixes that both may hold cost a read of each.
    func page(prefix: String, after: String?, limit: Int) async throws(ObjectStoreError) -> ObjectPage {
        let range = KeyRange(prefix: prefix, after: after)
        var pages: [ObjectPage] = []
        for kind in DatabaseKind.holding(prefix: prefix) {
            pages.append(try await self[kind].page(from: range.lower, to: range.upper, limit: limit))
        }
        guard pages.count > 1 else { return pages[0] }
        let objects = pages.flatMap(\.objects).sorted {
            $0.key.description.utf8.lexicographicallyPrecedes($1.key.description.utf8)
        }
        return ObjectPage(
            objects: Array(objects.prefix(limit)),
            isTruncated: objects.count > limit || pages.contains { $0.isTruncated })
    }

    func close() throws(ObjectStoreError) {
        // Both are closed, whatever the first says.
        let closings = all.map { index in Result { () throws(ObjectStoreError) in try index.close() } }
        for closing in closings { try closing.get() }
    }

    private static func missing(_ kind: DatabaseKind, in root: String) -> ObjectStoreError {
        let path = ObjectIndex.path(root, kind)
        return .corrupted(
            ObjectIndex.size(path) == 0
                ? "\(path) is missing or empty beside the other database of the folder"
                : "\(path) has no tables beside the other database of the folder: its write-ahead log was lost")
    }
}
