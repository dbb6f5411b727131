import Foundation
import GRDB
import GRDBSQLite
import NIOCore
import ObjectStorage
import Synchronization
import Testing

@testable import DirectoryStorage

@Suite("Writing connection")
struct WriterTests {
    private func withWriters(_ count: Int, _ body: ([DatabaseQueue], String) throws -> Void) async throws {
        try await DirectoryFixture.with { fixture in
            try FileManager.default.createDirectory(atPath: fixture.folder, withIntermediateDirectories: true)
            let path = fixture.path(ObjectIndex.fileName)
            let writers = try (0..<count).map { _ in try ObjectIndexSchema.openWriter(path, .users) }
            try body(writers, path)
            for writer in writers { try writer.close() }
        }
    }

    @Test("the connection gathers its log and has the required settings")
    func settings() async throws {
        try await withWriters(1) { writers, _ in
            try writers[0].writeWithoutTransaction { db in
                var vfs: UnsafeMutablePointer<sqlite3_vfs>?
                #expect(sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_VFS_POINTER, &vfs) == SQLITE_OK)
                #expect(vfs.map { String(cString: $0.pointee.zName) } == "photolala-gathered-log")
                try #expect(Int.fetchOne(db, sql: "PRAGMA synchronous") == 2)
                try #expect(Int.fetchOne(db, sql: "PRAGMA cache_spill") == 0)
                try #expect(String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal")
            }
        }
    }

    /// The sizes are close to the cache's: SQLite would write the first pages to the log before a commit.
    @Test(
        "a large rollback leaves no trace in later writes of another connection", arguments: [true, false],
        [6500, 6600, 6650, 6700, 6720, 6740, 6760, 6780, 6800, 6850, 6900, 7000])
    func rollback(isClosedLast: Bool, kibibytes: Int) async throws {
        try await withWriters(2) { writers, path in
            // A truncated log: nothing is read from it during the rollback.
            try writers[0].writeWithoutTransaction { db in
                try db.checkpoint(.truncate)
                try db.inTransaction(.immediate) {
                    for number in 0..<kibibytes / 10 { try insert(db, "large/\(number)", bytes: 10 << 10) }
                    return .rollback
                }
            }
            for number in 0..<40 {
                try writers[1].writeWithoutTransaction { db in
                    try db.inTransaction(.immediate) {
                        try insert(db, "small/\(number)", bytes: 200)
                        return .commit
                    }
                }
            }
            if isClosedLast {
                try writers[0].close()
            } else {
                try writers[0].writeWithoutTransaction { try insert($0, "last", bytes: 200) }
            }
            let reader = try DatabaseQueue(path: path, configuration: ObjectIndexSchema.readerConfiguration)
            try reader.read { db in
                try #expect(String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
                try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM objects") == (isClosedLast ? 40 : 41))
            }
            try reader.close()
        }
    }

    @Test("changes are committed together up to 8 MiB, and larger ones alone")
    func batches() async throws {
        try await withWriters(1) { writers, path in
            let lane = GroupCommitQueue(writers[0], at: path)
            let commits = Commits()
            writers[0].add(transactionObserver: commits, extent: .databaseLifetime)
            for (sizes, expected) in [
                (Array(repeating: 1 << 20, count: 20), 3), ([1, 8 << 20, 1], 3), ([(8 << 20) + 1, 1], 2),
                (Array(repeating: 10, count: 600), 2),
            ] {
                let before = commits.count.load(ordering: .relaxed)
                // Wait for earlier changes, and start only when all changes are submitted.
                writers[0].writeWithoutTransaction { _ in }
                let (ready, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                writers[0].asyncWriteWithoutTransaction { _ in ready.wait() }
                for (number, size) in sizes.enumerated() {
                    let key = ObjectKey(known: "accounts/\(before)-\(number)")
                    lane.submit(.put(key, row(size), if: .absent)) { response in
                        #expect(response == .success(true))
                        done.signal()
                    }
                }
                ready.signal()
                for _ in sizes { done.wait() }
                #expect(commits.count.load(ordering: .relaxed) - before == expected)
            }
        }
    }

    private func row(_ size: Int) -> ObjectRow {
        let bytes = ByteBuffer(repeating: 1, count: size)
        let info = ObjectInfo(
            etag: RowBytes.etag(of: bytes), size: Int64(size), lastModified: Date(timeIntervalSince1970: 0),
            attributes: [:]
        )
        return ObjectRow(info: info, location: .row(bytes))
    }

    private func insert(_ db: Database, _ key: String, bytes: Int) throws {
        #expect(try RowChange.put(ObjectKey(known: key), row(bytes), if: .absent).apply(db) == .success(true))
    }
}

private final class Commits: TransactionObserver, Sendable {
    let count = Atomic<Int>(0)

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) { count.add(1, ordering: .relaxed) }
    func databaseDidRollback(_ db: Database) {}
}
