import NIOCore
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

@Suite("Restoring one version of a photo") struct RestoreVersionTests {
    /// The bytes of the photo's versions, oldest first. The last one is in the library.
    private static let versions = (1...3).map { PhotoBytes.jpeg($0) }

    private static func id(_ version: Int) -> String {
        String(ContentDigest(of: ByteBuffer(bytes: versions[version])).description.prefix(8))
    }

    private func edited() async throws -> BackupFixture {
        let fixture = try BackupFixture()
        try fixture.folder.write("2024/a.xmp", Array("<x:xmpmeta/>".utf8))
        for (day, bytes) in Self.versions.enumerated() {
            try fixture.folder.write("2024/a.jpg", bytes)
            _ = try await fixture.backUp(onDay: day)
        }
        return fixture
    }

    private func restore(
        _ fixture: BackupFixture, _ path: String, _ ids: [String], to target: TemporaryFolder
    ) async throws -> RestoreSummary {
        var selection = PhotoSelection()
        selection.paths = [path]
        return try await Restore(store: fixture.store, user: .bob, pause: .none)
            .run(into: target.path, selection, versions: ids, report: { _ in })
    }

    @Test("a replaced version is downloaded beside the current one without companions, and the library is unchanged")
    func replaced() async throws {
        let (fixture, target) = (try await edited(), try TemporaryFolder())
        let before = try await fixture.catalog()
        #expect(try await restore(fixture, "2024/a.jpg", [Self.id(2)], to: target).isComplete)
        #expect(try target.files() == ["2024/a.jpg"])
        let summary = try await restore(fixture, "2024/a.jpg", [Self.id(0)], to: target)
        let name = "a (restored \(Self.id(0))).jpg"
        #expect(summary.isComplete && summary.restoredBeside.map(\.name) == [name])
        #expect(try target.read("2024/a.jpg") == Self.versions[2])
        #expect(try target.read("2024/\(name)") == Self.versions[0])
        #expect(try await restore(fixture, "2024/a.jpg", [Self.id(0)], to: target).progress.alreadyThereFiles == 1)
        #expect(try target.files().count == 2)
        #expect(try await fixture.catalog() == before)
    }

    @Test("several versions get different names in an empty folder, and a folder selects the versions in it")
    func several() async throws {
        let (fixture, target) = (try await edited(), try TemporaryFolder())
        #expect(try await restore(fixture, "2024", (0...2).map(Self.id), to: target).progress.restoredFiles == 3)
        let contents = Set(try target.files().map { try target.read($0) })
        #expect(contents == Set(Self.versions))
    }

    @Test("an unknown ID or path writes nothing")
    func unknown() async throws {
        let (fixture, target) = (try await edited(), try TemporaryFolder())
        await #expect(throws: RestoreError.selection(.unknownVersion("00000000"))) {
            _ = try await restore(fixture, "2024/a.jpg", ["00000000"], to: target)
        }
        await #expect(throws: RestoreError.selection(.unknownPaths(["b.jpg"]))) {
            _ = try await restore(fixture, "b.jpg", [Self.id(0)], to: target)
        }
        #expect(try target.files().isEmpty)
    }
}
