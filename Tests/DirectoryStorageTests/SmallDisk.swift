import PhotolalaTesting

/// Data folders on disks of their own.
enum SmallDisk {
    /// A data folder on a disk of 6 MiB.
    static func with(_ body: (DirectoryFixture) async throws -> Void) async throws {
        try await DirectoryFixture.with { fixture in
            try await MountedDisk.withSmall(at: fixture.folder) { try await body(fixture) }
        }
    }

    /// Runs a test with a second, read-only mount of the same folder.
    static func withReadOnlyView(
        of fixture: DirectoryFixture, _ body: (DirectoryFixture) async throws -> Void
    ) async throws {
        let view = DirectoryFixture(folder: "\(fixture.folder)-view")
        try await MountedDisk.withReadOnlyView(of: fixture.folder, at: view.folder) { try await body(view) }
    }
}
