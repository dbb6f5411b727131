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

    private func removeMarks(_ fixture: DirectoryFixture) throws {
        for kind in DatabaseKind.allCases {
            try FileManager.default.removeItem(atPath: fixture.path("\(kind.fileName).mark"))
        }
    }

    private func mark(_ kind: DatabaseKind, _ fixture: DirectoryFixture) throws -> CommitMark.Record? {
        try CommitMark(of: fixture.path(kind.fileName), logger: DirectoryFixture.logger).read()
    }

    /// A folder whose databases were saved at two moments, and were killed at the second one.
    private func withTwoMoments(_ body: (DirectoryFixture) async throws -> Void) async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { try await put(0..<10, $0) }
            try fixture.saveDatabases(to: "yesterday")
            let store = try await fixture.open()
            try await put(10..<20, store)
            try fixture.saveDatabases(to: "today")
            try await store.close()
            try await body(fixture)
        }
    }

    private func putBack(_ kind: DatabaseKind, _ fixture: DirectoryFixture) throws {
        try fixture.restoreDatabases(from: "today")
        try? FileManager.default.removeItem(atPath: fixture.path("\(kind.fileName)-wal"))
        for ending in ["", ".mark"] {
            let name = "\(kind.fileName)\(ending)"
            try FileManager.default.removeItem(atPath: fixture.path(name))
            try FileManager.default.copyItem(atPath: fixture.path("yesterday/\(name)"), toPath: fixture.path(name))
        }
    }

    @Test("a database that is restored alone with its mark is refused", arguments: DatabaseKind.allCases)
    func older(_ kind: DatabaseKind) async throws {
        try await withTwoMoments { fixture in
            try putBack(kind, fixture)
            let words = "\(kind.fileName) ends at commit 10"
            let reading = await failure { () async throws(ObjectStoreError) in
                do { return try await fixture.openForReading() } catch { throw error as? ObjectStoreError ?? .conflict }
            }
            for error in [reading, await fixture.openingFailure(), await fixture.openingFailure()] {
                expectCorrupted(error, words)
                expectCorrupted(error, "is older than \(fixture.path(kind.other.fileName))")
            }
            // What an operator does who accepts it.
            try removeMarks(fixture)
            for _ in 0..<2 { #expect(await fixture.openingFailure() == nil) }
        }
    }

    @Test("a database that is restored alone without its mark is refused", arguments: DatabaseKind.allCases)
    func olderWithoutMark(_ kind: DatabaseKind) async throws {
        try await withTwoMoments { fixture in
            try putBack(kind, fixture)
            try FileManager.default.removeItem(atPath: fixture.path("\(kind.fileName).mark"))
            expectCorrupted(await fixture.openingFailure(), "is older than")
        }
    }

    @Test("databases that are restored together open")
    func both() async throws {
        try await withTwoMoments { fixture in
            for name in ["yesterday", "today", "yesterday"] {
                try fixture.restoreDatabases(from: name)
                try await fixture.withStore { store in
                    try await expect(store.head(ObjectKey(known: "accounts/9")) != nil, is: true)
                    try await expect(store.head(ObjectKey(known: "accounts/19")) != nil, is: name == "today")
                }
            }
        }
    }

    @Test("a commit is recorded in both marks, and an opening completes a mark of an earlier version")
    func records() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { store in
                try await put(0..<3, store)
                try await store.put(ObjectKey(known: "accounts/last"), ByteBuffer(), if: .absent)
                #expect(try mark(.accounts, fixture) == .init(commits: 4, other: 3))
                #expect(try mark(.users, fixture) == .init(commits: 3, other: 4))
            }
            let path = fixture.path("\(DatabaseKind.users.fileName).mark")
            #expect(truncate(path, 30) == 0)
            #expect(try mark(.users, fixture) == .init(commits: 3, other: nil))
            try await fixture.withStore { _ in }
            #expect(try mark(.users, fixture) == .init(commits: 3, other: 4))
            try fixture.flip("\(DatabaseKind.users.fileName).mark", at: 40)
            expectCorrupted(await fixture.openingFailure(), "is unreadable")
        }
    }

    @Test("databases open with any earlier marks, as left by a power loss")
    func earlierMarks() async throws {
        try await DirectoryFixture.with { fixture in
            let store = try await fixture.open()
            for number in 0..<6 {
                try await store.put(ObjectKey(known: "accounts/\(number)"), ByteBuffer(), if: .absent)
                try fixture.saveDatabases(to: "\(2 * number)")
                try await store.put(ObjectKey(known: "users/\(number)/profile.json"), ByteBuffer(), if: .absent)
                try fixture.saveDatabases(to: "\(2 * number + 1)")
            }
            try await store.close()
            for moment in 0..<12 {
                for (accounts, users) in [(0, 0), (moment, 0), (0, moment), (moment / 2, moment), (moment, moment)] {
                    try fixture.restoreDatabases(from: "\(moment)")
                    for (kind, saved) in [(DatabaseKind.accounts, accounts), (.users, users)] {
                        let name = "\(kind.fileName).mark"
                        try FileManager.default.removeItem(atPath: fixture.path(name))
                        try FileManager.default.copyItem(
                            atPath: fixture.path("\(saved)/\(name)"), toPath: fixture.path(name))
                    }
                    #expect(await fixture.openingFailure() == nil, "\(moment) with \(accounts), \(users)")
                }
            }
        }
    }

    @Test("two stores on one folder record the commits of both")
    func together() async throws {
        try await DirectoryFixture.with { fixture in
            let stores = [try await fixture.open(), try await fixture.open()]
            for number in 0..<20 { try await put(number..<number + 1, stores[number % 2]) }
            for store in stores { try await store.close() }
            for _ in 0..<2 { #expect(await fixture.openingFailure() == nil) }
            #expect(try mark(.accounts, fixture) == .init(commits: 20, other: 20))
        }
    }

    @Test("accounts can be recovered beside users' objects repeatedly, even after a stop")
    func recovery() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { try await put(0..<10, $0) }
            for _ in 0..<2 {
                for ending in ["", "-wal", ".mark"] {
                    try? FileManager.default.removeItem(atPath: fixture.path("photolala.sqlite\(ending)"))
                }
                for _ in 0..<2 { try await fixture.open(mayLackAccounts: true).close() }
            }
            let store = try await fixture.open(mayLackAccounts: true)
            try await put(0..<1, store)
            try await store.close()
            #expect(await fixture.openingFailure() == nil)
        }
    }

    @Test(
        "a database that lost its log and mark is refused, except a users' database without any mark",
        arguments: [true, false], DatabaseKind.allCases)
    func lost(hasOtherMark: Bool, _ kind: DatabaseKind) async throws {
        try await DirectoryFixture.with { fixture in
            if kind == .users {
                try await fixture.withStore { store in
                    try await store.put(ObjectKey(known: "accounts/1"), ByteBuffer(), if: .absent)
                }
            }
            let store = try await fixture.open()
            let key = kind == .accounts ? "accounts/1" : "users/u/profile.json"
            try await store.put(ObjectKey(known: key), ByteBuffer(), if: .absent)
            try fixture.saveDatabases(to: "saved")
            try await store.close()
            try fixture.restoreDatabases(from: "saved")
            for ending in ["-wal", ".mark"] {
                try FileManager.default.removeItem(atPath: fixture.path("\(kind.fileName)\(ending)"))
            }
            if !hasOtherMark {
                try FileManager.default.removeItem(atPath: fixture.path("\(kind.other.fileName).mark"))
            }
            let error = await fixture.openingFailure()
            if kind == .users, !hasOtherMark {
                // As where an operator accepts what is there: a service may have no user's object.
                #expect(error == nil)
            } else {
                expectCorrupted(error, kind == .accounts ? "has no commits and no mark" : "is older than")
                #expect(!fixture.exists("\(kind.fileName).mark"))
            }
        }
    }

    @Test("a folder whose creation stopped at any step opens")
    func making() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { _ in }
            try fixture.saveDatabases(to: "made")
            let (accounts, users) = (DatabaseKind.accounts.fileName, DatabaseKind.users.fileName)
            for there in [
                [users], [users, "\(users).mark"], [users, "\(users).mark", accounts],
                [users, "\(users).mark", accounts, "\(accounts).mark"],
            ] {
                // The last file that is named was just made; a database has no tables before its mark is there.
                try fixture.restoreDatabases(from: "made")
                for name in [users, "\(users).mark", accounts, "\(accounts).mark"] where !there.contains(name) {
                    try FileManager.default.removeItem(atPath: fixture.path(name))
                }
                if let last = there.last, !last.hasSuffix(".mark") { #expect(truncate(fixture.path(last), 0) == 0) }
                #expect(await fixture.openingFailure() == nil, "\(there)")
            }
        }
    }
}
