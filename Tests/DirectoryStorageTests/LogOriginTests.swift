import Foundation
import GRDB
import NIOCore
import ObjectStorage
import Testing

@testable import DirectoryStorage

/// A database file and a log of two moments are damage; what a stop at any moment leaves is not.
@Suite struct LogOriginTests {
    private func put(_ numbers: Range<Int>, _ store: DirectoryObjectStore) async throws {
        for number in numbers {
            for prefix in ["accounts", "users"] {
                let key = "\(prefix)/\(number)/profile.json"
                try await store.put(ObjectKey(known: key), ByteBuffer(string: key), if: .always)
            }
        }
    }

    private func expectAll(_ numbers: Range<Int>, _ fixture: DirectoryFixture, _ what: String) async throws {
        do {
            try await fixture.withStore { store in
                for number in numbers {
                    for prefix in ["accounts", "users"] {
                        let key = "\(prefix)/\(number)/profile.json"
                        let found = try await store.get(ObjectKey(known: key)).map { String(buffer: $0.bytes) }
                        #expect(found == key, "\(what)")
                    }
                }
            }
        } catch {
            Issue.record("\(what): \(error)")
        }
    }

    private func expectCorrupted(
        _ error: ObjectStoreError?, _ words: String, at location: SourceLocation = #_sourceLocation
    ) {
        guard case .corrupted(let text) = error, text.contains(words) else {
            Issue.record("\(String(describing: error)) does not say \(words)", sourceLocation: location)
            return
        }
    }

    private func readingFailure(_ fixture: DirectoryFixture) async -> ObjectStoreError? {
        do {
            try await fixture.openForReading().close()
            return nil
        } catch {
            return error as? ObjectStoreError
        }
    }

    private func replace(_ name: String, from saved: String, in fixture: DirectoryFixture) throws {
        try FileManager.default.removeItem(atPath: fixture.path(name))
        try FileManager.default.copyItem(atPath: fixture.path("\(saved)/\(name)"), toPath: fixture.path(name))
    }

