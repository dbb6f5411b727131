import Foundation
import PhotolalaTesting
import Testing

/// The library as a folder of rclone, through the shipped programs.
struct WebDAVJourneyTests {
    private static let rclone = URL(filePath: "/usr/bin/rclone")

    @Test(
        "rclone copies the library from serve-webdav, and Ctrl-C ends it",
        .enabled(if: FileManager.default.fileExists(atPath: rclone.path), "no rclone; run scripts/install-clients"))
    func copied() async throws {
        try await SyncJourneyTests.withDevices { devices, _ in
            try PhotoFolder.make(12, in: devices.here)
            let backup = try await devices.laptop.run("backup", devices.here.path, "--no-thumbnails")
            #expect(backup.status == 0, "\(backup.errors)")
            let running = try devices.phone.start(["serve-webdav", "--port", "0", "--json"])
            try await waitUntil("the server has printed its address") { !running.lines.isEmpty }
            try await OutputSchema.expectValid([("serve-webdav", running.lines[0])], in: devices.phone.profile)
            let address = try #require(
                try JSONSerialization.jsonObject(with: Data(running.lines[0].utf8)) as? [String: String])
            let arguments = ["--webdav-url", address["url"], "--webdav-user", address["user"]].compactMap { $0 }
            let secret = try await run(["obscure", try #require(address["password"])], home: devices.there)
            let password = secret.output.trimmingCharacters(in: .newlines)
            let copy = try await run(
                ["copy", ":webdav:", devices.there.path] + arguments + ["--webdav-pass", password], home: devices.there)
            #expect(copy.status == 0, "\(copy.output)")
            #expect(try devices.manifests()[0].keys == devices.manifests()[1].keys)
            for name in try devices.manifests()[0].keys {
                let (one, two) = (devices.here.appending(path: name), devices.there.appending(path: name))
                #expect(FileManager.default.contentsEqual(atPath: one.path, andPath: two.path), "\(name)")
            }
            running.interrupt()
            #expect(try await running.finish().status == 130)
        }
    }

    private func run(_ arguments: [String], home: URL) async throws -> (status: Int32, output: String) {
        try await ChildProcess.run(
            Self.rclone, ["--config", "/dev/null"] + arguments,
            environment: ["HOME": home.path, "PATH": "/usr/bin:/bin"])
    }
}
