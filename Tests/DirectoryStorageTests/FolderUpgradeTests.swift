import Foundation
import GRDB
import NIOCore
import ObjectStorage
import Testing

@testable import DirectoryStorage

/// Upgrades a folder with one database to two.
@Suite struct FolderUpgradeTests {
    private let user = "0b5e7b6c-32f4-4a52-9a43-0c5f2a3b4c5d"
    private var keys: [String] {
        (0..<700).map { "identities/apple/\($0)" } + [
            "accounts/\(user)/account.json", "service/store.json", "photos/\(user)/0.dat",
            "users/\(user)/profile.json", "service/uploads/\(user)/1/00001.part",
        ]
    }
    private var prefixes: [String] { PrefixTotals.kinds.map { "\($0)\(user)/" } }

    /// Runs a test with a folder of an earlier format and its totals.
    private func withEarlierFormat(
        _ format: Int = 2, _ body: (DirectoryFixture, [String: ObjectTotals]) async throws -> Void
    ) async throws {
        try await DirectoryFixture.with { fixture in
            var totals: [String: ObjectTotals] = [:]
            try await fixture.withStore { store in
                for key in keys { try await store.put(ObjectKey(known: key), ByteBuffer(string: key), if: .absent) }
                let attributes = ["content-type": "image/jpeg"]
                try await store.write(
                    ObjectKey(known: "photos/\(user)/1.dat"), ObjectBody(ByteBuffer(string: "a photo")),
                    attributes: attributes, if: .absent)
                totals = try await store.totals(below: prefixes)
            }
            try fixture.downgrade(to: format)
            try await body(fixture, totals)
        }
    }

    private func expectAll(_ fixture: DirectoryFixture, _ totals: [String: ObjectTotals]) async throws {
        try await fixture.withStore { store in
            for key in keys {
                try await expect(store.get(ObjectKey(known: key)).map { String(buffer: $0.bytes) }, is: key)
            }
            let photo = try await store.head(ObjectKey(known: "photos/\(user)/1.dat"))
            #expect(photo?.attributes == ["content-type": "image/jpeg"])
            try await expect(store.totals(below: prefixes), is: totals)
            #expect(try await store.databaseFindings(isDeep: true).isEmpty)
            let names = try fixture.files().filter { $0.hasSuffix(".new") }
            #expect(names.isEmpty)
        }
    }

    @Test("an upgrade keeps every object, attribute and total", arguments: [1, 2])
    func upgrades(format: Int) async throws {
        try await withEarlierFormat(format) { fixture, totals in
            try await expectAll(fixture, totals)
            try await expectAll(fixture, totals)
        }
    }

    @Test("the leftover files of an interrupted upgrade are replaced")
    func stoppedBefore() async throws {
        try await withEarlierFormat { fixture, totals in
            for name in ["photolala.sqlite.new", "photolala.sqlite.users.new", "photolala.sqlite.users.new-wal"] {
                try Data("left over".utf8).write(to: URL(fileURLWithPath: fixture.path(name)))
            }
            try await expectAll(fixture, totals)
        }
    }

    @Test("an upgrade interrupted between its two steps is completed")
    func stoppedBetween() async throws {
        try await withEarlierFormat { fixture, totals in
            try await fixture.withStore { _ in }
            for name in DatabaseKind.allCases.map({ "\($0.fileName).mark" }) {
                try FileManager.default.removeItem(atPath: fixture.path(name))
            }
            try FileManager.default.moveItem(
                atPath: fixture.path("photolala.sqlite.users"), toPath: fixture.path("photolala.sqlite.users.new"))
            try await expectAll(fixture, totals)
        }
    }

    @Test("an upgrade fails while another process has the folder open")
    func besideOthers() async throws {
        try await withEarlierFormat { fixture, totals in
            let owner = fixture.path(".incoming/\(String(repeating: "ab", count: 16))")
            try FileManager.default.createDirectory(atPath: owner, withIntermediateDirectories: true)
            let lock = try OpenFile.writing("\(owner)/lock")
            #expect(lock.tryLock())
            let error = await fixture.openingFailure()
            guard case .unavailable(let text) = error else {
                Issue.record("expected unavailable, got \(String(describing: error))")
                return
            }
            #expect(text.contains("Stop all processes"))
            #expect(!fixture.exists("photolala.sqlite.users"))
            try FileManager.default.removeItem(atPath: owner)
            withExtendedLifetime(lock) {}
            try await expectAll(fixture, totals)
        }
    }