    @Test(
        "an old database file beside a newer log is refused, and so is a new one beside an older log",
        arguments: DatabaseKind.allCases)
    func otherFile(_ kind: DatabaseKind) async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { try await put(0..<10, $0) }
            try fixture.saveDatabases(to: "yesterday")
            try await fixture.withStore { try await put(10..<20, $0) }
            let store = try await fixture.open()
            try await put(20..<30, store)
            try fixture.saveDatabases(to: "today")
            try await put(30..<40, store)
            try await store.close()
            try fixture.saveDatabases(to: "later")
            for (saved, words) in [
                // SQLite itself refuses a file that is larger than its log knows, in words of its own.
                ("yesterday", "is older than its write-ahead log"),
                ("later", kind == .accounts ? kind.fileName : "log is older than its database"),
            ] {
                try fixture.restoreDatabases(from: "today")
                try replace(kind.fileName, from: saved, in: fixture)
                let log = try Data(contentsOf: URL(fileURLWithPath: fixture.path("\(kind.fileName)-wal")))
                expectCorrupted(await readingFailure(fixture), words)
                expectCorrupted(await fixture.openingFailure(), words)
                #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.path("\(kind.fileName)-wal"))) == log)
            }
            try fixture.restoreDatabases(from: "today")
            try await expectAll(0..<30, fixture, "of one moment")
        }
    }

    @Test("an empty database file beside a log that does not begin with it is refused")
    func emptyFile() async throws {
        try await DirectoryFixture.with { fixture in
            let location = try BufferedLogVFS.location(fixture.path("empty.sqlite"))
            try FileManager.default.createDirectory(atPath: fixture.folder, withIntermediateDirectories: true)
            try DirectoryFixture.make(location, "PRAGMA page_size = 2048; PRAGMA journal_mode = WAL").close()
            try await fixture.withStore { try await put(0..<10, $0) }
            let store = try await fixture.open()
            try await put(0..<300, store)
            try fixture.saveDatabases(to: "today")
            try await store.close()
            try fixture.restoreDatabases(from: "today")
            let name = DatabaseKind.accounts.fileName
            try FileManager.default.removeItem(atPath: fixture.path(name))
            try FileManager.default.copyItem(atPath: fixture.path("empty.sqlite"), toPath: fixture.path(name))
            let error = await fixture.openingFailure()
            guard case .corrupted = error else {
                Issue.record("expected corrupted, got \(String(describing: error))")
                return
            }
        }
    }

    /// Copies the log into the database as far as a reader that began earlier allows.
    private func checkpoint(_ fixture: DirectoryFixture) throws {
        for kind in DatabaseKind.allCases { try fixture.tamper("PRAGMA wal_checkpoint(PASSIVE)", in: kind) }
    }

    /// A reader that holds its snapshot until it is closed.
    private func pin(_ kind: DatabaseKind, _ fixture: DirectoryFixture) throws -> DatabaseQueue {
        var configuration = ObjectIndexSchema.readerConfiguration
        configuration.allowsUnsafeTransactions = true
        let location = try BufferedLogVFS.location(fixture.path(kind.fileName))
        let reader = try DatabaseQueue(path: location, configuration: configuration)
        try reader.unsafeRead { db in
            try db.execute(sql: "BEGIN")
            _ = try CommitCount.read(db)
        }
        return reader
    }

    @Test("after a stop at any commit, a folder opens with all commits, however much of its log was copied")
    func everyCommit() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { try await put(0..<5, $0) }
            let store = try await fixture.open()
            var pinned: [DatabaseQueue] = []
            for number in 0..<40 {
                try await put(number..<number + 1, store)
                if number % 10 == 3 { pinned = try DatabaseKind.allCases.map { try pin($0, fixture) } }
                if number % 3 == 2 { try checkpoint(fixture) }
                if number % 10 == 8 {
                    for reader in pinned { try reader.close() }
                    pinned = []
                }
                try fixture.saveDatabases(to: "after-\(number)")
            }
            for reader in pinned { try reader.close() }
            try await store.close()
            for number in 0..<40 {
                try fixture.restoreDatabases(from: "after-\(number)")
                #expect(await readingFailure(fixture) == nil, "\(number)")
                try await expectAll(0..<number + 1, fixture, "after \(number)")
            }
        }
    }

    @Test("a folder opens after a checkpoint that stopped at or within any page")
    func everyPage() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { try await put(0..<3, $0) }
            let store = try await fixture.open()
            try await put(0..<30, store)
            try fixture.saveDatabases(to: "before")
            try checkpoint(fixture)
            try fixture.saveDatabases(to: "after")
            try await store.close()
            for kind in DatabaseKind.allCases {
                func bytes(_ saved: String) throws -> Data {
                    try Data(contentsOf: URL(fileURLWithPath: fixture.path("\(saved)/\(kind.fileName)")))
                }
                let (before, after) = (try bytes("before"), try bytes("after"))
                #expect(after.count > before.count)
                for end in stride(from: 0, through: after.count, by: ObjectIndexSchema.pageSize / 2) {
                    try fixture.restoreDatabases(from: "after")
                    let mixed = after.prefix(end) + before.dropFirst(end)
                    try mixed.write(to: URL(fileURLWithPath: fixture.path(kind.fileName)))
                    try await expectAll(0..<30, fixture, "\(kind) until \(end)")
                }
            }
        }
    }

    @Test("a log that ends within any frame opens with its database")
    func everyFrame() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { try await put(0..<3, $0) }
            let store = try await fixture.open()
            try await put(3..<12, store)
            try fixture.saveDatabases(to: "saved")
            try await store.close()
            let log = "\(DatabaseKind.accounts.fileName)-wal"
            for length in stride(from: 0, through: fixture.size("saved/\(log)"), by: 700) {
                try fixture.restoreDatabases(from: "saved")
                #expect(truncate(fixture.path(log), off_t(length)) == 0)
                // The marks are not synced: a loss of power can leave earlier ones.
                for kind in DatabaseKind.allCases {
                    try FileManager.default.removeItem(atPath: fixture.path("\(kind.fileName).mark"))
                }
                try await expectAll(0..<3, fixture, "\(length)")
            }
        }
    }

    @Test("a folder opens after a process was killed during commits and checkpoints")
    func killed() async throws {
        try await DirectoryFixture.with { fixture in
            for round in 0..<4 {
                let hammer = try Hammer("write", fixture.folder, "round-\(round)")
                for number in 0..<20 + 10 * round {
                    _ = hammer.line()
                    if number % 5 == 0 { try checkpoint(fixture) }
                }
                hammer.kill()
                _ = try hammer.rest()
                let reading = await readingFailure(fixture)
                #expect(reading == nil)
                let opening = await fixture.openingFailure()
                #expect(opening == nil)
            }
        }
    }
}
