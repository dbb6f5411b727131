import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import DirectoryStorage

/// Data that users can grow is separate from the accounts.
@Suite struct TwoDatabasesTests {
    private let user = "0b5e7b6c-32f4-4a52-9a43-0c5f2a3b4c5d"

    private func put(_ keys: [String], _ store: DirectoryObjectStore) async throws {
        for key in keys { try await store.put(ObjectKey(known: key), ByteBuffer(string: key), if: .always) }
    }

    @Test(
        "the accounts database holds accounts, identities and the service's objects",
        arguments: ["identities/apple/x", "accounts/u/account.json", "service/store.json", "service/uploadsx"])
    func ofAccounts(_ key: String) { #expect(DatabaseKind(ObjectKey(known: key)) == .accounts) }

    @Test(
        "the users' database holds data that users can grow",
        arguments: [
            "photos/u/0.dat", "thumbnails/u/0.jpg", "catalogs/u/.photolala.md5", "users/u/profile.json",
            "service/uploads/u/1/upload.json", "identitiesx/y", "x",
        ])
    func ofUsers(_ key: String) { #expect(DatabaseKind(ObjectKey(known: key)) == .users) }

    @Test("every prefix of a key selects the database that holds the key")
    func prefixes() {
        for key in [
            "identities/apple/x", "accounts/u/a", "service/store.json", "service/uploads/u/1", "service/uploadsx/y",
            "service/uploads", "photos/u/0.dat", "users/u/profile.json", "catalogs/u/x",
        ] {
            for end in key.indices {
                let kinds = DatabaseKind.holding(prefix: String(key[..<end]))
                #expect(kinds.contains(DatabaseKind(ObjectKey(known: key))), "\(key[..<end])")
            }
        }
        #expect(DatabaseKind.holding(prefix: "accounts/") == [.accounts])
        #expect(DatabaseKind.holding(prefix: StorageLayout.uploads) == [.users])
    }

    @Test("a listing across both databases is in key order on every page")
    func merges() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { store in
                let keys =
                    (0..<9).flatMap { number in
                        [
                            "accounts/\(number)", "photos/u/\(number)", "service/t/\(number)",
                            "service/uploads/u/\(number)",
                        ]
                    } + ["service/z", "users/u/profile.json", "identities/a/b"]
                try await put(keys, store)
                for (prefix, limit) in [("", 4), ("s", 5), ("service/", 3), ("service/u", 2), ("accounts/", 4)] {
                    var (found, after): ([String], String?) = ([], nil)
                    while true {
                        let page = try await store.list(prefix: prefix, after: after, limit: limit)
                        #expect(page.objects.count <= limit)
                        found += page.objects.map(\.key.description)
                        after = found.last
                        guard page.isTruncated else { break }
                        #expect(page.objects.count == limit)
                    }
                    #expect(found == keys.filter { $0.hasPrefix(prefix) }.sorted(), "\(prefix)")
                }
            }
        }
    }

