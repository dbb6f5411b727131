import Foundation
import PhotolalaTesting
import Testing

/// A file system of a few megabytes, which only root on Linux can mount.
enum SmallDisk {
    #if os(Linux)
        static let canBeMade = geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/bin/mount")
    #else
        static let canBeMade = false
    #endif

    /// A data folder on a disk of 6 MiB.
    static func with(_ body: (DirectoryWorld) async throws -> Void) async throws {
        try await DirectoryWorld.with { world in
            try FileManager.default.createDirectory(atPath: world.folder, withIntermediateDirectories: true)
            guard try run("/bin/mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", world.folder) else {
                Issue.record("mount failed")
                return
            }
            do {
                try await body(world)
            } catch {
                _ = try run("/bin/umount", "-l", world.folder)
                throw error
            }
            #expect(try run("/bin/umount", "-l", world.folder))
        }
    }

    /// The same folder, mounted a second time so that nothing can be written to it there.
    static func withReadOnlyView(
        of world: DirectoryWorld, _ body: (DirectoryWorld) async throws -> Void
    ) async throws {
        let view = DirectoryWorld(folder: "\(world.folder)-view")
        try FileManager.default.createDirectory(atPath: view.folder, withIntermediateDirectories: true)
        try #require(try run("/bin/mount", "--bind", world.folder, view.folder))
        #expect(try run("/bin/mount", "-o", "remount,bind,ro", view.folder))
        do {
            try await body(view)
        } catch {
            _ = try run("/bin/umount", "-l", view.folder)
            throw error
        }
        #expect(try run("/bin/umount", "-l", view.folder))
        try FileManager.default.removeItem(atPath: view.folder)
    }

    /// Writes until the disk takes no byte more.
    static func fill(_ path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT, 0o600)
        try #require(file >= 0)
        defer { _ = close(file) }
        let zeros = [UInt8](repeating: 0, count: 4096)
        for size in [4096, 1] { while write(file, zeros, size) > 0 {} }
    }

    /// `umount -l`: a store that is closed lets go of its last file a moment later, on another thread.
    private static func run(_ command: String, _ arguments: String...) throws -> Bool {
        try ChildProcess(URL(filePath: command), arguments).waitUntilExit() == 0
    }
}
