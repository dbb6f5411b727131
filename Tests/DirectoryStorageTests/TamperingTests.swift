import Foundation
import NIOCore
import ObjectStorage
import Testing

@testable import DirectoryStorage

@Suite("Stored data that differs from what was acknowledged")
struct TamperingTests {
    private let key = ObjectKey(known: "photos/u/0.dat")
    private let row = ObjectKey(known: "identities/apple/001")

    /// Runs a test with a store whose objects the test then damages.
    private func withObject(
        _ body: (DirectoryFixture, DirectoryObjectStore) async throws -> Void
    ) async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { store in
                try await store.put(key, ByteBuffer(string: "the photo"), if: .absent)
                try await store.put(row, ByteBuffer(string: "the user"), if: .absent)
                try await body(fixture, store)
            }
        }
    }

    private func expectCorrupted(_ key: ObjectKey, _ store: DirectoryObjectStore) async {
        for error in [
            await failure { () throws(ObjectStoreError) in try await store.get(key) },
            await failure { () throws(ObjectStoreError) in try await store.read(key, range: nil) },
        ] {
            guard case .corrupted = error else {
                Issue.record("expected corrupted, got \(String(describing: error))")
                continue
            }
        }
    }

    @Test("a file with other bytes is an error")
    func changedFile() async throws {
        try await withObject { fixture, store in
            try "the fraud".write(toFile: fixture.path("photos/u/0.dat"), atomically: true, encoding: .utf8)
            await expectCorrupted(key, store)
            let error = await failure { () throws(ObjectStoreError) in try await store.head(key) }
            #expect(error == .corrupted("photos/u/0.dat"))
        }
    }

    @Test("a truncated or extended file is an error")
    func cutFile() async throws {
        for bytes in ["the", "", "the photo and more"] {
            try await withObject { fixture, store in
                try bytes.write(toFile: fixture.path("photos/u/0.dat"), atomically: false, encoding: .utf8)
                await expectCorrupted(key, store)
            }
        }
    }

    @Test("a named pipe in place of a file is an error and does not block", .timeLimit(.minutes(15)))
    func namedPipe() async throws {
        try await withObject { fixture, store in
            try FileManager.default.removeItem(atPath: fixture.path("photos/u/0.dat"))
            try #require(mkfifo(fixture.path("photos/u/0.dat"), 0o600) == 0)
            await expectCorrupted(key, store)
        }
    }

    @Test("a missing file is an error and not an absent object")
    func missingFile() async throws {
        try await withObject { fixture, store in
            try FileManager.default.removeItem(atPath: fixture.path("photos"))
            await expectCorrupted(key, store)
            let error = await failure { () throws(ObjectStoreError) in
                try await store.put(key, ByteBuffer(string: "x"), if: .absent)
            }
            #expect(error == .preconditionFailed)
        }
    }

    @Test("a damaged object can be replaced, even if its folder is missing")
    func replaced() async throws {
        try await withObject { fixture, store in
            try FileManager.default.removeItem(atPath: fixture.path("photos"))
            try await store.put(key, ByteBuffer(string: "a new photo"), if: .always)
            try await expect(store.get(key).map { String(buffer: $0.bytes) }, is: "a new photo")
            try expect(fixture.contents("photos/u/0.dat"), is: "a new photo")
        }
    }

    @Test("a row with other bytes is an error that does not contain the subject")
    func changedRow() async throws {
        try await withObject { fixture, store in
            try fixture.tamper(
                "UPDATE objects SET bytes = ? WHERE key = ?", [Data("the thief".utf8), Data(row.description.utf8)],
                in: .accounts)
            await expectCorrupted(row, store)
            let error = await failure { () throws(ObjectStoreError) in try await store.get(row) }
            #expect("\(String(describing: error))".contains("001") == false)
        }
    }

    @Test("a file with another date or inode and the same bytes is served, and hashed only once")
    func copiedFile() async throws {
        try await withObject { fixture, store in
            let path = fixture.path("photos/u/0.dat")
            let copy = Data(try fixture.contents("photos/u/0.dat").utf8)
            try FileManager.default.removeItem(atPath: path)
            try copy.write(to: URL(fileURLWithPath: path))
            try await expect(store.get(key).map { String(buffer: $0.bytes) }, is: "the photo")
            // This write returns after the new fingerprint is recorded.
            try await store.put(ObjectKey(known: "service/x"), ByteBuffer(), if: .absent)
            try await fixture.withStore { other in
                // With the changed ETag a second hash would fail: only the fingerprint can match.
                try fixture.tamper("UPDATE objects SET etag = 'spoiled' WHERE key = ?", [Data(key.description.utf8)])
                try await expect(other.get(key).map { String(buffer: $0.bytes) }, is: "the photo")
            }
        }
    }

    @Test("a file without a row is not an object")
    func strayFile() async throws {
        try await withObject { fixture, store in
            try "stray".write(toFile: fixture.path("photos/u/1.dat"), atomically: false, encoding: .utf8)
            let stray = ObjectKey(known: "photos/u/1.dat")
            try await expect(store.head(stray), is: nil)
            try await expect(store.list(prefix: "photos/", after: nil, limit: 9).objects.map(\.key), is: [key])
            try await store.put(stray, ByteBuffer(string: "real"), if: .absent)
            try expect(fixture.contents("photos/u/1.dat"), is: "real")
        }
    }
}
