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
    /// - Throws: `corrupted` where one of them is missing beside the other, or has lost commits.
    init(
        root: String, mayLackAccounts: Bool, _ surroundings: ObjectIndex.Surroundings
    ) throws(ObjectStoreError) {
        let hasAccounts = ObjectIndex.size(ObjectIndex.path(root, .accounts)) > 0
        if hasAccounts, ObjectIndex.size(ObjectIndex.path(root, .users)) == 0 {
            throw Self.missing(.users, in: root)
        }
        // The users' database is made first: without it there are no accounts.
        users = try ObjectIndex(root: root, kind: .users, surroundings)
        if !hasAccounts, !mayLackAccounts, try !users.isEmptyBlocking() {
            throw Self.missing(.accounts, in: root)
        }
        accounts = try ObjectIndex(root: root, kind: .accounts, surroundings)
    }

    /// Opens both in a folder that cannot be written to.
    init(reading root: String, health: StoreHealth, logger: Logger) throws(ObjectStoreError) {
        for kind in DatabaseKind.allCases where ObjectIndex.size(ObjectIndex.path(root, kind)) == 0 {
            throw Self.missing(kind, in: root)
        }
        accounts = try ObjectIndex(reading: root, kind: .accounts, health: health, logger: logger)
        users = try ObjectIndex(reading: root, kind: .users, health: health, logger: logger)
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
        .corrupted("\(root)/\(kind.fileName) is missing or empty beside the other database of the folder")
    }
}
