import Foundation
import Logging
import NIOCore
import ObjectStorage
import PhotolalaTesting
import Synchronization
import Testing

@testable import DirectoryStorage

/// Rejects users' writes before the disk is full.
@Suite struct SpaceTests {
    private final class FakeDisk: Sendable {
        private let state: Mutex<DiskSpace?>

        init(_ available: Int64) { state = Mutex(DiskSpace(available: available, total: 1 << 40)) }

        var reserve: StorageReserve { StorageReserve(bytes: 1000) { [self] _ in state.withLock { $0 } } }

        func set(_ available: Int64?, isReadOnly: Bool = false) {
            state.withLock {
                $0 = available.map { DiskSpace(available: $0, total: 1 << 40, isReadOnly: isReadOnly) }
            }
        }
    }

    /// A reserve of a folder that is there, without its ballast.
    private func withReserve(
        _ disk: FakeDisk, _ settings: StorageReserve? = nil, logger: Logger = DirectoryFixture.logger,
        _ body: (SpaceReserve) throws -> Void
    ) async throws {
        try await DirectoryFixture.with { fixture in
            try FileManager.default.createDirectory(atPath: fixture.folder, withIntermediateDirectories: true)
            try body(SpaceReserve(root: fixture.folder, settings: settings ?? disk.reserve, logger: logger))
        }
    }

    private func put(_ key: String, _ size: Int, _ store: DirectoryObjectStore) async -> ObjectStoreError? {
        await failure { () throws(ObjectStoreError) in
            try await store.put(ObjectKey(known: key), ByteBuffer(repeating: 1, count: size), if: .always)
        }
    }

    private func write(_ key: String, _ size: Int, _ store: DirectoryObjectStore) async -> ObjectStoreError? {
        await failure { () throws(ObjectStoreError) in
            let body = ObjectBody(ByteBuffer(repeating: 1, count: size))
            try await store.write(ObjectKey(known: key), body, attributes: [:], if: .always)
        }
    }

