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
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { try await fill($0) }
            let pages = fixture.size("photolala.sqlite") / ObjectIndexSchema.pageSize
            #expect(pages > 10)
            try fixture.saveDatabases(to: "saved")
            var noticed = 0
            for page in 0..<pages {
                try fixture.restoreDatabases(from: "saved")
                try fixture.flip(
                    "photolala.sqlite", at: page * ObjectIndexSchema.pageSize + 200 + 37 * page % 1800,
                    bit: UInt8(page % 8))
                do {
                    try await fixture.withStore { store in
                        let damaged = try await readAll(store)
                        store.holdAccounts()
                        async let waiting = failure { () async throws(ObjectStoreError) in
                            try await create("identities/apple/\(page)", in: store)
                        }
                        let verification = await failure { () async throws(ObjectStoreError) in
                            try await store.verifyAccounts()
                        }
                        let later = await failure { () async throws(ObjectStoreError) in
                            try await create("accounts/x", in: store)
                        }
                        for error in [verification, await waiting, later] {
                            guard case .corrupted = error else {
                                Issue.record("page \(page): \(String(describing: error))")
                                continue
                            }
                        }
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

    private func create(_ key: String, in store: DirectoryObjectStore) async throws(ObjectStoreError) {
        try await store.put(ObjectKey(known: key), ByteBuffer(string: "new"), if: .absent)
    }

    @Test("changes of accounts wait while their database is verified; reads and photos do not")
    func verification() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { store in
                let key = ObjectKey(known: "accounts/a")
                try await create("accounts/a", in: store)
                store.holdAccounts()
                async let creation: Void = create("accounts/b", in: store)
                async let removal: Void = store.delete(key, if: .always)
                try await create("photos/a", in: store)
                try await expect(store.get(key) != nil, is: true)
                try await store.verifyAccounts()
                try await creation
                try await removal
                try await expect(store.head(ObjectKey(known: "accounts/b")) != nil, is: true)
                try await expect(store.head(key) != nil, is: false)
                store.holdAccounts()
                async let stopped = failure { () async throws(ObjectStoreError) in
                    try await create("accounts/c", in: store)
                }
                store.stopVerifyingAccounts()
                guard case .unavailable = await stopped else { return #expect(Bool(false)) }
            }
        }
    }

    @Test("a zeroed or misplaced database page is an error")
    func lostPages() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { try await fill($0) }
            let size = ObjectIndexSchema.pageSize
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: fixture.path("photolala.sqlite"))))
            let last = bytes.count - size
            for page in [[UInt8](repeating: 0, count: size), Array(bytes[size..<2 * size])] {
                var damaged = bytes
                damaged.replaceSubrange(last..., with: page)
                try Data(damaged).write(to: URL(fileURLWithPath: fixture.path("photolala.sqlite")))
                try await fixture.withStore { store in
                    let damaged = try await readAll(store)
                    #expect(damaged > 0)
                }
            }
        }
    }

    @Test("a flipped bit in the log of an open store is an error and is not copied into the database")
    func liveLog() async throws {
        try await DirectoryFixture.with { fixture in
            let store = try await fixture.open()
            try await fill(store)
            // A second store has none of it cached.
            let other = try await fixture.open()
            let frame = ObjectIndexSchema.pageSize + 24
            let frames = (fixture.size("photolala.sqlite-wal") - 32) / frame
            for number in stride(from: 0, to: frames, by: 3) {
                try fixture.flip("photolala.sqlite-wal", at: 32 + number * frame + 24 + 1900)
            }
            #expect(try await readAll(other) > 0)
            let damage = "database \(fixture.path("photolala.sqlite")): page checksum mismatch"
            await #expect(throws: ObjectStoreError.corrupted(damage)) { try await other.close() }
            await #expect(throws: ObjectStoreError.corrupted(damage)) { try await store.close() }
        }
    }

    @Test("opening a store with a damaged, truncated or missing log fails and leaves the log unchanged")
    func deadLog() async throws {
        try await DirectoryFixture.with { fixture in
            let earlier = ObjectKey(known: "accounts/earlier")
            try await fixture.withStore { try await $0.put(earlier, ByteBuffer(), if: .absent) }
            let store = try await fixture.open()
            try await fill(store)
            try fixture.saveDatabases(to: "saved")
            try await store.close()
            let log = "photolala.sqlite-wal"
            let size = fixture.size("saved/\(log)")
            try fixture.restoreDatabases(from: "saved")
            #expect(await fixture.openingFailure() == nil, "an intact log is used")
            for offset in [5, 20, 40, 100, size / 3, size / 2, size - 2000] {
                try fixture.restoreDatabases(from: "saved")
                try fixture.flip(log, at: offset)
                let before = try Data(contentsOf: URL(fileURLWithPath: fixture.path(log)))
                expectCorrupted(await fixture.openingFailure(), "with a flipped bit at \(offset)")
                #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.path(log))) == before)
            }
            for length in [0, 32, size / 2] {
                try fixture.restoreDatabases(from: "saved")
                #expect(truncate(fixture.path(log), off_t(length)) == 0)
                expectCorrupted(await fixture.openingFailure(), "cut to \(length)")
            }
            try fixture.restoreDatabases(from: "saved")
            try FileManager.default.removeItem(atPath: fixture.path(log))
            expectCorrupted(await fixture.openingFailure(), "without its log")
            // The way out: an operator who accepts the earlier state deletes both marks.
            for kind in DatabaseKind.allCases {
                expectCorrupted(await fixture.openingFailure(), "before the mark of \(kind) is deleted")
                try FileManager.default.removeItem(atPath: fixture.path("\(kind.fileName).mark"))
            }
            try await fixture.withStore { try await expect($0.head(earlier) != nil, is: true) }
        }
    }

    @Test("a store whose log is missing after its process was killed does not open")
    func killedProcess() async throws {
        try await DirectoryFixture.with { fixture in
            let hammer = try Hammer("write", fixture.folder, "killed")
            var acknowledged = (0..<60).compactMap { _ in hammer.line() }
            hammer.kill()
            acknowledged += try hammer.rest()
            try fixture.saveDatabases(to: "saved")
            for kind in DatabaseKind.allCases {
                try fixture.restoreDatabases(from: "saved")
                #expect(truncate(fixture.path("\(kind.fileName)-wal"), 0) == 0)
                expectCorrupted(await fixture.openingFailure(), "\(kind)")
            }
            try fixture.restoreDatabases(from: "saved")
            try await fixture.withStore { store in
                for key in acknowledged {
                    let info = try await store.head(ObjectKey(known: key))
                    #expect(info != nil)
                }
            }
        }
    }

    @Test("closing a store deletes its logs")
    func closing() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { try await fill($0) }
            for kind in DatabaseKind.allCases { #expect(!fixture.exists("\(kind.fileName)-wal")) }
            #expect(fixture.size("photolala.sqlite") > 20_000)
        }
    }

    @Test("a damaged commit mark is an error that names the file")
    func damagedMark() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { try await fill($0) }
            for offset in [3, 19, 25] {
                try fixture.flip("photolala.sqlite.mark", at: offset)
                let error = await fixture.openingFailure()
                expectCorrupted(error, "")
                #expect("\(String(describing: error))".contains(".mark"))
                try fixture.flip("photolala.sqlite.mark", at: offset)
            }
            #expect(await fixture.openingFailure() == nil)
        }
    }

    @Test("a read-only folder without shared memory is read from its log and stays unchanged")
    func readsWithoutSharedMemory() async throws {
        try await DirectoryFixture.with { fixture in
            let store = try await fixture.open()
            try await fill(store)
            try fixture.saveDatabases(to: "saved")
            try await store.close()
            try fixture.restoreDatabases(from: "saved")
            let names = try fixture.files()
            let reader = try await fixture.openForReading()
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
            #expect(try fixture.files() == names)
            try fixture.flip("photolala.sqlite-wal", at: 60)
            let error = await failure { () async throws(ObjectStoreError) in
                do {
                    return try await fixture.openForReading()
                } catch {
                    throw error as? ObjectStoreError ?? .conflict
                }
            }
            expectCorrupted(error, "for reading")
        }
    }
}