    @Test("a user's objects do not grow the accounts database")
    func growth() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { try await put(["accounts/1"], $0) }
            let before = fixture.size("photolala.sqlite")
            try await fixture.withStore { store in
                for number in 0..<300 { try await put(["photos/u/\(number)", "users/\(number)/profile.json"], store) }
            }
            #expect(fixture.size("photolala.sqlite") == before)
            #expect(fixture.size("photolala.sqlite.users") > 20_000)
        }
    }

    @Test("a missing database is an error, and the accounts database is created again only for a recovery")
    func missing() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { try await put(["accounts/1", "photos/u/1"], $0) }
            try fixture.saveDatabases(to: "saved")
            for name in ["photolala.sqlite.users", "photolala.sqlite"] {
                for leftMark in [true, false] {
                    try fixture.restoreDatabases(from: "saved")
                    try FileManager.default.removeItem(atPath: fixture.path(name))
                    if !leftMark { try FileManager.default.removeItem(atPath: fixture.path("\(name).mark")) }
                    let error = await fixture.openingFailure()
                    guard case .corrupted = error else {
                        Issue.record("expected corrupted, got \(String(describing: error)) without \(name)")
                        continue
                    }
                    #expect(!fixture.exists(name), "no file replaces it")
                }
            }
            let store = try await fixture.open(mayLackAccounts: true)
            try await expect(
                store.get(ObjectKey(known: "photos/u/1")).map { String(buffer: $0.bytes) }, is: "photos/u/1")
            try await expect(store.head(ObjectKey(known: "accounts/1")), is: nil)
            try await store.close()
        }
    }

    @Test("a database without log, mark and tables is an error if the other one has objects", arguments: [true, false])
    func withoutTables(ofAccounts: Bool) async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { try await put(["accounts/1", "photos/u/1"], $0) }
            let name = (ofAccounts ? DatabaseKind.accounts : .users).fileName
            for ending in ["", ".mark"] { try FileManager.default.removeItem(atPath: fixture.path("\(name)\(ending)")) }
            let location = try BufferedLogVFS.location(fixture.path(name))
            try DirectoryFixture.make(location, "PRAGMA page_size = 2048; PRAGMA journal_mode = WAL").close()
            #expect(fixture.size(name) > 0)
            let error = await fixture.openingFailure()
            guard case .corrupted(let text) = error, text.contains("\(name) has no tables") else {
                Issue.record("expected corrupted, got \(String(describing: error)) without tables in \(name)")
                return
            }
        }
    }

    @Test("a new database file has its tables without its log")
    func tablesWithoutLog() async throws {
        try await DirectoryFixture.with { fixture in
            let store = try await fixture.open()
            try fixture.saveDatabases(to: "saved")
            try await store.close()
            for kind in DatabaseKind.allCases {
                try FileManager.default.removeItem(atPath: fixture.path("saved/\(kind.fileName)-wal"))
            }
            try fixture.restoreDatabases(from: "saved")
            for kind in DatabaseKind.allCases {
                #expect(try DatabaseState(reading: fixture.path(kind.fileName)).hasTables)
            }
        }
    }

    @Test("an empty accounts database beside users' objects is detected, and a recovery can continue")
    func emptyAccounts() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { store in
                #expect(try await !store.lacksAccounts(), "a new store")
                try await put(["accounts/1", "photos/u/1"], store)
                #expect(try await !store.lacksAccounts())
            }
            for ending in ["", ".mark"] {
                try FileManager.default.removeItem(atPath: fixture.path("photolala.sqlite\(ending)"))
            }
            let names = try fixture.files()
            let check = try await fixture.openForReading(mayLackAccounts: true)
            #expect(try await check.lacksAccounts())
            try await expect(check.list(prefix: "", after: nil, limit: 9).objects.count, is: 1)
            try await check.close()
            #expect(try fixture.files() == names, "a check creates no file")
            for _ in 0..<2 {
                let store = try await fixture.open(mayLackAccounts: true)
                #expect(try await store.lacksAccounts(), "a recovery that ended early")
                try await store.close()
            }
            let store = try await fixture.open(mayLackAccounts: true)
            try await put(["accounts/1"], store)
            #expect(try await !store.lacksAccounts())
            try await store.close()
        }
    }

    @Test(
        "a backup on a read-only disk is denied and names the folder",
        .enabled(if: MountedDisk.canBeMade, "needs root on Linux to mount a disk"))
    func backupWithoutPermission() async throws {
        try await DirectoryFixture.with { fixture in
            try await DirectoryFixture.with { target in
                try await fixture.withStore { store in
                    let view = "\(target.folder)-view"
                    try FileManager.default.createDirectory(
                        atPath: target.folder, withIntermediateDirectories: true)
                    try await MountedDisk.withReadOnlyView(of: target.folder, at: view) {
                        let error = await failure { () throws(ObjectStoreError) in
                            try await store.backUpDatabases(to: "\(view)/backup")
                        }
                        #expect(error == .denied("no permission to create the folder \(view)/backup"))
                    }
                }
            }
        }
    }

    @Test("a backup of a store in use has checksums and a mark, and replaces no files")
    func backup() async throws {
        try await DirectoryFixture.with { fixture in
            try await DirectoryFixture.with { copy in
                try await fixture.withStore { store in
                    let keys = (0..<50).map { "accounts/\($0)" } + ["users/u/profile.json"]
                    try await put(keys, store)
                    try await store.backUpDatabases(to: copy.folder)
                    try await put(["accounts/later"], store)
                    let error = await failure { () throws(ObjectStoreError) in
                        try await store.backUpDatabases(to: copy.folder)
                    }
                    guard case .denied = error else {
                        Issue.record("expected denied, got \(String(describing: error))")
                        return
                    }
                    let file = copy.path("photolala.sqlite")
                    let refused = await failure { () throws(ObjectStoreError) in
                        try await store.backUpDatabases(to: file)
                    }
                    #expect(refused == .denied("\(file) is a file. Use another folder"))
                    let mark = CommitMark(of: file, logger: DirectoryFixture.logger)
                    #expect(try mark.read() == .init(commits: 50, other: 1))
                    try await copy.withStore { other in
                        for key in keys {
                            try await expect(other.get(ObjectKey(known: key)).map { String(buffer: $0.bytes) }, is: key)
                        }
                        try await expect(other.head(ObjectKey(known: "accounts/later")), is: nil)
                        #expect(try await other.databaseFindings(isDeep: true).isEmpty)
                    }
                }
            }
        }
    }
}
