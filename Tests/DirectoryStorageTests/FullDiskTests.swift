import Foundation
import NIOCore
import ObjectStorage
import PhotolalaTesting
import Testing

@testable import DirectoryStorage

/// Needs a small file system of its own, which only root on Linux can mount; elsewhere the suite is skipped.
@Suite("On a full disk", .serialized, .enabled(if: MountedDisk.canBeMade, "needs root on Linux to mount a small disk"))
struct FullDiskTests {
    @Test("a photo that exceeds the free space is rejected and leaves nothing behind")
    func fileDoesNotFit() async throws {
        try await SmallDisk.with { fixture in
            try await fixture.withStore { store in
                let old = ObjectKey(known: "photos/u/0.dat")
                try await store.put(old, ByteBuffer(string: "old"), if: .absent)
                for key in [old, ObjectKey(known: "photos/u/1.dat")] {
                    let body = ObjectBody(ByteBuffer(repeating: 1, count: 8 << 20))
                    let error = await failure { () throws(ObjectStoreError) in
                        try await store.write(key, body, attributes: [:], if: .always)
                    }
                    #expect(error == .outOfSpace)
                }
                try await expect(store.get(old).map { String(buffer: $0.bytes) }, is: "old")
                try await expect(store.list(prefix: "photos/", after: nil, limit: 9).objects.count, is: 1)
                // The space is free again.
                let body = ObjectBody(ByteBuffer(repeating: 1, count: 1 << 20))
                try await store.write(ObjectKey(known: "photos/u/2.dat"), body, attributes: [:], if: .absent)
            }
        }
    }

    @Test("small objects that exceed the free space are rejected, and earlier ones are kept")
    func rowsDoNotFit() async throws {
        try await SmallDisk.with { fixture in
            try await fixture.withStore { store in
                var kept: [ObjectKey] = []
                var refusal: ObjectStoreError?
                let bytes = ByteBuffer(repeating: 2, count: 100_000)
                while refusal == nil, kept.count < 200 {
                    let key = ObjectKey(known: "service/\(kept.count)")
                    refusal = await failure { () throws(ObjectStoreError) in
                        try await store.put(key, bytes, if: .absent)
                    }
                    if refusal == nil { kept.append(key) }
                }
                #expect(refusal == .outOfSpace)
                #expect(!kept.isEmpty)
                for key in kept { try await expect(store.get(key)?.bytes, is: bytes) }
                try await expect(store.head(ObjectKey(known: "service/\(kept.count)")), is: nil)
            }
        }
    }

    @Test("on a completely full disk, deletions and accounts are still written until the ballast is used up")
    func lastByte() async throws {
        try await SmallDisk.with { fixture in
            try await fixture.withStore(reserve: StorageReserve(bytes: 2 << 20)) { store in
                let photo = ObjectKey(known: "photos/u/0.dat")
                try await store.put(photo, ByteBuffer(repeating: 1, count: 5000), if: .absent)
                #expect(fixture.exists(SpaceReserve.ballastName))
                #expect(store.status() == StoreStatus())
                try MountedDisk.fill(fixture.path(".filler"))
                #expect(store.status().refusesUploads)
                let refusal = await failure { () throws(ObjectStoreError) in
                    try await store.put(ObjectKey(known: "photos/u/1.dat"), ByteBuffer(string: "x"), if: .absent)
                }
                #expect(refusal == .outOfSpace)
                // More than fits into the last page of the log.
                for number in 0..<8 {
                    let bytes = ByteBuffer(repeating: 2, count: 20_000)
                    try await store.put(ObjectKey(known: "accounts/\(number)"), bytes, if: .absent)
                }
                try await store.delete(photo, if: .always)
                try await expect(store.head(photo), is: nil)
                #expect(!fixture.exists(SpaceReserve.ballastName))
                try MountedDisk.fill(fixture.path(".filler2"))
                #expect(store.status().fault == .diskFull)
                for name in [".filler", ".filler2"] { try FileManager.default.removeItem(atPath: fixture.path(name)) }
                try await store.put(ObjectKey(known: "accounts/last"), ByteBuffer(), if: .absent)
                #expect(store.status() == StoreStatus())
            }
            try await fixture.withStore(reserve: StorageReserve(bytes: 2 << 20)) { _ in
                #expect(fixture.exists(SpaceReserve.ballastName), "the ballast is recreated once there is space")
            }
        }
    }

    @Test("a store on a full disk opens with the ballast's space")
    func openedFull() async throws {
        try await SmallDisk.with { fixture in
            try await fixture.withStore(reserve: StorageReserve(bytes: 2 << 20)) { store in
                try await store.put(ObjectKey(known: "photos/u/0.dat"), ByteBuffer(string: "x"), if: .absent)
            }
            try MountedDisk.fill(fixture.path(".filler"))
            try await fixture.withStore(reserve: StorageReserve(bytes: 2 << 20)) { store in
                try await store.delete(ObjectKey(known: "photos/u/0.dat"), if: .always)
            }
        }
    }

    @Test("a read-only disk is read, including the logs, and not changed", arguments: [true, false])
    func readOnly(hasSharedMemory: Bool) async throws {
        try await SmallDisk.with { fixture in
            let (row, photo) = (ObjectKey(known: "accounts/1"), ObjectKey(known: "photos/u/0.dat"))
            try await fixture.withStore { store in
                try await store.put(row, ByteBuffer(string: "row"), if: .absent)
                try await store.put(photo, ByteBuffer(string: "photo"), if: .absent)
                try fixture.saveDatabases(to: "saved")
            }
            try fixture.restoreDatabases(from: "saved", withSharedMemory: hasSharedMemory)
            try await SmallDisk.withReadOnlyView(of: fixture) { view in
                let store = try await view.openForReading()
                try await expect(store.get(row).map { String(buffer: $0.bytes) }, is: "row")
                try await expect(store.get(photo).map { String(buffer: $0.bytes) }, is: "photo")
                #expect(store.status().fault == .diskReadOnly)
                try await store.close()
                let error = await view.openingFailure()
                guard case .denied = error else {
                    Issue.record("expected denied, got \(String(describing: error))")
                    return
                }
            }
        }
    }
}
