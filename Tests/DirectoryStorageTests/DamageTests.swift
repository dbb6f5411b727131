import Foundation
import NIOCore
import ObjectStorage
import Testing

@testable import DirectoryStorage

/// Flipped bits on the disk and lost logs are reported as errors, never as missing objects.
@Suite struct DamageTests {
    private let keys = (0..<120).map { "identities/apple/\($0)-\(String(repeating: "s", count: 40))" }

    private func fill(_ store: DirectoryObjectStore) async throws {
        for key in keys { try await store.put(ObjectKey(known: key), ByteBuffer(string: key), if: .absent) }
    }

    /// Reads every object and expects its bytes or an error.
    /// - Returns: The number of objects that could not be read.
    private func readAll(_ store: DirectoryObjectStore) async throws -> Int {
        var damaged = 0
        for key in keys {
            do {
                let found = try await store.get(ObjectKey(known: key)).map { String(buffer: $0.bytes) }
                #expect(found == key, "an object was lost without an error")
            } catch {
                guard case .corrupted = error else { throw error }
                damaged += 1
            }
        }
        return damaged
    }

    private func expectCorrupted(
        _ error: ObjectStoreError?, _ what: String, at location: SourceLocation = #_sourceLocation
    ) {
        guard case .corrupted = error else {
            Issue.record("expected corrupted, got \(String(describing: error)) \(what)", sourceLocation: location)
            return
        }
    }

    @Test("a flipped bit in any page of the accounts database is an error, not an absent object")
    func everyPage() async throws {
        try await DirectoryFixture.with { world in
            try await world.withStore { try await fill($0) }
            let pages = world.size("photolala.sqlite") / ObjectIndexSchema.pageSize
            #expect(pages > 10)
            try world.saveDatabases(to: "saved")
            var noticed = 0
            for page in 0..<pages {
                try world.restoreDatabases(from: "saved")
                try world.flip(
                    "photolala.sqlite", at: page * ObjectIndexSchema.pageSize + 200 + 37 * page % 1800,
                    bit: UInt8(page % 8))
                do {
                    try await world.withStore { store in
                        let damaged = try await readAll(store)
                        let findings = try await store.accountFindings()
                        #expect(!findings.isEmpty, "page \(page)")
                        noticed += damaged > 0 ? 1 : 0
                        #expect(store.status().isDamaged)
                        #expect(store.status().fault == .accountsDamaged)
                    }
                } catch ObjectStoreError.corrupted {
                    noticed += 1
                }
            }
            #expect(noticed > pages / 2, "most pages are read by these lookups")
        }
    }

