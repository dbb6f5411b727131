import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotolalaClient

@Suite("Migration of local photos to an account") struct MigrationTests {
    private static func photo(_ name: String) -> Data { Data([0xff, 0xd8, 0xff, 0xe0, 0, 16]) + Data(name.utf8) }

    private static func account(limit: Int64, used: Int64?) -> User {
        User(
            serviceUserID: ClientFixture.user, primaryProvider: .apple, linkedProviders: [],
            createdAt: ClientFixture.start,
            subscription: Subscription(tier: .free, storageLimit: limit), storageUsed: used,
            storageCountedAt: used.map { _ in ClientFixture.start }
        )
    }

    static func with(
        limit: Int64 = 1000, used: Int64? = nil, _ test: (ClientFixture, PhotolalaLibrary, URL) async throws -> Void
    ) async throws {
        let script = [
            "POST /auth/signin": [ClientFixture.signedInAnswer()],
            "GET /users/\(ClientFixture.user)": [FakeServer.json(account(limit: limit, used: used))],
        ]
        try await ClientFixture.with(script) { fixture in
            let (session, clock) = (try await fixture.signedIn(), fixture.clock)
            let store = MemoryObjectStore { clock.now }
            let photos = fixture.folder.appendingPathComponent("photos")
            try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
            for name in ["one", "two"] { try photo(name).write(to: photos.appendingPathComponent("\(name).jpg")) }
            let library = PhotolalaLibrary(
                session: session, stateFolder: fixture.folder.appendingPathComponent("library").path,
                now: { clock.now },
                sendReserved: noReservedUploads
            ) { _, _ throws(PhotolalaError) in store }
            try await test(fixture, library, photos)
        }
    }

    @Test("a migration is assessed, filtered, uploaded and recorded as completed, and the folder is unchanged")
    func journey() async throws {
        try await Self.with { _, library, photos in
            let before = try FileManager.default.contentsOfDirectory(atPath: photos.path)
            var one = PhotoFilter()
            one.paths = ["one.jpg"]
            let none = try await library.migrationStatus()
            #expect(none == nil)
            let chosen = try await library.assessMigration(of: [photos], where: one).report
            #expect([chosen.files, chosen.waitingFiles].elementsEqual([1, 1]))
            #expect(chosen.waitingBytes == Int64(Self.photo("one").count) && chosen.missingBytes == 0)
            // A store in memory has no upload rate to measure.
            #expect(chosen.bytesPerSecond == nil && chosen.seconds == nil)
            let report = try await library.migrate(chosen).report
            #expect(report.completedAt != nil)
            let listed = try await library.photos().map(\.path)
            #expect(listed == ["one.jpg"])
            let begun = try #require(try await library.migrationStatus())
            #expect(begun.folders == chosen.folders && begun.filter == one)
            #expect(begun.completedAt == report.completedAt)
            let rest = try await library.assessMigration().report
            #expect([rest.files, rest.waitingFiles].elementsEqual([2, 1]))
            #expect(try FileManager.default.contentsOfDirectory(atPath: photos.path) == before)
        }
    }

    @Test("a missing folder is reported, the others are uploaded and the migration is incomplete")
    func missingFolder() async throws {
        try await Self.with { fixture, library, photos in
            let gone = fixture.folder.appendingPathComponent("gone")
            let assessment = try await library.assessMigration(of: [gone, photos]).report
            #expect(assessment.unusableFolders.map(\.path) == [gone.path])
            #expect(assessment.unusableFolders.map(\.code) == [.noSuchFolder])
            #expect(assessment.failures.isEmpty && assessment.waitingFiles == 2)
            let report = try await library.migrate(assessment).report
            #expect(report.completedAt == nil && report.folders.map(\.uploadedFiles) == [2])
        }
    }

    @Test("the bytes beyond the quota are computed from the server's count or the catalog")
    func room() async throws {
        let both = Int64(Self.photo("one").count * 2)
        for (used, missing) in [(nil, 0), (1000 - both, 0), (1001 - both, 1), (2000, both)] as [(Int64?, Int64)] {
            try await Self.with(used: used) { _, library, photos in
                let assessment = try await library.assessMigration(of: [photos]).report
                #expect(assessment.missingBytes == missing)
                #expect(assessment.storageUsed == used ?? 0)
            }
        }
    }

    @Test("a migration of an empty folder is not completed")
    func empty() async throws {
        try await Self.with { _, library, photos in
            for name in ["one", "two"] {
                try FileManager.default.removeItem(at: photos.appendingPathComponent("\(name).jpg"))
            }
            let assessment = try await library.assessMigration(of: [photos]).report
            #expect(assessment.files == 0 && assessment.failures.isEmpty, "it was never scanned before")
            let report = try await library.migrate(assessment).report
            #expect(report.completedAt == nil)
        }
    }

    @Test(
        "an unreadable stored selection is an error and does not select all photos",
        arguments: [
            #"{"folders":["/p"],"selection":"eyJraW5kcyI6WyJuZXciXX0=","startedAt":"2026-01-01T00:00:00Z"}"#, "{}", "",
        ])
    func unreadable(text: String) async throws {
        try await Self.with { fixture, library, photos in
            let assessment = try await library.assessMigration(of: [photos]).report
            _ = try await library.migrate(assessment).report
            let state = fixture.folder.appendingPathComponent("library")
            try Data(text.utf8).write(to: state.appendingPathComponent("migration-\(ClientFixture.user).json"))
            let error = await #expect(throws: PhotolalaError.self) { _ = try await library.migrationStatus() }
            #expect(error?.code == .folderUnusable)
            // A new migration is always possible.
            _ = try await library.migrate(assessment).report
            let begun = try await library.migrationStatus()
            #expect(begun?.completedAt != nil)
        }
    }

    @Test("a cancelled migration is incomplete and can be resumed")
    func cancelled() async throws {
        try await Self.with { _, library, photos in
            let assessment = try await library.assessMigration(of: [photos]).report
            let migration = library.migrate(assessment)
            migration.cancel()
            if let report = try? await migration.report {
                // The migration completed before it was cancelled.
                #expect(report.completedAt != nil)
                return
            }
            let begun = try await library.migrationStatus()
            #expect(begun?.folders == assessment.folders && begun?.completedAt == nil)
            let again = try await library.migrate(try await library.assessMigration().report).report
            #expect(again.completedAt != nil)
        }
    }
}
