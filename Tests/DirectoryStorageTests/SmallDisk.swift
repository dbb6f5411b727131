import PhotolalaTesting

/// Data folders on disks of their own.
enum SmallDisk {
    /// A data folder on a disk of 6 MiB.
    static func with(_ body: (DirectoryFixture) async throws -> Void) async throws {
        try await DirectoryFixture.with { world in
            try await MountedDisk.withSmall(at: world.folder) { try await body(world) }
        }
    }

    /// Runs a test with a second, read-only mount of the same folder.
    static func withReadOnlyView(
        of world: DirectoryFixture, _ body: (DirectoryFixture) async throws -> Void
    ) async throws {
        let view = DirectoryFixture(folder: "\(world.folder)-view")
        try await MountedDisk.withReadOnlyView(of: world.folder, at: view.folder) { try await body(view) }
    }
}
