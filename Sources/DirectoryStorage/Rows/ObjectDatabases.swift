import Foundation
import Logging
import ObjectStorage

/// Both databases of a data folder, with one order of keys.
struct ObjectDatabases: Sendable {
    let accounts: ObjectIndex
    let users: ObjectIndex
    private let marks: [CommitMark]

    var all: [ObjectIndex] { [accounts, users] }

    /// Opens both, and makes them in a new folder. Blocks; call it under the opening lock.
    /// - Parameter mayLackAccounts: an operator recovers the accounts beside photos that are there.
    /// - Throws: `corrupted` where one of them is missing or without tables beside the other, has lost commits, or is older
    ///   than the other one.
    init(
        root: String, mayLackAccounts: Bool, _ dependencies: ObjectIndex.Dependencies
    ) throws(ObjectStoreError) {
        let marks = CommitMark.both(in: root, logger: dependencies.logger)
        let state = try FolderState(root: root, marks: marks)
        // A file without tables is what a lost write-ahead log leaves of a database that never was copied from it.
        if state.accounts.hasTables, !state.users.hasTables { throw Self.missing(.users, in: root) }
        let isRecovered = mayLackAccounts && !state.accounts.hasTables
        if !state.accounts.hasTables, !isRecovered, !state.users.isEmpty { throw Self.missing(.accounts, in: root) }
        try state.checkEachOther(isRecovered ? [.users] : DatabaseKind.allCases)
        state.warnOfMissingMarks(marks, dependencies.logger)
        // The users' database is created first: without it there are no accounts. Its mark then records no commit of
        // recovered accounts before they have one.
        users = try ObjectIndex(.users, state, marks, dependencies)
        accounts = try ObjectIndex(.accounts, state, marks, dependencies)
        self.marks = Array(marks.values)
    }

    /// Opens both databases for reading; nothing in the folder is created or changed.
    /// - Parameter mayLackAccounts: A missing accounts database reads as empty, and so does the users' database if
    ///   both are missing.
    init(
        reading root: String, mayLackAccounts: Bool, health: StoreHealth, logger: Logger
    ) throws(ObjectStoreError) {
        let found = DatabaseKind.allCases.filter { ObjectIndex.size(ObjectIndex.path(root, $0)) > 0 }
        for kind in DatabaseKind.allCases where !found.contains(kind) {
            guard mayLackAccounts, !found.contains(.accounts) else { throw Self.missing(kind, in: root) }
        }
        let marks = CommitMark.both(in: root, logger: logger)
        let state = try FolderState(root: root, marks: marks, isReadOnly: true)
        try state.checkEachOther(found)
        func open(_ kind: DatabaseKind) throws(ObjectStoreError) -> ObjectIndex {
            found.contains(kind)
                ? try ObjectIndex(reading: root, kind: kind, health: health)
                : try ObjectIndex(emptyIn: root, kind: kind, health: health)
        }
        accounts = try open(.accounts)
        users = try open(.users)
        self.marks = Array(marks.values)
    }

    /// The paths of marks that are missing: lost commits of their databases would not show.
    var missingMarks: [String] { marks.filter { !$0.exists }.map(\.path).sorted() }

    /// Whether there are users' objects and no object of the accounts. Each account and the service itself has some, so
    /// the accounts were lost.
    func lackAccountsBlocking() throws(ObjectStoreError) -> Bool {
        guard try accounts.isEmptyBlocking() else { return false }
        return try !users.isEmptyBlocking()
    }

    subscript(_ key: ObjectKey) -> ObjectIndex { self[DatabaseKind(key)] }

    private subscript(_ kind: DatabaseKind) -> ObjectIndex { kind == .accounts ? accounts : users }

    /// Returns a page of a listing. A prefix that both databases may hold costs one read of each.
    func page(prefix: String, after: String?, limit: Int) async throws(ObjectStoreError) -> ObjectPage {
        var pages: [ObjectPage] = []
        for kind in DatabaseKind.holding(prefix: prefix) {
            pages.append(try await self[kind].page(prefix: prefix, after: after, limit: limit))
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
        // Closes both, even if the first fails.
        let closings = all.map { index in Result { () throws(ObjectStoreError) in try index.close() } }
        for closing in closings { try closing.get() }
    }

    private static func missing(_ kind: DatabaseKind, in root: String) -> ObjectStoreError {
        let path = ObjectIndex.path(root, kind)
        return .corrupted(
            ObjectIndex.size(path) == 0
                ? "\(path) is missing or empty, but the folder's other database exists"
                : "\(path) has no tables, but the folder's other database exists: its write-ahead log was lost")
    }
}
