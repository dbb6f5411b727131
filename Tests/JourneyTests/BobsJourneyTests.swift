import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing
import Transport

/// Bob's journey through the shipped command line, as separate processes.
@Suite(.serialized) struct BobsJourneyTests {
    /// Files that are JPEGs by their first bytes, no two alike.
    private func makePhotos(_ count: Int, in folder: URL, size: Int = 20_000) throws {
        for number in 0..<count {
            let home = folder.appendingPathComponent(number % 2 == 0 ? "2023/Summer" : "Käse & ’Brot’")
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            let bytes = Data([0xff, 0xd8, 0xff, 0xe0, 0, 16]) + Data(Randomness.seeded(UInt64(number)).bytes(size))
            let file = home.appendingPathComponent("IMG_\(number).jpg")
            try bytes.write(to: file)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000 + Double(number))],
                ofItemAtPath: file.path
            )
        }
    }

    /// Path, content and date of every file below a folder.
    private func manifest(_ folder: URL) throws -> [String: [String]] {
        var files: [String: [String]] = [:]
        for case let path as String in FileManager.default.enumerator(atPath: folder.path) ?? .init() {
            let file = folder.appendingPathComponent(path)
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
            let date = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
            files[path] = [try Data(contentsOf: file).base64EncodedString(), String(Int(date))]
        }
        return files
    }

    private func withBob(
        _ test: (URL, ServerProcess, CommandLineDevice, any HTTPTransport) async throws -> Void
    ) async throws {
        let transport = AsyncHTTPTransport()
        try await withTemporaryFolder { folder in
            let data = folder.appendingPathComponent("data")
            try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
            let server = try await ServerProcess(data: data, transport: transport)
            let laptop = CommandLineDevice(
                profile: folder.appendingPathComponent("laptop"), server: server.address
            )
            try await test(folder, server, laptop, transport)
            server.kill()
        }
        try await transport.shutdown()
    }

    @Test("Bob backs up, restores on a second device, forgets his provider, links it and sees the same photos")
    func wholeJourney() async throws {
        try await withBob { folder, server, laptop, _ in
            let photos = folder.appendingPathComponent("photos")
            try makePhotos(24, in: photos)
            #expect(try await laptop.run("signup", "--provider", "apple", "--dev-user", "bob").status == 0)
            let backup = try await laptop.run("backup", photos.path, "--json")
            #expect(backup.status == 0, "\(backup.errors)")
            #expect(try backup.folder("uploadedFiles") == 24)

            let tablet = CommandLineDevice(profile: folder.appendingPathComponent("tablet"), server: server.address)
            #expect(try await tablet.run("signin", "--provider", "apple", "--dev-user", "bob").status == 0)
            let restored = folder.appendingPathComponent("restored")
            #expect(try await tablet.run("restore", "--to", restored.path).status == 0)
            let (before, after) = (try manifest(photos), try manifest(restored))
            #expect(before == after)

            let phone = CommandLineDevice(profile: folder.appendingPathComponent("phone"), server: server.address)
            let lost = try await phone.run("signin", "--provider", "google", "--dev-user", "bob")
            #expect(lost.status == 4)
            #expect(lost.errors.contains("photolala signin --provider apple"))
            #expect(try await laptop.run("link", "--provider", "google", "--dev-user", "bob").status == 0)
            #expect(try await phone.run("signin", "--provider", "google", "--dev-user", "bob").status == 0)
            let (mine, theirs) = (try await laptop.run("list", "--json"), try await phone.run("list", "--json"))
            #expect(mine.output == theirs.output && !mine.output.isEmpty)
        }
    }

    @Test("A backup that was interrupted goes on where it was")
    func interrupted() async throws {
        try await withBob { folder, _, laptop, _ in
            let photos = folder.appendingPathComponent("photos")
            try makePhotos(80, in: photos, size: 100_000)
            try await laptop.run("signup", "--provider", "apple", "--dev-user", "bob")
            let running = try laptop.start(["backup", photos.path])
            try await waitForPhotos(5, in: folder.appendingPathComponent("data"))
            running.interrupt()
            let stopped = try await running.finish()
            #expect(stopped.status == 130 || stopped.status == 0)
            let again = try await laptop.run("backup", photos.path, "--json")
            #expect(again.status == 0, "\(again.errors)")
            #expect(try again.folder("libraryFiles") == 80)
            if stopped.status == 130 { #expect(try again.folder("uploadedFiles") ?? 80 < 80) }
        }
    }

    @Test("A server that is killed and started again in the middle of a backup loses nothing")
    func serverRestarts() async throws {
        try await withBob { folder, server, laptop, transport in
            let photos = folder.appendingPathComponent("photos")
            try makePhotos(80, in: photos, size: 100_000)
            try await laptop.run("signup", "--provider", "apple", "--dev-user", "bob")
            let running = try laptop.start(["backup", photos.path])
            let data = folder.appendingPathComponent("data")
            try await waitForPhotos(5, in: data)
            server.kill()
            _ = try await running.finish()
            let restarted = try await ServerProcess(data: data, transport: transport, onPortsOf: server)
            let again = try await laptop.run("backup", photos.path, "--json")
            #expect(again.status == 0, "\(again.errors)")
            #expect(try again.folder("libraryFiles") == 80)
            let restored = folder.appendingPathComponent("restored")
            #expect(try await laptop.run("restore", "--to", restored.path).status == 0)
            let (before, after) = (try manifest(photos), try manifest(restored))
            #expect(before == after)
            restarted.kill()
        }
    }

    /// Waits until the server has stored some photos; another process can only be watched.
    private func waitForPhotos(_ count: Int, in data: URL) async throws {
        for _ in 0..<3000 {
            let stored =
                FileManager.default.enumerator(atPath: data.appendingPathComponent("photos").path)?
                .allObjects.count ?? 0
            if stored > count { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw ConformanceFailure("no photos were stored")
    }
}
