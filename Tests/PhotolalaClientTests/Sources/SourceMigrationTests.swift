import Foundation
import PhotolalaTesting
import Testing

@testable import PhotolalaClient

@Suite("Migration of a source to an account") struct SourceMigrationTests {
    @Test("a migration is assessed without reading, filtered by the dates of assets, and completed")
    func journey() async throws {
        try await MigrationTests.with(limit: 100_000) { _, library, _ in
            let source = FakePhotoSource()
            source.add("1", PhotoBytes.jpeg(1))
            source.add("2", PhotoBytes.jpeg(2), created: SourceFixture.taken - 40_000_000, size: 602)
            source.edit("3", PhotoBytes.jpeg(3), PhotoBytes.jpeg(4), modified: SourceFixture.taken)
            let all = try await library.assessMigration(of: source).report
            #expect([all.files, all.waitingFiles].elementsEqual([4, 4]) && all.waitingBytes == 602)
            #expect(all.folders == ["fake"] && source.reads.isEmpty)

            var recent = PhotoFilter()
            recent.from = SourceFixture.taken - 1_000_000
            let chosen = try await library.assessMigration(of: source, where: recent).report
            #expect(chosen.files == 3)
            let report = try await library.migrate(chosen).report
            #expect(report.completedAt != nil && report.folders.map(\.folder) == ["fake"])
            #expect(source.reads.sorted() == ["1/photo", "3/edited", "3/photo"])
            let photos = try await library.photos().count
            #expect(photos == 3)

            let rest = try await library.assessMigration(of: source).report
            #expect([rest.files, rest.waitingFiles].elementsEqual([4, 1]))
            let completed = try await library.migrate(rest).report
            #expect(completed.completedAt != nil)
            let status = try await library.migrationStatus()
            #expect(status?.folders == ["fake"] && status?.completedAt != nil)
        }
    }
}
