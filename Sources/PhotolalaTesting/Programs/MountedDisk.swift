import Foundation

/// Small and read-only file systems for one test, which only root on Linux can mount.
package enum MountedDisk {
    #if os(Linux)
        package static let canBeMade = geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/bin/mount")
    #else
        package static let canBeMade = false
    #endif

    /// Runs the body with an empty file system of 6 MiB in a folder, which is made when it is missing.
    package static func withSmall(at folder: String, _ body: () async throws -> Void) async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try run("/bin/mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", folder)
        try await leaving(folder, body)
    }

    /// Runs the body with a folder mounted a second time, where nothing can be written to it.
    package static func withReadOnlyView(
        of folder: String, at view: String, _ body: () async throws -> Void
    ) async throws {
        try FileManager.default.createDirectory(atPath: view, withIntermediateDirectories: true)
        try run("/bin/mount", "--bind", folder, view)
        try await leaving(view) {
            try run("/bin/mount", "-o", "remount,bind,ro", view)
            try await body()
        }
        try FileManager.default.removeItem(atPath: view)
    }

    /// Writes a file until the disk takes no byte more.
    package static func fill(_ path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT, 0o600)
        guard file >= 0 else { throw ConformanceFailure("cannot create \(path)") }
        defer { _ = close(file) }
        let zeros = [UInt8](repeating: 0, count: 4096)
        for size in [4096, 1] { while write(file, zeros, size) > 0 {} }
    }

    /// `umount -l`: a store that is closed closes its last file a moment later, on another thread.
    private static func leaving(_ folder: String, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            try? run("/bin/umount", "-l", folder)
            throw error
        }
        try run("/bin/umount", "-l", folder)
    }

    private static func run(_ command: String, _ arguments: String...) throws {
        let status = try ChildProcess(URL(filePath: command), arguments).waitUntilExit()
        guard status == 0 else { throw ConformanceFailure("\(command) \(arguments) ended with \(status)") }
    }
}
