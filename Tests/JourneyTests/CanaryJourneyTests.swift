import Foundation
import PhotolalaTesting
import Testing

/// A byte search for everything that a person left, after a completed deletion with the shipped programs.
@Suite struct CanaryJourneyTests {
    private static let canary = "canary"

    @Test("no name, file name, EXIF text, preference or event is left in the folder, the logs and a new snapshot")
    func everyField() async throws {
        try await withTemporaryFolder { folder, transport in
            let journey = ErasureJourney(folder: folder)
            for each in [journey.data, journey.photos] {
                try FileManager.default.createDirectory(at: each, withIntermediateDirectories: true)
            }
            try Self.makePhotos(in: journey.photos)
            let logs = (
                output: URL(filePath: journey.path("output.log")), errors: URL(filePath: journey.path("errors.log"))
            )
            // No receiver listens: the events of the account wait for it until they are erased.
            let variables = ErasureJourney.keys.merging([
                "PHOTOLALA_LOG_LEVEL": "debug", "PHOTOLALA_WEBHOOKS_URL": "http://127.0.0.1:\(try freePort())/hooks",
                "PHOTOLALA_WEBHOOKS_SECRETS": "whsec_\(Data(repeating: 1, count: 32).base64EncodedString())",
            ]) { _, new in new }
            let server = try await ServerProcess(
                data: journey.data, transport: transport, variables: variables, logs: logs)
            let phone = CommandLineDevice(profile: folder.appendingPathComponent("phone"), server: server.address)
            for words in [
                [
                    "signup", "--provider", "apple", "--dev-user", "canary-bob", "--name", "Canary Name",
                    "--device-name",
                    "canary-device",
                ],
                ["link", "--provider", "google", "--dev-user", "canary-bob"],
                ["backup", journey.photos.path], ["preferences", "set", "note", "canary-preference"],
                ["export", "--to", journey.path("bob.zip")],
            ] {
                let done = try await phone.run(words)
                #expect(done.status == 0, "\(words): \(done.errors)")
            }
            let neighbour = CommandLineDevice(profile: folder.appendingPathComponent("eve"), server: server.address)
            #expect(try await neighbour.run("signup", "--provider", "apple", "--dev-user", "eve").status == 0)
            #expect(try await neighbour.run("backup", journey.photos.path + "/neighbour").status == 0)

            let stored = try FolderTexts(journey.data)
            let found = stored.files(with: Self.canary)
            for text in ["canary-device", "canary-file.jpg", "canary-exif", "canary-preference", "dev-canary-bob"] {
                #expect(!stored.files(with: text).isEmpty, "\(text) is not in \(found)")
            }
            let who = try #require(try await phone.run("whoami", "--json").json()["user"] as? [String: Any])
            let user = try #require(who["serviceUserID"] as? String)
            let pending = "service/events/\(user)"
            #expect(!stored.files(with: pending).isEmpty, "an event waits for its delivery")
            #expect(try await phone.run("delete-account", "--confirm", "DELETE").status == 0)
            #expect(server.stop() == 0)
            try await journey.completeDeletions()
            let snapshot = journey.path("new.snapshot")
            #expect(try journey.command("snapshot", snapshot).status == 0)

            let left = try FolderTexts(journey.data)
            for text in [Self.canary, user] { #expect(left.files(with: text) == [], "\(text)") }
            #expect(!left.files(with: "neighbour-exif").isEmpty, "other people's data stays")
            for log in [logs.output, logs.errors] {
                let text = try String(contentsOf: log, encoding: .utf8)
                #expect(!text.lowercased().contains(Self.canary), "\(text)")
            }
            #expect(try String(contentsOf: logs.errors, encoding: .utf8).count > 1000, "the log has request lines")
            let searched = try journey.command(
                "prove-absence", "--export", journey.path("bob.zip"), "--text", "canary", "--text", "Canary Name",
                "--file", snapshot)
            #expect(searched.status == 0, "\(searched.output)")
        }
    }

    private static func makePhotos(in folder: URL) throws {
        for (path, text) in [
            ("canary-folder/canary-file.jpg", "canary-exif"), ("neighbour/other.jpg", "neighbour-exif"),
        ] {
            let file = folder.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            let exif = PhotoBytes.exif([(0x9003, "2024:05:06 07:08:09")], first: [(0x010f, text)])
            try Data(PhotoBytes.jpeg(text.count, exif: exif)).write(to: file)
        }
    }
}

/// The names and contents of a folder's files, in lower case. Read once for all searches, because the databases have
/// megabytes.
private struct FolderTexts {
    private let texts: [(path: String, name: String, content: String)]

    init(_ folder: URL) throws {
        texts = try FileManager.default.subpathsOfDirectory(atPath: folder.path).map { path in
            let content = FileManager.default.contents(atPath: folder.appendingPathComponent(path).path) ?? Data()
            // Latin 1 has a character for each byte.
            let characters = String(data: content, encoding: .isoLatin1) ?? ""
            return (path, path.lowercased(), characters.lowercased())
        }
    }

    /// Returns the files whose name or content contains a text, regardless of case.
    func files(with text: String) -> [String] {
        texts.filter { $0.name.contains(text) || $0.content.contains(text) }.map(\.path)
    }
}