    /// Returns the root page of the key index.
    private static func indexPage(_ fixture: DirectoryFixture) throws -> Int? {
        let database = try DatabaseQueue(path: fixture.path("photolala.sqlite"))
        let page = try database.read { db in
            try Int.fetchOne(
                db, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_objects_1'")
        }
        try database.close()
        return page
    }

    @Test("a database with a damaged index is not upgraded and stays unchanged")
    func damaged() async throws {
        try await withEarlierFormat { fixture, _ in
            let page = try #require(try Self.indexPage(fixture))
            // The last cell of the page: a key.
            try fixture.flip("photolala.sqlite", at: page * 2048 - 3, bit: 4)
            let before = try Data(contentsOf: URL(fileURLWithPath: fixture.path("photolala.sqlite")))
            let error = await fixture.openingFailure()
            guard case .corrupted = error else {
                Issue.record("expected corrupted, got \(String(describing: error))")
                return
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.path("photolala.sqlite"))) == before)
            #expect(!fixture.exists("photolala.sqlite.users"))
        }
    }

    @Test("an old database beside a new users' database is rejected as a mix of two backups")
    func twoBackups() async throws {
        try await withEarlierFormat { fixture, _ in
            try FileManager.default.copyItem(
                atPath: fixture.path("photolala.sqlite"), toPath: fixture.path("photolala.sqlite.users"))
            let error = await fixture.openingFailure()
            guard case .corrupted(let text) = error else {
                Issue.record("expected corrupted, got \(String(describing: error))")
                return
            }
            #expect(text.contains("different backups"))
        }
    }

    private static func open(_ fixture: DirectoryFixture, mayUpgrade: Bool) async throws(ObjectStoreError) {
        let store = try await DirectoryObjectStore.open(
            at: URL(fileURLWithPath: fixture.folder), now: { Date(timeIntervalSince1970: 1_700_000_000) },
            randomness: .system, logger: DirectoryFixture.logger, reserve: StorageReserve(bytes: 0),
            mayUpgrade: mayUpgrade)
        try await store.close()
    }

    @Test("a read-only command does not upgrade the folder")
    func readingOnly() async throws {
        try await withEarlierFormat { fixture, totals in
            let before = try Data(contentsOf: URL(fileURLWithPath: fixture.path("photolala.sqlite")))
            let error = await failure { () throws(ObjectStoreError) in try await Self.open(fixture, mayUpgrade: false) }
            guard case .denied(let text) = error else {
                Issue.record("expected denied, got \(String(describing: error))")
                return
            }
            #expect(text.contains("has format 2. To upgrade it, copy the folder and start the server once"))
            #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.path("photolala.sqlite"))) == before)
            #expect(!fixture.exists("photolala.sqlite.users"))
            try await expectAll(fixture, totals)
            try await Self.open(fixture, mayUpgrade: false)
        }
    }

    @Test("an old folder whose format is only in its log is reported as old, not as damaged")
    func formatInLog() async throws {
        try await DirectoryFixture.with { fixture in
            try FileManager.default.createDirectory(atPath: fixture.folder, withIntermediateDirectories: true)
            let old = try DirectoryFixture.make(
                fixture.path("old"),
                "PRAGMA page_size = 2048; PRAGMA journal_mode = WAL; CREATE TABLE objects (key BLOB); PRAGMA user_version = 2"
            )
            for (name, copy) in [("old", "photolala.sqlite"), ("old-wal", "photolala.sqlite-wal")] {
                try FileManager.default.copyItem(atPath: fixture.path(name), toPath: fixture.path(copy))
            }
            try old.close()
            let error = await failure { () async throws(ObjectStoreError) in
                do {
                    return try await fixture.openForReading()
                } catch {
                    throw error as? ObjectStoreError ?? .conflict
                }
            }
            guard case .denied(let text) = error else {
                Issue.record("expected denied, got \(String(describing: error))")
                return
            }
            #expect(text.contains("has format 1 or 2"))
        }
    }

    @Test("a folder opened for reading is not upgraded, and the error states its format")
    func readOnly() async throws {
        try await withEarlierFormat { fixture, _ in
            let error = await failure { () async throws(ObjectStoreError) in
                do {
                    return try await fixture.openForReading()
                } catch {
                    throw error as? ObjectStoreError ?? .conflict
                }
            }
            guard case .denied(let text) = error else {
                Issue.record("expected denied, got \(String(describing: error))")
                return
            }
            #expect(text.contains("format 2"))
        }
    }
}
