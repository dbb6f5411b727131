import Foundation
import NIOCore
import ObjectStorage
import Testing

@testable import DirectoryStorage

@Suite("Opening a folder")
struct OpeningTests {
    private func openingError(_ fixture: DirectoryFixture) async -> ObjectStoreError? {
        do {
            try await fixture.open().close()
            return nil
        } catch {
            return error as? ObjectStoreError
        }
    }

    @Test("a folder whose database is not a database file is reported as corrupted")
    func notADatabase() async throws {
        try await DirectoryFixture.with { fixture in
            try FileManager.default.createDirectory(atPath: fixture.folder, withIntermediateDirectories: true)
            try String(repeating: "not a database ", count: 500)
                .write(toFile: fixture.path("photolala.sqlite"), atomically: false, encoding: .utf8)
            let error = await openingError(fixture)
            guard case .corrupted(let text) = error else {
                Issue.record("expected corrupted, got \(String(describing: error))")
                return
            }
            #expect(text.contains("photolala.sqlite"))
        }
    }

    @Test("a folder of a newer version is rejected")
    func newerVersion() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { _ in }
            try fixture.tamper("PRAGMA user_version = 99", in: .accounts)
            let reading = await failure { () async throws(ObjectStoreError) in
                do { return try await fixture.openForReading() } catch { throw error as? ObjectStoreError ?? .conflict }
            }
            for error in [reading, await openingError(fixture)] {
                guard case .denied(let text) = error, text.contains("newer") else {
                    Issue.record("expected denied, got \(String(describing: error))")
                    continue
                }
            }
        }
    }

    @Test("a folder with a flipped bit in its format number is damaged and not of another version", arguments: 0..<32)
    func flippedFormat(bit: Int) async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { try await $0.put(ObjectKey(known: "accounts/1"), ByteBuffer(), if: .absent) }
            for kind in DatabaseKind.allCases {
                try fixture.flip(kind.fileName, at: 60 + bit / 8, bit: UInt8(bit % 8))
                let reading = await failure { () async throws(ObjectStoreError) in
                    do {
                        return try await fixture.openForReading()
                    } catch {
                        throw error as? ObjectStoreError ?? .conflict
                    }
                }
                for error in [reading, await openingError(fixture)] {
                    guard case .corrupted(let text) = error, text.contains("page checksum mismatch") else {
                        Issue.record("corrupted and not \(String(describing: error)) in \(kind)")
                        continue
                    }
                }
                try fixture.flip(kind.fileName, at: 60 + bit / 8, bit: UInt8(bit % 8))
            }
            #expect(await openingError(fixture) == nil)
        }
    }

    @Test("any folder name works", arguments: ["a b", "50%41", "what?vfs=unix", "#1", "Ärger", "a//b", "&mode=ro;="])
    func oddNames(name: String) async throws {
        try await DirectoryFixture.with { fixture in
            let inner = DirectoryFixture(folder: fixture.path(name))
            let key = ObjectKey(known: "accounts/1")
            try await inner.withStore { try await $0.put(key, ByteBuffer(string: "1"), if: .absent) }
            try await inner.withStore { try await expect($0.get(key).map { String(buffer: $0.bytes) }, is: "1") }
            #expect(inner.exists("photolala.sqlite"))
        }
    }

    @Test("opening a file instead of a folder is denied, and the error names its path")
    func notAFolder() async throws {
        try await DirectoryFixture.with { fixture in
            try "x".write(toFile: fixture.folder, atomically: false, encoding: .utf8)
            let error = await openingError(fixture)
            guard case .denied(let text) = error else {
                Issue.record("expected denied, got \(String(describing: error))")
                return
            }
            #expect(text.contains(fixture.folder))
        }
    }

    @Test("a folder without permission is denied", .enabled(if: geteuid() != 0, "permissions do not bind root"))
    func withoutPermission() async throws {
        try await DirectoryFixture.with { fixture in
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o500]
            try FileManager.default.createDirectory(
                atPath: fixture.folder, withIntermediateDirectories: true, attributes: attributes
            )
            let error = await openingError(fixture)
            guard case .denied = error else {
                Issue.record("expected denied, got \(String(describing: error))")
                return
            }
        }
    }

    @Test("created files and folders are readable only by their owner")
    func isPrivate() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore {
                _ = try await $0.put(ObjectKey(known: "photos/u/0.dat"), ByteBuffer(), if: .absent)
            }
            for (name, mode) in [
                ("", 0o700), ("photolala.sqlite", 0o600), ("photos", 0o700), ("photos/u/0.dat", 0o600),
                ("photolala.sqlite.users", 0o600), ("photolala.sqlite.mark", 0o600),
            ] {
                let attributes = try FileManager.default.attributesOfItem(atPath: fixture.path(name))
                #expect(attributes[.posixPermissions] as? Int == mode, "\(name)")
            }
        }
    }

    #if os(Linux)
        @Test("opening a folder twice in one process keeps the first store's locks against other processes")
        func keepsLocks() async throws {
            try await DirectoryFixture.with { fixture in
                try await fixture.withStore { store in
                    _ = try await store.put(ObjectKey(known: "accounts/1"), ByteBuffer(), if: .absent)
                    try await fixture.withStore { _ in }
                    let file = open(fixture.path("photolala.sqlite"), O_RDWR | O_CLOEXEC)
                    defer { _ = close(file) }
                    var lock = flock()
                    (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
                    // F_OFD_GETLK, which Swift's Glibc module lacks. It reports locks of this process too.
                    #expect(fcntl(file, 36, &lock) == 0)
                    #expect(lock.l_type == F_RDLCK)
                }
            }
        }
    #endif

    @Test("a database behind a symbolic link is created at the link's target, readable only by its owner")
    func linkedDatabase() async throws {
        try await DirectoryFixture.with { fixture in
            try FileManager.default.createDirectory(atPath: fixture.folder, withIntermediateDirectories: true)
            let place = fixture.path("elsewhere.sqlite")
            try FileManager.default.createSymbolicLink(
                atPath: fixture.path("photolala.sqlite"), withDestinationPath: place)
            _ = await openingError(fixture)
            let attributes = try FileManager.default.attributesOfItem(atPath: place)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("concurrent openings of one folder succeed")
    func together() async throws {
        try await DirectoryFixture.with { fixture in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    let key = ObjectKey(known: "photos/u/\(number)")
                    group.addTask {
                        try await fixture.withStore { _ = try await $0.put(key, ByteBuffer(), if: .absent) }
                    }
                }
                try await group.waitForAll()
            }
            try await fixture.withStore { store in
                try await expect(store.list(prefix: "photos/", after: nil, limit: 100).objects.count, is: 8)
            }
        }
    }
}
