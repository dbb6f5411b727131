import DirectoryStorage
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaTesting
import Testing

/// Needs a small file system of its own, which only root on Linux can mount; elsewhere the suite is skipped.
@Suite("On a full disk", .serialized, .enabled(if: SmallDisk.canBeMade, "needs root on Linux to mount a small disk"))
struct FullDiskTests {
    private func run(_ command: String, _ arguments: String...) throws -> Bool {
        try ChildProcess(URL(filePath: command), arguments).waitUntilExit() == 0
    }

    private func withSmallDisk(_ body: (DirectoryWorld) async throws -> Void) async throws {
        try await DirectoryWorld.with { world in
            try FileManager.default.createDirectory(atPath: world.folder, withIntermediateDirectories: true)
            guard try run("/bin/mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", world.folder) else {
                Issue.record("mount failed")
                return
            }
            do {
                try await body(world)
            } catch {
                _ = try run("/bin/umount", world.folder)
                throw error
            }
            #expect(try run("/bin/umount", world.folder))
        }
    }

    @Test("a photo that does not fit is refused and leaves nothing")
    func fileDoesNotFit() async throws {
        try await withSmallDisk { world in
            try await world.withStore { store in
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

    @Test("small objects are refused when no more fit, and those before stay")
    func rowsDoNotFit() async throws {
        try await withSmallDisk { world in
            try await world.withStore { store in
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
}

enum SmallDisk {
    #if os(Linux)
        static let canBeMade = geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/bin/mount")
    #else
        static let canBeMade = false
    #endif
}
