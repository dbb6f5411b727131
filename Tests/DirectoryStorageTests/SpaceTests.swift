import Foundation
import NIOCore
import ObjectStorage
import Synchronization
import Testing

@testable import DirectoryStorage

/// What users store is refused before the disk is full.
@Suite struct SpaceTests {
    private final class Disk: Sendable {
        private let state: Mutex<DiskSpace?>

        init(_ available: Int64) { state = Mutex(DiskSpace(available: available, total: 1 << 40)) }

        var reserve: StorageReserve { StorageReserve(bytes: 1000) { [self] _ in state.withLock { $0 } } }

        func set(_ available: Int64?, isReadOnly: Bool = false) {
            state.withLock {
                $0 = available.map { DiskSpace(available: $0, total: 1 << 40, isReadOnly: isReadOnly) }
            }
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
        try await DirectoryWorld.with { world in
            let disk = Disk(1100)
            try await world.withStore(reserve: disk.reserve) { store in
                for key in [
                    "photos/u/0.dat", "thumbnails/u/0.jpg", "service/uploads/u/1/00001.part", "users/u/f1.bin",
                    "users/u/a/profile.json", "catalogs/u/f1.bin", "catalogs/u/a/.photolala.md5",
                ] {
                    #expect(await put(key, 100, store) == nil)
                    #expect(await put(key, 101, store) == .outOfSpace)
                    #expect(await write(key, 100, store) == nil)
                    #expect(await write(key, 101, store) == .outOfSpace)
                }
                disk.set(530)
                for key in ["catalogs/u/.photolala.0.csv", "catalogs/v/.photolala.md5", "users/w/profile.json"] {
                    #expect(await put(key, 30, store) == nil)
                    #expect(await write(key, 31, store) == .outOfSpace)
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

    @Test("one user gets a 32nd of the reserve below the whole, and anew when the reserve was free again")
    func shares() async throws {
        try await DirectoryWorld.with { world in
            let disk = Disk(900)
            try await world.withStore(reserve: disk.reserve) { store in
                #expect(await put("catalogs/u/.photolala.0.csv", 32, store) == .outOfSpace, "too large alone")
                #expect(await put("catalogs/u/.photolala.0.csv", 21, store) == nil)
                #expect(await put("users/u/profile.json", 10, store) == nil)
                #expect(await put("catalogs/u/.photolala.md5", 1, store) == .outOfSpace)
                #expect(await put("catalogs/v/.photolala.md5", 31, store) == nil, "another user's share")
                disk.set(1100)
                #expect(await put("catalogs/u/.photolala.1.csv", 100, store) == nil, "the reserve is free")
                disk.set(900)
                #expect(await put("catalogs/u/.photolala.md5", 31, store) == nil)
            }
        }
    }

    @Test("a refused write leaves nothing, and its body is not read")
    func refusedEarly() async throws {
        try await DirectoryWorld.with { world in
            try await world.withStore(reserve: Disk(1100).reserve) { store in
                let body = ObjectBody(size: 5000, chunks: AsyncThrowingStream { throw ObjectStoreError.conflict })
                let error = await failure { () throws(ObjectStoreError) in
                    try await store.write(ObjectKey(known: "photos/u/0.dat"), body, attributes: [:], if: .always)
                }
                #expect(error == .outOfSpace)
                let left = try world.files(below: ".incoming").filter { !$0.hasSuffix("lock") }
                #expect(left.isEmpty)
            }
        }
    }

    @Test("writes under way count beside a new one, as far as they are not on the disk yet")
    func pending() throws {
        let disk = Disk(1100)
        let reserve = SpaceReserve(root: "/", settings: disk.reserve, logger: DirectoryWorld.logger)
        let key = ObjectKey(known: "photos/u/0.dat")
        let claim = try reserve.admit(key, size: 70)
        #expect(throws: ObjectStoreError.outOfSpace) { _ = try reserve.admit(key, size: 40) }
        let small = try reserve.admit(key, size: 30)
        disk.set(1040)
        try claim.wrote(60)
        _ = try reserve.admit(key, size: 0)
        #expect(throws: ObjectStoreError.outOfSpace) { _ = try reserve.admit(key, size: 1) }
        withExtendedLifetime((claim, small)) {}
        disk.set(999)
        #expect(throws: ObjectStoreError.outOfSpace) { try claim.wrote(10) }
    }

    @Test("what was claimed is free again when a write ends")
    func released() throws {
        let reserve = SpaceReserve(root: "/", settings: Disk(1100).reserve, logger: DirectoryWorld.logger)
        for _ in 0..<3 { _ = try reserve.admit(ObjectKey(known: "photos/u/0.dat"), size: 100) }
        #expect(throws: ObjectStoreError.outOfSpace) {
            _ = try reserve.admit(ObjectKey(known: "photos/u/0.dat"), size: 101)
        }
    }

    @Test("the store says when uploads are refused, and when accounts cannot be written")
    func condition() async throws {
        try await DirectoryWorld.with { world in
            let disk = Disk(5000)
            try await world.withStore(reserve: disk.reserve) { store in
                try FileManager.default.removeItem(atPath: world.path(SpaceReserve.ballastName))
                #expect(store.condition() == StoreCondition())
                disk.set(999)
                #expect(store.condition() == StoreCondition(refusesUploads: true))
                disk.set(100)
                #expect(store.condition() == StoreCondition(fault: .diskFull, refusesUploads: true))
                try Data(count: 1000).write(to: URL(fileURLWithPath: world.path(SpaceReserve.ballastName)))
                #expect(store.condition() == StoreCondition(refusesUploads: true), "the ballast counts")
                disk.set(5000, isReadOnly: true)
                #expect(store.condition() == StoreCondition(fault: .diskReadOnly))
                disk.set(nil)
                #expect(store.condition() == StoreCondition(), "a system that does not say is no fault")
            }
        }
    }

    @Test("commits of accounts that fail are a fault until one succeeds, or for a minute")
    func failedCommits() {
        let now = Mutex(Date(timeIntervalSince1970: 1000))
        let health = StoreHealth(now: { now.withLock { $0 } })
        let disk = Disk(900)
        let reserve = SpaceReserve(root: "/", settings: disk.reserve, logger: DirectoryWorld.logger)
        for (error, fault) in [
            (ObjectStoreError.outOfSpace, StoreCondition.Fault.diskFull), (.denied("x"), .diskReadOnly),
            (.outcomeUnknown("x"), .writesFail),
        ] {
            health.wrote(error)
            #expect(health.condition(reserve).fault == fault)
            health.wrote(nil)
            #expect(health.condition(reserve).fault == nil)
        }
        health.wrote(.outOfSpace)
        disk.set(5000)
        #expect(health.condition(reserve).fault == nil, "there is space again")
        health.wrote(.outcomeUnknown("x"))
        now.withLock { $0 += 61 }
        #expect(health.condition(reserve).fault == nil)
    }

    @Test("by default a tenth of the disk is kept, and at most 1 GiB")
    func defaults() throws {
        for (total, reserved) in [(Int64(1 << 20), Int64(104_857)), (1 << 40, 1 << 30)] {
            for (available, isLow) in [(reserved, false), (reserved - 1, true)] {
                let settings = StorageReserve { _ in DiskSpace(available: available, total: total) }
                let reserve = SpaceReserve(root: "/", settings: settings, logger: DirectoryWorld.logger)
                #expect(reserve.isLow == isLow)
            }
        }
        #expect(try #require(DiskSpace.of("/")).total > 0)
    }
}
