import Foundation
import NIOCore
import ObjectStorage
import Testing

@testable import DirectoryStorage

/// Each database's mark knows the other one's commits.
@Suite struct EachOthersCommitsTests {
    private func put(_ numbers: Range<Int>, _ store: DirectoryObjectStore) async throws {
        for number in numbers {
            for key in ["accounts/\(number)", "users/\(number)/profile.json"] {
                try await store.put(ObjectKey(known: key), ByteBuffer(string: key), if: .always)
            }
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

    private func removeMarks(_ world: DirectoryFixture) throws {
        for kind in DatabaseKind.allCases {
            try FileManager.default.removeItem(atPath: world.path("\(kind.fileName).mark"))
        }
    }

    private func mark(_ kind: DatabaseKind, _ world: DirectoryFixture) throws -> CommitMark.Record? {
        try CommitMark(of: world.path(kind.fileName), logger: DirectoryFixture.logger).read()
    }

    /// A folder whose databases were saved at two moments, and were killed at the second one.
    private func withTwoMoments(_ body: (DirectoryFixture) async throws -> Void) async throws {
        try await DirectoryFixture.with { world in
            try await world.withStore { try await put(0..<10, $0) }
            try world.saveDatabases(to: "yesterday")
            let store = try await world.open()
            try await put(10..<20, store)
            try world.saveDatabases(to: "today")
            try await store.close()
            try await body(world)
        }
    }

    private func putBack(_ kind: DatabaseKind, _ world: DirectoryFixture) throws {
        try world.restoreDatabases(from: "today")
        try? FileManager.default.removeItem(atPath: world.path("\(kind.fileName)-wal"))
        for ending in ["", ".mark"] {
            let name = "\(kind.fileName)\(ending)"
            try FileManager.default.removeItem(atPath: world.path(name))
            try FileManager.default.copyItem(atPath: world.path("yesterday/\(name)"), toPath: world.path(name))
        }
    }

    @Test("a database that is restored alone with its mark is refused", arguments: DatabaseKind.allCases)
    func older(_ kind: DatabaseKind) async throws {
        try await withTwoMoments { world in
            try putBack(kind, world)
            let words = "\(kind.fileName) ends at commit 10"
            let reading = await failure { () async throws(ObjectStoreError) in
                do { return try await world.openForReading() } catch { throw error as? ObjectStoreError ?? .conflict }
            }
            for error in [reading, await world.openingFailure(), await world.openingFailure()] {
                expectCorrupted(error, words)
                expectCorrupted(error, "is older than \(world.path(kind.other.fileName))")
            }
            // What an operator does who accepts it.
            try removeMarks(world)
            for _ in 0..<2 { #expect(await world.openingFailure() == nil) }
        }
    }

    @Test("a database that is restored alone without its mark is refused", arguments: DatabaseKind.allCases)
    func olderWithoutMark(_ kind: DatabaseKind) async throws {
        try await withTwoMoments { world in
            try putBack(kind, world)
            try FileManager.default.removeItem(atPath: world.path("\(kind.fileName).mark"))
            expectCorrupted(await world.openingFailure(), "is older than")
        }
    }

    @Test("databases that are restored together open")
    func both() async throws {
        try await withTwoMoments { world in
            for name in ["yesterday", "today", "yesterday"] {
                try world.restoreDatabases(from: name)
                try await world.withStore { store in
                    try await expect(store.head(ObjectKey(known: "accounts/9")) != nil, is: true)
                    try await expect(store.head(ObjectKey(known: "accounts/19")) != nil, is: name == "today")
                }
            }
        }
    }

    @Test("a commit is recorded in both marks, and an opening completes a mark of an earlier version")
    func records() async throws {
        try await DirectoryFixture.with { world in
            try await world.withStore { store in
                try await put(0..<3, store)
                try await store.put(ObjectKey(known: "accounts/last"), ByteBuffer(), if: .absent)
                #expect(try mark(.accounts, world) == .init(commits: 4, other: 3))
                #expect(try mark(.users, world) == .init(commits: 3, other: 4))
            }
            let path = world.path("\(DatabaseKind.users.fileName).mark")
            #expect(truncate(path, 30) == 0)
            #expect(try mark(.users, world) == .init(commits: 3, other: nil))
            try await world.withStore { _ in }
            #expect(try mark(.users, world) == .init(commits: 3, other: 4))
            try world.flip("\(DatabaseKind.users.fileName).mark", at: 40)
            expectCorrupted(await world.openingFailure(), "is unreadable")
        }
    }

    @Test("databases open with any earlier marks, as left by a power loss")
    func earlierMarks() async throws {
        try await DirectoryFixture.with { world in
            let store = try await world.open()
            for number in 0..<6 {
                try await store.put(ObjectKey(known: "accounts/\(number)"), ByteBuffer(), if: .absent)
                try world.saveDatabases(to: "\(2 * number)")
                try await store.put(ObjectKey(known: "users/\(number)/profile.json"), ByteBuffer(), if: .absent)
                try world.saveDatabases(to: "\(2 * number + 1)")
            }
            try await store.close()
            for moment in 0..<12 {
                for (accounts, users) in [(0, 0), (moment, 0), (0, moment), (moment / 2, moment), (moment, moment)] {
                    try world.restoreDatabases(from: "\(moment)")
                    for (kind, saved) in [(DatabaseKind.accounts, accounts), (.users, users)] {
                        let name = "\(kind.fileName).mark"
                        try FileManager.default.removeItem(atPath: world.path(name))
                        try FileManager.default.copyItem(
                            atPath: world.path("\(saved)/\(name)"), toPath: world.path(name))
                    }
                    #expect(await world.openingFailure() == nil, "\(moment) with \(accounts), \(users)")
                }
            }
        }
    }

    @Test("two stores on one folder record the commits of both")
    func together() async throws {
        try await DirectoryFixture.with { world in
            let stores = [try await world.open(), try await world.open()]
            for number in 0..<20 { try await put(number..<number + 1, stores[number % 2]) }
            for store in stores { try await store.close() }
            for _ in 0..<2 { #expect(await world.openingFailure() == nil) }
            #expect(try mark(.accounts, world) == .init(commits: 20, other: 20))
        }
    }

    @Test("accounts can be recovered beside users' objects repeatedly, even after a stop")
    func recovery() async throws {
        try await DirectoryFixture.with { world in
            try await world.withStore { try await put(0..<10, $0) }
            for _ in 0..<2 {
                for ending in ["", "-wal", ".mark"] {
                    try? FileManager.default.removeItem(atPath: world.path("photolala.sqlite\(ending)"))
                }
                for _ in 0..<2 { try await world.open(mayLackAccounts: true).close() }
            }
            let store = try await world.open(mayLackAccounts: true)
            try await put(0..<1, store)
            try await store.close()
            #expect(await world.openingFailure() == nil)
        }
    }

    @Test(
        "a database that lost its log and mark is refused, except a users' database without any mark",
        arguments: [true, false], DatabaseKind.allCases)
    func lost(hasOtherMark: Bool, _ kind: DatabaseKind) async throws {
        try await DirectoryFixture.with { world in
            if kind == .users {
                try await world.withStore { store in
                    try await store.put(ObjectKey(known: "accounts/1"), ByteBuffer(), if: .absent)
                }
            }
            let store = try await world.open()
            let key = kind == .accounts ? "accounts/1" : "users/u/profile.json"
            try await store.put(ObjectKey(known: key), ByteBuffer(), if: .absent)
            try world.saveDatabases(to: "saved")
            try await store.close()
            try world.restoreDatabases(from: "saved")
            for ending in ["-wal", ".mark"] {
                try FileManager.default.removeItem(atPath: world.path("\(kind.fileName)\(ending)"))
            }
            if !hasOtherMark {
                try FileManager.default.removeItem(atPath: world.path("\(kind.other.fileName).mark"))
            }
            let error = await world.openingFailure()
            if kind == .users, !hasOtherMark {
                // As where an operator accepts what is there: a service may have no user's object.
                #expect(error == nil)
            } else {
                expectCorrupted(error, kind == .accounts ? "has no commits and no mark" : "is older than")
                #expect(!world.exists("\(kind.fileName).mark"))
            }
        }
    }

    @Test("a folder whose creation stopped at any step opens")
    func making() async throws {
        try await DirectoryFixture.with { world in
            try await world.withStore { _ in }
            try world.saveDatabases(to: "made")
            let (accounts, users) = (DatabaseKind.accounts.fileName, DatabaseKind.users.fileName)
            for there in [
                [users], [users, "\(users).mark"], [users, "\(users).mark", accounts],
                [users, "\(users).mark", accounts, "\(accounts).mark"],
            ] {
                // The last file that is named was just made; a database has no tables before its mark is there.
                try world.restoreDatabases(from: "made")
                for name in [users, "\(users).mark", accounts, "\(accounts).mark"] where !there.contains(name) {
                    try FileManager.default.removeItem(atPath: world.path(name))
                }
                if let last = there.last, !last.hasSuffix(".mark") { #expect(truncate(world.path(last), 0) == 0) }
                #expect(await world.openingFailure() == nil, "\(there)")
            }
        }
    }
}