    @Test("users' objects leave the whole reserve free, catalogs and profiles half of it, accounts nothing")
    func floors() async throws {
        try await DirectoryFixture.with { fixture in
            let disk = FakeDisk(1250)
            try await fixture.withStore(reserve: disk.reserve) { store in
                disk.set(1100)
                for key in [
                    "photos/u/0.dat", "thumbnails/u/0.jpg", "service/uploads/u/1/00001.part", "users/u/f1.bin",
                    "users/u/a/profile.json", "catalogs/u/f1.bin", "catalogs/u/a/.photolala.md5",
                ] {
                    #expect(await put(key, 100, store) == nil)
                    #expect(await put(key, 101, store) == .outOfSpace)
                    #expect(await write(key, 100, store) == nil)
                    #expect(await write(key, 101, store) == .outOfSpace)
                }
                disk.set(660)
                for key in ["catalogs/u/.photolala.0.csv", "catalogs/v/.photolala.md5", "users/w/profile.json"] {
                    #expect(await put(key, 10, store) == nil)
                    #expect(await write(key, 161, store) == .outOfSpace)
                }
                disk.set(0)
                for key in ["accounts/u/account.json", "identities/apple/1", "service/store.json"] {
                    #expect(await put(key, 10_000, store) == nil)
                }
                #expect(
                    await failure { () throws(ObjectStoreError) in
                        try await store.delete(ObjectKey(known: "photos/u/0.dat"), if: .always)
                    } == nil)
                disk.set(1100)
                #expect(await put("photos/u/0.dat", 100, store) == nil)
            }
        }
    }

    @Test("a user can use a 16th of the space above half of the reserve, and again once the reserve is free")
    func shares() async throws {
        try await DirectoryFixture.with { fixture in
            let disk = FakeDisk(900)
            try await fixture.withStore(reserve: disk.reserve) { store in
                #expect(await put("catalogs/u/.photolala.0.csv", 26, store) == .outOfSpace, "too large alone")
                #expect(await put("catalogs/u/.photolala.0.csv", 15, store) == nil)
                #expect(await put("users/u/profile.json", 10, store) == nil)
                #expect(await put("catalogs/u/.photolala.md5", 1, store) == .outOfSpace)
                #expect(await put("catalogs/v/.photolala.md5", 25, store) == nil, "another user's share")
                disk.set(1100)
                #expect(await put("catalogs/u/.photolala.1.csv", 100, store) == nil, "the reserve is free")
                disk.set(900)
                #expect(await put("catalogs/u/.photolala.md5", 25, store) == nil)
            }
        }
    }

    @Test("after a hundred users use all they can, another one can still write what a deletion needs")
    func manyUsers() async throws {
        let (reserved, start) = (Int64(64 << 20), Int64((64 << 20) - 1))
        let disk = FakeDisk(start)
        try await withReserve(disk, StorageReserve(bytes: reserved) { disk.reserve.probe($0) }) { reserve in
            try takeAll(reserved, start, disk, reserve)
            _ = try reserve.admit(ObjectKey(known: "catalogs/last/.photolala.0.csv"), size: 2000)
            #expect(throws: ObjectStoreError.outOfSpace) {
                _ = try reserve.admit(ObjectKey(known: "photos/u/0.dat"), size: 0)
            }
        }
    }

    private func takeAll(_ reserved: Int64, _ start: Int64, _ disk: FakeDisk, _ reserve: SpaceReserve) throws {
        var available = start
        for user in 0..<100 {
            for size in [Int64(1 << 20), 1 << 16, 1 << 12, 256] {
                let key = ObjectKey(known: "catalogs/\(user)/.photolala.0.csv")
                while (try? reserve.admit(key, size: size)) != nil, available > 0 {
                    available -= size
                    disk.set(available)
                }
            }
        }
        #expect(available > reserved / 2, "half of the reserve is left for accounts and deletions")
    }

    @Test("uploads also leave the space of a missing ballast free, and it is created once that is free")
    func ballast() async throws {
        try await DirectoryFixture.with { fixture in
            let disk = FakeDisk(1249)
            try await fixture.withStore(reserve: disk.reserve) { store in
                #expect(!fixture.exists(SpaceReserve.ballastName))
                #expect(store.status().refusesUploads)
                #expect(await put("photos/u/0.dat", 0, store) == .outOfSpace)
                #expect(await put("users/u/profile.json", 10, store) == nil, "its floor is half of the reserve")
                disk.set(1300)
                #expect(!store.status().refusesUploads)
                #expect(await put("photos/u/0.dat", 51, store) == .outOfSpace)
                #expect(await put("photos/u/0.dat", 50, store) == nil)
                #expect(fixture.size(SpaceReserve.ballastName) == 250)
                disk.set(1050)
                #expect(await put("photos/u/1.dat", 50, store) == nil, "the ballast has its space")
                #expect(await put("photos/u/1.dat", 51, store) == .outOfSpace)
            }
        }
    }

    @Test("the first refused upload and the first accepted one after it are logged, and no other")
    func logs() async throws {
        let lines = Mutex<[String]>([])
        let logger = Logger(label: "test") { _ in LineRecorder { line in lines.withLock { $0.append(line) } } }
        let disk = FakeDisk(1250)
        try await withReserve(disk, logger: logger) { reserve in
            for available: Int64 in [1250, 900, 900, 800, 1250, 1250] {
                disk.set(available)
                _ = try? reserve.admit(ObjectKey(known: "photos/u/0.dat"), size: 0)
            }
        }
        #expect(
            lines.withLock { $0.filter { $0.contains("uploads") } } == [
                "warning disk nearly full: uploads rejected", "notice uploads accepted again",
            ])
    }

    @Test("a refused write leaves no file, and its body is not read")
    func refusedEarly() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore(reserve: FakeDisk(1100).reserve) { store in
                let body = ObjectBody(size: 5000, chunks: AsyncThrowingStream { throw ObjectStoreError.conflict })
                let error = await failure { () throws(ObjectStoreError) in
                    try await store.write(ObjectKey(known: "photos/u/0.dat"), body, attributes: [:], if: .always)
                }
                #expect(error == .outOfSpace)
                let left = try fixture.files(below: ".incoming").filter { !$0.hasSuffix("lock") }
                #expect(left.isEmpty)
            }
        }
    }

    @Test("the bytes that running writes have yet to store count against a new write")
    func pending() async throws {
        let disk = FakeDisk(1250)
        try await withReserve(disk) { reserve in
            reserve.refill()
            disk.set(1100)
            try checkPending(reserve, disk)
        }
    }

    private func checkPending(_ reserve: SpaceReserve, _ disk: FakeDisk) throws {
        let key = ObjectKey(known: "photos/u/0.dat")
        let claim = try reserve.admit(key, size: 70)
        #expect(throws: ObjectStoreError.outOfSpace) { _ = try reserve.admit(key, size: 40) }
        let small = try reserve.admit(key, size: 30)
        disk.set(1040)
        try claim.recordWritten(60)
        _ = try reserve.admit(key, size: 0)
        #expect(throws: ObjectStoreError.outOfSpace) { _ = try reserve.admit(key, size: 1) }
        withExtendedLifetime((claim, small)) {}
        disk.set(999)
        #expect(throws: ObjectStoreError.outOfSpace) { try claim.recordWritten(10) }
    }

    @Test("reserved space is released when a write ends")
    func released() async throws {
        try await withReserve(FakeDisk(1250)) { reserve in
            for _ in 0..<3 { _ = try reserve.admit(ObjectKey(known: "photos/u/0.dat"), size: 0) }
            for _ in 0..<3 { _ = try reserve.admit(ObjectKey(known: "photos/u/0.dat"), size: 250) }
            #expect(throws: ObjectStoreError.outOfSpace) {
                _ = try reserve.admit(ObjectKey(known: "photos/u/0.dat"), size: 251)
            }
        }
    }

    @Test("the store reports when uploads are rejected and when accounts cannot be written")
    func condition() async throws {
        try await DirectoryFixture.with { fixture in
            let disk = FakeDisk(5000)
            try await fixture.withStore(reserve: disk.reserve) { store in
                try FileManager.default.removeItem(atPath: fixture.path(SpaceReserve.ballastName))
                #expect(store.status() == StoreStatus())
                disk.set(999)
                #expect(store.status() == StoreStatus(refusesUploads: true))
                disk.set(100)
                #expect(store.status() == StoreStatus(fault: .diskFull, refusesUploads: true))
                try Data(count: 1000).write(to: URL(fileURLWithPath: fixture.path(SpaceReserve.ballastName)))
                #expect(store.status() == StoreStatus(refusesUploads: true), "the ballast counts")
                disk.set(5000, isReadOnly: true)
                #expect(store.status() == StoreStatus(fault: .diskReadOnly))
                disk.set(nil)
                #expect(store.status() == StoreStatus(), "unknown free space is not a fault")
            }
        }
    }

    @Test("failed commits of accounts are a fault until one succeeds or a minute has passed")
    func failedCommits() {
        let now = Mutex(Date(timeIntervalSince1970: 1000))
        let health = StoreHealth(now: { now.withLock { $0 } })
        let disk = FakeDisk(900)
        let reserve = SpaceReserve(root: "/", settings: disk.reserve, logger: DirectoryFixture.logger)
        for (error, fault) in [
            (ObjectStoreError.outOfSpace, StoreStatus.Fault.diskFull), (.denied("x"), .diskReadOnly),
            (.outcomeUnknown("x"), .writesFail),
        ] {
            health.recordCommit(error)
            #expect(health.status(reserve).fault == fault)
            health.recordCommit(nil)
            #expect(health.status(reserve).fault == nil)
        }
        health.recordCommit(.outOfSpace)
        disk.set(5000)
        #expect(health.status(reserve).fault == nil, "there is space again")
        health.recordCommit(.outcomeUnknown("x"))
        now.withLock { $0 += 61 }
        #expect(health.status(reserve).fault == nil)
    }

    @Test("by default a tenth of the disk, at most 1 GiB, and a missing ballast are reserved")
    func defaults() throws {
        let disks = [(Int64(1 << 20), Int64(104_857), Int64(26_214)), (1 << 40, 1 << 30, 16 << 20)]
        for (total, reserved, ballast) in disks {
            for (available, isLow) in [(reserved + ballast, false), (reserved + ballast - 1, true)] {
                let settings = StorageReserve { _ in DiskSpace(available: available, total: total) }
                let reserve = SpaceReserve(root: "/missing", settings: settings, logger: DirectoryFixture.logger)
                #expect(reserve.isLow == isLow)
            }
        }
        #expect(try #require(DiskSpace.of("/")).total > 0)
    }
}
