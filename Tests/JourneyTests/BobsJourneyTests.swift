import Foundation
import PhotolalaTesting
import Testing
import Transport

/// Bob's journey through the shipped command line, as separate processes.
@Suite(.serialized) struct BobsJourneyTests {
    private func withBob(
        _ test: (URL, ServerProcess, CommandLineDevice, any HTTPTransport) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder, transport in
            let data = folder.appendingPathComponent("data")
            try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
            let server = try await ServerProcess(data: data, transport: transport)
            let laptop = CommandLineDevice(
                profile: folder.appendingPathComponent("laptop"), server: server.address
            )
            try await test(folder, server, laptop, transport)
            server.kill()
        }
    }

    @Test("Bob backs up, restores on a second device, tries another provider, links it and sees the same photos")
    func wholeJourney() async throws {
        try await withBob { folder, server, laptop, _ in
            try await BobsJourney.run(folder, server, laptop)
        }
    }

    @Test("unlinking the first provider waits a day, is shown on every device and is undone by --undo")
    func unlinkingWaits() async throws {
        try await withBob { folder, server, laptop, _ in
            #expect(try await laptop.run("signup", "--provider", "apple", "--dev-user", "bob").status == 0)
            #expect(try await laptop.run("link", "--provider", "google", "--dev-user", "bob").status == 0)
            let phone = CommandLineDevice(profile: folder.appendingPathComponent("phone"), server: server.address)
            #expect(try await phone.run("signin", "--provider", "google", "--dev-user", "bob").status == 0)
            let unlinked = try await laptop.run("unlink", "apple")
            #expect(unlinked.status == 0 && unlinked.text.contains("apple will be unlinked on "), "\(unlinked.text)")
            let shown = try await phone.run("whoami")
            #expect(shown.text.contains("unlinking on ") && shown.text.contains("photolala unlink --undo "))
            let listed = try await phone.run("link", "--json").text.filter { !$0.isWhitespace }
            #expect(listed.contains(#""state":"removing""#) && listed.contains("unlinksAt"), "\(listed)")
            let kept = try await phone.run("unlink", "apple", "--undo")
            #expect(kept.status == 0 && kept.text.contains("Unlinking cancelled."), "\(kept.text)\(kept.errors)")
            #expect(try await !laptop.run("whoami").text.contains("unlinking on"))
            // A sign-in with the provider keeps it as well.
            #expect(try await laptop.run("unlink", "apple").status == 0)
            let tablet = CommandLineDevice(profile: folder.appendingPathComponent("tablet"), server: server.address)
            let again = try await tablet.run("signin", "--provider", "apple", "--dev-user", "bob")
            #expect(again.status == 0 && !again.text.contains("--undo"))
        }
    }

    @Test("an interrupted backup resumes where it stopped")
    func interrupted() async throws {
        try await withBob { folder, _, laptop, _ in
            let photos = folder.appendingPathComponent("photos")
            try PhotoFolder.make(80, in: photos, size: 100_000)
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

    @Test("a server killed and restarted during a backup loses nothing")
    func serverRestarts() async throws {
        try await withBob { folder, server, laptop, transport in
            let photos = folder.appendingPathComponent("photos")
            try PhotoFolder.make(80, in: photos, size: 100_000)
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
            let (before, after) = (try PhotoFolder.manifest(photos), try PhotoFolder.manifest(restored))
            #expect(before == after)
            restarted.kill()
        }
    }

    /// Waits until the server has stored more than a number of files.
    private func waitForPhotos(_ count: Int, in data: URL) async throws {
        let photos = data.appendingPathComponent("photos").path
        try await waitUntil("more than \(count) files are stored", every: .milliseconds(10)) {
            FileManager.default.enumerator(atPath: photos)?.allObjects.count ?? 0 > count
        }
    }
}
