import Foundation
import Testing

/// Bob's use of the shipped command line, on any kind of store.
enum BobsJourney {
    /// Backs up on one device, restores on a second, and on a third signs in with the wrong provider and links it.
    static func run(_ folder: URL, _ server: ServerProcess, _ laptop: CommandLineDevice) async throws {
        let photos = folder.appendingPathComponent("photos")
        try PhotoFolder.make(24, in: photos)
        #expect(try await laptop.run("signup", "--provider", "apple", "--dev-user", "bob").status == 0)
        let backup = try await laptop.run("backup", photos.path, "--json")
        #expect(backup.status == 0, "\(backup.errors)")
        #expect(try backup.folder("uploadedFiles") == 24)

        let tablet = CommandLineDevice(profile: folder.appendingPathComponent("tablet"), server: server.address)
        #expect(try await tablet.run("signin", "--provider", "apple", "--dev-user", "bob").status == 0)
        let restored = folder.appendingPathComponent("restored")
        #expect(try await tablet.run("restore", "--to", restored.path).status == 0)
        let (before, after) = (try PhotoFolder.manifest(photos), try PhotoFolder.manifest(restored))
        #expect(before == after)

        let phone = CommandLineDevice(profile: folder.appendingPathComponent("phone"), server: server.address)
        let lost = try await phone.run("signin", "--provider", "google", "--dev-user", "bob")
        #expect(lost.status == 4)
        #expect(lost.errors.contains("You have an account with another provider:"))
        #expect(lost.errors.contains("photolala signin --provider apple"))
        let hinted = try await phone.run("signin", "--provider", "google", "--dev-user", "bob", "--json")
        let response = hinted.text.filter { !$0.isWhitespace }
        #expect(response.contains(#""hints":[{"provider":"apple"}]"#), "\(response)")
        #expect(try await laptop.run("link", "--provider", "google", "--dev-user", "bob").status == 0)
        #expect(try await phone.run("signin", "--provider", "google", "--dev-user", "bob").status == 0)
        let (mine, theirs) = (try await laptop.run("list", "--json"), try await phone.run("list", "--json"))
        #expect(mine.output == theirs.output && !mine.output.isEmpty)
    }
}
