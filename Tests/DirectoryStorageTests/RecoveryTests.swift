import DirectoryStorage
import Foundation
import NIOCore
import ObjectStorage
import Testing

@Suite("After a crash")
struct RecoveryTests {
    private let key = ObjectKey(known: "photos/u/0.dat")
    private let owner = String(repeating: "ab", count: 16)

    private func text(_ store: DirectoryObjectStore) async throws -> String? {
        try await store.get(key).map { String(buffer: $0.bytes) }
    }

    /// Creates the state after a crash between commit and move: the row names a staged file, and the old file (or
    /// none) is at the object's own path.
    private func withCommittedMove(old: String?, _ body: (DirectoryFixture) async throws -> Void) async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { _ = try await $0.put(key, ByteBuffer(string: "new"), if: .absent) }
            let staging = fixture.path(".incoming/\(owner)")
            try FileManager.default.createDirectory(atPath: staging, withIntermediateDirectories: true)
            try FileManager.default.moveItem(atPath: fixture.path("photos/u/0.dat"), toPath: "\(staging)/7")
            try old?.write(toFile: fixture.path("photos/u/0.dat"), atomically: false, encoding: .utf8)
            try fixture.tamper("UPDATE objects SET staged = ?", ["\(owner)/7"])
            try await body(fixture)
        }
    }

    @Test("the next opening moves a committed object's staged file to its path", arguments: [nil, "old"])
    func finishesMove(_ old: String?) async throws {
        try await withCommittedMove(old: old) { fixture in
            try await fixture.withStore { store in
                try await expect(text(store), is: "new")
                try expect(fixture.contents("photos/u/0.dat"), is: "new")
            }
            try expect(fixture.files(below: ".incoming"), is: [])
        }
    }

    @Test("a committed object is read from its staged file while its owner is alive", arguments: [nil, "old"])
    func servesStaged(_ old: String?) async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { store in
                try await store.put(key, ByteBuffer(string: "new"), if: .absent)
                let names = try FileManager.default.contentsOfDirectory(atPath: fixture.path(".incoming"))
                let owner = try #require(names.first)
                try FileManager.default.moveItem(
                    atPath: fixture.path("photos/u/0.dat"), toPath: fixture.path(".incoming/\(owner)/99")
                )
                try old?.write(toFile: fixture.path("photos/u/0.dat"), atomically: false, encoding: .utf8)
                try fixture.tamper("UPDATE objects SET staged = ?", ["\(owner)/99"])
                try await expect(text(store), is: "new")
                try await fixture.withStore { other in
                    try await expect(text(other), is: "new")
                    #expect(fixture.exists(".incoming/\(owner)/99"), "the file of a running process is kept")
                }
            }
        }
    }

    @Test("a committed object can be replaced and deleted before its file is moved")
    func replacesStaged() async throws {
        try await withCommittedMove(old: "old") { fixture in
            try await fixture.withStore { store in
                try await store.put(key, ByteBuffer(string: "newer"), if: .always)
                try await expect(text(store), is: "newer")
                try await store.delete(key, if: .always)
                try await expect(text(store), is: nil)
            }
            #expect(!fixture.exists("photos/u/0.dat"))
        }
    }

    @Test("the next opening deletes uncommitted files")
    func removesStale() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { _ = try await $0.put(key, ByteBuffer(string: "kept"), if: .absent) }
            let staging = fixture.path(".incoming/\(owner)")
            try FileManager.default.createDirectory(atPath: staging, withIntermediateDirectories: true)
            try "half".write(toFile: "\(staging)/1", atomically: false, encoding: .utf8)
            try await fixture.withStore { try await expect(text($0), is: "kept") }
            #expect(!fixture.exists(".incoming/\(owner)"))
        }
    }

    @Test("a deleted object's file is removed unless the key was used again")
    func finishesDelete() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { _ = try await $0.put(key, ByteBuffer(string: "kept"), if: .absent) }
            try "left over".write(toFile: fixture.path("photos/u/1.dat"), atomically: false, encoding: .utf8)
            for name in ["photos/u/0.dat", "photos/u/1.dat"] {
                try fixture.tamper("INSERT INTO removals (key) VALUES (?)", [Data(name.utf8)])
            }
            try await fixture.withStore { try await expect(text($0), is: "kept") }
            #expect(!fixture.exists("photos/u/1.dat"))
            try "mine".write(toFile: fixture.path("photos/u/1.dat"), atomically: false, encoding: .utf8)
            try await fixture.withStore { try await expect(text($0), is: "kept") }
            #expect(fixture.exists("photos/u/1.dat"), "the list of removals is processed once")
        }
    }
}
