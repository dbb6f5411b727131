import Foundation
import PhotolalaTesting
import Testing

/// Bob has photos and no account; later he has one. Through the shipped command line.
@Suite struct MigratePhotosJourneyTests {
    private static func makeFolder(_ count: Int, in folder: URL) throws -> URL {
        let photos = folder.appendingPathComponent("photos")
        try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
        try PhotoFolder.make(count, in: photos)
        return photos
    }

    @Test(
        "photos are scanned without an account or server, and migrated later after a preview"
    )
    func journey() async throws {
        try await withTemporaryFolder { folder, transport in
            let photos = try Self.makeFolder(12, in: folder)
            let profile = folder.appendingPathComponent("laptop")
            let alone = CommandLineDevice(profile: profile, server: "http://127.0.0.1:1")
            let scan = try await alone.run("local", "scan", photos.path, "--json")
            #expect(scan.status == 0, "\(scan.errors)")
            #expect(try scan.folder("photos") == 12 && scan.folder("readFiles") == 12)
            let listed = try await alone.run("local", "list")
            #expect(String(decoding: listed.output, as: UTF8.self).contains("Käse & ’Brot’/IMG_1.jpg"))
            #expect(try await alone.run("preferences", "set", "uploadQuality", "high").status == 0)
            let early = try await alone.run("migrate", "--yes", "--json")
            #expect(early.status == 3)

            let data = folder.appendingPathComponent("data")
            try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
            let server = try await ServerProcess(data: data, transport: transport)
            let laptop = CommandLineDevice(profile: profile, server: server.address)
            #expect(try await laptop.run("signup", "--provider", "apple", "--dev-user", "bob").status == 0)
            let before = try PhotoFolder.manifest(photos)
            let look = try await laptop.run("migrate", "--dry-run", "--json")
            let shown = try #require(try look.json()["assessment"] as? [String: Any])
            #expect(shown["waitingFiles"] as? Int == 12 && shown["missingBytes"] as? Int == 0)
            #expect(shown["bytesPerSecond"] as? Double ?? 0 > 0, "the rate was not measured")
            let unasked = try await laptop.run("migrate")
            #expect(unasked.status == 64 && unasked.errors.contains("--yes"), "\(unasked.errors)")
            #expect(try await laptop.run("list", "--json").json()["photos"] as? [String] == [])

            let done = try await laptop.run("migrate", "--yes", "--json")
            #expect(done.status == 0, "\(done.errors)")
            #expect((try done.json()["report"] as? [String: Any])?["completedAt"] is String)
            #expect(try PhotoFolder.manifest(photos) == before)
            let preferences = try await laptop.run("preferences", "--json")
            let synchronization = try preferences.json()["synchronization"] as? [String: Any]
            #expect(synchronization?["overruled"] as? [String] == [])
            let restored = folder.appendingPathComponent("restored")
            #expect(try await laptop.run("restore", "--to", restored.path).status == 0)
            #expect(try PhotoFolder.manifest(restored) == before)
            let again = try await laptop.run("migrate", "--yes", "--json")
            #expect(again.status == 0)
            #expect(server.stop() == 0)
        }
    }

    @Test("a killed library migration resumes with its folders")
    func killed() async throws {
        try await withTemporaryFolder { folder, transport in
            let photos = try Self.makeFolder(60, in: folder)
            let data = folder.appendingPathComponent("data")
            try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
            let server = try await ServerProcess(data: data, transport: transport)
            let laptop = CommandLineDevice(profile: folder.appendingPathComponent("laptop"), server: server.address)
            #expect(try await laptop.run("signup", "--provider", "apple", "--dev-user", "bob").status == 0)
            let running = try laptop.start(["migrate", "--yes", photos.path])
            try await waitUntil("5 files are stored", every: .milliseconds(2)) {
                !running.isRunning || Self.files(data.appendingPathComponent("photos")) >= 5
            }
            running.kill()
            _ = try await running.finish()
            let rest = try await laptop.run("migrate", "--yes", "--json")
            #expect(rest.status == 0, "\(rest.errors)")
            let restored = folder.appendingPathComponent("restored")
            #expect(try await laptop.run("restore", "--to", restored.path).status == 0)
            #expect(try PhotoFolder.manifest(restored) == PhotoFolder.manifest(photos))
            #expect(server.stop() == 0)
        }
    }

    private static func files(_ folder: URL) -> Int {
        FileManager.default.enumerator(atPath: folder.path)?.allObjects.count ?? 0
    }
}