    @Test("a zeroed or misplaced database page is an error")
    func lostPages() async throws {
        try await DirectoryFixture.with { world in
            try await world.withStore { try await fill($0) }
            let size = ObjectIndexSchema.pageSize
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: world.path("photolala.sqlite"))))
            let last = bytes.count - size
            for page in [[UInt8](repeating: 0, count: size), Array(bytes[size..<2 * size])] {
                var damaged = bytes
                damaged.replaceSubrange(last..., with: page)
                try Data(damaged).write(to: URL(fileURLWithPath: world.path("photolala.sqlite")))
                try await world.withStore { store in
                    let damaged = try await readAll(store)
                    #expect(damaged > 0)
                }
            }
        }
    }

    @Test("a flipped bit in the log of an open store is an error and is not copied into the database")
    func liveLog() async throws {
        try await DirectoryFixture.with { world in
            let store = try await world.open()
            try await fill(store)
            // A second store has none of it cached.
            let other = try await world.open()
            let frame = ObjectIndexSchema.pageSize + 24
            let frames = (world.size("photolala.sqlite-wal") - 32) / frame
            for number in stride(from: 0, to: frames, by: 3) {
                try world.flip("photolala.sqlite-wal", at: 32 + number * frame + 24 + 1900)
            }
            #expect(try await readAll(other) > 0)
            await #expect(throws: ObjectStoreError.self) { try await other.close() }
            await #expect(throws: ObjectStoreError.self) { try await store.close() }
        }
    }

    @Test("opening a store with a damaged, truncated or missing log fails and leaves the log unchanged")
    func deadLog() async throws {
        try await DirectoryFixture.with { world in
            let earlier = ObjectKey(known: "accounts/earlier")
            try await world.withStore { try await $0.put(earlier, ByteBuffer(), if: .absent) }
            let store = try await world.open()
            try await fill(store)
            try world.saveDatabases(to: "saved")
            try await store.close()
            let log = "photolala.sqlite-wal"
            let size = world.size("saved/\(log)")
            try world.restoreDatabases(from: "saved")
            #expect(await world.openingFailure() == nil, "an intact log is used")
            for offset in [5, 20, 40, 100, size / 3, size / 2, size - 2000] {
                try world.restoreDatabases(from: "saved")
                try world.flip(log, at: offset)
                let before = try Data(contentsOf: URL(fileURLWithPath: world.path(log)))
                expectCorrupted(await world.openingFailure(), "with a flipped bit at \(offset)")
                #expect(try Data(contentsOf: URL(fileURLWithPath: world.path(log))) == before)
            }
            for length in [0, 32, size / 2] {
                try world.restoreDatabases(from: "saved")
                #expect(truncate(world.path(log), off_t(length)) == 0)
                expectCorrupted(await world.openingFailure(), "cut to \(length)")
            }
            try world.restoreDatabases(from: "saved")
            try FileManager.default.removeItem(atPath: world.path(log))
            expectCorrupted(await world.openingFailure(), "without its log")
            // The way out: an operator who accepts the earlier state deletes both marks.
            for kind in DatabaseKind.allCases {
                expectCorrupted(await world.openingFailure(), "before the mark of \(kind) is deleted")
                try FileManager.default.removeItem(atPath: world.path("\(kind.fileName).mark"))
            }
            try await world.withStore { try await expect($0.head(earlier) != nil, is: true) }
        }
    }

    @Test("a store whose log is missing after its process was killed does not open")
    func killedProcess() async throws {
        try await DirectoryFixture.with { world in
            let hammer = try Hammer("write", world.folder, "killed")
            var acknowledged = (0..<60).compactMap { _ in hammer.line() }
            hammer.kill()
            acknowledged += try hammer.rest()
            try world.saveDatabases(to: "saved")
            for kind in DatabaseKind.allCases {
                try world.restoreDatabases(from: "saved")
                #expect(truncate(world.path("\(kind.fileName)-wal"), 0) == 0)
                expectCorrupted(await world.openingFailure(), "\(kind)")
            }
            try world.restoreDatabases(from: "saved")
            try await world.withStore { store in
                for key in acknowledged {
                    let info = try await store.head(ObjectKey(known: key))
                    #expect(info != nil)
                }
            }
        }
    }

    @Test("closing a store deletes its logs")
    func closing() async throws {
        try await DirectoryFixture.with { world in
            try await world.withStore { try await fill($0) }
            for kind in DatabaseKind.allCases { #expect(!world.exists("\(kind.fileName)-wal")) }
            #expect(world.size("photolala.sqlite") > 20_000)
        }
    }

    @Test("a damaged commit mark is an error that names the file")
    func damagedMark() async throws {
        try await DirectoryFixture.with { world in
            try await world.withStore { try await fill($0) }
            for offset in [3, 19, 25] {
                try world.flip("photolala.sqlite.mark", at: offset)
                let error = await world.openingFailure()
                expectCorrupted(error, "")
                #expect("\(String(describing: error))".contains(".mark"))
                try world.flip("photolala.sqlite.mark", at: offset)
            }
            #expect(await world.openingFailure() == nil)
        }
    }

    @Test("a read-only folder without shared memory is read from its log and stays unchanged")
    func readsWithoutSharedMemory() async throws {
        try await DirectoryFixture.with { world in
            let store = try await world.open()
            try await fill(store)
            try world.saveDatabases(to: "saved")
            try await store.close()
            try world.restoreDatabases(from: "saved")
            let names = try world.files()
            let reader = try await world.openForReading()
            #expect(try await readAll(reader) == 0)
            let refusal = await failure { () throws(ObjectStoreError) in
                try await reader.put(ObjectKey(known: "accounts/1"), ByteBuffer(), if: .absent)
            }
            let deletion = await failure { () throws(ObjectStoreError) in
                try await reader.delete(ObjectKey(known: "photos/1"), if: .always)
            }
            for error in [refusal, deletion] {
                guard case .denied = error else {
                    Issue.record("expected denied, got \(String(describing: error))")
                    continue
                }
            }
            try await reader.close()
            #expect(try world.files() == names)
            try world.flip("photolala.sqlite-wal", at: 60)
            let error = await failure { () async throws(ObjectStoreError) in
                do {
                    return try await world.openForReading()
                } catch {
                    throw error as? ObjectStoreError ?? .conflict
                }
            }
            expectCorrupted(error, "for reading")
        }
    }
}
