import Foundation
import GRDB
import Logging
import Monitoring
import ObjectStorage

/// What a database and its log hold before anything is written to them.
struct DatabaseState {
    /// The state of a database that is not there.
    static let missing = DatabaseState()

    private(set) var hasTables = false
    /// The number of the last commit.
    private(set) var commits: Int64 = 0
    /// Whether there is no object.
    private(set) var isEmpty = true

    private init() {}

    /// - Throws: `corrupted` where the file and the log beside it are of two histories, `denied` for a newer format.
    init(reading path: String, _ access: BufferedLogVFS.Access = .shared) throws {
        let reader = try ObjectIndexSchema.openReader(path, access)
        self = try reader.read { db in
            var state = DatabaseState()
            let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            guard version != 0 else { return state }
            guard version <= ObjectIndexSchema.version else { throw FolderUpgrade.newer(path, version) }
            state.hasTables = true
            state.commits = try CommitCount.read(db)
            // First: rows of two histories cannot be read.
            try LogOrigin.check(db, path, count: state.commits)
            state.isEmpty = try Row.fetchOne(db, sql: "SELECT 1 FROM objects LIMIT 1") == nil
            return state
        }
        try reader.close()
    }
}

/// What both databases of a folder hold, compared with both marks: none may have lost commits or be older than the other one
/// knows it.
struct FolderState {
    let root: String
    let accounts: DatabaseState
    let users: DatabaseState
    private let records: [DatabaseKind: CommitMark.Record]

    /// - Throws: `corrupted` for a database that has lost commits.
    init(root: String, marks: [DatabaseKind: CommitMark], isReadOnly: Bool = false) throws(ObjectStoreError) {
        self.root = root
        // The marks first: another process may commit in between.
        var records: [DatabaseKind: CommitMark.Record] = [:]
        for (kind, mark) in marks { records[kind] = try mark.read() }
        self.records = records
        accounts = try Self.state(of: ObjectIndex.path(root, .accounts), isReadOnly)
        users = try Self.state(of: ObjectIndex.path(root, .users), isReadOnly)
        for kind in DatabaseKind.allCases { try checkOwnMark(kind) }
    }

    subscript(_ kind: DatabaseKind) -> DatabaseState { kind == .accounts ? accounts : users }

    private static func state(of path: String, _ isReadOnly: Bool) throws(ObjectStoreError) -> DatabaseState {
        guard ObjectIndex.size(path) > 0 else { return .missing }
        do {
            return try DatabaseState(reading: path, isReadOnly ? ObjectIndex.readOnlyAccess(path) : .shared)
        } catch {
            throw .database(error, path)
        }
    }

    private func checkOwnMark(_ kind: DatabaseKind) throws(ObjectStoreError) {
        let (path, state) = (ObjectIndex.path(root, kind), self[kind])
        if let known = records[kind]?.commits, known > state.commits {
            throw .corrupted(
                "\(path) ends at commit \(state.commits), but commit \(known) was acknowledged: "
                    + "its write-ahead log was lost or damaged")
        }
        // A mark is made before the tables are, and each store that was started has objects of the service. Users may have none.
        if kind == .accounts, state.hasTables, state.isEmpty, state.commits == 0, records[kind] == nil {
            throw .corrupted("\(path) has no commits and no mark: its write-ahead log and \(path).mark were lost")
        }
    }

    /// Compares each database with what the mark of the other one knows of it.
    /// - Parameter kinds: the databases that were there before.
    /// - Throws: `corrupted` for one that is older.
    func checkEachOther(_ kinds: [DatabaseKind]) throws(ObjectStoreError) {
        for kind in kinds {
            guard let known = records[kind.other]?.other, known > self[kind].commits else { continue }
            let (path, other) = (ObjectIndex.path(root, kind), ObjectIndex.path(root, kind.other))
            throw .corrupted(
                "\(path) ends at commit \(self[kind].commits), but \(other).mark records its commit \(known): "
                    + "the database is older than \(other)")
        }
    }

    func warnOfMissingMarks(_ marks: [DatabaseKind: CommitMark], _ logger: Logger) {
        for (kind, mark) in marks where records[kind] == nil && self[kind].hasTables {
            logger.warning(
                .commitMarkMissing, "commit mark missing: lost commits cannot be detected",
                metadata: ["path": "\(mark.path)"])
        }
    }
}
